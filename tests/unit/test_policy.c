/* The policy of a gate: its syntax, whom a section is about, who decides, and when a quarantine ends. */
#include "tests/unit/testing.h"

#include "gate/gate_private.h"
#include "tests/unit/texts.h"

#define TODAY "2026-11-22"
#define CELL  "pocl.0/tree/sum/f32/n:4096"

static enum red_status read_text(const char *text, const char *today, struct red_policy **policy,
                                 struct red_error *error) {
    return red_policy_read("clreduce.ini", text, strlen(text), today, policy, error);
}

static struct red_policy *policy_of(const char *text) {
    struct red_policy *policy;
    struct red_error error = {.text = ""};
    assert_told(text, read_text(text, TODAY, &policy, &error), &error, NULL);
    return policy;
}

static struct red_policy_rules rules_of(const char *text, const char *cell) {
    struct red_policy *policy = policy_of(text);
    struct red_policy_rules rules;
    red_policy_find(policy, cell, &rules);
    rules.quarantine = rules.quarantine != NULL ? "it is" : NULL;
    red_policy_destroy(policy);
    return rules;
}

static void nothing_said_is_the_default(void **state) {
    struct red_policy_rules rules;
    red_policy_find(NULL, CELL, &rules);
    for (int i = 0; i < 3; i++) {
        assert_float_equal(rules.margin, 0.02, 0);
        assert_float_equal(rules.budget_s, 10, 0);
        assert_false(rules.required);
        assert_null(rules.quarantine);
        assert_string_equal(rules.until, "");
        assert_int_equal(rules.line, 0);
        rules = i == 0 ? rules_of("; nothing\n\n", CELL) : rules_of("[intel*]\nmargin = 5 %", CELL);
    }
    red_policy_destroy(NULL);
}

static void every_key_is_taken(void **state) {
    struct red_policy *policy = policy_of("\xef\xbb\xbf[pocl.*]   ; a comment ]\r\n"
                                          "# another\r\n"
                                          "   margin=2.5%\r\n"
                                          "\tbudget : 500ms ; one more\r\n"
                                          "; budget = 7 s\r\n"
                                          "  require =yes\r\n"
                                          "quarantine = flaky;see #12, \xc3\xbc   \r\n"
                                          "until = 2026-12-31");
    struct red_policy_rules rules;
    red_policy_find(policy, CELL, &rules);
    assert_float_equal(rules.margin, 0.025, 0);
    assert_float_equal(rules.budget_s, 0.5, 0);
    assert_true(rules.required);
    assert_string_equal(rules.quarantine, "flaky;see #12, \xc3\xbc");
    assert_string_equal(rules.until, "2026-12-31");
    assert_int_equal(rules.line, 7);
    red_policy_destroy(policy);
}

static void the_last_match_decides_key_by_key(void **state) {
    static const char text[] = "[*]\nmargin = 3 %\nbudget = 20 s\nrequire = yes\n"
                               "[*/cmpxchg_item/*,*/tree/*]\nmargin = 5 %\n"
                               "[pocl.*]\nbudget = 1 s\n"
                               "[pocl.0/tree/*]\nquarantine = first\nuntil = 2026-12-01\n"
                               "[*/n:4096]\nrequire = no\nquarantine = second\nuntil = 2026-12-02\n"
                               "[*]\n; the first of two of a name\nbudget = 2 s\n";
    struct red_policy_rules rules = rules_of(text, CELL);
    assert_float_equal(rules.margin, 0.05, 0);
    assert_float_equal(rules.budget_s, 2, 0);
    assert_false(rules.required);
    assert_string_equal(rules.until, "2026-12-02");
    assert_int_equal(rules.line, 14);
    rules = rules_of(text, "POCL.0/Tree/sum/f32/n:1");
    assert_float_equal(rules.margin, 0.05, 0);
    assert_true(rules.required);
    assert_string_equal(rules.until, "2026-12-01");
    rules = rules_of(text, "intel/chunk/sum/f32/n:1");
    assert_float_equal(rules.margin, 0.03, 0);
    assert_null(rules.quarantine);
}

