/* Makes the advice of `recommend` from curves: bands of n with one strategy each, their edges, runner-ups,
 * and the one strategy that costs least everywhere. The curves are of the result files that the user named:
 * recommend/curves.c. show.c prints the advice as text (`report` quotes its sentence), data.c as JSON or a C
 * header; `emit` takes its strategy from it. */
#include "recommend/advice.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

enum { DRAWS_N = 400 };

double red_curves_log_s_at(const struct red_curves *curves, size_t candidate, size_t size) {
    return curves->log_s[candidate * curves->sizes_n + size];
}

/* The standard deviation of red_curves_log_s_at. */
static double sd_at(const struct red_curves *curves, size_t candidate, size_t size) {
    return curves->sd[candidate * curves->sizes_n + size];
}

/* From this time on the others' costs are counted. */
size_t red_curves_fastest(const struct red_curves *curves, size_t size) {
    size_t fastest = SIZE_MAX;
    for (size_t c = 0; c < curves->candidates_n; c++)
        if (!isnan(red_curves_log_s_at(curves, c, size)) &&
            (fastest == SIZE_MAX ||
             red_curves_log_s_at(curves, c, size) < red_curves_log_s_at(curves, fastest, size)))
            fastest = c;
    return fastest;
}

/* ---- what a choice costs ------------------------------------------------------------------------------- */

/* How simple a candidate is to use: less is simpler. A geometry that is left to the default follows n and the
 * device, and is simpler than one that was asked for. */
static double burden_of(const struct red_curves *curves, size_t candidate) {
    static const struct red_tuning by_default = {.group_size = 0};
    const struct red_candidate *own = &curves->candidates[candidate];
    return red_strategy_burden(own->at.strategy) +
           0.5 * (red_tuning_compare(&own->at.asked, &by_default) != 0);
}

/* What a candidate costs at a size: the share of time that it takes longer than `fastest`, the fastest
 * there, beyond what counts as a tie; INFINITY where it has no time. */
static double cost_at(const struct red_curves *curves, size_t candidate, size_t size, size_t fastest) {
    double own = red_curves_log_s_at(curves, candidate, size);
    if (isnan(own))
        return INFINITY;
    double apart = hypot(sd_at(curves, candidate, size), sd_at(curves, fastest, size));
    double longer = expm1(own - red_curves_log_s_at(curves, fastest, size)) - fmin(apart, RED_TIE_MOST);
    /* To be complex costs so little that it decides only between ties. */
    return fmax(0, longer) + 1e-5 * burden_of(curves, candidate);
}

/* ---- bands -----------------------------------------------------------------------------------------------
 * A band is a row of the table of `recommend`, a part of its sentence, and an element of `bands` in JSON. */

/* For each size and candidate the cheapest sequence of candidates that ends there. */
struct cheapest_paths {
    double *cost;   /* [size * candidates_n + candidate] */
    size_t *from;   /* the candidate at the size before */
    size_t *chosen; /* of each size, in the end */
};

/* Finds for each size and candidate the cheapest sequence that ends with them, from the smallest size on. */
static void fill_cheapest_paths(const struct red_curves *curves, struct cheapest_paths *paths) {
    const size_t n = curves->candidates_n;
    for (size_t i = 0; i < curves->sizes_n; i++) {
        const size_t fastest = red_curves_fastest(curves, i);
        size_t cheapest = 0;
        for (size_t c = 1; c < n && i > 0; c++)
            cheapest = paths->cost[(i - 1) * n + c] < paths->cost[(i - 1) * n + cheapest] ? c : cheapest;
        for (size_t c = 0; c < n; c++) {
            double stay = i > 0 ? paths->cost[(i - 1) * n + c] : 0;
            double change = i > 0 ? paths->cost[(i - 1) * n + cheapest] + RED_SWITCH_COST : 0;
            paths->from[i * n + c] = stay <= change ? c : cheapest;
            paths->cost[i * n + c] = fmin(stay, change) + cost_at(curves, c, i, fastest);
        }
    }
}

