/* What probes found of one thing at several work-group sizes, and how often they ask where the answer may
 * depend on the moment. Capabilities (model/capability.h) are judged by it: `devices` prints "from 3 on", or
 * "unsteady, right 61 of 64 times". */
#ifndef CLREDUCE_MODEL_ASKED_SIZES_H
#define CLREDUCE_MODEL_ASKED_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- work-group sizes ------------------------------------------------------------------------------------
 * At which work-group sizes something behaves: what a few sizes that probes asked say about all of them. No
 * size here is a user's --wg. */

/* How many sizes a probe may ask; the last of them is the device's largest. */
enum { RED_GROUP_SIZES_N = 14 };

struct red_group_sizes {
    uint32_t asked, right; /* bit i: the i-th size of red_probed_group_size */
    size_t largest;        /* of the device, for the probe's kernel */
};

/* The i-th of the work-group sizes (not ascending) at which probes ask a device; i is below
 * RED_GROUP_SIZES_N. 0 means: skip this i, and go on: the device takes no such group, or the size is among
 * the others already. */
size_t red_probed_group_size(unsigned i, size_t largest);

/* Whether it is right at a size that was asked; whether it is at all of them, of which there must be one. */
bool red_group_sizes_any_right(const struct red_group_sizes *sizes);
bool red_group_sizes_all_asked_right(const struct red_group_sizes *sizes);

/* Whether it can be relied on at this size. A size that was asked has its own answer. Another one goes by its
 * neighbours, the next smaller and the next larger one of its kind that were asked: both must be right. Where
 * no larger one of its kind was asked, the next larger one of any kind must be, if there is one. Kinds:
 * powers of two, where trees halve evenly; other whole multiples of 32, where sub-groups of most devices are
 * full; all other sizes, where lanes are idle. */
bool red_group_sizes_right_at(const struct red_group_sizes *sizes, size_t size);

/* Writes where it is right, in a few words: "any", "none", "from 3 on", "up to 8", "multiples of 32", "powers
 * of two", "1, 2, 64". Result files have these words, and so has the reason of an unsupported cell: "right:
 * 1, 2, 64". */
void red_group_sizes_format(const struct red_group_sizes *sizes, char *text, size_t text_bytes);

/* ---- asked again and again ----------------------------------------------------------------------------- */

/* Answers of a probe that is asked again and again, since they may depend on the moment: host and kernel use
 * the same memory at the same time. All zero at the start, and of probes that are asked once. */
struct red_repeats {
    unsigned asked_n, right_n, wrong_in_a_row_n;
    uint32_t right, wrong; /* bit i: an answer at the i-th size of red_probed_group_size was so */
};

/* Adds an answer at the i-th size. */
void red_repeats_add(struct red_repeats *repeats, unsigned size_i, bool is_right);

/* Whether a size gave answers of both kinds. */
bool red_repeats_differ(const struct red_repeats *repeats);

/* Whether to ask no more after so many seconds, where sizes_n sizes are asked in turn and a size with a wrong
 * answer is asked again: after 64 answers; after 50 ms and 16 answers, or half a second, if answers differ or
 * all sizes were right; after 50 ms if only wrong ones came at a size, 3 in a row. */
bool red_repeats_suffice(const struct red_repeats *repeats, size_t sizes_n, double spent_s);

#endif
