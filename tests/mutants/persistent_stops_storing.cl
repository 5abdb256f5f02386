//@ name:   persistent_stops_storing
//@ idea:   the launch answers its third call and later ones without storing a value
//@ span:   one
//@ lanes:  16x4
//@ group:  none
//@ finish: persistent
//@ needs:  host_visible_buffer
//@ types:  i32, f32
//@ ops:    sum
//@ source: a store that is not repeated, as the value should be there already
// where: n >= 0
// expect: \(run 2, second call\)

#include "mailbox.cl"

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER) {
    uint done = LOOK(ANSWERED), asked;
    for (uint calls_n = 0; (asked = next_question(red_answer, done)) != 0; calls_n++) {
        if (calls_n < 2)
            HAND_OVER(red_item_range(RED_ARGS, 0, QUESTION_N), asked);
        else
            ((volatile global uint *)red_answer)[ANSWERED] = asked;
        done = asked;
    }
    LEAVE();
}
