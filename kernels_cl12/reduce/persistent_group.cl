//@ name:   persistent_group
//@ idea:   persistent_mapped with a whole group, for GPUs; works here, not promised
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: persistent
//@ needs:  local_memory, host_visible_buffer
//@ types:  all
//@ ops:    all
//@ source: as persistent_mapped

#include "lib/mailbox.cl"

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, RED_ANSWER) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_LOCAL(uint, asked, 1);
    RED_LOCAL(ulong, asked_n, 1);
    uint done = get_local_id(0) == 0 ? LOOK(ANSWERED) : 0;
    for (;;) {
        if (get_local_id(0) == 0) {
            asked[0] = next_question(red_answer, done);
            asked_n[0] = QUESTION_N;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* what item 0 may read now, all may */
        done = asked[0];
        if (done == 0)
            break;
        const RED_A value = red_group_tree(red_item_stride(RED_ARGS, asked_n[0]), scratch);
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read what item 0 writes next */
        if (get_local_id(0) == 0)
            HAND_OVER(value, done);
    }
    if (get_local_id(0) == 0)
        LEAVE();
}
