/* Judges idioms of order between groups by litmus tests (kernels_cl12|20/litmus): cl/probe.c calls it in a
 * worker. `devices` prints what was seen, and where a strategy stands on an idiom that was seen broken its
 * cell is `unsupported`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/cl_private.h"
#include "cl/litmus.h"
#include "core/text.h"

/* A GPU that loses an order shows it within a few ms. */
static const double TEST_S = 0.1;

/* The same launches each time: what a probe has seen, it sees again. */
enum { SEED = 1, TESTS_MAX = 2 };

/* One item publishes to another, and all items of a group to all of another, which is what reductions do. */
#define IDIOM(need) [RED_NEED_INDEX_##need - RED_ORDER_FIRST]
static const char *const idiom_tests[RED_ORDER_NEEDS_N][TESTS_MAX] = {
    IDIOM(WORD_PUBLICATION) = {"word64_volatile"},
    IDIOM(DEVICE_MEM_FENCE) = {"mp_mem_fence", "publish_all_mem_fence"},
    IDIOM(WRITE_READ_FENCE) = {"mp_write_read_fence", "publish_one_fence"},
    IDIOM(C11_DEVICE_ORDER) = {"mp_plain_rel_acq", "publish_acq_rel"}};

bool red_need_is_of_order(enum red_need_index need) {
    return need >= RED_NEED_INDEX_WORD_PUBLICATION && need <= RED_NEED_INDEX_C11_DEVICE_ORDER;
}

/* Runs one test and adds what was seen to the answer. A test that the device cannot show, or has no memory
 * for, shows nothing: that is no fault, but no proof either. */
static enum red_status run_test_and_add(struct red_device *device, const struct red_litmus_test *test,
                                        struct red_order_answer *answer, struct red_error *error) {
    struct red_litmus_outcome outcome;
    struct red_error found = {.text = ""};
    const char *why = red_litmus_why_not_here(&device->info, test);
    struct red_short_text seen;
    enum red_status status =
        why != NULL ? red_fail(&found, RED_E_UNSUPPORTED, "%s", why)
                    : red_litmus_run(device, test, 1, test, NULL, SEED, TEST_S, &outcome, &found);
    if (status == RED_E_BUILD)
        return red_fail(error, status, "%s", found.text);
    if (status == RED_OK)
        seen = red_litmus_outcome_text(test, &outcome);
    else
        snprintf(seen.text, sizeof seen.text, "not observable here: %.*s", 70, found.text);
    answer->is_built = answer->is_built || status == RED_OK;
    answer->is_shown = answer->is_shown && status == RED_OK && outcome.of[0].instances > 0 &&
                       red_litmus_best_mutant(&outcome) > 0;
    if (why == NULL || strstr(answer->text, why) == NULL)
        red_text_add(answer->text, sizeof answer->text, "%s%s: %s", answer->text[0] ? "; " : "", test->name,
                     seen.text);
    return status == RED_OK && outcome.of[0].weak > 0 ? red_fail(error, RED_E_WRONG, "%s", answer->text)
                                                      : RED_OK;
}

/* Runs the tests of an idiom until one shows a weak outcome. */
static void ask(struct red_device *device, const char *const names[TESTS_MAX],
                struct red_order_answer *answer) {
    struct red_litmus_test *tests = NULL;
    size_t tests_n = 0;
    *answer = (struct red_order_answer){.is_known = true, .is_shown = true};
    enum red_status status = red_litmus_list(&tests, &tests_n, &answer->error);
    for (size_t i = 0; i < TESTS_MAX && status == RED_OK; i++) {
        const struct red_litmus_test *test = red_litmus_by_name(tests, tests_n, names[i]);
        if (test != NULL)
            status = run_test_and_add(device, test, answer, &answer->error);
        else if (names[i] != NULL)
            status = red_fail(&answer->error, RED_E_INPUT, "there is no litmus test %s", names[i]);
    }
    free(tests);
}

enum red_status red_order_probe_run(struct red_device *device, enum red_need_index need,
                                    enum red_c_standard standard, struct red_capability *capability,
                                    struct red_error *error) {
    const size_t idiom = need - RED_ORDER_FIRST;
    struct red_order_answer *answer = &device->orders[idiom];
    if (need == RED_NEED_INDEX_C11_DEVICE_ORDER && standard == RED_CL12)
        return red_fail(error, RED_E_UNSUPPORTED, "OpenCL C 1.2 has no orders and scopes");
    if (!answer->is_known)
        ask(device, idiom_tests[idiom], answer);
    const enum red_status status = answer->error.status;
    capability->builds = answer->is_built ? RED_YES : status == RED_E_BUILD ? RED_NO : RED_UNKNOWN;
    if (status != RED_OK)
        return red_fail(error, status, "%s", answer->error.text);
    capability->is_trusted = !answer->is_shown;
    snprintf(capability->reason, sizeof capability->reason, "%s", answer->text);
    return RED_OK;
}
