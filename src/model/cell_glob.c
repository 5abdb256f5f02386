#include "model/cell_glob.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/select.h"
#include "model/dtype.h"
#include "model/op.h"

enum { GLOB_BYTES = RED_SELECT_PATTERN_BYTES, FORM_BYTES = 96, FIELDS_N = 5, NAMES_MAX = 32 };

/* In a form of names: one character other than '/', any number of them; one digit, any number of them. */
#define ONE    "\1"
#define ANY    "\2"
#define DIGIT  "\3"
#define DIGITS "\4"
static const char size_form[] = "n:" DIGIT DIGITS;

/* What may stand before the size. */
static const char *const asked_forms[] = {"wg:" DIGIT DIGITS "/", "groups:" DIGIT DIGITS "/",
                                          "lanes:" DIGIT DIGITS "x" DIGIT DIGITS "/"};
enum { ASKED_N = 1 << sizeof asked_forms / sizeof asked_forms[0] };

static bool is_any_number(char form) {
    return form == ANY[0] || form == DIGITS[0];
}

/* Whether one character can be both. */
static bool meets_one(char glob, char form) {
    if (glob == '?')
        return true;
    if (form == ONE[0] || form == ANY[0])
        return glob != '/';
    if (form == DIGIT[0] || form == DIGITS[0])
        return isdigit((unsigned char)glob) != 0;
    return tolower((unsigned char)glob) == tolower((unsigned char)form);
}

/* Whether there is a name that has the form and matches the glob. A glob and a form are two patterns, and
 * what both match is looked for from their ends: row[j] says whether there is something for the glob from i
 * on and the form from j on, after[j] the same from i + 1 on. */
static bool meets(const char *glob, const char *form) {
    bool row[FORM_BYTES + 1] = {false}, after[FORM_BYTES + 1];
    size_t form_n = strlen(form);
    for (size_t i = strlen(glob) + 1; i-- > 0;) {
        memcpy(after, row, sizeof row);
        for (size_t j = form_n + 1; j-- > 0;) {
            bool wild = glob[i] == '*', any = is_any_number(form[j]), ends = form[j] == '\0';
            bool passes_form =
                (wild || any) && !ends && row[j + 1]; /* the glob's '*' holds it, or it is empty */
            bool passes_both =
                !wild && !ends && glob[i] != '\0' && meets_one(glob[i], form[j]) && after[any ? j : j + 1];
            row[j] = (glob[i] == '\0' && ends) || passes_form || passes_both || (wild && after[j]);
        }
    }
    return row[0];
}

static bool meets_name(const char *glob, const char *op, const char *type, unsigned asked) {
    char form[FORM_BYTES];
    snprintf(form, sizeof form, ONE ANY "/" ONE ANY "/%s/%s/%s%s%s%s", op, type,
             asked & 1 ? asked_forms[0] : "", asked & 2 ? asked_forms[1] : "",
             asked & 4 ? asked_forms[2] : "", size_form);
    return meets(glob, form);
}

static bool can_match(const char *glob) {
    for (unsigned asked = 0; asked < ASKED_N; asked++)
        for (size_t i = 0; meets_name(glob, ONE ANY, ONE ANY, asked) && i < red_ops_n; i++)
            for (size_t j = 0; j < red_dtypes_n; j++)
                if (meets_name(glob, red_ops[i].name, red_dtypes[j].name, asked))
                    return true;
    return false;
}

/* Of as many fields as a name has none can hold a '/': each is what it is in the name. */
static enum red_status fields_check(const char *glob, struct red_error *error) {
    const char *names[NAMES_MAX];
    char fields[FIELDS_N][GLOB_BYTES];
    for (size_t i = 0; i < FIELDS_N; i++) {
        size_t length = strcspn(glob, "/");
        snprintf(fields[i], sizeof fields[i], "%.*s", (int)length, glob);
        if ((glob[length] == '\0') != (i == FIELDS_N - 1))
            return RED_OK;
        glob += length + 1;
    }
    for (size_t i = 0; i < red_ops_n; i++)
        names[i] = red_ops[i].name;
    enum red_status status = red_select_check("operation", fields[2], names, red_ops_n, error);
    for (size_t i = 0; i < red_dtypes_n; i++)
        names[i] = red_dtypes[i].name;
    if (status == RED_OK)
        status = red_select_check("type", fields[3], names, red_dtypes_n, error);
    if (status == RED_OK && !meets(fields[4], size_form))
        return red_fail(error, RED_E_INPUT,
                        "'%s' is no size; expected n: and a number without sign or power, such as n:1048576, "
                        "or a glob of such",
                        fields[4]);
    return status;
}

/* What is left out most easily is the rest of the name. */
static enum red_status refuse(const char *glob, struct red_error *error) {
    static const struct { const char *before, *behind; } rests[] = {{"*/", "/*"}, {"", "/*"}, {"*/", ""}};
    static const char form[] = "DEVICE/STRATEGY/OPERATION/TYPE/n:N, such as pocl.0/tree/sum/f32/n:4096";
    for (size_t i = 0; i < sizeof rests / sizeof rests[0]; i++) {
        char meant[GLOB_BYTES + 4];
        snprintf(meant, sizeof meant, "%s%s%s", rests[i].before, glob, rests[i].behind);
        if (can_match(meant))
            return red_fail(error, RED_E_INPUT, "'%s' can match no cell; did you mean '%s'? Names are %s",
                            glob, meant, form);
    }
    return red_fail(error, RED_E_INPUT, "'%s' can match no cell; names are %s", glob, form);
}

static enum red_status one_check(const char *glob, struct red_error *error) {
    for (const char *at = glob; *at != '\0'; at++)
        if (!isgraph((unsigned char)*at) || strchr("[]\\", *at) != NULL)
            return red_fail(error, RED_E_INPUT,
                            "'%s' is no glob over names of cells, which have no blanks and are in ASCII; '*' "
                            "and '?' stand for what may differ, '[' and '\\' for nothing",
                            glob);
    if (can_match(glob))
        return RED_OK;
    enum red_status status = fields_check(glob, error);
    return status == RED_OK ? refuse(glob, error) : status;
}

enum red_status red_cell_glob_check(const char *globs, struct red_error *error) {
    for (;; globs++) {
        char glob[GLOB_BYTES];
        size_t length = strcspn(globs, ",");
        if (length >= sizeof glob)
            return red_fail(error, RED_E_INPUT,
                            "'%.40s...' is longer than %zu bytes; expected a shorter glob", globs,
                            sizeof glob - 1);
        snprintf(glob, sizeof glob, "%.*s", (int)length, globs);
        if (one_check(glob, error) != RED_OK)
            return RED_E_INPUT;
        globs += length;
        if (*globs == '\0')
            return RED_OK;
    }
}
