/* Globs over names of cells: which can match one at all. */
#include "tests/unit/testing.h"

#include "core/select.h"
#include "model/catalogue.h"

static void what_can_match_is_taken(void **state) {
    /* Each with a name that it does match. */
    static const char *const rows[][2] = {
        {"*", "pocl.0/tree/sum/f32/n:4096"},
        {"pocl.0/tree/sum/f32/n:4096", "pocl.0/tree/sum/f32/n:4096"},
        {"POCL.?/T*/Sum/F32/N:4*", "pocl.1/tree/sum/f32/n:4096"},
        {"*/cmpxchg_item/*", "intel/cmpxchg_item/max/u8/n:1"},
        {"pocl.*/tree/*/n:1048576", "pocl.1/tree/dot/f64/n:1048576"},
        {"*6", "a/b/sum/f32/n:16"},
        {"*n:*", "a/b/sum/f32/n:16"},
        {"*/*/*/*/*", "a/b/sum/f32/n:16"},
        {"?/?/s?m/f?2/n:?", "a/b/sum/f32/n:1"},
        {"a?b?sum?f32?n:1", "a/b/sum/f32/n:1"},
        {"*arg*f*", "a/b/argmax/f64/n:16"},
        {"a/b/*m/*/*:16", "a/b/sum/f32/n:16"},
        {"pocl*,*/tree/*", "intel/tree/sum/f32/n:1"},
        {"*/f32/wg:*/n:1", "a/b/sum/f32/wg:64/n:1"},
        {"*/groups:8/*", "a/b/sum/f32/wg:64/groups:8/n:1"},
        {"*/tree/*/lanes:4x*/n:*", "a/tree/sum/f32/wg:64/groups:8/lanes:4x2/n:1"},
        {"*/*/*/*/*/*/*/*", "a/tree/sum/f32/wg:64/groups:8/lanes:4x2/n:1"},
        {"a/b/sum/f32/groups:8/wg:64/n:1", NULL}, /* names have one order */
        {"a/b/sum/f32/lanes:4/n:1", NULL},
        {"**//*", NULL}, /* no name has an empty field */
        {"x", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_error error = {.text = ""};
        bool taken = red_cell_globs_check(rows[i][0], &error) == RED_OK;
        if (taken != (rows[i][1] != NULL) || (taken && !red_select_matches(rows[i][0], rows[i][1])))
            fail_msg("'%s': %s", rows[i][0], error.text);
    }
}

static void what_cannot_match_is_refused_with_the_way_out(void **state) {
    static const struct {
        const char *globs, *told;
    } rows[] = {
        {"tree",
         "'tree' can match no cell; did you mean '*/tree/*'? Names are DEVICE/STRATEGY/OPERATION/TYPE/n:N, "
         "such as pocl.0/tree/sum/f32/n:4096"},
        {"pocl.0/tree", "did you mean 'pocl.0/tree/*'?"},
        {"tree/sum/f32/n:4096", "did you mean '*/tree/sum/f32/n:4096'?"},
        {"*/tree", "did you mean '*/tree/*'?"},
        {"*/tree/*/4096/*/8", "'*/tree/*/4096/*/8' can match no cell; names are DEVICE/"},
        {"a/b/c/d/e/f", "can match no cell; names are"},
        {"/tree/sum/f32/n:1", "can match no cell; names are"},
        {"*/*/*/*/*/*/*/*/*", "can match no cell; names are"},
        {"?????????", "can match no cell; did you mean"},
        {"", "'' can match no cell"},
        {"a*,,b*", "'' can match no cell"},
        {"a*,", "'' can match no cell"},
        {"a*,*/tree", "'*/tree' can match no cell"},
        {"*/tree/summ/f32/n:1", "unknown operation 'summ'; did you mean 'sum'?"},
        {"*/tree/sum/float/n:1", "unknown type 'float'; valid:"},
        {"*/tree/sum/f32/4096",
         "'4096' is no size; expected n: and a number without sign or power, such as n:1048576"},
        {"*/tree/sum/f32/n:2^20", "'n:2^20' is no size"},
        {"*/tree/sum/f32/n:", "'n:' is no size"},
        {"*/tree/sum/f32/", "'' is no size"},
        {"* / tree / *", "is no glob over names of cells, which have no blanks"},
        {"[ab]*", "is no glob"},
        {"*]*", "is no glob"},
        {"\\**", "is no glob"},
        {"*\xc3\xa9*", "is no glob"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_error error = {.text = ""};
        assert_told(rows[i].globs, red_cell_globs_check(rows[i].globs, &error), &error, rows[i].told);
    }
}

/* red_select_matches would cut it, and match what is left. */
static void what_would_be_cut_is_refused(void **state) {
    char glob[RED_SELECT_PATTERN_BYTES + 1];
    struct red_error error = {.text = ""};
    memset(glob, '*', sizeof glob);
    glob[RED_SELECT_PATTERN_BYTES - 1] = '\0';
    assert_int_equal(red_cell_globs_check(glob, &error), RED_OK);
    glob[RED_SELECT_PATTERN_BYTES - 1] = '*';
    glob[RED_SELECT_PATTERN_BYTES] = '\0';
    assert_told(glob, red_cell_globs_check(glob, &error), &error, "longer than 127 bytes");
}

/* Whether the two ways to decide agree: what matches some name can match one. */
static void no_glob_of_a_name_is_refused(void **state) {
    static const char name[] = "pocl.0/tree/argmin/u64/wg:64/lanes:4x2/n:1048576";
    struct red_error error = {.text = ""};
    for (size_t from = 0; from < sizeof name - 1; from++) {
        for (size_t n = 0; from + n < sizeof name; n++) {
            char glob[64];
            snprintf(glob, sizeof glob, "%.*s*%s", (int)from, name, name + from + n);
            assert_true(red_select_matches(glob, name));
            assert_told(glob, red_cell_globs_check(glob, &error), &error, NULL);
        }
    }
}
