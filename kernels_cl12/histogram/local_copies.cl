//@ name:      local_copies
//@ primitive: histogram
//@ idea:      several copies of the counts in local memory, by lane; one atomic per bin and group joins them
//@ span:      stride
//@ lanes:     4x2
//@ group:     serial
//@ finish:    zeroed_counts
//@ needs:     local_memory, integer_atomics
//@ types:     all
//@ ops:       all
//@ bins:      8000
//@ source:    Podlozhnyuk, Histogram calculation in CUDA, 2007
//@ variant:   local_counts COPIES_MAX=1
//@ lanes:     4x8
//@ idea:      local_copies with one copy: what C11 atomics and votes of sub-groups stand beside
//@ source:    OpenCL 1.2 section 6.12.11
//@ variant:   local_copies_joined JOINED=1
//@ idea:      local_copies, the groups' counts joined by a second launch
//@ finish:    joined_copies
//@ variant:   local_copies_last LAST=1
//@ idea:      local_copies in one launch: the last group hands over; works here, not promised by 1.x
//@ finish:    one_launch_counts
//@ needs:     local_memory, integer_atomics, write_read_fence

/* RED_BIN */
#include "lib/bins.cl"

#if defined JOINED && RED_PASS == 1
#include "lib/join_copies.cl"
#else

#define LOCAL_COUNT(p) atomic_inc(p)
/* count_group, count_of */
#include "lib/local_copies.cl"

/* is_last_group, last_move_counts */
#ifdef LAST
#include "lib/last_counts.cl"
#endif

/* A group's count of a bin, of the elements from `first` on, to where groups meet. */
void hand_over(const ulong first, const uint bin, const uint count, global RED_A *out, global RED_A *copies,
               global uint *state) {
#ifdef JOINED
    global RED_A *own = copies + get_group_id(0) * RED_COUNTS_N;
    own[bin] = count + (first > 0 ? own[bin] : 0);
#elif defined LAST
    if (count > 0)
        RED_ATOMIC(&LAST_COUNTS[bin], (RED_A)count);
#else
    if (count > 0)
        RED_ATOMIC(&out[bin], (RED_A)count);
#endif
}

RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    RED_LOCAL(uint, counts, LOCAL_N * COPIES);
    for (ulong first = 0; first == 0 || first < n; first += RED_ROUND_N) {
        count_group(RED_ARGS_AT(first), min(n - first, RED_ROUND_N), counts);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint bin = (uint)get_local_id(0); bin < RED_COUNTS_N; bin += RED_GROUP_SIZE)
            hand_over(first, bin, count_of(counts, bin), out, copies, state);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#ifdef LAST
    if (is_last_group(state, counts))
        last_move_counts(out, state);
#endif
}
#endif
