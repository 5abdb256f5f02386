/* The answer of finish polled and persistent, the last parameter: `RED_ANSWER`.
 * RED_TELL(value) hands it over: value and flag in one store of 16 bytes, so that the host, which spins on
 * the flag, sees both or none. That a store of so many bytes is not torn is what drivers do. Of a
 * pair (finish polled alone) the flag is the lowest bit of the index, which is shifted by one. */
#define RED_ANSWER global uint4 *restrict red_answer
#if RED_WORD_BITS == 32
#define RED_TELL_AS(value, flag)                                                                             \
    (*(volatile global uint4 *)red_answer = (uint4)(RED_AS_WORD(value), 0, (flag), 0))
#elif RED_WORD_BITS == 64
#define RED_TELL_AS(value, flag)                                                                             \
    (*(volatile global uint4 *)red_answer = (uint4)(as_uint2(RED_AS_WORD(value)), (flag), 0))
#else
#define RED_TELL_AS(value, flag)                                                                             \
    (*(volatile global uint4 *)red_answer =                                                                  \
         (uint4)(as_uint2((value).key), as_uint2((value).index << 1 | (flag))))
#endif
#define RED_TELL(value) RED_TELL_AS(value, 1)
