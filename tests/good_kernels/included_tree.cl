//@ name:   included_tree
//@ idea:   another name for the tree of the catalogue
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: a user

#include "tree.cl"