static void a_quarantine_holds_up_to_its_day(void **state) {
    static const char text[] = "[*]\nquarantine = first\nuntil = 2026-12-31\nmargin = 3 %\n"
                               "[*/tree/*]\nquarantine = second\nuntil = 2026-11-22\nmargin = 5 %\n";
    static const struct {
        const char *today;
        unsigned line; /* of what quarantines */
    } rows[] = {{"2026-11-21", 6}, {"2026-11-22", 6}, {"2026-11-23", 2},
                {"2026-12-31", 2}, {"2027-01-01", 0}, {"2027-12-31", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_policy *policy;
        struct red_policy_rules rules;
        assert_int_equal(read_text(text, rows[i].today, &policy, NULL), RED_OK);
        red_policy_find(policy, CELL, &rules);
        if (rules.line != rows[i].line || (rules.quarantine != NULL) != (rows[i].line > 0) ||
            (rules.until[0] != '\0') != (rows[i].line > 0))
            fail_msg("%s: line %u", rows[i].today, rules.line);
        assert_float_equal(rules.margin, 0.05, 0); /* the rest of the section goes on */
        red_policy_destroy(policy);
    }
}

static const struct {
    const char *text, *told; /* NULL: valid */
} malformed[] = {
    {"", NULL},
    {"[*]\nmargin = 0.1 %", NULL},
    {"[*]\nmargin = 100 %", NULL},
    {"[*;*]\nquarantine = a\ttab\nuntil = 2026-11-22", NULL},
    {"[*]\nquarantine = r\nuntil = 2027-11-23", NULL}, /* 366 days */
    {"[*]\nuntil = 2020-01-01\nquarantine = r", NULL},
    {"[*]\nmarign = 2 %",
     "clreduce.ini:2: unknown key 'marign'; did you mean 'margin'? Valid: margin, budget, require, "
     "quarantine, until"},
    {"[*]\nMargin = 2 %", "clreduce.ini:2: unknown key 'Margin'; did you mean 'margin'?"},
    {"[*]\nm* = 2 %", "clreduce.ini:2: unknown key 'm*'"},
    {"[*]\n = 2 %", "clreduce.ini:2: unknown key ''"},
    {"[*]\nmargin = 0.02", "clreduce.ini:2: margin: '0.02' is not valid; expected a percentage from 0.1 % to "
                           "100 % with its sign, such as 2 %"},
    {"[*]\nmargin = 2", "margin: '2' is not valid"},
    {"[*]\nmargin = 0.09 %", "margin: '0.09 %' is not valid"},
    {"[*]\nmargin = 100.1 %", "margin: '100.1 %' is not valid"},
    {"[*]\nmargin = 2 % # no comment", "margin: '2 % # no comment' is not valid"},
    {"[*]\nmargin =", "margin: '' is not valid"},
    {"[*]\n\nbudget = 2 min", "clreduce.ini:3: budget: '2 min' is not valid; expected seconds from "
                              "0.0001 to 3600, such as 10 s or 500ms"},
    {"[*]\nbudget = 3601", "budget: '3601' is not valid"},
    {"[*]\nbudget = 0", "budget: '0' is not valid"},
    {"[*]\nrequire = true", "clreduce.ini:2: require: 'true' is not valid; expected yes or no"},
    {"[*]\nrequire = Yes", "expected yes or no"},
    {"[*]\nquarantine = ; empty\nuntil = 2026-12-31",
     "clreduce.ini:2: quarantine: '' is not valid; expected a reason"},
    {"[*]\nquarantine = \xff\nuntil = 2026-12-31", "expected a reason, as text in UTF-8"},
    {"[*]\nquarantine = r\nuntil = 31.12.2026",
     "clreduce.ini:3: until: '31.12.2026' is not valid; expected a date such as 2026-12-31"},
    {"[*]\nquarantine = r\nuntil = 2027-11-24", "clreduce.ini:3: until: '2027-11-24' is 367 days ahead; "
                                                "expected a day at most 366 days ahead, so that no "
                                                "quarantine is for ever"},
    {"[*]\nquarantine = r\nuntil = 2027-02-29", "expected a date"},
    {"[*]\nquarantine = r\n[pocl*]\nmargin = 2 %",
     "clreduce.ini:2: a quarantine needs an end; expected until = a date, in the same section"},
    {"[*]\n\nquarantine = r\n", "clreduce.ini:3: a quarantine needs an end"},
    {"[*]\nmargin = 2 %\nuntil = 2026-12-31", "clreduce.ini:3: until is the end of a quarantine; "
                                              "expected quarantine = a reason, in the same section"},
    {"[*]\nmargin = 2 %\nbudget = 1 s\nmargin = 3 %",
     "clreduce.ini:4: margin is said in line 2, too; expected it once in a section"},
    {"margin = 2 %\n[*]",
     "clreduce.ini:1: margin stands before any section; expected a line such as [*] before "
     "it"},
    {"[*]\n[pocl*]\nmargin = 2 %",
     "clreduce.ini:1: [*] says nothing; expected a key below it, or no section"},
    {"[*]\nmargin = 2 %\n[pocl*] ; empty\n", "clreduce.ini:3: [pocl*] says nothing"},
    {"[*/tree]\nmargin = 2 %", "clreduce.ini:1: '*/tree' can match no cell; did you mean '*/tree/*'?"},
    {"[]\nmargin = 2 %", "clreduce.ini:1: '' can match no cell"},
    {"[*/tree/add/f32/*]", "clreduce.ini:1: unknown operation 'add'"},
    {"[*] margin = 2 %",
     "clreduce.ini:1: '[*] margin = 2 %' is no section; expected [GLOB] alone on its line"},
    {"[*\nmargin = 2 %", "clreduce.ini:1: '[*' is no section"},
    {"[ ;\nmargin = 2 %", "clreduce.ini:1: '[' is no section"},
    {"[*] # no comment", "is no section"},
    {"[pocl.[01]/*]\nmargin = 2 %", "clreduce.ini:1: 'pocl.[01]/*' is no glob"},
    {"[*]\nmargin\nbudget = x",
     "clreduce.ini:2: expected key = value, [GLOB] or a comment, which begins with ';'"},
    {"[*]\nmargin = 2 %\nbudget", "clreduce.ini:3: expected key = value"},
    {"\n[*]\nquarantine = \033[31m", "clreduce.ini:3: there is a control character; expected text"},
    {"[*]\nmargin = 2 %\rbudget = 1 s", "clreduce.ini:2: there is a control character"},
    {"\xff\xfe[*]", "clreduce.ini:1: expected key = value"},
    {"\xef\xbb\xbf\xef\xbb\xbf[*]\nmargin = 2 %", "clreduce.ini:1: expected key = value"},
};

static void what_is_malformed_is_named(void **state) {
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        struct red_policy *policy;
        struct red_error error = {.text = ""};
        assert_told(malformed[i].text, read_text(malformed[i].text, TODAY, &policy, &error), &error,
                    malformed[i].told);
        assert_int_equal(policy == NULL, malformed[i].told != NULL);
        red_policy_destroy(policy);
    }
}

