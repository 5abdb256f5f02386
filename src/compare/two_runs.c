#include "compare/two_runs.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Below that the median's interval is the samples' range, and holds it at less than 95 %. */
enum { SAMPLES_MIN = 6 };

const double red_scatters[RED_SCATTERS_N] = {0, 0.05, 0.16};

static const struct red_side *base_of(const struct red_comparison *comparison) {
    return &comparison->sides[0];
}

static const struct red_side *head_of(const struct red_comparison *comparison) {
    return &comparison->sides[1];
}

/* ---- how questions ended ---------------------------------------------------------------------------------
 */

bool red_question_is_missing(const struct red_comparison *comparison, const struct red_cell *question) {
    return red_side_answer(head_of(comparison), question) == NULL;
}

static bool is_not_in_base(const struct red_comparison *comparison, const struct red_cell *question) {
    return red_side_answer(base_of(comparison), question) == NULL;
}

bool red_question_fell(const struct red_comparison *comparison, const struct red_cell *question) {
    return red_state_is_failure(red_side_state(head_of(comparison), question)) &&
           !red_state_is_failure(red_side_state(base_of(comparison), question));
}

bool red_question_changed(const struct red_comparison *comparison, const struct red_cell *question) {
    return !is_not_in_base(comparison, question) && !red_question_is_missing(comparison, question) &&
           !red_question_fell(comparison, question) &&
           red_side_state(base_of(comparison), question) != red_side_state(head_of(comparison), question);
}

bool red_question_is_new(const struct red_comparison *comparison, const struct red_cell *question) {
    return is_not_in_base(comparison, question) && !red_question_fell(comparison, question);
}

/* ---- times -----------------------------------------------------------------------------------------------
 */

static enum red_apart apart_of(const struct red_timed *pair) {
    if (pair->base->samples_n < SAMPLES_MIN || pair->head->samples_n < SAMPLES_MIN)
        return RED_APART_UNKNOWN;
    if (pair->ratio.low > 1)
        return RED_APART_LONGER;
    return pair->ratio.high < 1 ? RED_APART_SHORTER : RED_APART_WITHIN;
}

struct red_timed red_timed_make(const struct red_cell *base, const struct red_cell *head) {
    struct red_timed pair = {.base = base, .head = head, .ratio = red_ratio_of(base, head)};
    pair.apart = apart_of(&pair);
    return pair;
}

/* Half an interval at 95 % of a normal distribution, in standard deviations. */
static const double half_interval = 1.959964;

/* The chance that the intervals do not overlap although both programs take as long: the logarithm of the
 * ratio of the medians is taken as normal, spread by the samples of both, as their intervals tell, and by
 * `scatter` between processes. */
static double chance(const struct red_timed *pair, double scatter) {
    const struct red_cell *base = pair->base, *head = pair->head;
    double base_s = log(base->time.high / base->time.low) / (2 * half_interval);
    double head_s = log(head->time.high / head->time.low) / (2 * half_interval);
    double spread = sqrt(base_s * base_s + head_s * head_s + scatter * scatter);
    double longer = log(base->time.high / base->time.median) + log(head->time.median / head->time.low);
    double shorter = log(base->time.median / base->time.low) + log(head->time.high / head->time.median);
    return spread > 0 ? gsl_cdf_ugaussian_Q(longer / spread) + gsl_cdf_ugaussian_Q(shorter / spread) : 0;
}

static bool has_moved(const struct red_timed *pair) {
    return red_tuning_compare(&pair->base->tuning, &pair->head->tuning) != 0;
}

