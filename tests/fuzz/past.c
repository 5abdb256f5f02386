/* Result files of strangers: read or refused in one sentence, and what is read makes sense. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "record/past.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    struct red_past past;
    struct red_error error = {.text = ""};
    enum red_status status = red_past_read("x.json", (const char *)data, n, &past, &error);
    if (status != RED_OK && (status != RED_E_INPUT || error.text[0] == '\0'))
        abort();
    for (const char *at = error.text; *at != '\0'; at++)
        if ((unsigned char)*at < ' ')
            abort();
    for (size_t i = 0; status == RED_OK && i < past.cells_n; i++) {
        const struct red_past_cell *cell = &past.cells[i];
        if (cell->device >= past.devices_n || (cell->median_s > 0) != (cell->state == RED_STATE_PASS) ||
            cell->low_s > cell->median_s || cell->median_s > cell->high_s)
            abort();
    }
    red_past_clear(&past);
    return 0;
}
