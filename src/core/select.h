/* Selection by name and by size: lists of globs, lists of sizes, bands. A name that matches nothing is
 * refused, and the message has the nearest valid name. */
#ifndef CLREDUCE_CORE_SELECT_H
#define CLREDUCE_CORE_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "core/text.h"

/* Room for one pattern of a list; a longer one is cut. */
enum { RED_SELECT_PATTERN_BYTES = 128 };

/* Copies the first pattern of a comma-separated list, and moves the list behind it; false at its end. */
bool red_select_next(const char **list, char pattern[RED_SELECT_PATTERN_BYTES]);

/* Whether a comma-separated list has this very name, and not only a glob that matches it; false for NULL. */
bool red_select_names(const char *list, const char *name);

/* Whether `name` matches one of the comma-separated patterns of `list`: shell globs, letter case ignored. A
 * NULL list matches everything. */
bool red_select_matches(const char *list, const char *name);

/* Checks that every pattern of `list` matches at least one of the names. `what` ("strategy") names the kind.
 * Errors: RED_E_INPUT, naming the pattern, the nearest valid name and all valid names. */
enum red_status red_select_check(const char *what, const char *list, const char *const *names, size_t names_n,
                                 struct red_error *error);

/* Fills the error for a pattern that matches none of the names, as red_select_check does: RED_E_INPUT. */
enum red_status red_select_fail_unknown(const char *what, const char *pattern, const char *const *names,
                                        size_t names_n, struct red_error *error);

/* ---- lists of sizes --------------------------------------------------------------------------------------
 * The syntax of --n, --wg and --groups, and the grid that verify checks. */

/* Ascending, without repetition. Release `values` with red_sizes_clear. */
struct red_sizes {
    uint64_t *values;
    size_t n;
};

void red_sizes_clear(struct red_sizes *sizes);

/* Reads a comma-separated list of
 *     NUMBER                 1000, 2^20, 2^20+1, 2^20-1
 *     NUMBER..NUMBER         doubling from the first to the last
 *     NUMBER..NUMBER:xK      multiplying by K (2 or more)
 *     NUMBER..NUMBER:+K      adding K (1 or more)
 * At most 4096 sizes. `what` names the option in errors. Errors: RED_E_INPUT, RED_E_MEMORY. */
enum red_status red_sizes_parse(const char *what, const char *text, struct red_sizes *sizes,
                                struct red_error *error);

/* Sizes from first to last; the whole of them is 0 and UINT64_MAX. */
struct red_size_range {
    uint64_t first, last;
};

/* Reads "*" (every size), "2^20", "64..", "..63" or "64..2^20", of a file of known failures. False for
 * anything else. */
bool red_size_range_read(const char *text, struct red_size_range *range);
bool red_size_range_has(const struct red_size_range *range, uint64_t size);

/* One point of the verification grid: for a group size it is n = groups * group_size + offset. */
struct red_size_point {
    uint64_t groups;
    int64_t offset;
};

/* The grid that verify checks, as points: 0, 1, 2; primes; every remainder modulo 2 ... 16, the widest
 * vector; 1, 2, 3 and 17 groups - 1, + 0, + 1; 2^k - 1, 2^k, 2^k + 1 up to 2^20; last 2^24 + 2^18 + 1, which
 * a 24-bit index or a float counter cannot hold; 32 bits do not hold as many of the least i8, or of the
 * greatest i8 or u8. */
extern const struct red_size_point red_size_points[];
extern const size_t red_size_points_n;

/* Chooses the n at which every program that verify compiles meets all data; checks nothing: one below 17, one
 * below 128, and one of two to four turns of all lanes (turn_n elements, but 64 at least, and of more than
 * 2^17 so many) with a rest; which, follows from the seed. */
enum { RED_PROGRAM_SIZES_N = 3 };
void red_program_sizes_choose(uint64_t turn_n, uint64_t seed, uint64_t sizes[RED_PROGRAM_SIZES_N]);

/* The n of a point for this group size. */
uint64_t red_size_of_point(const struct red_size_point *point, uint64_t group_size);

/* How many of sizes_n ascending sizes are less than n: where n stands among them, or belongs. */
size_t red_sizes_count_below(const uint64_t *sizes, size_t sizes_n, uint64_t n);

/* Inserts n into ascending sizes, of which there is room for so many, unless it is there or no room is. */
void red_sizes_insert(uint64_t *sizes, size_t *sizes_n, size_t room, uint64_t n);

/* "2^k", "2^k+1" or "2^k-1" where n is that for k from 10 on, a decimal number otherwise. */
struct red_short_text red_size_text(uint64_t n);

#endif
