//@ name:   tree_two
//@ idea:   private sums and a tree per group; a second kernel of one group finishes
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: two_kernels
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: Harris 2007, kernel decomposition; the second launch is the same text over the partial results

#include "grid_stride_vec.cl"
