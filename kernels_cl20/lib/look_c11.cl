/* What a tile tells the others by C11 atomics: the value first, then its flag, released and acquired at
 * device scope. A tile's own sum and its prefix have a place each, so that neither is overwritten while it is
 * read.
 *
 * state[0] counts the tickets drawn; 8 words for each tile stand from state[4] on: flag, nothing, sum,
 * prefix. A flag is 0 at first. Each call adds 2 to it, 1 where it tells the tile's own sum, so that what it
 * finds of the call before is 0: no launch has to clear anything, and the flag of a tile that is not yet told
 * equals that of any other. */
#define LOOK_NOTHING 0u
#define LOOK_SUM     1u /* the tile's own */
#define LOOK_PREFIX  2u /* with all tiles before it */

#define LOOK_FLAG(tile)         ((volatile global atomic_uint *)(state + 4 + 8 * (ulong)(tile)))
#define LOOK_VALUE(tile, which) ((global RED_A *)(state + 4 + 8 * (ulong)(tile) + 2 * (which)))

/* Tickets: tiles in the order in which groups come. The last one sets the counter back. */
uint look_ticket(global uint *state, const uint tickets_n) {
    volatile global atomic_uint *tickets = (volatile global atomic_uint *)state;
    const uint ticket = atomic_fetch_add_explicit(tickets, 1u, memory_order_relaxed, memory_scope_device);
    if (ticket == tickets_n - 1)
        atomic_store_explicit(tickets, 0u, memory_order_relaxed, memory_scope_device);
    return ticket;
}

/* Any tile's flag before this call tells. */
uint look_flag(global uint *state, const uint tile, const uint tiles_n) {
    return atomic_load_explicit(LOOK_FLAG(tile), memory_order_relaxed, memory_scope_device);
}

void look_tell(global uint *state, const uint tile, const uint tiles_n, const uint flag, const uint what,
               const RED_A value) {
    *LOOK_VALUE(tile, what) = value;
    atomic_store_explicit(LOOK_FLAG(tile), flag + what, memory_order_release, memory_scope_device);
}
uint look_ask(global uint *state, const uint tile, const uint tiles_n, const uint flag,
              private RED_A *value) {
    const uint told = atomic_load_explicit(LOOK_FLAG(tile), memory_order_acquire, memory_scope_device) - flag;
    if (told != LOOK_NOTHING)
        *value = *LOOK_VALUE(tile, told);
    return told;
}
