//@ name:   persistent_keeps_sum
//@ idea:   the second answer of a launch begins with the first
//@ span:   one
//@ lanes:  16x4
//@ group:  none
//@ finish: persistent
//@ needs:  host_visible_buffer
//@ types:  i32, f32
//@ ops:    sum
//@ source: a variable of the launch that should be one of the call
// where: n > 0
// expect: \(run 2, second call\)

#include "mailbox.cl"

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER) {
    RED_A value = RED_IDENTITY;
    uint done = LOOK(ANSWERED), asked;
    while ((asked = next_question(red_answer, done)) != 0) {
        value = RED_COMBINE(value, red_item_range(RED_ARGS, 0, QUESTION_N));
        HAND_OVER(value, done = asked);
    }
    LEAVE();
}
