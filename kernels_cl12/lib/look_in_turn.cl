/* How a tile finds its carry by additions from the first tile to the last, one by one: whichever prefix it
 * finds, a float has the same bits. An item asks one tile, and again, until any of the group has a prefix: that
 * of the tile before comes in any case. `nearest` is RED_GROUP_SIZE at first. There is a barrier in it. */
#define LOOK_SCRATCH RED_GROUP_SIZE
RED_A look_back(global uint *state, const uint tile, const uint tiles_n, const uint flag, local RED_A *asked,
                volatile local uint *nearest) {
    const uint item = (uint)get_local_id(0);
    if (item <= tile) {
        RED_A value = RED_IDENTITY;
        uint told = LOOK_PREFIX;
        if (item < tile)
            do
                told = look_ask(state, tile - 1 - item, tiles_n, flag, &value);
            while (told == LOOK_NOTHING || (told == LOOK_SUM && nearest[0] == RED_GROUP_SIZE));
        asked[item] = value;
        if (told == LOOK_PREFIX)
            atomic_min(nearest, item);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint next = nearest[0];
    RED_A carry = asked[next];
    while (next-- > 0)
        carry = RED_COMBINE(carry, asked[next]);
    return carry;
}
