/* The verb `emit`: chooses a strategy and a device from result files or from this machine, and has src/emit
 * write it as C and OpenCL files that need nothing of clreduce. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "core/file.h"
#include "core/interrupt.h"
#include "core/select.h"
#include "core/text.h"
#include "emit/emit.h"
#include "model/primitive.h"
#include "recommend/advice.h"
#include "run/session.h"
#include "verify/verify.h"

enum { NAMES_BYTES = 8192, N_DEFAULT = 1 << 20 };

struct chosen_emission {
    const struct red_options *options;
    struct red_catalogue *catalogue; /* owned */
    struct red_loaded_files loaded;  /* owned; of the command line's files */
    struct red_emission emission;
    char device[256];            /* for comments */
    struct red_device_info info; /* of the device: of a result file, or of this machine */
    char why[2048];              /* why this strategy */
    char warning[RED_BAN_BYTES +
                 1024];         /* "DO NOT USE on ...", only where the user named it, or "OpenCL error on
                                   ..."; "UNVERIFIED: ..."; "": nothing was wrong */
    char unverified[640];       /* why nobody knows whether the user's kernel is right; or "" */
    char incomparable[1024];    /* these times cannot be compared, and why; or "" */
    char bans[RED_BANS_BYTES];  /* what strategies did wrong on the device, and which are left out; or "" */
    char again[RED_BANS_BYTES]; /* lines: the commands that show it */
    char failed[2048];          /* which strategies failed with an OpenCL error; "": none */
    char name[64];              /* of files and functions */
    const char *folder;
    red_emit_paths paths;
};

/* ---- operation and type -------------------------------------------------------------------------------- */

/* The primitive of which most is said: by --primitive, --op, the strategy that --strategy names, or the
 * files, where these have reductions alone or none. */
static enum red_primitive find_primitive(const struct chosen_emission *choice) {
    const struct red_selection *selection = &choice->options->selection;
    const struct red_op *op = selection->op != NULL ? red_op_find(selection->op) : NULL;
    const struct red_strategy *strategy =
        selection->strategy != NULL ? red_catalogue_find(choice->catalogue, selection->strategy) : NULL;
    enum red_primitive found = RED_PRIMITIVE_DEFAULT;
    if (selection->primitive_given)
        return selection->primitive;
    if (op != NULL)
        return op->primitive;
    if (strategy != NULL && strategy->text != NULL)
        return strategy->primitive;
    for (size_t r = 0; r < choice->loaded.results_n; r++)
        for (size_t q = 0; q < choice->loaded.results[r].queries_n; q++) {
            found = choice->loaded.results[r].queries[q].at.op->primitive;
            if (red_primitive_is_default(found))
                return found;
        }
    return found;
}

/* Whether a query of a file is of one array on one device, of the primitive, and of the operation and type of
 * `wanted`, which may be NULL: any. */
static bool is_query_of(const struct red_query *query, enum red_primitive primitive,
                        const struct red_query *wanted) {
    return query->shape.kind == RED_SHAPE_ARRAY && query->at.ranks_n == 0 &&
           query->at.op->primitive == primitive && (wanted->at.op == NULL || wanted->at.op == query->at.op) &&
           (wanted->at.dtype == NULL || wanted->at.dtype == query->at.dtype);
}

/* The operation, type and bins that all such queries of the files have; NULL or 0 where they differ. */
static struct red_query shared_by_files(const struct chosen_emission *choice, enum red_primitive primitive,
                                        const struct red_query *wanted) {
    struct red_query shared = {.at.op = NULL};
    const struct red_query *first = NULL;
    unsigned differ = 0;
    for (size_t r = 0; r < choice->loaded.results_n; r++)
        for (size_t q = 0; q < choice->loaded.results[r].queries_n; q++) {
            const struct red_query *query = &choice->loaded.results[r].queries[q];
            if (!is_query_of(query, primitive, wanted))
                continue;
            first = first != NULL ? first : query;
            differ |= red_at_difference(&query->at, &first->at, RED_AT_TABLE);
        }
    if (first != NULL)
        shared.at = red_at_projection(&first->at, RED_AT_TABLE & ~differ);
    return shared;
}

/* Takes --op, --type and --bins, each of which must name one. What is not given is what the files
 * have, if they have one; otherwise the primitive's first operation, f32, and 256 bins. */
