//@ name:   persistent_mapped
//@ idea:   one launch answers many calls: its item waits in mapped memory for the next; works here, not promised
//@ span:   one
//@ lanes:  16x4
//@ group:  none
//@ finish: persistent
//@ needs:  host_visible_buffer
//@ types:  all
//@ ops:    all
//@ source: Gupta, Stuart and Owens, A Study of Persistent Threads Style GPU Programming (InPar 2012)
//@ variant: persistent SVM=1
//@ idea:   one launch answers many calls: its item waits in shared virtual memory for the next: the legal form
//@ needs:  c11_acq_rel, svm_polled, svm_system
//@ source: as persistent_mapped; OpenCL 2.0 section 3.3.3 (fine-grained system SVM with atomics)
//@ counterpart: persistent_mapped

#ifdef SVM
#include "lib/mailbox_svm.cl"
#endif
#include "lib/mailbox.cl"

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, RED_ANSWER) {
    uint done = LOOK(ANSWERED), asked;
    while ((asked = next_question(red_answer, done)) != 0) {
#ifdef ARRAY
        global const RED_T *red_x = ARRAY(0), *red_y = ARRAY(1);
        (void)red_y; /* of one array there is no other */
#endif
        HAND_OVER(red_item_range(RED_ARGS, 0, QUESTION_N), asked);
        done = asked;
    }
    LEAVE();
}
