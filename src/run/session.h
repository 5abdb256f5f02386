/* A session: the strategies, types, operations and devices that the user chose, resolved to those that
 * exist. Every verb that works with devices opens one; of an unknown name the user sees the nearest valid
 * one. */
#ifndef CLREDUCE_RUN_SESSION_H
#define CLREDUCE_RUN_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "core/select.h"
#include "core/text.h"
#include "model/geometry.h"
#include "model/primitive.h"
#include "results/known_failures.h"
#include "results/run.h"
#include "worker/client.h"

/* ---- selection -------------------------------------------------------------------------------------------
 * What the user chose to work with: devices, strategies, operations, types, sizes and geometries. */

enum { RED_KERNEL_FILES_MAX = 16, RED_LANES_MAX = 20, RED_DATA_SETS_MAX = 17 };

struct red_selection {
    enum red_primitive primitive; /* to which strategies and operations belong */
    bool primitive_given;
    unsigned bins_n;                           /* of a histogram; 0: not given (red_selected_bins_n) */
    const char *data;                          /* list of data that bench times; NULL: all there are */
    const char *device, *strategy, *op, *type; /* lists of names or globs; NULL: the verb's default */
    struct red_sizes n, wg, groups;            /* empty: the verb's default */
    struct red_tuning lanes[RED_LANES_MAX];    /* width and loads only */
    size_t lanes_n;
    struct red_shape shape;
    const char *kernels[RED_KERNEL_FILES_MAX]; /* files of the user's */
    size_t kernels_n;
    const char *expect; /* file or folder with known bugs; NULL: none */
    uint64_t seed;
    double time_per_cell_s;  /* 0: the verb's default */
    double time_per_other_s; /* of a histogram's cell of other data than the first; 0: time_per_cell_s */
    double patience_s;       /* that a driver may take for one question; 0: the default */
    unsigned data_sets;      /* exact ones that a cell is checked with; 0: the verb's default */
    bool all;
    bool despite_probes; /* what builds is taken to work (red_capability_trust) */
    char command[512];   /* the whole command line, for the record */
    const char *program; /* the word by which the user called it; NULL: not known */
};

/* What --primitive asks for; NULL where it was not given: then verbs that read files take all they hold. */
const enum red_primitive *red_selection_given_primitive(const struct red_selection *selection);

/* Says in the run what it is asked for, of which program, on which host, and that it begins now. */
void red_run_begin(struct red_run *run, const struct red_selection *selection);

/* The bins of --primitive histogram: --bins or its default; 0 of other primitives. */
unsigned red_selected_bins_n(const struct red_selection *selection);

/* The data that bench times: of what its primitive's row has those that --data chooses, or uniform data. How
 * many there are. */
unsigned red_selection_timed_data(const struct red_selection *selection, const struct red_op *op,
                                  const struct red_dtype *dtype,
                                  struct red_data_kind kinds[RED_TIMED_DATA_MAX]);

/* The geometries that --wg, --groups and --lanes ask for, at least one: each combination is a cell of its
 * own. What was not given is 0. */
size_t red_selection_tunings_n(const struct red_selection *selection);
struct red_tuning red_selection_tuning(const struct red_selection *selection, size_t i);

/* Makes the list of n from the lengths in --shape segments:..., since n is that of one segment. Release it
 * with red_sizes_clear. Errors: RED_E_MEMORY. */
enum red_status red_selection_take_segment_lengths(struct red_selection *selection, struct red_error *error);

/* For verbs that take one size where others take lists: whether --wg and --n, if they are given, are one
 * each, and a group holds a work-item. Errors: RED_E_INPUT. */
enum red_status red_selection_check_single_sizes(const struct red_selection *selection,
                                                 struct red_error *error);

/* ---- session ------------------------------------------------------------------------------------------- */

enum { RED_DEVICES_MAX = 16, RED_CHOICE_MAX = 128 };

struct red_session {
    const struct red_selection *selection;
    struct red_catalogue *catalogue;
    struct red_known_failures known_failures;      /* of --expect */
    struct red_isolation isolation;                /* where a driver cannot be loaded: the others */
    struct red_device_info infos[RED_CLIENTS_MAX]; /* of all there are */
    size_t infos_n;
    const char *arguments[3 + 2 * RED_KERNEL_FILES_MAX]; /* of workers */
    struct red_client_program program;
    struct red_client *host;
    struct red_client *devices[RED_DEVICES_MAX]; /* the selected ones */
    size_t devices_n;
    const struct red_strategy
        *strategies[RED_CHOICE_MAX]; /* with kernels: the host's row is not among them */
    size_t strategies_n;
    const struct red_strategy *gpu_best,
        *gpu_left; /* of the verb's default, if a device is no CPU; or NULL */
    const struct red_dtype *types[RED_CHOICE_MAX];
    size_t types_n;
    const struct red_op *ops[RED_CHOICE_MAX];
    size_t ops_n;
    bool names_host_rows; /* of the host only the rows that --strategy names are timed */
};

