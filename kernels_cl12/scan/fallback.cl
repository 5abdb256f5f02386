//@ name:      fallback
//@ primitive: scan
//@ idea:      look_back that waits for no one: a sum that is missing for long is computed; works here, not promised
//@ span:      each
//@ lanes:     4x8
//@ group:     tree
//@ finish:    single_pass
//@ needs:     local_memory, integer_atomics, word_publication, write_read_fence
//@ types:     all
//@ ops:       all
//@ source:    Smith, Levien, Owens 2025, decoupled fallback

/* tile_load, tile_scan, tile_store */
#include "lib/tile.cl"

/* look_ticket, look_flag, look_tell, look_ask */
#include "lib/look.cl"

/* look_sum */
#include "lib/look_sum.cl"

/* So often a tile is asked. */
#ifndef PATIENCE
#define PATIENCE 256
#endif

/* An item's share of the sum of the tile at the array's begin, which is no last one but whole. One by one:
 * this is rare, and must not cost the tile's own vectors registers. */
RED_A tile_share(RED_INPUT) {
    RED_A share = RED_IDENTITY;
#pragma unroll 1
    for (uint i = (uint)get_local_id(0); i < (uint)TILE_N; i += RED_GROUP_SIZE)
        share = RED_COMBINE(share, RED_LOAD(i));
    return share;
}

/* As look_back of lib/look_back.cl, but with bounded waiting. `nearest` is twice the place in the window
 * where the looking back ends, and one more if the tile there told nothing; 2 * RED_GROUP_SIZE at first. */
RED_A look_back(RED_INPUT, global uint *state, const uint tile, const uint tiles_n, const uint flag,
                local RED_A *asked, local uint *nearest) {
    const uint item = (uint)get_local_id(0), window = LOOK_WINDOW_N(tiles_n);
    RED_A carry = RED_IDENTITY;
    uint end = tile;
    for (;;) {
        uint last;
        do {
            if (item < window) {
                RED_A value = RED_IDENTITY;
                uint told = item < end ? LOOK_NOTHING : LOOK_PREFIX;
                for (uint look = 0; told == LOOK_NOTHING && look < PATIENCE; look++)
                    told = look_ask(state, end - 1 - item, tiles_n, flag, &value);
                asked[TILE_PLACE(item)] = value;
                if (told != LOOK_SUM && item <= end)
                    atomic_min(nearest, 2 * item + (told == LOOK_NOTHING));
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            last = nearest[0];
            carry = RED_COMBINE(look_sum(min(last / 2 + (last % 2 == 0), window), asked), carry);
            end -= min(end, min(last / 2, window));
        } while (last >= 2 * window);
        if (last % 2 == 0)
            break;
        /* The group of the missing tile may overwrite its elements, but tells the sum before: if it has told
         * none after all were read, none was overwritten before. */
        end--;
        asked[TILE_PLACE(item)] = tile_share(RED_ARGS_AT(end * TILE_N));
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        const RED_A sum = look_sum(RED_GROUP_SIZE, asked);
        if (item == 0) {
            RED_A told_sum;
            read_mem_fence(CLK_GLOBAL_MEM_FENCE); /* elements first, then what was told */
            const uint told = look_ask(state, end, tiles_n, flag, &told_sum);
            asked[0] = told == LOOK_NOTHING ? sum : told_sum;
            nearest[0] = told == LOOK_PREFIX ? 0 : 2 * RED_GROUP_SIZE;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        carry = RED_COMBINE(asked[0], carry);
        if (nearest[0] == 0)
            break;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return carry;
}

RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    RED_LOCAL(RED_A, scratch, TILE_SCRATCH);
    RED_LOCAL(RED_A, asked, LOOK_SCRATCH);
    RED_LOCAL(uint, nearest, 1);
    RED_LOCAL(uint, ticket, 1);
    const uint tiles_n = (uint)get_num_groups(0);
    if (get_local_id(0) == 0) {
        ticket[0] = look_ticket(state, tiles_n);
        nearest[0] = 2 * RED_GROUP_SIZE;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint tile = ticket[0], flag = look_flag(state, tile, tiles_n), left = tile_left(n, tile);
    RED_VEC(RED_WIDTH) v[RED_LOADS];
    tile_load(v, RED_ARGS_AT(tile * TILE_N), left);
    const RED_A sum = tile_scan(v, scratch);
    if (get_local_id(0) == 0 && tile > 0)
        look_tell(state, tile, tiles_n, flag, LOOK_SUM, sum);
    const RED_A carry = look_back(RED_ARGS, state, tile, tiles_n, flag, asked, nearest);
    if (get_local_id(0) == 0) {
        look_tell(state, tile, tiles_n, flag, LOOK_PREFIX, RED_COMBINE(carry, sum));
        write_mem_fence(CLK_GLOBAL_MEM_FENCE); /* told before any item of the group overwrites elements */
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    tile_store(v, scratch, carry, out + ticket[0] * TILE_N, left); /* asked for again: registers */
}
