/* The work-group sizes that probes ask (cl/probe.c, cl/group_probe.c), in words for `devices`, and when an
 * answer that may depend on the moment has been asked often enough. */
#include "model/asked_sizes.h"

#include <stdio.h>

#include "core/text.h"

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

/* Probes go through all i (cl/probe.c, cl/group_probe.c); result files list `asked` and `wrong` sizes. */
size_t red_probed_group_size(unsigned i, size_t largest) {
    if (i < RED_GROUP_SIZES_N - 1)
        return asked_sizes[i] <= largest ? asked_sizes[i] : 0;
    for (unsigned other = 0; other < RED_GROUP_SIZES_N - 1; other++)
        if (asked_sizes[other] == largest)
            return 0;
    return largest;
}

/* `sizes`, here and in the next functions, are what probes found of one form of a need. */
bool red_group_sizes_any_right(const struct red_group_sizes *sizes) {
    return sizes->right != 0;
}

bool red_group_sizes_all_asked_right(const struct red_group_sizes *sizes) {
    return sizes->asked != 0 && sizes->right == sizes->asked;
}

static bool is_power_of_two(size_t size) {
    return (size & (size - 1)) == 0;
}

/* 0: a power of two; 1: another whole multiple of 32; 2: any other size. */
static unsigned size_kind(size_t size) {
    return is_power_of_two(size) ? 0 : size % 32 == 0 ? 1 : 2;
}

static bool has_bit(uint32_t bits, unsigned i) {
    return bits >> i & 1;
}

/* The probed sizes next to this one, itself among them, of its kind or of any: their bits, or -1 where there
 * is none. */
static void find_probed_neighbours(const struct red_group_sizes *sizes, size_t size, bool of_any_kind,
                                   int *below_i, int *above_i) {
    size_t below_size = 0, above_size = SIZE_MAX;
    *below_i = *above_i = -1;
    for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++) {
        size_t asked = red_probed_group_size(i, sizes->largest);
        if (!has_bit(sizes->asked, i) || (!of_any_kind && size_kind(asked) != size_kind(size)))
            continue;
        if (asked <= size && asked > below_size) {
            below_size = asked;
            *below_i = (int)i;
        }
        if (asked >= size && asked < above_size) {
            above_size = asked;
            *above_i = (int)i;
        }
    }
}

bool red_group_sizes_right_at(const struct red_group_sizes *sizes, size_t size) {
    int below_i, above_i, any_below_i;
    if (size == 0 || red_group_sizes_all_asked_right(sizes)) /* as it is told: any */
        return size > 0;
    find_probed_neighbours(sizes, size, false, &below_i, &above_i);
    if (above_i < 0)
        find_probed_neighbours(sizes, size, true, &any_below_i, &above_i);
    return below_i >= 0 && has_bit(sizes->right, (unsigned)below_i) &&
           (above_i < 0 || has_bit(sizes->right, (unsigned)above_i));
}

/* ---- in words ------------------------------------------------------------------------------------------ */

/* A rule that red_group_sizes_format tries on sizes that were asked; the first that fits is its text. */
typedef bool size_rule(size_t size, size_t parameter);

static bool is_at_least(size_t size, size_t least) {
    return size >= least;
}
static bool is_at_most(size_t size, size_t most) {
    return size <= most;
}
static bool is_multiple(size_t size, size_t of) {
    return size % of == 0;
}
static bool is_any_power_of_two(size_t size, size_t unused) {
    (void)unused;
    return is_power_of_two(size);
}

/* Whether exactly those asked sizes were right that the rule describes: then devices prints the rule. */
static bool rule_fits(const struct red_group_sizes *sizes, size_rule *rule, size_t parameter) {
    for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++)
        if (has_bit(sizes->asked, i) &&
            rule(red_probed_group_size(i, sizes->largest), parameter) != has_bit(sizes->right, i))
            return false;
    return true;
}

/* The least and the greatest that were right; 0 and 0 where none was. */
static void find_right_range(const struct red_group_sizes *sizes, size_t *least, size_t *greatest) {
    *least = *greatest = 0;
    for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++) {
        size_t size = red_probed_group_size(i, sizes->largest);
        if (!has_bit(sizes->right, i))
            continue;
        *least = *least == 0 || size < *least ? size : *least;
        *greatest = size > *greatest ? size : *greatest;
    }
}

/* Those that were right, ascending: "1, 2, 64". */
static void right_sizes_format(const struct red_group_sizes *sizes, char *text, size_t text_bytes) {
    size_t before = 0, greatest, least;
    find_right_range(sizes, &least, &greatest);
    text[0] = '\0';
    while (before != greatest) {
        size_t next = greatest;
        for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++) {
            size_t size = red_probed_group_size(i, sizes->largest);
            if (has_bit(sizes->right, i) && size > before && size < next)
                next = size;
        }
        red_text_add(text, text_bytes, "%s%zu", before ? ", " : "", next);
        before = next;
    }
}

void red_group_sizes_format(const struct red_group_sizes *sizes, char *text, size_t text_bytes) {
    static const size_t multiples[] = {256, 128, 64, 32, 16, 8, 4, 2}; /* the one that promises least */
    size_t least, greatest;
    find_right_range(sizes, &least, &greatest);
    if (!red_group_sizes_any_right(sizes) || red_group_sizes_all_asked_right(sizes)) {
        snprintf(text, text_bytes, "%s", red_group_sizes_any_right(sizes) ? "any" : "none");
        return;
    }
    if (least != greatest && rule_fits(sizes, is_at_least, least)) {
        snprintf(text, text_bytes, "from %zu on", least);
        return;
    }
    if (least != greatest && rule_fits(sizes, is_at_most, greatest)) {
        snprintf(text, text_bytes, "up to %zu", greatest);
        return;
    }
    for (size_t m = 0; m < sizeof multiples / sizeof multiples[0] && least != greatest; m++) {
        if (rule_fits(sizes, is_multiple, multiples[m])) {
            snprintf(text, text_bytes, "multiples of %zu", multiples[m]);
            return;
        }
    }
    if (rule_fits(sizes, is_any_power_of_two, 0))
        snprintf(text, text_bytes, "powers of two");
    else
        right_sizes_format(sizes, text, text_bytes);
}

/* ---- asked again and again ----------------------------------------------------------------------------- */

/* cl/probe.c adds each answer of what is polled while a kernel runs; `devices` has both numbers. */
void red_repeats_add(struct red_repeats *repeats, unsigned size_i, bool is_right) {
    repeats->asked_n++;
    repeats->right_n += is_right;
    repeats->wrong_in_a_row_n = is_right ? 0 : repeats->wrong_in_a_row_n + 1;
    *(is_right ? &repeats->right : &repeats->wrong) |= 1u << size_i;
}

bool red_repeats_differ(const struct red_repeats *repeats) {
    return (repeats->right & repeats->wrong) != 0;
}

bool red_repeats_suffice(const struct red_repeats *repeats, size_t sizes_n, double spent_s) {
    enum { WRONG_MIN = 3, ASKED_MIN = 16, ASKED_MAX = 64 };
    const double usual_s = 0.05, slow_s = 0.5;
    const bool differ = red_repeats_differ(repeats);
    if (repeats->asked_n >= ASKED_MAX || spent_s < usual_s)
        return repeats->asked_n >= ASKED_MAX;
    if (!differ && repeats->wrong_in_a_row_n >= WRONG_MIN)
        return true;
    return (repeats->asked_n >= ASKED_MIN || spent_s >= slow_s) && (differ || repeats->right_n >= sizes_n);
}
