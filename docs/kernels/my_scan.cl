//@ name:      my_scan
//@ primitive: scan
//@ idea:      a contiguous piece per work-item, twice: its sum, then its prefixes
//@ span:      chunk
//@ lanes:     1
//@ group:     none
//@ finish:    reduce_then_scan
//@ needs:     nothing
//@ types:     all
//@ ops:       all
//@ source:    me
RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
#if RED_PASS == 1 /* one item: the sum of each of n pieces becomes that of all pieces before it */
    RED_A before = RED_IDENTITY;
    for (ulong i = 0; i < n && get_local_id(0) == 0; i++) {
        const RED_A carry = carries[i];
        carries[i] = before;
        before = RED_COMBINE(before, carry);
    }
#else
    const ulong pieces_n = get_global_size(0), piece_n = (n + pieces_n - 1) / pieces_n;
    const ulong begin = min(n, get_global_id(0) * piece_n), end = min(n, begin + piece_n);
    RED_A before = RED_PASS == 0 ? RED_IDENTITY : carries[get_global_id(0)];
    for (ulong i = begin; i < end; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
#if RED_PASS == 2
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
#endif
        before = with;
    }
#if RED_PASS == 0
    carries[get_global_id(0)] = before;
#endif
#endif
}
