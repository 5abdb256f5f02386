/* The answer of finish polled and persistent, and the mailbox of joined, the last parameter: `RED_ANSWER`.
 * RED_TELL(value) hands it over: value and flag in one store of 16 bytes, so that the host, which spins on
 * the flag, sees both or none. That a store of so many bytes is not torn is what drivers do. A pair takes two
 * such stores, each with its own flag, and the host waits for both (finish polled alone). */
#define RED_ANSWER global uint4 *restrict red_answer
#if RED_WORD_BITS == 32
#define RED_TELL_AS(value, flag)                                                                             \
    (*(volatile global uint4 *)red_answer = (uint4)(RED_AS_WORD(value), 0, (flag), 0))
#elif RED_WORD_BITS == 64
#define RED_TELL_AS(value, flag)                                                                             \
    (*(volatile global uint4 *)red_answer = (uint4)(as_uint2(RED_AS_WORD(value)), (flag), 0))
#else
#define RED_TELL_AS(value, flag)                                                                             \
    (((volatile global uint4 *)red_answer)[0] = (uint4)(as_uint2((value).key), (flag), 0),                   \
     ((volatile global uint4 *)red_answer)[1] = (uint4)(as_uint2((value).index), (flag), 0))
#endif
#define RED_TELL(value) RED_TELL_AS(value, 1)