/* Chooses the candidate of each size, back from the cheapest at the largest one. */
static void fill_chosen(const struct red_curves *curves, struct cheapest_paths *paths) {
    const size_t n = curves->candidates_n, last = curves->sizes_n - 1;
    size_t c = 0;
    for (size_t k = 1; k < n; k++)
        c = paths->cost[last * n + k] < paths->cost[last * n + c] ? k : c;
    for (size_t i = curves->sizes_n; i-- > 0;) {
        paths->chosen[i] = c;
        c = paths->from[i * n + c];
    }
}

/* Makes the bands of the advice: neighbouring sizes with the same chosen candidate. */
static enum red_status make_bands(struct red_advice *advice, struct red_error *error) {
    const struct red_curves *curves = &advice->curves;
    const size_t n = curves->sizes_n * curves->candidates_n;
    struct cheapest_paths paths = {.cost = calloc(n, sizeof *paths.cost),
                                   .from = calloc(n, sizeof *paths.from),
                                   .chosen = calloc(curves->sizes_n, sizeof *paths.chosen)};
    advice->bands = calloc(curves->sizes_n, sizeof *advice->bands);
    bool made = paths.cost != NULL && paths.from != NULL && paths.chosen != NULL && advice->bands != NULL;
    if (made) {
        fill_cheapest_paths(curves, &paths);
        fill_chosen(curves, &paths);
    }
    for (size_t i = 0; made && i < curves->sizes_n; i++) {
        if (i == 0 || paths.chosen[i] != paths.chosen[i - 1])
            advice->bands[advice->bands_n++] = (struct red_band){.candidate = paths.chosen[i], .first = i};
        advice->bands[advice->bands_n - 1].last = i;
    }
    free(paths.cost);
    free(paths.from);
    free(paths.chosen);
    return made ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for advice");
}

/* ---- ties ---------------------------------------------------------------------------------------------- */

/* How much longer `other` takes than the band's own, the mean of logarithms over the band, and its standard
 * deviation; NAN where it has not all times. Seen as the percentages of "runner-up" and "portable". */
static double longer_by(const struct red_curves *curves, const struct red_band *band, size_t other,
                        double *sd) {
    double sum = 0, variance = 0;
    const double n = (double)(band->last - band->first + 1);
    for (size_t i = band->first; i <= band->last; i++) {
        sum += red_curves_log_s_at(curves, other, i) - red_curves_log_s_at(curves, band->candidate, i);
        variance += pow(sd_at(curves, other, i), 2) + pow(sd_at(curves, band->candidate, i), 2);
    }
    *sd = sqrt(variance) / n;
    return sum / n;
}

/* Gives each band to the simplest strategy that ties with its own over the whole band. */
static void give_ties_to_simplest(struct red_advice *advice) {
    const struct red_curves *curves = &advice->curves;
    for (size_t b = 0; b < advice->bands_n; b++) {
        struct red_band *band = &advice->bands[b];
        size_t simplest = band->candidate;
        for (size_t c = 0; c < curves->candidates_n; c++) {
            double sd, longer = longer_by(curves, band, c, &sd);
            bool ties = longer - 1.96 * sd <= 0 && longer <= RED_TIE_MOST;
            if (ties && burden_of(curves, c) < burden_of(curves, simplest))
                simplest = c;
        }
        band->candidate = simplest;
    }
}

/* Makes one band of bands that follow each other with one candidate. */
static void join_bands(struct red_advice *advice) {
    size_t kept = 0;
    for (size_t b = 0; b < advice->bands_n; b++) {
        if (kept > 0 && advice->bands[kept - 1].candidate == advice->bands[b].candidate)
            advice->bands[kept - 1].last = advice->bands[b].last;
        else
            advice->bands[kept++] = advice->bands[b];
    }
    advice->bands_n = kept;
}

/* ---- edges -----------------------------------------------------------------------------------------------
 * Seen in the column "from n" and in the sentence, and as n_from, n_from_low and n_from_high in JSON. */

/* How much longer the strategy of the band before takes at this size than the band's own, as logarithms;
 * `noise` (NULL: none) moves it by what the bootstrap has drawn. */