/* What a verb takes where the user chose nothing. */
struct red_session_defaults {
    const char *types, *ops, *strategies; /* lists; NULL, and for strategies --all, too: all */
    const char *gpu_best, *gpu_left; /* names: a device that is no CPU takes the first in the place of the
                                        second, one of `strategies`, if it can run it; NULL: nothing */
    bool kernels_alone; /* with --kernel and without --strategy take the user's kernels only; one of the name
                           of a built-in strategy takes its place */
    const char *kernel_option; /* an option of the verb that was given, and has no effect without kernels:
                                  "accuracy"; NULL: none */
    bool by_shape;             /* take the strategies that --shape is for; otherwise those for any */
};

/* The first part of opening: builds the catalogue and resolves every name; asks no driver. Release with
 * _close. Errors: RED_E_INPUT for unknown names (with the nearest valid one) and bad kernel files. */
enum red_status red_session_resolve_names(const struct red_selection *selection,
                                          const struct red_session_defaults *defaults,
                                          struct red_session *session, struct red_error *error);

/* Makes a part of a session that is open, or whose names are resolved: other strategies, types, operations
 * and rows of the host, chosen by `selection`, on the same devices. What the part holds stays that of the
 * session, which is closed last; the part is not closed. Errors: those of red_session_resolve_names. */
enum red_status red_session_make_part(const struct red_session *session,
                                      const struct red_selection *selection,
                                      const struct red_session_defaults *defaults, struct red_session *part,
                                      struct red_error *error);

/* Builds the catalogue, resolves every name, finds the selected devices. Release with _close.
 * Errors: RED_E_INPUT for unknown names (with the nearest valid one) and bad kernel files; RED_E_NO_DEVICE
 * where no OpenCL device is there at all and the user did not ask for the host alone. */
enum red_status red_session_open(const struct red_selection *selection,
                                 const struct red_session_defaults *defaults, struct red_session *session,
                                 struct red_error *error);
void red_session_close(struct red_session *session);

/* Asks a device what red_client_check_support will want to know of the chosen strategies, several questions
 * at a time, where that saves time. verify calls it before it starts on a device; it prints nothing. */
void red_session_probe(const struct red_session *session, size_t d);

/* Errors: RED_E_INPUT where --wg has a size that is 0 or above max. */
enum red_status red_session_check_group_sizes(const struct red_session *session, size_t max,
                                              struct red_error *error);

/* The line of --expect that lists the cell of the session's device d; NULL if none does. */
struct red_known_failure *red_session_known_failure(const struct red_session *session, size_t d,
                                                    const struct red_strategy *strategy,
                                                    const struct red_op *op, const struct red_dtype *dtype,
                                                    uint64_t n, size_t group_size);

/* Whether the register says that the strategy must not be run with its default group size: it hangs the
 * machine. */
bool red_session_must_skip(const struct red_session *session, size_t d, const struct red_strategy *strategy,
                           const struct red_op *op, const struct red_dtype *dtype, uint64_t n);

/* Whether the session's device d takes the strategy, one of the session's, for this operation and type: all
 * but gpu_best where that cannot run, and gpu_left where it can. */
bool red_session_takes(const struct red_session *session, size_t d, const struct red_strategy *strategy,
                       const struct red_op *op, const struct red_dtype *dtype);

/* Whether the user asked for the host only (--device host): no OpenCL device is listed then. */
bool red_session_is_host_only(const struct red_session *session);

/* Whether a row of the host (RED_STANDARD_HOST) is timed: unless --strategy names another one, and the host
 * is alone or the session names its rows. */
bool red_session_takes_host_row(const struct red_session *session, const struct red_strategy *row);

/* How many data sets the calls of one cell take turns with: one, two of --shape computed, or three of iterate
 * and changed. */
unsigned red_session_arrays_n(const struct red_session *session);

/* Checks before anything is run that the host holds the sizes that the user chose, one data set at a time, or
 * with `all_kept` all of them and one more, for every device and the host. The sessions have the same
 * devices. Errors: RED_E_MEMORY, naming the largest possible n. */
enum red_status red_session_check_memory(const struct red_session *const *sessions, size_t sessions_n,
                                         bool all_kept, struct red_error *error);

/* ---- verifying a case ------------------------------------------------------------------------------------
 * What `verify`, `bench` and `duel` ask before they trust a case or time it. */

/* red_client_verify, of one case on its one data set; a wrong result is RED_E_WRONG with the evidence;
 * *verification is filled then, too, and zero after any other error. timed_only: without a call of the
 * checking build (red_verify_case). */
enum red_status red_case_require_right(struct red_client *client, const struct red_case *spec,
                                       bool timed_only, double expected_s,
                                       struct red_verification *verification, struct red_error *error);

/* Lists the data kinds that each cell must pass before it is timed; how many. The last one is what is timed;
 * the others are exact: red_exact_data_kind's, or as many of them as --data-sets allows. Where there are more
 * than are taken (by default f32 from n = 2^28 on) the seed draws them. */
unsigned red_selection_data_kinds(const struct red_selection *selection, const struct red_op *op,
                                  const struct red_dtype *dtype, uint64_t n,
                                  struct red_data_kind kinds[RED_DATA_SETS_MAX + 1]);

#endif