static void today_is_a_date(void **state) {
    struct red_policy *policy;
    struct red_error error;
    assert_int_equal(read_text("", "2026-11-22T00:00:00Z", &policy, &error), RED_E_INPUT);
    assert_string_equal(error.text, "'2026-11-22T00:00:00Z' is no date of today");
    assert_null(policy);
}

/* inih would go on with the rest as with a line of its own, and so take the budget. */
static void a_long_line_is_refused_whole(void **state) {
    char text[1200];
    struct red_policy *policy;
    struct red_error error = {.text = ""};
    snprintf(text, sizeof text, "[*]\nquarantine = %0186d budget = 1 s\nuntil = 2026-12-31", 0);
    assert_int_equal(read_text(text, TODAY, &policy, &error), RED_E_INPUT);
    assert_string_equal(error.text, "clreduce.ini:2: the line is longer than 198 bytes");
    /* The longest is whole; comments and heads are not measured. */
    snprintf(text, sizeof text, "; %0400d\n[%0110d*,%0110d*,*]\nquarantine = %0185d\nuntil = 2026-12-31", 0,
             0, 0, 0);
    policy = policy_of(text);
    struct red_policy_rules rules;
    red_policy_find(policy, CELL, &rules);
    assert_int_equal(strlen(rules.quarantine), 185);
    red_policy_destroy(policy);
}

/* inih would cut it after 49 bytes. */
static void a_whole_name_fits_into_a_head(void **state) {
    static const char name[] = "a_device_with_a_name.12/superaccumulator_polled/argmax/f32/n:16777216";
    char text[128];
    snprintf(text, sizeof text, "[%s]\nmargin = 7 %%", name);
    assert_float_equal(rules_of(text, name).margin, 0.07, 1e-15);
    assert_float_equal(rules_of(text, CELL).margin, 0.02, 0);
}

static void bytes_of_zero_and_many_sections_are_refused(void **state) {
    enum { SECTION_BYTES = sizeof "[*]\nmargin=2%\n" - 1 };
    static const char zero[] = "[*]\nmargin = 2 %\0\n";
    static char many[1001 * SECTION_BYTES + 1];
    struct red_policy *policy;
    struct red_error error = {.text = ""};
    assert_int_equal(red_policy_read("p", zero, sizeof zero - 1, TODAY, &policy, &error), RED_E_INPUT);
    assert_string_equal(error.text, "p:2: there is a control character; expected text");
    for (size_t i = 0; i < 1001; i++)
        memcpy(many + i * SECTION_BYTES, "[*]\nmargin=2%\n", SECTION_BYTES);
    assert_int_equal(red_policy_read("p", many, 1000 * SECTION_BYTES, TODAY, &policy, &error), RED_OK);
    red_policy_destroy(policy);
    assert_int_equal(red_policy_read("p", many, 1001 * SECTION_BYTES, TODAY, &policy, &error), RED_E_INPUT);
    assert_string_equal(error.text, "p:2001: there are more than 1000 sections");
}

