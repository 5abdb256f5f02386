/* The verb `devices`: a table of all devices with their capabilities, and below it why a device lacks one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cl/roof.h"
#include "cli/options.h"
#include "console/table.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "oracle/reference.h"
#include "results/run.h"
#include "run/session.h"

enum { FIXED_COLUMNS_N = 10 };

static const struct red_column columns[FIXED_COLUMNS_N + RED_NEEDS_N] = {
    {.name = "id"},
    {.name = "device", .wrap = 22},
    {.name = "platform", .wrap = 22},
    {.name = "version", .wrap = 16},
    {.name = "driver", .wrap = 16},
    {.name = "OpenCL C", .wrap = 8},
    {.name = "units", .right = true},
    {.name = "max group", .right = true},
    {.name = "roof GB/s", .right = true},
    {.name = "event times", .wrap = 22},
    /* one more per need; run_devices fills in their headings */
};

/* Measures the read bandwidth of a device (the roof), over 64 MiB, with each of the forms of the kernel that
 * reads; the fastest counts, and it fails only if none works. Seen as the column "roof GB/s". Releases all
 * data of the client. */
static enum red_status measure_roof(struct red_client *client, unsigned forms_n, double *bytes_per_s,
                                    struct red_error *error) {
    const struct red_data_spec data = {.op = red_op_find("sum"),
                                       .dtype = red_dtype_find("f32"),
                                       .data_kind = {RED_PATTERN_UNIFORM, 0},
                                       .n = UINT64_C(1) << 24,
                                       .segments_n = 1,
                                       .seed = 1};
    struct red_case roof = red_case_make(&data, NULL, &(struct red_tuning){.group_size = 0});
    roof.keep = true;
    enum red_status status = RED_OK;
    *bytes_per_s = 0;
    for (; roof.form < forms_n; roof.form++) {
        struct red_ready ready;
        status = red_client_prepare(client, &roof, 20, 0.1, &ready, error);
        if (status == RED_OK)
            *bytes_per_s = fmax(*bytes_per_s, ready.bytes / ready.shortest_s);
    }
    red_client_release_and_count_programs(client);
    red_client_stop_spinning(client);
    return *bytes_per_s > 0 ? RED_OK : status;
}

/* Adds the row of the host: its processor, OpenMP's threads, and its roof, which is measured now. */
static enum red_status measure_and_add_host_row(struct red_session *session, struct red_table *table,
                                                struct red_error *error) {
    struct red_host host;
    char units[24], roof[24];
    red_host_find(&host);
    snprintf(units, sizeof units, "%u", red_reference_threads_n());
    double bytes_per_s = 0;
    enum red_status status = measure_roof(session->host, 1, &bytes_per_s, error);
    snprintf(roof, sizeof roof, "%.1f", 1e-9 * bytes_per_s);
    const char *values[FIXED_COLUMNS_N + RED_NEEDS_N] = {"host", host.processor, "OpenMP", "",   "",
                                                         "",     units,          "",       roof, ""};
    for (unsigned need = 0; need < RED_NEEDS_N; need++)
        values[FIXED_COLUMNS_N + need] = "";
    return status != RED_OK ? status : red_table_add(table, values, error);
}

/* Has the worker judge the driver's event times, and writes the answer, the column "event times": "trusted,
 * step 1 ns", or "unknown: " with the error. */
static void ask_and_format_event_clock(struct red_client *client, char *text, size_t text_bytes) {
    struct red_event_clock event_clock;
    struct red_error found = {.text = ""};
    if (red_client_event_clock(client, &event_clock, &found) != RED_OK)
        snprintf(text, text_bytes, "unknown: %.150s", found.text);
    else if (event_clock.trusted)
        snprintf(text, text_bytes, "trusted, step %.0f ns", event_clock.quantum_ns);
    else
        snprintf(text, text_bytes, "untrusted: %s", event_clock.reason);
}

/* Adds the row of device d of the session: measures its roof, judges its event times, and asks for what is
 * not known of its capabilities. */
static enum red_status measure_and_add_device_row(struct red_session *session, size_t d,
                                                  struct red_table *table, struct red_error *error) {
    struct red_client *client = session->devices[d];
    const struct red_device_info *info = red_client_info(client);
    char units[24], group[24], roof[24], times[192];
    double bytes_per_s = 0;
    struct red_error none = {.text = ""};
    if (measure_roof(client, RED_ROOF_FORMS_N, &bytes_per_s, &none) != RED_OK)
        fprintf(stderr, "no read roof on %s: %s\n", info->id, none.text);
    ask_and_format_event_clock(client, times, sizeof times);
    snprintf(units, sizeof units, "%u", info->shape.compute_units);
    snprintf(group, sizeof group, "%zu", info->shape.group_size_max);
    snprintf(roof, sizeof roof, bytes_per_s > 0 ? "%.1f" : "-", 1e-9 * bytes_per_s);
    const char *values[FIXED_COLUMNS_N + RED_NEEDS_N] = {
        info->id,         info->name, info->platform, info->version, info->driver,
        info->c_versions, units,      group,          roof,          times};
    char answers[RED_NEEDS_N][RED_CAPABILITY_TEXT_BYTES];
    for (unsigned need = 0; need < RED_NEEDS_N; need++) {
        red_capability_format(
            (enum red_need_index)need,
            red_capability_best_or_ask(red_client_capabilities(client), (enum red_need_index)need),
            answers[need], sizeof answers[need]);
        values[FIXED_COLUMNS_N + need] = answers[need];
    }
    return red_table_add(table, values, error);
}

