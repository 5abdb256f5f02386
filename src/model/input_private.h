/* What makes the elements of data sets: for model/input.c, model/input_scan.c, which has those of scans, and
 * model/input_histogram.c. */
#ifndef CLREDUCE_MODEL_INPUT_PRIVATE_H
#define CLREDUCE_MODEL_INPUT_PRIVATE_H

#include "model/bins.h"
#include "model/input.h"

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15) /* 2^64 / the golden ratio: multiples of it are spread evenly */

/* SplitMix64's finaliser (Steele, Lea and Flood 2014): every bit of z affects every bit of the result. */
static inline uint64_t mix_bits(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The random bits of element i. */
static inline uint64_t hash(uint64_t i, uint64_t seed) {
    return mix_bits(i * GOLDEN + seed * UINT64_C(0xd1342543de82ef95) + 1);
}

/* Uniform on [0, 1), a multiple of 2^-24. */
static inline double fraction_of(uint64_t h) {
    return (double)(h >> 40) * 0x1p-24;
}

static inline double random_sign(uint64_t h) {
    return (double)(2 * (int)(h & 1) - 1); /* no branch: half of them would be foreseen wrongly */
}

/* Which of `classes` classes the hash falls into: its upper half scaled, since division takes ten times as
 * long. */
static inline unsigned class_of(uint64_t h, unsigned classes) {
    return (unsigned)((h >> 32) * classes >> 32);
}

/* The ranks of a scan's data, counted from the worst value on; floats without those that are less than
 * normal, but with 0. */
struct scan_ranks {
    uint64_t far_n; /* those on the losing side of zero (unsigned: whose first bit is that of the worst) */
    uint64_t last;
    uint64_t rise_first, rise_step, fall_first, fall_step, saw_step; /* a step is 0 where there are too few */
};

/* What every element function gets, of fill_array. `second` is false for x and true for y of a dot product.
 */
struct array_recipe {
    const struct red_input *input;
    uint64_t n;                      /* of the segment; i is an index into it */
    uint64_t seed;                   /* of this array */
    struct red_data_numbers numbers; /* winner: as a loser's rank would be counted, from the worst value on */
    bool second;
    struct scan_ranks ranks;
    struct red_bins bins; /* of histograms */
    unsigned lone_bin;    /* which has more elements than others, or all */
};

#define UNUSED __attribute__((unused))

/* `REALS(name) { ... }` is a function that gives element i, with the random bits h, of the data kinds for
 * which the tables below have name_block; verify and bench reduce arrays of them. A loop per function, so
 * that the compiler sees what it repeats. */
#define REALS(name)    ELEMENTS(name, double)
#define INTEGERS(name) ELEMENTS(name, uint64_t)
#define ELEMENTS(name, type)                                                                                 \
    static type name##_element(const struct array_recipe *e, uint64_t i, uint64_t h);                        \
    static void name##_block(const struct array_recipe *e, uint64_t first, size_t n, type *values) {         \
        uint64_t at = first % e->n; /* in the segment */                                                     \
        for (uint64_t i = first; i < first + n; i++) {                                                       \
            values[i - first] = name##_element(e, at, hash(i, e->seed));                                     \
            at = at + 1 == e->n ? 0 : at + 1;                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static type name##_element(UNUSED const struct array_recipe *e, UNUSED uint64_t i, UNUSED uint64_t h)

/* What writes the elements of a pattern. Operations that look for an extreme have special values of their
 * own (or NULL), and integers more bits than small numbers, which are those of floats (or NULL), have. */
struct pattern_blocks {
    void (*reals)(const struct array_recipe *e, uint64_t first, size_t n, double *values);
    void (*extreme_reals)(const struct array_recipe *e, uint64_t first, size_t n, double *values);
    void (*integers)(const struct array_recipe *e, uint64_t first, size_t n, uint64_t *values);
};

/* model/input_scan.c has the patterns that only scans have, and the numbers that they take. */
extern const struct pattern_blocks red_scan_blocks[RED_PATTERNS_N];
double red_rising_denormal(const struct array_recipe *e, uint64_t i);
unsigned red_walk_bits_find(const struct red_input *input);
void red_scan_ranks_find(const struct red_input *input, struct scan_ranks *ranks);

/* model/input_histogram.c has those of histograms, and sets the recipe's numbers of bins. */
extern const struct pattern_blocks red_histogram_blocks[RED_PATTERNS_N];
void red_histogram_bins_set(struct array_recipe *recipe);

#endif
