#include "tests/unit/testing.h"

#include "tests/unit/catalogue.h"
#include "worker/prepared.h"

/* The host's row, the only one that needs no device. */
static struct red_prepared prepare(uint64_t n, uint64_t segments_n, unsigned arrays_n,
                                   struct red_dataset datasets[]) {
    struct red_data_spec spec = {.op = red_op_find("sum"),
                                 .dtype = red_dtype_find("f32"),
                                 .data_kind = {RED_PATTERN_UNIFORM, 0},
                                 .n = n,
                                 .segments_n = segments_n,
                                 .seed = 1};
    struct red_case whole =
        red_case_make(&spec, red_catalogue_find(catalogue, "openmp"), &(struct red_tuning){.group_size = 0});
    struct red_dataset *borrowed[RED_ARRAYS_MAX] = {NULL};
    struct red_prepared prepared;
    whole.arrays_n = arrays_n;
    for (unsigned i = 0; i < arrays_n; i++, spec.seed++) {
        assert_int_equal(red_dataset_make(&spec, &datasets[i], NULL), RED_OK);
        borrowed[i] = &datasets[i];
    }
    assert_int_equal(red_prepared_make(&whole, NULL, borrowed, &prepared, NULL), RED_OK);
    return prepared;
}

static void clear(struct red_prepared *prepared, struct red_dataset datasets[], unsigned datasets_n) {
    red_prepared_clear(prepared);
    for (unsigned i = 0; i < datasets_n; i++) {
        assert_int_equal(red_input_compute_checksum(&datasets[i].input), datasets[i].input.checksum);
        red_dataset_clear(&datasets[i]);
    }
}

static void right_calls_pass(void **state) {
    for (unsigned arrays_n = 1; arrays_n <= RED_ARRAYS_MAX; arrays_n += 2) {
        struct red_dataset datasets[RED_ARRAYS_MAX];
        struct red_prepared prepared = prepare(5000, 1, arrays_n, datasets);
        assert_int_equal(red_prepared_call(&prepared), 0);
        for (int batch = 0; batch < 20; batch++) {
            assert_int_equal(red_prepared_begin(&prepared, NULL), RED_OK);
            for (unsigned i = 0; i < arrays_n; i++)
                assert_int_not_equal(red_input_compute_checksum(&datasets[i].input),
                                     datasets[i].input.checksum);
            for (int call = 0; call < 5; call++)
                assert_int_equal(red_prepared_call(&prepared), 0);
            assert_int_equal(red_prepared_check(&prepared, NULL, NULL), RED_OK);
            assert_int_equal(red_prepared_end(&prepared, RED_OK, NULL), RED_OK);
        }
        clear(&prepared, datasets, arrays_n);
    }
}

/* One element of 5,000, changed behind the guard's back for one call of many. */
static void one_wrong_call_is_seen(void **state) {
    struct red_dataset dataset;
    struct red_prepared prepared = prepare(5000, 1, 1, &dataset);
    float *x = dataset.input.arrays[0];
    assert_int_equal(red_prepared_begin(&prepared, NULL), RED_OK);
    for (int call = 0; call < 50; call++) {
        x[17] += call == 30 ? 1 : 0;
        assert_int_equal(red_prepared_call(&prepared), call == 30 ? -1 : 0);
        x[17] -= call == 30 ? 1 : 0;
    }
    assert_int_equal(prepared.error.status, RED_E_WRONG);
    assert_memory_equal(prepared.error.text, "call 31: expected ", 18);
    assert_int_equal(red_prepared_end(&prepared, RED_OK, NULL), RED_OK);
    clear(&prepared, &dataset, 1);
}

/* Of segments: one that keeps an answer is seen at the end of the batch at the latest. */
static void segments_are_seen(void **state) {
    struct red_dataset dataset;
    struct red_error error = {.text = ""};
    struct red_prepared prepared = prepare(100, 40, 1, &dataset);
    for (int batch = 0; batch < 20; batch++) {
        assert_int_equal(red_prepared_begin(&prepared, &error), RED_OK);
        for (int call = 0; call < 9; call++)
            assert_int_equal(red_prepared_call(&prepared), 0);
        assert_int_equal(red_prepared_check(&prepared, NULL, &error), RED_OK);
        /* What came before the change. */
        uint64_t at = prepared.guards[0].change.at;
        assert_true(prepared.guards[0].changed);
        memcpy((float *)dataset.input.arrays[0] + at, &prepared.guards[0].change.before, sizeof(float));
        int code = 0;
        for (int call = 0; call < RED_WATCHES_MAX && code == 0; call++)
            code = red_prepared_call(&prepared);
        assert_int_equal(code, -1);
        assert_has(prepared.error.text, "this answer was right until then");
        assert_int_equal(red_prepared_check(&prepared, NULL, &error), RED_E_WRONG);
        assert_int_equal(red_prepared_end(&prepared, RED_OK, &error), RED_OK);
    }
    clear(&prepared, &dataset, 1);
}

/* Exact data stay exact with an element that changed, of an array and of a piece of one: the call is right
 * bit by bit, and its partial result is what the value is made of. */
static void check_exact_batches(const struct red_data_spec *spec, const char *row) {
    const struct red_case called =
        red_case_make(spec, red_catalogue_find(catalogue, row), &(struct red_tuning){.group_size = 0});
    struct red_dataset dataset, *borrowed[] = {&dataset};
    struct red_prepared prepared;
    unsigned changed_n = 0;
    assert_int_equal(red_dataset_make(spec, &dataset, NULL), RED_OK);
    assert_int_equal(red_prepared_make(&called, NULL, borrowed, &prepared, NULL), RED_OK);
    for (int batch = 0; batch < 8; batch++) {
        assert_int_equal(red_prepared_begin(&prepared, NULL), RED_OK);
        changed_n += prepared.guards[0].changed;
        assert_int_equal(red_prepared_call(&prepared), 0);
        const struct red_value value = red_partial_answer(spec->op, spec->dtype, &prepared.partial, spec->n);
        assert_true(value.bits == prepared.value.bits && value.index == prepared.value.index);
        assert_int_equal(red_prepared_end(&prepared, RED_OK, NULL), RED_OK);
    }
    assert_true(changed_n > 0 || !spec->dtype->is_float || red_op_picks(spec->op));
    clear(&prepared, &dataset, 1);
}

static void exact_data_stay_exact(void **state) {
    for (size_t t = 0; t < red_dtypes_n; t++)
        for (size_t o = 0; o < RED_REDUCTIONS_N; o++)
            for (int pattern = 0;
                 pattern < RED_PATTERN_UNIFORM && red_op_has_type(&red_ops[o], &red_dtypes[t]); pattern++) {
                struct red_data_spec spec = {.op = &red_ops[o],
                                             .dtype = &red_dtypes[t],
                                             .data_kind = {.pattern = (enum red_pattern)pattern},
                                             .n = 60 + 1000 * (t + o),
                                             .segments_n = 1,
                                             .seed = t + o};
                if (!red_pattern_fits(spec.data_kind.pattern, spec.op, spec.dtype))
                    continue;
                check_exact_batches(&spec, "openmp");
                spec.whole_n = 7 * spec.n;
                spec.first = 3 * spec.n + 1;
                check_exact_batches(&spec, "sequential");
            }
}
