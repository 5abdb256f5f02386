#define _DEFAULT_SOURCE /* madvise, posix_memalign */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "model/input.h"

enum { PAGE_BYTES = 4096, HUGE_PAGE_BYTES = 1 << 21, HUGE_BYTES_MIN = 1 << 22 };

enum red_status red_input_make(const struct red_dtype *dtype, const struct red_op *op, struct red_probe probe,
                               uint64_t n, uint64_t seed, struct red_input *input, struct red_error *error) {
    return red_input_make_segments(dtype, op, probe, n, 1, seed, input, error);
}

/* False if there is no memory. Huge pages serve host and CPU device alike; that they cannot be had is no
 * error. */
static bool arrays_allocate(struct red_input *input) {
    size_t alignment = input->array_bytes < HUGE_BYTES_MIN ? PAGE_BYTES : HUGE_PAGE_BYTES;
    for (unsigned array = 0; array < input->arrays_n; array++) {
        if (input->array_bytes == 0 ||
            posix_memalign(&input->arrays[array], alignment, input->array_bytes) != 0) {
            input->arrays[array] = NULL;
            return false;
        }
        if (input->array_bytes >= HUGE_BYTES_MIN)
            (void)madvise(input->arrays[array], input->array_bytes, MADV_HUGEPAGE);
    }
    return true;
}

void red_input_move(struct red_input *input) {
    struct red_input left = *input;
    left.arrays[0] = left.arrays[1] = NULL;
    if (arrays_allocate(&left))
        for (unsigned array = 0; array < input->arrays_n; array++) {
            void *from = input->arrays[array];
            input->arrays[array] = memcpy(left.arrays[array], from, input->array_bytes);
            left.arrays[array] = from;
        }
    red_input_clear(&left);
}

enum red_status red_input_make_segments(const struct red_dtype *dtype, const struct red_op *op,
                                        struct red_probe probe, uint64_t each_n, uint64_t segments_n,
                                        uint64_t seed, struct red_input *input, struct red_error *error) {
    const uint64_t n = each_n * segments_n;
    struct red_input made = {
        .dtype = dtype, .op = op, .probe = probe, .n = n, .segments_n = segments_n, .seed = seed};
    made.array_bytes = red_input_array_bytes(dtype, n);
    made.arrays_n = op->arrays;
    if (!arrays_allocate(&made)) {
        red_input_clear(&made);
        return red_fail(error, RED_E_MEMORY,
                        "no memory for %u x %" PRIu64 " elements of %s (%.1f GiB); choose a smaller --n",
                        op->arrays, n, dtype->name, ldexp((double)n * (double)dtype->size_bytes, -30));
    }
    red_input_restore(&made);
    made.checksum = red_input_checksum(&made);
    *input = made;
    return RED_OK;
}

enum red_status red_input_copy(const struct red_input *input, struct red_input *copy,
                               struct red_error *error) {
    struct red_input made = *input;
    made.arrays[0] = made.arrays[1] = NULL;
    if (!arrays_allocate(&made)) {
        red_input_clear(&made);
        return red_fail(error, RED_E_MEMORY, "no memory for a copy of %" PRIu64 " elements of %s", input->n,
                        input->dtype->name);
    }
    for (unsigned array = 0; array < input->arrays_n; array++)
        memcpy(made.arrays[array], input->arrays[array], input->array_bytes);
    *copy = made;
    return RED_OK;
}

void red_input_clear(struct red_input *input) {
    for (unsigned array = 0; array < 2; array++)
        free(input->arrays[array]);
    *input = (struct red_input){0};
}
