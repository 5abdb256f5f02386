#include "cl/verify_changes.h"

#include <string.h>

#include "cl/finish.h"
#include "oracle/bound.h"

/* What a run over changing data needs: another buffer than the one before. */
struct run {
    struct red_changes changes;
    struct red_input held; /* what the buffer was made of; on a CPU its memory */
    struct red_resident *resident;
    struct red_plan *plan;
    uint64_t plan_n;
};

/* By mapping, which is defined where a kernel reads the host's own memory, too: Intel's runtime does not keep
 * a write command's bytes there. All places at once: a command takes as long as a short reduction. */
static enum red_status write_places(const struct run *run, struct red_error *error) {
    const struct red_changes *changes = &run->changes;
    const size_t bytes = changes->now.dtype->size_bytes;
    cl_command_queue queue = run->resident->device->queue;
    cl_mem buffer = run->resident->buffers[0];
    cl_int code;
    if (changes->places_n == 0)
        return RED_OK;
    uint64_t first = changes->places[0], last = first;
    for (unsigned i = 1; i < changes->places_n; i++) {
        first = changes->places[i] < first ? changes->places[i] : first;
        last = changes->places[i] > last ? changes->places[i] : last;
    }
    const size_t begin = (size_t)first * bytes, span = (size_t)(last - first + 1) * bytes;
    char *mapped =
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, begin, span, 0, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return red_cl_check(code, "changing data", error);
    for (unsigned i = 0; i < changes->places_n; i++) {
        const size_t at = (size_t)changes->places[i] * bytes;
        memcpy(mapped + (at - begin), (const char *)changes->now.arrays[0] + at, bytes);
    }
    code = clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL);
    cl_int finished = clFinish(queue);
    return red_cl_check(code != CL_SUCCESS ? code : finished, "changing data", error);
}

/* A plan is for one n. */
static enum red_status plan_for(struct run *run, const struct red_case *spec, struct red_error *error) {
    struct red_case of_n = *spec;
    if (run->plan != NULL && run->plan_n == run->changes.n)
        return RED_OK;
    red_plan_destroy(run->plan);
    run->plan = NULL;
    run->plan_n = of_n.n = run->changes.n;
    return red_plan_create(run->resident, &of_n, &run->plan, error);
}

static enum red_status step(struct run *run, const struct red_case *spec, struct red_change_seen *seen,
                            struct red_error *error) {
    struct red_changes *changes = &run->changes;
    enum red_status status = plan_for(run, spec, error);
    /* A kernel at work need not see what the host writes (OpenCL 3.0 API, section 3.3.4): one that waits
     * goes. */
    if (status == RED_OK) {
        red_mailbox_dismiss(&run->plan->mailbox);
        status = write_places(run, error);
    }
    if (status == RED_OK)
        status = red_plan_run(run->plan, &seen->value, error);
    if (status != RED_OK)
        return status;
    double chain = red_bound_chain(spec->strategy, changes->now.dtype, spec->data.op,
                                   red_plan_geometry(run->plan), changes->n);
    seen->truth = changes->truth;
    seen->verdict = red_truth_check(&changes->truth, chain, seen->value);
    red_changes_print(changes, seen->name, sizeof seen->name);
    return RED_OK;
}

static enum red_status begin(struct run *run, struct red_resident *resident, const struct red_truth *truth,
                             const struct red_case *spec, unsigned prefixes_n, struct red_error *error) {
    const struct red_input *input = resident->input;
    struct red_geometry geometry;
    enum red_status status =
        red_geometry_choose(spec->strategy, spec->data.op, input->dtype, &resident->device->info.shape,
                            &spec->tuning, spec->n, &geometry, error);
    if (status == RED_OK)
        status = red_input_copy(input, &run->held, error);
    if (status == RED_OK)
        status = red_changes_begin(input, truth, geometry.lanes, geometry.group_size * geometry.lanes,
                                   prefixes_n, &run->changes, error);
    return status == RED_OK ? red_resident_create(resident->device, &run->held, &run->resident, error)
                            : status;
}

enum red_status red_verify_changes(struct red_resident *resident, const struct red_truth *truth,
                                   const struct red_case *spec, unsigned prefixes_n,
                                   struct red_change_seen *seen, struct red_error *error) {
    struct run run = {.plan = NULL};
    enum red_status status = begin(&run, resident, truth, spec, prefixes_n, error);
    seen->verdict.right = true;
    while (status == RED_OK && seen->verdict.right && red_changes_next(&run.changes))
        status = step(&run, spec, seen, error);
    red_plan_destroy(run.plan);
    red_resident_destroy(run.resident);
    red_changes_clear(&run.changes);
    red_input_clear(&run.held);
    return status;
}