static double before_longer_by(const struct red_advice *advice, size_t band, size_t size,
                               const double *noise) {
    const struct red_curves *curves = &advice->curves;
    const size_t before = advice->bands[band - 1].candidate, own = advice->bands[band].candidate;
    double value = red_curves_log_s_at(curves, before, size) - red_curves_log_s_at(curves, own, size);
    return noise ? value + noise[size] * hypot(sd_at(curves, before, size), sd_at(curves, own, size)) : value;
}

/* The logarithm of n where before_longer_by crosses 0 between two sizes that follow each other; of several
 * crossings within the two bands the one nearest to where they meet. Where there is none, the end of the
 * range at which one of them is faster throughout. */
static double crossover_log_n(const struct red_advice *advice, size_t band, const double *noise) {
    const struct red_curves *curves = &advice->curves;
    const size_t first = advice->bands[band - 1].first, last = advice->bands[band].last,
                 meet = advice->bands[band].first;
    const double middle = 0.5 * (log((double)curves->sizes[meet - 1]) + log((double)curves->sizes[meet]));
    double found = NAN;
    for (size_t i = first; i < last; i++) {
        double a = before_longer_by(advice, band, i, noise), b = before_longer_by(advice, band, i + 1, noise);
        double x = log((double)curves->sizes[i]), y = log((double)curves->sizes[i + 1]);
        if (!(a <= 0 && b > 0))
            continue;
        double at = x + (y - x) * (a / (a - b));
        if (isnan(found) || fabs(at - middle) < fabs(found - middle))
            found = at;
    }
    if (!isnan(found))
        return found;
    double at_meeting = before_longer_by(advice, band, meet, noise);
    if (isnan(at_meeting) || isnan(before_longer_by(advice, band, meet - 1, noise)))
        return middle; /* one of the two has no time on the other's side */
    return at_meeting > 0 ? log((double)curves->sizes[first]) : log((double)curves->sizes[last]);
}

/* By which share of time the two of an edge differ at most from n = low to high; where no n was measured
 * there, at the two between which the bands meet. */
static double most_apart(const struct red_advice *advice, size_t band, const struct red_edge *edge) {
    const struct red_curves *curves = &advice->curves;
    const size_t meet = advice->bands[band].first;
    double most = 0;
    for (size_t i = 0; i < curves->sizes_n; i++)
        if ((curves->sizes[i] >= edge->low && curves->sizes[i] <= edge->high) || i == meet || i + 1 == meet)
            most = fmax(most, fabs(before_longer_by(advice, band, i, NULL))); /* fmax passes over NAN */
    return expm1(most);
}

/* The n of an edge, rounded to two digits, which is all that it is known to. */
static uint64_t rounded_n(double log_n) {
    double n = exp(log_n), unit = pow(10, fmax(0, floor(log10(n)) - 1));
    return (uint64_t)fmax(1, round(n / unit) * unit);
}

