//@ name:   persistent_off_by_one
//@ idea:   the launch leaves out the last element of each question
//@ span:   one
//@ lanes:  16x4
//@ group:  none
//@ finish: persistent
//@ needs:  host_visible_buffer
//@ types:  i32, f32
//@ ops:    sum
//@ source: an end taken for the last
// where: n > 0
// expect: expected .*, got

#include "mailbox.cl"

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER) {
    uint done = LOOK(ANSWERED), asked;
    while ((asked = next_question(red_answer, done)) != 0) {
        const ulong end = QUESTION_N, last = end > 0 ? end - 1 : end;
        HAND_OVER(red_item_range(RED_ARGS, 0, last), done = asked);
    }
    LEAVE();
}
