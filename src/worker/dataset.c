#include "worker/dataset.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/reference.h"
#include "results/host.h"

enum red_status red_dataset_make(const struct red_data_spec *spec, struct red_dataset *dataset,
                                 struct red_error *error) {
    enum red_status status = red_data_check(spec->dtype, spec->op, spec->n * spec->segments_n, error);
    if (status != RED_OK)
        return status;
    *dataset = (struct red_dataset){.spec = *spec};
    status = red_input_make_segments(spec->dtype, spec->op, spec->probe, spec->n, spec->segments_n,
                                     spec->seed, &dataset->input, error);
    if (status == RED_OK && spec->segments_n == 1)
        red_truth_find(&dataset->input, &dataset->truth);
    red_reference_stop_spinning();
    return status;
}

void red_dataset_clear(struct red_dataset *dataset) {
    red_resident_destroy(dataset->resident);
    red_segments_destroy(dataset->segments[0]);
    red_segments_destroy(dataset->segments[1]);
    for (size_t i = 0; i < RED_PREFIXES_MAX; i++)
        free(dataset->prefixes[i]);
    red_input_clear(&dataset->input);
    *dataset = (struct red_dataset){.resident = NULL};
}

void red_dataset_move(struct red_dataset *dataset) {
    red_resident_destroy(dataset->resident);
    dataset->resident = NULL;
    red_input_move(&dataset->input);
}

enum red_status red_dataset_resident(struct red_dataset *dataset, struct red_device *device,
                                     struct red_resident **resident, struct red_error *error) {
    enum red_status status = RED_OK;
    if (dataset->resident == NULL)
        status = red_resident_create(device, &dataset->input, &dataset->resident, error);
    *resident = dataset->resident;
    return status;
}

enum red_status red_dataset_segments(struct red_dataset *dataset, bool columns,
                                     struct red_segments **segments, struct red_error *error) {
    enum red_status status = RED_OK;
    if (dataset->segments[columns] == NULL) {
        status = red_segments_find(&dataset->input, columns, &dataset->segments[columns], error);
        red_reference_stop_spinning();
    }
    *segments = dataset->segments[columns];
    return status;
}

/* The last one makes room where there are more than that. */
enum red_status red_dataset_truth(struct red_dataset *dataset, uint64_t n, const struct red_truth **truth,
                                  struct red_error *error) {
    *truth = &dataset->truth;
    if (n == dataset->input.n)
        return RED_OK;
    size_t i = 0;
    while (i + 1 < RED_PREFIXES_MAX && dataset->prefixes[i] != NULL && dataset->prefixes[i]->n != n)
        i++;
    if (dataset->prefixes[i] == NULL)
        dataset->prefixes[i] = calloc(1, sizeof *dataset->prefixes[i]);
    struct red_truth *found = dataset->prefixes[i];
    if (found == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for an answer");
    *truth = found;
    if (found->op != NULL && found->n == n)
        return RED_OK;
    struct red_input view = dataset->input;
    view.n = n;
    red_truth_find(&view, found);
    red_reference_stop_spinning();
    return RED_OK;
}

enum red_status red_dataset_store(struct red_dataset *dataset, uint64_t at, const struct red_value *value,
                                  struct red_error *error) {
    size_t bytes = dataset->input.dtype->size_bytes, offset = (size_t)at * bytes;
    memcpy((char *)dataset->input.arrays[0] + offset, value, bytes);
    return dataset->resident == NULL ? RED_OK
                                     : red_resident_write(dataset->resident, offset, value, bytes, error);
}

enum red_status red_dataset_verify(struct red_dataset *dataset, struct red_device *device,
                                   const struct red_case *spec, bool timed_only,
                                   struct red_verification *verification, struct red_error *error) {
    struct red_segments *segments = NULL;
    struct red_resident *resident = NULL;
    enum red_status status = red_dataset_resident(dataset, device, &resident, error);
    if (status == RED_OK && !red_strategy_is_segmented(spec->strategy))
        return red_verify(resident, &dataset->truth, spec, timed_only, verification, error);
    if (status == RED_OK)
        status = red_dataset_segments(dataset, spec->strategy->span == RED_STRATEGY_COLUMN, &segments, error);
    if (status == RED_OK)
        status = red_verify_segments(resident, segments, spec, timed_only, verification, error);
    if (status == RED_OK)
        red_reference_stop_spinning();
    return status;
}
