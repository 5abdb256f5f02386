/* What a wrong result is shown with: data set, expected, got, and which call it was. cl/case_check.c fills
 * it, worker/protocol.c carries it, files of `verify` hold it (results/verify_file.h). */
#ifndef CLREDUCE_MODEL_EVIDENCE_H
#define CLREDUCE_MODEL_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is wrong with a call: what explains most, where several things are. */
#define RED_FAULTS(X)                                                                                        \
    X(NONE, "none")                                                                                          \
    X(INPUT, "input")     /* the kernel wrote to its input */                                                \
    X(OUT, "out")         /* it stored behind the end of out */                                              \
    X(BEHIND, "behind")   /* it stored behind the one counter */                                             \
    X(COUNTER, "counter") /* it did not leave the counter at 0 */                                            \
    X(ANSWER, "answer")   /* expected and got differ */                                                      \
    X(BITS, "bits")       /* right, with other bits than in another call, against its `order: fixed` */

enum red_fault {
#define RED_FAULT_ENUM(id, name) RED_FAULT_##id,
    RED_FAULTS(RED_FAULT_ENUM)
#undef RED_FAULT_ENUM
        RED_FAULTS_N
};
extern const char *const red_fault_names[RED_FAULTS_N];

enum { RED_ANSWER_BYTES = 40 };

/* An answer as decimal text, which tells any two values of its type apart (red_value_format), and of argmin
 * and argmax where it stands. */
struct red_answer_text {
    char value[RED_ANSWER_BYTES]; /* empty: nothing is known of it */
    uint64_t place;
};

/* Expected and got are of the answer, whatever the fault is. */
struct red_evidence {
    enum red_fault fault;
    char data[64]; /* red_data_kind_format */
    bool has_place;
    unsigned bins_n; /* of a histogram, whose places are bins; otherwise 0 */
    struct red_answer_text expected, got;
    char low[RED_ANSWER_BYTES], high[RED_ANSWER_BYTES]; /* each value from low to high is right, too; empty
                                                           where only the expected one is */
    double bound;        /* the largest error that passes, where there is a range */
    uint64_t counter;    /* what the counter was left at */
    uint64_t segment;    /* which of the segments, of a strategy of segments */
    uint64_t segments_n; /* 0: any other strategy */
    char run[64];        /* "run 1", "run 2, second call", "after change 3" */
};

/* Writes where an answer stands: " at 17"; of a histogram " in bin 17" or " out of range". */
void red_place_format(uint64_t place, unsigned bins_n, char *text, size_t text_bytes);

/* Writes the evidence as a line: "data=part 0 of 2: expected 3, got 4 (run 2)". Nothing without a fault. */
enum { RED_EVIDENCE_BYTES = 384 };
void red_evidence_format(const struct red_evidence *evidence, char *text, size_t text_bytes);

#endif
