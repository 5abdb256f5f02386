/* The parts of a run of `bench`: one of the command line, or one for each experiment (--experiments), whose
 * cells the run lays out one after the other. The user sees a table of each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/bench.h"

/* Makes the selection of an experiment of what the command line has chosen for all of them. What it owns is
 * released by red_parts_destroy. */
static enum red_status make_selection(const struct red_experiment *experiment, bool whole,
                                      const struct red_selection *given, struct red_selection *selection,
                                      struct red_error *error) {
    const char *n = whole && experiment->n_whole != NULL ? experiment->n_whole : experiment->n,
               *shape =
                   whole && experiment->shape_whole != NULL ? experiment->shape_whole : experiment->shape;
    *selection = *given;
    selection->strategy = experiment->strategies;
    selection->op = experiment->ops;
    selection->type = experiment->types;
    selection->n = selection->wg = (struct red_sizes){.n = 0};
    enum red_status status = red_shape_parse(shape != NULL ? shape : "array", &selection->shape, error);
    if (status == RED_OK && experiment->wg != NULL)
        status = red_sizes_parse("--wg", experiment->wg, &selection->wg, error);
    if (status == RED_OK)
        status = n != NULL ? red_sizes_parse("--n", n, &selection->n, error)
                           : red_selection_take_segment_lengths(selection, error);
    return status;
}

/* Makes the part of one experiment. */
static enum red_status make_part(const struct red_session *session, const struct red_experiment *experiment,
                                 bool whole, struct red_part *part, struct red_error *error) {
    const struct red_session_defaults defaults = red_bench_defaults(session->selection->primitive);
    struct red_error found = {.text = ""};
    part->experiment = experiment;
    part->is_whole = whole && (experiment->n_whole != NULL || experiment->shape_whole != NULL);
    enum red_status status = make_selection(experiment, whole, session->selection, &part->selection, &found);
    if (status == RED_OK)
        status = red_session_make_part(session, &part->selection, &defaults, &part->session, &found);
    return status == RED_OK
               ? RED_OK
               : red_fail(error, status, "experiment %s: %.400s", experiment->letter, found.text);
}

static bool is_same_text(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Whether the cells of two experiments are of the same operations, types and shape. */
static bool is_same_query(const struct red_experiment *a, const struct red_experiment *b) {
    return is_same_text(a->ops, b->ops) && is_same_text(a->types, b->types) &&
           is_same_text(a->shape, b->shape);
}

/* Experiments on the same operation follow each other, so that a file's cells stand in the order in which
 * they are read (results/queries.c). */
enum red_status red_parts_create(const struct red_session *session,
                                 const struct red_experiment_choice *choice, struct red_part **parts,
                                 size_t *parts_n, struct red_error *error) {
    enum red_status status = RED_OK;
    *parts_n = 0;
    *parts = calloc(red_experiments_n + 1, sizeof **parts);
    if (*parts == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the parts of a run");
    if (choice->letters == 0) {
        (*parts)[0] = (struct red_part){.selection = *session->selection, .session = *session};
        (*parts)[0].session.selection = &(*parts)[0].selection;
        *parts_n = 1;
    }
    unsigned left = choice->letters;
    for (size_t first = 0; first < red_experiments_n; first++) {
        const bool begins = left >> first & 1;
        for (size_t i = first; i < red_experiments_n && begins && status == RED_OK; i++) {
            if (!(left >> i & 1) || !is_same_query(&red_experiments[first], &red_experiments[i]))
                continue;
            status = make_part(session, &red_experiments[i], choice->whole, &(*parts)[(*parts_n)++], error);
            left &= ~(1u << i);
        }
    }
    return status;
}

void red_parts_destroy(struct red_part *parts, size_t parts_n) {
    for (size_t p = 0; p < parts_n; p++) {
        if (parts[p].experiment == NULL)
            continue;
        red_sizes_clear(&parts[p].selection.n);
        red_sizes_clear(&parts[p].selection.wg);
    }
    free(parts);
}

/* ---- what does not fit --------------------------------------------------------------------------------- */

/* The bytes of the longest array of the part. */
static double longest_array_bytes(const struct red_part *part) {
    const struct red_sizes *n = &part->selection.n;
    double longest = 0;
    for (size_t t = 0; t < part->session.types_n; t++)
        for (size_t i = 0; i < n->n; i++) {
            const double elements =
                (double)n->values[i] * (double)red_shape_segments_n(&part->selection.shape, n->values[i]);
            longest = fmax(longest, elements * (double)part->session.types[t]->size_bytes);
        }
    return longest;
}

/* Says which devices allocate no array as long as one of the experiment, or as the terms of its elements
 * where these are computed: cells of it end as unsupported, of computed elements those of finish `stored`
 * alone. */
static void tell_arrays_too_long(const struct red_part *part) {
    const double bytes = longest_array_bytes(part);
    const bool is_computed = part->selection.shape.kind == RED_SHAPE_COMPUTED;
    for (size_t d = 0; d < part->session.devices_n && part->experiment != NULL; d++) {
        const struct red_device_info *info = red_client_info(part->session.devices[d]);
        if (bytes > (double)info->allocation_bytes_max)
            fprintf(
                stderr,
                "experiment %s needs an array of %.0f MB%s, and %s allocates at most %.0f: such cells are "
                "left out%s\n",
                part->experiment->letter, 1e-6 * bytes, is_computed ? " where terms are stored" : "",
                info->id, 1e-6 * (double)info->allocation_bytes_max,
                part->is_whole ? "; --experiments without whole takes shorter arrays" : "");
    }
}

enum red_status red_parts_check_memory(const struct red_part *parts, size_t parts_n,
                                       struct red_error *error) {
    const struct red_session **sessions = calloc(parts_n + 1, sizeof *sessions);
    struct red_error found = {.text = ""};
    bool is_whole = false;
    if (sessions == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the parts of a run");
    for (size_t p = 0; p < parts_n; p++) {
        sessions[p] = &parts[p].session;
        is_whole = is_whole || parts[p].is_whole;
    }
    const enum red_status status = red_session_check_memory(sessions, parts_n, true, &found);
    free(sessions);
    for (size_t p = 0; p < parts_n && status == RED_OK; p++)
        tell_arrays_too_long(&parts[p]);
    const char *way_out = parts[0].experiment == NULL ? ""
                          : is_whole
                              ? "; --experiments without whole takes shorter arrays, and letters choose some"
                              : "; --experiments takes letters, such as --experiments=a,c";
    return status == RED_OK ? RED_OK : red_fail(error, status, "%.400s%s", found.text, way_out);
}
