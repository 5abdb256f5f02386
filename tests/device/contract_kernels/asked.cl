//@ name:   asked
//@ idea:   a launch that waits answers each question by two pieces, the second one first
//@ span:   one
//@ lanes:  8x2
//@ group:  none
//@ finish: persistent
//@ needs:  host_visible_buffer
//@ types:  i32, u8, f32
//@ ops:    sum, dot, argmax
//@ source: the contract, docs/kernels.md

#include "mailbox.cl"

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_ANSWER) {
    uint asked = LOOK(ANSWERED);
    while ((asked = next_question(red_answer, asked)) != 0) {
        const RED_A second = red_item_piece(RED_ARGS, QUESTION_N, 1, 2);
        HAND_OVER(RED_COMBINE(red_item_piece(RED_ARGS, QUESTION_N, 0, 2), second), asked);
    }
    LEAVE();
}
