//@ name:   polled_chunk
//@ idea:   one piece per item; result and flag go to memory on which the host spins; works here, not promised
//@ span:   chunk
//@ lanes:  16x4
//@ group:  tree
//@ finish: polled
//@ needs:  local_memory, integer_atomics, host_visible_buffer
//@ types:  all
//@ ops:    all
//@ source: as polled_stride

#define ITEM_SHARE red_item_chunk
#define HAND_OVER  RED_TELL
#define PARAMETERS                                                                                           \
    RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER
#include "last_group.cl"
