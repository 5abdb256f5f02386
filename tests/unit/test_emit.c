#include "tests/unit/testing.h"

#include "emit/emit_private.h"
#include "model/primitive.h"

/* ---- conditions ---------------------------------------------------------------------------------------- */

static void an_expression_has_a_value(void **state) {
    static const struct {
        const char *text;
        long long value;
    } cases[] = {
        {"1 + 2 * 3", 7},         {"(1 + 2) * 3", 9},  {"7 - 2 - 1", 4},
        {"1 << 3 | 1", 9},        {"0x10u / 3", 5},    {"17 % 5 >= 2 && !0", 1},
        {"1 == 2 || 3 != 3", 0},  {"NAME + 1", 1}, /* a name that no macro has is 0 */
        {"0 ? 1 : 2 ? 3 : 4", 3}, {"-(2) < ~0", 1},    {"1 / 0 + 5 % 0", 0},
        {"6 & 3 ^ 1", 3},         {"defined NAME", 1}, {"!defined ( OTHER ) /* no */ && defined(NAME)", 1},
    };
    struct red_macros macros = {.n = 0};
    long long value;
    red_macros_define(&macros, "NAME 7", "NAME 7" + 6);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(red_expression_read(&macros, cases[i].text, &value));
        assert_int_equal(value, cases[i].value);
    }
    static const char *const wrong[] = {"",     "(1",    "1 +",       "1 2",    "1 ? 2",
                                        "a[1]", "\"1\"", "defined(A", "defined"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(red_expression_read(&macros, wrong[i], &value));
    red_macros_clear(&macros);
}

/* ---- composing ----------------------------------------------------------------------------------------- */

/* What is made of a kernel's text for sums of u16, four lanes. */
static enum red_status compose(const char *text, char **made, struct red_error *error) {
    const struct red_strategy strategy = {
        .name = "own", .path = "own.cl", .text = text, .macros = "", .width = 4, .loads = 2};
    const struct red_build_spec build = {
        .strategy = &strategy, .op = red_op_find("sum"), .dtype = red_dtype_find("u16"), .group_size = 8};
    *made = NULL;
    return red_emit_compose(&build, made, error);
}

#define HEAD "RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {\n"
#define SPELLED_HEAD                                                                                         \
    "kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void reduce("                        \
    "global const ushort *restrict red_x, const ulong n, global ulong *restrict out) {\n"
#define GROUP_SIZE "#define RED_GROUP_SIZE 8\n"

