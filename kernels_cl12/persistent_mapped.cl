//@ name:   persistent_mapped
//@ idea:   one launch answers many calls: its item waits in mapped memory for the next; works here, not promised
//@ span:   one
//@ lanes:  16x4
//@ group:  none
//@ finish: persistent
//@ needs:  integer_atomics, host_visible_buffer
//@ types:  all
//@ ops:    all
//@ source: Gupta, Stuart and Owens, A Study of Persistent Threads Style GPU Programming (InPar 2012)

/* The mailbox (src/device/mailbox.h), in words of 16 bytes: a value, the state, the arrays' addresses, n. */
#define VALUE ((volatile global RED_A *)answer)
enum state { GONE, WAITING, ASKED, ANSWERED, LEFT };

/* PATIENCE: looks at the state before the item stops waiting: 4 us on a CPU, 45 where loads are atomic. */
#ifndef LOOK
#define PATIENCE (1 << 14)
/* That host and kernel see each other's stores, and in their order, is what CPUs and their drivers do. */
#define STATE          ((volatile global uint *)(answer + 1))
#define LOOK()         (*STATE)
#define MOVE(from, to) atomic_cmpxchg(STATE, (from), (to))
#define HAND_OVER()    (mem_fence(CLK_GLOBAL_MEM_FENCE), *STATE = ANSWERED)
#define QUESTION       n
#endif

/* Waits for a question. False where the host sends the item away, and where none came for so long that it
 * goes: what it moves the state to tells the host that the next question needs a launch. A move that fails
 * has met the question. */
bool is_asked(RED_ANSWER) {
    for (uint looks = 0;; looks++) {
        const uint state = LOOK();
        if (state == ASKED || state == GONE)
            return state == ASKED;
        if (looks >= PATIENCE && MOVE(state, state == WAITING ? GONE : LEFT) == state)
            return false;
    }
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_ANSWER) {
    while (is_asked(answer)) {
#ifdef ARRAY
        global const RED_T *x = ARRAY(0), *y = ARRAY(1);
        (void)y; /* of one array there is no other */
#endif
        *VALUE = red_item_range(RED_ARGS, 0, QUESTION);
        HAND_OVER();
    }
}
