/* Test data of verify and bench; evidence names its kind. The same data kind, type, n and seed always give
 * the same elements. Making data and finding their answer takes several threads from RED_SEVERAL_THREADS_N
 * elements on: waking them, and waiting for the last on a busy machine, costs more than they save on less. */
#ifndef CLREDUCE_MODEL_INPUT_H
#define CLREDUCE_MODEL_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/status.h"
#include "model/types.h"

/* identifier, name, exact tier, for floats only.
 * Exact tier: every partial sum, in any order, is representable, so all right answers have the same bits.
 *   weights     none is 0, and none equals one that is a power of two away: who loses, doubles or replaces an
 *               element changes the sum. Floats: small integers of both signs; integers: all bits random. For
 *               extremes few values that tie, so that the first of equals shows. Of integers the best of them
 *               is by turns of n + seed 0, -1 and the type's best, of unsigned types 1 or 127 and the best:
 *               who takes it for none is wrong
 *   part        position coding of floats: 1 where a hash of the index falls into one of K classes, else 0.
 *               Over the K parts every element is a 1 exactly once: no set of lost ones can hide, whatever n
 *   greatest    all are the type's greatest finite value; least: its least. Sums of integers
 *               have one sign and grow as fast as they can, so that narrow accumulators overflow; where a min
 *               or a max starts from anything but the identity, that wins. The second array of dot has
 *               the least value of signed types in either: products are then the largest of either sign
 *   close above one value wins, among many that are near and some of any magnitude; it is positive (unsigned:
 *               its first bit is 1) and stands where the seed says, of more than 2^20 elements among the
 *               last 2^17 but for 64
 *   close below the same below zero (unsigned: the first bit is 0), the winner at the end. In one of the two
 *               losers have both signs, doubles exceed what a float holds, and who is near has the greater
 *               lower half; in the other all have one sign, and many differ in the last bits only
 *   scaled up   of sums: of floats weights times the largest power of two for which all partial sums stay
 *               finite; of integers a quarter, and the last, are 0, a tenth 0, -1, or the least or the
 *               greatest value of a signed type, and the others have any bits
 *   scaled down of sums of floats: weights times the least power of two for which terms and sums stay normal
 * Of scans alone, whose answers are all prefixes:
 *   walk        sums of floats: h(i) - h(i - 1), with random whole h(i) from 0 to 2^11 - 1 (f64: 2^30 - 1;
 *               others beyond 2^24 elements less): each prefix is an h, and no range has a large sum
 *   islands     sums: stretches of 2^0 to 2^16 elements that begin at multiples of their length. Half of
 *               them are zeros, so that tiles have the identity as their aggregate; others hold one value,
 *               which is all of a tile, or values, or values and then the same with the other sign
 *   rising      extremes: each element is a new one, as far as the type has values, on the losing side of
 *               zero. Neighbours are one rank apart if there are enough: doubles are equal as floats
 *   falling     extremes: the first element is the answer everywhere, the others are worse and worse
 *   saw         extremes: stretches as of islands. Each has a peak, at its begin, its end or anywhere, that
 *               beats all before; all else in it loses to the last peak, half of it by 1 to 3 ranks
 * Of histograms alone. Their counts are exact whatever the data; but for edges an element is a value of its
 * bin that a hash draws. In uniform data of histograms all bins are alike, and 1 element in 16 is out of
 * range, on both sides if the type has values there:
 *   edges       the first value of each bin and those beside it, in turn; every eighth is out of range, a
 *               NaN, an infinity, -0, a denormal, or another end of the type
 *   one bin     all are of one bin, which the seed chooses
 *   half in one half of them are, the others uniform
 *   Zipf        the r-th bin from that one on has a share of 1 / r
 *   sorted      bins in ascending order, as even as can be
 *   first and last  bins 0 and bins - 1, as a hash says
 *   period      the bin is the index modulo 32, or the bins there are
 * Bounded tier: real values, compared with an exact sum under the error bound of oracle/truth.h.
 *   uniform     [0, 1), doubles with all digits; of integers all bits but the lowest, which is 1 but in y
 *   cancelling  neighbours that nearly cancel
 *   wide        both signs, exponents from 2^-12 to 2^12 (f16), 2^-20 to 2^20 (f32), 2^-100 to 2^100 (f64)
 *   ones        all ones, beyond 2^24 where a float counter stops
 *   huge        uniform with one value of 2^30 (f16: 2^15)
 *   condition   pairs that cancel, and one small value in 64: sum of |terms| / |sum| is 10^4, 10^8, 10^12
 * Special values, from RED_SPECIAL_N_MIN elements on; what stands where follows from the seed; what is alone
 * is the first element where n is a multiple of 4 (of dot in y), the last where one remains (of dot in x).
 * Sums:
 *   NaN         uniform, with one NaN of either sign, of dot in either array
 *   infinity    uniform, with one infinity of either sign, of dot in either array
 *   infinities  uniform, with one infinity of each sign: the sum is a NaN
 *   -0          alone
 *   -0 and +0   in turn
 *   denormals   small multiples of the least positive value, where an extreme is looked for of both signs; y
 *               of dot are small integers. Of a scan that looks for an extreme: rising
 * Operations that look for an extreme:
 *   NaN         one value wins, in the first half; the first element, the one before the winner and all
 *               behind it are NaNs, of both signs and different payloads; so is half of what is left, values
 *               that lose though a 0 would win. A scan's first element is a number
 *   infinity    the one that wins, once, between two that lose, among more of these and small values
 *   infinities  the one that loses, alone: what starts with the largest finite value answers that
 *   -0          zeros win, from some place on, among values on the other side of zero
 *   -0 and +0   the same; the first zero is the one that would lose if their signs counted, the next one
 *               the one that would win */
