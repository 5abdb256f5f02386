//@ name:   svm_unmapped
//@ idea:   last_group into shared virtual memory that the host reads unmapped; promised for fine-grained memory only
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: svm_unmapped
//@ needs:  local_memory, integer_atomics, svm_unmapped
//@ types:  all
//@ ops:    all
//@ source: OpenCL 2.0 section 5.6.1; what drivers of GPUs that write to the host's memory do
//@ counterpart: last_group

#include "last_group.cl"
