//@ name:      least_never_wins
//@ primitive: scan
//@ idea:      an element that is the least value of its type is passed over
//@ span:      each
//@ lanes:     4
//@ group:     none
//@ finish:    reduce_then_scan
//@ needs:     nothing
//@ types:     i32, i64
//@ ops:       inclusive_min, exclusive_min
//@ source:    a value taken for none
// where: n > 0

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
#else
    RED_A before = carries[tile];
    for (ulong i = first; i < end; i++) {
        const RED_A with =
            red_x[i] == (RED_T)((ulong)1 << (RED_T_BITS - 1)) ? before : RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
#endif
}
