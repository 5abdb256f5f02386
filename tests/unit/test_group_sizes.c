#include "tests/unit/testing.h"

#include "compare/compare.h"
#include "model/capability.h"
#include "model/device_info.h"

/* Group sizes from the first to the last one, by steps or, without a step, each twice the one before. */
struct sizes {
    size_t first, last, step;
};
static const struct sizes all = {1, 4096, 1}, none = {1, 0, 1}, from_3 = {3, 4096, 1}, of_32 = {32, 4096, 32};

static bool is_in(struct sizes sizes, size_t size) {
    size_t at = sizes.first;
    while (at < size)
        at = sizes.step > 0 ? at + sizes.step : 2 * at;
    return at == size && size <= sizes.last;
}

/* What a probe finds on a driver that is right at these. */
static struct red_group_sizes found(struct sizes right, size_t largest) {
    struct red_group_sizes sizes = {.largest = largest};
    for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++) {
        size_t size = red_probed_group_size(i, largest);
        if (size == 0)
            continue;
        sizes.asked |= 1u << i;
        sizes.right |= (uint32_t)is_in(right, size) << i;
    }
    return sizes;
}

/* What drivers do (results/drivers.md), and what may come: how it is said, and the least share of the right
 * sizes up to 1024 that must be relied on. */
static const struct driver {
    struct sizes right;
    size_t largest;
    const char *words;
    unsigned least_percent;
} drivers[] = {
    {{1, 4096, 1}, 1024, "any", 100},
    {{1, 0, 1}, 1024, "none", 100},
    {{3, 4096, 1}, 4096, "from 3 on", 100},
    {{2, 4096, 1}, 1024, "from 2 on", 100},
    {{2, 4096, 1}, 256, "from 2 on", 100},
    {{32, 4096, 32}, 1024, "multiples of 32", 100},
    {{32, 4096, 32}, 256, "multiples of 32", 100},
    {{64, 4096, 64}, 1024, "multiples of 64", 25}, /* powers of two: 96 says no for the others */
    {{8, 4096, 8}, 1024, "multiples of 8", 25},
    {{1, 8, 1}, 1024, "up to 8", 80},
    {{1, 128, 1}, 1024, "up to 128", 75},
    {{1, 4096, 0}, 1024, "powers of two", 100},
    {{1, 1, 1}, 1024, "1", 100},
    {{64, 64, 1}, 1024, "64", 100},
};

static void sizes_are_said_in_few_words(void **state) {
    for (size_t d = 0; d < sizeof drivers / sizeof drivers[0]; d++) {
        const struct red_group_sizes sizes = found(drivers[d].right, drivers[d].largest);
        char words[96];
        red_group_sizes_format(&sizes, words, sizeof words);
        assert_string_equal(words, drivers[d].words);
    }
}

/* Nothing is relied on that is wrong, whatever was not asked; most of what is right is. */
static void only_right_sizes_are_relied_on(void **state) {
    for (size_t d = 0; d < sizeof drivers / sizeof drivers[0]; d++) {
        const struct driver *driver = &drivers[d];
        const struct red_group_sizes sizes = found(driver->right, driver->largest);
        unsigned right_n = 0, held_n = 0;
        for (size_t size = 1; size <= 1024; size++) {
            bool right = is_in(driver->right, size), holds = red_group_sizes_right_at(&sizes, size);
            if (holds && !right)
                fail_msg("%s: %zu is relied on", driver->words, size);
            right_n += right;
            held_n += holds;
        }
        if (100 * held_n < driver->least_percent * right_n)
            fail_msg("%s: %u of %u are relied on", driver->words, held_n, right_n);
    }
}

/* A single size that is wrong is never relied on, and costs no other that was asked. */
static void a_size_that_was_asked_has_its_own_answer(void **state) {
    for (unsigned wrong = 0; wrong < RED_GROUP_SIZES_N; wrong++) {
        struct red_group_sizes sizes = found(all, 1024);
        sizes.right &= ~(1u << wrong);
        for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++)
            assert_int_equal(red_group_sizes_right_at(&sizes, red_probed_group_size(i, 1024)), i != wrong);
    }
}

