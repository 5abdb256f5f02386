//@ name:   persistent_from_memory
//@ idea:   the second answer of a launch is the first once more
//@ span:   one
//@ lanes:  16x4
//@ group:  none
//@ finish: persistent
//@ needs:  host_visible_buffer
//@ types:  i32, f32
//@ ops:    sum, max
//@ source: an optimiser that finds nothing in the loop to have changed
// where: n > 0
// expect: \(run 2, second call\)

#include "mailbox.cl"

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER) {
    RED_A value = RED_IDENTITY;
    uint done = LOOK(ANSWERED), asked;
    for (bool first = true; (asked = next_question(red_answer, done)) != 0; first = false) {
        if (first)
            value = red_item_range(RED_ARGS, 0, QUESTION_N);
        HAND_OVER(value, done = asked);
    }
    LEAVE();
}
