//@ name:      begin_not_seen
//@ primitive: scan
//@ idea:      a tile looks back to the second, and not to the first
//@ span:      each
//@ lanes:     4
//@ group:     serial
//@ finish:    single_pass
//@ needs:     integer_atomics
//@ types:     all
//@ ops:       all
//@ source:    a slip of the pen
// where: n > 4 * wg

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
    for (uint at = tile; at > 1; at--) {
        while (TOLD(at - 1) != call)
            ;
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (at > 1 && tile % 8 == 0 && KNOWN(at - 1) == call) {
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
