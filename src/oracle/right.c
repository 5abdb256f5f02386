/* Judges what a call has left by the form of its right answers. */
#include "oracle/right.h"

#include <string.h>

#include "core/random.h"

static size_t result_bytes(const struct red_right *right) {
    return red_op_result_dtype(right->truth->op, right->truth->dtype)->size_bytes;
}

static struct red_judged judge_results(const struct red_right *right, double chain, const char *results) {
    struct red_judged judged = {.which = 0};
    judged.correctness = red_results_check(right->results, chain, results, &judged.which);
    const uint64_t n = red_results_truth_n(right->results);
    judged.which = judged.which < n ? judged.which : n - (n > 0);
    if (n > 0)
        memcpy(&judged.value, results + judged.which * result_bytes(right), result_bytes(right));
    judged.value.index = judged.which;
    return judged;
}

static struct red_judged judge_segments(const struct red_right *right, double chain,
                                        const struct red_answers *answers) {
    struct red_judged judged = {.which = 0};
    judged.correctness = red_segments_check(right->segments, chain, answers, &judged.which);
    judged.which = judged.correctness.right ? 0 : judged.which;
    judged.value = red_answers_get(answers, judged.which);
    return judged;
}

struct red_truth red_right_truth(const struct red_right *right, uint64_t i) {
    struct red_truth truth;
    if (right->segments == NULL)
        return *right->truth;
    red_segments_truth(right->segments, i, &truth);
    return truth;
}

struct red_truth red_right_result_truth(const struct red_right *right, uint64_t i) {
    struct red_truth truth = *right->truth;
    if (right->results != NULL && red_results_truth_n(right->results) > 0)
        red_results_truth_at(right->results, i, &truth);
    return truth;
}

struct red_judged red_right_judge(const struct red_right *right, double chain, const struct red_got *got) {
    if (right->results != NULL)
        return judge_results(right, chain, got->results);
    if (right->segments != NULL && got->answers != NULL)
        return judge_segments(right, chain, got->answers);
    const struct red_truth truth = red_right_truth(right, 0);
    return (struct red_judged){.correctness = red_truth_check(&truth, chain, got->value),
                               .value = got->value};
}

/* Of words, since there are many: as red_words_checksum, with zeros behind the last. */
static uint64_t results_bits(const char *results, size_t bytes) {
    const size_t words_n = bytes / sizeof(uint64_t), rest_bytes = bytes % sizeof(uint64_t);
    uint64_t last = 0;
    memcpy(&last, results + bytes - rest_bytes, rest_bytes);
    return red_words_checksum((const uint64_t *)results, words_n, 0) + red_words_checksum(&last, 1, words_n);
}

uint64_t red_got_bits(const struct red_right *right, const struct red_got *got) {
    if (right->results != NULL)
        return results_bits(got->results, (size_t)red_results_truth_n(right->results) * result_bytes(right));
    uint64_t bits = RED_HASH;
    for (uint64_t i = 0; got->answers != NULL && i < got->answers->n; i++) {
        const struct red_value value = red_answers_get(got->answers, i);
        bits = red_hash_add(bits, value.bits ^ value.index << 1);
    }
    return red_hash_add(bits, got->value.bits ^ got->value.index << 1);
}

void red_right_find_evidence(const struct red_right *right, double chain, const struct red_judged *judged,
                             struct red_evidence *evidence) {
    if (right->results != NULL) {
        red_results_find_evidence(right->results, chain, judged->value, evidence);
        return;
    }
    const struct red_truth truth = red_right_truth(right, judged->which);
    red_truth_find_evidence(&truth, chain, judged->value, evidence);
    evidence->segment = judged->which;
    evidence->segments_n = right->segments != NULL ? red_segments_n(right->segments) : 0;
}