/* Whether one line below the table tells of both. */
static bool is_same_reason(const struct red_capability *a, const struct red_capability *b) {
    return strcmp(red_capability_brief(a), red_capability_brief(b)) == 0 && strcmp(a->reason, b->reason) == 0;
}

/* Prints why a device lacks a need, in one line with the needs after it that have the same reason; nothing
 * where they are not lacking. Returns the need behind these. */
static unsigned print_reason_and_give_next(struct red_client *client, unsigned need) {
    char text[2048];
    struct red_capabilities *capabilities = red_client_capabilities(client);
    const struct red_capability *first = red_capability_best_or_ask(capabilities, (enum red_need_index)need);
    snprintf(text, sizeof text, "%s", red_client_info(client)->id);
    do {
        char name[64];
        red_needs_format(UINT64_C(1) << need, name, sizeof name);
        red_text_add(text, sizeof text, ", %s", name);
        need++;
    } while (need < RED_NEEDS_N &&
             is_same_reason(red_capability_best_or_ask(capabilities, (enum red_need_index)need), first));
    red_text_add(text, sizeof text, ": %s: %s", red_capability_brief(first), first->reason);
    if (!red_capability_is_whole(first))
        red_wrapped_print(stdout, "", text);
    return need;
}

/* Prints what the words of the table mean, then why for every capability that a device lacks. */
static void print_legend_and_reasons(const struct red_session *session) {
    puts("\nof each capability: what the driver says, whether a probe kernel builds, whether it behaves; ! = "
         "they\ndisagree, ? = not known, or nothing that a driver could be asked");
    for (size_t d = 0; d < session->devices_n; d++)
        for (unsigned need = 0; need < RED_NEEDS_N;)
            need = print_reason_and_give_next(session->devices[d], need);
}

/* Called by run_verb in main.c with the command line; its status becomes the exit status. */
static enum red_status run_devices(const struct red_options *options, struct red_error *error) {
    static const struct red_session_defaults defaults = {.types = NULL, .ops = NULL, .kernels_alone = false};
    struct red_session session;
    struct red_table *table = NULL;
    struct red_column all[FIXED_COLUMNS_N + RED_NEEDS_N];
    char need_names[RED_NEEDS_N][64];
    memcpy(all, columns, sizeof all);
    for (unsigned need = 0; need < RED_NEEDS_N; need++) {
        red_needs_format(UINT64_C(1) << need, need_names[need], sizeof need_names[need]);
        all[FIXED_COLUMNS_N + need] = (struct red_column){.name = need_names[need], .wrap = 22};
    }
    enum red_status status = red_session_open(&options->selection, &defaults, &session, error);
    if (status != RED_OK)
        return status;
    if (!red_session_is_host_only(&session))
        red_client_print_left_out(&session.program, stderr);
    table = red_table_create(all, FIXED_COLUMNS_N + RED_NEEDS_N);
    if (table == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory for a table");
    if (status == RED_OK)
        status = measure_and_add_host_row(&session, table, error);
    if (status == RED_OK)
        red_clients_probe(session.devices, session.devices_n, NULL);
    for (size_t d = 0; d < session.devices_n && status == RED_OK; d++)
        status = measure_and_add_device_row(&session, d, table, error);
    if (status == RED_OK && options->output.format == RED_FORMAT_TABLE)
        status = red_table_write_turned(table, options->output.path, error);
    if (status == RED_OK && options->output.format == RED_FORMAT_TABLE && options->output.path == NULL)
        print_legend_and_reasons(&session);
    if (status == RED_OK && options->output.format != RED_FORMAT_TABLE)
        status = red_table_write(table, options->output.format, options->output.path, error);
    if (status == RED_OK && red_interrupted())
        status = red_fail(error, RED_E_INTERRUPTED, "interrupted; ? stands for what is not known yet");
    red_table_destroy(table);
    red_session_close(&session);
    return status;
}

const struct red_verb red_verb_devices = {
    .name = "devices",
    .summary = "what there is to run on, and what it can do",
    .options = RED_OUTPUT_OPTIONS | RED_BIT(DEVICE) | RED_BIT(PATIENCE),
    .documentation =
        "Lists every OpenCL device with the capabilities that matter here, and of each three answers: what "
        "the driver says, whether a probe kernel builds, whether it behaves on exact data over several group "
        "sizes. '!' marks where they disagree: 'says no, works', 'says yes, wrong'.\v"
        "Example: clreduce devices --device 'intel,pocl'",
    .run = run_devices,
};