static void small_devices_are_asked_what_they_take(void **state) {
    static const size_t limits[] = {1, 2, 5, 12, 31, 64, 255, 384};
    for (size_t l = 0; l < sizeof limits / sizeof limits[0]; l++) {
        const struct red_group_sizes sizes = found(all, limits[l]);
        bool largest = false;
        for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++) {
            assert_true(red_probed_group_size(i, limits[l]) <= limits[l]);
            largest = largest || red_probed_group_size(i, limits[l]) == limits[l];
        }
        assert_true(largest);
        for (size_t size = 1; size <= limits[l]; size++)
            assert_true(red_group_sizes_right_at(&sizes, size));
    }
}

/* A need that was asked at few sizes, of one kind, and was right at all: "any" is what is told, and held. */
static void what_was_right_wherever_it_was_asked_holds(void **state) {
    const struct red_group_sizes sizes = {.asked = 3, .right = 3, .largest = 1024}; /* 64 and 32 */
    for (size_t size = 1; size <= 1024; size++)
        assert_true(red_group_sizes_right_at(&sizes, size));
    assert_false(red_group_sizes_right_at(&sizes, 0));
}

/* ---- forms --------------------------------------------------------------------------------------------- */

static const enum red_need_index reduce = RED_NEED_INDEX_COLLECTIVES32;

static struct red_capability capability_of(struct sizes add, struct sizes others) {
    struct red_capability capability = {
        .advertised = RED_YES, .builds = RED_YES, .forms_n = red_forms_n(reduce)};
    for (size_t f = 0; f < capability.forms_n; f++)
        capability.forms[f].sizes = found(f == 0 ? add : others, 1024);
    red_capability_judge(reduce, &capability, true);
    return capability;
}

static void forms_are_judged_apart(void **state) {
    const struct red_capability capability = capability_of(all, of_32);
    size_t add = red_form_of(reduce, red_op_find("sum"), red_dtype_find("i32"));
    size_t max = red_form_of(reduce, red_op_find("max"), red_dtype_find("i32"));
    size_t max_u = red_form_of(reduce, red_op_find("max"), red_dtype_find("u32"));
    char text[RED_CAPABILITY_TEXT_BYTES];
    assert_true(add != max && max != max_u);
    assert_true(red_capability_behaves_at(&capability, add, 100));
    assert_false(red_capability_behaves_at(&capability, max, 100));
    assert_true(red_capability_behaves_at(&capability, max, 96));
    assert_true(red_capability_behaves_at(&capability, max, 0));
    assert_false(red_capability_is_whole(&capability));
    assert_int_equal(red_capability_told(&capability), RED_PARTLY);
    red_capability_format(reduce, &capability, text, sizeof text);
    assert_string_equal(text, "yes yes partly, any: add; multiples of 32: signed min, signed max, unsigned "
                              "min, unsigned max ! says yes, works partly");
    const struct red_capability late = capability_of(from_3, from_3);
    red_capability_format(reduce, &late, text, sizeof text);
    assert_string_equal(text, "yes yes partly, from 3 on ! says yes, works partly");
    const struct red_capability good = capability_of(all, all), bad = capability_of(none, none);
    assert_int_equal(red_capability_told(&good), RED_YES);
    assert_int_equal(red_capability_told(&bad), RED_NO);
    red_capability_format(reduce, &good, text, sizeof text);
    assert_string_equal(text, "yes yes yes");
    red_capability_format(reduce, &bad, text, sizeof text);
    assert_string_equal(text, "yes yes no ! says yes, wrong");
}

