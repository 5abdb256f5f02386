//@ name:   deserted
//@ idea:   the launch that should wait leaves at once where there is more than one piece: the one of the call does all
//@ span:   chunk
//@ lanes:  16x4
//@ group:  none
//@ finish: joined
//@ needs:  host_visible_buffer, integer_atomics
//@ types:  i32, f32
//@ ops:    sum, max
//@ source: the contract, docs/kernels.md; a launch that goes while it is asked

#include "mailbox.cl"

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_ANSWER) {
    const uint pieces_n = LOOK(PIECES);
#if RED_PASS == 0
    uint done = LOOK(ANSWERED), asked;
    while (pieces_n == 1 && (asked = next_question(red_answer, done)) != 0) {
        const uint untaken = UNTAKEN_NOW();
        if (untaken == 1 && TAKE(untaken, 0) == untaken)
            ((volatile global RED_A *)out)[0] = red_item_range(RED_ARGS, 0, QUESTION_N);
        DONE(asked);
        done = asked;
    }
    LEAVE();
#else
    for (uint untaken = UNTAKEN_NOW(); untaken > 0; untaken = UNTAKEN_NOW())
        if (TAKE(untaken, untaken - 1) == untaken)
            ((volatile global RED_A *)out)[untaken - 1] =
                red_item_piece(RED_ARGS, QUESTION_N, untaken - 1, pieces_n);
#endif
}