static void a_text_is_made_of_what_the_kernel_reaches(void **state) {
    static const char *const cases[][2] = {
        /* Conditions choose lines, and take the comment before what they leave out. */
        {"/* Gone. */\n#ifndef RED_T\n#define RED_T float\n#endif\n"
         "#define A 3\n#define TWICE(x) (2 * (x))\n#if\tTWICE(A) != 6 || defined B\nint no(void);\n#elif A "
         "== "
         "3\n"
         "/* One. */\nint one(void) {\n    return 1;\n}\n#else\nint no(void);\n#endif\n" HEAD
         "#if !defined(A)\n    no();\n#endif\n    out[0] = one();\n}\n",
         GROUP_SIZE "\n/* One. */\nint one(void) {\n    return 1;\n}\n\n" SPELLED_HEAD
                    "    out[0] = one();\n}\n"},
        /* What stands for other words is written out, and so is what takes a width; what computes is not. */
        {"#define ITEM red_item\n#define PLUS(a, b) ((a) + (b))\n#define PAIR(k, i) (RED_VEC(k))(i, 1)\n"
         "#define USED_BY_NOBODY 1\n" HEAD
         "    RED_VEC(RED_WIDTH) v = PLUS(PAIR(2, n).x, RED_WIDTH), ITEM;\n    RED_LOCAL(RED_A, s, 8);\n}\n",
         GROUP_SIZE
         "#define RED_WIDTH 4\n#define PLUS(a, b) ((a) + (b))\n\n" SPELLED_HEAD
         "    ulong4 v = PLUS((ulong2)(n, 1).x, RED_WIDTH), red_item;\n    local ulong s[8];\n}\n"},
        /* Names that ## makes, a function that a macro defines, and a macro that is defined twice. */
        {"#define CALL(name) (1 + call_##name(n))\nulong call_one(ulong n) {\n    return n;\n}\n"
         "#define DEFINE(name) ulong name(ulong n) { return n; }\nDEFINE(two)\n"
         "#define TYPE int\n#undef TYPE\n#define TYPE uint\nulong unused(ulong n) {\n    return n;\n}\n" HEAD
         "    TYPE a = CALL(one) + two(n);\n}\n",
         GROUP_SIZE "\nulong call_one(ulong n) {\n    return n;\n}\n\n"
                    "#define DEFINE(name) ulong name(ulong n) { return n; }\n\nDEFINE(two)\n\n"
                    "#define TYPE int\n#undef TYPE\n#define TYPE uint\n\n" SPELLED_HEAD
                    "    TYPE a = (1 + call_one(n)) + two(n);\n}\n"},
        /* A macro of several lines that joins words, where its call stands, and one that hands others on. */
        {"#define SET(w, v) \\\n    v += as_ulong##w(1); /* once */ \\\n    if (v > 2) \\\n        v -= 1;\n"
         "#define SET_IT SET_OTHER\n#define SET_OTHER(v) set_other(v)\nvoid set_other(ulong v) {\n}\n" HEAD
         "    {\n        SET(2, n)\n        SET_IT(n);\n    }\n}\n",
         GROUP_SIZE "\nvoid set_other(ulong v) {\n}\n\n" SPELLED_HEAD
                    "    {\n        n += as_ulong2(1);\n        if (n > 2)\n            n -= 1;\n"
                    "        set_other(n);\n    }\n}\n"},
        /* Types and variables, and a constant of an enumeration. */
        {"typedef struct {\n    int a;\n} pair;\nenum { FIRST, SECOND };\nglobal uint seen = 0;\n"
         "typedef int unused;\n" HEAD "    pair p;\n    p.a = FIRST + seen;\n}\n",
         GROUP_SIZE "\ntypedef struct {\n    int a;\n} pair;\n\nenum { FIRST, SECOND };\n\nglobal uint seen "
                    "= 0;\n\n" SPELLED_HEAD "    pair p;\n    p.a = FIRST + seen;\n}\n"},
        /* A comment that speaks of a macro that is gone goes, too. */
        {"/* As RED_COMBINE does it. */\nint a(void) {\n    return RED_GROUP_SIZE;\n}\n" HEAD "    a();\n}\n",
         GROUP_SIZE "\nint a(void) {\n    return RED_GROUP_SIZE;\n}\n\n" SPELLED_HEAD "    a();\n}\n"},
    };
    struct red_error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *made;
        assert_int_equal(compose(cases[i][0], &made, &error), RED_OK);
        assert_string_equal(made, cases[i][1]);
        free(made);
    }
}

static void what_cannot_be_decided_is_refused(void **state) {
    static const struct {
        const char *text, *told;
    } cases[] = {
        {"#if (1\n#endif\n" HEAD "}\n", "the conditions of own cannot be decided: #if (1"},
        {"#endif\n" HEAD "}\n", "the conditions of own cannot be decided: #endif"},
        {"#if RED_T_BITS < 32\n#error \"too narrow\"\n#endif\n" HEAD "}\n", "#error \"too narrow\""},
        {HEAD "    out[0] = RED_LOAD_ALL(n);\n}\n",
         "the macros of own cannot be resolved: nothing defines RED_LOAD_ALL"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct red_error error;
        char *made;
        assert_int_equal(compose(cases[i].text, &made, &error), RED_E_INPUT);
        assert_non_null(strstr(error.text, cases[i].told));
        free(made);
    }
}

/* ---- all texts ------------------------------------------------------------------------------------------
 */

/* Whether the line is code with something to say, of which a person would not write five: no barrier, and no
 * attribute, which each kernel has. */
static bool is_statement(const char *line, size_t n) {
    return n > 16 && line[0] != '/' && line[0] != '*' && strncmp(line, "barrier(", 8) != 0 &&
           strncmp(line, "kernel ", 7) != 0;
}

/* Fails if a line of a text occurs more than four times, or if the text has what hand-written code has not.
 */
static void reads_well(const char *text, const char *strategy) {
    static const char *const not_written[] = {"\n#if", "\n#el", "\n#endif", "RED_", "red_",
                                              "% 1;",  "% 1)",  "% 1]",     "% 1 "};
    for (size_t i = 0; i < sizeof not_written / sizeof not_written[0]; i++)
        if (strstr(text, not_written[i]) != NULL)
            fail_msg("%s: \"%s\" in\n%s", strategy, not_written[i], text);
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        const char *const at = line + strspn(line, " ");
        const size_t n = strcspn(at, "\n");
        size_t times_n = 0;
        for (const char *other = text; is_statement(at, n) && *other != '\0';
             other += strcspn(other, "\n") + 1) {
            const char *const begin = other + strspn(other, " ");
            times_n += strncmp(begin, at, n + 1) == 0;
        }
        if (times_n > 4)
            fail_msg("%s: \"%.*s\" %zu times in\n%s", strategy, (int)n, at, times_n, text);
        if (at[n] == '\0')
            break;
    }
}

