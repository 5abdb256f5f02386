/* The launches of a scan by groups. Before this file stands how one group scans: `group_scan(value, scratch,
 * &total)` gives an item the combination of the values of all items before it, and that of all in `total`;
 * SCRATCH_N is how many accumulators it needs in `scratch`. An item has ITEM_N consecutive elements.
 *
 * RED_PASS 0: each group leaves the combination of its tile in `carries`, and scans it, unless REDUCE_FIRST.
 * RED_PASS 1: one group makes the carries exclusive prefixes, in place.
 * RED_PASS 2: each group combines its carry with its answers; with REDUCE_FIRST it scans its tile only now.
 */
#ifndef ITEM_N
#define ITEM_N 1
#endif
#ifndef PLACE
#define PLACE (uint) get_local_id(0) /* in the group: of elements and carries */
#endif
#ifndef GROUP_REDUCE
#define GROUP_REDUCE(value) red_group_tree(value, scratch)
#define GROUP_REDUCE_LOCAL  RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE)
#endif
#define TILE_N (ITEM_N * RED_GROUP_SIZE)

RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
#if RED_PASS == 1
#define CARRY_N 8 /* consecutive carries that an item takes at a time */
    RED_LOCAL(RED_A, scratch, SCRATCH_N);
    RED_A turns = RED_IDENTITY, total;
    for (ulong first = 0; first < n; first += CARRY_N * RED_GROUP_SIZE) {
        const ulong begin = min(n, first + CARRY_N * PLACE), end = min(n, begin + CARRY_N);
        RED_A sum = RED_IDENTITY;
        for (ulong i = begin; i < end; i++)
            sum = RED_COMBINE(sum, carries[i]);
        RED_A before = RED_COMBINE(turns, group_scan(sum, scratch, &total));
        for (ulong i = begin; i < end; i++) {
            const RED_A carry = carries[i];
            carries[i] = before;
            before = RED_COMBINE(before, carry);
        }
        turns = RED_COMBINE(turns, total);
        barrier(CLK_LOCAL_MEM_FENCE); /* before the scratch is written again */
    }
#elif RED_PASS == 2 && !defined REDUCE_FIRST
    const RED_A carry = carries[get_group_id(0)];
    const ulong first = (ulong)get_group_id(0) * TILE_N, end = min(n, first + TILE_N);
    for (ulong i = first + PLACE; i < end; i += RED_GROUP_SIZE)
        RED_STORE(i, RED_COMBINE(carry, RED_RESULT(i)));
#else
    const ulong first = (ulong)get_group_id(0) * TILE_N + ITEM_N * PLACE;
    RED_A values[ITEM_N], sum = RED_IDENTITY, total;
    for (uint k = 0; k < ITEM_N; k++) {
        values[k] = first + k < n ? RED_LOAD(first + k) : RED_IDENTITY;
        sum = RED_COMBINE(sum, values[k]);
    }
#if RED_PASS == 0 && defined REDUCE_FIRST
    GROUP_REDUCE_LOCAL;
    total = GROUP_REDUCE(sum);
#else
    RED_LOCAL(RED_A, scratch, SCRATCH_N);
    RED_A before = group_scan(sum, scratch, &total);
#if RED_PASS == 2
    before = RED_COMBINE(carries[get_group_id(0)], before);
#endif
    for (uint k = 0; k < ITEM_N; k++) {
        const RED_A with = RED_COMBINE(before, values[k]);
        if (first + k < n)
            RED_STORE(first + k, RED_EXCLUSIVE ? before : with);
        before = with;
    }
#endif
#if RED_PASS == 0
    if (get_local_id(0) == 0)
        carries[get_group_id(0)] = total;
#endif
#endif
}