static enum red_status choose_op_and_type(struct chosen_emission *choice, struct red_error *error) {
    struct red_selection selection = choice->options->selection;
    struct red_query wanted = {.at.op = NULL};
    const enum red_primitive primitive = find_primitive(choice);
    if (selection.op != NULL && (wanted.at.op = red_op_find(selection.op)) == NULL)
        return red_select_fail_unknown("operation", selection.op, red_op_names, red_ops_n, error);
    if (selection.type != NULL && (wanted.at.dtype = red_dtype_find(selection.type)) == NULL)
        return red_select_fail_unknown("type", selection.type, red_dtype_names, red_dtypes_n, error);
    if (wanted.at.op == NULL)
        wanted.at.op = shared_by_files(choice, primitive, &wanted).at.op;
    if (wanted.at.op == NULL)
        wanted.at.op = red_op_find(red_primitives[primitive].op);
    if (wanted.at.dtype == NULL)
        wanted.at.dtype = shared_by_files(choice, primitive, &wanted).at.dtype;
    if (wanted.at.dtype == NULL)
        wanted.at.dtype = red_dtype_find("f32");
    choice->emission.op = wanted.at.op;
    choice->emission.dtype = wanted.at.dtype;
    selection.primitive = wanted.at.op->primitive;
    const unsigned bins_n = shared_by_files(choice, primitive, &wanted).at.bins_n;
    choice->emission.bins_n = selection.bins_n == 0 && bins_n > 0 ? bins_n : red_selected_bins_n(&selection);
    return red_primitive_check_option(selection.primitive, RED_OWN_OPTION_BINS, selection.bins_n > 0, error);
}

/* Sets the strategy that --strategy names, which must be one, and no glob. */
static enum red_status set_named_strategy(struct chosen_emission *choice, struct red_error *error) {
    const char *names[RED_STRATEGIES_MAX];
    const size_t n = red_catalogue_n(choice->catalogue);
    choice->emission.strategy = red_catalogue_find(choice->catalogue, choice->options->selection.strategy);
    for (size_t i = 0; i < n; i++)
        names[i] = red_catalogue_get(choice->catalogue, i)->name;
    return choice->emission.strategy != NULL
               ? RED_OK
               : red_select_fail_unknown("strategy", choice->options->selection.strategy, names, n, error);
}

static void device_format(const struct red_device_info *device, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, "%.120s, driver %.100s", device->name, device->driver);
}

/* Takes the device, its name for comments, and its limits; of limits that are not known (0) a guess. The
 * device is one of a result file or of this machine. */
static void set_device_and_limits(struct chosen_emission *choice, const struct red_device_info *device) {
    device_format(device, choice->device, sizeof choice->device);
    choice->info = *device;
    choice->emission.limits = device->shape;
    if (device->shape.compute_units == 0) /* a file may not tell */
        choice->emission.limits.compute_units = 1;
    if (device->shape.group_size_max == 0)
        choice->emission.limits.group_size_max = 256;
}

/* ---- from result files --------------------------------------------------------------------------------- */

/* Writes the names of all strategies that can be written as files for the chosen operation and type, as a
 * list for a filter; `names` has NAMES_BYTES. */
static void emittable_strategies_format(const struct chosen_emission *choice, char *names) {
    struct red_emission emission = choice->emission;
    names[0] = '\0';
    for (size_t i = 0; i < red_catalogue_n(choice->catalogue); i++) {
        emission.strategy = red_catalogue_get(choice->catalogue, i);
        if (red_emit_check(&emission, NULL) == RED_OK)
            red_text_add(names, NAMES_BYTES, "%s%s", names[0] ? "," : "", emission.strategy->name);
    }
}

/* Whether the candidate was timed at both sizes with one program: one group size, the same lanes. */
static bool has_one_program_at(const struct red_curves *curves, size_t candidate, size_t size, size_t other) {
    const struct red_cell *a = curves->cells[candidate * curves->sizes_n + size];
    const struct red_cell *b = curves->cells[candidate * curves->sizes_n + other];
    return a != NULL && b != NULL && a->geometry.group_size == b->geometry.group_size &&
           a->geometry.width == b->geometry.width && a->geometry.loads == b->geometry.loads;
}

/* The emitted program has one group size and lanes: gives the largest measured n that has the most frequent
 * ones, and in *sizes_with_them_n at how many n they are. */
