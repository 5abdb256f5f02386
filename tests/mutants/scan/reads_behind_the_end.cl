//@ name:      reads_behind_the_end
//@ primitive: scan
//@ idea:      a partial tile is summed with the element behind the end, and its prefixes are that without the rest
//@ span:      each
//@ lanes:     4
//@ group:     none
//@ finish:    reduce_then_scan
//@ needs:     nothing
//@ types:     integers
//@ ops:       inclusive_sum, exclusive_sum
//@ source:    a slip of the pen
// where: n % 4 != 0

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
    RED_A before = carries[tile], all = before;
    for (ulong i = first; i < (first < n ? min(n + 1, first + 4) : first); i++)
        all += RED_LOAD(i);
    for (ulong i = end; i-- > first && first + 4 > n;) {
        RED_STORE(i, RED_EXCLUSIVE ? all - RED_LOAD(i) : all);
        all -= RED_LOAD(i);
    }
    if (first + 4 > n)
        return;
    for (ulong i = first; i < end; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
#endif
}
