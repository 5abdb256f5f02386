/* Finds a check that fails and its smallest n, and fills in what emit/reproduction.c writes.
 * cli/cmd_reproduce.c opens the session; each check is made by the worker of the device, so that a crash or a
 * hang is an answer. */
#include "reproduce/reproduce.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/text.h"
#include "emit/reproduction.h"
#include "oracle/change.h"
#include "oracle/results.h"
#include "oracle/truth.h"

/* Looking for a smaller n ends after so many seconds: a check that hangs takes --patience. */
static const double SEARCH_S = 600;
enum { TRIES = 20, CHECKS_AGAIN = 3, CALLS_AT_ONCE = 100, PATIENCE_DEFAULT_S = 120 };

/* A check, and what is known of it. */
struct suspect {
    struct red_session *session;
    struct red_client *client;
    const struct red_strategy *strategy;
    const struct red_op *op;
    const struct red_dtype *dtype;
    struct red_data_kind data_kind;
    struct red_tuning tuning;
    uint64_t n, segments_n, seed;
    unsigned bins_n;              /* of a histogram; otherwise 0 */
    unsigned prefixes_n;          /* as in struct red_case */
    struct red_error last;        /* why the last check that was not right was not */
    struct red_error found;       /* its status is the fault, its text what to show of it */
    struct red_evidence evidence; /* of a wrong answer */
    uint64_t right_n;             /* the largest n below that was checked and is right; UINT64_MAX: none */
    unsigned checks_n, again_n, again_of_n; /* checks; at n in new processes: failed, and made */
    bool poison_local, is_cut_short;
};

/* Whether a check that ended so shows a fault of kernel or driver. */
static bool is_fault(enum red_status status) {
    return status == RED_E_WRONG || status == RED_E_CRASHED || status == RED_E_TIMED_OUT ||
           status == RED_E_BUILD || status == RED_E_DEVICE;
}

static const char *fault_name(enum red_status status) {
    return status == RED_E_BUILD ? "build-failed" : red_state_name(red_state_of(status));
}

/* The data kind for n: there may be fewer parts of it. */
static struct red_data_kind data_kind_for_n(const struct suspect *suspect, uint64_t n) {
    struct red_data_kind data_kind = suspect->data_kind;
    if (data_kind.pattern == RED_PATTERN_PART)
        data_kind.part %= red_data_kind_parts_n(suspect->op, suspect->dtype, n);
    return data_kind;
}

static struct red_data_spec data_for_n(const struct suspect *suspect, uint64_t n) {
    struct red_data_spec data =
        red_data_spec_make(suspect->op, suspect->dtype, data_kind_for_n(suspect, n), n, suspect->seed);
    data.segments_n = suspect->segments_n;
    data.bins_n = suspect->bins_n;
    return data;
}

/* Makes one check by the worker, and keeps what failed in the suspect. A crash or a hang before does not keep
 * it from that. */
static enum red_status check_n(struct suspect *suspect, uint64_t n, bool timed_only) {
    const struct red_data_spec data = data_for_n(suspect, n);
    struct red_case spec = red_case_make(&data, suspect->strategy, &suspect->tuning);
    struct red_verification verification = {.right = false};
    struct red_error error = {.text = ""};
    spec.prefixes_n = suspect->prefixes_n;
    red_client_reset_failures(suspect->client);
    enum red_status status = red_op_check_n(suspect->op, suspect->dtype, n, &error);
    suspect->checks_n += status == RED_OK;
    if (status == RED_OK)
        status = red_case_require_right(suspect->client, &spec, timed_only, 0, &verification, &error);
    if (status != RED_OK)
        suspect->last = error;
    suspect->is_cut_short = suspect->is_cut_short || red_client_is_lost(suspect->client);
    if (suspect->is_cut_short && status == RED_E_DEVICE) /* that the device is lost, which is no check */
        return RED_E_UNTRIED;
    if (is_fault(status)) {
        suspect->n = n;
        suspect->found = error;
        suspect->evidence = verification.evidence;
    }
    return status;
}

