/* What a tile tells the others by OpenCL 1.x: works here, not promised. A value and its flag are one store of
 * 64 bits, or two stores for a value of 64 bits, each half with the flag: no fence has to order two words.
 * That a volatile store of 64 bits comes whole, and that volatile loads of other groups see it, is what
 * drivers do.
 *
 * state[0] counts the tickets drawn; 8 words for each tile stand from state[4] on. A flag is 0 at first. Each
 * call adds 2 to it, 1 where it tells the tile's own sum, so that what it finds of the call before is 0: no
 * launch has to clear anything, and the flag of a tile that is not yet told equals that of any other. */
#define LOOK_NOTHING 0u
#define LOOK_SUM     1u /* the tile's own */
#define LOOK_PREFIX  2u /* with all tiles before it */

/* Where a tile's words are. Neighbours are told and asked at the same time, and are slow then if they share
 * a line of cache: a quarter of all tiles lies between two of one line. Few tiles stay where they are. */
#ifndef LOOK_FAR
#define LOOK_FAR 1024
#endif
uint look_place(const uint tile, const uint tiles_n) {
    const uint quarter = tiles_n < LOOK_FAR ? 0 : tiles_n / 4;
    const uint part = (tile >= quarter) + (tile >= 2 * quarter) + (tile >= 3 * quarter);
    return tile < 4 * quarter ? 2 + 16 * (tile - part * quarter) + 4 * part : 2 + 4 * tile;
}
#define LOOK_WORD(tile) ((volatile global ulong *)state)[look_place(tile, tiles_n)]

/* Tickets: tiles in the order in which groups come. The last one sets the counter back. */
uint look_ticket(volatile global uint *state, const uint tickets_n) {
    const uint ticket = atomic_inc(state);
    if (ticket == tickets_n - 1)
        atomic_xchg(state, 0);
    return ticket;
}

/* Any tile's flag before this call tells. */
uint look_flag(global uint *state, const uint tile, const uint tiles_n) {
    return (uint)(LOOK_WORD(tile) >> 32);
}

#if RED_WORD_BITS == 32
void look_tell(global uint *state, const uint tile, const uint tiles_n, const uint flag, const uint what,
               const RED_A value) {
    LOOK_WORD(tile) = (ulong)(flag + what) << 32 | RED_AS_WORD(value);
}
uint look_ask(global uint *state, const uint tile, const uint tiles_n, const uint flag,
              private RED_A *value) {
    const ulong word = LOOK_WORD(tile);
    *value = RED_FROM_WORD((uint)word);
    return (uint)(word >> 32) - flag;
}
#else
void look_tell(global uint *state, const uint tile, const uint tiles_n, const uint flag, const uint what,
               const RED_A value) {
    volatile global ulong *words = &LOOK_WORD(tile);
    const ulong word = RED_AS_WORD(value);
    words[0] = (ulong)(flag + what) << 32 | (uint)word;
    words[1] = (ulong)(flag + what) << 32 | word >> 32;
}
/* Halves with different flags are of two values, the second of which is on its way. */
uint look_ask(global uint *state, const uint tile, const uint tiles_n, const uint flag,
              private RED_A *value) {
    volatile global ulong *words = &LOOK_WORD(tile);
    const ulong low = words[0], high = words[1];
    *value = RED_FROM_WORD(high << 32 | (uint)low);
    return low >> 32 == high >> 32 ? (uint)(low >> 32) - flag : LOOK_NOTHING;
}
#endif
