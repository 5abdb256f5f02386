/* Where the result of one launch goes: to the host, which polls (POLLED), or to `out`. */
#ifdef POLLED
#define HAND_OVER(value) RED_TELL(value)
#else
#define HAND_OVER(value) out[0] = value
#endif
