/* How a tile finds its carry. */
/* As many predecessors are asked at a time: of many tiles those that are likely to be needed, of few tiles as
 * many as can be, since no prefix comes soon there. */
#ifndef LOOK_WINDOW
#define LOOK_WINDOW 32
#endif
#ifndef LOOK_WIDE
#define LOOK_WIDE 1024
#endif
#define LOOK_WINDOW_N(tiles_n)                                                                               \
    ((tiles_n) < LOOK_WIDE || LOOK_WINDOW > RED_GROUP_SIZE ? RED_GROUP_SIZE : LOOK_WINDOW)

/* Words of local memory for what was told: the values, then sums of four of them, then sums of four of those,
 * the first two placed as totals are: items that read four each meet in no bank. */
#ifndef LOOK_ASKED_N
#define LOOK_ASKED_N RED_GROUP_SIZE
#endif
#define LOOK_FOURS_N    ((LOOK_ASKED_N + 3) / 4)
#define LOOK_SIXTEENS_N ((LOOK_ASKED_N + 15) / 16)
#define LOOK_FOURS      TILE_PLACE(LOOK_ASKED_N)
#define LOOK_SIXTEENS   (LOOK_FOURS + TILE_PLACE(LOOK_FOURS_N))
#define LOOK_SCRATCH    (LOOK_SIXTEENS + LOOK_SIXTEENS_N)

/* Four from `first` on, of those before `end`. */
RED_A look_four(local RED_A *values, const uint first, const uint end) {
#define LOOK_ONE(i) ((i) < end ? values[TILE_PLACE(i)] : RED_IDENTITY)
#define LOOK_TWO(i) RED_COMBINE(LOOK_ONE(i), LOOK_ONE((i) + 1))
    return RED_COMBINE(LOOK_TWO(first), LOOK_TWO(first + 2));
}

/* The sum of the first asked_n values, to all items. Loops over more than four would take registers from the
 * tile's vectors, and a register too many halves the groups at work. */
RED_A look_sum(const uint asked_n, local RED_A *asked) {
    const uint item = (uint)get_local_id(0);
    RED_A sum = RED_IDENTITY;
    if (item < LOOK_FOURS_N)
        asked[LOOK_FOURS + TILE_PLACE(item)] = look_four(asked, 4 * item, asked_n);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < LOOK_SIXTEENS_N)
        asked[LOOK_SIXTEENS + item] = look_four(asked + LOOK_FOURS, 4 * item, LOOK_FOURS_N);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < LOOK_SIXTEENS_N; i++)
        sum = RED_COMBINE(asked[LOOK_SIXTEENS + i], sum);
    return sum;
}
