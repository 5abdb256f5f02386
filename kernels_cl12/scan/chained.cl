//@ name:      chained
//@ primitive: scan
//@ idea:      one launch: each tile waits for the prefix of the one before it; works here, not promised
//@ span:      each
//@ lanes:     4x8
//@ group:     tree
//@ finish:    single_pass
//@ needs:     local_memory, integer_atomics, lower_ticket_progress, volatile_between_groups, word_publication
//@ types:     all
//@ ops:       all
//@ source:    Yan, Long, Zhang 2013, StreamScan
//@ order:     fixed

/* tile_load, tile_scan, tile_store */
#include "lib/tile.cl"

/* look_ticket, look_flag, look_tell, look_ask */
#include "lib/look.cl"

RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    RED_LOCAL(RED_A, scratch, TILE_SCRATCH);
    RED_LOCAL(RED_A, prefix, 1);
    RED_LOCAL(uint, ticket, 1);
    const uint tiles_n = (uint)get_num_groups(0);
    if (get_local_id(0) == 0)
        ticket[0] = look_ticket(state, tiles_n);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint tile = ticket[0], flag = look_flag(state, tile, tiles_n), left = tile_left(n, tile);
    RED_VEC(RED_WIDTH) v[RED_LOADS];
    tile_load(v, RED_ARGS_AT(tile * TILE_N), left);
    const RED_A sum = tile_scan(v, scratch);
    if (get_local_id(0) == 0) {
        RED_A before = RED_IDENTITY;
        if (tile > 0)
            while (look_ask(state, tile - 1, tiles_n, flag, &before) != LOOK_PREFIX)
                ;
        look_tell(state, tile, tiles_n, flag, LOOK_PREFIX, RED_COMBINE(before, sum));
        prefix[0] = before;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    tile_store(v, scratch, prefix[0], out + tile * TILE_N, left);
}
