/* How a tile finds its carry by additions that n and the geometry alone decide: a float has the same bits at
 * every call, whenever others tell. Tiles stand in blocks, a block's first tile in that of the tiles before
 * it. A tile's carry is the carry of its block, with which the block begins, and then the sum of the block's
 * tiles before it, by a tree of one shape. So is the carry of the next block. Who does not find the nearest
 * carry makes it of an earlier one, block by block, with the same bits. Every tile tells its sum, and where a
 * block begins its carry, 4 words of `state` behind: each call adds 1 to all flags. */
#define LOOK_WINDOW   32    /* tiles of a block, if a group has so many items */
#define LOOK_ASKED    4     /* blocks asked at a time, an item for each tile */
#define LOOK_REACH    32768 /* items of the tiles that a group asks before it waits */
#define LOOK_BLOCK    (LOOK_WINDOW < RED_GROUP_SIZE ? LOOK_WINDOW : RED_GROUP_SIZE)
#define LOOK_WHOLE_N  (RED_GROUP_SIZE / LOOK_BLOCK)
#define LOOK_TURN_N   (LOOK_WHOLE_N < LOOK_ASKED ? LOOK_WHOLE_N : LOOK_ASKED)
#define LOOK_TURNS_N  (LOOK_REACH / (RED_GROUP_SIZE * LOOK_BLOCK * LOOK_TURN_N))
#define LOOK_BLOCKS_N (LOOK_TURN_N * (LOOK_TURNS_N < 1 ? 1 : LOOK_TURNS_N > 32 ? 32 : LOOK_TURNS_N))

/* Words of local memory: what was told in a turn, and of all blocks the carries and the sums of four. */
#define LOOK_FOURS_N (LOOK_BLOCK / 4 + (LOOK_BLOCK % 4 > 0)) /* of a block */
#define LOOK_CARRIES TILE_PLACE(LOOK_TURN_N *LOOK_BLOCK)
#define LOOK_FOURS   (LOOK_CARRIES + LOOK_BLOCKS_N)
#define LOOK_SCRATCH (LOOK_FOURS + LOOK_BLOCKS_N * LOOK_FOURS_N)

/* Four from `first` on, of those before `end`; PLACE says where one is. */
#define LOOK_HERE(i)                    (i)
#define LOOK_ONE(PLACE, values, i, end) ((i) < (end) ? (values)[PLACE(i)] : RED_IDENTITY)
#define LOOK_TWO(PLACE, values, i, end)                                                                      \
    RED_COMBINE(LOOK_ONE(PLACE, values, i, end), LOOK_ONE(PLACE, values, (i) + 1, end))
#define LOOK_FOUR(PLACE, values, i, end)                                                                     \
    RED_COMBINE(LOOK_TWO(PLACE, values, i, end), LOOK_TWO(PLACE, values, (i) + 2, end))

/* Asks for the sums and the carries of the blocks that end before this tile, some at a time, until it has a
 * carry, and gives the tile's own to all items. An item waits for the sum of one tile. Only in the last turn
 * a block's first item waits for a carry, until another item has one: each tile's comes in any case.
 * `nearest` is LOOK_BLOCKS_N at first. There is a barrier in it. */
RED_A look_back(global uint *state, const uint tile, const uint tiles_n, const uint flag, local RED_A *asked,
                volatile local uint *nearest) {
    const uint item = (uint)get_local_id(0), last = (max(tile, 1u) - 1) / LOOK_BLOCK;
    uint begin = 0, left;
    do {
        const uint block = begin + item / LOOK_BLOCK;
        if (item < LOOK_TURN_N * LOOK_BLOCK && block <= last) {
            const uint first = (last - block) * LOOK_BLOCK, other = first + item % LOOK_BLOCK;
            const bool asks_carry = item % LOOK_BLOCK == 0;
            RED_A value = RED_IDENTITY, carry = RED_IDENTITY;
            uint told = LOOK_SUM;
            if (asks_carry && first > 0)
                told = look_ask(state + 4, first, tiles_n, flag, &carry);
            if (other < tile)
                while (look_ask(state, other, tiles_n, flag, &value) == LOOK_NOTHING)
                    ;
            asked[TILE_PLACE(item)] = value;
            if (asks_carry) {
                while (told == LOOK_NOTHING && begin + LOOK_TURN_N == LOOK_BLOCKS_N &&
                       nearest[0] == LOOK_BLOCKS_N)
                    told = look_ask(state + 4, first, tiles_n, flag, &carry);
                if (told != LOOK_NOTHING) {
                    asked[LOOK_CARRIES + block] = carry;
                    atomic_min(nearest, block);
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        left = nearest[0];
        if (item < LOOK_TURN_N * LOOK_FOURS_N)
            asked[LOOK_FOURS + begin * LOOK_FOURS_N + item] =
                LOOK_FOUR(TILE_PLACE, asked, 4 * item, LOOK_TURN_N * LOOK_BLOCK);
        barrier(CLK_LOCAL_MEM_FENCE);
        begin += LOOK_TURN_N;
    } while (begin < LOOK_BLOCKS_N && left == LOOK_BLOCKS_N);
    RED_A carry = asked[LOOK_CARRIES + left];
    do {
        local const RED_A *fours = asked + LOOK_FOURS + left * LOOK_FOURS_N;
        carry = RED_COMBINE(carry, RED_COMBINE(LOOK_FOUR(LOOK_HERE, fours, 0, LOOK_FOURS_N),
                                               LOOK_FOUR(LOOK_HERE, fours, 4, LOOK_FOURS_N)));
    } while (left-- > 0);
    return carry;
}
