//@ name:   joined_seventh_question
//@ idea:   from the seventh question on one is added to the first piece
//@ span:   chunk
//@ lanes:  16x4
//@ group:  none
//@ finish: joined
//@ needs:  host_visible_buffer, integer_atomics
//@ types:  i32, f32
//@ ops:    sum
//@ source: a counter that reaches its limit
// where: n >= 0
// expect: expected .*, got

#include "mailbox.cl"

void take_pieces(RED_INPUT, global RED_A *restrict out, RED_ANSWER, const ulong n) {
    const bool waits = RED_PASS == 0;
    for (uint untaken = UNTAKEN_NOW(), next, found; untaken >> 16 != (untaken & 0xffff);
         untaken = found == untaken ? next : found) {
        next = waits ? untaken + 0x10000 : untaken - 1;
        found = TAKE(untaken, next);
        if (found == untaken) {
            const uint piece = waits ? untaken >> 16 : next & 0xffff;
            const RED_A value = red_item_piece(RED_ARGS, n, piece, LOOK(PIECES));
            ((volatile global RED_A *)out)[piece] = value + (LOOK(ASKED) >= 7 && piece == 0);
        }
    }
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER) {
#if RED_PASS == 1
    take_pieces(RED_ARGS, out, red_answer, QUESTION_N);
#else
    uint done = LOOK(ANSWERED), asked;
    while ((asked = next_question(red_answer, done)) != 0) {
        take_pieces(RED_ARGS, out, red_answer, QUESTION_N);
        DONE(done = asked);
    }
    LEAVE();
#endif
}
