/* verify --show-data: writes the data of one check, element by element, with the exact answer and its bound,
 * so that a reader can check what `verify` takes for right. Into --output, or on the screen. cli/cmd_verify.c
 * opens the session and calls red_data_set_write. */
#include "verify/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "oracle/results.h"
#include "oracle/truth.h"
#include "verify/verify_private.h"

enum { VALUE_BYTES = 64 };

/* What is written, one value after the other. */
struct data_writer {
    FILE *out;
    enum red_format format;
    const char *open; /* the list that is being written; NULL: none */
};

/* A float in hexadecimal, which rounds nothing: an element, a part of the exact sum, or the bound. */
static void hex_real_format(double value, char *text) {
    if (isnan(value))
        snprintf(text, VALUE_BYTES, signbit(value) ? "-nan" : "nan");
    else
        snprintf(text, VALUE_BYTES, "%a", value);
}

/* The i-th element of the array, or an answer; floats in hexadecimal. */
static void value_format(const struct red_dtype *dtype, const void *array, uint64_t i, char *text) {
    if (dtype->is_float)
        hex_real_format(dtype->get_real(array, i), text);
    else if (dtype->kind == RED_SIGNED)
        snprintf(text, VALUE_BYTES, "%" PRId64, (int64_t)dtype->get_integer(array, i));
    else
        snprintf(text, VALUE_BYTES, "%" PRIu64, dtype->get_integer(array, i));
}

/* Ends the list that is being written; only JSON shows that. */
static void list_end_print_if_json(struct data_writer *to) {
    if (to->open != NULL && to->format == RED_FORMAT_JSON)
        fputs("]", to->out);
    to->open = NULL;
}

/* The i-th value of a list, as "x[3] = 0x1p+0"; values of one list follow each other. */
static void value_print(struct data_writer *to, const char *list, uint64_t i, const char *value) {
    bool begins = to->open == NULL || strcmp(to->open, list) != 0;
    if (to->format == RED_FORMAT_CSV)
        fprintf(to->out, "%s,%" PRIu64 ",%s\n", list, i, value);
    else if (to->format == RED_FORMAT_TABLE)
        fprintf(to->out, "%s[%" PRIu64 "] = %s\n", list, i, value);
    else if (begins) {
        list_end_print_if_json(to);
        fprintf(to->out, ",\n\"%s\": [\"%s\"", list, value);
    } else
        fprintf(to->out, "%s\"%s\"", i % 8 == 0 ? ",\n " : ", ", value);
    to->open = list;
}

/* ---- which data ---------------------------------------------------------------------------------------- */

/* Finds the data kind of the name that --show-data has; the error names those that there are. */
static enum red_status find_data_kind(const char *name, const struct red_op *op,
                                      const struct red_dtype *dtype, uint64_t n,
                                      struct red_data_kind *data_kind, struct red_error *error) {
    char names[1024] = "", text[64];
    if (red_data_kind_find(name, op, dtype, n, data_kind))
        return RED_OK;
    for (int pattern = 0; pattern < RED_PATTERNS_N; pattern++) {
        if (!red_pattern_fits((enum red_pattern)pattern, op, dtype))
            continue;
        *data_kind = (struct red_data_kind){(enum red_pattern)pattern, 0};
        red_data_kind_format(*data_kind, op, dtype, n, text, sizeof text);
        red_text_add(names, sizeof names, "%s%s", names[0] ? ", " : "", text);
    }
    return red_fail(error, RED_E_INPUT, "--show-data: %s of %s has no data '%.100s', but: %s", op->name,
                    dtype->name, name, names);
}

/* RED_E_INPUT unless one operation, type and n are chosen, and the operation takes that n. */
static enum red_status require_one_op_type_and_n(const struct red_session *session, struct red_error *error) {
    if (session->selection->n.n != 1 || session->ops_n != 1 || session->types_n != 1)
        return red_fail(error, RED_E_INPUT,
                        "--show-data shows the data of one cell: choose one --op, one --type and one --n");
    return red_op_check_n(session->ops[0], session->types[0], session->selection->n.values[0], error);
}

/* ---- what is written of it ----------------------------------------------------------------------------- */

/* Prints the exact sum as a list of doubles, of which each is what those before it leave. */
static void exact_sum_print(struct data_writer *to, const struct red_truth *truth) {
    struct red_exact rest = truth->real;
    char text[VALUE_BYTES];
    double part = red_exact_value(&rest);
    for (uint64_t i = 0; i == 0 || part != 0; i++) {
        hex_real_format(part, text);
        value_print(to, "exact", i, text);
        if (!isfinite(part))
            return;
        red_exact_add(&rest, -part);
        part = red_exact_value(&rest);
    }
}

/* Prints the exact answer as the list "exact", and of a place also where it is. */
static void exact_print(struct data_writer *to, const struct red_truth *truth) {
    char text[VALUE_BYTES];
    if (red_op_picks(truth->op)) {
        value_format(truth->dtype, &truth->extreme, 0, text);
        value_print(to, "exact", 0, text);
    } else if (truth->dtype->is_float)
        exact_sum_print(to, truth);
    else {
        bool is_signed = truth->dtype->kind == RED_SIGNED;
        snprintf(text, sizeof text, is_signed ? "%" PRId64 : "%" PRIu64, truth->integer);
        value_print(to, "exact", 0, text);
    }
    if (truth->op->role == RED_ROLE_PLACE) {
        snprintf(text, sizeof text, "%" PRIu64, truth->index);
        value_print(to, "place", 0, text);
    }
}

/* Finds the longest chain of additions that the strategy makes of the data here: the bound follows from it.
 */
