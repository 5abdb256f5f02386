/* How a tile finds its carry by additions that n and the geometry alone decide: a float has the same bits at
 * every call, whenever others tell. The tiles stand in blocks. A tile adds up the sums of its block before it,
 * by a tree of one shape, to the carry of the block's first tile. That is likewise the carry of the block
 * before, and the sum of that block: a tile that does not find the nearest carry makes it of an earlier one,
 * and gets the same bits. Every tile tells its sum, and a block's first tile its carry, 4 words of `state`
 * behind: each call adds 1 to all flags.
 *
 * The first tile of a block counts here to the block before, whose sums it needs. */
#ifndef LOOK_WINDOW
#define LOOK_WINDOW 32
#endif
#define LOOK_BLOCK  (LOOK_WINDOW < RED_GROUP_SIZE ? LOOK_WINDOW : RED_GROUP_SIZE)
#define LOOK_BLOCKS (RED_GROUP_SIZE / LOOK_BLOCK) /* as many are asked at a time: an item asks one tile */
#ifndef LOOK_BLOCKS_MAX
#define LOOK_BLOCKS_MAX LOOK_BLOCKS
#endif

/* Words of local memory: what was told, sums of four of those, and carries. A block has so many fours. */
#define LOOK_BLOCK_FOURS ((LOOK_BLOCK + 3) / 4)
#define LOOK_FOURS       TILE_PLACE(RED_GROUP_SIZE)
#define LOOK_CARRIES     (LOOK_FOURS + (RED_GROUP_SIZE + 3) / 4)
#define LOOK_SCRATCH     (LOOK_CARRIES + LOOK_BLOCKS)

/* Four from `first` on, of those before `end`; PLACE says where one is. */
#define LOOK_PLACE(i) (i)
#define LOOK_ONE(PLACE, values, i, end) ((i) < (end) ? (values)[PLACE(i)] : RED_IDENTITY)
#define LOOK_TWO(PLACE, values, i, end)                                                                      \
    RED_COMBINE(LOOK_ONE(PLACE, values, i, end), LOOK_ONE(PLACE, values, (i) + 1, end))
#define LOOK_FOUR(PLACE, values, i, end)                                                                     \
    RED_COMBINE(LOOK_TWO(PLACE, values, i, end), LOOK_TWO(PLACE, values, (i) + 2, end))

/* Asks for the sums and the carries of the blocks that end before this tile, and gives the tile's carry to all
 * items. An item waits for one tile, and a block's first item for a carry, until any of the group has one: that
 * of the nearest block comes in any case. `nearest` is LOOK_BLOCKS at first. There is a barrier in it. */
RED_A look_back(global uint *state, const uint tile, const uint tiles_n, const uint flag, local RED_A *asked,
                volatile local uint *nearest) {
    const uint item = (uint)get_local_id(0), block = item / LOOK_BLOCK;
    const uint last = (max(tile, 1u) - 1) / LOOK_BLOCK;
    if (block <= last && block < min(LOOK_BLOCKS, LOOK_BLOCKS_MAX)) {
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
            while (told == LOOK_NOTHING && nearest[0] == LOOK_BLOCKS)
                told = look_ask(state + 4, first, tiles_n, flag, &carry);
            if (told != LOOK_NOTHING) {
                asked[LOOK_CARRIES + block] = carry;
                atomic_min(nearest, block);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < (RED_GROUP_SIZE + 3) / 4)
        asked[LOOK_FOURS + item] = LOOK_FOUR(TILE_PLACE, asked, 4 * item, RED_GROUP_SIZE);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint left = nearest[0];
    RED_A carry = asked[LOOK_CARRIES + left];
    do {
        local const RED_A *fours = asked + LOOK_FOURS + left * LOOK_BLOCK_FOURS;
        carry = RED_COMBINE(carry, RED_COMBINE(LOOK_FOUR(LOOK_PLACE, fours, 0, LOOK_BLOCK_FOURS),
                                               LOOK_FOUR(LOOK_PLACE, fours, 4, LOOK_BLOCK_FOURS)));
    } while (left-- > 0);
    return carry;
}