/* Sets the n where the band begins, and its interval from DRAWS_N random draws. */
static enum red_status set_band_edge(struct red_advice *advice, size_t band, gsl_rng *random,
                                     struct red_error *error) {
    const struct red_curves *curves = &advice->curves;
    struct red_band *own = &advice->bands[band];
    const double low = log((double)curves->sizes[own->first - 1]),
                 high = log((double)curves->sizes[own->first]);
    double draws[DRAWS_N], *noise = calloc(curves->sizes_n, sizeof *noise);
    if (noise == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for an edge");
    for (size_t d = 0; d < DRAWS_N; d++) {
        for (size_t i = 0; i < curves->sizes_n; i++)
            noise[i] = gsl_ran_gaussian(random, 1);
        draws[d] = crossover_log_n(advice, band, noise);
    }
    free(noise);
    gsl_sort(draws, 1, DRAWS_N);
    double at = fmin(high, fmax(low, crossover_log_n(advice, band, NULL)));
    own->edge = (struct red_edge){
        .n = rounded_n(at),
        .low = rounded_n(fmin(at, gsl_stats_quantile_from_sorted_data(draws, 1, DRAWS_N, 0.025))),
        .high = rounded_n(fmax(at, gsl_stats_quantile_from_sorted_data(draws, 1, DRAWS_N, 0.975)))};
    own->edge.is_wide = own->edge.high / RED_EITHER_TIMES >= own->edge.low;
    own->edge.apart = own->edge.is_wide ? most_apart(advice, band, &own->edge) : 0;
    if (own->edge.n <= curves->sizes[own->first - 1]) /* rounding must not move a measured size */
        own->edge.n = curves->sizes[own->first - 1] + 1;
    if (own->edge.n > curves->sizes[own->first])
        own->edge.n = curves->sizes[own->first];
    return RED_OK;
}

/* ---- who else ------------------------------------------------------------------------------------------ */

/* Sets the band's runner-up, ties and the fastest portable candidate: columns and JSON of `recommend`. */
static void set_alternatives(const struct red_curves *curves, struct red_band *band) {
    double best = INFINITY, portable = INFINITY;
    band->runner_up = band->portable = SIZE_MAX;
    for (size_t c = 0; c < curves->candidates_n; c++) {
        double sd, longer = longer_by(curves, band, c, &sd);
        if (isnan(longer))
            continue;
        if (red_strategy_is_portable(curves->candidates[c].at.strategy) && longer < portable) {
            portable = longer;
            band->portable = c;
            band->portable_margin = expm1(longer);
        }
        if (c == band->candidate)
            continue;
        if (longer - 1.96 * sd <= 0 && band->ties_n++ < RED_TIES_SHOWN)
            band->ties[band->ties_n - 1] = c;
        if (longer >= best)
            continue;
        best = longer;
        band->runner_up = c;
        band->margin = expm1(longer);
        band->margin_low = expm1(longer - 1.96 * sd);
        band->margin_high = expm1(longer + 1.96 * sd);
        band->is_tie = band->margin_low <= 0;
    }
}

/* ---- one for all --------------------------------------------------------------------------------------- */

/* The candidate of the band in which this size lies. */
static size_t recommended_at(const struct red_advice *advice, size_t size) {
    size_t b = 0;
    while (b + 1 < advice->bands_n && advice->bands[b + 1].first <= size)
        b++;
    return advice->bands[b].candidate;
}

/* Sets the one candidate that costs least at all sizes: "One strategy everywhere, ...", `everywhere` in JSON,
 * and what `emit` writes without --n. */
static void set_everywhere(struct red_advice *advice) {
    const struct red_curves *curves = &advice->curves;
    advice->everywhere = SIZE_MAX;
    for (size_t c = 0; c < curves->candidates_n; c++) {
        double sum = 0, worst = 0;
        for (size_t i = 0; i < curves->sizes_n; i++) {
            double longer =
                red_curves_log_s_at(curves, c, i) - red_curves_log_s_at(curves, recommended_at(advice, i), i);
            sum += longer;
            worst = fmax(worst, longer);
        }
        double mean = expm1(sum / (double)curves->sizes_n);
        if (isnan(mean) || (advice->everywhere != SIZE_MAX && mean >= advice->everywhere_mean))
            continue;
        advice->everywhere = c;
        advice->everywhere_mean = mean;
        advice->everywhere_worst = expm1(worst);
    }
}

/* ---- OpenMP -------------------------------------------------------------------------------------------- */

/* How much longer the recommended strategy takes than OpenMP at this size, as a logarithm; NAN where one of
 * them has no time. Sets what it must exceed, either way, to be shown. */
static double longer_than_openmp(const struct red_advice *advice, size_t size, double *shown) {
    const struct red_curves *curves = &advice->curves;
    const size_t own = recommended_at(advice, size);
    *shown = 1.96 * hypot(sd_at(curves, own, size), curves->host_sd[size]);
    return red_curves_log_s_at(curves, own, size) - curves->host_log_s[size];
}

/* The n at which it takes as long as OpenMP, after a size at which it is shown to take longer. */
static uint64_t openmp_crossover(const struct red_advice *advice, size_t size, double longer) {
    const uint64_t *sizes = advice->curves.sizes;
    double shown;
    const double x = log((double)sizes[size]), y = log((double)sizes[size + 1]),
                 next = longer_than_openmp(advice, size + 1, &shown);
    return next < 0 ? rounded_n(x + (y - x) * (longer / (longer - next))) : sizes[size + 1];
}

/* Sets from which n on the device pays: the sentence, `openmp` in JSON and a comment of the C header. */
static void set_beside_openmp(struct red_advice *advice) {
    const struct red_curves *curves = &advice->curves;
    struct red_beside_openmp *openmp = &advice->openmp;
    bool all_before = true;
    *openmp = (struct red_beside_openmp){.pays_from = 1, .everywhere_below = true};
    for (size_t i = 0; curves->host_log_s != NULL && i < curves->sizes_n; i++) {
        double shown;
        const double longer = longer_than_openmp(advice, i, &shown);
        if (isnan(longer))
            continue;
        openmp->known = true;
        openmp->device_wins = openmp->device_wins || longer < -shown;
        all_before = all_before && !openmp->device_wins;
        if (longer <= shown)
            continue;
        if (exp(longer) > openmp->times) {
            openmp->times = exp(longer);
            openmp->times_n = curves->sizes[i];
        }
        openmp->everywhere_below = all_before;
        openmp->device_wins = false;
        openmp->pays_from = i + 1 < curves->sizes_n ? openmp_crossover(advice, i, longer) : 0;
    }
}

/* For recommend --n. */
bool red_advice_openmp_is_faster(const struct red_advice *advice, uint64_t n) {
    const struct red_curves *curves = &advice->curves;
    size_t i = 0;
    double shown, shown_next;
    if (advice->openmp.times <= 0)
        return false;
    while (i + 1 < curves->sizes_n && curves->sizes[i + 1] <= n)
        i++;
    const double longer = longer_than_openmp(advice, i, &shown);
    if (n <= curves->sizes[i] || i + 1 == curves->sizes_n)
        return longer > shown;
    const double next = longer_than_openmp(advice, i + 1, &shown_next), x = log((double)curves->sizes[i]),
                 y = log((double)curves->sizes[i + 1]);
    return (longer > shown || next > shown_next) &&
           longer + (next - longer) * (log((double)n) - x) / (y - x) > 0;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

enum red_status red_advice_make(struct red_curves *curves, uint64_t seed, struct red_advice *advice,
                                struct red_error *error) {
    *advice = (struct red_advice){.curves = *curves, .everywhere = SIZE_MAX};
    *curves = (struct red_curves){.sizes_n = 0};
    if (advice->curves.sizes_n == 0 || advice->curves.candidates_n == 0)
        return RED_OK;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    enum red_status status =
        random ? make_bands(advice, error) : red_fail(error, RED_E_MEMORY, "no memory for random numbers");
    if (random != NULL)
        gsl_rng_set(random, (unsigned long)seed);
    if (status == RED_OK) {
        give_ties_to_simplest(advice);
        join_bands(advice);
    }
    for (size_t b = 0; b < advice->bands_n && status == RED_OK; b++) {
        advice->bands[b].edge = (struct red_edge){.n = 1, .low = 1, .high = 1};
        if (b > 0)
            status = set_band_edge(advice, b, random, error);
        set_alternatives(&advice->curves, &advice->bands[b]);
    }
    if (status == RED_OK) {
        set_everywhere(advice);
        set_beside_openmp(advice);
    }
    gsl_rng_free(random);
    if (status != RED_OK)
        red_advice_clear(advice);
    return status;
}

/* The strategy that `emit` writes for --n. */
const struct red_band *red_advice_band(const struct red_advice *advice, uint64_t n) {
    size_t b = 0;
    while (b + 1 < advice->bands_n && advice->bands[b + 1].edge.n <= n)
        b++;
    return advice->bands_n > 0 ? &advice->bands[b] : NULL;
}

void red_advice_clear(struct red_advice *advice) {
    red_curves_clear(&advice->curves);
    free(advice->bands);
    *advice = (struct red_advice){.bands_n = 0, .everywhere = SIZE_MAX};
}
