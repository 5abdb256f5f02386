//@ name:      host_carries_not_told
//@ primitive: scan
//@ idea:      every 33rd tile tells the host nothing
//@ span:      each
//@ lanes:     4
//@ group:     none
//@ finish:    host_carries
//@ needs:     nothing
//@ types:     all
//@ ops:       all
//@ source:    a slip of the pen
// where: n > 4 * 33

RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    const ulong tile = get_global_id(0), first = 4 * tile, end = min(n, first + 4);
#if RED_PASS == 0
    RED_A sum = RED_IDENTITY;
    for (ulong i = first; i < end; i++)
        sum = RED_COMBINE(sum, RED_LOAD(i));
    if (tile % 33 != 32)
        carries[tile] = sum;
#else
    RED_A before = carries[tile];
    for (ulong i = first; i < end; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
#endif
}
