#include "core/quantity.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What follows the number and blanks, or NULL where no number begins: strtod would take "nan", "inf" and
 * signs. */
static const char *number_read(const char *text, double *number) {
    char *end;
    if (!isdigit((unsigned char)text[0]) && text[0] != '.')
        return NULL;
    *number = strtod(text, &end);
    return end + strspn(end, " \t");
}

bool red_seconds_read(const char *text, double max_s, double *seconds) {
    const char *unit = number_read(text, seconds);
    if (unit == NULL)
        return false;
    if (strcmp(unit, "ms") == 0)
        *seconds *= 1e-3;
    else if (unit[0] != '\0' && strcmp(unit, "s") != 0)
        return false;
    return *seconds >= 1e-4 && *seconds <= max_s;
}

bool red_percent_read(const char *text, double *percent) {
    const char *unit = number_read(text, percent);
    return unit != NULL && strcmp(unit, "%") == 0;
}
