/* What every unit test begins with: cmocka, what it wants before it, and the C library. */
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
#include <unistd.h>

/* cmocka gives each test a state; few tests use it. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#endif
