/* Numbers with a unit, and days of the calendar. */
#include "tests/unit/testing.h"

#include "core/clock.h"
#include "core/text.h"

static void seconds_have_a_unit_or_none(void **state) {
    static const struct {
        const char *text;
        double seconds; /* 0: refused */
    } rows[] = {
        {"10", 10},     {"10s", 10},      {"10 s", 10},    {"500ms", 0.5}, {"500 ms", 0.5}, {".5", 0.5},
        {"1e-3", 1e-3}, {"0.0001", 1e-4}, {"0.1ms", 1e-4}, {"60", 60},     {"", 0},         {"s", 0},
        {"10 m", 0},    {"10 s s", 0},    {"10s ", 0},     {"-1", 0},      {"+1", 0},       {" 1", 0},
        {"nan", 0},     {"inf", 0},       {"0", 0},        {"0.00009", 0}, {"60.1", 0},     {"1e400", 0},
        {".", 0},       {".s", 0},        {"1,5 s", 0},    {"1 S", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double seconds = -1;
        bool is_read = red_seconds_read(rows[i].text, 60, &seconds);
        if (is_read != (rows[i].seconds > 0) || (is_read && seconds != rows[i].seconds))
            fail_msg("'%s': %d, %g", rows[i].text, is_read, seconds);
    }
}

static void none_more_are_not_told(void **state) {
    assert_string_equal(red_and_more_text(0).text, "");
    assert_string_equal(red_and_more_text(1).text, " (and 1 more)");
    assert_string_equal(red_and_more_text(SIZE_MAX).text, " (and 18446744073709551615 more)");
}

static void percentages_have_their_sign(void **state) {
    static const struct {
        const char *text;
        double percent; /* -1: refused */
    } rows[] = {
        {"2 %", 2}, {"2%", 2}, {"2.5\t%", 2.5}, {"0 %", 0},   {"150 %", 150}, {"0.02", -1}, {"2", -1},
        {"%", -1},  {"", -1},  {"2 % %", -1},   {"-2 %", -1}, {"nan %", -1},  {"2 %x", -1}, {"2,5 %", -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double percent = -1;
        bool is_read = red_percent_read(rows[i].text, &percent);
        if (is_read != (rows[i].percent >= 0) || (is_read && percent != rows[i].percent))
            fail_msg("'%s': %d, %g", rows[i].text, is_read, percent);
    }
}

static void dates_are_days_of_the_calendar(void **state) {
    static const char *const none[] = {"2026-13-01",  "2026-00-01",          "2026-01-00", "2026-01-32",
                                       "2026-04-31",  "2026-02-29",          "1900-02-29", "2026-1-1",
                                       "2026-01-01 ", "2026/01/01",          "",           "yesterday",
                                       "1582-12-31",  "2026-01-01T00:00:00Z"};
    /* Each is the day after the one before. */
    static const char *const days[][2] = {{"2026-12-31", "2027-01-01"}, {"2026-02-28", "2026-03-01"},
                                          {"2028-02-28", "2028-02-29"}, {"2028-02-29", "2028-03-01"},
                                          {"2000-02-29", "2000-03-01"}, {"2100-02-28", "2100-03-01"},
                                          {"2026-06-30", "2026-07-01"}, {"2000-12-31", "2001-01-01"},
                                          {"2100-12-31", "2101-01-01"}, {"9999-12-30", "9999-12-31"}};
    long day, next;
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (red_date_read(none[i], NULL))
            fail_msg("'%s' is a date", none[i]);
    for (size_t i = 0; i < sizeof days / sizeof days[0]; i++)
        if (!red_date_read(days[i][0], &day) || !red_date_read(days[i][1], &next) || next != day + 1)
            fail_msg("%s and %s", days[i][0], days[i][1]);
    /* The day of POSIX's zero, counted from the first of year 1. */
    assert_true(red_date_read("1970-01-01", &day));
    assert_true(red_date_read("2026-11-22", &next));
    assert_int_equal(next - day, 20779);
}

static void letters_go_on_behind_z(void **state) {
    static const struct {
        size_t number;
        const char *letters;
    } wanted[] = {{0, "A"}, {25, "Z"}, {26, "AA"}, {51, "AZ"}, {52, "BA"}, {701, "ZZ"}, {702, "AAA"}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        assert_string_equal(red_letters_text(wanted[i].number).text, wanted[i].letters);
}
