/* Result files of strangers: read or refused in one sentence, and what is read makes sense. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "results/result.h"

/* What a terminal takes for a command: C0 and C1 controls, DEL. */
static void must_be_plain(const char *text) {
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++)
        if (*at < ' ' || *at == 0x7f || (*at == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f))
            abort();
}

static void cells_must_make_sense(const struct red_result *result) {
    const struct red_run *run = &result->run;
    size_t asked_n = result->left_out_n;
    for (size_t i = 0; i < run->cells_n; i++) {
        const struct red_cell *cell = &run->cells[i];
        const struct red_statistics *time = &cell->time;
        if (cell->device >= run->devices_n || (cell->samples_n > 0) != (cell->state == RED_STATE_PASS) ||
            time->low > time->median || time->median > time->high ||
            (time->median > 0) != (cell->samples_n > 0) || cell->asked.width > 1024 ||
            cell->device_id != run->devices[cell->device].info.id)
            abort();
        must_be_plain(cell->strategy->name);
        must_be_plain(cell->op->name);
        must_be_plain(cell->dtype->name);
        must_be_plain(cell->reason);
    }
    for (size_t q = 0; q < result->queries_n; q++)
        asked_n += result->queries[q].run.cells_n;
    if (asked_n != run->cells_n)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    struct red_result result;
    struct red_error error = {.text = ""};
    enum red_status status = red_result_read("x.json", (const char *)data, n, NULL, &result, &error);
    if (status != RED_OK && (status != RED_E_INPUT || error.text[0] == '\0'))
        abort();
    must_be_plain(error.text);
    for (size_t i = 0; status == RED_OK && i < result.run.devices_n; i++) {
        must_be_plain(result.run.devices[i].info.id);
        must_be_plain(result.run.devices[i].info.platform_version);
    }
    if (status == RED_OK) {
        cells_must_make_sense(&result);
        if (red_result_write_json(&result.run, "/dev/null", &error) != RED_OK)
            abort();
    }
    red_result_clear(&result);
    return 0;
}
