//@ name:   persistent_joined
//@ idea:   a launch that waits takes pieces from the front at once, the call's own from the back; works here, not promised
//@ span:   chunk
//@ lanes:  16x4
//@ group:  none
//@ finish: joined
//@ needs:  host_visible_buffer, integer_atomics
//@ types:  all
//@ ops:    all
//@ source: as persistent_mapped; Arora, Blumofe and Plaxton, Thread Scheduling for Multiprogrammed Multiprocessors (SPAA 1998)
//@ variant: persistent_joined_svm SVM=1
//@ idea:   persistent_joined in shared virtual memory: the legal form
//@ needs:  c11_acq_rel, svm_polled, svm_system
//@ source: as persistent_joined; OpenCL 2.0 section 3.3.3 (fine-grained system SVM with atomics)
//@ counterpart: persistent_joined

#ifdef SVM
#include "lib/mailbox_svm.cl"
#endif
#include "lib/mailbox.cl"

/* Takes pieces until none is left. Who waits takes the first one, a launch of the call the last: so each has
 * what it had in the last call, and finds it in its caches. */
void take_pieces(RED_INPUT, global RED_A *restrict out, RED_ANSWER) {
    const bool waits = RED_PASS == 0;
    const uint pieces_n = LOOK(PIECES);
    const ulong n = QUESTION_N;
    uint untaken = UNTAKEN_NOW();
    while (untaken >> 16 != (untaken & 0xffff)) {
        const uint next = waits ? untaken + 0x10000 : untaken - 1, found = TAKE(untaken, next);
        if (found == untaken) {
#ifdef ARRAY
            global const RED_T *red_x = ARRAY(0), *red_y = ARRAY(1);
            (void)red_y; /* of one array there is no other */
#endif
            const uint piece = waits ? untaken >> 16 : next & 0xffff;
            /* volatile, as the word that it is there must not overtake it. */
            ((volatile global RED_A *)out)[piece] = red_item_piece(RED_ARGS, n, piece, pieces_n);
        }
        untaken = found == untaken ? next : found;
    }
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_ANSWER) {
#if RED_PASS == 0
    uint done = LOOK(ANSWERED), asked;
    while ((asked = next_question(red_answer, done)) != 0) {
        take_pieces(RED_ARGS, out, red_answer);
        DONE(asked);
        done = asked;
    }
    LEAVE();
#else
    take_pieces(RED_ARGS, out, red_answer);
#endif
}
