#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/prober.h"

/* The test is its own child: the device's id says how the "driver" behaves. */
static int misbehave(const char *id) {
    if (strcmp(id, "crashes") == 0)
        raise(SIGKILL);
    if (strcmp(id, "hangs") == 0)
        sleep(30);
    return strcmp(id, "exits") == 0 ? 3 : 0;
}

static void ask(const char *program, const char *id, double limit_s, const char *expected) {
    struct red_prober *prober = NULL;
    struct red_capability capability = {.behaves = RED_YES};
    assert_int_equal(red_prober_create(program, id, limit_s, &prober, NULL), RED_OK);
    red_prober_ask(prober, NULL, RED_NEED_INDEX_COLLECTIVES32, RED_CL20, &capability);
    assert_int_equal(capability.behaves, RED_NO);
    assert_int_equal(capability.builds, RED_UNKNOWN);
    assert_string_equal(capability.reason, expected);
    /* And again: one that is gone is started anew. */
    red_prober_ask(prober, NULL, RED_NEED_INDEX_FP64, RED_CL12, &capability);
    assert_string_equal(capability.reason, expected);
    red_prober_destroy(prober);
}

static void a_driver_that_crashes_costs_an_answer(void **state) {
    (void)state;
    ask("/proc/self/exe", "crashes", 60, "the driver crashed building a probe (Killed)");
}

static void a_driver_that_hangs_costs_its_time(void **state) {
    (void)state;
    ask("/proc/self/exe", "hangs", 0.3, "the driver hung building a probe (over 0.3 s)");
}

static void a_driver_that_ends_the_program_is_named(void **state) {
    (void)state;
    ask("/proc/self/exe", "exits", 60, "the driver ended the program building a probe (exit status 3)");
    ask("/proc/self/exe", "ends", 60, "the driver ended the program building a probe (exit status 0)");
}

static void a_program_that_is_not_there_is_named(void **state) {
    (void)state;
    ask("/nowhere/clreduce", "any", 60, "/nowhere/clreduce could not be started: No such file or directory");
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "probe") == 0)
        return misbehave(argv[3]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_driver_that_crashes_costs_an_answer),
        cmocka_unit_test(a_driver_that_hangs_costs_its_time),
        cmocka_unit_test(a_driver_that_ends_the_program_is_named),
        cmocka_unit_test(a_program_that_is_not_there_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
