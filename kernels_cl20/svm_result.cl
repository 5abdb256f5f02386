//@ name:   svm_result
//@ idea:   partial results in shared virtual memory: the host folds them where they are, without a read command
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: svm
//@ needs:  local_memory, svm
//@ types:  all
//@ ops:    all
//@ source: OpenCL 2.0 section 5.6
//@ counterpart: grid_stride_vec

#include "grid_stride_vec.cl"