static uint64_t largest_n_of_usual_program(const struct red_curves *curves, size_t candidate,
                                           size_t *sizes_with_them_n) {
    uint64_t n = curves->sizes[curves->sizes_n - 1];
    *sizes_with_them_n = 0;
    for (size_t i = curves->sizes_n; i-- > 0;) {
        size_t same_n = 0;
        for (size_t k = 0; k < curves->sizes_n; k++)
            same_n += has_one_program_at(curves, candidate, i, k);
        if (same_n > *sizes_with_them_n) {
            *sizes_with_them_n = same_n;
            n = curves->sizes[i];
        }
    }
    return n;
}

/* Whether all candidates, those of the result files, are one strategy, in one or more geometries. */
static bool has_one_strategy(const struct red_curves *curves) {
    for (size_t c = 1; c < curves->candidates_n; c++)
        if (curves->candidates[c].at.strategy != curves->candidates[0].at.strategy)
            return false;
    return true;
}

/* Writes why this strategy, which print_written prints, and that its one group size and lanes are those of
 * sizes_with_them_n of the measured n. */
static void set_why(struct chosen_emission *choice, const struct red_advice *advice, bool has_n,
                    size_t sizes_with_them_n) {
    const size_t room = sizeof choice->why, all_n = advice->curves.sizes_n;
    const bool named = choice->options->selection.strategy != NULL;
    choice->why[0] = '\0';
    if (named && has_one_strategy(&advice->curves))
        red_text_add(choice->why, room, "as named");
    else if (has_n)
        red_text_add(choice->why, room, "the fastest%s for n = %llu", named ? " of those named" : "",
                     (unsigned long long)choice->emission.n);
    else
        red_text_add(
            choice->why, room,
            "the fastest%s on average over all n; --n chooses for one (on average %.1f %% slower than "
            "switching strategies by n, at worst %.0f %%)",
            named ? " of those named" : "", 100 * (advice->everywhere_mean > 0 ? advice->everywhere_mean : 0),
            100 * advice->everywhere_worst);
    if (!has_n && sizes_with_them_n < all_n && choice->options->selection.wg.n == 0)
        red_text_add(
            choice->why, room,
            "\nwith work-groups of one size and the same lanes for every n, those of %zu of the %zu n "
            "that were measured: for the others that was not timed",
            sizes_with_them_n, all_n);
    if (choice->options->selection.wg.n > 0)
        red_text_add(choice->why, room, "\nwith the group size of --wg in place of its own");
}

/* Sets what the head of the files says against the chosen strategy. One that failed at some n only, and is
 * chosen for others, is not one that must not be used. */
static void set_warning(struct chosen_emission *choice, const struct red_curves *curves) {
    const char *name = choice->emission.strategy->name;
    const struct red_ban *ban = red_bans_find(&curves->bans, name);
    const struct red_ban *failed = red_bans_find(&curves->failed, name);
    char words[RED_BAN_BYTES];
    if (ban == NULL && failed == NULL)
        return;
    red_ban_format(ban != NULL ? ban : failed, words, sizeof words);
    snprintf(choice->warning, sizeof choice->warning, "%s on %s: %s",
             ban != NULL ? "DO NOT USE" : "OpenCL error", choice->device, words);
}

/* Sets strategy, tuning, n and why: those of the band of --n; without it of the one strategy that costs least
 * everywhere. */
static enum red_status choose_by_advice(struct chosen_emission *choice, const struct red_advice *advice,
                                        struct red_error *error) {
    const struct red_curves *curves = &advice->curves;
    const bool has_n = choice->options->selection.n.n > 0;
    if (advice->bands_n == 0)
        return red_fail(error, RED_E_INPUT, "no strategy that can be written as files was timed there%s%s",
                        choice->bans[0] ? "; " : "", choice->bans);
    choice->emission.n = has_n ? choice->options->selection.n.values[0] : curves->sizes[curves->sizes_n - 1];
    const struct red_band *band = red_advice_band(advice, choice->emission.n);
    size_t chosen = has_n || advice->everywhere == SIZE_MAX ? band->candidate : advice->everywhere,
           sizes_with_them_n = 0;
    if (!has_n)
        choice->emission.n = largest_n_of_usual_program(curves, chosen, &sizes_with_them_n);
    choice->emission.strategy = curves->candidates[chosen].at.strategy;
    choice->emission.tuning = curves->candidates[chosen].at.asked;
    set_why(choice, advice, has_n, sizes_with_them_n);
    set_warning(choice, curves);
    return RED_OK;
}

