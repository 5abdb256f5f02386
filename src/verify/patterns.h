/* What the wrong checks of a strategy have in common, and right ones have not: "all 216 wrong checks have n
 * mod 64 = 1; 0 of 530 right ones do". `verify` prints it below the wrong checks that it shows. */
#ifndef CLREDUCE_VERIFY_PATTERNS_H
#define CLREDUCE_VERIFY_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/input.h"

/* What is known of a check that ended right or wrong. */
struct red_fact {
    uint64_t n;         /* elements of the call, or of a segment; of a wrong prefix its own */
    uint64_t groups_n;  /* of the launch */
    uint32_t shorter_n; /* of a right one: the first n - 1 to n - shorter_n elements were right, too */
    uint32_t group_size, lanes, bins_n; /* bins: 0 where there are none */
    unsigned char type, op;             /* of red_dtypes and red_ops */
    unsigned char data;                 /* an enum red_pattern */
    bool wrong;
};

/* Those of one strategy on one device; zero at first. */
struct red_facts {
    struct red_fact *all; /* owned; at most RED_FACTS_MAX, the first ones */
    size_t n;
    size_t left_out_n; /* for want of room */
};
enum { RED_FACTS_MAX = 1 << 18 };

void red_facts_add(struct red_facts *facts, const struct red_fact *fact);
void red_facts_clear(struct red_facts *facts);

/* Calls `tell` with each of at most three sentences, none where the checks are too few to tell. A sentence
 * has up to three conditions, each of which leaves at most half of the right checks that those before it
 * leave; no more than are needed until the right checks left are a tenth of the wrong ones. It is told where
 *   all wrong checks have them, or a part of these, a quarter and three at the least, where not all have any;
 *   three or more checks are right, and at most half of them have them, of a part a tenth; and
 *   if wrong checks had them no more often than right ones, so many would by chance once in 10^(3 + 3 x
 *   conditions) at most: C(W, w) ((r + 1) / (R + 1))^w, where w of W wrong and r of R right ones have them;
 *   this is no less than the tail of the binomial distribution. */
typedef void red_pattern_teller(void *context, const char *sentence);
void red_facts_tell_patterns(const struct red_facts *facts, red_pattern_teller *tell, void *context);

#endif
