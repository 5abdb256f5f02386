//@ name:   taken
//@ idea:   as persistent_joined, from the other ends: the launch that waits takes the last piece
//@ span:   chunk
//@ lanes:  8x2
//@ group:  none
//@ finish: joined
//@ needs:  host_visible_buffer, integer_atomics
//@ types:  i32, u8, f32
//@ ops:    sum, dot, argmax
//@ source: the contract, docs/kernels.md

#include "mailbox.cl"

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_ANSWER) {
    const bool waits = RED_PASS == 0;
    uint asked = LOOK(ANSWERED);
    do {
        if (waits && (asked = next_question(red_answer, asked)) == 0)
            break;
        for (uint untaken = UNTAKEN_NOW(); untaken >> 16 != (untaken & 0xffff); untaken = UNTAKEN_NOW())
            if (TAKE(untaken, waits ? untaken - 1 : untaken + 0x10000) == untaken) {
                const uint piece = waits ? (untaken & 0xffff) - 1 : untaken >> 16;
                ((volatile global RED_A *)out)[piece] =
                    red_item_piece(RED_ARGS, QUESTION_N, piece, LOOK(PIECES));
            }
        if (waits)
            DONE(asked);
    } while (waits);
    if (waits)
        LEAVE();
}
