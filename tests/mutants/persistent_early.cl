//@ name:   persistent_early
//@ idea:   the answer is announced before it is there
//@ span:   one
//@ lanes:  16x4
//@ group:  none
//@ finish: persistent
//@ needs:  host_visible_buffer
//@ types:  i32, f32
//@ ops:    sum, max
//@ source: a store that a compiler or a processor has moved behind another
// where: n >= 0
// expect: expected .*, got

#include "mailbox.cl"

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER) {
    volatile global uint *words = (volatile global uint *)red_answer;
    uint done = LOOK(ANSWERED), asked;
    while ((asked = next_question(red_answer, done)) != 0) {
        words[ANSWERED] = done = asked;
        for (volatile uint late = 0; late < 10000; late++)
            ;
        const RED_A value = red_item_range(RED_ARGS, 0, QUESTION_N);
        HAND_OVER(value, asked);
    }
    LEAVE();
}
