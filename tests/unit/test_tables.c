#include "tests/unit/testing.h"

#include "console/console_table.h"
#include "console/table.h"
#include "core/file.h"
#include "core/text.h"
#include "model/primitive.h"
#include "model/types.h"
#include "verify/verify.h"

static void types_are_found_and_printed(void **state) {
    char text[40];
    assert_null(red_dtype_find("f128"));
    assert_null(red_op_find("product"));
    for (size_t i = 0; i < red_dtypes_n; i++)
        assert_ptr_equal(red_dtype_find(red_dtypes[i].name), &red_dtypes[i]);
    static const struct {
        const char *type;
        struct red_value value;
        const char *text;
    } rows[] = {
        {"i32", {.i32 = -7}, "-7"},
        {"u32", {.u32 = 4294967295u}, "4294967295"},
        /* what wrong results look like: no integer holds them */
        {"f64", {.f64 = 1e300}, "1.0000000000000001e+300"},
        {"f64", {.f64 = -1e19}, "-1e+19"},
        {"f64", {.f64 = INFINITY}, "inf"},
        {"f64", {.f64 = NAN}, "nan"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        red_value_format(red_dtype_find(rows[i].type), &rows[i].value, text, sizeof text);
        assert_string_equal(text, rows[i].text);
    }
    const struct red_value value = {.f32 = 16777217.0f / 3};
    float back;
    red_value_format(red_dtype_find("f32"), &value, text, sizeof text);
    assert_int_equal(sscanf(text, "%f", &back), 1);
    assert_true(back == value.f32);
}

/* Every combination has an accumulator that holds its answers. */
static void accumulators_fit_types_and_operations(void **state) {
    for (size_t t = 0; t < red_dtypes_n; t++)
        for (size_t o = 0; o < red_ops_n; o++) {
            const struct red_dtype *dtype = &red_dtypes[t];
            const struct red_op *op = &red_ops[o];
            const struct red_accumulator *accumulator = red_op_accumulator(op, dtype);
            assert_true(op->primitive == RED_PRIMITIVE_HISTOGRAM || accumulator->digits >= dtype->digits);
            if (op->primitive == RED_PRIMITIVE_HISTOGRAM)
                assert_true(!accumulator->is_float && accumulator->kind == RED_UNSIGNED);
            else if (op->role == RED_ROLE_PLACE)
                assert_true(accumulator->digits >= dtype->bits + 32 && accumulator->kind == RED_UNSIGNED);
            else
                assert_int_equal(accumulator->is_float, dtype->is_float);
            assert_int_equal(accumulator->word_bits == 0 || op->suffix[0] == '\0',
                             red_op_built_in_suffix(op, dtype)[0] == '\0');
            assert_int_equal(accumulator->word_bits,
                             accumulator->size_bytes > 8 ? 0 : 8 * accumulator->size_bytes);
            assert_true(red_op_accumulator_poison_byte(op, dtype, false) !=
                        red_op_accumulator_poison_byte(op, dtype, true));
        }
}

/* Each operation is of one primitive; kernels of it that say `ops: all` get its operations. */
static void every_operation_is_of_one_primitive(void **state) {
    static const struct {
        const char *op;
        enum red_primitive primitive;
    } some[] = {{"sum", RED_PRIMITIVE_REDUCE},         {"argmax", RED_PRIMITIVE_REDUCE},
                {"inclusive_sum", RED_PRIMITIVE_SCAN}, {"exclusive_max", RED_PRIMITIVE_SCAN},
                {"count", RED_PRIMITIVE_HISTOGRAM},    {"count64", RED_PRIMITIVE_HISTOGRAM}};
    uint64_t all = 0;
    for (unsigned p = 0; p < RED_PRIMITIVES_N; p++) {
        const uint64_t ops = red_primitive_ops((enum red_primitive)p);
        assert_true(ops != 0 && (all & ops) == 0);
        all |= ops;
        const struct red_op *usual = red_op_find(red_primitives[p].op);
        assert_true(usual != NULL && (ops >> (usual - red_ops) & 1));
        for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
            assert_int_equal(ops >> (red_op_find(some[i].op) - red_ops) & 1, some[i].primitive == p);
    }
    assert_true(all == (UINT64_C(1) << red_ops_n) - 1);
}

static void operations_say_what_they_cannot_do(void **state) {
    struct red_error error;
    const uint64_t four_gi = UINT64_C(1) << 32;
    for (size_t o = 0; o < red_ops_n; o++)
        assert_int_equal(red_op_check_n(&red_ops[o], red_dtype_find("f32"), 0, &error),
                         red_op_has_type(&red_ops[o], red_dtype_find("f32")) &&
                                 (red_ops[o].has_empty_answer || red_ops[o].primitive != RED_PRIMITIVE_REDUCE)
                             ? RED_OK
                             : RED_E_UNSUPPORTED);
    assert_has(error.text, "there is no argmax of 0 elements");
    assert_int_equal(red_op_check_n(red_op_find("count"), red_dtype_find("u8"), four_gi - 1, &error), RED_OK);
    assert_int_equal(red_op_check_n(red_op_find("count64"), red_dtype_find("u8"), four_gi, &error), RED_OK);
    assert_int_equal(red_op_check_n(red_op_find("count"), red_dtype_find("u8"), four_gi, &error),
                     RED_E_UNSUPPORTED);
    assert_has(error.text, "count64 takes more");
    assert_int_equal(red_op_check_n(red_op_find("argmin"), red_dtype_find("f32"), four_gi, &error), RED_OK);
    assert_int_equal(red_op_check_n(red_op_find("argmin"), red_dtype_find("f32"), four_gi + 1, &error),
                     RED_E_UNSUPPORTED);
    assert_has(error.text, "4294967296");
    assert_int_equal(red_op_check_n(red_op_find("argmin"), red_dtype_find("i8"), four_gi + 1, &error),
                     RED_OK);
    assert_int_equal(red_op_check_n(red_op_find("argmin"), red_dtype_find("f64"), UINT64_MAX, &error),
                     RED_OK);
}

/* Beside the bound, as the verdicts of `verify --accuracy` tell it, the column there and that of a report. */
static void shares_of_a_bound_are_no_powers_of_ten(void **state) {
    static const struct {
        double share;
        const char *percent;
    } rows[] = {{0.0000123, "0.0012"}, {0.0034, "0.34"}, {0.18, "18"}, {0.734, "73"}, {0.994, "99"},
                {0.995, "100"},        {0.9999, "100"},  {1, "100"},   {1.5, "150"},  {12.34, "1234"}};
    static struct red_accuracy_verdicts verdicts;
    const struct red_strategy tree = {.name = "tree"};
    struct red_session session = {.strategies = {&tree}, .strategies_n = 1};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char told[96] = "", expected[96];
        assert_string_equal(red_percent_text(rows[i].share).text, rows[i].percent);
        verdicts.of[0] = (struct red_accuracy_verdict){.answers_n = 1, .share = rows[i].share, .worst = "it"};
        FILE *out = fmemopen(told, sizeof told, "w");
        assert_non_null(out);
        red_accuracy_verdicts_print(&verdicts, &session, out);
        fclose(out);
        snprintf(expected, sizeof expected, "\nverdict\ntree  within its bound: at most %s %% of it (it)\n",
                 rows[i].percent);
        assert_string_equal(told, expected);
    }
}

