/* Lists and ranges of sizes, and shapes: what is read ascends, and has no more than it may. */
#include "fuzz.h"

#include "model/geometry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    char *text = text_of(data, n);
    struct red_sizes sizes = {.n = 0};
    struct red_size_range range;
    struct red_shape shape;
    struct red_error error = {.text = ""};
    if (red_sizes_parse("--n", text, &sizes, &error) == RED_OK) {
        assert(sizes.n > 0 && sizes.n <= 4096);
        for (size_t i = 1; i < sizes.n; i++)
            assert(sizes.values[i] > sizes.values[i - 1]);
    } else
        assert(error.text[0] != '\0');
    red_sizes_clear(&sizes);
    assert(!red_size_range_read(text, &range) || range.first <= range.last);
    if (red_shape_parse(text, &shape, &error) == RED_OK)
        for (size_t i = 1; i < shape.rows_n; i++)
            assert(shape.rows[i].n > shape.rows[i - 1].n);
    free(text);
    return 0;
}
