//@ name:      elements_24_bits
//@ primitive: scan
//@ idea:      of an index 24 bits are kept
//@ span:      each
//@ lanes:     4
//@ group:     none
//@ finish:    scan_then_propagate
//@ needs:     nothing
//@ types:     i8
//@ ops:       inclusive_sum
//@ source:    a slip of the pen
// where: n > 1 << 24

RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    const ulong tile = get_global_id(0), first = 4 * tile, end = min(n, first + 4);
#if RED_PASS == 1
    RED_A before = RED_IDENTITY;
    for (ulong i = 0; i < n && tile == 0; i++) {
        const RED_A sum = carries[i];
        carries[i] = before;
        before = RED_COMBINE(before, sum);
    }
#elif RED_PASS == 0
    RED_A before = RED_IDENTITY;
    for (ulong i = first; i < end; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i & 0xffffff));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
    carries[tile] = before;
#else
    for (ulong i = first; i < end; i++)
        RED_STORE(i, RED_COMBINE(carries[tile], RED_RESULT(i)));
#endif
}