/* Finds the first device of the files that --device matches, not the host, in a file that has the query;
 * false if there is none. */
static bool find_device(const struct chosen_emission *choice, const struct red_query *wanted,
                        const struct red_result *results, size_t results_n, size_t *file, size_t *device) {
    for (*file = 0; *file < results_n; ++*file) {
        const struct red_run *run = &results[*file].run;
        for (*device = 0; *device < run->devices_n; ++*device)
            if (!run->devices[*device].is_host && red_result_find_query(&results[*file], wanted) != NULL &&
                red_select_matches(choice->options->selection.device, run->devices[*device].info.id))
                return true;
    }
    return false;
}

/* Adds to the device's name the machine of its file, where the files are of several. */
static void add_machine(struct chosen_emission *choice, size_t file) {
    const struct red_loaded_files *loaded = &choice->loaded;
    const char *machine = loaded->results[file].machine;
    for (size_t i = 0; i < loaded->results_n; i++)
        if (strcmp(loaded->results[i].machine, machine) != 0) {
            red_text_add(choice->device, sizeof choice->device, ", on %s, the first of the files", machine);
            return;
        }
}

/* Fails with what the command line asks for. */
static enum red_status fail_lacking(const struct chosen_emission *choice, const struct red_query *wanted,
                                    struct red_error *error) {
    const char *device = choice->options->selection.device;
    char asked[256];
    snprintf(asked, sizeof asked, "no %s on device %.64s", red_query_title(wanted).text,
             device != NULL ? device : "*");
    return red_loaded_files_fail_lacking(&choice->loaded, asked, error);
}

/* Sets device, strategy, tuning, n and why from the result files, which have been read. */
static enum red_status choose_from_results(struct chosen_emission *choice, struct red_error *error) {
    const struct red_loaded_files *loaded = &choice->loaded;
    const struct red_result *results = loaded->results;
    const size_t results_n = loaded->results_n;
    struct red_query wanted = {.at = {.op = choice->emission.op,
                                      .dtype = choice->emission.dtype,
                                      .bins_n = choice->emission.bins_n,
                                      .data = RED_DATA_SLOWEST}};
    char names[NAMES_BYTES];
    size_t file, device;
    struct red_curves curves;
    struct red_advice advice;
    if (!find_device(choice, &wanted, results, results_n, &file, &device)) {
        wanted.at.data[0] = '\0';
        if (!find_device(choice, &wanted, results, results_n, &file, &device))
            return fail_lacking(choice, &wanted, error);
    }
    set_device_and_limits(choice, &results[file].run.devices[device].info);
    add_machine(choice, file);
    emittable_strategies_format(choice, names);
    const char *named = choice->options->selection.strategy;
    const struct red_candidate_filter filter = {.strategy = named, .among = named ? NULL : names};
    enum red_status status = red_curves_make(
        loaded, file, device, red_result_find_query(&results[file], &wanted), &filter, &curves, error);
    if (status == RED_OK)
        status = red_advice_make(&curves, choice->options->selection.seed, &advice, error);
    if (status != RED_OK)
        return status;
    red_advice_incomparable_sentence(&advice, choice->incomparable, sizeof choice->incomparable);
    red_advice_bans_sentence(&advice, choice->bans, sizeof choice->bans);
    red_bans_again_format(&advice.curves.bans, "again: ", choice->again, sizeof choice->again);
    red_advice_failed_sentence(&advice, choice->failed, sizeof choice->failed);
    status = choose_by_advice(choice, &advice, error);
    red_advice_clear(&advice);
    return status;
}

/* For `emit FILE...`: reads the files. */
static enum red_status load_files(struct chosen_emission *choice, struct red_error *error) {
    const struct red_options *options = choice->options;
    enum red_status status = red_loaded_files_load_with_times(
        options->files, options->files_n, choice->catalogue, false, &choice->loaded, stderr, error);
    for (size_t r = 0; r < choice->loaded.results_n && status == RED_OK; r++)
        if (choice->loaded.results[r].run.over_ranks.ranks_n > 0)
            red_text_print(stderr,
                           "%s: its times are of an array over ranks, and choose no kernel for one device\n",
                           choice->loaded.results[r].path);
    return status;
}