/* Makes the suspect of a check, for which the session was opened, and the check again. */
static enum red_status make_check_again(struct red_session *session, const struct red_verify_check *check,
                                        struct suspect *suspect, struct red_error *error) {
    size_t s = 0; /* a kernel file has its other variants, too */
    while (s + 1 < session->strategies_n &&
           strcmp(session->strategies[s]->name, check->at.strategy->name) != 0)
        s++;
    *suspect = (struct suspect){.session = session,
                                .client = session->devices[0],
                                .strategy = session->strategies[s],
                                .op = session->ops[0],
                                .dtype = session->types[0],
                                .tuning = check->at.asked,
                                .n = check->at.n,
                                .segments_n = check->segments_n,
                                .prefixes_n = check->prefixes_n,
                                .bins_n = check->at.bins_n,
                                .seed = check->data_seed,
                                .right_n = UINT64_MAX};
    if (!red_data_kind_find(check->at.data, suspect->op, suspect->dtype, suspect->n, &suspect->data_kind))
        return red_fail(error, RED_E_INPUT, "the check has data '%.60s', which %s of %s does not have",
                        check->at.data, suspect->op->name, suspect->dtype->name);
    enum red_status status = red_reproduction_check(suspect->strategy, error);
    if (status != RED_OK)
        return status;
    for (unsigned i = 0; i < TRIES && status == RED_OK; i++)
        status = check_n(suspect, suspect->n, false);
    if (status == RED_E_WRONG && suspect->evidence.fault == RED_FAULT_BITS)
        return red_fail(
            error, RED_E_UNSUPPORTED,
            "results are within their bound, and only their bits differ between calls: the program "
            "of `reproduce` compares with what is right");
    if (is_fault(status))
        return RED_OK;
    return status == RED_OK
               ? red_fail(error, RED_E_UNDECIDED,
                          "there is nothing to reproduce: made %d times, the check is right here and now: "
                          "%.1000s",
                          (int)TRIES, check->again != NULL ? check->again : "")
               : red_fail(error, status, "%s", suspect->last.text);
}

/* ---- the smallest n ------------------------------------------------------------------------------------ */

/* Makes the check at a smaller n. */
static enum red_status try_n(struct suspect *suspect, uint64_t n) {
    const enum red_status status = check_n(suspect, n, false);
    if (!is_fault(status) && status != RED_E_INTERRUPTED && status != RED_E_UNTRIED)
        suspect->right_n = n;
    return status;
}

/* Bisects between the least n, or the largest that is right, and the one that fails. */
static enum red_status find_smallest_n(struct suspect *suspect, struct red_error *error) {
    const double end_s = red_clock_s() + SEARCH_S;
    enum red_status status = suspect->n > 1 ? try_n(suspect, 1) : RED_OK;
    while (status != RED_E_INTERRUPTED && suspect->right_n != UINT64_MAX &&
           suspect->n - suspect->right_n > 1) {
        if (red_clock_s() > end_s || suspect->is_cut_short) {
            suspect->is_cut_short = true;
            return RED_OK;
        }
        status = try_n(suspect, suspect->right_n + (suspect->n - suspect->right_n) / 2);
    }
    return status == RED_E_INTERRUPTED ? red_fail(error, status, "interrupted while looking for a smaller n")
                                       : RED_OK;
}

/* Makes the check at n again, each time in a new process and by the program that is timed: it tells whether
 * it fails each time, and whether in that program, too. */
static enum red_status check_again(struct suspect *suspect, struct red_error *error) {
    const struct red_error found = suspect->found;
    const struct red_evidence evidence = suspect->evidence;
    enum red_status status = RED_OK;
    suspect->again_of_n = suspect->found.status == RED_E_TIMED_OUT ? 1 : CHECKS_AGAIN;
    for (unsigned i = 0; i < suspect->again_of_n && status != RED_E_INTERRUPTED; i++) {
        red_client_stop_worker(suspect->client); /* what others left behind in its memory is gone */
        status = check_n(suspect, suspect->n, true);
        suspect->again_n += is_fault(status);
    }
    /* Where local memory that nobody has set counts, the answers of both programs differ. */
    suspect->poison_local =
        found.status == RED_E_WRONG && strcmp(evidence.run, "run 1") == 0 &&
        (suspect->again_n < suspect->again_of_n || evidence.got.place != suspect->evidence.got.place ||
         strcmp(evidence.got.value, suspect->evidence.got.value) != 0);
    if (suspect->poison_local || suspect->again_n == 0) {
        suspect->found = found;
        suspect->evidence = evidence;
    }
    return status == RED_E_INTERRUPTED ? red_fail(error, status, "interrupted while checking again") : RED_OK;
}

