/* For small groups, of whose tiles so many are at work that carries, which one block hands to the next, would
 * come too late. A block's last tile tells the block's sum, and of as many blocks as a block has tiles, a
 * superblock, the first tile its carry. A tile's carry is that of a superblock, and the sums of the blocks
 * that follow there, and of the tiles of its own block before it. */
#define LOOK_SUPERBLOCK (LOOK_BLOCK * LOOK_BLOCK) /* tiles */
#define LOOK_ASKED_N    (2 * LOOK_BLOCK)          /* tiles of a block, and blocks */

/* An item for each, and one for the carry, if there are as many. */
#define LOOK_BLOCKS_ITEM (RED_GROUP_SIZE < LOOK_ASKED_N ? 0 : LOOK_BLOCK)
#define LOOK_CARRY_ITEM  (RED_GROUP_SIZE > LOOK_ASKED_N ? LOOK_ASKED_N : 0)

/* LOOK_SCRATCH, look_sum */
#include "lib/look_sum.cl"
/* Words of local memory: those of look_sum, and the carry's behind them. */
#define LOOK_CARRY         LOOK_SCRATCH
#define LOOK_FIXED_SCRATCH (LOOK_SCRATCH + 1)

/* Waits for what tiles first, first + step, ... before `end` tell, LOOK_BLOCK of them at most. */
void look_gather(global uint *state, const uint first, const uint step, const uint end, const uint tiles_n,
                 const uint flag, const uint item, local RED_A *asked, const uint at) {
    for (uint i = item; i < LOOK_BLOCK; i += RED_GROUP_SIZE) {
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
 * tells the block's sum, so that nobody waits for a chain of blocks. */
RED_A look_back(global uint *state, const uint tile, const uint tiles_n, const uint flag, const RED_A sum,
                local RED_A *asked, local uint *nearest) {
    const uint item = (uint)get_local_id(0), own = tile / LOOK_BLOCK * LOOK_BLOCK;
    const uint first = (max(own, 1u) - 1) / LOOK_SUPERBLOCK * LOOK_SUPERBLOCK;
    RED_A carry = sum;
    for (uint turn = tile - own == LOOK_BLOCK - 1 ? 0 : 1; turn < 2; turn++) {
        const bool is_block = turn == 0;
        look_gather(state, own, 1, tile, tiles_n, flag, item, asked, 0);
        look_gather(state + 4, first + LOOK_BLOCK - 1, LOOK_BLOCK, is_block ? 0 : own, tiles_n, flag,
                    item - LOOK_BLOCKS_ITEM, asked, LOOK_BLOCK);
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
