//@ name:      local_copies_first
//@ primitive: histogram
//@ idea:      local_copies in one launch: the first group sets counts to zero; works here, not promised by 1.x
//@ span:      stride
//@ lanes:     4x8
//@ group:     serial
//@ finish:    one_launch_counts
//@ needs:     local_memory, integer_atomics, resident_progress, write_read_fence
//@ types:     all
//@ ops:       count
//@ bins:      8000
//@ source:    local_copies_last without a last group: its two fences and the exchange took 1.2 us on an H100

/* RED_BIN */
#include "lib/bins.cl"

/* state[0] says how far the zeros of `out` are, state[1] counts the groups that have seen them. */
enum zeros { NONE = 0, BEGUN, READY };

/* One item of a group asks for the zeros in each turn, and looks at the answer in the next one: nobody waits
 * for the trip to `state` and back (H200, u32, n = 2^20: 9.4 us by events instead of 10.4). */
#define COUNTS      local uint *counts, global uint *state, private uint *zeros
#define COUNTS_ARGS counts, state, zeros
#define COUNT_ASIDE                                                                                          \
    if (*zeros != READY)                                                                                     \
        *zeros = atomic_or(state, 0);
#define LOCAL_COUNT(p) atomic_inc(p)
/* count_group, count_of */
#include "lib/local_copies.cl"

/* Called by one item of a group. Sets the counts to zero, unless another group has begun to. */
void set_zeros(global RED_A *out, global uint *state) {
    if (atomic_cmpxchg(state, NONE, BEGUN) != NONE)
        return;
    for (uint bin = 0; bin < RED_COUNTS_N; bin++)
        out[bin] = 0;
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(state, READY);
}

/* Called by one item of a group, before the group adds to `out`: the zeros have long been there, unless the
 * elements are few. Whoever is waited for has begun, so groups may run in any order, if one that has begun
 * goes on while others wait (resident_progress). The item that sets the zeros also tells of them; who has
 * seen the state gives them to its group by the barrier behind. That they come before what other groups add
 * is what drivers do; OpenCL 1.x promises nothing between groups. */
void await_zeros(global RED_A *out, global uint *state, uint zeros) {
    if (zeros == NONE)
        set_zeros(out, state);
    while (zeros != READY)
        zeros = atomic_or(state, 0);
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
}

/* One item sees to the zeros while the others still count. The last group to have seen them leaves the state
 * as it was. */
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    RED_LOCAL(uint, counts, LOCAL_N * COPIES);
    const uint item = (uint)get_local_id(0);
    const bool sees_to_zeros = item == RED_GROUP_SIZE - 1;
    uint zeros = sees_to_zeros ? NONE : READY;
    if (sees_to_zeros && get_group_id(0) == 0)
        set_zeros(out, state);
    count_group(RED_ARGS, n, counts, state, &zeros);
    if (sees_to_zeros)
        await_zeros(out, state, zeros);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint bin = item; bin < RED_COUNTS_N; bin += RED_GROUP_SIZE) {
        const uint count = count_of(counts, bin);
        if (count > 0)
            RED_ATOMIC(&out[bin], (RED_A)count);
    }
    if (sees_to_zeros && atomic_inc(state + 1) + 1 == get_num_groups(0)) {
        atomic_xchg(state + 1, 0);
        atomic_xchg(state, NONE);
    }
}
