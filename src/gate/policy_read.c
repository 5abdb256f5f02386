#define _POSIX_C_SOURCE 200809L /* strdup, strndup */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <ini.h>

#include "core/clock.h"
#include "core/file.h"
#include "core/quantity.h"
#include "core/select.h"
#include "core/text.h"
#include "gate/policy_private.h"
#include "model/cell_glob.h"

enum { FILE_BYTES_MAX = 1 << 20, SECTIONS_MAX = 1000, DAYS_AHEAD_MAX = 366 };

/* inih takes lines apart. Alone it would lose much without a word: it cuts heads after 49 bytes and at the
 * first "]", drops what follows that, does not tell of sections without keys, takes what goes beyond 199
 * bytes of a line for a line of its own, and an indented line for more of the value above it. So it gets its
 * lines from here, one by one, without indentation and without heads, and every one that holds something must
 * come back as a key. */
struct reader {
    struct red_policy *policy;
    const char *text;
    size_t text_n, at;
    unsigned line;
    bool awaits_key; /* from the line that inih was given */
    enum red_status status;
    struct red_error *error;
};

__attribute__((format(printf, 3, 4))) static bool refuse(struct reader *reader, unsigned line,
                                                         const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    reader->status = red_fail(reader->error, RED_E_INPUT, "%s:%u: %s", reader->policy->path, line, text);
    return false;
}

static bool has_memory(struct reader *reader, const void *memory) {
    if (memory == NULL)
        reader->status =
            red_fail(reader->error, RED_E_MEMORY, "no memory for the policy %s", reader->policy->path);
    return memory != NULL;
}

/* ---- values -----------------------------------------------------------------------------------------------
 */

static bool margin_read(struct reader *reader, struct red_policy_section *section, const char *value) {
    double percent;
    (void)reader;
    if (!red_percent_read(value, &percent) || !(percent >= 0.1 && percent <= 100))
        return false;
    section->margin = percent / 100;
    return true;
}

static bool budget_read(struct reader *reader, struct red_policy_section *section, const char *value) {
    (void)reader;
    return red_seconds_read(value, 3600, &section->budget_s);
}

static bool require_read(struct reader *reader, struct red_policy_section *section, const char *value) {
    (void)reader;
    section->required = strcmp(value, "yes") == 0;
    return section->required || strcmp(value, "no") == 0;
}

static bool quarantine_read(struct reader *reader, struct red_policy_section *section, const char *value) {
    section->reason = red_utf8_repaired(value);
    return has_memory(reader, section->reason) && value[0] != '\0' && strcmp(section->reason, value) == 0;
}

static bool until_read(struct reader *reader, struct red_policy_section *section, const char *value) {
    long day;
    if (!red_date_read(value, &day))
        return false;
    long ahead = day - reader->policy->today;
    if (ahead > DAYS_AHEAD_MAX)
        return refuse(
            reader, reader->line,
            "until: '%s' is %ld days ahead; expected a day at most %d days ahead, so that no quarantine is "
            "for ever",
            value, ahead, DAYS_AHEAD_MAX);
    strcpy(section->until, value);
    section->ended = ahead < 0;
    return true;
}

static const struct {
    bool (*read)(struct reader *reader, struct red_policy_section *section, const char *value);
    const char *expected;
} keys[RED_POLICY_KEYS_N] = {
    [RED_POLICY_MARGIN] = {margin_read, "a percentage from 0.1 % to 100 % with its sign, such as 2 %"},
    [RED_POLICY_BUDGET] = {budget_read, "seconds from 0.0001 to 3600, such as 10 s or 500ms"},
    [RED_POLICY_REQUIRE] = {require_read, "yes or no"},
    [RED_POLICY_QUARANTINE] = {quarantine_read, "a reason, as text in UTF-8"},
    [RED_POLICY_UNTIL] = {until_read, "a date such as 2026-12-31"},
};

/* ---- sections ---------------------------------------------------------------------------------------------
 */

static struct red_policy_section *section_last(const struct reader *reader) {
    const struct red_policy *policy = reader->policy;
    return policy->sections_n > 0 ? &policy->sections[policy->sections_n - 1] : NULL;
}

/* What can be said of a section only when it is whole. */
static bool section_end(struct reader *reader) {
    const struct red_policy_section *section = section_last(reader);
    if (section == NULL)
        return true;
    unsigned quarantine = section->lines[RED_POLICY_QUARANTINE], until = section->lines[RED_POLICY_UNTIL];
    unsigned said = 0;
    for (size_t i = 0; i < RED_POLICY_KEYS_N; i++)
        said |= section->lines[i];
    if (said == 0)
        return refuse(reader, section->line, "[%.200s] says nothing; expected a key below it, or no section",
                      section->globs);
    if (quarantine > 0 && until == 0)
        return refuse(reader, quarantine,
                      "a quarantine needs an end; expected until = a date, in the same section");
    if (until > 0 && quarantine == 0)
        return refuse(reader, until,
                      "until is the end of a quarantine; expected quarantine = a reason, in the same "
                      "section");
    return true;
}

