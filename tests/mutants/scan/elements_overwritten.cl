//@ name:      elements_overwritten
//@ primitive: scan
//@ idea:      the last tile leaves its sum in the elements
//@ span:      each
//@ lanes:     4
//@ group:     none
//@ finish:    reduce_then_scan
//@ needs:     nothing
//@ types:     all
//@ ops:       all
//@ source:    a slip of the pen
// where: n > 1
// expect: input

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
    RED_A sum = RED_IDENTITY;
    for (ulong i = first; i < end; i++)
        sum = RED_COMBINE(sum, RED_LOAD(i));
    carries[tile] = sum;
    if (end == n && first + 1 < n)
        ((global RED_T *)red_x)[first] = red_x[first + 1];
#else
    RED_A before = carries[tile];
    for (ulong i = first; i < end; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
#endif
}
