#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/truth.h"

/* What of a truth differs from segment to segment. */
struct segment {
    uint64_t integer, index;
    struct red_value extreme;
    double sum, rest; /* the exact sum is sum + rest, but for 2^-106 of it */
    double absolute;
};

struct red_segments {
    struct red_truth common;
    uint64_t n; /* segments */
    struct segment rows[];
};

/* Copies one segment's elements, or takes them where they are. */
static void view_make(const struct red_input *input, bool columns, uint64_t i, void *const room[2],
                      struct red_input *view) {
    size_t bytes = input->dtype->size_bytes;
    *view = *input;
    view->n = input->n / input->segments_n;
    view->segments_n = 1;
    for (unsigned array = 0; array < input->arrays_n; array++) {
        const char *from = input->arrays[array];
        view->arrays[array] = columns ? room[array] : input->arrays[array];
        if (!columns)
            view->arrays[array] = (char *)input->arrays[array] + i * view->n * bytes;
        for (uint64_t k = 0; columns && k < view->n; k++)
            memcpy((char *)room[array] + k * bytes, from + (k * input->segments_n + i) * bytes, bytes);
    }
}

static void segment_set(const struct red_truth *truth, struct segment *segment) {
    *segment = (struct segment){.integer = truth->integer,
                                .index = truth->index,
                                .extreme = truth->extreme,
                                .absolute = truth->absolute};
    if (truth->dtype->is_float && truth->op->wants == RED_WANTS_ALL) {
        segment->sum = red_exact_value(&truth->real);
        segment->rest = isfinite(segment->sum) ? red_exact_difference(&truth->real, segment->sum) : 0;
    }
}

static void segment_find(const struct red_input *view, struct segment *segment) {
    struct red_truth truth;
    red_truth_find(view, &truth);
    segment_set(&truth, segment);
}

/* False without memory for a thread's copies. */
static bool find_all(const struct red_input *input, bool columns, struct segment *rows) {
    size_t bytes = (size_t)(input->n / input->segments_n) * input->dtype->size_bytes;
    bool right = true;
#pragma omp parallel reduction(&& : right) if (input->n >= RED_SEVERAL_THREADS_N)
    {
        void *const room[2] = {malloc(bytes), malloc(bytes)};
        right = room[0] != NULL && room[1] != NULL;
#pragma omp for schedule(static)
        for (uint64_t i = 0; i < input->segments_n; i++) {
            struct red_input view;
            if (!right)
                continue;
            view_make(input, columns, i, room, &view);
            segment_find(&view, &rows[i]);
        }
        free(room[0]);
        free(room[1]);
    }
    return right;
}

enum red_status red_segments_find(const struct red_input *input, bool columns, struct red_segments **segments,
                                  struct red_error *error) {
    struct red_segments *made = malloc(sizeof *made + input->segments_n * sizeof made->rows[0]);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the answers of %llu segments",
                        (unsigned long long)input->segments_n);
    made->n = input->segments_n;
    made->common =
        (struct red_truth){.dtype = input->dtype,
                           .op = input->op,
                           .n = input->n / input->segments_n,
                           .exact_tier = red_probe_is_exact(input->probe, input->op, input->dtype)};
    if (input->n > 0 && !find_all(input, columns, made->rows)) {
        free(made);
        return red_fail(error, RED_E_MEMORY, "no memory for the copy of a segment");
    }
    if (input->n == 0)
        memset(made->rows, 0, made->n * sizeof made->rows[0]);
    *segments = made;
    return RED_OK;
}

void red_segments_destroy(struct red_segments *segments) {
    free(segments);
}

void red_segments_truth(const struct red_segments *segments, uint64_t i, struct red_truth *truth) {
    const struct segment *segment = &segments->rows[i];
    *truth = segments->common;
    truth->integer = segment->integer;
    truth->index = segment->index;
    truth->extreme = segment->extreme;
    truth->absolute = segment->absolute;
    red_exact_reset(&truth->real);
    red_exact_add(&truth->real, segment->sum);
    red_exact_add(&truth->real, segment->rest);
}

void red_segments_set(struct red_segments *segments, uint64_t i, const struct red_truth *truth) {
    segment_set(truth, &segments->rows[i]);
}

struct red_verdict red_segments_check(const struct red_segments *segments, double chain,
                                      const struct red_answers *answers, uint64_t *which) {
    uint64_t first = segments->n;
    double error = 0, bound = 0;
#pragma omp parallel for schedule(static) reduction(min                                                      \
                                                    : first)                                                 \
    reduction(max                                                                                            \
              : error, bound) if (segments->n > 1 << 14)
    for (uint64_t i = 0; i < segments->n; i++) {
        struct red_truth truth;
        red_segments_truth(segments, i, &truth);
        struct red_verdict verdict = red_truth_check(&truth, chain, red_answers_get(answers, i));
        if (!verdict.right && i < first)
            first = i;
        error = fmax(error, verdict.error);
        bound = fmax(bound, verdict.bound);
    }
    *which = first;
    if (first == segments->n)
        return (struct red_verdict){.right = true, .error = error, .bound = bound};
    struct red_truth truth;
    red_segments_truth(segments, first, &truth);
    return red_truth_check(&truth, chain, red_answers_get(answers, first));
}
