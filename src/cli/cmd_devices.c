/* The verb `devices`: a table of all devices with their capabilities, and below it why a device lacks one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cl/roof.h"
#include "cli/options.h"
#include "console/console_table.h"
#include "console/table.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "host/reference.h"
#include "model/primitive.h"
#include "results/json.h"
#include "results/run.h"
#include "run/session.h"

/* A column for each capability, behind those of the device. */
_Static_assert(RED_NEEDS_N + 16 <= RED_TABLE_COLUMNS_MAX, "the table of devices has room for all columns");

/* Measures the read bandwidth of a device (the roof), of scans that of a copy, over 64 MiB, with each of the
 * forms of the kernel that reads or copies; the fastest counts, and it fails only if none works. Seen as the
 * column "roof GB/s". Releases all data of the client. */
static enum red_status measure_roof(struct red_client *client, const struct red_primitive_row *primitive,
                                    unsigned forms_n, struct red_run_device *device,
                                    struct red_error *error) {
    const struct red_data_kind uniform = {RED_PATTERN_UNIFORM, 0};
    const struct red_data_spec data =
        red_data_spec_make(red_op_find(primitive->op), red_dtype_find("f32"), uniform, UINT64_C(1) << 24, 1);
    struct red_case roof = red_case_make(&data, NULL, NULL);
    roof.keep = true;
    enum red_status status = RED_OK;
    for (; roof.form < forms_n; roof.form++) {
        struct red_ready ready;
        status = red_client_prepare(client, &roof, 20, 0.1, &ready, error);
        if (status != RED_OK)
            continue;
        device->roof_bytes = ready.bytes;
        device->roof_bytes_per_s = fmax(device->roof_bytes_per_s, ready.bytes / ready.shortest_s);
    }
    red_client_release_and_count_programs(client);
    red_client_stop_spinning(client);
    return device->roof_bytes_per_s > 0 ? RED_OK : status;
}

/* Finds what is told of the host: its processor, OpenMP's threads, and its roof, which is measured now. */
static enum red_status measure_host(struct red_session *session, struct red_run_device *device,
                                    struct red_error *error) {
    struct red_host host;
    red_host_find(&host);
    *device = (struct red_run_device){.is_host = true, .info.id = "host"};
    snprintf(device->info.name, sizeof device->info.name, "%s", host.processor);
    device->info.shape.compute_units = red_reference_threads_n();
    return measure_roof(session->host, &red_primitives[session->selection->primitive], 1, device, error);
}

/* Finds what is told of device d of the session: measures its roof, has the worker judge the driver's event
 * times, and asks for what is not known of its capabilities. */
static void measure_device(struct red_session *session, size_t d, struct red_run_device *device) {
    struct red_client *client = session->devices[d];
    const struct red_primitive_row *primitive = &red_primitives[session->selection->primitive];
    struct red_error none = {.text = ""};
    *device = (struct red_run_device){.info = *red_client_info(client),
                                      .capabilities = red_client_capabilities(client)};
    if (measure_roof(client, primitive, RED_ROOF_FORMS_N, device, &none) != RED_OK && !red_interrupted())
        fprintf(stderr, "no %s on %s: %s\n", primitive->roof, device->info.id, none.text);
    device->event_clock.checked = red_client_event_clock(client, &device->event_clock, &none) == RED_OK;
    if (!device->event_clock.checked)
        snprintf(device->event_clock.reason, sizeof device->event_clock.reason, "%.150s", none.text);
    for (unsigned need = 0; need < RED_NEEDS_N; need++)
        (void)red_capability_best_or_ask(red_client_capabilities(client), (enum red_need_index)need);
}