/* None of <math.h>, which a host program may not include. */
static void literals_are_constants_of_c(void **state) {
    (void)state;
    static const struct {
        double real;
        const char *text;
    } rows[] = {{0.5, "0x1p-1"},
                {-0.0, "-0x0p+0"},
                {(double)INFINITY, "(1 / 0.0)"},
                {-(double)INFINITY, "(-1 / 0.0)"},
                {(double)NAN, "(0 / 0.0)"},
                {-(double)NAN, "(-(0 / 0.0))"}};
    const struct red_dtype *f64 = red_dtype_find("f64");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_value value = {.index = 0};
        char text[64];
        f64->put_real(&value, 0, rows[i].real);
        red_literal_format(f64, value, text, sizeof text);
        assert_string_equal(text, rows[i].text);
    }
}

/* What emit writes of every strategy, with types of each kind and width: a sixteenth, by the seed. */
static void emitted_texts_read_as_written_by_hand(void **state) {
    static const size_t group_sizes[] = {1, 100, 256};
    struct red_catalogue *catalogue = NULL;
    struct red_error error;
    const size_t first = seed_of_run() % 16;
    size_t texts_n = 0;
    assert_int_equal(red_catalogue_create(&catalogue, &error), RED_OK);
    for (size_t i = 0; i < red_catalogue_n(catalogue) * red_ops_n * red_dtypes_n; i++) {
        const struct red_op *op = &red_ops[i / red_dtypes_n % red_ops_n];
        const struct red_emission emission = {.strategy =
                                                  red_catalogue_get(catalogue, i / red_dtypes_n / red_ops_n),
                                              .op = op,
                                              .dtype = &red_dtypes[i % red_dtypes_n],
                                              .bins_n = red_primitives[op->primitive].bins_n,
                                              .name = "sum"};
        struct red_blanks *blanks = calloc(1, sizeof *blanks);
        const struct red_build_spec build = {.strategy = emission.strategy,
                                             .op = emission.op,
                                             .dtype = emission.dtype,
                                             .group_size = group_sizes[i % 3]};
        char *text = NULL;
        const size_t sum = i / red_dtypes_n / red_ops_n + i / red_dtypes_n % red_ops_n + i % red_dtypes_n;
        if (sum % 16 == first && red_emit_check(&emission, &error) == RED_OK) {
            assert_int_equal(red_emit_hooks_of(emission.op->primitive)
                                 ->make_kernel(&emission, &build, blanks, &text, &error),
                             RED_OK);
            reads_well(text, emission.strategy->name);
            texts_n++;
        }
        free(text);
        free(blanks);
    }
    red_catalogue_destroy(catalogue);
    assert_true(texts_n > 200);
}

static void write_template(const char *template, const struct red_blank *blanks, size_t n, char *text,
                           size_t bytes, enum red_status expected) {
    struct red_error error = {.text = ""};
    FILE *out = tmpfile();
    assert_int_equal(red_template_write(template, blanks, n, out, &error), expected);
    rewind(out);
    text[fread(text, 1, bytes - 1, out)] = '\0';
    fclose(out);
}

static void a_template_is_filled_in(void **state) {
    const struct red_blank blanks[] = {{"NAME", "sum"}, {"YES", "yes"}, {"NO", ""}};
    char text[256];
    write_template("a @NAME@@NAME@ b\n@if YES\nc\n@if NO\nd\n@else\ne\n@end\n@else\nf\n@end\ng 1@2\n", blanks,
                   3, text, sizeof text, RED_OK);
    assert_string_equal(text, "a sumsum b\nc\ne\ng 1@2\n");
    write_template("@if !NO\na\n@else\nb\n@end\n@if !YES\nc\n@end\n@if !NONE\nd\n@end\n", blanks, 3, text,
                   sizeof text, RED_OK);
    assert_string_equal(text, "a\nd\n");
    write_template("@if NO\n@WHAT@\n@end\nx\n", blanks, 3, text, sizeof text, RED_OK);
    assert_string_equal(text, "x\n");
    write_template("@WHAT@\n", blanks, 3, text, sizeof text, RED_E_INPUT);
}

