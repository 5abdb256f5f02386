#include "core/date.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>

enum { GREGORIAN_YEAR_FIRST = 1583 };

static bool is_leap(int year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

bool red_date_read(const char *text, long *day) {
    static const char form[] = "dddd-dd-dd";
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    for (size_t i = 0; i < sizeof form; i++)
        if (form[i] == 'd' ? !isdigit((unsigned char)text[i]) : text[i] != form[i])
            return false;
    int year = atoi(text), month = atoi(text + 5), in_month = atoi(text + 8);
    if (year < GREGORIAN_YEAR_FIRST || month < 1 || month > 12 || in_month < 1 ||
        in_month > days[month - 1] + (month == 2 && is_leap(year)))
        return false;
    long before = year - 1, number = 365 * before + before / 4 - before / 100 + before / 400 + in_month;
    for (int i = 1; i < month; i++)
        number += days[i - 1] + (i == 2 && is_leap(year));
    if (day != NULL)
        *day = number;
    return true;
}
