/* The register of known bugs: its syntax, whom a line is about, and that it cannot rot. */
#include "tests/unit/testing.h"

#include "results/known_failures.h"
#include "tests/unit/catalogue.h"

static enum red_status read_text(const char *text, struct red_known_failures *known_failures,
                                 struct red_error *error) {
    *known_failures = (struct red_known_failures){.n = 0};
    return red_known_failures_read("folder/x.expect", text, strlen(text), known_failures, error);
}

static void versions_lie_in_ranges(void **state) {
    static const struct {
        const char *range, *version;
        bool lies;
    } rows[] = {
        {"*", "whatever", true},
        {"3.1", "3.1+debian", true},
        {"3.1", "3.1.2", true},
        {"3.1", "3.10", false},
        {"3.0..3.1", "3.1.9", true},
        {"3.0..3.1", "3.2", false},
        {"3.0..3.1", "2.9", false},
        {"..3.1", "1", true},
        {"3.1..", "580.159.04", true},
        {"3.1..", "3.0", false},
        {"580.1..580.2", "580.159", false},
        {"3.1", "none", false},
        {"3.1", "", false},
        {"3", "3", true},
        {"3.1", "3", false},
        {"22.3", "Mesa 22.3.6", true},
        {"99999999999999999999", "1", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (red_version_range_has(rows[i].range, rows[i].version) != rows[i].lies)
            fail_msg("'%s' and '%s'", rows[i].range, rows[i].version);
}

static void broken_lines_are_named(void **state) {
    static const struct {
        const char *text, *told;
    } rows[] = {
        {"platform: *\ntree * * * * wrong 2026-11-22 x", NULL},
        {"platform: *\ndriver: 3.1+debian..2026.22.10.0.01_160000\ntree * * * * wrong 2026-11-22 x", NULL},
        {"# nothing\n\n  \t\nplatform: a\ndevice:\tb*\ndriver: ..3\ntree,wg_* sum f* 2^10.. ..64 "
         "some-crashed 2026-11-22 x y\n",
         NULL},
        {"platform: *\ntree * * * * skip 2024-02-29 hangs", NULL},
        {"platform: *\ntree * * * * flaky-crashed 2024-02-29 a race", NULL},
        {"tree * * * * wrong 2026-11-22 x",
         "x.expect:1: 'tree' is not valid; expected a line 'platform: GLOB'"},
        {"platfrom: a", "x.expect:1: 'platfrom:' is not valid; expected platform:"},
        {"tree add * * * wrong 2026-11-22 x", "x.expect:1: unknown operation 'add'"},
        {"tree sum f32,float * * wrong 2026-11-22 x", "x.expect:1: unknown type 'float'"},
        {"tree sum * * * wrong 2026-13-01 x", "expected a date"},
        {"tree sum * * * wrong 2026-02-29 x", "expected a date"},
        {"tree sum", "x.expect:1: the line ends too early; expected STRATEGY"},
        {"tree sum *", "x.expect:1: the line ends too early; expected N and GROUP-SIZE"},
        {"driver: 4.0..3.1", "expected a range of versions"},
        {"driver: 3.x..", "expected a range of versions"},
        {"driver: ..", "expected a range of versions"},
        {"driver: 3.", "expected a range of versions"},
        {"driver: +3", "expected a range of versions"},
        {"tree", "x.expect:1: the line ends too early; expected STRATEGY OP TYPE"},
        {"\ntree * * x * wrong 2026-11-22 r", "x.expect:2: 'x' is not valid; expected N and"},
        {"tree * * 5..4 * wrong 2026-11-22 r", "expected N and"},
        {"platform: *\nneeds:scans*,sub_groups_64 min f* * ..2 unsupported 2026-11-26 a built-in", NULL},
        {"needs:scans,sans * * * * unsupported 2026-11-26 x", "x.expect:1: unknown need 'sans'"},
        {"needs: * * * * unsupported 2026-11-26 x", "x.expect:1: "},
        {"need:scans * * * * unsupported 2026-11-26 x", "'need:scans' is not valid; expected platform:"},
        {"tree * * * * bad 2026-11-22 r", "'bad' is not valid; expected wrong"},
        {"tree * * * * pass 2026-11-22 r", "expected wrong"},
        {"tree * * * * some-skip 2026-11-22 r", "expected wrong"},
        {"tree * * * * flaky-skip 2026-11-22 r", "expected wrong"},
        {"tree * * * * some-flaky-wrong 2026-11-22 r", "expected wrong"},
        {"tree * * * * flaky-some-wrong 2026-11-22 r", "expected wrong"},
        {"tree * * * * wrong yesterday r", "expected a date"},
        {"tree * * * * wrong 2026-11-222 r", "expected a date"},
        {"tree * * * * wrong 2026-11-22", "expected a reason"},
        {"driver: new", "expected a range of versions"},
        {"platform:", "the line ends too early; expected a glob"},
        {"tree * * * * wrong 2026-11-22 \033[31m", "a control character"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_known_failures known_failures;
        struct red_error error = {.text = ""};
        assert_told(rows[i].text, read_text(rows[i].text, &known_failures, &error), &error, rows[i].told);
        assert_int_equal(known_failures.n, rows[i].told == NULL);
        red_known_failures_clear(&known_failures);
    }
}

static void lines_find_their_cells(void **state) {
    static const char text[] = "platform: Good\n"
                               "driver: 3.1\n"
                               "tree sum f* 64..128 * wrong 2026-11-22 first\n"
                               "tree,chunk * * * 7 crashed 2026-11-22 second\n"
                               "platform: Other\n"
                               "* * * * * some-wrong 2026-11-22 third\n";
    static const struct red_device_info good = {.platform = "good", .driver = "3.1.4"},
                                        newer = {.platform = "Good", .driver = "3.2"},
                                        other = {.platform = "Other", .driver = "?"};
    static const struct {
        const struct red_device_info *device;
        const char *strategy, *op, *type;
        uint64_t n;
        size_t group_size;
        const char *reason;
    } rows[] = {
        {&good, "tree", "sum", "f32", 64, 256, "first"}, {&good, "tree", "sum", "i32", 64, 256, NULL},
        {&good, "tree", "max", "f32", 64, 256, NULL},    {&good, "tree", "sum", "f64", 129, 256, NULL},
        {&good, "tree", "sum", "f64", 129, 7, "second"}, {&good, "chunk", "dot", "i8", 0, 7, "second"},
        {&newer, "tree", "sum", "f32", 64, 256, NULL},   {&other, "serial", "sum", "u8", 1, 1, "third"},
    };
    struct red_known_failures known_failures;
    assert_int_equal(read_text(text, &known_failures, NULL), RED_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct red_known_failure_cell cell = {rows[i].device,
                                                    red_catalogue_find(catalogue, rows[i].strategy),
                                                    red_op_find(rows[i].op),
                                                    red_dtype_find(rows[i].type),
                                                    rows[i].n,
                                                    rows[i].group_size};
        const struct red_known_failure *found = red_known_failures_find(&known_failures, &cell);
        if ((found == NULL) != (rows[i].reason == NULL) ||
            (found != NULL && strcmp(found->reason, rows[i].reason) != 0))
            fail_msg("row %zu: %s", i, found ? found->reason : "none");
    }
    red_known_failures_clear(&known_failures);
}

/* A built-in that is wrong is listed once, whatever strategies use it: by operation, type and group size. */
static void a_line_may_be_about_a_built_in(void **state) {
    static const char text[] =
        "platform: *\n"
        "needs:exclusive_scans_float exclusive_max * * * unsupported 2026-11-26 first item\n"
        "needs:collectives*,scans* * * * 1..2 unsupported 2026-11-26 aborts\n";
    static const struct red_strategy inclusive = {.name = "a", .needs = RED_NEED(SCANS32)},
                                     exclusive = {.name = "b", .needs = RED_NEED(EXCLUSIVE_SCANS32)},
                                     reduce = {.name = "scans", .needs = RED_NEED(COLLECTIVES32)},
                                     other = {.name = "exclusive_scans_float",
                                              .needs = RED_NEED(LOCAL_MEMORY)};
    static const struct red_device_info device = {.platform = "Any", .driver = "1"};
    static const struct {
        const struct red_strategy *strategy;
        const char *op, *type;
        size_t group_size;
        const char *reason;
    } rows[] = {
        {&exclusive, "exclusive_max", "f32", 64, "first item"},
        {&exclusive, "exclusive_max", "f16", 1, "first item"},
        {&exclusive, "exclusive_max", "i32", 64, NULL},
        {&exclusive, "exclusive_max", "f64", 64, NULL},
        {&exclusive, "exclusive_sum", "f32", 64, NULL},
        {&inclusive, "exclusive_max", "f32", 64, NULL},
        {&inclusive, "exclusive_max", "f32", 2, "aborts"},
        {&exclusive, "exclusive_sum", "i32", 2, NULL},
        {&reduce, "sum", "u8", 1, "aborts"},
        {&reduce, "sum", "u8", 3, NULL},
        {&other, "exclusive_max", "f32", 1, NULL},
        {&reduce, "sum", "u8", 0, NULL},
    };
    struct red_known_failures known_failures;
    struct red_error error = {.text = ""};
    assert_ok(read_text(text, &known_failures, &error), &error);
    assert_string_equal(red_known_failure_needs(&known_failures.rows[1]), "collectives*,scans*");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct red_known_failure_cell cell = {
            &device, rows[i].strategy,  red_op_find(rows[i].op), red_dtype_find(rows[i].type),
            64,      rows[i].group_size};
        const struct red_known_failure *found = red_known_failures_find(&known_failures, &cell);
        if ((found == NULL) != (rows[i].reason == NULL) ||
            (found != NULL && strcmp(found->reason, rows[i].reason) != 0))
            fail_msg("row %zu: %s", i, found ? found->reason : "none");
    }
    red_known_failures_clear(&known_failures);
}

static void a_line_that_no_longer_holds_is_told(void **state) {
    static const struct {
        const char *state;
        bool some, fails, passes, broken; /* what its cells did */
    } rows[] = {{"wrong", false, true, false, false},      {"wrong", false, true, true, true},
                {"wrong", false, false, true, true},       {"wrong", false, false, false, false},
                {"some-wrong", true, true, true, false},   {"some-wrong", true, false, true, true},
                {"flaky-wrong", false, true, true, false}, {"flaky-wrong", false, false, true, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_known_failures known_failures;
        char text[128], told[640];
        snprintf(text, sizeof text, "platform: *\ntree * * * * %s 2026-11-22 a reason", rows[i].state);
        assert_int_equal(read_text(text, &known_failures, NULL), RED_OK);
        struct red_known_failure *row = &known_failures.rows[0];
        assert_int_equal(row->share == RED_EXPECT_SOME, rows[i].some);
        if (rows[i].fails)
            assert_int_equal(red_known_failure_count(row, RED_STATE_WRONG), RED_STATE_KNOWN_BUG);
        if (rows[i].passes)
            assert_int_equal(red_known_failure_count(row, RED_STATE_PASS), RED_STATE_PASS);
        /* Another trouble than the one expected is no known bug. */
        assert_int_equal(red_known_failure_count(row, RED_STATE_CRASHED), RED_STATE_CRASHED);
        assert_int_equal(red_known_failure_no_longer_holds(row, told, sizeof told), rows[i].broken);
        if (rows[i].broken)
            assert_has(told, "x.expect:2: tree is expected to be");
        red_known_failures_clear(&known_failures);
    }
}