/* A part is filled in as what includes it; one that is left out wants no values. */
static void a_template_includes_parts(void **state) {
    const struct red_blank blanks[] = {{"T", "float"}, {"TEST_VALUE", "(int)(x % 7) - 3"}, {"NO", ""}};
    char text[512];
    write_template("a\n@include test_element\n@if NO\n@include test_main\n@end\nb\n", blanks, 3, text,
                   sizeof text, RED_OK);
    assert_non_null(strstr(text, "a\n/* Small whole numbers"));
    assert_non_null(strstr(text, "\n    return (int)(x % 7) - 3;\n}\n"));
    assert_non_null(strstr(text, "static float element(int value) {\n    return (float)value;\n}\nb\n"));
    write_template("@include test_main\n", blanks, 3, text, sizeof text, RED_E_INPUT);
}

static void names_lose_the_prefix(void **state) {
    struct red_error error;
    char *text = strdup("int red_x = red_none + red_none_x; /* none */\nint y, next = red_next + red_y.x;\n");
    assert_int_equal(red_emit_drop_prefix(&text, &error), RED_OK);
    assert_string_equal(text, "int x = none + none_x; /* none */\nint y, next = next_ + in_y.x;\n");
    free(text);
}

/* Gives the kernel of a text a name and a comment, and tells which parameters it uses. */
static unsigned named(const char *text, const char *what, const char *expected) {
    struct red_error error;
    unsigned used = 0;
    char *made = strdup(text);
    assert_int_equal(red_emit_head(&made, "tiles", what, &used, &error), RED_OK);
    assert_string_equal(made, expected);
    free(made);
    return used;
}

static void a_kernel_gets_a_name_and_loses_parameters(void **state) {
    static const char helper[] = "void scan_item(float out) {\n}\n";
    char text[512], expected[512];
    snprintf(
        text, sizeof text,
        "%skernel __attribute__((scan(8))) void scan(global const float *x,\n    const ulong n, global "
        "float *out, global float *carries, global uint *state) {\n    carries[0] = scan(n); /* x */\n}\n",
        helper);
    snprintf(
        expected, sizeof expected,
        "%s\n/* First. */\nkernel __attribute__((scan(8))) void tiles(const ulong n, global float *carries) "
        "{\n    carries[0] = scan(n); /* x */\n}\n",
        helper);
    assert_int_equal(named(text, "First.", expected), 2 | 8);
    assert_int_equal(named("kernel void scan(int a, int b) {\n    f(a, b);\n}\n", "",
                           "kernel void tiles(int a, int b) {\n    f(a, b);\n}\n"),
                     1 | 2);
    assert_int_equal(named("kernel void scan(int a) {\n}\n", "", "kernel void tiles() {\n}\n"), 0);
    char *none = strdup("void scan(int a) {\n}\n");
    struct red_error error;
    unsigned used;
    assert_int_equal(red_emit_head(&none, "tiles", "", &used, &error), RED_E_INPUT);
    free(none);
}

