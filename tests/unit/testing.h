/* What every unit test begins with: cmocka, what it wants before it, and the C library. A test is a function
 *     static void what_is_so(void **state) {
 * and the build lists and runs all that a file has (tests/unit/unit_main.cmake), between what the file may
 * define as SET_UP and TEAR_DOWN. */
#ifndef CLREDUCE_TESTS_TESTING_H
#define CLREDUCE_TESTS_TESTING_H

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/status.h"
#include "tests/unit/folder.h"

/* cmocka gives each test a state; few tests use it. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* The seed of this run, another one at each, which it prints; SEED=N in the environment does the same again.
 */
static inline uint64_t seed_of_run(void) {
    const char *given = getenv("SEED");
    const uint64_t seed = given != NULL ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    print_message("SEED=%llu\n", (unsigned long long)seed);
    return seed;
}

/* A text holds a part. */
#define assert_has(text, part) assert_has_at(text, part, __FILE__, __LINE__)
static inline void assert_has_at(const char *text, const char *part, const char *file, int line) {
    if (strstr(text, part) != NULL)
        return;
    print_error("no '%s' in: %s\n", part, text);
    _fail(file, line);
}

/* A number is the one that is wanted, give or take a tolerance. cmocka compares as float. */
#define assert_near(found, wanted, tolerance) assert_near_at(found, wanted, tolerance, __FILE__, __LINE__)
static inline void assert_near_at(double found, double wanted, double tolerance, const char *file, int line) {
    if (fabs(found - wanted) <= tolerance)
        return;
    print_error("%.9g, not %.9g\n", found, wanted);
    _fail(file, line);
}

/* A call succeeded. */
#define assert_ok(status, error) assert_told("a call", status, error, NULL)

/* A call succeeded, where `part` is NULL; otherwise it refused its input `what` with a text that holds the
 * part. */
#define assert_told(what, status, error, part) assert_told_at(what, status, error, part, __FILE__, __LINE__)
static inline void assert_told_at(const char *what, enum red_status status, const struct red_error *error,
                                  const char *part, const char *file, int line) {
    if (part == NULL ? status == RED_OK : status == RED_E_INPUT && strstr(error->text, part) != NULL)
        return;
    print_error("'%s': status %d, '%s'; expected %s%s\n", what, (int)status,
                status != RED_OK ? error->text : "", part != NULL ? "a refusal with: " : "success",
                part != NULL ? part : "");
    _fail(file, line);
}

#endif
