//@ name:      neighbour_overwritten
//@ primitive: scan
//@ idea:      the last element of a tile is read by the next one, when its answer may stand there
//@ span:      each
//@ lanes:     4
//@ group:     none
//@ finish:    reduce_then_scan
//@ needs:     nothing
//@ types:     i32, u32, i64, u64, f32, f64
//@ ops:       all
//@ source:    a slip of the pen
// where: n > 4
// expect: in place

RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    /* Tiles begin an element early, but for the first. */
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
    for (ulong i = first - (first > 0); i < min(n, first + 3); i++)
        sum = RED_COMBINE(sum, RED_LOAD(i));
    carries[tile] = sum;
#else
    RED_A before = carries[tile];
    if (first > 0 && first < n)
        before = RED_COMBINE(before, RED_LOAD(first - 1));
    for (ulong i = first; i < end; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
#endif
}