/* ---- from this machine --------------------------------------------------------------------------------- */

/* Sets name and limits of the first device that --device matches, as a worker process tells them; this
 * process loads no driver. */
static enum red_status ask_and_set_device(struct chosen_emission *choice, struct red_error *error) {
    const enum red_primitive primitive = choice->emission.op->primitive;
    const struct red_session_defaults defaults = {.types = "f32", .ops = red_primitives[primitive].op};
    struct red_selection selection = choice->options->selection;
    selection.primitive = selection.primitive_given ? selection.primitive : primitive;
    struct red_session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a session");
    enum red_status status = red_session_open(&selection, &defaults, session, error);
    const bool opened = status == RED_OK;
    if (opened && session->devices_n > 0) {
        set_device_and_limits(choice, red_client_info(session->devices[0]));
    } else if (opened) {
        status = red_fail(error, RED_E_INPUT,
                          "emit writes kernels, which need an OpenCL device; see clreduce devices");
    }
    if (opened)
        red_session_close(session);
    free(session);
    return status;
}

/* For `emit --strategy NAME`: sets that strategy, a device of this machine, which is asked, n and why. */
static enum red_status choose_named_strategy_and_device(struct chosen_emission *choice,
                                                        struct red_error *error) {
    if (choice->options->selection.strategy == NULL)
        return red_fail(
            error, RED_E_INPUT,
            "emit wants a result file to choose by, or --strategy NAME; see clreduce emit --help");
    enum red_status status = set_named_strategy(choice, error);
    if (status == RED_OK)
        status = ask_and_set_device(choice, error);
    choice->emission.n =
        choice->options->selection.n.n > 0 ? choice->options->selection.n.values[0] : N_DEFAULT;
    snprintf(choice->why, sizeof choice->why, "as named");
    return status;
}

/* ---- a kernel of the user's ----------------------------------------------------------------------------
 * It is verified before it is written, in the program that is written: its operation and type, group size and
 * lanes, over the whole grid of n and all data. */

/* How many seconds of calls the checks of pairs may take: what is written is one program. */
static const double VERIFY_SHARE_S = 10;

/* Chooses for `verify` what is to be written, and all devices, of which find_device_here gives the one.
 * Errors: those of red_geometry_choose. */
static enum red_status select_program(const struct chosen_emission *choice, uint64_t group_size[1],
                                      struct red_selection *selection, struct red_error *error) {
    const struct red_emission *emission = &choice->emission;
    struct red_geometry geometry;
    enum red_status status =
        red_geometry_choose(emission->strategy, emission->op, emission->dtype, &emission->limits,
                            &emission->tuning, emission->n, &geometry, error);
    if (status != RED_OK)
        return status;
    group_size[0] = geometry.group_size;
    *selection = choice->options->selection;
    selection->primitive = emission->op->primitive;
    selection->bins_n = emission->bins_n;
    selection->device = "*";
    selection->strategy = emission->strategy->name;
    selection->op = emission->op->name;
    selection->type = emission->dtype->name;
    selection->n = (struct red_sizes){.n = 0};
    selection->wg = (struct red_sizes){.values = group_size, .n = 1};
    selection->lanes_n = emission->strategy->width > 0;
    selection->lanes[0] = (struct red_tuning){.width = geometry.width, .loads = geometry.loads};
    return RED_OK;
}

/* The session's device that is the chosen one: of its name and driver, and of its id where several are. Where
 * none is, its number is devices_n, and choice->unverified says so. */
static size_t find_device_here(struct chosen_emission *choice, const struct red_session *session) {
    size_t found = session->devices_n, of_id = session->devices_n;
    char here[sizeof choice->device];
    for (size_t d = 0; d < session->devices_n; d++) {
        const struct red_device_info *info = red_client_info(session->devices[d]);
        const bool has_id = strcmp(info->id, choice->info.id) == 0;
        of_id = has_id ? d : of_id;
        if (red_device_info_is_same_model(info, &choice->info) && (has_id || found == session->devices_n))
            found = d;
    }
    if (found < session->devices_n)
        return found;
    if (of_id < session->devices_n) {
        device_format(red_client_info(session->devices[of_id]), here, sizeof here);
        snprintf(choice->unverified, sizeof choice->unverified,
                 "%s here is another device (%s) than that of the files (%s)", choice->info.id, here,
                 choice->device);
    } else {
        snprintf(choice->unverified, sizeof choice->unverified, "no device here is that of the files (%s)",
                 choice->device);
    }
    return found;
}

