//@ name:   joined_early
//@ idea:   the launch that waits is done before its pieces are
//@ span:   chunk
//@ lanes:  16x4
//@ group:  none
//@ finish: joined
//@ needs:  host_visible_buffer, integer_atomics
//@ types:  i32, f32
//@ ops:    sum
//@ source: a store that a compiler or a processor has moved before others
// where: n >= 0
// expect: expected .*, got

#include "mailbox.cl"

void take_pieces(RED_INPUT, global RED_A *restrict out, RED_ANSWER, const ulong n) {
    const bool waits = RED_PASS == 0;
    // The last piece is left to the launch that waits: a machine that is busy could take all pieces before it starts.
    const uint left = waits ? 0 : 1;
    for (uint untaken = UNTAKEN_NOW(), next, found; (untaken >> 16) + left < (untaken & 0xffff);
         untaken = found == untaken ? next : found) {
        const uint first = untaken >> 16, end = untaken & 0xffff;
        next = waits ? untaken + 0x10000 : untaken - 1;
        found = TAKE(untaken, next);
        if (found == untaken) {
            const uint piece = waits ? first : end - 1;
            ((volatile global RED_A *)out)[piece] = red_item_piece(RED_ARGS, n, piece, LOOK(PIECES));
        }
    }
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER) {
#if RED_PASS == 1
    take_pieces(RED_ARGS, out, red_answer, QUESTION_N);
#else
    uint done = LOOK(ANSWERED), asked;
    while ((asked = next_question(red_answer, done)) != 0) {
        DONE(done = asked);
        for (volatile uint late = 0; late < 10000; late++)
            ;
        take_pieces(RED_ARGS, out, red_answer, QUESTION_N);
    }
    LEAVE();
#endif
}