static enum red_status take(void *context, const struct red_cell *question, struct red_error *error) {
    struct red_two_runs *stored = context;
    const struct red_comparison *comparison = &stored->comparison;
    const struct red_cell *base = red_side_time(base_of(comparison), question);
    const struct red_cell *head = red_side_time(head_of(comparison), question);
    enum red_state base_state = red_side_state(base_of(comparison), question);
    enum red_state head_state = red_side_state(head_of(comparison), question);
    (void)error;
    bool fell = red_question_fell(comparison, question);
    stored->common_n +=
        !red_question_is_missing(comparison, question) && !is_not_in_base(comparison, question);
    stored->fallen_n += fell;
    stored->fallen_wrong_n += fell && head_state == RED_STATE_WRONG;
    stored->bad_n += red_state_is_failure(base_state) && red_state_is_failure(head_state);
    stored->lost_n += base != NULL && head == NULL;
    if (base == NULL || head == NULL)
        return RED_OK;
    struct red_timed *pair = &stored->pairs[stored->pairs_n++];
    *pair = red_timed_make(base, head);
    stored->longer_n += pair->apart == RED_APART_LONGER;
    stored->shorter_n += pair->apart == RED_APART_SHORTER;
    stored->unknown_n += pair->apart == RED_APART_UNKNOWN;
    stored->moved_n += has_moved(pair);
    for (size_t s = 0; s < RED_SCATTERS_N && pair->apart != RED_APART_UNKNOWN; s++)
        stored->expected[s] += chance(pair, red_scatters[s]);
    return RED_OK;
}

static int ratio_compare(const struct red_timed *a, const struct red_timed *b) {
    return (a->ratio.value > b->ratio.value) - (a->ratio.value < b->ratio.value);
}

static int by_ratio(const void *left, const void *right) {
    return ratio_compare(left, right);
}

static int by_apart(const void *left, const void *right) {
    const struct red_timed *a = left, *b = right;
    enum red_apart first = a->apart == RED_APART_UNKNOWN ? RED_APART_WITHIN : a->apart;
    enum red_apart second = b->apart == RED_APART_UNKNOWN ? RED_APART_WITHIN : b->apart;
    int order = first == RED_APART_SHORTER ? ratio_compare(a, b) : ratio_compare(b, a);
    order = first == second ? order : (first > second) - (first < second);
    return order ? order : (a->base > b->base) - (a->base < b->base);
}

enum red_status red_two_runs_line_up(struct red_two_runs *stored, struct red_error *error) {
    struct red_comparison *comparison = &stored->comparison;
    const struct red_result *base = &comparison->results[0], *head = &comparison->results[1];
    enum red_status status = red_comparison_runs(comparison, error);
    if (status != RED_OK)
        return status;
    stored->pairs = calloc(base->run.cells_n + 1, sizeof *stored->pairs);
    if (stored->pairs == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to compare");
    status = red_comparison_each(comparison, take, stored, error);
    size_t n = stored->pairs_n;
    qsort(stored->pairs, n, sizeof *stored->pairs, by_ratio);
    if (n > 0)
        stored->median_ratio =
            (stored->pairs[(n - 1) / 2].ratio.value + stored->pairs[n / 2].ratio.value) / 2;
    qsort(stored->pairs, n, sizeof *stored->pairs, by_apart);
    if (status == RED_OK && stored->common_n == 0)
        status = red_fail(error, RED_E_INPUT, "%.200s and %.200s have no cell in common: nothing to compare",
                          base->path, head->path);
    return status;
}

void red_two_runs_clear(struct red_two_runs *stored) {
    red_comparison_clear(&stored->comparison);
    free(stored->pairs);
    stored->pairs = NULL;
}

/* ---- a verdict, if one is wanted -------------------------------------------------------------------------
 */

enum red_status red_two_runs_judge(const struct red_two_runs *stored, double limit, struct red_error *error) {
    size_t above_n = 0, open_n = stored->lost_n + stored->unknown_n;
    for (size_t i = 0; i < stored->pairs_n; i++)
        above_n += stored->pairs[i].apart == RED_APART_LONGER && stored->pairs[i].ratio.low > limit;
    if (stored->fallen_n > 0)
        return red_fail(error, stored->fallen_wrong_n > 0 ? RED_E_WRONG : RED_E_DEVICE,
                        "cells in trouble in head and not in base: %zu, of which %zu gave a wrong result",
                        stored->fallen_n, stored->fallen_wrong_n);
    if (above_n > 0)
        return red_fail(error, RED_E_SLOWER,
                        "cells that take more than %.6g %% longer in head, over the whole range of their "
                        "intervals, each of one process: %zu",
                        100 * (limit - 1), above_n);
    if (open_n > 0)
        return red_fail(error, RED_E_UNDECIDED,
                        "cells with a time in base that cannot be judged: %zu without a time in head, %zu "
                        "with fewer than %d samples",
                        stored->lost_n, stored->unknown_n, SAMPLES_MIN);
    return RED_OK;
}
