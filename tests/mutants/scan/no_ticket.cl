//@ name:      no_ticket
//@ primitive: scan
//@ idea:      tiles are those of group numbers, from the last on, and wait for a while
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
    const uint tiles_n = (uint)get_num_groups(0), tile = tiles_n - 1 - (uint)get_group_id(0);
    const ulong tile_n = 4 * RED_GROUP_SIZE, first = tile * tile_n, end = min(n, first + tile_n);
    const uint call = KNOWN(tile) + 1;
    RED_A sum = RED_IDENTITY, before = RED_IDENTITY;
    for (ulong i = first; i < end; i++)
        sum = RED_COMBINE(sum, RED_LOAD(i));
    SUM_OF(tile) = RED_AS_WORD(sum);
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    TOLD(tile) = call;
    for (uint at = tile; at > 0; at--) {
        for (uint look = 0; TOLD(at - 1) != call && look < 100; look++)
            ;
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (KNOWN(at - 1) == call) {
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