/* Adds the section of a head "[globs]", behind which only a comment may stand. */
static bool section_begin(struct reader *reader, const char *head, size_t head_n) {
    struct red_policy *policy = reader->policy;
    struct red_error found;
    for (size_t i = 1; i < head_n; i++)
        if (head[i] == ';' && isspace((unsigned char)head[i - 1]))
            head_n = i;
    while (isspace((unsigned char)head[head_n - 1]))
        head_n--;
    if (!section_end(reader))
        return false;
    if (head[head_n - 1] != ']')
        return refuse(reader, reader->line, "'%.*s' is no section; expected [GLOB] alone on its line",
                      (int)(head_n < 200 ? head_n : 200), head);
    if (policy->sections_n == SECTIONS_MAX)
        return refuse(reader, reader->line, "there are more than %d sections", SECTIONS_MAX);
    struct red_policy_section *section = &policy->sections[policy->sections_n];
    *section = (struct red_policy_section){.line = reader->line};
    if (!has_memory(reader, section->globs = strndup(head + 1, head_n - 2)))
        return false;
    policy->sections_n++;
    return red_cell_glob_check(section->globs, &found) == RED_OK ||
           refuse(reader, reader->line, "%s", found.text);
}

/* ---- lines ------------------------------------------------------------------------------------------------
 */

/* What inih calls for each key. Whether it goes on is for line_next to say. */
static int key_take(void *user, const char *head, const char *name, const char *value) {
    struct reader *reader = user;
    struct red_policy_section *section = section_last(reader);
    struct red_error found;
    size_t key = 0;
    (void)head; /* it has seen none */
    reader->awaits_key = false;
    while (key < RED_POLICY_KEYS_N && strcmp(name, red_policy_key_names[key]) != 0)
        key++;
    if (key == RED_POLICY_KEYS_N) {
        red_select_refuse("key", name, red_policy_key_names, RED_POLICY_KEYS_N, &found);
        return refuse(reader, reader->line, "%s", found.text);
    }
    if (section == NULL)
        return refuse(reader, reader->line,
                      "%s stands before any section; expected a line such as [*] before it", name);
    if (section->lines[key] > 0)
        return refuse(reader, reader->line, "%s is said in line %u, too; expected it once in a section", name,
                      section->lines[key]);
    section->lines[key] = reader->line;
    if (!keys[key].read(reader, section, value) && reader->status == RED_OK)
        return refuse(reader, reader->line, "%s: '%s' is not valid; expected %s", name, value,
                      keys[key].expected);
    return 1;
}

/* The next line, without blanks at its ends. False at the end of the text. */
static bool line_cut(struct reader *reader, const char **line, size_t *line_n) {
    if (reader->at >= reader->text_n)
        return false;
    const char *from = reader->text + reader->at, *end = memchr(from, '\n', reader->text_n - reader->at);
    const char *to = end != NULL ? end : reader->text + reader->text_n;
    reader->at = (size_t)(to - reader->text) + 1;
    reader->line++;
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (from < to && isspace((unsigned char)to[-1]))
        to--;
    *line = from;
    *line_n = (size_t)(to - from);
    return true;
}

/* What inih calls for each line: as fgets does. */
static char *line_next(char *line, int room, void *user) {
    struct reader *reader = user;
    const char *from;
    size_t n;
    if (reader->awaits_key)
        refuse(reader, reader->line, "expected key = value, [GLOB] or a comment, which begins with ';'");
    if (reader->status != RED_OK || !line_cut(reader, &from, &n))
        return NULL;
    strcpy(line, "\n");
    if (n == 0 || from[0] == ';' || from[0] == '#')
        return line;
    for (size_t i = 0; i < n; i++)
        if (iscntrl((unsigned char)from[i]) && from[i] != '\t')
            return refuse(reader, reader->line, "there is a control character; expected text"), NULL;
    if (from[0] == '[')
        return section_begin(reader, from, n) ? line : NULL;
    if (n + 2 > (size_t)room)
        return refuse(reader, reader->line, "the line is longer than %d bytes", room - 2), NULL;
    memcpy(line, from, n);
    strcpy(line + n, "\n");
    reader->awaits_key = true;
    return line;
}

/* ---- the whole --------------------------------------------------------------------------------------------
 */

enum red_status red_policy_read(const char *path, const char *text, size_t text_n, const char *today,
                                struct red_policy **policy, struct red_error *error) {
    struct red_policy *read = calloc(1, sizeof *read);
    struct reader reader = {.policy = read, .text = text, .text_n = text_n, .error = error};
    *policy = NULL;
    if (read != NULL) {
        read->path = strdup(path);
        read->sections = calloc(SECTIONS_MAX, sizeof *read->sections);
    }
    if (read == NULL || read->path == NULL || read->sections == NULL)
        reader.status = red_fail(error, RED_E_MEMORY, "no memory for the policy %s", path);
    else if (!red_date_read(today, &read->today))
        reader.status = red_fail(error, RED_E_INPUT, "'%s' is no date of today", today);
    else {
        reader.at = red_text_mark(text, text_n);
        /* What it returns is the line of an error, which has been refused by then. */
        if (ini_parse_stream(line_next, &reader, key_take, &reader) == -2)
            has_memory(&reader, NULL);
        if (reader.status == RED_OK)
            section_end(&reader);
    }
    if (reader.status == RED_OK)
        *policy = read;
    else
        red_policy_destroy(read);
    return reader.status;
}

enum red_status red_policy_load(const char *path, const char *today, struct red_policy **policy,
                                struct red_error *error) {
    char *text = NULL;
    size_t n = 0;
    *policy = NULL;
    enum red_status status = red_file_read(path, "policy", FILE_BYTES_MAX, &text, &n, error);
    if (status == RED_OK)
        status = red_policy_read(path, text, n, today, policy, error);
    free(text);
    return status;
}
