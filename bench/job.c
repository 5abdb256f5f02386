#include "bench/job.h"

#include "oracle/reference.h"

struct red_geometry red_host_geometry(uint64_t n, uint64_t segments_n) {
    size_t threads_n = red_reference_threads_for(n * segments_n);
    return (struct red_geometry){.group_size = threads_n,
                                 .groups_n = 1,
                                 .item_n = segments_n > 1 ? n : n / threads_n + (n % threads_n != 0)};
}

struct red_job red_job_make(const struct red_data_spec *data, const struct red_strategy *strategy,
                            const struct red_tuning *tuning) {
    return (struct red_job){
        .data = *data, .strategy = strategy, .n = data->n, .tuning = *tuning, .arrays_n = 1, .reductions = 1};
}

struct red_plan_spec red_job_plan(const struct red_job *job) {
    return (struct red_plan_spec){.strategy = job->strategy,
                                  .op = job->data.op,
                                  .n = job->n,
                                  .segments_n = job->data.segments_n,
                                  .tuning = job->tuning,
                                  .prefixes_n = job->prefixes_n};
}

bool red_data_is_same(const struct red_data_spec *a, const struct red_data_spec *b) {
    return a->op == b->op && a->dtype == b->dtype && a->probe.pattern == b->probe.pattern &&
           a->probe.part == b->probe.part && a->n == b->n && a->segments_n == b->segments_n &&
           a->seed == b->seed;
}

bool red_job_is_same(const struct red_job *a, const struct red_job *b) {
    return red_data_is_same(&a->data, &b->data) && a->strategy == b->strategy && a->form == b->form &&
           a->n == b->n && red_tuning_compare(&a->tuning, &b->tuning) == 0 && a->arrays_n == b->arrays_n &&
           a->reductions == b->reductions && a->prefixes_n == b->prefixes_n;
}
