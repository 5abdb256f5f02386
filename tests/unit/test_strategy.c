#include "tests/unit/testing.h"

#include "model/capability.h"
#include "model/catalogue.h"
#include "tests/unit/catalogue.h"
#include "tests/unit/texts.h"

static const char good[] =
    "//@ name: mine\r\n//@\tidea: a: b\n//@ span: each\n//@ lanes: 4\n//@ group: tree\n"
    "//@ finish: host\n//@ needs: local_memory, fp64\n//@ types: f32,i32\n//@ ops: dot\n"
    "//@ source: s\n// a comment\n\nkernel\n//@ name: late\n";

/* Of a file's strategies its own. */
static enum red_status parse(const char *text, struct red_strategy *own, struct red_error *error) {
    struct red_family family;
    enum red_status status = red_manifest_read("f.cl", text, &family, error);
    *own = family.rows[0];
    return status;
}

static void a_manifest_is_read(void **state) {
    struct red_strategy s;
    struct red_error error;
    assert_int_equal(parse(good, &s, &error), RED_OK);
    assert_string_equal(s.name, "mine");
    assert_string_equal(s.idea, "a: b");
    assert_int_equal(s.lanes, 4);
    assert_int_equal(s.span, RED_STRATEGY_EACH);
    assert_int_equal(s.needs, RED_NEED(LOCAL_MEMORY) | RED_NEED(FP64));
    assert_int_equal(s.standard, RED_STANDARD_CL12);
    assert_int_equal(red_strategy_check_type_and_op(&s, red_dtype_find("f32"), red_op_find("dot"), &error),
                     RED_OK);
    assert_int_equal(red_strategy_check_type_and_op(&s, red_dtype_find("f64"), red_op_find("dot"), &error),
                     RED_E_UNSUPPORTED);
    assert_int_equal(red_strategy_check_type_and_op(&s, red_dtype_find("f32"), red_op_find("sum"), &error),
                     RED_E_UNSUPPORTED);
}

/* A variant has what it does not give from the file's own strategy, and macros of its own. */
static void a_file_may_hold_variants(void **state) {
    struct red_family family;
    char *text = replaced(good, "// a comment",
                          "//@ variant: other TURNS=2 FOLD=max\n//@ idea: c\n//@ ops: sum\n"
                          "//@ variant: newer\n//@ counterpart: mine\n// a comment");
    assert_int_equal(red_manifest_read("f.cl", text, &family, NULL), RED_OK);
    assert_int_equal(family.n, 3);
    const struct red_strategy *own = &family.rows[0], *other = &family.rows[1], *newer = &family.rows[2];
    assert_string_equal(own->macros, "");
    assert_string_equal(other->name, "other");
    assert_string_equal(other->idea, "c");
    assert_string_equal(other->macros, "#define TURNS 2\n#define FOLD max\n");
    assert_true(other->finish == own->finish && other->needs == own->needs && other->ops != own->ops);
    assert_true(own->standard == RED_STANDARD_CL12 && other->standard == RED_STANDARD_CL12);
    assert_string_equal(newer->macros, "");
    assert_string_equal(newer->idea, own->idea);
    assert_int_equal(newer->standard, RED_STANDARD_CL20);
    free(text);
}

/* Lanes that can be chosen are told by their form; others are a number. */
static void lanes_have_two_forms(void **state) {
    for (unsigned width = 1; width <= 16; width *= 2)
        for (unsigned loads = 1; loads <= 8; loads *= 2) {
            char text[16];
            unsigned read[2] = {0, 0};
            snprintf(text, sizeof text, "%ux%u", width, loads);
            assert_true(red_lanes_read(text, &read[0], &read[1]));
            assert_true(read[0] == width && read[1] == loads);
        }
    struct red_strategy s;
    assert_int_equal(parse(good, &s, NULL), RED_OK);
    assert_true(s.lanes == 4 && s.width == 0 && s.loads == 0);
    char *text = replaced(good, "lanes: 4", "lanes: 16x2");
    assert_int_equal(parse(text, &s, NULL), RED_OK);
    assert_true(s.lanes == 32 && s.width == 16 && s.loads == 2);
    free(text);
}

