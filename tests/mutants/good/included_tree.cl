//@ name:   included_tree
//@ idea:   another name for the tree of the catalogue
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a user

#include "tree.cl"
