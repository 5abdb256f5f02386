/* Reduces one array by one strategy on one device, checks the answer, and says what a result file recommends.
 *   example DEVICE STRATEGY RESULT.json */
#include <clreduce.h>
#include <stdio.h>

/* A million floats on the device, summed and checked. */
static enum red_status reduce(struct red_device *device, const struct red_strategy *strategy,
                              struct red_error *error) {
    const struct red_op *op = red_op_find("sum");
    const struct red_dtype *dtype = red_dtype_find("f32");
    struct red_input input = {.n = 0};
    struct red_resident *resident = NULL;
    struct red_plan *plan = NULL;
    struct red_value value;
    enum red_status status = red_input_make(dtype, op, (struct red_data_kind){.pattern = RED_PATTERN_UNIFORM},
                                            1000000, 1, &input, error);
    if (status == RED_OK)
        status = red_resident_create(device, &input, &resident, error);
    const struct red_case spec = {.strategy = strategy, .data.op = op, .n = input.n};
    if (status == RED_OK)
        status = red_plan_create(resident, &spec, &plan, error);
    if (status == RED_OK)
        status = red_plan_run(plan, &value, error);
    if (status == RED_OK) {
        struct red_truth truth;
        red_truth_find(&input, &truth);
        double chain = red_bound_chain(strategy, dtype, op, red_plan_geometry(plan), input.n);
        struct red_correctness verdict = red_truth_check(&truth, chain, value);
        char text[64];
        red_truth_answer_format(&truth, &value, text, sizeof text);
        printf("%s on %s: %s, %s\n", strategy->name, red_device_info(device)->id, text,
               verdict.right ? "right" : "wrong");
    }
    red_plan_destroy(plan);
    red_resident_destroy(resident);
    red_input_clear(&input);
    return status;
}

static enum red_status advise(const struct red_catalogue *catalogue, const char *path,
                              struct red_error *error) {
    const struct red_candidate_filter filter = {.strategy = NULL};
    struct red_loaded_files loaded;
    enum red_status status =
        red_loaded_files_load_with_times(&path, 1, catalogue, false, &loaded, stderr, error);
    for (size_t d = 1; status == RED_OK && d < loaded.results[0].run.devices_n; d++) {
        struct red_curves curves;
        struct red_advice advice;
        char text[2048];
        status = red_curves_make(&loaded, 0, d, &loaded.results[0].queries[0], &filter, &curves, error);
        if (status == RED_OK)
            status = red_advice_make(&curves, 1, &advice, error);
        if (status != RED_OK)
            break;
        red_advice_sentence(&advice, text, sizeof text);
        puts(text);
        red_advice_clear(&advice);
    }
    red_loaded_files_clear(&loaded);
    return status;
}

static enum red_status run(char **arguments, struct red_error *error) {
    struct red_catalogue *catalogue = NULL;
    struct red_device_list *list = NULL;
    struct red_device *device = NULL;
    enum red_status status = red_catalogue_create(&catalogue, error);
    if (status == RED_OK)
        status = red_device_list_create(&list, error);
    for (size_t i = 0; status == RED_OK && i < red_device_list_n(list) && device == NULL; i++)
        if (red_device_list_selected(list, i, arguments[1]))
            status = red_device_open(list, i, &device, error);
    const struct red_strategy *strategy = red_catalogue_find(catalogue, arguments[2]);
    if (status == RED_OK && (device == NULL || strategy == NULL))
        status = red_fail(error, RED_E_INPUT, "no device %s, or no strategy %s", arguments[1], arguments[2]);
    if (status == RED_OK)
        status = reduce(device, strategy, error);
    if (status == RED_OK)
        status = advise(catalogue, arguments[3], error);
    if (device != NULL)
        red_device_close(device);
    red_device_list_destroy(list);
    red_catalogue_destroy(catalogue);
    return status;
}

int main(int count, char **arguments) {
    struct red_error error = {.text = ""};
    if (count != 4) {
        fputs("Usage: example DEVICE STRATEGY RESULT.json\n", stderr);
        return red_exit_status_of(RED_E_INPUT);
    }
    enum red_status status = run(arguments, &error);
    if (status != RED_OK)
        fprintf(stderr, "%s\n", error.text);
    return red_exit_status_of(status);
}
