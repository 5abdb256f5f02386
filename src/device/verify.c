#include "device/verify.h"

#include <math.h>
#include <stdio.h>

#include "device/private.h"
#include "oracle/bound.h"

struct run {
    union red_value value;
    struct red_verdict verdict;
    bool canary_intact;
};

static enum red_status run_poisoned(struct red_resident *resident, const struct red_truth *truth,
                                    const struct red_plan_spec *spec, unsigned char poison, struct run *run,
                                    struct red_error *error) {
    struct red_plan *plan = NULL;
    enum red_status status = red_plan_create(resident, spec, &plan, error);
    if (status == RED_OK)
        status = red_plan_poison(plan, poison, error);
    if (status == RED_OK)
        status = red_plan_run(plan, &run->value, error);
    if (status == RED_OK)
        status = red_plan_canary_is_intact(plan, poison, &run->canary_intact, error);
    if (status == RED_OK) {
        double chain =
            red_bound_chain(spec->strategy, truth->dtype, spec->op, red_plan_geometry(plan), spec->n);
        run->verdict = red_truth_check(truth, chain, run->value);
    }
    red_plan_destroy(plan);
    return status;
}

/* What is wrong, in the order of how much it explains. */
static void evidence_print(const struct red_resident *resident, const struct red_truth *truth,
                           const struct run *runs, bool intact, struct red_verification *verification) {
    const struct red_dtype *dtype = truth->dtype;
    const struct run *wrong = &runs[runs[0].verdict.right];
    char probe[32], expected[40], got[40];
    union red_value right = red_truth_value(truth);
    red_probe_print(resident->input->probe, dtype, resident->input->n, probe, sizeof probe);
    dtype->print(&right, expected, sizeof expected);
    dtype->print(&wrong->value, got, sizeof got);
    char *text = verification->evidence;
    size_t size = sizeof verification->evidence;
    if (!intact)
        snprintf(text, size, "probe=%s: expected its input unchanged, got it overwritten", probe);
    else if (!runs[0].canary_intact || !runs[1].canary_intact)
        snprintf(text, size, "probe=%s: expected no store behind the end of out, got one", probe);
    else if (truth->exact_tier)
        snprintf(text, size, "probe=%s: expected %s, got %s (run %d)", probe, expected, got,
                 1 + (int)(wrong - runs));
    else
        snprintf(text, size, "probe=%s: expected %s +- %.3g, got %s (run %d)", probe, expected,
                 wrong->verdict.bound, got, 1 + (int)(wrong - runs));
}

enum red_status red_verify(struct red_resident *resident, const struct red_truth *truth,
                           const struct red_plan_spec *spec, struct red_verification *verification,
                           struct red_error *error) {
    static const unsigned char poisons[2] = {0xff, 0x7f};
    struct run runs[2] = {{.canary_intact = false}};
    bool intact = false;
    enum red_status status = RED_OK;
    for (unsigned i = 0; i < 2 && status == RED_OK; i++) {
        struct red_plan_spec variant = *spec;
        variant.poison_local = i == 0;
        status = run_poisoned(resident, truth, &variant, poisons[i], &runs[i], error);
    }
    if (status == RED_OK)
        status = red_resident_is_intact(resident, &intact, error);
    if (status != RED_OK)
        return status;
    *verification = (struct red_verification){
        .right = intact && runs[0].verdict.right && runs[1].verdict.right && runs[0].canary_intact &&
                 runs[1].canary_intact,
        .same_bits = runs[0].value.bits == runs[1].value.bits,
        .error = fmax(runs[0].verdict.error, runs[1].verdict.error),
        .bound = runs[0].verdict.bound,
        .absolute = truth->absolute,
    };
    if (!verification->right)
        evidence_print(resident, truth, runs, intact, verification);
    return RED_OK;
}
