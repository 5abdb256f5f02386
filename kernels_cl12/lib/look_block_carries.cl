/* For large groups, whose tiles take so long that a carry of the last few blocks is mostly there. A tile's
 * carry is that with which a block begins, and the sums of the block's tiles before it, by a tree of one
 * shape; so is the carry of the next block, which its first tile tells. Who does not find the nearest carry
 * makes it of an earlier one, block by block, with the same bits. */
#define LOOK_TURN_N   4 /* blocks asked at a time, an item for each tile */
#define LOOK_BLOCKS_N (LOOK_TURN_N * (1 + (RED_GROUP_SIZE < 256))) /* before a group waits for a carry */

/* Words of local memory: what was told in a turn, and of all blocks the carries and the sums of four. */
#define LOOK_FOURS_N       (LOOK_BLOCK / 4) /* of a block */
#define LOOK_CARRIES       TILE_PLACE(LOOK_TURN_N *LOOK_BLOCK)
#define LOOK_FOURS         (LOOK_CARRIES + LOOK_BLOCKS_N)
#define LOOK_FIXED_SCRATCH (LOOK_FOURS + LOOK_BLOCKS_N * LOOK_FOURS_N)

/* Four from i on; PLACE says where one is. */
#define LOOK_HERE(i)                (i)
#define LOOK_TWO(PLACE, values, i)  RED_COMBINE((values)[PLACE(i)], (values)[PLACE((i) + 1)])
#define LOOK_FOUR(PLACE, values, i) RED_COMBINE(LOOK_TWO(PLACE, values, i), LOOK_TWO(PLACE, values, (i) + 2))

/* Asks for the sums and the carries of the blocks that end before this tile, some at a time, until it has a
 * carry, and gives the tile's own to all items. An item waits for the sum of one tile. Only in the last turn
 * a block's first item waits for a carry, until another item has one: each tile's comes in any case. */
RED_A look_back(global uint *state, const uint tile, const uint tiles_n, const uint flag, const RED_A sum,
                local RED_A *asked, local uint *nearest) {
    const uint item = (uint)get_local_id(0), last = (max(tile, 1u) - 1) / LOOK_BLOCK;
    uint begin = 0, left;
    do {
        const uint block = begin + item / LOOK_BLOCK;
        if (item < LOOK_TURN_N * LOOK_BLOCK) {
            const uint first = (last - block) * LOOK_BLOCK, other = first + item % LOOK_BLOCK;
            const bool asks = block <= last, asks_carry = asks && item % LOOK_BLOCK == 0;
            RED_A value = RED_IDENTITY, carry = RED_IDENTITY;
            uint told = LOOK_SUM;
            if (asks_carry && first > 0)
                told = look_ask(state + 4, first, tiles_n, flag, &carry);
            if (asks && other < tile)
                while (look_ask(state, other, tiles_n, flag, &value) == LOOK_NOTHING)
                    ;
            asked[TILE_PLACE(item)] = value;
            while (told == LOOK_NOTHING && begin + LOOK_TURN_N == LOOK_BLOCKS_N &&
                   atomic_or(nearest, 0) == ~0u)
                told = look_ask(state + 4, first, tiles_n, flag, &carry);
            if (asks_carry && told != LOOK_NOTHING) {
                asked[LOOK_CARRIES + block] = carry;
                atomic_min(nearest, block);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        left = nearest[0];
        if (item < LOOK_TURN_N * LOOK_FOURS_N)
            asked[LOOK_FOURS + begin * LOOK_FOURS_N + item] = LOOK_FOUR(TILE_PLACE, asked, 4 * item);
        barrier(CLK_LOCAL_MEM_FENCE);
        begin += LOOK_TURN_N;
    } while (begin < LOOK_BLOCKS_N && left == ~0u);
    RED_A carry = asked[LOOK_CARRIES + left];
    do {
        local const RED_A *fours = asked + LOOK_FOURS + left * LOOK_FOURS_N;
        carry = RED_COMBINE(carry, RED_COMBINE(LOOK_FOUR(LOOK_HERE, fours, 0),
                                               LOOK_FOUR(LOOK_HERE, fours, LOOK_FOURS_N / 2)));
    } while (left-- > 0);
    if (item == 0 && tile > 0 && tile % LOOK_BLOCK == 0)
        look_tell(state + 4, tile, tiles_n, flag, LOOK_SUM, carry);
    return carry;
}
