#include "tests/unit/testing.h"

#include "cl/cl_private.h"

static void a_short_log_is_kept(void **state) {
    char text[64];
    red_log_excerpt("a.cl:1: warning: w\na.cl:2: error: e\n\n \n", text, sizeof text);
    assert_string_equal(text, "a.cl:1: warning: w\na.cl:2: error: e");
    red_log_excerpt("", text, sizeof text);
    assert_string_equal(text, "");
    red_log_excerpt("1234567", text, 8);
    assert_string_equal(text, "1234567");
}

static void a_long_log_keeps_its_first_error(void **state) {
    char text[48];
    red_log_excerpt("a.cl:1: warning: one\na.cl:2: warning: two\na.cl:3: Error: three\n", text, sizeof text);
    assert_string_equal(text, "...\na.cl:3: Error: three");
    red_log_excerpt("a.cl:1: warning: one\na.cl:3: error: three is a long story that does not end here", text,
                    sizeof text);
    assert_string_equal(text, "...\na.cl:3: error: three is a long story tha...");
    red_log_excerpt("a.cl:1: error: one\na.cl:2: error: two\na.cl:3: error: three", text, sizeof text);
    assert_string_equal(text, "a.cl:1: error: one\na.cl:2: error: two\na.cl:3...");
    red_log_excerpt("nothing but warnings in here, and so it is cut at its very end", text, sizeof text);
    assert_string_equal(text, "nothing but warnings in here, and so it is c...");
}

static void a_terminal_is_left_alone(void **state) {
    char text[64];
    red_log_excerpt("a.cl:1: \033[31merror:\a e\n\tb\r", text, sizeof text);
    assert_string_equal(text, "a.cl:1:  [31merror:  e\n\tb");
}
