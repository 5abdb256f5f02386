//@ name:      order_varies
//@ primitive: scan
//@ idea:      claims a fixed order, and adds a carry to a tile's sum from another side in every second call
//@ span:      each
//@ lanes:     4
//@ group:     serial
//@ finish:    single_pass
//@ needs:     integer_atomics
//@ types:     floats
//@ ops:       inclusive_sum, exclusive_sum
//@ source:    look_back, which takes the sums or prefixes that it finds
//@ order:     fixed
// where: n > 2 * 4 * wg
// expect: expected the bits of the calls before, got others

/* A tile's words: the number of the last call that told its sum, the same of its prefix, both values. */
#define TOLD(tile)      (((volatile global uint *)state)[4 + 8 * (tile)])
#define KNOWN(tile)     (((volatile global uint *)state)[5 + 8 * (tile)])
#define SUM_OF(tile)    (((volatile global RED_WORD *)(state + 6 + 8 * (tile)))[0])
#define PREFIX_OF(tile) (((volatile global RED_WORD *)(state + 8 + 8 * (tile)))[0])
RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    if (get_local_id(0) > 0)
        return;
    const uint tiles_n = (uint)get_num_groups(0), tile = atomic_inc((volatile global uint *)state);
    if (tile == tiles_n - 1)
        atomic_xchg((volatile global uint *)state, 0);
    const ulong tile_n = 4 * RED_GROUP_SIZE, first = tile * tile_n, end = min(n, first + tile_n);
    const uint call = KNOWN(tile) + 1;
    RED_A sum = RED_IDENTITY, before = RED_IDENTITY;
    for (ulong i = first; i < end; i++)
        sum = RED_COMBINE(sum, RED_LOAD(i));
    SUM_OF(tile) = RED_AS_WORD(sum);
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    TOLD(tile) = call;
    for (uint at = tile; at > 0; at--) {
        while (TOLD(at - 1) != call || (call % 2 == 0 && KNOWN(at - 1) != call))
            ;
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (call % 2 == 0) {
            before = RED_COMBINE(RED_FROM_WORD(PREFIX_OF(at - 1)), before);
            break;
        }
        before = RED_COMBINE(RED_FROM_WORD(SUM_OF(at - 1)), before);
    }
    PREFIX_OF(tile) = RED_AS_WORD(RED_COMBINE(before, sum));
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    KNOWN(tile) = call;
    for (ulong i = first; i < end; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
}
