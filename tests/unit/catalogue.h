/* The catalogue, for all tests of a file. After testing.h. */
#ifndef CLREDUCE_TESTS_CATALOGUE_H
#define CLREDUCE_TESTS_CATALOGUE_H

#include "model/catalogue.h"

static struct red_catalogue *catalogue;

static int open_catalogue(void **state) {
    return red_catalogue_create(&catalogue, NULL) == RED_OK ? 0 : -1;
}

static int close_catalogue(void **state) {
    red_catalogue_destroy(catalogue);
    return 0;
}

#define SET_UP    open_catalogue
#define TEAR_DOWN close_catalogue

#endif
