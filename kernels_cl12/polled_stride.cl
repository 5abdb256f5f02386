//@ name:   polled_stride
//@ idea:   last_group_wide stores result and flag to memory on which the host spins; works here, not promised
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: polled
//@ needs:  local_memory, integer_atomics, host_visible_buffer
//@ types:  all
//@ ops:    all
//@ source: zero-copy results of CUDA programs, by cl_nv_create_buffer or a buffer that stays mapped

#define HAND_OVER RED_TELL
#define PARAMETERS                                                                                           \
    RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER
#include "last_group_wide.cl"
