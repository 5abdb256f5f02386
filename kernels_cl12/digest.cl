/* Not a strategy: the checksum of an input's words (src/model/input.h), made where the data is. Every word is
 * mixed with its place by the finaliser of SplitMix64 (Steele, Lea and Flood 2014); the mixed words are added
 * modulo 2^64. The array's words stand from `first` on. */
#ifndef DIGEST_GROUP_SIZE
#define DIGEST_GROUP_SIZE 64
#endif

ulong digest_mix(ulong z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9UL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebUL;
    return z ^ (z >> 31);
}

kernel __attribute__((reqd_work_group_size(DIGEST_GROUP_SIZE, 1, 1))) void
digest(global const ulong *restrict words, const ulong words_n, const ulong first,
       global ulong *restrict sums) {
    local ulong scratch[DIGEST_GROUP_SIZE];
    const uint item = (uint)get_local_id(0);
    ulong sum = 0;
    for (ulong i = get_global_id(0); i < words_n; i += get_global_size(0))
        sum += digest_mix(words[i] ^ (first + i) * 0x9e3779b97f4a7c15UL);
    scratch[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item > 0)
        return;
    for (uint i = 1; i < DIGEST_GROUP_SIZE; i++)
        sum += scratch[i];
    sums[get_group_id(0)] = sum;
}