#define RED_OF_REDUCTIONS (1u << RED_PRIMITIVE_REDUCE) /* primitives that have a pattern */
#define RED_OF_SCANS      (1u << RED_PRIMITIVE_SCAN)
#define RED_OF_HISTOGRAMS (1u << RED_PRIMITIVE_HISTOGRAM)
#define RED_OF_ALL        ((1u << RED_PRIMITIVES_N) - 1)
#define RED_OF_VALUES     (RED_OF_ALL & ~RED_OF_HISTOGRAMS) /* whose answers are made of the elements' values */

#define RED_PATTERNS(X)                                                                                      \
    X(WEIGHTS, "weights", true, false, RED_OF_VALUES)                                                        \
    X(PART, "part", true, false, RED_OF_REDUCTIONS)                                                          \
    X(GREATEST, "greatest", true, false, RED_OF_VALUES)                                                      \
    X(LEAST, "least", true, false, RED_OF_VALUES)                                                            \
    X(CLOSE_ABOVE, "close above", true, false, RED_OF_VALUES)                                                \
    X(CLOSE_BELOW, "close below", true, false, RED_OF_VALUES)                                                \
    X(SCALED_UP, "scaled up", true, false, RED_OF_VALUES)                                                    \
    X(SCALED_DOWN, "scaled down", true, false, RED_OF_VALUES)                                                \
    X(WALK, "walk", true, false, RED_OF_SCANS)                                                               \
    X(ISLANDS, "islands", true, false, RED_OF_SCANS)                                                         \
    X(RISING, "rising", true, false, RED_OF_SCANS)                                                           \
    X(FALLING, "falling", true, false, RED_OF_SCANS)                                                         \
    X(SAW, "saw", true, false, RED_OF_SCANS)                                                                 \
    X(EDGES, "edges", true, false, RED_OF_HISTOGRAMS)                                                        \
    X(ONE_BIN, "one bin", true, false, RED_OF_HISTOGRAMS)                                                    \
    X(HALF, "half in one", true, false, RED_OF_HISTOGRAMS)                                                   \
    X(ZIPF, "Zipf", true, false, RED_OF_HISTOGRAMS)                                                          \
    X(SORTED, "sorted", true, false, RED_OF_HISTOGRAMS)                                                      \
    X(ENDS, "first and last", true, false, RED_OF_HISTOGRAMS)                                                \
    X(PERIOD, "period", true, false, RED_OF_HISTOGRAMS)                                                      \
    X(UNIFORM, "uniform", false, false, RED_OF_ALL)                                                          \
    X(CANCELLING, "cancelling", false, true, RED_OF_VALUES)                                                  \
    X(WIDE, "wide", false, true, RED_OF_VALUES)                                                              \
    X(ONES, "ones", false, true, RED_OF_VALUES)                                                              \
    X(HUGE, "huge", false, true, RED_OF_VALUES)                                                              \
    X(CONDITION_4, "condition 1e4", false, true, RED_OF_VALUES)                                              \
    X(CONDITION_8, "condition 1e8", false, true, RED_OF_VALUES)                                              \
    X(CONDITION_12, "condition 1e12", false, true, RED_OF_VALUES)                                            \
    X(NAN, "NaN", false, true, RED_OF_VALUES)                                                                \
    X(INFINITY, "infinity", false, true, RED_OF_VALUES)                                                      \
    X(INFINITIES, "infinities", false, true, RED_OF_VALUES)                                                  \
    X(NEGATIVE_ZEROS, "-0", false, true, RED_OF_VALUES)                                                      \
    X(ZEROS, "-0 and +0", false, true, RED_OF_VALUES)                                                        \
    X(DENORMALS, "denormals", true, true, RED_OF_VALUES)

