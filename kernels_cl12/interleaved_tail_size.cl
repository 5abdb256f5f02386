//@ name:   interleaved_tail_size
//@ idea:   bit-mask tree with the barrier at the loop's end, the loop's bound get_local_size(0)
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: lecture slides on OpenCL reduction (dot product), rearranged: a canary for compilers

#define LOOP_BOUND (uint) get_local_size(0)
#include "interleaved_tail.cl"