/* Every finish of scans has a kernel for each launch of the device, whatever operation and type. */
static void a_scan_has_a_kernel_for_each_launch(void **state) {
    static const struct {
        const char *strategy, *kernels[5];
    } cases[] = {{"scan_serial", {"scan"}},
                 {"hillis_steele", {"scan_tiles", "scan_carries", "apply_carries"}},
                 {"blelloch_reduced", {"reduce_tiles", "scan_carries", "scan_tiles"}},
                 {"hillis_steele_host", {"reduce_tiles", "scan_tiles"}},
                 {"blelloch_two_levels",
                  {"scan_tiles", "scan_tiles_of_carries", "scan_carries", "apply_carries_to_carries",
                   "apply_carries"}}};
    struct red_catalogue *catalogue = NULL;
    struct red_error error;
    assert_int_equal(red_catalogue_create(&catalogue, &error), RED_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct red_emission emission = {.strategy = red_catalogue_find(catalogue, cases[i].strategy),
                                              .op = red_op_find("inclusive_sum"),
                                              .dtype = red_dtype_find("i8")};
        const struct red_build_spec build = {
            .strategy = emission.strategy, .op = emission.op, .dtype = emission.dtype, .group_size = 64};
        struct red_blanks *blanks = calloc(1, sizeof *blanks);
        struct red_part parts[RED_PARTS_MAX];
        char *text = NULL;
        assert_int_equal(
            red_emit_hooks_of(RED_PRIMITIVE_SCAN)->make_kernel(&emission, &build, blanks, &text, &error),
            RED_OK);
        size_t kernels_n = 0;
        for (size_t p = 0, n = red_parts_split(text, parts); p < n; p++)
            if (parts[p].is_kernel)
                assert_string_equal(parts[p].name, cases[i].kernels[kernels_n++]);
        assert_true(kernels_n == 5 || cases[i].kernels[kernels_n] == NULL);
        assert_null(strstr(text, "RED_"));
        assert_null(strstr(text, "red_"));
        free(text);
        free(blanks);
    }
    red_catalogue_destroy(catalogue);
}

static void needs_are_rows_of_which_none_is_twice(void **state) {
    char text[1024];
    red_emit_needs_format(RED_NEED(LOCAL_MEMORY) | RED_NEED(CAS32) | RED_NEED(SVM), text, sizeof text);
    assert_string_equal(text, ""); /* every device has them, or is asked otherwise */
    red_emit_needs_format(RED_NEED(FP64) | RED_NEED(COLLECTIVES32) | RED_NEED(COLLECTIVES_F64) |
                              RED_NEED(CAS64),
                          text, sizeof text);
    assert_string_equal(text, "    {\"doubles\", NULL, CL_DEVICE_DOUBLE_FP_CONFIG, ~0u, 0},\n"
                              "    {\"64-bit atomics\", \"cl_khr_int64_base_atomics\", 0, 0, 0},\n"
                              "    {\"work_group_ functions\", NULL, "
                              "CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, ~0u, 2},\n");
}

/* Whatever stands in front of its name, and whether commas are in an attribute. */
static void a_kernel_has_its_parameters(void **state) {
    static const struct {
        const char *text;
        unsigned n;
    } cases[] = {
        {"kernel void reduce(global int *x, const ulong n, global int *out) {}\n", 3},
        {"__kernel\nvoid reduce(global int *x, const ulong n, global int *out, global uint *c) {}\n", 4},
        {"__attribute__((vec_type_hint(float4))) kernel __attribute__((reqd_work_group_size(7, 1, 1))) void\n"
         "reduce(global int *x,\n       const ulong n) { f(x, n, 1); }\n",
         2},
        {"int reduce(int a, int b) { return a; }\nkernel void reduce_again(int n) {}\n", 0},
        {"/* kernel void reduce(a, b) {} */\nint a;\n", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(red_emit_parameters_n(cases[i].text, "reduce"), cases[i].n);
}

/* Which strategies can be written, and that all others are refused with a property of theirs. */
static void what_cannot_be_written_has_a_reason(void **state) {
    struct red_catalogue *catalogue = NULL;
    struct red_error error;
    size_t written_n = 0, refused_n = 0;
    assert_int_equal(red_catalogue_create(&catalogue, &error), RED_OK);
    for (size_t i = 0; i < red_catalogue_n(catalogue); i++) {
        struct red_emission emission = {.strategy = red_catalogue_get(catalogue, i)};
        enum red_status status = RED_E_UNSUPPORTED;
        for (size_t t = 0; t < red_dtypes_n && status != RED_OK; t++) /* what the manifest allows */
            for (size_t o = 0; o < red_ops_n && status != RED_OK; o++) {
                emission.dtype = &red_dtypes[t];
                emission.op = &red_ops[o];
                status =
                    red_strategy_check_type_and_op(emission.strategy, emission.dtype, emission.op, &error);
            }
        assert_int_equal(status, RED_OK);
        if (red_emit_check(&emission, &error) == RED_OK) {
            written_n++;
            continue;
        }
        refused_n++;
        assert_null(strstr(error.text, "for its finish emit has no host code"));
        assert_non_null(strstr(error.text, " cannot be written as files of its own: it"));
    }
    assert_true(written_n > 30 && refused_n > 10);
    red_catalogue_destroy(catalogue);
}