/* Writes the column "event times": "trusted, step 1 ns", or "unknown: " with the error. */
static void event_clock_format(const struct red_event_clock *clock, char *text, size_t text_bytes) {
    if (!clock->checked)
        snprintf(text, text_bytes, "unknown: %.150s", clock->reason);
    else if (clock->trusted)
        snprintf(text, text_bytes, "trusted, step %.0f ns", clock->quantum_ns);
    else
        snprintf(text, text_bytes, "untrusted: %s", clock->reason);
}

/* Adds the row of the host, or of a device; `capabilities` are its (NULL: the host's). */
static void add_row(const struct red_run_device *device, struct red_capabilities *capabilities,
                    struct red_table *table) {
    const struct red_device_info *info = &device->info;
    char times[192] = "", answer[RED_CAPABILITY_TEXT_BYTES] = "";
    if (!device->is_host)
        event_clock_format(&device->event_clock, times, sizeof times);
    RED_PUT(table, info->id, info->name, device->is_host ? "OpenMP" : info->platform, info->version,
            info->driver, info->c_versions);
    red_table_put(table, "%u", info->shape.compute_units);
    red_table_put(table, device->is_host ? "" : "%zu", info->shape.group_size_max);
    red_table_put(table, "%s", red_rate_text(device->roof_bytes_per_s).text);
    red_table_put(table, "%s", times);
    for (unsigned need = 0; need < RED_NEEDS_N; need++) {
        if (capabilities != NULL)
            red_capability_format((enum red_need_index)need,
                                  red_capability_best_or_ask(capabilities, (enum red_need_index)need), answer,
                                  sizeof answer);
        red_table_put(table, "%s", answer);
    }
}

/* Appends the host or a device to the array of --format json: the members of devices[] in result files.
 * False without memory. */
static bool append_json(const struct red_run_device *device, json_t *array) {
    return json_array_append_new(array, red_fields_json(red_device_fields, device)) == 0;
}

/* Whether one line below the table tells of both. */
static bool is_same_reason(const struct red_capability *a, const struct red_capability *b) {
    return strcmp(red_capability_brief(a), red_capability_brief(b)) == 0 && strcmp(a->reason, b->reason) == 0;
}

/* Prints why a device lacks a need, in one line with the needs after it that have the same reason; nothing
 * where they are not lacking, nor of what an interruption has left open, which the last line tells once.
 * Returns the need behind these. */
static unsigned print_reason_and_give_next(struct red_client *client, unsigned need) {
    char text[2048];
    struct red_capabilities *capabilities = red_client_capabilities(client);
    const struct red_capability *first = red_capability_best_or_ask(capabilities, (enum red_need_index)need);
    snprintf(text, sizeof text, "%s", red_client_info(client)->id);
    do {
        char name[64];
        red_needs_format(RED_SET(need), name, sizeof name);
        red_text_add(text, sizeof text, ", %s", name);
        need++;
    } while (need < RED_NEEDS_N &&
             is_same_reason(red_capability_best_or_ask(capabilities, (enum red_need_index)need), first));
    red_text_add(text, sizeof text, ": %s: %s", red_capability_brief(first), first->reason);
    const bool is_left_open = first->behaves == RED_UNKNOWN && red_interrupted();
    if ((!red_capability_is_whole(first) || first->reason[0] != '\0') && !is_left_open)
        red_wrapped_print(stdout, "", text);
    return need;
}

/* Prints what the words of the table mean, then why for every capability that a device lacks. */
static void print_legend_and_reasons(const struct red_session *session) {
    puts("\nof each capability: what the driver says, whether a probe kernel builds, whether it behaves; ! = "
         "they\ndisagree, ? = not known, or nothing that a driver could be asked");
    if (!red_primitive_is_default(session->selection->primitive))
        printf("roof: the %s, of a kernel that only %s\n", red_primitives[session->selection->primitive].roof,
               red_primitives[session->selection->primitive].only);
    for (size_t d = 0; d < session->devices_n; d++)
        for (unsigned need = 0; need < RED_NEEDS_N;)
            need = print_reason_and_give_next(session->devices[d], need);
}