/* What it prints for these cells; in static memory. */
static const char *printed(const struct red_policy *policy, const char *const *cells, size_t cells_n) {
    static char text[2048];
    FILE *out = tmpfile();
    assert_non_null(out);
    assert_int_equal(red_policy_print(policy, cells, cells_n, out, NULL), RED_OK);
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    fclose(out);
    return text;
}

static const char *const cells[] = {CELL, "pocl.0/chunk/sum/f32/n:4096", "intel/tree/sum/f32/n:4096"};

static void what_differs_and_what_is_for_nothing_is_printed(void **state) {
    struct red_policy *policy = policy_of("[*]\n"
                                          "margin = 3 %\n"
                                          "require = no\n"
                                          "[*/tree/*]\n"
                                          "margin = 5 %\n"
                                          "budget = 500ms\n"
                                          "\n\n"
                                          "[pocl.?/tree/*]\n"
                                          "require = yes\n"
                                          "quarantine = flaky, see #12\n"
                                          "until = 2026-12-31\n"
                                          "[*/chunk/*]\n"
                                          "quarantine = was flaky\n"
                                          "until = 2026-11-21\n"
                                          "margin = 2 %\n"
                                          "[nvidia*]\n"
                                          "margin = 9 %\n");
    assert_string_equal(
        printed(policy, cells, 3),
        "clreduce.ini:5:  margin = 5 %                 2 of 3 cells  [*/tree/*]\n"
        "clreduce.ini:6:  budget = 0.5 s               2 of 3 cells  [*/tree/*]\n"
        "clreduce.ini:10: require = yes                1 of 3 cells  [pocl.?/tree/*]\n"
        "clreduce.ini:11: quarantine until 2026-12-31  1 of 3 cells  [pocl.?/tree/*]: flaky, see #12\n"
        "clreduce.ini:2: margin has no effect: sections below [*] decide it for all of its cells\n"
        "clreduce.ini:14: the quarantine of '*/chunk/*' ended on 2026-11-21: its cells count again\n"
        "clreduce.ini:17: [nvidia*] matches none of the 3 cells\n");
    /* In force for others only. */
    assert_string_equal(
        printed(policy, cells + 1, 1),
        "clreduce.ini:2: margin has no effect: sections below [*] decide it for all of its cells\n"
        "clreduce.ini:4: [*/tree/*] matches none of the 1 cells\n"
        "clreduce.ini:9: [pocl.?/tree/*] matches none of the 1 cells\n"
        "clreduce.ini:14: the quarantine of '*/chunk/*' ended on 2026-11-21: its cells count again\n"
        "clreduce.ini:17: [nvidia*] matches none of the 1 cells\n");
    red_policy_destroy(policy);
}

static void a_quarantine_below_another_leaves_it_without_effect(void **state) {
    struct red_policy *policy = policy_of("[*/tree/*]\nquarantine = a\nuntil = 2026-12-01\n"
                                          "[*]\nquarantine = b\nuntil = 2026-12-31\n");
    assert_string_equal(printed(policy, cells, 3),
                        "clreduce.ini:5: quarantine until 2026-12-31  3 of 3 cells  [*]: b\n"
                        "clreduce.ini:2: quarantine has no effect: sections below [*/tree/*] decide it for "
                        "all of its cells\n");
    red_policy_destroy(policy);
}

static void defaults_are_not_printed(void **state) {
    struct red_policy *policy = policy_of("[*]\nmargin = 2.0%\nbudget = 10000ms\nrequire = no");
    assert_string_equal(printed(policy, cells, 3), "");
    assert_string_equal(printed(NULL, cells, 3), "");
    red_policy_destroy(policy);
}

static void a_file_is_read_and_one_that_is_not_there_named(void **state) {
    static const char path[] = "a_policy.ini";
    struct red_policy *policy;
    struct red_policy_rules rules;
    struct red_error error;
    put_file(path, "[*]\nmargin = 4 %");
    assert_ok(red_policy_load(path, TODAY, &policy, &error), &error);
    remove(path);
    red_policy_find(policy, CELL, &rules);
    assert_float_equal(rules.margin, 0.04, 0);
    red_policy_destroy(policy);
    assert_told(path, red_policy_load(path, TODAY, &policy, &error), &error, path);
    assert_null(policy);
}
