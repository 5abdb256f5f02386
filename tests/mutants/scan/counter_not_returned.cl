//@ name:      scan_counter_not_returned
//@ primitive: scan
//@ idea:      the tiles of three launches are counted in the word that stays zero there
//@ span:      each
//@ lanes:     4
//@ group:     none
//@ finish:    scan_then_propagate
//@ needs:     nothing
//@ types:     all
//@ ops:       all
//@ source:    a kernel for two uses, of which one sets the counter back
// where: n > 0
// expect: expected counter left at 0, got [1-9]

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
    for (ulong i = first; i < end; i++)
        before = RED_COMBINE(before, RED_LOAD(i));
    carries[tile] = before;
    if (first < n)
        atomic_inc(state);
#else
    RED_A before = carries[tile];
    for (ulong i = first; i < end; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
#endif
}
