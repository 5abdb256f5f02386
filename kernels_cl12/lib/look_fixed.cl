/* How a tile finds its carry by additions that n and the geometry alone decide: a float has the same bits at
 * every call, whenever others tell. Tiles stand in blocks, and as many blocks in a superblock. A tile's carry
 * is that with which a superblock begins, and the sums of the blocks that follow there, and of the tiles that
 * follow these: of its own block, and of blocks before it, if there are items to ask for them. Every tile
 * tells its sum; 4 words of `state` behind, a block's last tile tells the block's sum, and a superblock's
 * first tile its carry. Each call adds 1 to all flags. */
#define LOOK_BLOCK      (RED_GROUP_SIZE < 16 ? 2 * RED_GROUP_SIZE : 32)
#define LOOK_SUPERBLOCK (LOOK_BLOCK * LOOK_BLOCK)                            /* tiles */
#define LOOK_NEAR_N     (RED_GROUP_SIZE < 128 ? LOOK_BLOCK : 3 * LOOK_BLOCK) /* tiles that are asked */
#define LOOK_ASKED_N    (LOOK_NEAR_N + LOOK_BLOCK)                           /* and blocks */

/* An item for each, and one for the carry, if there are as many. */
#define LOOK_BLOCKS_ITEM (RED_GROUP_SIZE < LOOK_ASKED_N ? 0 : LOOK_NEAR_N)
#define LOOK_CARRY_ITEM  (RED_GROUP_SIZE > LOOK_ASKED_N ? LOOK_ASKED_N : 0)

/* LOOK_SCRATCH, look_sum */
#include "lib/look_sum.cl"
/* Words of local memory: those of look_sum, and the carry's behind them. */
#define LOOK_CARRY         LOOK_SCRATCH
#define LOOK_FIXED_SCRATCH (LOOK_SCRATCH + 1)

/* Waits for what tiles first, first + step, ... before `end` tell, values_n of them at most. */
void look_gather(global uint *state, const uint first, const uint step, const uint end, const uint tiles_n,
                 const uint flag, const uint item, local RED_A *asked, const uint at, const uint values_n) {
    for (uint i = item; i < values_n; i += RED_GROUP_SIZE) {
        RED_A value = RED_IDENTITY;
        if (first + i * step < end)
            while (look_ask(state, first + i * step, tiles_n, flag, &value) == LOOK_NOTHING)
                ;
        asked[TILE_PLACE(at + i)] = value;
    }
}

/* Gives the tile's carry to all items. They wait for sums of tiles, which each tells without waiting, for
 * those of blocks, which wait for tiles alone, and for the carry of a superblock, whose first tile waits for
 * the same and the superblock before. A block's last tile has a turn before: it asks its block alone, and
 * tells the block's sum, so that nobody waits for a chain of blocks. There is a barrier in it. */
RED_A look_back(global uint *state, const uint tile, const uint tiles_n, const uint flag, const RED_A sum,
                local RED_A *asked) {
    const uint item = (uint)get_local_id(0), own = tile / LOOK_BLOCK * LOOK_BLOCK;
    const uint near = own - min(own, (uint)(LOOK_NEAR_N - LOOK_BLOCK));
    const uint first = (max(near, 1u) - 1) / LOOK_SUPERBLOCK * LOOK_SUPERBLOCK;
    RED_A carry = sum;
    for (uint turn = tile - own == LOOK_BLOCK - 1 ? 0 : 1; turn < 2; turn++) {
        const bool is_block = turn == 0;
        look_gather(state, is_block ? own : near, 1, tile, tiles_n, flag, item, asked, 0, LOOK_NEAR_N);
        look_gather(state + 4, first + LOOK_BLOCK - 1, LOOK_BLOCK, is_block ? 0 : near, tiles_n, flag,
                    item - LOOK_BLOCKS_ITEM, asked, LOOK_NEAR_N, LOOK_BLOCK);
        if (item == LOOK_CARRY_ITEM) {
            carry = is_block ? sum : RED_IDENTITY;
            if (!is_block && first > 0)
                while (look_ask(state + 4, first, tiles_n, flag, &carry) == LOOK_NOTHING)
                    ;
            asked[LOOK_CARRY] = carry;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        carry = asked[LOOK_CARRY];
        carry = RED_COMBINE(carry, look_sum(LOOK_ASKED_N, asked));
        if (item == 0 && (is_block || (tile > 0 && tile % LOOK_SUPERBLOCK == 0)))
            look_tell(state + 4, tile, tiles_n, flag, LOOK_SUM, carry);
    }
    return carry;
}
