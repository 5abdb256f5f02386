/* Registers of known bugs: read or refused, and what is read can be asked. */
#include "fuzz.h"

#include "model/catalogue.h"
#include "results/known_failures.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    static const struct red_device_info device = {
        .platform = "Portable Computing Language", .name = "cpu", .driver = "3.1+debian"};
    static struct red_catalogue *catalogue;
    struct red_known_failures known_failures = {.n = 0};
    struct red_error error = {.text = ""};
    assert(catalogue != NULL || red_catalogue_create(&catalogue, NULL) == RED_OK);
    enum red_status status =
        red_known_failures_read("x.expect", (const char *)data, n, &known_failures, &error);
    assert(status == RED_OK || (status == RED_E_INPUT && strncmp(error.text, "x.expect:", 9) == 0));
    for (size_t i = 0; i < known_failures.n; i++) {
        struct red_known_failure *row = &known_failures.rows[i];
        char text[640];
        assert(row->reason[0] != '\0' && row->since[0] != '\0');
        row->passed_n = 1;
        (void)red_known_failure_no_longer_holds(row, text, sizeof text);
    }
    const struct red_known_failure_cell cell = {
        &device, red_catalogue_find(catalogue, "tree"), red_op_find("sum"), red_dtype_find("f32"), 64, 256};
    (void)red_known_failures_find(&known_failures, &cell);
    (void)red_known_failures_has_unsupported(&known_failures, &device);
    red_known_failures_clear(&known_failures);
    return 0;
}
