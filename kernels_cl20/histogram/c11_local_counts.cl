//@ name:        c11_local_counts
//@ primitive:   histogram
//@ idea:        local_counts by C11 atomics: of work-group scope in local memory, of device scope to join
//@ span:        stride
//@ lanes:       4x8
//@ group:       serial
//@ finish:      zeroed_counts
//@ needs:       local_memory, integer_atomics, c11_work_group_scope, c11_device_scope
//@ types:       all
//@ ops:         all
//@ bins:        8000
//@ source:      OpenCL C 2.0 section 6.13.11
//@ counterpart: local_counts
//@ variant:     c11_copies_last LAST=1
//@ lanes:       4x2
//@ idea:        local_copies_last by C11 atomics, an acq_rel counter orders the groups: the legal form
//@ finish:      one_launch_counts
//@ needs:       local_memory, integer_atomics, c11_work_group_scope, c11_device_scope, c11_acq_rel, c11_device_order
//@ counterpart: local_copies_last

/* RED_BIN */
#include "lib/bins.cl"

/* C11_ATOMIC */
#include "lib/c11.cl"

/* is_last_group_c11 */
#include "lib/last_group_c11.cl"

#ifndef LAST
#define COPIES_MAX 1
#endif
#define LOCAL_COUNT(p)                                                                                       \
    atomic_fetch_add_explicit((volatile local atomic_uint *)(p), 1u, memory_order_relaxed,                   \
                              memory_scope_work_group)
/* count_group, count_of */
#include "lib/local_copies.cl"

/* Where groups meet: in `state` from the fifth word on, where the last one moves counts to `out` and leaves
 * zeros. */
#ifdef LAST
#define JOINED_COUNTS ((global RED_A *)(state + 4))
#else
#define JOINED_COUNTS out
#endif

RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    RED_LOCAL(uint, counts, LOCAL_N * COPIES);
    for (ulong first = 0; first == 0 || first < n; first += RED_ROUND_N) {
        count_group(RED_ARGS_AT(first), min(n - first, RED_ROUND_N), counts);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint bin = (uint)get_local_id(0); bin < RED_COUNTS_N; bin += RED_GROUP_SIZE) {
            const uint count = count_of(counts, bin);
            if (count > 0)
                C11_ATOMIC(&JOINED_COUNTS[bin], (RED_A)count);
        }
        work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    }
#ifdef LAST
    if (is_last_group_c11(state, counts))
        for (uint bin = (uint)get_local_id(0); bin < RED_COUNTS_N; bin += RED_GROUP_SIZE)
            out[bin] =
                atomic_exchange_explicit((volatile global RED_PASTE(atomic_, RED_A) *)&JOINED_COUNTS[bin],
                                         (RED_A)0, memory_order_relaxed, memory_scope_device);
#endif
}
