/* The checksum of an input's words (src/model/input.h), made where the data is. Every word is
 * mixed with its place by the finaliser of SplitMix64 (Steele, Lea and Flood 2014); the mixed words are added
 * modulo 2^64. The array's words stand from `first` on. A group takes a contiguous piece, an item eight words
 * at once, since not every compiler for CPUs makes vectors of its own. */
#ifndef DIGEST_GROUP_SIZE
#define DIGEST_GROUP_SIZE 64
#endif

ulong8 digest_mix(ulong8 z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9UL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebUL;
    return z ^ (z >> 31);
}

kernel __attribute__((reqd_work_group_size(DIGEST_GROUP_SIZE, 1, 1))) void
digest(global const ulong8 *restrict words, const ulong vectors_n, const ulong first,
       global ulong *restrict sums) {
    local ulong scratch[DIGEST_GROUP_SIZE];
    const ulong8 places = (ulong8)(0, 1, 2, 3, 4, 5, 6, 7) + first;
    const ulong piece_n = (vectors_n + get_num_groups(0) - 1) / get_num_groups(0);
    const ulong begin = min(vectors_n, get_group_id(0) * piece_n), end = min(vectors_n, begin + piece_n);
    const uint item = (uint)get_local_id(0);
    ulong8 all = 0;
    for (ulong i = begin + item; i < end; i += DIGEST_GROUP_SIZE)
        all += digest_mix(words[i] ^ (8 * i + places) * 0x9e3779b97f4a7c15UL);
    const ulong4 half_sum = all.lo + all.hi;
    const ulong2 quarter_sum = half_sum.lo + half_sum.hi;
    ulong sum = quarter_sum.x + quarter_sum.y;
    scratch[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item > 0)
        return;
    for (uint i = 1; i < DIGEST_GROUP_SIZE; i++)
        sum += scratch[i];
    sums[get_group_id(0)] = sum;
}