/* Writes which n were checked: "wrong at n = 65536, right at n = 65535; 19 checks". */
static void checks_format(const struct suspect *suspect, bool keep_n, char *text, size_t text_bytes) {
    text[0] = '\0';
    red_text_add(text, text_bytes, "%s at n = %" PRIu64, fault_name(suspect->found.status), suspect->n);
    if (suspect->right_n != UINT64_MAX)
        red_text_add(text, text_bytes, ", right at n = %" PRIu64, suspect->right_n);
    else if (!keep_n)
        red_text_add(text, text_bytes, ", the least n");
    red_text_add(text, text_bytes, "; %u checks", suspect->checks_n);
    if (!suspect->poison_local && suspect->again_n < suspect->again_of_n)
        red_text_add(text, text_bytes, "; of %u in new processes %u failed", suspect->again_of_n,
                     suspect->again_n);
    if (suspect->is_cut_short)
        red_text_add(text, text_bytes,
                     ", and no more: they took too long, or the driver runs nothing any more");
    if (suspect->poison_local)
        red_text_add(text, text_bytes, "; the kernel first fills its local memory (local_poison)");
    if ((red_finish_rows[suspect->strategy->finish].traits & RED_FINISH_WAITS) != 0)
        red_text_add(text, text_bytes, "; kernel and host race: it may take several runs to show");
}

/* ---- what is written ----------------------------------------------------------------------------------- */

/* Everything that a red_reproduction borrows. */
enum { CHANGES_MAX = 64 };
struct folder_parts {
    struct red_input input;
    struct red_reproduction_change changes[CHANGES_MAX];
    struct red_truth truth;
    char right_text[160], checks[256];
};

/* Sets geometry and standard, as cl/plan.c chooses them. */
static enum red_status choose_geometry(const struct suspect *suspect, struct red_reproduction *made,
                                       struct red_error *error) {
    const struct red_device_info *info = red_client_info(suspect->client);
    struct red_tuning tuning = suspect->tuning;
    enum red_c_standard standard;
    enum red_status status =
        red_geometry_choose_segments(suspect->strategy, suspect->op, suspect->dtype, &info->shape, &tuning,
                                     made->n, suspect->segments_n, &made->geometry, error);
    if (status == RED_OK && tuning.group_size == 0 && red_geometry_takes_group_size(suspect->strategy)) {
        tuning.group_size = red_client_nearest_group_size(suspect->client, suspect->strategy, suspect->dtype,
                                                          suspect->op, made->geometry.group_size);
        if (tuning.group_size > 0)
            status =
                red_geometry_choose_segments(suspect->strategy, suspect->op, suspect->dtype, &info->shape,
                                             &tuning, made->n, suspect->segments_n, &made->geometry, error);
    }
    if (status == RED_OK)
        status = red_capability_choose_standard(info, red_client_capabilities(suspect->client),
                                                suspect->strategy, suspect->dtype, suspect->op,
                                                made->geometry.group_size, &standard, error);
    if (status == RED_OK)
        made->standard = red_c_standard_name(standard);
    return status;
}

/* The least (or the greatest) value that the check lets pass, of those on its side of the right one. */
static struct red_value outermost_right(const struct red_truth *truth, double chain, struct red_value right,
                                        bool least) {
    const struct red_dtype *result = red_op_result_dtype(truth->op, truth->dtype);
    struct red_value value = right;
    if (truth->exact_tier || !result->is_float || !isfinite(result->get_real(&right, 0)))
        return right;
    uint64_t passes = red_rank_of(result, &right, 0), fails = least ? 0 : red_rank_max(result);
    for (uint64_t left = least ? passes - fails : fails - passes; left > 0; left /= 2) {
        const uint64_t rank = least ? passes - left : passes + left;
        red_rank_put(result, &value, 0, rank);
        while (red_truth_check(truth, chain, value).right) {
            passes = rank;
            break;
        }
    }
    red_rank_put(result, &value, 0, passes);
    return value;
}

/* Adds the changes for a call: where the arrays differ, before the call and at it. */
static void add_changes(struct folder_parts *parts, struct red_reproduction *made, unsigned call,
                        const void *before, const void *now) {
    const struct red_dtype *dtype = parts->input.dtype;
    for (uint64_t i = 0; i < parts->input.n && made->changes_n < CHANGES_MAX; i++) {
        const char *value = (const char *)now + i * dtype->size_bytes;
        if (memcmp(value, (const char *)before + i * dtype->size_bytes, dtype->size_bytes) == 0)
            continue;
        struct red_reproduction_change *change = &parts->changes[made->changes_n++];
        *change = (struct red_reproduction_change){.call = call, .at = i};
        memcpy(&change->value, value, dtype->size_bytes);
    }
    made->changes = parts->changes;
}

