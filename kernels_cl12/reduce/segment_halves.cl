//@ name:   segment_halves
//@ idea:   two work-items per segment, each adds one half of it; then one addition
//@ span:   segment
//@ lanes:  4x4
//@ group:  pair
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: lecture slides: a pixel's 160 values added up by two threads

/* Pairs of a group: of an odd size the last item rests, alone it takes both halves. The first half is of
 * whole vectors. */
#define PAIRS (RED_GROUP_SIZE > 1 ? RED_GROUP_SIZE / 2 : 1)

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, RED_SEGMENTS) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint item = (uint)get_local_id(0);
    const ulong segment = get_group_id(0) * PAIRS + item / 2;
    const ulong middle = min(n, (n / 2 + RED_WIDTH - 1) / RED_WIDTH * RED_WIDTH);
    const bool is_second = item % 2 == 1, works = item / 2 < PAIRS && segment < segments_n;
    const ulong begin = is_second ? middle : 0, end = is_second || RED_GROUP_SIZE == 1 ? n : middle;
    scratch[item] = works ? red_item_range(RED_ARGS_AT(segment * n), begin, end) : RED_IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (works && !is_second)
        out[segment] = RED_GROUP_SIZE > 1 ? RED_COMBINE(scratch[item], scratch[item + 1]) : scratch[item];
}
