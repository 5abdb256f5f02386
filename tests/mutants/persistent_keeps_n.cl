//@ name:   persistent_keeps_n
//@ idea:   the launch takes every call for one of as many elements as its first
//@ span:   one
//@ lanes:  16x4
//@ group:  none
//@ finish: persistent
//@ needs:  host_visible_buffer
//@ types:  i32, f32
//@ ops:    sum
//@ source: a question read before the loop
// where: n > 0
// expect: \(run 2, second call\)

#include "mailbox.cl"

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER) {
    uint done = LOOK(ANSWERED), asked = next_question(red_answer, done);
    const ulong first_n = QUESTION_N;
    while (asked != 0) {
        HAND_OVER(red_item_range(RED_ARGS, 0, first_n), done = asked);
        asked = next_question(red_answer, done);
    }
    LEAVE();
}