/* Puts the first elements of the changed data in the place of the data. */
static enum red_status take_prefix(struct folder_parts *parts, struct red_reproduction *made,
                                   const struct red_changes *changes, struct red_error *error) {
    struct red_input copy;
    const enum red_status status = red_input_copy(&changes->now, &copy, error);
    if (status != RED_OK)
        return status;
    red_input_clear(&parts->input);
    parts->input = copy;
    parts->input.n = made->n = changes->n;
    made->needs_file = true;
    return RED_OK;
}

/* Where an operation has results in the place of one answer, makes `truth` that of the one that the evidence
 * names, or of the first, for these first n elements of the input. */
static enum red_status find_result(const struct suspect *suspect, const struct red_input *input, uint64_t n,
                                   struct red_truth *truth, struct red_error *error) {
    struct red_results_truth *results = NULL;
    const uint64_t place = suspect->evidence.got.place;
    const enum red_status status = red_results_truth_make(input, n, &results, error);
    if (status == RED_OK && place < red_results_n(input->op, n, input->bins_n))
        red_results_truth_at(results, place, truth);
    red_results_truth_destroy(results);
    return status;
}

/* Goes through the steps of the changes (oracle/change.h) up to the one that the evidence names. A step has a
 * call in the host program: all but the last are made of the data before that step. */
static enum red_status change_data_until_wrong(const struct suspect *suspect, struct folder_parts *parts,
                                               struct red_reproduction *made, struct red_error *error) {
    struct red_changes changes;
    struct red_input before = {.n = 0};
    char name[64] = "";
    unsigned step = 0;
    red_truth_find(&parts->input, &parts->truth);
    enum red_status status = red_changes_begin(&parts->input, &parts->truth, made->geometry.lanes,
                                               made->geometry.group_size * made->geometry.lanes,
                                               suspect->prefixes_n, &changes, error);
    while (status == RED_OK && strcmp(name, suspect->evidence.run) != 0) {
        red_input_clear(&before);
        status = red_input_copy(&changes.now, &before, error);
        if (status == RED_OK && !red_changes_next(&changes))
            status = red_fail(error, RED_E_UNSUPPORTED, "%s cannot be made again", suspect->evidence.run);
        red_changes_format(&changes, name, sizeof name);
        step++;
    }
    parts->truth = changes.truth;
    if (status == RED_OK)
        status = find_result(suspect, &changes.now, changes.n, &parts->truth, error);
    if (status == RED_OK && changes.n < parts->input.n) {
        status = take_prefix(parts, made, &changes, error);
        if (status == RED_OK)
            status = choose_geometry(suspect, made, error); /* of a plan for these alone */
    } else if (status == RED_OK) {
        add_changes(parts, made, 1, parts->input.arrays[0],
                    step > 1 ? before.arrays[0] : parts->input.arrays[0]);
        add_changes(parts, made, step, before.arrays[0], changes.now.arrays[0]);
        made->calls_n = made->changes_n > 0 ? step : made->calls_n;
    }
    red_input_clear(&before);
    red_changes_clear(&changes);
    return status;
}

/* Whether the evidence is of the call whose results take the place of the data. */
static bool is_in_place(const struct suspect *suspect) {
    return strcmp(suspect->evidence.run, "in place") == 0;
}

/* Whether the evidence is of data that changed between calls (run 3 of cl/case_check.c). */
static bool is_of_changed_data(const struct suspect *suspect) {
    return suspect->found.status == RED_E_WRONG && strncmp(suspect->evidence.run, "run ", 4) != 0 &&
           !is_in_place(suspect);
}

/* Sets the right answer that is judged, of several one, and what else passes. */
static enum red_status find_answer(const struct suspect *suspect, struct folder_parts *parts,
                                   struct red_reproduction *made, struct red_error *error) {
    struct red_truth *truth = &parts->truth;
    struct red_segment_truths *segments = NULL;
    if (is_of_changed_data(suspect)) {
        const enum red_status status = change_data_until_wrong(suspect, parts, made, error);
        if (status != RED_OK)
            return status;
    } else if (!red_strategy_is_segmented(suspect->strategy)) {
        red_truth_find(&parts->input, truth);
    } else {
        const enum red_status status = red_segments_find_truths(
            &parts->input, suspect->strategy->span == RED_STRATEGY_COLUMN, &segments, error);
        if (status != RED_OK)
            return status;
        red_segments_truth(segments, made->evidence.segment, truth);
        red_segments_destroy(segments);
    }
    const double chain = red_bound_chain_of_data(suspect->strategy, &made->geometry, &parts->input, truth);
    if (!is_of_changed_data(suspect)) {
        const enum red_status status = find_result(suspect, &parts->input, made->n, truth, error);
        if (status != RED_OK)
            return status;
    }
    made->right = red_truth_value(truth);
    made->low = outermost_right(truth, chain, made->right, true);
    made->high = outermost_right(truth, chain, made->right, false);
    red_truth_answer_format(truth, &made->right, parts->right_text, sizeof parts->right_text);
    if (made->low.bits != made->high.bits)
        red_text_add(parts->right_text, sizeof parts->right_text, " +- %.3g",
                     red_truth_check(truth, chain, made->right).bound);
    if (red_results_n(parts->input.op, made->n, parts->input.bins_n) > 0) {
        char place[40];
        red_place_format(made->evidence.got.place, parts->input.bins_n, place, sizeof place);
        red_text_add(parts->right_text, sizeof parts->right_text, "%s", place);
    }
    return RED_OK;
}

