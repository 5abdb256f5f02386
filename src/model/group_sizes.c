#include "model/group_sizes.h"

#include <stdio.h>

/* What each is for, by what drivers get wrong:
 *   64, 32          what most strategies use: a driver that does not survive these is not asked much more
 *   1, 2            a group that is hardly one: PoCL 6.0 does not link its built-ins for these
 *   3, 7, 33, 100   no power of two, and lanes of the last sub-group are idle, whatever their number: an
 *                   identity that is none shows (NVIDIA's min and max), as does a tree that only halves
 *   4, 8            the smallest powers of two that are neither 1 nor 2; rusticl 22.3 adds the first 8 items
 *   96              whole sub-groups of 32, and neither a power of two nor, where they have 64, whole
 *   128, 256        more sub-groups than one of them holds lanes, where these are few
 *   the largest     what a driver does not reserve memory for
 */
static const size_t asked_sizes[RED_GROUP_SIZES_N - 1] = {64, 32, 3, 1, 2, 4, 7, 8, 33, 96, 100, 128, 256};

size_t red_group_size_at(unsigned i, size_t largest) {
    if (i < RED_GROUP_SIZES_N - 1)
        return asked_sizes[i] <= largest ? asked_sizes[i] : 0;
    for (unsigned other = 0; other < RED_GROUP_SIZES_N - 1; other++)
        if (asked_sizes[other] == largest)
            return 0;
    return largest;
}

bool red_group_sizes_any(const struct red_group_sizes *sizes) {
    return sizes->right != 0;
}

bool red_group_sizes_all(const struct red_group_sizes *sizes) {
    return sizes->asked != 0 && sizes->right == sizes->asked;
}

static bool is_power(size_t size) {
    return (size & (size - 1)) == 0;
}

static unsigned kind_of(size_t size) {
    return is_power(size) ? 0 : size % 32 == 0 ? 1 : 2;
}

static bool bit(uint32_t bits, unsigned i) {
    return bits >> i & 1;
}

/* The asked sizes next to this one, itself among them, of its kind or of any; bit numbers, or -1. */
static void neighbours(const struct red_group_sizes *sizes, size_t size, bool of_any, int *below,
                       int *above) {
    size_t below_size = 0, above_size = SIZE_MAX;
    *below = *above = -1;
    for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++) {
        size_t asked = red_group_size_at(i, sizes->largest);
        if (!bit(sizes->asked, i) || (!of_any && kind_of(asked) != kind_of(size)))
            continue;
        if (asked <= size && asked > below_size) {
            below_size = asked;
            *below = (int)i;
        }
        if (asked >= size && asked < above_size) {
            above_size = asked;
            *above = (int)i;
        }
    }
}

bool red_group_sizes_hold(const struct red_group_sizes *sizes, size_t size) {
    int below, above, any_below;
    if (size == 0 || red_group_sizes_all(sizes)) /* as it is told: any */
        return size > 0;
    neighbours(sizes, size, false, &below, &above);
    if (above < 0)
        neighbours(sizes, size, true, &any_below, &above);
    return below >= 0 && bit(sizes->right, (unsigned)below) &&
           (above < 0 || bit(sizes->right, (unsigned)above));
}

/* ---- in words --------------------------------------------------------------------------------------------
 */

typedef bool describes(size_t size, size_t parameter);

static bool is_from(size_t size, size_t least) {
    return size >= least;
}
static bool is_up_to(size_t size, size_t most) {
    return size <= most;
}
static bool is_multiple(size_t size, size_t of) {
    return size % of == 0;
}
static bool is_any_power(size_t size, size_t unused) {
    (void)unused;
    return is_power(size);
}

static bool fits(const struct red_group_sizes *sizes, describes *describe, size_t parameter) {
    for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++)
        if (bit(sizes->asked, i) &&
            describe(red_group_size_at(i, sizes->largest), parameter) != bit(sizes->right, i))
            return false;
    return true;
}

/* The least and the greatest that were right. */
static void ends(const struct red_group_sizes *sizes, size_t *least, size_t *greatest) {
    *least = *greatest = 0;
    for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++) {
        size_t size = red_group_size_at(i, sizes->largest);
        if (!bit(sizes->right, i))
            continue;
        *least = *least == 0 || size < *least ? size : *least;
        *greatest = size > *greatest ? size : *greatest;
    }
}

/* Those that were right, ascending: "1, 2, 64". */
static void list(const struct red_group_sizes *sizes, char *text, size_t text_bytes) {
    size_t used = 0, before = 0, greatest, least;
    ends(sizes, &least, &greatest);
    while (before != greatest && used < text_bytes) {
        size_t next = greatest;
        for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++) {
            size_t size = red_group_size_at(i, sizes->largest);
            if (bit(sizes->right, i) && size > before && size < next)
                next = size;
        }
        used += (size_t)snprintf(text + used, text_bytes - used, "%s%zu", before ? ", " : "", next);
        before = next;
    }
}

void red_group_sizes_print(const struct red_group_sizes *sizes, char *text, size_t text_bytes) {
    static const size_t multiples[] = {256, 128, 64, 32, 16, 8, 4, 2}; /* the one that promises least */
    size_t least, greatest;
    ends(sizes, &least, &greatest);
    if (!red_group_sizes_any(sizes) || red_group_sizes_all(sizes)) {
        snprintf(text, text_bytes, "%s", red_group_sizes_any(sizes) ? "any" : "none");
        return;
    }
    if (least != greatest && fits(sizes, is_from, least)) {
        snprintf(text, text_bytes, "from %zu on", least);
        return;
    }
    if (least != greatest && fits(sizes, is_up_to, greatest)) {
        snprintf(text, text_bytes, "up to %zu", greatest);
        return;
    }
    for (size_t m = 0; m < sizeof multiples / sizeof multiples[0] && least != greatest; m++) {
        if (fits(sizes, is_multiple, multiples[m])) {
            snprintf(text, text_bytes, "multiples of %zu", multiples[m]);
            return;
        }
    }
    if (fits(sizes, is_any_power, 0))
        snprintf(text, text_bytes, "powers of two");
    else
        list(sizes, text, text_bytes);
}
