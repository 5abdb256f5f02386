/* Data, its exact answers, and where it lies on a device: what a worker holds (worker/server.c). */
#ifndef CLREDUCE_WORKER_DATASET_H
#define CLREDUCE_WORKER_DATASET_H

#include "cl/verify.h"
#include "model/case.h"

/* Tuning tries its way up from few elements by factors of 16. */
enum { RED_PREFIXES_MAX = 8 };

struct red_dataset {
    struct red_data_spec spec;
    struct red_input input;
    struct red_truth truth;                       /* of one array */
    struct red_segments *segments[2];             /* side by side and as columns; NULL until asked for */
    struct red_truth *prefixes[RED_PREFIXES_MAX]; /* owned; of the first elements; NULL until asked for */
    struct red_resident *resident;                /* NULL until asked for */
};

/* Errors: RED_E_MEMORY, naming the largest n that the host's free memory holds. Release with _clear. */
enum red_status red_dataset_make(const struct red_data_spec *spec, struct red_dataset *dataset,
                                 struct red_error *error);
void red_dataset_clear(struct red_dataset *dataset);

/* Puts the data somewhere else in memory, on the device, too: no plan may be made on it. */
void red_dataset_move(struct red_dataset *dataset);

/* The answers of the segments. Errors: RED_E_MEMORY. */
enum red_status red_dataset_segments(struct red_dataset *dataset, bool columns,
                                     struct red_segments **segments, struct red_error *error);

/* The answer of the first n elements of one array. Errors: RED_E_MEMORY. */
enum red_status red_dataset_truth(struct red_dataset *dataset, uint64_t n, const struct red_truth **truth,
                                  struct red_error *error);

/* Stores the value, of the type of the elements, at a place of the first array, on the device, too, if it is
 * there. No launch may be at work on it. Errors: RED_E_DEVICE. */
enum red_status red_dataset_store(struct red_dataset *dataset, uint64_t at, const struct red_value *value,
                                  struct red_error *error);

/* The data on the device, always the same one for a data set. Errors: those of red_resident_create. */
enum red_status red_dataset_resident(struct red_dataset *dataset, struct red_device *device,
                                     struct red_resident **resident, struct red_error *error);

/* red_verify or red_verify_segments, as the strategy wants it. */
enum red_status red_dataset_verify(struct red_dataset *dataset, struct red_device *device,
                                   const struct red_case *spec, bool timed_only,
                                   struct red_verification *verification, struct red_error *error);

#endif
