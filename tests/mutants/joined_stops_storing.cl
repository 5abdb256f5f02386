//@ name:   joined_stops_storing
//@ idea:   the launch that waits takes pieces of its third call and later ones, and stores nothing
//@ span:   chunk
//@ lanes:  16x4
//@ group:  none
//@ finish: joined
//@ needs:  host_visible_buffer, integer_atomics
//@ types:  i32, f32
//@ ops:    sum
//@ source: a store that is not repeated, as the value should be there already
// where: n >= 0
// expect: \(run 2, second call\)

#include "mailbox.cl"

void take_pieces(RED_INPUT, global RED_A *restrict out, RED_ANSWER, const ulong n, const bool stores) {
    const bool waits = RED_PASS == 0;
    for (uint untaken = UNTAKEN_NOW(), next, found; untaken >> 16 != (untaken & 0xffff);
         untaken = found == untaken ? next : found) {
        const uint first = untaken >> 16, end = untaken & 0xffff;
        next = waits ? untaken + 0x10000 : untaken - 1;
        found = TAKE(untaken, next);
        if (found == untaken) {
            const uint piece = waits ? first : end - 1;
            if (stores)
                ((volatile global RED_A *)out)[piece] = red_item_piece(RED_ARGS, n, piece, LOOK(PIECES));
        }
    }
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER) {
#if RED_PASS == 1
    take_pieces(RED_ARGS, out, red_answer, QUESTION_N, true);
#else
    uint done = LOOK(ANSWERED), asked;
    for (uint calls_n = 0; (asked = next_question(red_answer, done)) != 0; calls_n++) {
        take_pieces(RED_ARGS, out, red_answer, QUESTION_N, calls_n < 2);
        DONE(done = asked);
    }
    LEAVE();
#endif
}