static void compare_and_swap_is_needed_as_wide_as_the_type(void **state) {
    struct red_strategy s = {.needs = RED_NEED(CAS32)};
    assert_int_equal(red_strategy_needs_for(&s, red_dtype_find("f32"), red_op_find("sum")), RED_NEED(CAS32));
    assert_int_equal(red_strategy_needs_for(&s, red_dtype_find("f64"), red_op_find("sum")),
                     RED_NEED(CAS64) | RED_NEED(FP64));
    assert_int_equal(red_strategy_needs_for(&s, red_dtype_find("i8"), red_op_find("sum")), RED_NEED(CAS64));
    assert_int_equal(red_strategy_needs_for(&s, red_dtype_find("i8"), red_op_find("min")), RED_NEED(CAS32));
}

/* Each line of the good manifest, removed or spoilt, is an error at that line. */
static void a_spoilt_manifest_is_refused(void **state) {
    static const struct {
        const char *from, *to, *message;
    } rows[] = {
        {"span: each", "span: all", "f.cl:3: span: 'all'"},
        {"lanes: 4", "lanes: 0", "f.cl:4: lanes"},
        {"lanes: 4", "lanes: 4x", "f.cl:4: lanes"},
        {"lanes: 4", "lanes: -1", "f.cl:4: lanes"},
        {"lanes: 4", "lanes: +4", "f.cl:4: lanes"},
        {"lanes: 4", "lanes: 100000", "f.cl:4: lanes"},
        {"lanes: 4", "lanes: 3x4",
         "f.cl:4: lanes: '3x4' is not valid; expected a number from 1 to 99999, or"},
        {"lanes: 4", "lanes: 4x16", "f.cl:4: lanes"},
        {"lanes: 4", "lanes: 32x1", "f.cl:4: lanes"},
        {"lanes: 4", "lanes: 4 x 4", "f.cl:4: lanes"},
        {"lanes: 4", "lanes: 4x", "f.cl:4: lanes"},
        {"lanes: 4", "lanes: x4", "f.cl:4: lanes"},
        {"lanes: 4", "lanes: 4x4x4", "f.cl:4: lanes"},
        {"needs: local_memory, fp64", "needs: magic", "f.cl:7: needs: 'magic'"},
        {"types: f32,i32", "types: ", "f.cl:8: types"},
        {"ops: dot", "ops: product", "f.cl:9: ops: 'product'"},
        {"finish: host", "finish: passes, host", "f.cl:6: finish"},
        {"//@ source: s\n", "", "lacks 'source'"},
        {"//@ source: s", "//@ sauce: s", "f.cl:10: manifest key: 'sauce'"},
        {"//@ source: s", "//@ name: s", "f.cl:10: 'name' is given twice"},
        {"//@ source: s", "//@ source s", "f.cl:10: a manifest line has the form"},
        {"group: tree", "group: none", "group 'none' needs"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_strategy s;
        struct red_error error;
        char *text = replaced(good, rows[i].from, rows[i].to);
        assert_told(rows[i].to, parse(text, &s, &error), &error, rows[i].message);
        free(text);
    }
}

static void an_endless_line_is_refused(void **state) {
    static char text[2000];
    struct red_strategy s;
    struct red_error error;
    memset(text, 'x', sizeof text - 1);
    memcpy(text, "//@ name: ", 10);
    assert_told("an endless line", parse(text, &s, &error), &error, "f.cl:1:");
}

/* Whether a 2.x strategy keeps as much in flight as its counterpart: else their times would tell more of that
 * than of 2.x. Sub-groups count together the bins of one element for each item, and integer_dot takes as many
 * bytes as its built-in, four, by vectors that it makes itself. */
static bool has_lanes_of(const struct red_strategy *later, const struct red_strategy *earlier) {
    static const char *const others[] = {"sub_group_counts", "sub_group_ballot_counts", "integer_dot"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(later->name, others[i]) == 0)
            return true;
    return later->width == earlier->width && later->loads == earlier->loads && later->lanes == earlier->lanes;
}

static void the_catalogue_is_whole(void **state) {
    static const char *const names[] = {
        "openmp",           "serial",          "chunk",         "interleaved",     "tree",
        "tree_passes",      "cmpxchg_item",    "cmpxchg_group", "grid_stride_vec", "wg_reduce",
        "wg_reduce_stride", "wg_reduce_atomic"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_non_null(red_catalogue_find(catalogue, names[i]));
    for (size_t i = 0; i < red_catalogue_n(catalogue); i++) {
        const struct red_strategy *s = red_catalogue_get(catalogue, i);
        assert_false(red_catalogue_is_added(catalogue, s));
        if (s->counterpart[0] != '\0') { /* a pair is a 2.x strategy and a 1.x one that exists */
            const struct red_strategy *earlier = red_catalogue_find(catalogue, s->counterpart);
            assert_non_null(earlier);
            assert_int_equal(earlier->standard, RED_STANDARD_CL12);
            assert_int_equal(earlier->span, s->span);
            if (!has_lanes_of(s, earlier))
                fail_msg("%s has other lanes than %s", s->name, earlier->name);
        }
    }
}

/* The next name of a group's function in a kernel's code, from `at` on; NULL behind the last. */
static const char *next_group_function(const char *at) {
    for (; *at != '\0'; at++) {
        if (at[0] == '/' && at[1] == '/')
            at += strcspn(at, "\n") - 1;
        else if (at[0] == '/' && at[1] == '*')
            at = strstr(at, "*/");
        else if ((strncmp(at, "sub_group_", 10) == 0 || strncmp(at, "work_group_", 11) == 0) &&
                 strchr("(, \n", at[-1]) != NULL)
            return at;
    }
    return NULL;
}

/* What a file of kernels needs in one of its forms. */
static red_set needs_of_file(const char *path) {
    red_set needs = 0;
    for (size_t i = 0; i < red_catalogue_n(catalogue); i++) {
        const struct red_strategy *s = red_catalogue_get(catalogue, i);
        needs |= s->path != NULL && strcmp(s->path, path) == 0 ? s->needs : 0;
    }
    return needs;
}

/* Of the functions of groups and sub-groups a kernel calls only those whose probe its needs name. */
static void a_kernel_needs_the_built_ins_that_it_calls(void **state) {
    static const char *const no_need[] = {"work_group_barrier(", /* of 2.0, with any group */
                                          "sub_group_tree("};    /* a kernel's own */
    size_t found_n = 0;
    for (size_t i = 0; i < red_catalogue_n(catalogue); i++) {
        const struct red_strategy *s = red_catalogue_get(catalogue, i);
        const char *at = s->text != NULL ? next_group_function(s->text) : NULL;
        for (; at != NULL; at = next_group_function(at + 1)) {
            bool is_needed = false;
            for (size_t k = 0; k < sizeof no_need / sizeof no_need[0]; k++)
                is_needed = is_needed || strncmp(at, no_need[k], strlen(no_need[k])) == 0;
            for (unsigned need = 0; need < RED_NEEDS_N; need++) {
                const char *prefix = red_need_built_in_prefix((enum red_need_index)need);
                is_needed = is_needed || (prefix != NULL && strncmp(at, prefix, strlen(prefix)) == 0 &&
                                          (needs_of_file(s->path) >> need & 1) != 0);
            }
            if (!is_needed)
                fail_msg("%s calls %.30s and names no need for it", s->path, at);
            found_n++;
        }
    }
    assert_true(found_n > 10);
}

static void a_set_of_strategies_fits_together(void **state) {
    struct red_strategy rows[] = {
        {.name = RED_HOST_STRATEGY, .standard = RED_STANDARD_HOST},
        {.name = "tree", .path = "a/tree.cl", .standard = RED_STANDARD_CL12},
        {.name = "later", .path = "b/later.cl", .standard = RED_STANDARD_CL20, .counterpart = "tree"},
    };
    struct red_error error;
    assert_int_equal(red_strategies_check(rows, 3, &error), RED_OK);
    strcpy(rows[2].counterpart, "bush");
    assert_int_equal(red_strategies_check(rows, 3, &error), RED_E_INPUT);
    assert_string_equal(error.text, "b/later.cl:1: counterpart: 'bush' is no 1.x strategy");
    strcpy(rows[2].counterpart, "later");
    assert_int_equal(red_strategies_check(rows, 3, &error), RED_E_INPUT);
    strcpy(rows[2].name, "tree");
    strcpy(rows[2].counterpart, "tree");
    assert_int_equal(red_strategies_check(rows, 3, &error), RED_E_INPUT);
    assert_string_equal(error.text, "b/later.cl:1: the name 'tree' is taken by a/tree.cl");
    strcpy(rows[2].name, RED_HOST_STRATEGY);
    assert_int_equal(red_strategies_check(rows, 3, &error), RED_E_INPUT);
    assert_has(error.text, "taken by the host's row");
}

static void a_file_joins_once(void **state) {
    char path[] = "joins_once.cl";
    put_file(path, good);
    struct red_catalogue *own = NULL;
    struct red_error error;
    assert_int_equal(red_catalogue_create(&own, NULL), RED_OK);
    assert_ok(red_catalogue_add_file(own, path, false, &error), &error);
    assert_true(red_catalogue_is_added(own, red_catalogue_find(own, "mine")));
    assert_told(path, red_catalogue_add_file(own, path, false, &error), &error, "is taken");
    assert_int_equal(red_catalogue_add_file(own, "/nowhere/x.cl", false, &error), RED_E_INPUT);
    assert_int_equal(red_catalogue_add_file(own, "/", false, &error), RED_E_INPUT);
    assert_int_equal(red_catalogue_add_file(own, "/dev/null", false, &error), RED_E_INPUT);
    red_catalogue_destroy(own);
}

/* A copy of one of our files under a new name brings no second tree_passes, but variants of its own. */
static void a_file_brings_variants_of_free_names(void **state) {
    char path[] = "brings_variants.cl";
    char *text =
        replaced(good, "// a comment",
                 "//@ variant: tree_passes\n//@ variant: other\n//@ counterpart: mine\n// a comment");
    put_file(path, text);
    free(text);
    struct red_catalogue *own = NULL;
    assert_int_equal(red_catalogue_create(&own, NULL), RED_OK);
    assert_int_equal(red_catalogue_add_file(own, path, false, NULL), RED_OK);
    assert_int_equal(red_catalogue_n(own), red_catalogue_n(catalogue) + 2);
    assert_true(red_catalogue_is_added(own, red_catalogue_find(own, "mine")));
    assert_true(red_catalogue_is_added(own, red_catalogue_find(own, "other")));
    assert_false(red_catalogue_is_added(own, red_catalogue_find(own, "tree_passes")));
    red_catalogue_destroy(own);
}

static char *source_of(struct red_build_spec variant) {
    char *text = NULL;
    struct red_error error = {.text = ""};
    assert_ok(red_source_text(&variant, &text, &error), &error);
    return text;
}

static char *source_of_sum(const char *strategy, unsigned width, unsigned loads, bool poisons) {
    return source_of((struct red_build_spec){.strategy = red_catalogue_find(catalogue, strategy),
                                             .dtype = red_dtype_find("f32"),
                                             .op = red_op_find("sum"),
                                             .group_size = 7,
                                             .width = width,
                                             .loads = loads,
                                             .poison_local = poisons});
}

static void the_source_says_what_was_chosen(void **state) {
    struct red_build_spec variant = {.strategy = red_catalogue_find(catalogue, "tree_passes"),
                                     .dtype = red_dtype_find("i32"),
                                     .op = red_op_find("dot"),
                                     .group_size = 100};
    char *text = source_of(variant);
    assert_has(text, "#define RED_T int\n");
    assert_has(text, "#define RED_A uint\n");
    assert_has(text, "#define RED_ARRAYS 2\n");
    assert_has(text, "#define RED_GROUP_SIZE 100\n");
    assert_null(strstr(text, "#define RED_POISON 0x"));
    assert_has(text, "#line 1 \"kernels_cl12/reduce/tree.cl\""); /* the include was taken in */
    variant.over_partials = variant.poison_local = true;
    char *partials = source_of(variant);
    assert_has(partials, "#define RED_T uint\n");
    assert_has(partials, "#define RED_ARRAYS 1\n");
    assert_has(partials, "#define RED_MAP_(x, y) x\n");
    assert_has(partials, "#define RED_POISON 0xff\n");
    free(text);
    free(partials);
}

/* Width and loads are given to kernels that leave the choice, and to no others. */
static void only_chosen_lanes_stand_in_the_source(void **state) {
    static const struct {
        const char *strategy;
        unsigned width, loads;
        const char *expected;
    } rows[] = {{"chunk", 0, 0, "#define RED_WIDTH 16\n#define RED_LOADS 4\n#define RED_NAMED_"},
                {"chunk", 2, 8, "#define RED_WIDTH 2\n#define RED_LOADS 8\n#define RED_NAMED_"},
                {"grid_stride_vec", 0, 0, "#define RED_WIDTH 4\n#define RED_LOADS 4\n#define RED_NAMED_"},
                {"tree", 0, 0, "RED_COMBINE_(a, b) a + b\n#define RED_NAMED_"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = source_of_sum(rows[i].strategy, rows[i].width, rows[i].loads, false);
        assert_has(text, rows[i].expected);
        free(text);
    }
}

/* The checking form of a kernel without local memory is the form that is timed: compiled once. */
static void only_local_memory_makes_a_checking_form(void **state) {
    static const struct {
        const char *strategy;
        bool poisoned;
    } rows[] = {{"tree", true}, {"tree_passes", true}, {"cmpxchg_item", false}, {"serial", false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = source_of_sum(rows[i].strategy, 0, 0, true);
        assert_int_equal(strstr(text, "#define RED_POISON 0x") != NULL, rows[i].poisoned);
        free(text);
    }
}

/* What `verify --stress` is for: groups that read what others wrote, not one item, nor launch after launch.
 */
static void groups_are_ordered(void **state) {
    static const struct {
        enum red_finish_kind finish;
        enum red_span span;
        bool ordered;
    } rows[] = {{RED_STRATEGY_LAST_GROUP, RED_STRATEGY_STRIDE, true},
                {RED_STRATEGY_POLLED, RED_STRATEGY_CHUNK, true},
                {RED_STRATEGY_POLLED_WORDS, RED_STRATEGY_STRIDE, true},
                {RED_STRATEGY_SINGLE_PASS, RED_STRATEGY_EACH, true},
                {RED_STRATEGY_SINGLE_PASS, RED_STRATEGY_ONE, false},
                {RED_STRATEGY_ONE_LAUNCH_COUNTS, RED_STRATEGY_STRIDE, true},
                {RED_STRATEGY_HOST, RED_STRATEGY_STRIDE, false},
                {RED_STRATEGY_ATOMIC, RED_STRATEGY_STRIDE, false},
                {RED_STRATEGY_DEVICE_ENQUEUE, RED_STRATEGY_STRIDE, false},
                {RED_STRATEGY_PERSISTENT, RED_STRATEGY_STRIDE, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct red_strategy strategy = {.finish = rows[i].finish, .span = rows[i].span};
        assert_int_equal(red_strategy_orders_groups(&strategy), rows[i].ordered);
    }
}

/* Whoever reads what another group wrote says by which idiom; where that is seen to fail it does not run.
 * What lies in one word that atomics of 64 bits change has an order of its own. */
static void who_orders_groups_names_an_idiom(void **state) {
    const red_set idioms = RED_NEED(WORD_PUBLICATION) | RED_NEED(WRITE_READ_FENCE) |
                           RED_NEED(C11_DEVICE_ORDER) | RED_NEED(XCHG64);
    size_t ordered_n = 0;
    for (size_t i = 0; i < red_catalogue_n(catalogue); i++) {
        const struct red_strategy *strategy = red_catalogue_get(catalogue, i);
        const bool is_alone = strategy->finish == RED_STRATEGY_PERSISTENT; /* one group, and the host */
        if (!red_strategy_orders_groups(strategy) || is_alone)
            continue;
        ordered_n++;
        if ((strategy->needs & idioms) == 0)
            fail_msg("%s lets groups read what others wrote, and needs no idiom", strategy->name);
    }
    assert_true(ordered_n > 10);
}

static void strange_paths_and_includes(void **state) {
    struct red_strategy s = {.path = "a\"b\\c.cl", .text = "kernel"};
    struct red_build_spec variant = {
        &s, red_dtype_find("f32"), red_op_find("sum"), 1, 0, 0, false, false, 0, 0, false};
    char *text = source_of(variant);
    assert_has(text, "#line 1 \"a\\\"b\\\\c.cl\"");
    free(text);
    s.text = "first\n#include \"serial.cl\"\nthird\n#include \"tree.cl\"";
    text = source_of(variant);
    assert_has(text, "#line 1 \"kernels_cl12/reduce/serial.cl\"\n//@ name:   serial");
    assert_has(text, "}\n#line 3 \"a\\\"b\\\\c.cl\"\nthird\n#line 1 \"kernels_cl12/reduce/tree.cl\"\n");
    free(text);
    /* Two files have this name: without a folder it is the kernel's. */
    s.text = "#include \"last_group_c11.cl\"";
    text = source_of(variant);
    assert_has(text, "#line 1 \"kernels_cl20/reduce/last_group_c11.cl\"\n//@ name:");
    free(text);
    s.text = "#include \"lib/last_group_c11.cl\"";
    text = source_of(variant);
    assert_null(strstr(text, "kernels_cl20/reduce/"));
    free(text);
    s.text = "#include \"nothing.cl\"\n";
    struct red_error error;
    assert_told("#include", red_source_text(&variant, &text, &error), &error, "nothing.cl");
}
