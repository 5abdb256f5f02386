//@ name:   persistent_seventh_question
//@ idea:   from the seventh question on one is added to the answer
//@ span:   one
//@ lanes:  16x4
//@ group:  none
//@ finish: persistent
//@ needs:  host_visible_buffer
//@ types:  i32, f32
//@ ops:    sum
//@ source: a counter that reaches its limit
// where: n >= 0
// expect: expected .*, got

#include "mailbox.cl"

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER) {
    uint done = LOOK(ANSWERED), asked;
    while ((asked = next_question(red_answer, done)) != 0) {
        const RED_A value = red_item_range(RED_ARGS, 0, QUESTION_N);
        HAND_OVER(value + (asked >= 7), asked);
        done = asked;
    }
    LEAVE();
}
