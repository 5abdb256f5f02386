/* At which work-group sizes something behaves: what a few sizes that were asked say about all of them. */
#ifndef CLREDUCE_MODEL_GROUP_SIZES_H
#define CLREDUCE_MODEL_GROUP_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many sizes a probe may ask; the last of them is the device's largest. */
enum { RED_GROUP_SIZES_N = 14 };

struct red_group_sizes {
    uint32_t asked, right; /* bit i: the i-th size of red_group_size_at */
    size_t largest;        /* of the device, for the probe's kernel */
};

/* The i-th size, in the order in which they are asked; 0 where the device takes no such group, or it is among
 * the others already. */
size_t red_group_size_at(unsigned i, size_t largest);

/* Whether anything was asked and right; whether all was. */
bool red_group_sizes_any(const struct red_group_sizes *sizes);
bool red_group_sizes_all(const struct red_group_sizes *sizes);

/* Whether it can be relied on at this size. A size that was asked has its own answer. Another one goes by its
 * neighbours, the next smaller and the next larger one of its kind that were asked: both must be right. Where
 * no larger one of its kind was asked, the next larger one of any kind must be, if there is one. Kinds:
 * powers of two, where trees halve evenly; other whole multiples of 32, where sub-groups of most devices are
 * full; all other sizes, where lanes are idle. */
bool red_group_sizes_hold(const struct red_group_sizes *sizes, size_t size);

/* Writes where it is right, in a few words: "any", "none", "from 3 on", "up to 8", "multiples of 32", "powers
 * of two", "1, 2, 64". */
void red_group_sizes_print(const struct red_group_sizes *sizes, char *text, size_t text_bytes);

#endif