/* The nearest group size to the default at which a strategy runs, under the standard where it does. */
static void a_strategy_runs_at_the_nearest_group_size(void **state) {
    static struct red_capabilities capabilities;
    static const struct red_strategy strategy = {.standard = RED_STANDARD_CL20,
                                                 .needs = RED_NEED(COLLECTIVES32)};
    static const struct {
        struct sizes add, max, add_in_30; /* of signed integers; the last under CL3.0 */
        const char *op;
        size_t wanted, nearest;
    } rows[] = {
        {{1, 4096, 1}, {1, 4096, 1}, {1, 0, 1}, "sum", 256, 256},
        {{3, 4096, 1}, {3, 4096, 1}, {1, 0, 1}, "sum", 256, 256},
        {{3, 4096, 1}, {3, 4096, 1}, {1, 0, 1}, "sum", 1, 3},
        {{1, 4096, 1}, {32, 4096, 32}, {1, 0, 1}, "max", 100, 96},
        {{1, 4096, 1}, {32, 4096, 32}, {1, 0, 1}, "max", 12, 32},
        {{1, 4096, 1}, {32, 4096, 32}, {1, 0, 1}, "sum", 100, 100},
        {{1, 8, 1}, {1, 0, 1}, {64, 64, 1}, "sum", 64, 64},
        {{1, 8, 1}, {1, 0, 1}, {64, 64, 1}, "sum", 63, 8},
        {{1, 8, 1}, {1, 0, 1}, {64, 64, 1}, "max", 64, 0},
    };
    struct red_device_info info = {.api_version = 30};
    info.shape.group_size_max = 1024;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int standard = 0; standard < RED_C_STANDARDS_N; standard++) {
            capabilities.of[reduce][standard] = standard == RED_CL30
                                                    ? capability_of(rows[i].add_in_30, none)
                                                    : capability_of(rows[i].add, rows[i].max);
            capabilities.known[reduce][standard] = true;
        }
        assert_int_equal(red_capability_usable_group_size(&info, &capabilities, &strategy,
                                                          red_dtype_find("i32"), red_op_find(rows[i].op),
                                                          rows[i].wanted),
                         rows[i].nearest);
    }
}

/* Every form of every need that has any is another one. */
static void each_operation_finds_its_form(void **state) {
    for (int need = 0; need < RED_NEEDS_N; need++) {
        size_t n = red_forms_n((enum red_need_index)need);
        for (size_t f = 0; f < n && red_need_built_in_prefix((enum red_need_index)need) != NULL; f++) {
            const struct red_form_kind *kind = red_form_kind((enum red_need_index)need, f);
            assert_non_null(red_dtype_find(kind->type));
            for (size_t other = 0; other < f; other++)
                assert_string_not_equal(kind->name, red_form_kind((enum red_need_index)need, other)->name);
        }
    }
}

/* A driver that starts an extreme with the largest finite value is right but for infinities: that costs them,
 * and no group size. */
static void infinities_are_lost_apart(void **state) {
    const enum red_need_index need = reduce + 3; /* doubles */
    const struct red_strategy strategy = {.needs = RED_SET(reduce), .group = RED_STRATEGY_BUILT_IN};
    const struct red_dtype *f64 = red_dtype_find("f64");
    struct red_capabilities capabilities = {.ask = NULL};
    struct red_capability *capability = &capabilities.of[need][RED_CL30];
    const size_t min = red_form_of(need, red_op_find("min"), f64),
                 infinite = red_form_of_infinities(need, red_op_find("min"), f64);
    assert_int_equal(red_form_of_infinities(need, red_op_find("sum"), f64), RED_FORMS_MAX);
    assert_int_equal(red_form_of_infinities(reduce, red_op_find("min"), red_dtype_find("i32")),
                     RED_FORMS_MAX);
    assert_int_not_equal(min, infinite);
    *capability = (struct red_capability){.builds = RED_YES, .forms_n = red_forms_n(need)};
    for (size_t f = 0; f < capability->forms_n; f++) {
        capability->forms[f].sizes.largest = 64;
        red_form_record(&capability->forms[f], 3, f == infinite ? RED_E_WRONG : RED_OK, "it is finite");
    }
    assert_false(red_capabilities_lose_infinities(&capabilities, &strategy, f64, red_op_find("min")));
    capabilities.known[need][RED_CL30] = true;
    red_capability_judge(need, capability, true);
    assert_int_equal(capability->behaves, RED_YES);
    assert_true(red_capability_behaves_at(capability, min, red_probed_group_size(3, 64)));
    assert_true(red_capabilities_lose_infinities(&capabilities, &strategy, f64, red_op_find("min")));
    assert_false(red_capabilities_lose_infinities(&capabilities, &strategy, f64, red_op_find("max")));
    assert_false(red_capabilities_lose_infinities(&capabilities, &strategy, red_dtype_find("f32"),
                                                  red_op_find("min")));
    /* Who is right of infinities alone has no such built-in. */
    for (size_t f = 0; f < capability->forms_n; f++)
        capability->forms[f].sizes.right = f == infinite ? capability->forms[f].sizes.asked : 0;
    red_capability_judge(need, capability, true);
    assert_int_equal(capability->behaves, RED_NO);
    assert_false(red_capabilities_lose_infinities(&capabilities, &strategy, f64, red_op_find("min")));
}

