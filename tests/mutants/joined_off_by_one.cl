//@ name:   joined_off_by_one
//@ idea:   the launch that joins takes the piece behind its own
//@ span:   chunk
//@ lanes:  16x4
//@ group:  none
//@ finish: joined
//@ needs:  host_visible_buffer, integer_atomics
//@ types:  i32, f32
//@ ops:    sum
//@ source: a last taken for an end
// where: n >= 0
// expect: expected .*, got|behind the end of out

#include "mailbox.cl"

void take_pieces(RED_INPUT, global RED_A *restrict out, RED_ANSWER, const ulong n) {
    const bool waits = RED_PASS == 0;
    for (;;) {
        const uint untaken = LOOK(UNTAKEN), first = untaken >> 16, end = untaken & 0xffff;
        if (first == end)
            return;
        if (TAKE(untaken, waits ? untaken + 0x10000 : untaken - 1)) {
            const uint piece = waits ? first : end;
            out[piece] = red_item_piece(RED_ARGS, n, piece, LOOK(PIECES));
        }
    }
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER) {
#if RED_PASS == 1
    take_pieces(RED_ARGS, out, answer, QUESTION_N);
#else
    uint done = LOOK(ANSWERED), asked;
    while ((asked = next_question(answer, done)) != 0) {
        take_pieces(RED_ARGS, out, answer, QUESTION_N);
        DONE(done = asked);
    }
    LEAVE();
#endif
}
