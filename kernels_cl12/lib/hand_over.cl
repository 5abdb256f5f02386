/* Where the result of one launch goes: to the host, which polls (POLLED), or to `out`; and the parameters of
 * that. */
#ifdef POLLED
#define HAND_OVER(value) RED_TELL(value)
#define PARAMETERS                                                                                           \
    RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER
#else
#define HAND_OVER(value) out[0] = value
#define PARAMETERS       RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter
#endif
