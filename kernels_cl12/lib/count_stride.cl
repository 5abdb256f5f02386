/* A group's share of the elements, counted. Who includes this has defined COUNTS, the parameter that says
 * where counts are, and COUNT(bin), which counts there; where not all items of a group count, COUNTERS, how
 * many of them do, the first ones.
 * In a turn of all groups each takes RED_LOADS vectors for each of its items, that lie together: one address
 * and constant distances, where vectors of all groups in turn would need an address each (H200, u32,
 * n = 2^27: 122 us instead of 125). All loads of a turn are in flight before the first is counted, those of
 * the last turn, too, in which the items of all groups take turns by vectors, so that few elements are shared
 * by all. */
#ifndef COUNTERS
#define COUNTERS RED_GROUP_SIZE
#endif
#define COUNT_LOAD(j)   v[j] = RED_LOAD_WORDS(i + (j)*COUNTERS);
#define COUNT_LOADED(j) RED_COUNT_WORDS(v[j])
/* Who has no vector left loads again. */
#define COUNT_LAST_LOAD(j) v[j] = RED_LOAD_WORDS(i + j * stride < vectors_n ? i + j * stride : i);
#define COUNT_LAST_LOADED(j)                                                                                 \
    if (i + j * stride < vectors_n)                                                                          \
    RED_COUNT_WORDS(v[j])
void count_stride(RED_INPUT, const ulong n, COUNTS) {
    const ulong vectors_n = n / RED_WIDTH, stride = get_num_groups(0) * COUNTERS, turn_n = RED_LOADS * stride;
    const ulong group_first = get_group_id(0) * COUNTERS, item = get_local_id(0);
    RED_WORDS v[RED_LOADS];
    ulong turn = 0, i;
    for (; turn + turn_n <= vectors_n; turn += turn_n) {
        i = turn + RED_LOADS * group_first + item;
        RED_EACH_LOAD(COUNT_LOAD)
        RED_EACH_LOAD(COUNT_LOADED)
    }
    i = turn + group_first + item;
    if (i < vectors_n) {
        RED_EACH_LOAD(COUNT_LAST_LOAD)
        RED_EACH_LOAD(COUNT_LAST_LOADED)
    }
    for (i = RED_WIDTH * vectors_n + group_first + item; i < n; i += stride)
        COUNT(RED_BIN(red_x[i]));
}
