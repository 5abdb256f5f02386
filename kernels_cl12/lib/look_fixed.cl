/* How a tile finds its carry by additions that n and the geometry alone decide: a float has the same bits at
 * every call, whenever others tell. Tiles stand in blocks. Every tile tells its sum, and some tell a carry or
 * a block's sum, 4 words of `state` behind: each call adds 1 to all flags. look_back gives the carry to all
 * items, with a barrier in it; `sum` is the tile's own, of use in small groups, and `nearest`, ~0u at first,
 * in large ones. */
#define LOOK_BLOCK (RED_GROUP_SIZE < 16 ? 2 * RED_GROUP_SIZE : 32)

/* LOOK_FIXED_SCRATCH, look_back */
#if RED_GROUP_SIZE < 128
#include "lib/look_block_sums.cl"
#else
#include "lib/look_block_carries.cl"
#endif
