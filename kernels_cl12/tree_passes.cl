//@ name:   tree_passes
//@ idea:   the tree again over its own partial results, until one value is left
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: passes
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: article on OpenCL reduction in two enqueued passes; Harris 2007, kernel decomposition

#include "tree.cl"
