/* What kernels of finish persistent share, which are launched once and answer question after question through
 * the mailbox (src/cl/cl_private.h). Each word has one writer. persistent_mapped is the model: what is left of a
 * kernel once its questions come from next_question, which ends it, its answers go to HAND_OVER, and LEAVE is
 * the last thing it does. */
enum word { ANSWERED = 2, LEFT, ASKED, LAUNCH, PATIENCE };

#ifndef LOOK
/* That host and kernel see each other's stores, and one of 16 bytes whole, is what drivers do. */
#define LOOK(word)              (((volatile global uint *)red_answer)[word])
#define HAND_OVER(value, asked) RED_TELL_AS((value), (asked))
#define LEAVE()                 (((volatile global uint *)red_answer)[LEFT] = LOOK(LAUNCH))
#endif
#define QUESTION_N (((volatile global const ulong *)red_answer)[6])

/* The number of a question that is not the one of `done`. 0 where none has come after as many looks as the
 * host allows, so that every launch ends, and where it sends the kernel away. The pause leaves the bus to
 * others. */
uint next_question(RED_ANSWER, const uint done) {
    for (uint looks = LOOK(PATIENCE); looks > 0; looks--) {
        const uint asked = LOOK(ASKED);
        if (asked != done) {
            read_mem_fence(CLK_GLOBAL_MEM_FENCE);
            return asked;
        }
        for (volatile uint pause = 0; pause < 16; pause++)
            ;
    }
    return 0;
}
