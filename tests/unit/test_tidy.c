#include "tests/unit/testing.h"

#include "emit/private.h"

static void becomes(void (*tidy)(char *), const char *before, const char *after) {
    char text[512];
    snprintf(text, sizeof text, "%s", before);
    tidy(text);
    assert_string_equal(text, after);
}

static void twice(char *text) {
    red_tidy_expressions(text);
    red_tidy_expressions(text);
}

static void parentheses_around_one_value_go(void **state) {
    static const char *const cases[][2] = {
        {"a = ((value) + (((float)(((float)x[i])))));", "a = value + (float)x[i];"},
        {"f((a) + (b), (c));", "f(a + b, c);"},
        {"x = (sums[0]) + (convert_float4(y));", "x = sums[0] + convert_float4(y);"},
        {"return (a + b);", "return a + b;"},
        {"s = ((float)(0));", "s = (float)0;"},
        {"if ((n)) g();", "if (n) g();"},
        {"f(((red_pair){(a), b}), c);", "f((red_pair){a, b}, c);"},
        {"a[(x.s0)* 8 + (i)*p] = (b) * 2 + (c)&0xff && (d)&&e;",
         "a[x.s0 * 8 + i * p] = b * 2 + c & 0xff && d&&e;"},
        {"a[(i + i / 32)] = b[(i) + 1] + c[(j + 1) / 2];", "a[i + i / 32] = b[i + 1] + c[(j + 1) / 2];"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        becomes(twice, cases[i][0], cases[i][1]);
}

/* What would mean something else without them. */
static void parentheses_that_bind_stay(void **state) {
    static const char *const cases[] = {
        "a = (b + c) * d;",
        "a = (b < c) == d;",
        "x = ((float4)(0, 1, 2, 3)).x;",
        "p = ((global int *)q)[i];",
        "a = (int)b + (c, d);",
        "local uint s[32 + 32 / 8 + 2];",
        "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void f(int a);",
        "(void)y;",
        "a = -(b + c);",
        "/* red_fold<w>(v) of (x) */",
        "f(4 > 1 ? a : b, c);",
        "a = (4 >= 1 ? b : c) + d;",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        becomes(twice, cases[i], cases[i]);
}

static void blanks_are_those_that_people_write(void **state) {
    static const char *const cases[][2] = {
        {"const  float  *restrict x , int n ;", "const float *restrict x, int n;"},
        {"    f( a [ 0 ] );", "    f(a[0]);"},
        {"for (;;) if (x) g (y) ;", "for (;;) if (x) g(y);"},
        {"a = ~ (b) & ((red_pair) { c }).x;", "a = ~(b) & ((red_pair){ c }).x;"},
        {"a = b;   \n\n    c;", "a = b;\n\n    c;"},
        {"x; /* as  it   is */  y;", "x; /* as  it   is */ y;"},
        {"a = (ulong) 8 * (float4) (float) b + sizeof(int) * (c) (d);",
         "a = (ulong)8 * (float4)(float)b + sizeof(int) * (c) (d);"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        becomes(red_tidy_spaces, cases[i][0], cases[i][1]);
}

static void constants_are_folded(void **state) {
    static const char *const cases[][2] = {
        {"n = 16 * 4 / 2, m = (2 * n) / 3 * 4;", "n = 32, m = (2 * n) / 3 * 4;"},
        {"step = 16 / (4 > 1 ? 2 : 1);", "step = 8;"},
        {"a = (32 == 16 ? 1 << 48 : 32 == 32 ? 2 << 32 : 3 << 52) - b;", "a = (2 << 32) - b;"},
        {"a = b << (64 - 32) & (~0UL << (64 - 32));", "a = b << 32 & (~0UL << 32);"},
        {"a = (b | c) & (~0UL << (64 - 64)) ;", "a = (b | c) ;"},
        {"a[0 + 2 + 1] = i + 0 * stride + 1 * stride;", "a[3] = i + stride;"},
        {"b = 16 * 4 < 64 ? 64 : 16 * 4;", "b = 64;"},
        {"b = 2 * 4 < 64 ? 64 : 2 * 4;", "b = 64;"},
        {"f(x[i < n ? i : i], i + s < n ? i + s : i);", "f(x[i], i + s < n ? i + s : i);"},
        {"a = x / 16 + 0 / 2; b = x + 0 * y; c = x + 0.5f + 16 * 4.0f;",
         "a = x / 16; b = x; c = x + 0.5f + 16 * 4.0f;"},
        {"a = 1 % 2 * n; b = i / 16 * 4; c = 7 / 0; d = 0x10 * 2;",
         "a = 1 * n; b = i / 16 * 4; c = 7 / 0; d = 0x10 * 2;"},
        {"    f();\n    for (uint w = 1; w > 1; w = (w + 1) / 2) {\n        if (a) {\n        }\n    }\n    "
         "g();\n",
         "    f();\n    g();\n"},
        {"for (uint w = 2; w > 1; w /= 2) {\n}\n", "for (uint w = 2; w > 1; w /= 2) {\n}\n"},
        {"    ulong nan = 0;\n    return rank | nan;\n", "    return rank;\n"},
        {"    ulong nan = 0;\n    nan = f();\n    return rank | nan;\n",
         "    ulong nan = 0;\n    nan = f();\n    return rank | nan;\n"},
        {"a = item + 0*next + x + 0 * y;", "a = item + 0*next + x;"},
        {"a = x + 0 * y * 4; b = x + 0 * y / z + 0 * w;", "a = x + 0 * y * 4; b = x + 0 * y / z;"},
        {"a = (float)7 / 2; b = (uchar)200 * 2; c = (ulong)8 * 4;",
         "a = (float)7 / 2; b = (uchar)200 * 2; c = (ulong)32;"},
        {"f((0 + 8) * x, (32 + (1 << 4) - 1) >> 4, -(1 - 2));", "f(8 * x, 2, -(1 - 2));"},
        {"a = b < ((63 | 63 >> 1) | (63 | 63 >> 1) >> 2) + 1; c = (7 & 12 / 4 % 2 + 1) - (9 << 1);",
         "a = b < 64; c = 2 - 18;"},
        {"f (2 | 1); a = (4 / 0) + (1 << 30) + (16777216 * 4) + (x || 1) + (3 + b) + (3 * 2ul);",
         "f (3); a = (4 / 0) + (1 << 30) + (16777216 * 4) + (x || 1) + (3 + b) + (3 * 2ul);"},
        {"a = b * (256u + 1) - (2u - 1u) + (7u) + (1 - 2u);", "a = b * 257u - 1u + 7u + (1 - 2u);"},
        {"a[(32 == 8 && 9u >= 9 ? 9 : (9u + 1)) * 8] = (1 < 64 / 9u ? 1 : 7) << (2 || 1 & 0);",
         "a[80u] = 2;"},
        {"a = b + 0x3 % 4u * 9u + (1u < 2) + (5 != 5 ? 2u : 3) - 0xab % 3;",
         "a = b + 27u + 1 + 3u - 0xab % 3;"},
        {"a = (1 < 2 ? b : 3) + (2u | 1 > 0) + (1 == 1 ? 2 : 3 > 2 ? 4 : 5) / x;", "a = (b) + 3u + 2 / x;"},
        {"f(32 + 16 - 1 >> 4, x[0 + 1], 1 + y, g(2) + 3)", "f(2, x[1], 1 + y, g(2) + 3)"},
        {"/* 2 * 3 + 0 */\n2 * 3", "/* 2 * 3 + 0 */\n6"},
        {"a == 256 - 1 || b < 3 + 4; c - 2 + 1; d = 5 - 7 + 2 * 3; e = 4 + 2 * f;",
         "a == 255 || b < 7; c - 2 + 1; d = 5 - 7 + 6; e = 4 + 2 * f;"},
        {"x[(0 + item) + (0 + item) / 32]; a = 10 + 0 + b;", "x[(item) + (item) / 32]; a = 10 + b;"},
        {"out[i] = f(0 ? before : with); g(1 ? a : b, x[0 ? i : k]);", "out[i] = f(with); g(a, x[k]);"},
        {"a = 0 ? f(v, (b)) : v; b = 1 ? f(g(v)) : v, c = 1 ? b : f(c);", "a = v; b = f(g(v)), c = b;"},
        {"a = 0 ? b + c : d; e = n == 0 ? f : g; h = 10 ? i : k; l = m ? n : o;",
         "a = d; e = n == 0 ? f : g; h = i; l = m ? n : o;"},
        {"f(2 ? (a > b ? a : b) : c); g(0 ? (a + b) : c);", "f((a > b ? a : b)); g(c);"},
        {"a = 1 ? 7 : (9u - b); c = 1 ? 7 : 8u + (2); d = 2 ^ 1 & 3; e = 1 | 2 ^ x; f = ~1 * 2 + (int)1 + 2;",
         "a = 1 ? 7 : (9u - b); c = 7u; d = 3; e = 1 | 2 ^ x; f = ~1 * 2 + (int)1 + 2;"},
        {"a = f(0) * 1; b = (c) * 1 * 256 + d * 1.5f + e * 16;",
         "a = f(0); b = (c) * 256 + d * 1.5f + e * 16;"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        becomes(red_tidy_constants, cases[i][0], cases[i][1]);
}

static void a_group_of_one_has_no_tree(void **state) {
    becomes(red_tidy_lone_items,
            "float red_group_tree(const float value, local float *scratch) {\n}\nvoid f() {\n    local float "
            "scratch[1];\n"
            "    local uint last[1];\n    a = red_group_tree(g(b, c), scratch);\n    h(last);\n"
            "    if (get_local_id(0) == 0)\n        out[0] = a;\n    if (get_local_id(0) == 0) {\n    }\n}\n",
            "float red_group_tree(const float value, local float *scratch) {\n}\nvoid f() {\n"
            "    local uint last[1];\n    a = g(b, c);\n    h(last);\n    out[0] = a;\n"
            "    if (get_local_id(0) == 0) {\n    }\n}\n");
    becomes(red_tidy_lone_items,
            "void f() {\n    local float scratch[1];\n    a = (ulong)red_group_tree(b ? c : d, scratch);\n   "
            " a += 2 * "
            "red_group_tree(b ? c : d, scratch);\n    g(red_group_tree(b ? c : d, scratch), 1);\n}\n",
            "void f() {\n    a = (ulong)(b ? c : d);\n    a += 2 * (b ? c : d);\n    g(b ? c : d, 1);\n}\n");
    /* A kernel's own group_tree is one if it is a copy of the prelude's; one of another name never is. */
#define TREE(name, body) "float " name "(const float value, local float *scratch) {\n    " body "\n}\n"
#define PRELUDES         TREE("red_group_tree", "return value;")
    becomes(red_tidy_lone_items, PRELUDES TREE("group_tree", "return value;") "a = group_tree(b, c);\n",
            PRELUDES TREE("group_tree", "return value;") "a = b;\n");
    becomes(red_tidy_lone_items, PRELUDES TREE("group_tree", "return 2 * value;") "a = group_tree(b, c);\n",
            PRELUDES TREE("group_tree", "return 2 * value;") "a = group_tree(b, c);\n");
    becomes(red_tidy_lone_items, PRELUDES TREE("group_tree", "return value;") "a = sub_group_tree(b, c);\n",
            PRELUDES TREE("group_tree", "return value;") "a = sub_group_tree(b, c);\n");
#undef PRELUDES
#undef TREE
}

static const char program[] =
    "/* of nobody */\n/* of used */\nfloat used(float x) {\n    return other(x); // }\n}\n"
    "/* of unused */\nfloat unused(float x) {\n    return used(x);\n}\n"
    "typedef struct {\n    int a;\n} pair;\nint used_too;\n#pragma X\n"
    "float other(float x) {\n    return x;\n}\n"
    "kernel __attribute__((a(1))) void reduce(int x) {\n    pair p;\n    used(x);\n}\n";

static void what_the_kernel_calls_is_used(void **state) {
    struct red_part parts[RED_PARTS_MAX];
    size_t n = red_parts_split(program, parts);
    assert_int_equal(n, 10);
    red_parts_mark_used(parts, n);
    static const struct {
        const char *name;
        bool is_used;
    } expected[] = {{"", false},    {"", true},          {"used", true}, {"", false},     {"unused", false},
                    {"pair", true}, {"used_too", false}, {"", true},     {"other", true}, {"reduce", true}};
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(parts[i].name, expected[i].name);
        assert_int_equal(parts[i].is_used, expected[i].is_used);
    }
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
    char *text = strdup("int red_x = red_none + red_none_x; /* none */\nint next = red_next;\n");
    assert_int_equal(red_emit_drop_prefix(&text, &error), RED_OK);
    assert_string_equal(text, "int in_x = none + none_x; /* none */\nint next = next_;\n");
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
        assert_int_equal(red_emit_scan(&emission, &build, blanks, &text, &error), RED_OK);
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
