/* What a worker is asked to do with a device: a strategy, or the roof, over data. */
#ifndef CLREDUCE_BENCH_JOB_H
#define CLREDUCE_BENCH_JOB_H

#include "bench/dataset.h"

struct red_job {
    struct red_data_spec data;           /* of the first array */
    const struct red_strategy *strategy; /* NULL: the roof. The one without a kernel is for the host */
    unsigned form;                       /* of the roof */
    uint64_t n;                          /* elements of one reduction, at most the data's */
    struct red_tuning tuning;
    unsigned arrays_n;   /* with which the calls take turns; their seeds follow each other */
    unsigned reductions; /* of one call */
    unsigned prefixes_n; /* as in struct red_plan_spec */
    bool keep;           /* the data is needed again: hold it beside that of other jobs */
};

/* One call that reduces all of one array. */
struct red_job red_job_make(const struct red_data_spec *data, const struct red_strategy *strategy,
                            const struct red_tuning *tuning);

struct red_plan_spec red_job_plan(const struct red_job *job);

/* The host's geometry: one contiguous piece per thread; of segments whole ones. */
struct red_geometry red_host_geometry(uint64_t n, uint64_t segments_n);

/* Whether two jobs are about the same arrays. */
bool red_data_is_same(const struct red_data_spec *a, const struct red_data_spec *b);

bool red_job_is_same(const struct red_job *a, const struct red_job *b);

#endif