enum red_pattern {
#define RED_PATTERN_ENUM(id, ...) RED_PATTERN_##id,
    RED_PATTERNS(RED_PATTERN_ENUM)
#undef RED_PATTERN_ENUM
        RED_PATTERNS_N
};

struct red_data_kind {
    enum red_pattern pattern;
    unsigned part; /* of `part`: 0 ... red_data_kind_parts_n - 1; otherwise 0 */
};

enum { RED_SEVERAL_THREADS_N = 1 << 19 };

const char *red_pattern_name(enum red_pattern pattern);

/* Whether the answers for this data are exact in this type (those of integers, extremes and histograms always
 * are). */
bool red_data_kind_is_exact(struct red_data_kind data_kind, const struct red_op *op,
                            const struct red_dtype *dtype);

/* Whether the data are special values: what a strategy makes of them is its manifest's promise
 * (`promises` of model/strategy.h). With fewer elements they do not show what they are for. */
enum { RED_SPECIAL_N_MIN = 8 };
/* n modulo RED_SPECIAL_PLACES says where one that is alone stands: at an end, otherwise between. */
enum { RED_SPECIAL_AT_FIRST, RED_SPECIAL_AT_LAST, RED_SPECIAL_PLACES = 4 };
bool red_pattern_is_special(enum red_pattern pattern);

/* Whether the pattern makes sense for the operation and the type. */
bool red_pattern_fits(enum red_pattern pattern, const struct red_op *op, const struct red_dtype *dtype);

/* K, the number of parts of pattern `part`: 2, or as many as keep each class's sum below 7/8 of what the
 * accumulator's significand counts to. */
unsigned red_data_kind_parts_n(const struct red_op *op, const struct red_dtype *dtype, uint64_t n);

/* The data of the exact tier that together show every class of faults (docs/checking.md), the weights first,
 * of histograms the edges: how many there are for n elements, and the i-th (the weights where there is
 * none). */
unsigned red_exact_data_kinds_n(const struct red_op *op, const struct red_dtype *dtype, uint64_t n);
struct red_data_kind red_exact_data_kind(const struct red_op *op, const struct red_dtype *dtype, uint64_t n,
                                         unsigned i);

/* Writes "weights" or "part 0 of 2". */
void red_data_kind_format(struct red_data_kind data_kind, const struct red_op *op,
                          const struct red_dtype *dtype, uint64_t n, char *text, size_t text_size_bytes);

/* What the data set of that name ("part 0 of 2") holds, in a few words: "neighbours that nearly cancel"; ""
 * for a name that this program does not know, as a file may have. */
const char *red_data_words(const char *name);

/* The data kind of that name ("part 3" is enough for "part 3 of 17"). False where the operation and the type
 * have none. */
bool red_data_kind_find(const char *name, const struct red_op *op, const struct red_dtype *dtype, uint64_t n,
                        struct red_data_kind *data_kind);