/* Sets the error of a verification that ended early, or found a kernel that is wrong or does not build. */
static enum red_status fail_verification(const struct chosen_emission *choice, enum red_status status,
                                         const char *why, struct red_error *error) {
    static const char *const faults[RED_STATUS_N] = {
        [RED_E_WRONG] = "is not right", [RED_E_BUILD] = "does not build"};
    const char *name = choice->emission.strategy->name;
    const char *way = status == RED_E_MEMORY ? "free memory, and try again"
                      : status == RED_E_TIMED_OUT
                          ? "the line 'again' above makes the check again; a longer --patience may let it end"
                          : "the line 'again' above makes the check again; another --device may do better";
    if (status == RED_E_INTERRUPTED)
        return red_fail(error, status, "interrupted while %s was verified; nothing was written", name);
    if (faults[status] != NULL)
        return red_fail(error, status, "nothing was written, since %s %s: %.3500s", name, faults[status],
                        why);
    return red_fail(error, status, "nothing was written, since %s could not be verified: %.3500s; %s", name,
                    why, way);
}

/* Verifies the chosen program on the session's device d, and says in choice->unverified what was not checked.
 * Errors: those of red_verify_session, but for RED_E_NO_DEVICE. */
static enum red_status verify_in_session(struct chosen_emission *choice, const struct red_session *session,
                                         size_t d, struct red_error *error) {
    char words[1][RED_UNCHECKED_BYTES] = {""};
    const struct red_verify_options options = {.first = true, .unchecked = words};
    struct red_error found = {.text = ""};
    struct red_session one = *session;
    one.devices[0] = session->devices[d];
    one.devices_n = 1;
    enum red_status status = red_verify_session(&one, &options, NULL, VERIFY_SHARE_S, stderr, &found);
    if (status == RED_E_NO_DEVICE)
        snprintf(choice->unverified, sizeof choice->unverified, "%.600s", found.text);
    else if (status != RED_OK)
        return fail_verification(choice, status, found.text, error);
    else if (words[0][0] != '\0')
        snprintf(choice->unverified, sizeof choice->unverified, "it was never checked at %s on %s", words[0],
                 red_client_info(one.devices[0])->id);
    return RED_OK;
}

/* Verifies a kernel of the user's before it is written; one of the catalogue is verified by its own tests.
 * Where the device is not here, or cannot be asked, the head of the files says so. Errors: those of
 * red_verify_session and of preparing it. */
static enum red_status verify_users_kernel(struct chosen_emission *choice, struct red_error *error) {
    const struct red_session_defaults defaults = {.kernels_alone = true};
    struct red_error lacks = {.text = ""};
    struct red_selection selection;
    uint64_t group_size[1];
    if (!choice->emission.is_users)
        return RED_OK;
    enum red_status status = red_emit_check(&choice->emission, error);
    if (status == RED_OK)
        status = select_program(choice, group_size, &selection, error);
    struct red_session *session = status == RED_OK ? calloc(1, sizeof *session) : NULL;
    if (session == NULL)
        return status != RED_OK ? status : red_fail(error, RED_E_MEMORY, "no memory for a session");
    red_interrupt_set_at_once(false); /* a signal ends the worker first, with files of results, too */
    enum red_status opened = red_session_open(&selection, &defaults, session, &lacks);
    const size_t d = opened == RED_OK && session->devices_n > 0 ? find_device_here(choice, session) : 0;
    if (opened == RED_OK && d < session->devices_n)
        status = verify_in_session(choice, session, d, error);
    else if (opened == RED_E_INTERRUPTED || opened == RED_E_MEMORY)
        status = fail_verification(choice, opened, lacks.text, error);
    else if (choice->unverified[0] == '\0')
        snprintf(choice->unverified, sizeof choice->unverified,
                 "no device of this machine can be asked: %.500s",
                 opened == RED_OK ? "there is none" : lacks.text);
    if (opened == RED_OK)
        red_session_close(session);
    free(session);
    if (choice->unverified[0] != '\0')
        red_text_add(choice->warning, sizeof choice->warning,
                     "%sUNVERIFIED: nobody knows whether this kernel is right: %s",
                     choice->warning[0] != '\0' ? "; " : "", choice->unverified);
    return status;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

/* What C, C++ and CMake take for a name, with a _ inside: that is no word of a language, no header's name,
 * and no name that the files have for themselves. NULL, without --name, is right. */
static enum red_status check_name(const char *name, struct red_error *error) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char others[] = "0123456789_";
    if (name == NULL)
        return RED_OK;
    const size_t n = strlen(name);
    bool holds = n > 0 && n < 48 && strchr(letters, name[0]) != NULL && strchr(name, '_') != NULL;
    for (size_t i = 0; i < n && holds; i++)
        holds = strchr(letters, name[i]) != NULL || strchr(others, name[i]) != NULL;
    return holds ? RED_OK
                 : red_fail(error, RED_E_INPUT,
                            "--name: '%.60s' is no name for functions in C with a _ inside, of at most 47 "
                            "letters, such as sum_few",
                            name);
}

