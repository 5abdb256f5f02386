/* What the reader of policies (policy_read.c) makes and policy.c asks. */
#ifndef CLREDUCE_GATE_POLICY_PRIVATE_H
#define CLREDUCE_GATE_POLICY_PRIVATE_H

#include "gate/policy.h"

enum red_policy_key {
    RED_POLICY_MARGIN,
    RED_POLICY_BUDGET,
    RED_POLICY_REQUIRE,
    RED_POLICY_QUARANTINE,
    RED_POLICY_UNTIL,
    RED_POLICY_KEYS_N
};
extern const char *const red_policy_key_names[RED_POLICY_KEYS_N];

struct red_policy_section {
    char *globs;                       /* owned */
    unsigned line;                     /* of its head, from 1 */
    unsigned lines[RED_POLICY_KEYS_N]; /* where it says each key; 0: it does not */
    double margin, budget_s;
    bool required;
    char *reason; /* of the quarantine; owned */
    char until[16];
    bool ended; /* the quarantine */
};

struct red_policy {
    char *path; /* owned */
    long today; /* red_date_read */
    struct red_policy_section *sections;
    size_t sections_n;
};

#endif
