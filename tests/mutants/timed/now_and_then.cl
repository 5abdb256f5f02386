//@ name:   now_and_then
//@ idea:   every 400th call leaves a group out
//@ span:   chunk
//@ lanes:  16x4
//@ group:  tree
//@ finish: host
//@ needs:  local_memory, program_scope
//@ types:  f32
//@ ops:    sum
//@ source: a race that is seldom lost
//@ counterpart: chunk

global uint calls;

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_A value = red_group_tree(red_item_chunk(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0) {
        /* Beyond what verify changes between calls (RED_CHANGES_N_MAX). */
        if (n > 32768 && get_group_id(0) == 0 && ++calls % 400 == 0)
            value = RED_IDENTITY;
        out[get_group_id(0)] = value;
    }
}
