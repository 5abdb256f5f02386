#include "recommend/regret.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const red_chooser_names[RED_CHOOSERS_N] = {[RED_CHOOSER_ADVICE] = "recommended",
                                                       [RED_CHOOSER_EVERYWHERE] = "one strategy everywhere",
                                                       [RED_CHOOSER_ARGMIN] = "fastest of one run"};

const struct red_regret_summary red_regret_limits = {.median = 0.02, .most = 0.08, .worst = 0.20};

bool red_regret_is_kept(const struct red_regret_summary *summary) {
    return summary->n > 0 && summary->median <= red_regret_limits.median &&
           summary->most <= red_regret_limits.most && summary->worst <= red_regret_limits.worst;
}

/* ---- choices ---------------------------------------------------------------------------------------------
 */

/* The candidate of another set of curves that is the same; SIZE_MAX if there is none. */
static size_t same_candidate(const struct red_curves *curves, const struct red_candidate *wanted) {
    for (size_t c = 0; c < curves->candidates_n; c++)
        if (strcmp(curves->candidates[c].strategy->name, wanted->strategy->name) == 0 &&
            red_tuning_compare(&curves->candidates[c].asked, &wanted->asked) == 0)
            return c;
    return SIZE_MAX;
}

static size_t same_size(const struct red_curves *curves, uint64_t n) {
    for (size_t i = 0; i < curves->sizes_n; i++)
        if (curves->sizes[i] == n)
            return i;
    return SIZE_MAX;
}

/* NULL if it has none for this n. */
static const struct red_candidate *choice(const struct red_advice *advice, const struct red_curves *first,
                                          enum red_chooser chooser, uint64_t n) {
    const struct red_curves *curves = &advice->curves;
    if (chooser == RED_CHOOSER_ADVICE)
        return &curves->candidates[red_advice_band(advice, n)->candidate];
    if (chooser == RED_CHOOSER_EVERYWHERE)
        return advice->everywhere != SIZE_MAX ? &curves->candidates[advice->everywhere] : NULL;
    size_t size = same_size(first, n);
    size_t fastest = size != SIZE_MAX ? red_curves_fastest(first, size) : SIZE_MAX;
    return fastest != SIZE_MAX ? &first->candidates[fastest] : NULL;
}

/* ---- regret ----------------------------------------------------------------------------------------------
 */

/* How much longer the candidate takes, by `measured`, than the one that is the fastest by `named`; NAN where
 * there is no time. */
static double longer(const struct red_curves *named, const struct red_curves *measured,
                     const struct red_candidate *candidate, uint64_t n) {
    size_t size = same_size(named, n), other = same_size(measured, n);
    size_t best = size != SIZE_MAX ? red_curves_fastest(named, size) : SIZE_MAX;
    if (best == SIZE_MAX || other == SIZE_MAX || candidate == NULL)
        return NAN;
    size_t own = same_candidate(measured, candidate),
           rival = same_candidate(measured, &named->candidates[best]);
    if (own == SIZE_MAX || rival == SIZE_MAX)
        return NAN;
    return red_curves_at(measured, own, other) - red_curves_at(measured, rival, other);
}

/* The fresh curves in two halves, which are the same where there is one run only. */
struct halves {
    struct red_curves of[2];
};

static void regret_fill(struct red_regret *regret, const struct red_advice *advice,
                        const struct red_curves *first, const struct halves *halves) {
    const struct red_curves *half = &halves->of[0];
    size_t size = same_size(half, regret->n);
    regret->best = half->candidates[red_curves_fastest(half, size)].strategy;
    for (int k = 0; k < RED_CHOOSERS_N; k++) {
        const struct red_candidate *chosen = choice(advice, first, (enum red_chooser)k, regret->n);
        double there = longer(&halves->of[0], &halves->of[1], chosen, regret->n);
        double back = longer(&halves->of[1], &halves->of[0], chosen, regret->n);
        regret->chosen[k] = chosen ? chosen->strategy : NULL;
        regret->values[k] = isnan(there) || isnan(back) ? NAN : fmax(0, expm1(0.5 * (there + back)));
    }
}

