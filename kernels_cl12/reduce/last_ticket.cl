//@ name:   last_ticket
//@ idea:   the group that begins last waits for a word from each of the others; works here, not promised
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, integer_atomics, lower_ticket_progress, volatile_between_groups, word_publication
//@ types:  all
//@ ops:    all
//@ source: Merrill, Garland 2016: values and flags in one word; last_group_wide without its fences
//@ variant: polled_ticket POLLED=1
//@ idea:   last_ticket stores result and flag to memory on which the host spins; works here, not promised
//@ finish: polled
//@ needs:  local_memory, integer_atomics, host_visible_buffer, lower_ticket_progress, volatile_between_groups, word_publication

/* GROUP_COMBINE, GROUP_LOCAL */
#include "lib/group_wide.cl"

/* publish, item_published */
#include "lib/publish.cl"

/* HAND_OVER */
#include "lib/hand_over.cl"

#ifdef POLLED
#define PARAMETERS RED_INPUT, const ulong n, global RED_A *restrict out, RED_ANSWER
#else
#define PARAMETERS RED_INPUT, const ulong n, global RED_A *restrict out
#endif

/* A ticket says who begins last: all whom that group waits for have begun, in whatever order groups start. It
 * comes while the elements do. Between a group's value and the result lie a store, which nobody waits for,
 * and a load; last_group_wide has a store, its fence, an atomic and a load, one behind the other (H200, f32,
 * n = 2^22: 7.6 us on the device; last_ticket 6.9). */
RED_KERNEL reduce(PARAMETERS) {
    GROUP_LOCAL;
    global uint *counter = RED_COUNTER(out);
    RED_LOCAL(RED_A, own, 1);
    RED_LOCAL(uint, is_last, 1);
    const uint groups_n = (uint)get_num_groups(0);
    const bool first_item = get_local_id(0) == 0;
    const uint ticket = first_item && groups_n > 1 ? atomic_inc(counter) : 0;
    RED_A value = GROUP_COMBINE(red_item_stride(RED_ARGS, n));
    if (first_item && groups_n == 1) {
        is_last[0] = 0;
        HAND_OVER(value);
    } else if (first_item) {
        is_last[0] = ticket == groups_n - 1;
        own[0] = value;
        if (is_last[0])
            atomic_and(counter, 0);
        else
            publish(counter, (uint)get_group_id(0), value);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_last[0]) {
        value = GROUP_COMBINE(item_published(counter, own[0]));
        if (first_item)
            HAND_OVER(value);
    }
}