/* What makes the elements, and where they are. */
enum red_making {
    RED_MADE_BY_PATTERN, /* as the pattern says, in arrays */
    RED_MADE_BY_LAUNCH,  /* as model/computed.h says, in arrays: a launch stores them before each reduction */
    RED_MADE_IN_KERNEL,  /* the same in no array: each kernel computes what it needs */
    RED_MAKINGS_N
};

/* The numbers that an element is made with, parameters of a kernel that computes them
 * (kernels_cl12/lib/computed.cl): element i of array a is ((hash(i, seeds[a]) >> shift) - offset) * scale. */
struct red_element_form {
    uint32_t seeds[2];
    uint32_t shift;
    int32_t offset;
    float scale; /* a power of two; of integers 1 */
};

/* One data set in host memory. Each array is page-aligned, and what follows its n elements up to the end of
 * the array is poison (red_op_elements_poison_byte): who reads past the end shows. */
struct red_input {
    const struct red_dtype *dtype;
    const struct red_op *op;
    struct red_data_kind data_kind;
    uint64_t n, seed;
    uint64_t segments_n;          /* arrays of n / segments_n elements that lie side by side; 1: one array */
    unsigned bins_n;              /* of a histogram, whose elements are values of its bins; otherwise 0 */
    enum red_making making;       /* in a kernel: arrays are NULL, array_bytes and checksum 0 */
    struct red_element_form form; /* unless by pattern */
    uint64_t whole_n, first;      /* of a piece: see struct red_data_spec (model/case.h) */
    size_t array_bytes;           /* of each array, poison included; a multiple of 4096 */
    unsigned arrays_n;
    void *arrays[2];
    uint64_t checksum; /* red_input_compute_checksum when the data was made, before any driver saw it */
};

/* The n by which the elements are made: of one segment, or of the array that a piece is of. */
uint64_t red_input_whole_n(const struct red_input *input);

/* Bytes of one array for n elements, poison included; 0 if that does not fit into size_t. */
size_t red_input_array_bytes(const struct red_dtype *dtype, uint64_t n);

/* Makes the data that model/case.h specifies: one array, several segments side by side, whose data are each
 * as the data kind says (input->n is spec->segments_n * spec->n), a histogram's values, or a piece of a
 * longer array. Release with red_input_clear. Errors: RED_E_MEMORY, naming n and the bytes. */
struct red_data_spec;
enum red_status red_input_make(const struct red_data_spec *spec, struct red_input *input,
                               struct red_error *error);
void red_input_clear(struct red_input *input);

/* The same data in memory of its own. Release with red_input_clear. Errors: RED_E_MEMORY. */
enum red_status red_input_copy(const struct red_input *input, struct red_input *copy,
                               struct red_error *error);

/* Puts the data somewhere else in memory, if there is room for both: nobody may know where it was. */
void red_input_move(struct red_input *input);

/* A hash of all bytes, poison included; other than input->checksum, it tells that somebody wrote to the data.
 * Every word is mixed with its place by the finaliser of SplitMix64 (Steele, Lea and Flood 2014), so that a
 * changed sign, an exchange or any other regular change shows, but for a chance of 2^-64; the mixed words are
 * added, so that threads may share the work; below 128 MiB one alone is as fast. */
uint64_t red_input_compute_checksum(const struct red_input *input);

/* The same of so many words of any memory, counted from `first` on: sums over parts can be added. */
uint64_t red_words_checksum(const uint64_t *words, uint64_t words_n, uint64_t first);

/* What the elements of an array are made with, beside index and seed: for programs that make them again
 * (emit/reproduction.c). */
struct red_data_numbers {
    unsigned parts;
    double largest_weight_third;
    int scale;
    uint64_t winner, place;
    uint64_t best;      /* of integers' weights of which an extreme is looked for */
    unsigned walk_bits; /* of walks: how many a prefix has */
};
struct red_data_numbers red_input_find_numbers(const struct red_input *input);

/* Writes every element and the poison: red_input_make of new arrays, cl/resident.c of those that a kernel has
 * overwritten. */
void red_input_fill(const struct red_input *input);

#endif
