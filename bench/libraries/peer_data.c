/* Writes the values that `clreduce bench` times, for other programs: f32, uniform on [0, 1), for sums and
 * scans; u8, uniform over 256 bins, for histograms, or another type and other data that are named.
 *     peer_data SEED SIZES FILE PRIMITIVE [TYPE DATA]
 * SIZES is what clreduce takes as --n. FILE gets as many values as the largest of them, since a smaller one
 * takes the first of the same values. For each size a line comes out: n, and the exact sum of the first n
 * values, rounded to a double; of a histogram n again, the sum of its counts. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/select.h"
#include "model/case.h"
#include "model/exact.h"
#include "model/input.h"

static enum red_status write_values(const struct red_input *input, const char *path,
                                    struct red_error *error) {
    FILE *file = fopen(path, "wb");
    size_t written = file != NULL ? fwrite(input->arrays[0], input->dtype->size_bytes, input->n, file) : 0;
    if (file == NULL || fclose(file) != 0 || written != input->n)
        return red_fail(error, RED_E_INPUT, "%s cannot be written: %s", path, strerror(errno));
    return RED_OK;
}

/* NULL if there is no such type. */
static const struct red_dtype *type_of(bool counts, int argc, char **argv) {
    return red_dtype_find(argc == 7 ? argv[5] : counts ? "u8" : "f32");
}

static void print_sums(const struct red_input *input, const struct red_sizes *sizes) {
    const float *values = input->arrays[0];
    struct red_exact sum;
    red_exact_reset(&sum);
    uint64_t i = 0;
    for (size_t s = 0; s < sizes->n; s++) {
        for (; i < sizes->values[s]; i++)
            red_exact_add(&sum, values[i]);
        printf("%" PRIu64 " %.17g\n", i, red_exact_value(&sum));
    }
}

int main(int argc, char **argv) {
    struct red_data_kind data_kind = {RED_PATTERN_UNIFORM, 0};
    const bool counts = argc > 4 && strcmp(argv[4], "histogram") == 0;
    const struct red_op *op = red_op_find(counts ? "count" : "sum");
    const struct red_dtype *dtype = type_of(counts, argc, argv);
    if (argc != 5 &&
        (argc != 7 || !counts || dtype == NULL || !red_data_kind_find(argv[6], op, dtype, 1, &data_kind))) {
        fprintf(stderr, "usage: peer_data SEED SIZES FILE PRIMITIVE [TYPE DATA]\n");
        return 4;
    }
    struct red_error error = {.text = ""};
    struct red_sizes sizes = {.n = 0};
    struct red_input input = {.n = 0};
    enum red_status status = red_sizes_parse("--n", argv[2], &sizes, &error);
    if (status == RED_OK) {
        const struct red_data_spec spec =
            red_data_spec_make(op, dtype, data_kind, sizes.values[sizes.n - 1], strtoull(argv[1], NULL, 10));
        status = red_input_make(&spec, &input, &error);
    }
    if (status == RED_OK)
        status = write_values(&input, argv[3], &error);
    for (size_t s = 0; status == RED_OK && counts && s < sizes.n; s++)
        printf("%" PRIu64 " %" PRIu64 "\n", sizes.values[s], sizes.values[s]);
    if (status == RED_OK && !counts)
        print_sums(&input, &sizes);
    else
        fprintf(stderr, "%s\n", error.text);
    red_input_clear(&input);
    red_sizes_clear(&sizes);
    return status == RED_OK ? 0 : 4;
}