/* Prints `before`, then the path or the word of `start` and `rest` in quotes for a shell where it needs them:
 * " -B 'a folder/build'" */
static void quoted_path_print(const char *before, const char *start, const char *rest) {
    char path[RED_PATH_BYTES];
    snprintf(path, sizeof path, "%s%s", start, rest);
    red_shell_quoted_print(stdout, before, path);
}

/* Prints what was chosen and why, which files are written, and the command that tests them. */
static void print_written(const struct chosen_emission *choice) {
    const char *drivers = getenv("OCL_ICD_VENDORS"), *folder = choice->folder;
    char program[128], bins[32] = "";
    snprintf(program, sizeof program, "/build/%s_test", choice->name);
    if (choice->incomparable[0] != '\0')
        red_wrapped_print(stdout, "", choice->incomparable);
    if (choice->bans[0] != '\0')
        red_wrapped_print(stdout, "", choice->bans);
    if (choice->again[0] != '\0')
        red_text_print(stdout, "%s\n", choice->again);
    if (choice->failed[0] != '\0')
        red_wrapped_print(stdout, "", choice->failed);
    if (choice->emission.bins_n > 0)
        snprintf(bins, sizeof bins, " in %u bins", choice->emission.bins_n);
    const struct red_candidate written = {
        .at = {.strategy = choice->emission.strategy, .asked = choice->emission.tuning}};
    printf("%s of %s%s by %s, %s\nfor %s\n", choice->emission.op->name, choice->emission.dtype->name, bins,
           red_candidate_text(&written).text, choice->why, choice->device);
    red_text_print(stdout, "written: %s/%s.cl, .h, .c, _test.c and CMakeLists.txt\n", folder, choice->name);
    quoted_path_print("test it: cmake -S ", folder, "");
    quoted_path_print(" -B ", folder, "/build");
    quoted_path_print(" && cmake --build ", folder, "/build");
    if (drivers != NULL) /* bench/run's drivers are no others than this program's own */
        quoted_path_print(" && OCL_ICD_VENDORS=", drivers, "");
    quoted_path_print(drivers != NULL ? " " : " && ", folder, program);
    if (choice->info.platform[0] != '\0')
        quoted_path_print(" ", choice->info.platform, "");
    putchar('\n');
}

/* Sets name, folder and paths, and checks these: none may be an input, or a file that emit has not written.
 */
static enum red_status name_and_check_files(struct chosen_emission *choice, struct red_error *error) {
    const struct red_options *options = choice->options;
    if (options->emit.name != NULL)
        snprintf(choice->name, sizeof choice->name, "%s", options->emit.name);
    else
        snprintf(choice->name, sizeof choice->name, "%s_%s_%s",
                 red_primitive_names[choice->emission.op->primitive], choice->emission.op->name,
                 choice->emission.dtype->name);
    choice->folder = options->output.path ? options->output.path : choice->name;
    enum red_status status = red_emit_paths_format(choice->folder, choice->name, choice->paths, error);
    for (size_t i = 0; i < RED_EMIT_FILES_N && status == RED_OK; i++)
        status = red_check_emitted_file_is_no_input(options, "the file of emit", choice->paths[i], error);
    return status == RED_OK ? red_emit_check_replaceable(choice->paths, options->emit.overwrite, error)
                            : status;
}

