#include "device/capability.h"

#include <stdio.h>
#include <string.h>

#include "device/choose.h"

const char *red_c_standard_name(enum red_c_standard standard) {
    static const char *const names[] = {[RED_CL12] = "CL1.2", [RED_CL20] = "CL2.0", [RED_CL30] = "CL3.0"};
    return names[standard];
}

const struct red_capability *red_capability_get(struct red_capabilities *capabilities,
                                                enum red_need_index need, enum red_c_standard standard) {
    struct red_capability *capability = &capabilities->of[need][standard];
    if (!capabilities->known[need][standard])
        capabilities->ask(capabilities->context, need, standard, capability);
    capabilities->known[need][standard] = true;
    return capability;
}

enum red_c_standard red_capability_unknown(const struct red_capabilities *capabilities,
                                           enum red_need_index need) {
    int standard = RED_CL12;
    while (standard < RED_C_STANDARDS_N && capabilities->known[need][standard] &&
           capabilities->of[need][standard].behaves != RED_YES)
        standard++;
    return standard < RED_C_STANDARDS_N && !capabilities->known[need][standard]
               ? (enum red_c_standard)standard
               : RED_C_STANDARDS_N;
}

/* What works under one standard works; what is not known under one may. */
static int rank(const struct red_capability *capability) {
    if (capability->behaves != RED_NO)
        return capability->behaves == RED_YES ? 3 : 2;
    return capability->builds == RED_YES;
}

const struct red_capability *red_capability_known(const struct red_capabilities *capabilities,
                                                  enum red_need_index need) {
    const struct red_capability *best = NULL;
    for (int standard = RED_CL12; standard < RED_C_STANDARDS_N; standard++) {
        const struct red_capability *other = &capabilities->of[need][standard];
        if (!capabilities->known[need][standard])
            continue;
        if (best == NULL || rank(other) > rank(best))
            best = other;
    }
    return best;
}

const struct red_capability *red_capability_best(struct red_capabilities *capabilities,
                                                 enum red_need_index need) {
    enum red_c_standard standard;
    while ((standard = red_capability_unknown(capabilities, need)) != RED_C_STANDARDS_N)
        (void)red_capability_get(capabilities, need, standard);
    return red_capability_known(capabilities, need);
}

/* What of the answers does not agree; NULL where they do, or where too little is known. */
static const char *disagreement(const struct red_capability *capability) {
    static const char *const claims[RED_ANSWERS_N] = {[RED_UNKNOWN] = "says yes, no answer",
                                                      [RED_NO] = "says yes, does not build",
                                                      [RED_YES] = "says yes, wrong"};
    if (capability->advertised == RED_NO && capability->behaves == RED_YES)
        return "says no, works";
    return capability->advertised == RED_YES && capability->behaves == RED_NO ? claims[capability->builds]
                                                                              : NULL;
}

static const char *const answer_words[RED_ANSWERS_N] = {
    [RED_UNKNOWN] = "?", [RED_NO] = "no", [RED_YES] = "yes"};

void red_capability_print(const struct red_capability *capability, char *text, size_t text_bytes) {
    const char *flag = disagreement(capability);
    snprintf(text, text_bytes, "%s %s %s%s%s", answer_words[capability->advertised],
             answer_words[capability->builds], answer_words[capability->behaves], flag ? " ! " : "",
             flag ? flag : "");
}

const char *red_capability_word(const struct red_capability *capability) {
    const char *flag = disagreement(capability);
    return flag ? flag : answer_words[capability->behaves];
}

static bool is_listed(const struct red_device_info *info, enum red_c_standard standard) {
    return strstr(info->c_versions, red_c_standard_name(standard) + 2) != NULL;
}

/* The first of the needs that does not behave, or RED_NEEDS_N. */
static unsigned first_missing(struct red_capabilities *capabilities, uint64_t needs,
                              enum red_c_standard standard) {
    unsigned need = 0;
    while (need < RED_NEEDS_N &&
           (!(needs >> need & 1) ||
            red_capability_get(capabilities, (enum red_need_index)need, standard)->behaves == RED_YES))
        need++;
    return need;
}

enum red_status red_capability_decide(const struct red_device_info *info,
                                      struct red_capabilities *capabilities,
                                      const struct red_strategy *strategy, const struct red_dtype *dtype,
                                      const struct red_op *op, enum red_c_standard *standard,
                                      struct red_error *error) {
    static const enum red_c_standard for_12[] = {RED_CL12}, for_20[] = {RED_CL20, RED_CL30};
    bool is_20 = strategy->standard == RED_STANDARD_CL20;
    const enum red_c_standard *candidates = is_20 ? for_20 : for_12;
    size_t candidates_n = is_20 ? 2 : 1;
    uint64_t needs = red_strategy_needs(strategy, dtype, op);
    unsigned missing = RED_NEEDS_N;
    enum red_c_standard missing_in = candidates[0];
    enum red_status status = red_device_info_check(info, error);
    if (status != RED_OK)
        return status;
    for (int listed = 1; listed >= 0; listed--) {
        for (size_t i = 0; i < candidates_n; i++) {
            if (is_listed(info, candidates[i]) != (bool)listed)
                continue;
            unsigned first = first_missing(capabilities, needs, candidates[i]);
            if (first == RED_NEEDS_N) {
                *standard = candidates[i];
                return RED_OK;
            }
            (void)red_capability_best(capabilities, (enum red_need_index)first); /* is it a "no" anywhere? */
            if (missing == RED_NEEDS_N) {
                missing = first;
                missing_in = candidates[i];
            }
        }
    }
    char name[64];
    red_needs_print(UINT64_C(1) << missing, name, sizeof name);
    return red_fail(error, RED_E_UNSUPPORTED, "no %s: %s", name,
                    red_capability_get(capabilities, (enum red_need_index)missing, missing_in)->reason);
}
