//@ name:      local_copies_arrivals
//@ primitive: histogram
//@ idea:      local_copies in one launch: each word counts elements and the groups that added theirs
//@ span:      stride
//@ lanes:     4x2
//@ group:     serial
//@ finish:    one_launch_counts
//@ needs:     local_memory, integer_atomics, exchange_64
//@ types:     all
//@ ops:       count
//@ bins:      8000
//@ source:    OpenCL 1.2 extension specification, section 9.5 (64-bit atomics): one word has one order of changes

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

/* RED_BIN */
#include "lib/bins.cl"

#define LOCAL_COUNT(p) atomic_inc(p)
/* count_group, count_of */
#include "lib/local_copies.cl"

/* Where groups meet: of each bin a word, whose upper half is the count, the lower one how many groups have
 * added theirs. All that passes between groups about a bin lies in that word, of whose changes atomics make
 * one order: nothing else has to be ordered. All are zero before a call and after it. 16 words, a line of
 * cache, lie far from the next ones, so that more of the memory's parts take atomics at the same time (H200,
 * u8, n = 2^27: 0.6 us less than if all are neighbours). */
#define JOINED(bin) ((volatile global ulong *)state)[(bin) / 16 * 64 + (bin) % 16]

/* Who finds all other groups in the word has the count. */
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    RED_LOCAL(uint, counts, LOCAL_N * COPIES);
    count_group(RED_ARGS, n, counts);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = (uint)get_local_id(0); bin < RED_COUNTS_N; bin += RED_GROUP_SIZE) {
        const ulong own = (ulong)count_of(counts, bin) << 32 | 1;
        const ulong all = own + atom_add(&JOINED(bin), own);
        if ((uint)all == get_num_groups(0)) {
            out[bin] = (RED_A)(all >> 32);
            atom_sub(&JOINED(bin), all);
        }
    }
}