static enum red_status run_emit(const struct red_options *options, struct red_error *error) {
    struct chosen_emission choice = {.options = options};
    enum red_status status = red_selection_check_single_sizes(&options->selection, error);
    if (status == RED_OK && options->files_n > 0 && options->selection.kernels_n == 0 &&
        options->selection.patience_s > 0)
        status = red_fail(error, RED_E_INPUT, "--patience has no effect with result files; leave it out");
    if (status == RED_OK)
        status = red_catalogue_create(&choice.catalogue, error);
    for (size_t k = 0; k < options->selection.kernels_n && status == RED_OK; k++)
        status = red_catalogue_add_file(choice.catalogue, options->selection.kernels[k], false, error);
    if (status == RED_OK)
        status = check_name(options->emit.name, error);
    if (status == RED_OK && options->output.path != NULL && strcmp(options->output.path, "-") == 0)
        status =
            red_fail(error, RED_E_INPUT, "emit writes several files: --output names their folder, not -");
    /* Without --op or --type the files say which it is; with both nothing is read before an output that is an
     * input is refused. */
    const bool op_is_in_files =
        (options->selection.op == NULL || options->selection.type == NULL) && options->files_n > 0;
    if (status == RED_OK && op_is_in_files)
        status = load_files(&choice, error);
    if (status == RED_OK)
        status = choose_op_and_type(&choice, error);
    if (status == RED_OK)
        status = name_and_check_files(&choice, error);
    if (status == RED_OK && options->files_n > 0 && !op_is_in_files)
        status = load_files(&choice, error);
    if (status == RED_OK)
        status = options->files_n > 0 ? choose_from_results(&choice, error)
                                      : choose_named_strategy_and_device(&choice, error);
    if (status == RED_OK && options->selection.wg.n > 0)
        choice.emission.tuning.group_size = (size_t)options->selection.wg.values[0];
    choice.emission.device = choice.device;
    choice.emission.warning = choice.warning;
    if (status == RED_OK) {
        choice.emission.name = choice.name;
        choice.emission.is_users = red_catalogue_is_added(choice.catalogue, choice.emission.strategy);
        status = verify_users_kernel(&choice, error);
    }
    if (status == RED_OK) {
        status = red_emit_write(&choice.emission, choice.folder, choice.paths, error);
        if (status == RED_OK)
            print_written(&choice);
        if (status == RED_OK && choice.unverified[0] != '\0')
            status = red_fail(error, RED_E_UNDECIDED, "%s is written as unverified: %s",
                              choice.emission.strategy->name, choice.unverified);
    }
    red_loaded_files_clear(&choice.loaded);
    red_catalogue_destroy(choice.catalogue);
    return status;
}

const struct red_verb red_verb_emit = {
    .name = "emit",
    .summary = "writes a strategy as C and OpenCL files that need nothing of clreduce",
    .options = RED_SELECTION_OPTIONS | RED_BIT(N) | RED_BIT(WG) | RED_BIT(KERNEL) | RED_BIT(PATIENCE) |
               RED_BIT(OUTPUT) | RED_BIT(NAME) | RED_BIT(OVERWRITE),
    .modes = (const struct red_mode[]){{RED_MODE_FILES, RED_BIT(SEED)}, {RED_MODE_ALWAYS, 0}},
    .files = "[FILE...]",
    .ends_at_once = true,
    .documentation =
        "Writes the strategy that result files (bench --output), and files of verify beside them, recommend "
        "for a device, an operation and a type, or the one that --strategy names for a device of this "
        "machine: a readable .cl for that type and operation, a .h and .c (create, run, enqueue, destroy), a "
        "self-test, and a CMakeLists.txt. A kernel of --kernel is verified first, on that device: a wrong "
        "one "
        "is not written; where that device is not here, the files say that it is unverified, and the exit "
        "status is 3. --output is the folder, where a file that emit has not written is "
        "replaced with --overwrite alone. The files are free to use.\v"
        "Example: clreduce emit result.json --device intel --op sum --type f32\n"
        "Example: clreduce emit result.json --device nvidia --n 2^20 --output src/sum\n"
        "Example: clreduce emit --strategy chunk --device pocl --op max --type i32\n"
        "Example: clreduce emit --primitive scan --strategy scan_chunk --device pocl --op exclusive_sum\n"
        "Example: clreduce emit --primitive histogram --strategy local_copies --device pocl --type u8 --bins "
        "64\n"
        "Example: clreduce emit result.json --device intel --n 1000 --name sum_few",
    .run = run_emit,
};
