/* Where the result of one launch goes: to the host, which polls (POLLED), or to `out`; and a parameter more
 * for that. */
#ifdef POLLED
#define HAND_OVER(value) RED_TELL(value)
#define AND_ANSWER       , RED_ANSWER
#else
#define HAND_OVER(value) out[0] = value
#define AND_ANSWER
#endif