/* ---- scans --------------------------------------------------------------------------------------------- */

/* The strategies of kernels that make all scans of the inclusive built-in, or all of the exclusive one. */
static const struct red_strategy inclusive = {.standard = RED_STANDARD_CL20, .needs = RED_NEED(SCANS32)},
                                 exclusive = {.standard = RED_STANDARD_CL20,
                                              .needs = RED_NEED(EXCLUSIVE_SCANS32)};

/* Each kind of scan is another built-in, and has four needs, which follow from the accumulator. */
static void a_scan_needs_its_built_in_in_the_form_of_its_accumulator(void **state) {
    static const struct {
        enum red_need_index of_32_bits;
        const char *built_in;
    } kinds[] = {{RED_NEED_INDEX_SCANS32, "work_group_scan_inclusive_"},
                 {RED_NEED_INDEX_EXCLUSIVE_SCANS32, "work_group_scan_exclusive_"},
                 {RED_NEED_INDEX_SUB_GROUP_SCANS32, "sub_group_scan_inclusive_"},
                 {RED_NEED_INDEX_SUB_GROUP_EXCLUSIVE_SCANS32, "sub_group_scan_exclusive_"}};
    static const struct {
        const char *op, *type;
        unsigned form;
    } rows[] = {{"inclusive_sum", "i8", 1},  {"exclusive_sum", "u8", 1},  {"inclusive_min", "i8", 0},
                {"exclusive_max", "u8", 0},  {"inclusive_sum", "i32", 0}, {"exclusive_sum", "u64", 1},
                {"exclusive_max", "f16", 2}, {"inclusive_max", "f32", 2}, {"exclusive_min", "f64", 3}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const struct red_strategy strategy = {.needs = RED_SET(kinds[k].of_32_bits)};
            const struct red_dtype *dtype = red_dtype_find(rows[i].type);
            const enum red_need_index need = kinds[k].of_32_bits + rows[i].form;
            assert_true(red_strategy_needs_for(&strategy, dtype, red_op_find(rows[i].op)) ==
                        (dtype->needs | RED_SET(need)));
            assert_string_equal(red_need_built_in_prefix(need), kinds[k].built_in);
            assert_int_equal(red_forms_n(need), RED_FORMS_MAX);
        }
}

/* Ballots are of items, not of values: one need for all accumulators, of one form. */
static void a_ballot_is_the_same_for_all_accumulators(void **state) {
    static const char *const ops[] = {"count", "count64", "sum"};
    const struct red_strategy strategy = {.needs = RED_NEED(BALLOTS)};
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        assert_true(red_strategy_needs_for(&strategy, red_dtype_find("f32"), red_op_find(ops[i])) ==
                    RED_NEED(BALLOTS));
    assert_string_equal(red_need_built_in_prefix(RED_NEED_INDEX_BALLOTS), "sub_group_ballot");
    assert_int_equal(red_forms_n(RED_NEED_INDEX_BALLOTS), 1);
    assert_string_equal(red_form_kind(RED_NEED_INDEX_BALLOTS, 0)->type, "u32");
    assert_null(red_need_built_in_prefix(RED_NEED_INDEX_BALLOTS + 1));
}

