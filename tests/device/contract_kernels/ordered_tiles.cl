//@ name:   ordered_tiles
//@ idea:   each item takes a tile of whole cache lines; a helper folds it, the lesser of two first
//@ span:   chunk
//@ lanes:  1
//@ group:  serial
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ special: zero, denormal
//@ source: a user

/* Pieces are whole blocks of 64 elements, as span chunk has them; in those of 64 bytes no line is shared. */
#define LINE_BYTES (64 / RED_ARRAYS)
#if RED_T_BITS * 64 < LINE_BYTES * 8
#error "a block of 64 elements is less than a cache line"
#endif

#if !RED_PLACE && RED_IS_FLOAT != (RED_T_KIND == 2)
#error "sums and extremes of floats are floats, and only they"
#endif

#if RED_HAS_ATOMIC && (RED_IS_FLOAT || RED_WORD_BITS == 0)
#error "no float and no pair has an integer's atomic"
#endif

#if RED_PLACE && RED_EXTREME
#error "an index is looked for by argmin and argmax, not by min and max"
#endif

/* The same bits in whichever order the two come. A pair has no greater one. */
RED_A ordered(const RED_A a, const RED_A b) {
#if RED_WORD_BITS == 0
    return RED_COMBINE(a, b);
#else
    return RED_COMBINE(RED_LOWER(a, b), RED_HIGHER(a, b));
#endif
}

RED_A tile(RED_INPUT, const ulong begin, const ulong end) {
    RED_A value = RED_IDENTITY;
    for (ulong i = begin; i < end; i++)
        value = ordered(value, RED_LOAD(i));
    return value;
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, tiles, RED_GROUP_SIZE);
    const ulong line = LINE_BYTES / sizeof(RED_T) > 64 ? LINE_BYTES / sizeof(RED_T) : 64;
    const ulong lines = (n + line - 1) / line, items = get_global_size(0);
    const ulong piece = (lines + items - 1) / items * line;
    tiles[get_local_id(0)] =
        tile(RED_ARGS, min(n, get_global_id(0) * piece), min(n, (get_global_id(0) + 1) * piece));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) != 0)
        return;
    for (uint item = 1; item < RED_GROUP_SIZE; item++)
        tiles[0] = ordered(tiles[0], tiles[item]);
    out[get_group_id(0)] = tiles[0];
}
