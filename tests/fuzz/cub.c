/* Files of CUB's times by strangers: read or refused in one sentence, and what is read makes sense. */
#include "fuzz.h"

#include "results/cub.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    struct red_cub cub;
    struct red_error error = {.text = ""};
    enum red_status status = red_cub_read("x.json", (const char *)data, n, &cub, &error);
    assert(status == RED_OK || (status == RED_E_INPUT && error.text[0] != '\0'));
    for (size_t i = 0; status == RED_OK && i < cub.cells_n; i++)
        for (size_t way = 0; way < cub.cells[i].op->ways_n; way++) {
            const struct red_statistics *time = &cub.cells[i].time[way];
            assert(time->low > 0 && time->low <= time->median && time->median <= time->high);
        }
    red_cub_clear(&cub);
    return 0;
}
