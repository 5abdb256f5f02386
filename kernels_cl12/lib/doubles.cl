/* Most terms of an exact sum are added as doubles. A double has 53 bits, a float 24: a sum of some floats is
 * exact where the positions of their lowest bits lie in a window, and so is the same in whatever order a
 * compiler adds them. Either all terms of a block, RED_LOADS vectors, are added here, or none is.
 *
 * No denormal is: a driver may take it for a zero where it converts it. */
#include "lib/digits.cl"

#if defined(cl_khr_fp64) && RED_T_BITS != 64 && !defined(RED_MULTIPLIES)

/* Terms of the window are less than 2^(23 + RED_WINDOW) of its units, so that RED_DOUBLES_N of them sum to
 * 2^53 at most. Halves are less than 2^40 of the least, which is no denormal as a float: they need no window.
 *
 * Twice the word, which has no sign then, less RED_BEGIN is less than RED_SPAN where it lies in the window.
 */
#define RED_WINDOW 20
#if RED_T_BITS == 16 && !RED_HAS_FACTORS
#define RED_DOUBLES_N     (1 << 13)
#define RED_UNIT(lowest)  126 /* 2^-24 */
#define RED_BEGIN(lowest) 0U
#define RED_SPAN          (2 * RED_INFINITE)
#else
#define RED_DOUBLES_N     (1 << (30 - RED_WINDOW))
#define RED_UNIT(lowest)  (lowest)
#define RED_BEGIN(lowest) ((uint)(lowest) << (RED_FRACTION + 1))
#define RED_SPAN          RED_BEGIN(RED_WINDOW)
#endif

/* The lowest position that a window may have: of a normal number, and among the digits. */
#define RED_LOWEST max(1, 1 - RED_ORIGIN)

/* What an item holds. */
typedef struct {
    RED_OF(double, RED_WIDTH) sum;
    int lowest;        /* position of the window */
    uint n;            /* terms of a lane */
    uint misses, wait; /* blocks that no window held count: so many more are not tried */
} red_doubles;

red_doubles red_doubles_none(void) {
    const red_doubles none = {0, RED_LOWEST, 0, 0, 0};
    return none;
}

/* Adds a sum to the digits: a whole number of units. */
void red_doubles_add_to(private long *digits, const RED_OF(double, RED_WIDTH) sum, const int unit) {
    const double units_of_1 = as_double((ulong)(1023 + 150 - unit) << 52);
    red_digits_add(digits, unit + RED_ORIGIN,
                   RED_OF_LANES(red_long_sum, RED_OF(convert_long, RED_WIDTH)(sum * units_of_1)));
}

/* The lowest position of a window that holds a block, the same if that one does, 0 if none: of the greatest
 * size twice, and the least twice less 1, so that a zero is none of the least. */
int red_doubles_window(const int lowest, const uint greatest, const uint least) {
    /* The next block may be four times as large; infinities lie above every window. */
    const int other = clamp((int)(greatest >> (RED_FRACTION + 1)) - RED_WINDOW + 3, RED_LOWEST,
                            RED_EXPONENT_MAX - RED_WINDOW);
    if (greatest < RED_BEGIN(lowest) + RED_SPAN && least >= RED_BEGIN(lowest) - 1)
        return lowest;
    return greatest < RED_BEGIN(other) + RED_SPAN && least >= RED_BEGIN(other) - 1 ? other : 0;
}

/* Adds a block, if a window holds all of it: false if none does. Where it is no part of its caller, sums are
 * kept in memory. Zeros lie below a window: the first test finds them, the second lets them pass. */
#define RED_TAKE_DISTANCE(j) farthest = max(farthest, x[j] + x[j] - RED_BEGIN(lowest));
#define RED_TAKE_SIZES(j)                                                                                    \
    greatest = max(greatest, x[j] + x[j]);                                                                   \
    least = min(least, x[j] + x[j] - 1);
#define RED_ADD_DOUBLES(j)                                                                                   \
    held->sum += RED_OF(convert_double, RED_WIDTH)(RED_PASTE(as_, RED_OF(float, RED_WIDTH))(x[j]));
__attribute__((always_inline)) bool red_doubles_take(const private RED_OF(uint, RED_WIDTH) * x,
                                                     private red_doubles *held, private long *digits) {
    RED_OF(uint, RED_WIDTH) farthest = 0, greatest = 0, least = ~greatest;
    int lowest = held->lowest;
    if (held->wait > 0) {
        held->wait--;
        return false;
    }
    RED_EACH_LOAD(RED_TAKE_DISTANCE)
    if (RED_OF_LANES(red_greatest, farthest) >= RED_SPAN) {
        RED_EACH_LOAD(RED_TAKE_SIZES)
        lowest =
            red_doubles_window(lowest, RED_OF_LANES(red_greatest, greatest), RED_OF_LANES(red_least, least));
        if (lowest == 0) {
            held->wait = held->misses;
            held->misses = min(2 * held->misses + 1, 15U);
            return false;
        }
    }
    if (lowest != held->lowest || held->n + RED_LOADS > RED_DOUBLES_N) {
        red_doubles_add_to(digits, held->sum, RED_UNIT(held->lowest));
        held->sum = 0;
        held->lowest = lowest;
        held->n = 0;
    }
    RED_EACH_LOAD(RED_ADD_DOUBLES)
    held->n += RED_LOADS;
    held->misses = 0;
    return true;
}

/* Adds what is left to the digits. */
void red_doubles_end(const red_doubles held, private long *digits) {
    red_doubles_add_to(digits, held.sum, RED_UNIT(held.lowest));
}

#else

/* Of a device without doubles, and of terms with too many bits, none is added. */
typedef struct {
    int none;
} red_doubles;
#define red_doubles_none()                                                                                   \
    { 0 }
#define red_doubles_take(x, held, digits) ((void)(held), false)
#define red_doubles_end(held, digits)     (void)(held)
#endif
