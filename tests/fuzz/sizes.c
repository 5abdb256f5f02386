/* Lists and ranges of sizes, and shapes: what is read ascends, and has no more than it may. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/geometry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    char *text = malloc(n + 1);
    struct red_sizes sizes = {.n = 0};
    struct red_size_range range;
    struct red_shape shape;
    struct red_error error = {.text = ""};
    memcpy(text, data, n);
    text[n] = '\0';
    if (red_sizes_parse("--n", text, &sizes, &error) == RED_OK) {
        if (sizes.n == 0 || sizes.n > 4096)
            abort();
        for (size_t i = 1; i < sizes.n; i++)
            if (sizes.values[i] <= sizes.values[i - 1])
                abort();
    } else if (error.text[0] == '\0')
        abort();
    red_sizes_clear(&sizes);
    if (red_size_range_read(text, &range) && range.first > range.last)
        abort();
    if (red_shape_parse(text, &shape, &error) == RED_OK)
        for (size_t i = 1; i < shape.rows_n; i++)
            if (shape.rows[i].n <= shape.rows[i - 1].n)
                abort();
    free(text);
    return 0;
}
