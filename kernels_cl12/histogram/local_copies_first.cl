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

#define LOCAL_COUNT(p) atomic_inc(p)
/* clear_counts, count_stride, count_of */
#include "lib/local_copies.cl"

/* state[0] says how far the zeros of `out` are, state[1] counts the groups that have seen them. */
enum zeros { NONE = 0, BEGUN, READY };

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
 * is what drivers do; OpenCL 1.x promises nothing between groups. The last one to see them leaves the state
 * as it was. */
void await_zeros(global RED_A *out, global uint *state) {
    set_zeros(out, state);
    while (atomic_or(state, 0) != READY)
        ;
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (atomic_inc(state + 1) + 1 == get_num_groups(0)) {
        atomic_xchg(state + 1, 0);
        atomic_xchg(state, NONE);
    }
}

/* One item sees to the zeros while the others still count. */
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    RED_LOCAL(uint, counts, LOCAL_N * COPIES);
    const uint item = (uint)get_local_id(0);
    const bool sees_to_zeros = item == RED_GROUP_SIZE - 1;
    if (sees_to_zeros && get_group_id(0) == 0)
        set_zeros(out, state);
    clear_counts(counts);
    count_stride(RED_ARGS, n, counts);
    if (sees_to_zeros)
        await_zeros(out, state);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint bin = item; bin < RED_COUNTS_N; bin += RED_GROUP_SIZE) {
        const uint count = count_of(counts, bin);
        if (count > 0)
            RED_ATOMIC(&out[bin], (RED_A)count);
    }
}
