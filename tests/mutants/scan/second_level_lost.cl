//@ name:      second_level_lost
//@ primitive: scan
//@ idea:      the carries of the second level are not added
//@ span:      each
//@ lanes:     4
//@ group:     serial
//@ finish:    two_levels
//@ needs:     nothing
//@ types:     all
//@ ops:       all
//@ source:    a slip of the pen
// where: n > 16 * wg * wg

RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    const ulong tile = get_group_id(0), first = tile * RED_GROUP_SIZE * 4,
                end = min(n, first + RED_GROUP_SIZE * 4);
    if (get_local_id(0) > 0)
        return;
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
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
    carries[tile] = before;
#elif !defined RED_OVER_CARRIES || !RED_OVER_CARRIES
    for (ulong i = first; i < end; i++)
        RED_STORE(i, RED_COMBINE(carries[tile], RED_RESULT(i)));
#endif
}
