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
    enum red_litmus_verdict verdict;   /* of the device's OpenCL version */
    bool is_advertised;                /* where the verdict is forbidden: the order and scope */
    bool is_alone;                     /* the test had a program of its own */
    struct red_litmus_outcome outcome; /* zero where there is none */
    char reason[256];                  /* of what failed, or cannot be seen; or empty */
};

/* A row before the test is run: not observable. Asks for capabilities where the verdict is forbidden. */
struct red_litmus_row red_litmus_row_begin(struct red_client *client, const struct red_litmus_test *test);

/* Runs the row's test through the device's worker, for budget_s at most, and judges what was seen. Its
 * program is that of the tests that `beside` chooses (red_client_litmus); where that does not build, or the
 * worker is lost, another of them may be the reason, and the test is asked once more with a program of its
 * own. Errors: RED_E_INTERRUPTED, RED_E_MEMORY; what a driver does is an answer. */
enum red_status red_litmus_find(struct red_client *client, const char *beside, uint64_t seed, double budget_s,
                                struct red_litmus_row *row, struct red_error *error);

/* A table of all columns (results/litmus.schema.json), and the row in it. */
struct red_table *red_litmus_table_create(void);
void red_litmus_table_add(struct red_table *table, const struct red_device_info *info, uint64_t seed,
                          const struct red_litmus_row *row);

/* A table of what a person wants of each row for which has_row holds (NULL: of all), what is wrong first. */
struct red_table *red_litmus_short_table(const struct red_litmus_row *rows, size_t rows_n,
                                         bool (*has_row)(const struct red_litmus_row *row));

/* Prints the rows of a device so that they fit a screen: a table of those in which something could be seen;
 * where they are too many, of what is wrong and of the idioms that kernels stand on, and below it the names
 * of the others by answer. What cannot be seen here is told by name, each reason once. */
void red_litmus_print(const struct red_device_info *info, const struct red_litmus_row *rows, size_t rows_n,
                      FILE *out);

#endif
