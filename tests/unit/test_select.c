#include "tests/unit/testing.h"

#include "core/select.h"

static void lists_and_globs_match(void **state) {
    assert_true(red_select_matches(NULL, "tree"));
    assert_true(red_select_matches("tree", "tree"));
    assert_true(red_select_matches("chunk,tree", "tree"));
    assert_true(red_select_matches("wg_*", "wg_reduce"));
    assert_true(red_select_matches("TREE", "tree"));
    assert_false(red_select_matches("tree", "tree_passes"));
    assert_false(red_select_matches("", "tree"));
    assert_false(red_select_matches(",", "tree"));
}

static void a_name_stands_in_a_list_itself(void **state) {
    assert_true(red_select_names("tree", "tree"));
    assert_true(red_select_names("chunk,tree", "tree"));
    assert_true(red_select_names("tree,chunk", "tree"));
    assert_false(red_select_names("tr*,tree_passes,a_tree", "tree"));
    assert_false(red_select_names(",", "tree"));
    assert_false(red_select_names("", "tree"));
    assert_false(red_select_names(NULL, "tree"));
}

static void an_unknown_name_gets_the_nearest(void **state) {
    static const char *const names[] = {"serial", "tree", "chunk"};
    struct red_error error;
    assert_int_equal(red_select_check("strategy", "t*,chunk", names, 3, &error), RED_OK);
    assert_int_equal(red_select_check("strategy", NULL, names, 3, &error), RED_OK);
    assert_told("treee", red_select_check("strategy", "chunk,treee", names, 3, &error), &error, "'treee'");
    assert_has(error.text, "did you mean 'tree'");
    assert_has(error.text, "serial, tree, chunk");
    assert_int_equal(red_select_check("strategy", "", names, 3, &error), RED_E_INPUT);
    assert_int_equal(red_select_check("strategy", "chunk,,tree", names, 3, &error), RED_E_INPUT);
}

static void a_long_pattern_is_cut_and_matches_nothing(void **state) {
    char pattern[400];
    memset(pattern, 'x', sizeof pattern - 1);
    pattern[sizeof pattern - 1] = '\0';
    static const char *const names[] = {"tree"};
    struct red_error error;
    assert_int_equal(red_select_check("strategy", pattern, names, 1, &error), RED_E_INPUT);
}