/* Fills in what is written, and writes it. */
static enum red_status write_folder(const struct suspect *suspect,
                                    const struct red_reproduce_options *options, const char *folder,
                                    FILE *out, struct red_error *error) {
    static struct folder_parts parts;
    const struct red_selection *selection = suspect->session->selection;
    const struct red_data_spec data = data_for_n(suspect, suspect->n);
    const enum red_finish_kind finish = suspect->strategy->finish;
    struct red_reproduction made = {
        .strategy = suspect->strategy,
        .input = &parts.input,
        .info = red_client_info(suspect->client),
        .n = suspect->n,
        .segments_n = suspect->segments_n,
        .poison_local = suspect->poison_local,
        .in_place = is_in_place(suspect),
        .fault = suspect->found.status,
        .right_text = parts.right_text,
        .found = suspect->found.text,
        .evidence = suspect->evidence,
        .command = selection->command,
        .calls_n = finish == RED_STRATEGY_POLLED || (red_finish_rows[finish].traits & RED_FINISH_WAITS) != 0
                       ? CALLS_AT_ONCE
                       : 2,
        .checks = parts.checks};
    made.patience_s = (unsigned)ceil(selection->patience_s > 0 ? selection->patience_s : PATIENCE_DEFAULT_S);
    made.is_users = red_catalogue_is_added(suspect->session->catalogue, suspect->strategy);
    checks_format(suspect, options->keep_n, parts.checks, sizeof parts.checks);
    enum red_status status = red_input_make(&data, &parts.input, error);
    if (status != RED_OK)
        return status;
    status = choose_geometry(suspect, &made, error);
    if (status == RED_OK)
        status = find_answer(suspect, &parts, &made, error);
    if (status == RED_OK)
        status = red_reproduction_write(&made, folder, options->overwrite, error);
    if (status == RED_OK) {
        red_text_print(out, "%s\nwritten: %s/reproduce.cl, reproduce.c and README.txt\n", parts.checks,
                       folder);
        red_shell_quoted_print(out, "run it: cd ", folder);
        fputs(" && cc reproduce.c -lOpenCL && ./a.out\n", out);
    }
    red_input_clear(&parts.input);
    return status;
}

enum red_status red_reproduce_session(struct red_session *session, const struct red_verify_check *check,
                                      const struct red_reproduce_options *options, FILE *out,
                                      struct red_error *error) {
    struct suspect suspect;
    char data[64], own_folder[160];
    enum red_status status = make_check_again(session, check, &suspect, error);
    if (status != RED_OK)
        return status;
    snprintf(own_folder, sizeof own_folder, "reproduce_%s_%s_%s", suspect.strategy->name, suspect.op->name,
             suspect.dtype->name);
    const char *folder = options->folder != NULL ? options->folder : own_folder;
    status = red_reproduction_check_folder(suspect.strategy, folder, options->overwrite, error);
    red_data_kind_format(suspect.data_kind, suspect.op, suspect.dtype, suspect.n, data, sizeof data);
    red_text_print(out, "%s: %s, %s of %s, n = %" PRIu64 ", data set '%s' (%s): %s\n",
                   red_client_info(suspect.client)->id, suspect.strategy->name, suspect.op->name,
                   suspect.dtype->name, suspect.n, data, red_data_words(data),
                   fault_name(suspect.found.status));
    fflush(out);
    if (status == RED_OK && !options->keep_n && suspect.found.status != RED_E_BUILD)
        status = find_smallest_n(&suspect, error);
    if (status == RED_OK)
        status = check_again(&suspect, error);
    return status == RED_OK ? write_folder(&suspect, options, folder, out, error) : status;
}
