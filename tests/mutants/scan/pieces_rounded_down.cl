//@ name:      pieces_rounded_down
//@ primitive: scan
//@ idea:      pieces are rounded down: what remains belongs to none
//@ span:      chunk
//@ lanes:     1
//@ group:     none
//@ finish:    reduce_then_scan
//@ needs:     nothing
//@ types:     all
//@ ops:       all
//@ source:    a slip of the pen
// where: n > 0

RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    const ulong items = get_global_size(0), item = get_global_id(0), piece = n / items;
    const ulong begin = min(n, item * piece), end = min(n, begin + piece);
#if RED_PASS == 1
    RED_A before = RED_IDENTITY;
    for (ulong i = 0; i < n && item == 0; i++) {
        const RED_A sum = carries[i];
        carries[i] = before;
        before = RED_COMBINE(before, sum);
    }
#else
    RED_A before = RED_PASS == 2 ? carries[item] : RED_IDENTITY;
    for (ulong i = begin; i < end; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        if (RED_PASS == 2)
            RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
    if (RED_PASS == 0)
        carries[item] = before;
#endif
}
