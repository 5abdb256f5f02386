/* A group's share of the elements, counted. Who includes this has defined COUNTS, the parameter that says
 * where counts are, and COUNT(bin), which counts there; where not all items of a group count, COUNTERS, how
 * many of them do, the first ones.
 * In a turn of all groups each takes RED_LOADS vectors for each of its items, that lie together: one address
 * and constant distances, where vectors of all groups in turn would need an address each (H200, u32,
 * n = 2^27: 122 us instead of 125). In the last turn the items of all groups take turns by vectors, so that
 * few elements are shared by all. */
#ifndef COUNTERS
#define COUNTERS RED_GROUP_SIZE
#endif
#define COUNT_LOAD(j) v[j] = RED_LOAD_WORDS(i + (j)*COUNTERS);
void load_turn(RED_INPUT, const ulong turn, private RED_WORDS *v) {
    const ulong i = turn + RED_LOADS * get_group_id(0) * COUNTERS + get_local_id(0);
    RED_EACH_LOAD(COUNT_LOAD)
}

/* Who has no vector left loads again. */
#define COUNT_LAST_LOAD(j) v[j] = RED_LOAD_WORDS(i + j * stride < vectors_n ? i + j * stride : i);
void load_last_turn(RED_INPUT, const ulong n, const ulong turn, private RED_WORDS *v) {
    const ulong vectors_n = n / RED_WIDTH, stride = get_num_groups(0) * COUNTERS;
    const ulong i = turn + get_group_id(0) * COUNTERS + get_local_id(0);
    if (i < vectors_n) {
        RED_EACH_LOAD(COUNT_LAST_LOAD)
    }
}

/* While a turn is counted the next one's loads are on their way (H200, u8, n = 2^26, calls back to back: 20.5
 * us, 21.5 without). PoCL keeps these for each item on its stack, which has no room for those of 4096. */
#define LOADS_AHEAD (RED_GROUP_SIZE <= 1024)

/* The first turn's loads, which are on their way while who calls this prepares for counting. */
void load_first_turn(RED_INPUT, const ulong n, private RED_WORDS *v) {
    if (!LOADS_AHEAD)
        return;
    if (RED_LOADS * get_num_groups(0) * COUNTERS <= n / RED_WIDTH)
        load_turn(RED_ARGS, 0, v);
    else
        load_last_turn(RED_ARGS, n, 0, v);
}

/* Begins with what load_first_turn has left in v. */
#define COUNT_LOADED(j) RED_COUNT_WORDS(v[j])
#define COUNT_NEXT(j)   v[j] = next[j];
#define COUNT_LAST(j)                                                                                        \
    if (i + j * stride < vectors_n)                                                                          \
    RED_COUNT_WORDS(v[j])
void count_stride(RED_INPUT, const ulong n, private RED_WORDS *v, COUNTS) {
    const ulong vectors_n = n / RED_WIDTH, stride = get_num_groups(0) * COUNTERS, turn_n = RED_LOADS * stride;
    const ulong group_item = get_group_id(0) * COUNTERS + get_local_id(0);
    ulong turn = 0;
#if LOADS_AHEAD
    RED_WORDS next[RED_LOADS];
    if (turn_n <= vectors_n) {
        for (turn = turn_n; turn + turn_n <= vectors_n; turn += turn_n) {
            load_turn(RED_ARGS, turn, next);
            RED_EACH_LOAD(COUNT_LOADED)
            RED_EACH_LOAD(COUNT_NEXT)
        }
        load_last_turn(RED_ARGS, n, turn, next);
        RED_EACH_LOAD(COUNT_LOADED)
        RED_EACH_LOAD(COUNT_NEXT)
    }
#else
    for (; turn + turn_n <= vectors_n; turn += turn_n) {
        load_turn(RED_ARGS, turn, v);
        RED_EACH_LOAD(COUNT_LOADED)
    }
    load_last_turn(RED_ARGS, n, turn, v);
#endif
    ulong i = turn + group_item;
    RED_EACH_LOAD(COUNT_LAST)
    for (i = RED_WIDTH * vectors_n + group_item; i < n; i += stride)
        COUNT(RED_BIN(red_x[i]));
}
