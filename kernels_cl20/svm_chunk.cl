//@ name:   svm_chunk
//@ idea:   chunk's partial results in shared virtual memory: on a CPU a read command can cost as much as a launch
//@ span:   chunk
//@ lanes:  16x4
//@ group:  tree
//@ finish: svm
//@ needs:  local_memory, svm
//@ types:  all
//@ ops:    all
//@ source: OpenCL 2.0 section 5.6
//@ counterpart: chunk

#include "chunk.cl"