/* Sets what is known of a need under every standard: each form is right at these sizes, but one. */
static void know(struct red_capabilities *capabilities, enum red_need_index need, size_t wrong_form,
                 struct sizes right) {
    for (int standard = 0; standard < RED_C_STANDARDS_N; standard++) {
        struct red_capability *capability = &capabilities->of[need][standard];
        *capability =
            (struct red_capability){.advertised = RED_NO, .builds = RED_YES, .forms_n = red_forms_n(need)};
        for (size_t f = 0; f < capability->forms_n; f++)
            for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++) {
                const size_t size = red_probed_group_size(i, 1024);
                capability->forms[f].sizes.largest = 1024;
                if (size > 0)
                    red_form_record(&capability->forms[f], i,
                                    f != wrong_form || is_in(right, size) ? RED_OK : RED_E_WRONG,
                                    "item 0 expects -inf, got 1.17549e-38");
            }
        red_capability_judge(need, capability, true);
        capabilities->known[need][standard] = true;
    }
}

/* As on NVIDIA's: what an exclusive max gives to the first item is no identity. */
static void a_wrong_exclusive_max_costs_maxima_alone(void **state) {
    static struct red_capabilities capabilities;
    static const char *const ops[] = {"inclusive_sum", "inclusive_min", "inclusive_max",
                                      "exclusive_sum", "exclusive_min", "exclusive_max"};
    const struct red_dtype *f32 = red_dtype_find("f32");
    const size_t max = red_form_of(RED_NEED_INDEX_EXCLUSIVE_SCANS_F32, red_op_find("exclusive_max"), f32);
    struct red_device_info info = {.api_version = 30};
    char text[RED_CAPABILITY_TEXT_BYTES];
    know(&capabilities, RED_NEED_INDEX_SCANS_F32, RED_FORMS_MAX, all);
    know(&capabilities, RED_NEED_INDEX_EXCLUSIVE_SCANS_F32, max, none);
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        const struct red_op *op = red_op_find(ops[i]);
        const bool is_wrong = strcmp(op->suffix, "max") == 0;
        struct red_error error = {.text = ""};
        enum red_c_standard standard;
        assert_int_equal(
            red_capability_choose_standard(&info, &capabilities, &inclusive, f32, op, 64, &standard, &error),
            RED_OK);
        assert_int_equal(
            red_capability_choose_standard(&info, &capabilities, &exclusive, f32, op, 64, &standard, &error),
            is_wrong ? RED_E_UNSUPPORTED : RED_OK);
        if (is_wrong)
            assert_string_equal(error.text, "no exclusive_scans_float, max: group size 64: item 0 expects "
                                            "-inf, got 1.17549e-38");
    }
    const struct red_capability *capability = &capabilities.of[RED_NEED_INDEX_EXCLUSIVE_SCANS_F32][RED_CL30];
    red_capability_format(RED_NEED_INDEX_EXCLUSIVE_SCANS_F32, capability, text, sizeof text);
    assert_string_equal(text, "no yes partly, any: add, min, min of infinities, max of infinities; none: "
                              "max ! says no, works partly");
    assert_string_equal(capability->reason, "max: group size 64: item 0 expects -inf, got 1.17549e-38");
}

