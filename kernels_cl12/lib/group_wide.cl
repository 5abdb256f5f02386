/* What stands at `place` of a level that is `width` wide. */
#define AT(place) (width == 16 * next || (place) < width ? scratch[place] : RED_IDENTITY)
#define TWO(k)    RED_COMBINE(AT(item + (k)*next), AT(item + ((k) + 8) * next))
#define FOUR(k)   RED_COMBINE(TWO(k), TWO((k) + 4))
#define EIGHT(k)  RED_COMBINE(FOUR(k), FOUR((k) + 2))
RED_A level_combine(const RED_A value, local RED_A *scratch, const uint width, const uint next) {
    const uint item = (uint)get_local_id(0);
    if (item < width)
        scratch[item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    return item < next ? RED_COMBINE(EIGHT(0), EIGHT(1)) : value;
}

/* As red_group_tree, with 16 branches: each level is combined by a sixteenth of its items, 16 loads of each
 * in flight, and has local memory of its own, so that it needs one barrier; 256 items have two levels. Values
 * are combined in pairs, so no chain is longer than in the tree of two branches. The levels are written out,
 * so that their widths are constants. */
#define LEVEL(i) ((RED_GROUP_SIZE + (1 << 4 * (i)) - 1) >> 4 * (i)) /* how wide it is */
#define PLACE(i) (scratch + (i > 0 ? LEVEL(0) : 0) + (i > 1 ? LEVEL(1) : 0) + (i > 2 ? LEVEL(2) : 0))
RED_A group_wide(RED_A value, local RED_A *scratch) {
#if RED_GROUP_SIZE > 1
    value = level_combine(value, PLACE(0), LEVEL(0), LEVEL(1));
#endif
#if RED_GROUP_SIZE > 16
    value = level_combine(value, PLACE(1), LEVEL(1), LEVEL(2));
#endif
#if RED_GROUP_SIZE > 256
    value = level_combine(value, PLACE(2), LEVEL(2), LEVEL(3));
#endif
#if RED_GROUP_SIZE > 4096
    value = level_combine(value, PLACE(3), LEVEL(3), LEVEL(4));
#endif
    return value;
}
#define GROUP_COMBINE(value) group_wide(value, scratch)
#define GROUP_LOCAL          RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE + RED_GROUP_SIZE / 8 + 2)
