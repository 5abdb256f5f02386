/* Files of CUB's times by strangers: read or refused in one sentence, and what is read makes sense. */
#include <stdint.h>
#include <stdlib.h>

#include "results/cub.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    struct red_cub cub;
    struct red_error error = {.text = ""};
    enum red_status status = red_cub_read("x.json", (const char *)data, n, &cub, &error);
    if (status != RED_OK && (status != RED_E_INPUT || error.text[0] == '\0'))
        abort();
    for (size_t i = 0; status == RED_OK && i < cub.cells_n; i++)
        for (size_t way = 0; way < RED_CUB_WAYS_N; way++)
            if (!(cub.cells[i].time[way].low > 0) ||
                cub.cells[i].time[way].low > cub.cells[i].time[way].median ||
                cub.cells[i].time[way].median > cub.cells[i].time[way].high)
                abort();
    red_cub_clear(&cub);
    return 0;
}
