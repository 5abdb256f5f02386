/* Result files of strangers: read or refused in one sentence, and what is read makes sense. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "results/past.h"

/* What a terminal takes for a command: C0 and C1 controls, DEL. */
static void must_be_plain(const char *text) {
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++)
        if (*at < ' ' || *at == 0x7f || (*at == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    struct red_past past;
    struct red_error error = {.text = ""};
    enum red_status status = red_past_read("x.json", (const char *)data, n, &past, &error);
    if (status != RED_OK && (status != RED_E_INPUT || error.text[0] == '\0'))
        abort();
    must_be_plain(error.text);
    for (size_t i = 0; status == RED_OK && i < past.devices_n; i++) {
        must_be_plain(past.devices[i].id);
        must_be_plain(past.devices[i].platform_version);
    }
    if (status == RED_OK && past.environment == NULL)
        abort();
    for (size_t i = 0; status == RED_OK && i < past.cells_n; i++) {
        const struct red_past_cell *cell = &past.cells[i];
        if (cell->device >= past.devices_n || (cell->median_s > 0) != (cell->state == RED_STATE_PASS) ||
            cell->low_s > cell->median_s || cell->median_s > cell->high_s ||
            (cell->median_s > 0) != (cell->samples_n > 0) || cell->asked.width > 1024 ||
            cell->device_id != past.devices[cell->device].id)
            abort();
        must_be_plain(cell->strategy);
        must_be_plain(cell->reason);
    }
    red_past_clear(&past);
    return 0;
}