static void an_error_is_cut_not_overrun(void **state) {
    struct red_error error;
    char text[8000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(red_fail(&error, RED_E_BUILD, "%s", text), RED_E_BUILD);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_string_equal(error.text + sizeof error.text - 4, "...");
    assert_int_equal(red_fail(NULL, RED_E_INPUT, "nobody listens"), RED_E_INPUT);
}

static void exit_statuses_are_those_documented(void **state) {
    assert_int_equal(red_exit_status_of(RED_OK), 0);
    assert_int_equal(red_exit_status_of(RED_E_WRONG), 2);
    assert_int_equal(red_exit_status_of(RED_E_INPUT), 4);
    assert_int_equal(red_exit_status_of(RED_E_MEMORY), 4);
    assert_int_equal(red_exit_status_of(RED_E_BUILD), 4);
    assert_int_equal(red_exit_status_of(RED_E_DEVICE), 5);
    assert_int_equal(red_exit_status_of(RED_E_NO_DEVICE), 77);
    assert_int_equal(red_exit_status_of(RED_E_UNSUPPORTED), 77);
}

/* Writes a turned table of so many devices, and gives whether all of it fits on the screen and this text of a
 * device's stands in one line. */
static bool is_told_in_one_line(size_t devices_n, const char *told) {
    struct red_table *table = red_table_create("id|sub_group_exclusive_scans_double");
    struct red_error error;
    char *text = NULL;
    size_t n;
    for (size_t i = 0; i < devices_n; i++) {
        red_table_put(table, "device %zu", i);
        red_table_put(table, "%s", told);
    }
    assert_ok(red_table_write_turned(table, "turned.txt", &error), &error);
    red_table_destroy(table);
    assert_ok(red_file_read("turned.txt", "table", 1 << 16, &text, &n, &error), &error);
    const bool found = strstr(text, told) != NULL;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        assert_true(strlen(line) <= RED_SCREEN_WIDTH);
    free(text);
    return found;
}

/* `devices`: with few of them the cells take the room that there is. */
static void few_columns_share_the_screen(void **state) {
    assert_true(is_told_in_one_line(1, "no yes partly, multiples of 8 ! says no, works partly"));
    assert_true(is_told_in_one_line(2, "yes yes partly, from 3 on"));
    assert_false(is_told_in_one_line(9, "yes yes partly, from 3 on"));
    assert_true(is_told_in_one_line(9, "yes yes yes"));
}

static void fields_of_csv_are_quoted_where_they_need_it(void **state) {
    static const struct {
        const char *text, *field;
    } rows[] = {
        {"", ""},
        {"tree", "tree"},
        {"a b;c'd", "a b;c'd"},
        {"a,b", "\"a,b\""},
        {"a\"b", "\"a\"\"b\""},
        {"a\nb", "\"a\nb\""},
        {"a\rb", "\"a\rb\""},
        {"-3.5e2", "-3.5e2"},
        {"-", "-"},
        {"=1+1", "\"'=1+1\""},
        {"--wg: 7", "\"'--wg: 7\""},
        {"@x\"", "\"'@x\"\"\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text;
        size_t bytes;
        FILE *out = open_memstream(&text, &bytes);
        assert_non_null(out);
        red_csv_value_print(out, rows[i].text);
        fclose(out);
        assert_string_equal(text, rows[i].field);
        free(text);
    }
}