static enum red_status find_chain(const struct red_session *session, const struct red_input *input,
                                  double *chain, struct red_error *error) {
    const struct red_tuning tuning = red_selection_tuning(session->selection, 0);
    struct red_geometry geometry;
    enum red_status status = red_geometry_choose(session->strategies[0], input->op, input->dtype,
                                                 &red_client_info(session->devices[0])->shape, &tuning,
                                                 input->n, &geometry, error);
    if (status == RED_OK) {
        struct red_truth truth;
        red_truth_find(input, &truth);
        *chain = red_bound_chain_of_data(session->strategies[0], &geometry, input, &truth);
    }
    return status;
}

/* Prints the exact answer rounded to the result's type. */
static void answer_print(struct data_writer *to, const struct red_truth *truth, uint64_t i) {
    const struct red_value right = red_truth_value(truth);
    char text[VALUE_BYTES];
    value_format(red_op_result_dtype(truth->op, truth->dtype), &right, 0, text);
    value_print(to, "answer", i, text);
}

/* Prints what may differ from it. */
static void bound_print(struct data_writer *to, const struct red_truth *truth, double chain, uint64_t i) {
    char text[VALUE_BYTES];
    hex_real_format(red_truth_check(truth, chain, red_truth_value(truth)).bound, text);
    value_print(to, "bound", i, text);
}

/* Prints the exact answer, the rounded one, and its bound; of a scan or a histogram the latter two of each
 * result. */
static enum red_status answers_print(struct data_writer *to, const struct red_input *input, double chain,
                                     struct red_error *error) {
    struct red_results_truth *results = NULL;
    struct red_truth truth;
    enum red_status status = red_results_truth_make(input, input->n, &results, error);
    if (status == RED_OK && results == NULL) {
        red_truth_find(input, &truth);
        exact_print(to, &truth);
        answer_print(to, &truth, 0);
        bound_print(to, &truth, chain, 0);
        return RED_OK;
    }
    const uint64_t results_n = status == RED_OK ? red_results_truth_n(results) : 0;
    for (uint64_t i = 0; i < results_n; i++) {
        red_results_truth_at(results, i, &truth);
        answer_print(to, &truth, i);
    }
    for (uint64_t i = 0; i < results_n; i++) {
        red_results_truth_at(results, i, &truth);
        bound_print(to, &truth, chain, i);
    }
    red_results_truth_destroy(results);
    return status;
}

/* Writes what the values are of: a line, or JSON's first members. */
static void head_print(struct data_writer *to, const struct red_session *session,
                       const struct red_input *input) {
    char data[64];
    const char *strategy = session->strategies[0]->name, *device = red_client_info(session->devices[0])->id;
    red_data_kind_format(input->data_kind, input->op, input->dtype, input->n, data, sizeof data);
    if (to->format == RED_FORMAT_CSV)
        fputs("what,index,value\n", to->out);
    else if (to->format == RED_FORMAT_TABLE)
        fprintf(to->out,
                "%s of %s, n = %" PRIu64 ", seed %" PRIu64
                ", data %s; %s; bound: of %s on %s (--strategy, --device)\n",
                input->op->name, input->dtype->name, input->n, input->seed, data,
                red_verify_hooks[input->op->primitive].answers, strategy, device);
    else
        fprintf(to->out,
                "{\"op\": \"%s\", \"type\": \"%s\", \"n\": %" PRIu64 ", \"seed\": %" PRIu64
                ", \"data\": \"%s\", \"strategy\": \"%s\", \"device\": \"%s\"",
                input->op->name, input->dtype->name, input->n, input->seed, data, strategy, device);
}

/* Prints all of --show-data: the elements of x (and y), the exact answer, the rounded one, and its bound. */
static enum red_status data_set_print(struct data_writer *to, const struct red_session *session,
                                      const struct red_input *input, struct red_error *error) {
    static const char *const names[] = {"x", "y"};
    char text[VALUE_BYTES];
    double chain;
    enum red_status status = find_chain(session, input, &chain, error);
    if (status != RED_OK)
        return status;
    head_print(to, session, input);
    for (unsigned array = 0; array < input->arrays_n; array++)
        for (uint64_t i = 0; i < input->n; i++) {
            value_format(input->dtype, input->arrays[array], i, text);
            value_print(to, names[array], i, text);
        }
    status = answers_print(to, input, chain, error);
    list_end_print_if_json(to);
    if (to->format == RED_FORMAT_JSON)
        fputs("}\n", to->out);
    return status;
}

enum red_status red_data_set_write(const struct red_session *session, const char *name,
                                   const struct red_output *output, struct red_error *error) {
    const struct red_selection *options = session->selection;
    struct red_input input = {.n = 0};
    struct red_data_kind data_kind;
    struct red_file file;
    red_interrupt_set_at_once(true); /* a list that is not complete is of no use */
    enum red_status status = require_one_op_type_and_n(session, error);
    if (status == RED_OK)
        status =
            find_data_kind(name, session->ops[0], session->types[0], options->n.values[0], &data_kind, error);
    if (status != RED_OK)
        return status;
    struct red_data_spec data = red_data_spec_make(session->ops[0], session->types[0], data_kind,
                                                   options->n.values[0], options->seed);
    data.bins_n = red_selected_bins_n(options);
    status = red_input_make(&data, &input, error);
    if (status != RED_OK)
        return status;
    status = red_file_open(output->path ? output->path : "-", &file, error);
    if (status == RED_OK) {
        struct data_writer to = {.out = file.stream, .format = output->format};
        status = data_set_print(&to, session, &input, error);
        if (status == RED_OK)
            status = red_file_commit(&file, error);
        else
            red_file_abandon(&file);
    }
    red_input_clear(&input);
    return status;
}
