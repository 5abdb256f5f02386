/* The run of litmus tests on a device, what it means, and its table. */
#ifndef CLREDUCE_LITMUS_LITMUS_H
#define CLREDUCE_LITMUS_LITMUS_H

#include "cl/litmus.h"
#include "console/table.h"
#include "worker/client.h"

/* What was found of a test on a device. */
enum red_litmus_answer {
    RED_LITMUS_BROKEN,         /* a forbidden outcome was seen, the verdict is settled, and the device
                                  advertises the order and scope */
    RED_LITMUS_FINDING,        /* a forbidden outcome was seen, and one of these is not so */
    RED_LITMUS_FAILED,         /* nobody knows: it does not build, crashed, hung */
    RED_LITMUS_SEEN,           /* an outcome that is allowed, or about which nothing is promised */
    RED_LITMUS_NOT_SEEN,       /* not seen, where a weakened twin was */
    RED_LITMUS_NOT_OBSERVABLE, /* not seen, and no twin either */
    RED_LITMUS_ANSWERS_N
};
extern const char *const red_litmus_answer_names[RED_LITMUS_ANSWERS_N];

struct red_litmus_row {
    const struct red_litmus_test *test; /* borrowed */
    enum red_litmus_answer answer;
    enum red_litmus_verdict verdict; /* of the device's OpenCL version */
    bool is_advertised;
    bool is_alone;                     /* the test had a program of its own */
    struct red_litmus_outcome outcome; /* zero where there is none */
    char reason[256];                  /* of what failed, or cannot be seen; or empty */
};

/* Runs the test through the device's worker, for budget_s at most, and judges what was seen. Its program is
 * that of the tests that `beside` chooses (red_client_litmus); where that does not build, or the worker is
 * lost, another of them may be the reason, and the test is asked once more with a program of its own. Errors:
 * RED_E_INTERRUPTED, RED_E_MEMORY; what a driver does is an answer. */
enum red_status red_litmus_find(struct red_client *client, const struct red_litmus_test *test,
                                const char *beside, uint64_t seed, double budget_s,
                                struct red_litmus_row *row, struct red_error *error);

/* What was found in words: "0 of 4.0e8, where no_fence shows 2.7e6". */
void red_litmus_row_format(const struct red_litmus_row *row, char *text, size_t text_bytes);

/* A table of all columns, and the row in it; `device` names the device. */
struct red_table *red_litmus_table_create(void);
void red_litmus_table_add(struct red_table *table, const char *device, const struct red_litmus_row *row);

/* Prints what a person wants of a device: rows in which something was seen, or where nothing is promised and
 * nothing was seen; then, as names, what is kept as promised and what cannot be seen here, each with the
 * reason once. */
void red_litmus_print(const struct red_device_info *info, const struct red_litmus_row *rows, size_t rows_n,
                      FILE *out);

#endif
