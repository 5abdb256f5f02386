/* How long a check will take, from checks that were made. */
#ifndef CLREDUCE_WORKER_PACE_H
#define CLREDUCE_WORKER_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: nothing is known, and nothing is expected to take any time. */
struct red_pace {
    double s_per_element;
    double slow_s;    /* a call of */
    uint64_t slow_n;  /* elements took so long, which no noise does; 0: none has */
    double least_s;   /* the fastest call of all; 0: nothing is known */
    uint64_t least_n; /* the fewest elements that any call had */
};

/* A check of n elements was made, and the fastest of its calls took call_s. Contention can cost a check a
 * hundred times another of its size: the slowest check counts. Small n teach nothing, since a launch or one
 * turn of another process outweighs them, unless a call takes a twentieth of a second: then more elements are
 * not expected to take less. */
void red_pace_learn(struct red_pace *pace, uint64_t n, double call_s);

/* Seconds that a call of n elements is expected to take, in proportion to n; from `wider` where nothing is
 * known of `own`. */
double red_pace_call_s(const struct red_pace *own, const struct red_pace *wider, uint64_t n);

/* The same from what other types of a strategy took: this one may be four times as fast, but where a call of
 * few elements is slow, as many or more are not expected to take less. */
double red_pace_foreign_s(const struct red_pace *others, uint64_t n);

/* Seconds that a call of n elements takes at least, as all did so far; 0 where none had so few. */
double red_pace_least_s(const struct red_pace *pace, uint64_t n);

/* How much there is to verify. */
struct red_extent {
    size_t checks_n, programs_n;
    double elements, made; /* the n of all checks together, and of the different data among them */
};

/* About how many seconds that takes, from one check whose program was new, which took program_s. The rest is
 * what a check and its elements took two CPU drivers on a common machine; a program costs more than these. */
double red_extent_s(const struct red_extent *extent, double program_s);

/* What compiling both forms of a kernel took two CPU drivers on a common machine. */
#define RED_PROGRAM_S 0.5

/* Whether an expectation was wrong by more than half, and by 20 s. */
bool red_far_off(double spent_s, double expected_s);

/* "40 s", "12 minutes", "1.6 hours". */
void red_duration_print(double seconds, char *text, size_t text_bytes);

#endif
