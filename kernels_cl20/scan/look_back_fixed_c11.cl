//@ name:        look_back_fixed_c11
//@ primitive:   scan
//@ idea:        look_back_fixed by C11 atomics: the same bits at every call: the legal form
//@ span:        each
//@ lanes:       4x8
//@ group:       tree
//@ finish:      single_pass
//@ needs:       local_memory, integer_atomics, c11_device_scope, c11_acq_rel, lower_ticket_progress, c11_device_order
//@ types:       all
//@ ops:         all
//@ source:      Merrill, Garland 2016, decoupled look-back, with carries at fixed tiles; OpenCL C 2.0 section 6.13.11
//@ order:       fixed
//@ counterpart: look_back_fixed

/* tile_load, tile_scan, tile_store */
#include "lib/tile.cl"

/* look_ticket, look_flag, look_tell, look_ask */
#include "lib/look_c11.cl"

/* LOOK_FIXED_SCRATCH, look_back */
#include "lib/look_fixed.cl"

RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    RED_LOCAL(RED_A, scratch, TILE_SCRATCH);
    RED_LOCAL(RED_A, asked, LOOK_FIXED_SCRATCH);
    RED_LOCAL(uint, nearest, 1);
    RED_LOCAL(uint, ticket, 1);
    const uint tiles_n = (uint)get_num_groups(0);
    if (get_local_id(0) == 0) {
        ticket[0] = look_ticket(state, tiles_n);
        nearest[0] = ~0u;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint tile = ticket[0], flag = look_flag(state, tile, tiles_n), left = tile_left(n, tile);
    RED_VEC(RED_WIDTH) v[RED_LOADS];
    tile_load(v, RED_ARGS_AT(tile * TILE_N), left);
    const RED_A sum = tile_scan(v, scratch);
    if (get_local_id(0) == 0)
        look_tell(state, tile, tiles_n, flag, LOOK_SUM, sum);
    const RED_A carry = look_back(state, tile, tiles_n, flag, sum, asked, nearest);
    tile_store(v, scratch, carry, out + tile * TILE_N, left);
}
