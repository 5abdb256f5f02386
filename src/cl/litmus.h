/* Runs litmus tests on a device: kernels from events, launches in drawn stress, counts of weak outcomes. A
 * worker asks, since a driver may crash or hang. */
#ifndef CLREDUCE_CL_LITMUS_H
#define CLREDUCE_CL_LITMUS_H

#include "cl/device.h"
#include "core/text.h"
#include "model/litmus.h"

/* The parameters of a launch, drawn from the seed (litmus-generator and the WebGPU conformance tests have the
 * like: Levine et al., "MC Mutants", ASPLOS 2023, section 4.1): the words of a kernel's `p`, which have the
 * members' names in it (cl/litmus_text.c). */
struct red_litmus_parameters {
    uint32_t instances;                          /* of the test in a launch */
    uint32_t groups;                             /* that run it; the others of the launch disturb */
    uint32_t stride;                             /* words between two instances of a word */
    uint32_t distance, shift;                    /* groups, and items, between the items of an instance */
    uint32_t reverse;                            /* whether items take their roles in reverse */
    uint32_t preload;                            /* whether the line of each word is loaded first */
    uint32_t in_step, meet_polls;                /* whether groups wait for each other, and for how long */
    uint32_t rounds, polls;                      /* of a publication, and of its flag */
    uint32_t spread;                             /* order of groups */
    uint32_t turns, scratch_mask, pattern, seed; /* of the disturbance */
    uint32_t base[RED_LITMUS_WORDS_MAX], factor[RED_LITMUS_WORDS_MAX]; /* where each word begins, and what
                                                                         its instances are scrambled by */
};

/* Whether the kernels of two tests may stand in one program: they are of one family and compiled by the same
 * standard. Those with words of 64 bits stand apart, as do those of the scope of all devices: many a driver
 * does not build these. */
bool red_litmus_shares_program(const struct red_litmus_test *left, const struct red_litmus_test *right);

/* The text of a program of tests that share one. A test "sb_sc" has the kernels "sb_sc_v0", the test itself,
 * "sb_sc_v1", its first mutant, and so on, and "sb_sc_count", which counts weak outcomes and makes all words
 * 0 again. Release with free. stepped  for groups of one item, each of which has one role and meets the
 * others at each instance: for a CPU, whose groups run in a few threads Errors: RED_E_MEMORY. */
enum red_status red_litmus_text(const struct red_litmus_test *const *tests, size_t tests_n, bool stepped,
                                char **text, struct red_error *error);

/* What was seen of a test or of a mutant. */
struct red_litmus_seen {
    uint64_t instances, weak;
    double first_s; /* of launching it until the first weak outcome; 0: none */
};

struct red_litmus_outcome {
    struct red_litmus_seen of[1 + RED_LITMUS_MUTANTS_MAX]; /* the test, then its mutants */
    unsigned variants_n;
    double took_s; /* of all launches, without compiling */
};

/* Launches the test and its mutants in turn, in stress drawn from the seed and kept where mutants show, until
 * the first weak outcome of the test, or for budget_s. It is one of tests; those of them that `beside`
 * chooses (red_select_matches), that share a program with it and that the device may show are built with it:
 * the device keeps the program for them. Errors: RED_E_UNSUPPORTED where the device cannot show it (an item
 * alone, groups one after another); those of building, which may be another test's, and of OpenCL calls. */
enum red_status red_litmus_run(struct red_device *device, const struct red_litmus_test *tests, size_t tests_n,
                               const struct red_litmus_test *test, const char *beside, uint64_t seed,
                               double budget_s, struct red_litmus_outcome *outcome, struct red_error *error);

/* Why a device of that kind cannot show the test's weak outcome, whatever its driver does; NULL: it may
 * (Sewell et al., "x86-TSO", CACM 53 (7), 2010). */
const char *red_litmus_why_not_here(const struct red_device_info *info, const struct red_litmus_test *test);

/* The mutant that was seen most often in the same stress; 0: none. */
unsigned red_litmus_best_mutant(const struct red_litmus_outcome *outcome);

/* In words: "1294 of 3.4e+04"; and with the mutant that was seen most often: "0 of 4e+08; no_fence: 2.7e+06
 * of 4e+08". */
struct red_short_text red_litmus_seen_text(const struct red_litmus_seen *seen);
struct red_short_text red_litmus_outcome_text(const struct red_litmus_test *test,
                                              const struct red_litmus_outcome *outcome);

/* What the disturbance and the meeting do, against what their parameters say. */
struct red_litmus_stress {
    uint64_t words_asked, words_written; /* distinct words of the scratch */
    uint64_t groups_n, groups_met_n;     /* groups of a launch, and those that have seen all others */
};
enum red_status red_litmus_check_stress(struct red_device *device, uint64_t seed,
                                        struct red_litmus_stress *stress, struct red_error *error);

#endif
