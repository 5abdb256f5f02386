/* Result files of strangers: read or refused in one sentence, and what is read makes sense. */
#include "fuzz.h"

#include "results/result.h"

static void cells_must_make_sense(const struct red_result *result) {
    const struct red_run *run = &result->run;
    size_t asked_n = result->left_out_n;
    for (size_t i = 0; i < run->cells_n; i++) {
        const struct red_cell *cell = &run->cells[i];
        const struct red_statistics *time = &cell->time;
        assert(cell->device < run->devices_n && cell->at.device == run->devices[cell->device].info.id);
        assert((cell->samples_n > 0) == (cell->state == RED_STATE_PASS));
        assert((cell->samples_n > 0) == (time->median > 0));
        assert(!(time->low > time->median || time->median > time->high));
        assert(cell->at.asked.width <= 1024);
        must_be_plain(cell->at.strategy->name);
        must_be_plain(cell->at.op->name);
        must_be_plain(cell->at.dtype->name);
        must_be_plain(cell->reason);
    }
    for (size_t q = 0; q < result->queries_n; q++)
        asked_n += result->queries[q].run.cells_n;
    assert(asked_n == run->cells_n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    struct red_result result;
    struct red_error error = {.text = ""};
    enum red_status status = red_result_read("x.json", (const char *)data, n, NULL, &result, &error);
    assert(status == RED_OK || (status == RED_E_INPUT && error.text[0] != '\0'));
    must_be_plain(error.text);
    for (size_t i = 0; status == RED_OK && i < result.run.devices_n; i++) {
        must_be_plain(result.run.devices[i].info.id);
        must_be_plain(result.run.devices[i].info.platform_version);
    }
    if (status == RED_OK) {
        cells_must_make_sense(&result);
        assert(red_result_write_json(&result.run, "/dev/null", &error) == RED_OK);
    }
    red_result_clear(&result);
    return 0;
}
