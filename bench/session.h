/* What a run works with: the chosen strategies, types, operations and opened devices, and data on them. */
#ifndef CLREDUCE_BENCH_SESSION_H
#define CLREDUCE_BENCH_SESSION_H

#include "bench/options.h"
#include "bench/words.h"
#include "device/verify.h"
#include "model/catalogue.h"

enum { RED_DEVICES_MAX = 16, RED_CHOICE_MAX = 128 };

struct red_session {
    const struct red_options *options;
    struct red_catalogue *catalogue;
    struct red_device_list *list;
    struct red_device *devices[RED_DEVICES_MAX]; /* opened */
    size_t devices_n;
    const struct red_strategy
        *strategies[RED_CHOICE_MAX]; /* with kernels: the host's row is not among them */
    size_t strategies_n;
    const struct red_dtype *types[RED_CHOICE_MAX];
    size_t types_n;
    const struct red_op *ops[RED_CHOICE_MAX];
    size_t ops_n;
};

/* What a verb takes where the user chose nothing. */
struct red_session_defaults {
    const char *types, *ops, *strategies; /* lists; NULL, and for strategies --all, too: all */
    bool kernels_alone; /* with --kernel and without --strategy take the user's kernels only */
    bool by_shape;      /* take the strategies that --shape is for; otherwise those for any */
};

/* Builds the catalogue, resolves every name, opens the selected devices. Release with _close.
 * Errors: RED_E_INPUT for unknown names (with the nearest valid one) and bad kernel files; RED_E_NO_DEVICE
 * where no OpenCL device is there at all and the user did not ask for the host alone. */
enum red_status red_session_open(const struct red_options *options,
                                 const struct red_session_defaults *defaults, struct red_session *session,
                                 struct red_error *error);
void red_session_close(struct red_session *session);

/* True where the user asked for the host only: no device is open. */
bool red_session_is_host_only(const struct red_session *session);

/* How many data sets the calls of one cell take turns with. */
unsigned red_session_ring(const struct red_session *session);

/* Checks before anything is run that the host holds the sizes that the user chose, one data set at a time, or
 * with `kept` all of them and one more. Errors: RED_E_MEMORY, naming the largest possible n. */
enum red_status red_session_check_memory(const struct red_session *session, bool kept,
                                         struct red_error *error);

/* One data set, its exact answer, and its residents on devices, made when first asked for; so are the answers
 * of its segments, side by side and as columns. */
struct red_dataset {
    struct red_input input;
    struct red_truth truth;           /* of one array */
    struct red_segments *segments[2]; /* of the segments, which may be one; NULL until asked for */
    struct red_resident *residents[RED_DEVICES_MAX];
};

/* Errors: RED_E_MEMORY, naming the largest n that the host's free memory holds. */
enum red_status red_dataset_make(const struct red_dtype *dtype, const struct red_op *op,
                                 struct red_probe probe, uint64_t n, uint64_t seed,
                                 struct red_dataset *dataset, struct red_error *error);
/* The same for segments_n arrays of n elements. */
enum red_status red_dataset_make_segments(const struct red_dtype *dtype, const struct red_op *op,
                                          struct red_probe probe, uint64_t n, uint64_t segments_n,
                                          uint64_t seed, struct red_dataset *dataset,
                                          struct red_error *error);
void red_dataset_clear(struct red_dataset *dataset);

/* The answers of the segments. Errors: RED_E_MEMORY. */
enum red_status red_dataset_segments(struct red_dataset *dataset, bool columns,
                                     const struct red_segments **segments, struct red_error *error);

/* red_verify or red_verify_segments, as the strategy wants it. */
enum red_status red_dataset_verify(struct red_session *session, struct red_dataset *dataset, size_t device,
                                   const struct red_plan_spec *spec, struct red_verification *verification,
                                   struct red_error *error);
enum red_status red_dataset_resident(struct red_session *session, struct red_dataset *dataset, size_t device,
                                     struct red_resident **resident, struct red_error *error);

/* The exact data sets that whatever is timed must pass before: weights and all parts, or as many parts as
 * --data-sets allows. Where there are more than are taken (by default f32 from n = 2^27 on) the seed draws
 * them. */
unsigned red_exact_probes_n(const struct red_session *session, const struct red_op *op,
                            const struct red_dtype *dtype, uint64_t n);
struct red_probe red_exact_probe(const struct red_session *session, const struct red_op *op,
                                 const struct red_dtype *dtype, uint64_t n, unsigned i);

#endif