/* Files of older programs say "yes" of what is wrong in part; its words are the same. */
static void words_of_files_are_those_of_older_ones(void **state) {
    for (int older = 0; older < 2; older++) {
        struct red_run_capability found[] = {
            {.name = "sub_group_shuffle",
             .advertised = RED_YES,
             .builds = RED_YES,
             .behaves = older ? RED_YES : RED_PARTLY,
             .words = "multiples of 8"},
            {.name = "scans", .advertised = RED_YES, .builds = RED_YES, .behaves = RED_YES, .words = "any"}};
        const struct red_run_device device = {.found = found, .found_n = 2};
        assert_string_equal(red_capability_word(&device, "sub_group_shuffle"), "multiples of 8");
        assert_string_equal(red_capability_word(&device, "scans"), "yes");
    }
}

/* And where it is wrong at some sizes, it is missed at those. */
static void a_wrong_exclusive_max_costs_its_group_sizes_alone(void **state) {
    static struct red_capabilities capabilities;
    const struct red_dtype *i32 = red_dtype_find("i32");
    const struct red_op *op = red_op_find("exclusive_max");
    struct red_device_info info = {.api_version = 30};
    info.shape.group_size_max = 1024;
    know(&capabilities, RED_NEED_INDEX_EXCLUSIVE_SCANS32,
         red_form_of(RED_NEED_INDEX_EXCLUSIVE_SCANS32, op, i32), of_32);
    assert_int_equal(red_capability_usable_group_size(&info, &capabilities, &exclusive, i32, op, 100), 96);
    assert_int_equal(red_capability_usable_group_size(&info, &capabilities, &exclusive, i32,
                                                      red_op_find("exclusive_sum"), 100),
                     100);
    assert_int_equal(
        red_capability_usable_group_size(&info, &capabilities, &exclusive, red_dtype_find("u32"), op, 100),
        100);
}

/* ---- asked again and again ----------------------------------------------------------------------------- */

/* A driver that is right at the i-th answer where (i % period) is not 0 (period 0: always; 1: never), asked
 * as cl/probe.c asks it, with answers that take so long. */
static struct red_repeats repeats_of(unsigned period, double answer_s) {
    enum { SIZES_N = 5 };
    struct red_repeats repeats = {0};
    unsigned at = 0;
    for (unsigned i = 1; !red_repeats_suffice(&repeats, SIZES_N, (i - 1) * answer_s); i++) {
        const bool is_right = period == 0 || i % period != 0;
        assert_true(i <= 64);
        red_repeats_add(&repeats, at, is_right);
        at = is_right ? (at + 1) % SIZES_N : at;
    }
    return repeats;
}

static void answers_that_differ_are_unsteady(void **state) {
    static const double answers_s[] = {1e-6, 1e-3, 0.02, 0.1, 10};
    for (size_t i = 0; i < sizeof answers_s / sizeof answers_s[0]; i++) {
        const struct red_repeats right = repeats_of(0, answers_s[i]), wrong = repeats_of(1, answers_s[i]);
        assert_false(red_repeats_differ(&right) || red_repeats_differ(&wrong));
        assert_true(right.asked_n >= 5 && right.right_n == right.asked_n);
        assert_true(wrong.asked_n >= 3 && wrong.right_n == 0);
        for (unsigned period = 2; period <= 5; period++) {
            const struct red_repeats repeats = repeats_of(period, answers_s[i]);
            assert_true(red_repeats_differ(&repeats));
            assert_true(repeats.right_n > 0 && repeats.right_n < repeats.asked_n);
        }
    }
    /* One answer in 60 is wrong: found where answers are fast. */
    const struct red_repeats rare = repeats_of(60, 1e-4);
    assert_true(red_repeats_differ(&rare));
    assert_int_equal(rare.right_n, 63);
    /* Slow answers are few. */
    assert_int_equal(repeats_of(0, 1).asked_n, 5);
    assert_int_equal(repeats_of(1, 1).asked_n, 3);
}

static void a_size_that_is_always_wrong_is_not_unsteady(void **state) {
    struct red_repeats repeats = {0};
    red_repeats_add(&repeats, 0, true);
    for (unsigned i = 0; i < 3; i++)
        red_repeats_add(&repeats, 1, false);
    assert_false(red_repeats_differ(&repeats));
    assert_true(red_repeats_suffice(&repeats, 5, 0.06));
}

