/* Arrays that grow (core/memory.h). */
#include "tests/unit/testing.h"

#include <stdlib.h>

#include "core/memory.h"

static void what_is_in_a_growing_array_stays(void **state) {
    uint64_t *numbers = NULL;
    size_t n = 0, moved_n = 0;
    for (; n < 1000; n++) {
        const uintptr_t before = (uintptr_t)numbers;
        assert_true(RED_GROW(numbers, n, 1));
        moved_n += (uintptr_t)numbers != before;
        numbers[n] = n * n;
    }
    assert_in_range(moved_n, 1, 11); /* 1, 2, 4 ... 1024: not at each element */
    assert_true(RED_GROW(numbers, n, 5000));
    for (size_t i = 0; i < 5000; i++) /* the sanitizer sees what has no room */
        numbers[n + i] = i;
    for (size_t i = 0; i < n; i++)
        assert_int_equal(numbers[i], i * i);
    free(numbers);
}

static void what_memory_cannot_hold_is_refused(void **state) {
    uint64_t *numbers = NULL;
    assert_true(RED_GROW(numbers, 0, 3));
    const uint64_t *const before = numbers;
    numbers[2] = 7;
    assert_false(RED_GROW(numbers, 3, SIZE_MAX));         /* 3 + more is 2 */
    assert_false(RED_GROW(numbers, 3, SIZE_MAX / 8 - 2)); /* their bytes are 0 */
    assert_false(RED_GROW(numbers, 3, SIZE_MAX / 32));    /* more than a process can have */
    assert_ptr_equal(numbers, before);
    assert_int_equal(numbers[2], 7);
    free(numbers);
}