/* Measures the host and each device, one after the other, and adds each to the table and to the array. */
static enum red_status measure_and_add_all(struct red_session *session, struct red_table *table,
                                           json_t *array, struct red_error *error) {
    struct red_run_device device;
    enum red_status status = measure_host(session, &device, error);
    bool whole = status != RED_OK || append_json(&device, array);
    if (status == RED_OK) {
        add_row(&device, NULL, table);
        red_clients_probe(session->devices, session->devices_n, NULL);
    }
    for (size_t d = 0; d < session->devices_n && status == RED_OK && whole; d++) {
        measure_device(session, d, &device);
        add_row(&device, red_client_capabilities(session->devices[d]), table);
        whole = append_json(&device, array);
    }
    return status == RED_OK && !whole ? red_fail(error, RED_E_MEMORY, "no memory for the devices") : status;
}

/* Makes the table without rows; each need has a column. */
static struct red_table *create_table(void) {
    struct red_table *table = red_table_create("id|device@22|platform@22|version@16|driver@16|OpenCL C@8|"
                                               "units>|max group>|roof GB/s>|event times@22");
    for (unsigned need = 0; need < RED_NEEDS_N; need++) {
        char name[64];
        red_needs_format(RED_SET(need), name, sizeof name);
        red_table_add_column(table, name, false, 22);
    }
    return table;
}

static enum red_status run_devices(const struct red_options *options, struct red_error *error) {
    static const struct red_session_defaults defaults = {.types = NULL, .ops = NULL, .kernels_alone = false};
    const enum red_format format = options->output.format;
    const char *path = options->output.path;
    struct red_session session;
    enum red_status status = red_session_open(&options->selection, &defaults, &session, error);
    if (status != RED_OK)
        return status;
    if (!red_session_is_host_only(&session))
        red_client_print_left_out(&session.program, stderr);
    struct red_table *table = create_table();
    json_t *array = json_array();
    status = measure_and_add_all(&session, table, array, error);
    if (status == RED_OK && format == RED_FORMAT_TABLE)
        status = red_table_write_turned(table, path, error);
    if (status == RED_OK && format == RED_FORMAT_TABLE && path == NULL)
        print_legend_and_reasons(&session);
    if (status == RED_OK && format == RED_FORMAT_JSON)
        status = red_json_write(array, path != NULL ? path : "-", 9, error);
    if (status == RED_OK && format == RED_FORMAT_CSV)
        status = red_table_write(table, format, path, error);
    if (status == RED_OK && red_interrupted())
        status = red_fail(error, RED_E_INTERRUPTED, "interrupted; ? stands for what is not known yet");
    json_decref(array);
    red_table_destroy(table);
    red_session_close(&session);
    return status;
}

const struct red_verb red_verb_devices = {
    .name = "devices",
    .summary = "what there is to run on, and what it can do",
    .options = RED_OUTPUT_OPTIONS | RED_BIT(PRIMITIVE) | RED_BIT(DEVICE) | RED_BIT(PATIENCE),
    .modes = (const struct red_mode[]){{RED_OPTION_EACH, 0}, {RED_MODE_ALWAYS, 0}},
    .documentation =
        "Lists every OpenCL device with the capabilities that matter here, and of each three answers: what "
        "the driver says, whether a probe kernel builds, whether it behaves on exact data over several group "
        "sizes. '!' marks where they disagree: 'says no, works', 'says yes, wrong'. The roof is what a "
        "kernel that only reads reaches; with --primitive scan one that only copies.\n"
        "--each, under mpirun: every rank looks at its own device, and rank 0 prints one table and writes "
        "one "
        "file of all.\v"
        "Example: clreduce devices --device 'intel,pocl'\n"
        "Example: clreduce devices --primitive scan\n"
        "Example: mpirun -n 16 clreduce devices --each --output fleet.json",
    .run = run_devices,
};