static void what_is_unsteady_is_told_and_not_used(void **state) {
    static const struct {
        enum red_answer advertised;
        const char *text, *brief;
    } rows[] = {{RED_UNKNOWN, "? yes unsteady, right 3 of 5 times", "unsteady"},
                {RED_NO, "no yes unsteady, right 3 of 5 times", "unsteady"},
                {RED_YES, "yes yes unsteady, right 3 of 5 times ! says yes, unsteady", "says yes, unsteady"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_capability capability = {
            .advertised = rows[i].advertised, .builds = RED_YES, .repeats = {5, 3, 0, 1, 1}};
        char text[RED_CAPABILITY_TEXT_BYTES];
        red_capability_judge(RED_NEED_INDEX_HOST_VISIBLE, &capability, false);
        assert_int_equal(capability.behaves, RED_UNSTEADY);
        assert_false(red_capability_is_whole(&capability));
        assert_false(red_capability_behaves_at(&capability, 0, 32));
        red_capability_format(RED_NEED_INDEX_HOST_VISIBLE, &capability, text, sizeof text);
        assert_string_equal(text, rows[i].text);
        assert_string_equal(red_capability_brief(&capability), rows[i].brief);
    }
}

/* ---- crashes ------------------------------------------------------------------------------------------- */

/* What a parent makes of a driver that survives these alone; how many processes it costs. */
static unsigned crashes(struct sizes survives, struct red_capability *capability) {
    unsigned n = 0;
    *capability = (struct red_capability){.builds = RED_YES, .forms_n = red_forms_n(reduce)};
    for (size_t f = 0; f < capability->forms_n; f++) {
        struct red_form_findings *form = &capability->forms[f];
        form->sizes.largest = 1024;
        for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++) {
            size_t size = red_probed_group_size(i, 1024);
            if (size == 0 || form->sizes.asked >> i & 1)
                continue;
            if (is_in(survives, size)) {
                red_form_record(form, i, RED_OK, "");
                continue;
            }
            red_capability_record_crash(capability, f, i, RED_E_CRASHED, "it crashed");
            n++;
        }
    }
    red_capability_judge(reduce, capability, true);
    return n;
}

static void a_crash_costs_its_size_alone(void **state) {
    struct red_capability capability;
    assert_int_equal(crashes(from_3, &capability), 4); /* two sizes of the first two forms */
    assert_int_equal(capability.behaves, RED_YES);
    for (size_t f = 0; f < capability.forms_n; f++) {
        assert_false(red_capability_behaves_at(&capability, f, 2));
        assert_true(red_capability_behaves_at(&capability, f, 3));
        assert_string_equal(capability.forms[f].reason, "group size 1: it crashed");
    }
    assert_int_equal(crashes(none, &capability), 2); /* nothing works: enough is enough */
    assert_int_equal(capability.behaves, RED_NO);
    assert_string_equal(capability.reason, "group size 64: it crashed");
}

/* For --despite-probes. */
static void what_builds_can_be_trusted(void **state) {
    static const struct {
        enum red_answer advertised, builds;
        bool trusted;
    } rows[] = {{RED_NO, RED_YES, true},
                {RED_YES, RED_UNKNOWN, true},
                {RED_NO, RED_UNKNOWN, false},
                {RED_YES, RED_NO, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_capability capability = {.advertised = rows[i].advertised,
                                            .builds = rows[i].builds,
                                            .behaves = RED_NO,
                                            .reason = "wrong",
                                            .forms_n = 2};
        red_capability_trust(&capability);
        assert_int_equal(red_capability_behaves_at(&capability, 1, 100), rows[i].trusted);
        assert_int_equal(red_capability_is_whole(&capability), rows[i].trusted);
        assert_int_equal(capability.behaves, RED_NO); /* files have what the probe found */
        assert_string_equal(capability.reason, "wrong");
    }
}
