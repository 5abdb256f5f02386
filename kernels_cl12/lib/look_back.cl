/* Adds up what the tiles before this one told, back to the nearest prefix, and gives it to all items. Each
 * item waits for one tile: behind a prefix all have told something, so no item waits longer for that.
 * `nearest` is RED_GROUP_SIZE at first. There is a barrier in it. */
RED_A look_back(global uint *state, const uint tile, const uint tiles_n, const uint flag, local RED_A *asked,
                local uint *nearest) {
    const uint item = (uint)get_local_id(0), window = LOOK_WINDOW_N(tiles_n);
    RED_A carry = RED_IDENTITY;
    uint end = tile, last;
    do {
        if (item < window) {
            RED_A value = RED_IDENTITY;
            uint told = LOOK_PREFIX;
            if (item < end)
                do
                    told = look_ask(state, end - 1 - item, tiles_n, flag, &value);
                while (told == LOOK_NOTHING);
            asked[TILE_PLACE(item)] = value;
            if (told == LOOK_PREFIX && item <= end)
                atomic_min(nearest, item);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        last = nearest[0];
        carry = RED_COMBINE(look_sum(min(last + 1, window), asked), carry);
        end -= min(end, window);
    } while (last >= window);
    return carry;
}