static enum red_status regrets_grow(struct red_regrets *regrets, size_t more_n, struct red_error *error) {
    struct red_regret *grown = realloc(regrets->all, (regrets->n + more_n + 1) * sizeof *grown);
    if (grown == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for regrets");
    regrets->all = grown;
    return RED_OK;
}

/* A run's index with this device and query, from `from` on in steps; fresh_n if there is none. */
static size_t run_find(const struct red_advice *advice, const struct red_result *fresh, size_t fresh_n,
                       size_t from) {
    while (from < fresh_n &&
           (red_result_same_device(&fresh[from], advice->curves.result, advice->curves.device) < 0 ||
            red_result_query(&fresh[from], advice->curves.query) == NULL))
        from++;
    return from;
}

static enum red_status half_make(const struct red_advice *advice, const struct red_result *runs,
                                 size_t runs_n, const struct red_candidate_filter *filter,
                                 struct red_curves *curves, struct red_error *error) {
    size_t first = run_find(advice, runs, runs_n, 0);
    *curves = (struct red_curves){.sizes_n = 0};
    if (first == runs_n)
        return RED_OK;
    size_t device =
        (size_t)red_result_same_device(&runs[first], advice->curves.result, advice->curves.device);
    return red_curves_make(runs, runs_n, first, device, red_result_query(&runs[first], advice->curves.query),
                           filter, curves, error);
}

enum red_status red_regrets_add(const struct red_advice *advice, const struct red_result *train,
                                const struct red_result *fresh, size_t fresh_n,
                                const struct red_candidate_filter *filter, struct red_regrets *regrets,
                                struct red_error *error) {
    const struct red_curves *curves = &advice->curves;
    struct red_curves first = {.sizes_n = 0};
    struct halves halves = {.of = {{.sizes_n = 0}, {.sizes_n = 0}}};
    const size_t middle = fresh_n / 2;
    enum red_status status = regrets_grow(regrets, curves->sizes_n, error);
    if (status == RED_OK)
        status = half_make(advice, train, 1, filter, &first, error);
    if (status == RED_OK)
        status = half_make(advice, fresh, fresh_n > 1 ? middle : fresh_n, filter, &halves.of[0], error);
    if (status == RED_OK)
        status = half_make(advice, fresh + (fresh_n > 1 ? middle : 0), fresh_n - (fresh_n > 1 ? middle : 0),
                           filter, &halves.of[1], error);
    for (size_t i = 0; i < curves->sizes_n && status == RED_OK && advice->bands_n > 0; i++) {
        size_t size = same_size(&halves.of[0], curves->sizes[i]);
        if (size == SIZE_MAX || red_curves_fastest(&halves.of[0], size) == SIZE_MAX)
            continue;
        struct red_regret *regret = &regrets->all[regrets->n++];
        *regret = (struct red_regret){.result = curves->result,
                                      .query = curves->query,
                                      .device = curves->device,
                                      .n = curves->sizes[i]};
        regret_fill(regret, advice, &first, &halves);
    }
    regrets->fresh_n = fresh_n;
    red_curves_clear(&first);
    red_curves_clear(&halves.of[0]);
    red_curves_clear(&halves.of[1]);
    return status;
}

enum red_status red_regrets_summarise(const struct red_regrets *regrets, enum red_chooser chooser,
                                      struct red_regret_summary *summary, struct red_error *error) {
    double *values = calloc(regrets->n + 1, sizeof *values);
    *summary = (struct red_regret_summary){.n = 0};
    if (values == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for regrets");
    for (size_t i = 0; i < regrets->n; i++) {
        double value = regrets->all[i].values[chooser];
        if (isnan(value)) {
            summary->missing_n++;
            continue;
        }
        if (summary->n == 0 || value > regrets->all[summary->worst_at].values[chooser])
            summary->worst_at = i;
        values[summary->n++] = value;
    }
    const size_t n = summary->n;
    gsl_sort(values, 1, n);
    if (n > 0) {
        summary->median = 0.5 * (values[(n - 1) / 2] + values[n / 2]);
        summary->most = values[(95 * n + 99) / 100 - 1];
        summary->worst = values[n - 1];
    }
    free(values);
    return RED_OK;
}

void red_regrets_clear(struct red_regrets *regrets) {
    free(regrets->all);
    *regrets = (struct red_regrets){.n = 0};
}
