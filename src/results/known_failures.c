#define _GNU_SOURCE /* FNM_CASEFOLD, scandir */
/* Reads known-failures files (--expect of verify and bench), and finds the line that lists a cell. A listed
 * cell that fails as expected is `known-bug`, and changes no exit status; a line that no longer holds is
 * printed, "unexpected pass: pocl.expect:7: ...". */
#include "results/known_failures.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/clock.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/select.h"
#include "core/text.h"
#include "model/types.h"

enum { FILE_BYTES_MAX = 1 << 20, LINE_BYTES_MAX = 1024, ROWS_MAX = 10000, VERSION_PARTS = 6 };

/* ---- versions ------------------------------------------------------------------------------------------ */

/* The numbers of "580.159.04+x"; how many. */
static size_t parse_version(const char *text, size_t length, unsigned long parts[VERSION_PARTS]) {
    size_t n = 0, at = 0;
    while (at < length && !isdigit((unsigned char)text[at]))
        at++;
    while (at < length && n < VERSION_PARTS && isdigit((unsigned char)text[at])) {
        unsigned long value = 0;
        for (; at < length && isdigit((unsigned char)text[at]); at++)
            value = value > 100000000 ? value : 10 * value + (unsigned long)(text[at] - '0');
        parts[n++] = value;
        if (at >= length || text[at] != '.')
            break;
        at++;
    }
    return n;
}

/* Below, at, above 0 where the version lies below the limit, at it as far as the limit goes, or above. */
static int compare_version(const unsigned long *version, size_t version_n, const unsigned long *limit,
                           size_t limit_n) {
    for (size_t i = 0; i < limit_n; i++) {
        unsigned long part = i < version_n ? version[i] : 0;
        if (part != limit[i])
            return part < limit[i] ? -1 : 1;
    }
    return 0;
}

/* Asked for the line "driver: RANGE" of a file and the driver of each device. */
bool red_version_range_has(const char *range, const char *version) {
    unsigned long found[VERSION_PARTS], low[VERSION_PARTS], high[VERSION_PARTS];
    if (strcmp(range, "*") == 0)
        return true;
    size_t found_n = parse_version(version, strlen(version), found);
    const char *dots = strstr(range, "..");
    size_t first_length = dots ? (size_t)(dots - range) : strlen(range);
    size_t low_n = parse_version(range, first_length, low);
    const char *last = dots ? dots + 2 : range;
    size_t high_n = parse_version(last, strlen(last), high);
    return found_n > 0 && compare_version(found, found_n, low, low_n) >= 0 &&
           compare_version(found, found_n, high, high_n) <= 0;
}

/* "3", "3.1.2", "3.1+debian": whole numbers with points between, and what may follow them; not empty. */
static bool is_version(const char *text, size_t length) {
    size_t at = 0;
    while (at < length && isdigit((unsigned char)text[at])) {
        while (at < length && isdigit((unsigned char)text[at]))
            at++;
        if (at == length || strchr("+-_ ", text[at]) != NULL)
            return true;
        if (text[at++] != '.')
            return false;
    }
    return false;
}

/* "*", "3.1", "3.0..3.1", "..3.1", "3.1..", the lower end first. */
static bool is_version_range(const char *range) {
    unsigned long low[VERSION_PARTS], high[VERSION_PARTS];
    const char *dots = strstr(range, ".."), *last = dots ? dots + 2 : range;
    size_t first_length = dots ? (size_t)(dots - range) : strlen(range), last_length = strlen(last);
    if (strcmp(range, "*") == 0)
        return true;
    if ((first_length > 0 && !is_version(range, first_length)) ||
        (last_length > 0 && !is_version(last, last_length)) || first_length + last_length == 0)
        return false;
    size_t low_n = parse_version(range, first_length, low), high_n = parse_version(last, last_length, high);
    return low_n == 0 || high_n == 0 || compare_version(low, low_n, high, high_n) <= 0;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* The driver that the lines are about, and where the reader stands. */
struct register_reader {
    struct red_known_failures *known_failures;
    struct red_known_failure head; /* file, line, platform, device, driver */
    struct red_error *error;
};

/* RED_E_INPUT: 'FILE:LINE: ... is not valid; expected ...'; verify or bench ends with it. `refused` is the
 * part of the line; "": the line ends too early. */
static enum red_status refuse_line(const struct register_reader *reader, const char *refused,
                                   const char *expected) {
    if (refused[0] == '\0')
        return red_fail(reader->error, RED_E_INPUT, "%s:%u: the line ends too early; expected %s",
                        reader->head.file, reader->head.line, expected);
    return red_fail(reader->error, RED_E_INPUT, "%s:%u: '%.80s' is not valid; expected %s", reader->head.file,
                    reader->head.line, refused, expected);
}

/* Whether the word begins with the prefix, which is taken away then. */
static bool skip_prefix(const char **word, const char *prefix) {
    bool is_there = strncmp(*word, prefix, strlen(prefix)) == 0;
    *word += is_there ? strlen(prefix) : 0;
    return is_there;
}

/* Reads the sixth word of a line into state, share and skip. False: it is none. */
static bool parse_expectation(const char *word, struct red_known_failure *row) {
    static const enum red_state states[] = {RED_STATE_WRONG,  RED_STATE_BUILD_FAILED, RED_STATE_UNSUPPORTED,
                                            RED_STATE_FAILED, RED_STATE_CRASHED,      RED_STATE_TIMED_OUT};
    row->skip = strcmp(word, "skip") == 0;
    row->state = RED_STATE_TIMED_OUT;
    row->share = skip_prefix(&word, "some-")    ? RED_EXPECT_SOME
                 : skip_prefix(&word, "flaky-") ? RED_EXPECT_FLAKY
                                                : RED_EXPECT_ALL;
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        if (strcmp(word, red_state_name(states[i])) == 0) {
            row->state = states[i];
            return true;
        }
    }
    return row->skip;
}

/* The next word, ended; what follows it in *rest. */
static char *split_next_word(char **rest) {
    char *word = *rest + strspn(*rest, " \t");
    size_t length = strcspn(word, " \t");
    *rest = word + length;
    if (**rest != '\0')
        *(*rest)++ = '\0';
    return word;
}

/* Appends a line to the register. */
static enum red_status add_row(struct register_reader *reader, const struct red_known_failure *row) {
    struct red_known_failures *known_failures = reader->known_failures;
    if (known_failures->n == ROWS_MAX)
        return red_fail(reader->error, RED_E_INPUT, "%s:%u: more than %d lines", row->file, row->line,
                        ROWS_MAX);
    if (!RED_GROW(known_failures->rows, known_failures->n, 1))
        return red_fail(reader->error, RED_E_MEMORY, "no memory for the register of known bugs");
    known_failures->rows[known_failures->n++] = *row;
    return RED_OK;
}

/* Refuses a line whose operations, types or needs do not exist. Of strategies only the run knows: a user's
 * kernel may be one. */
static enum red_status check_names(const struct register_reader *reader,
                                   const struct red_known_failure *row) {
    const char *ops[32], *types[32];
    struct red_error found;
    for (size_t i = 0; i < red_ops_n; i++)
        ops[i] = red_ops[i].name;
    for (size_t i = 0; i < red_dtypes_n; i++)
        types[i] = red_dtypes[i].name;
    enum red_status status = red_select_check("operation", row->op, ops, red_ops_n, &found);
    if (status == RED_OK)
        status = red_select_check("type", row->type, types, red_dtypes_n, &found);
    if (status == RED_OK && red_known_failure_needs(row) != NULL)
        status = red_select_check("need", red_known_failure_needs(row), red_need_names, RED_NEEDS_N, &found);
    return status == RED_OK ? RED_OK
                            : red_fail(reader->error, status, "%s:%u: %s", row->file, row->line, found.text);
}

/* "STRATEGY OP TYPE N GROUP-SIZE STATE SINCE REASON...", about the driver of the lines above it. */
static enum red_status parse_row(struct register_reader *reader, char *line) {
    struct red_known_failure row = reader->head;
    struct {
        char *text;
        size_t bytes;
    } names[] = {{row.strategy, sizeof row.strategy}, {row.op, sizeof row.op}, {row.type, sizeof row.type}};
    char *rest = line, *word = NULL;
    for (size_t i = 0; i < 3; i++) {
        word = split_next_word(&rest);
        if (i == 0 && strchr(word, ':') != NULL && strncmp(word, "needs:", 6) != 0)
            return refuse_line(reader, word, "platform:, device:, driver:, needs:NEED or a strategy");
        if (word[0] == '\0')
            return refuse_line(reader, word, "STRATEGY OP TYPE N GROUP-SIZE STATE SINCE REASON");
        if (strlen(word) >= names[i].bytes)
            return refuse_line(
                reader, word,
                "a shorter list (255 bytes of strategies, 127 of operations, 63 of types), or two lines");
        strcpy(names[i].text, word);
    }
    if (check_names(reader, &row) != RED_OK)
        return RED_E_INPUT;
    if (!red_size_range_read(word = split_next_word(&rest), &row.n) ||
        !red_size_range_read(word = split_next_word(&rest), &row.group_size))
        return refuse_line(reader, word, "N and GROUP-SIZE, as *, 64, 64.., ..63 or 64..2^20");
    if (!parse_expectation(word = split_next_word(&rest), &row))
        return refuse_line(
            reader, word,
            "wrong, build-failed, unsupported, failed, crashed, timed-out, one of them after some- or "
            "flaky-, or skip");
    if (!red_date_read(word = split_next_word(&rest), NULL))
        return refuse_line(reader, word, "a date such as 2026-11-22");
    strcpy(row.since, word);
    rest += strspn(rest, " \t");
    snprintf(row.reason, sizeof row.reason, "%.*s", (int)sizeof row.reason - 1, rest);
    if (rest[0] == '\0')
        return refuse_line(reader, "", "a reason at the end");
    return reader->head.platform[0] ? add_row(reader, &row)
                                    : refuse_line(reader, row.strategy, "a line 'platform: GLOB' before it");
}

/* "platform: PoCL*": true if the line is of this kind, which it must be as a whole. */
static bool parse_head_line(struct register_reader *reader, char *line, enum red_status *status) {
    const struct {
        const char *key;
        char *text;
        size_t bytes;
    } keys[] = {{"platform:", reader->head.platform, sizeof reader->head.platform},
                {"device:", reader->head.device, sizeof reader->head.device},
                {"driver:", reader->head.driver, sizeof reader->head.driver}};
    for (size_t i = 0; i < 3; i++) {
        size_t length = strlen(keys[i].key);
        if (strncmp(line, keys[i].key, length) != 0)
            continue;
        const char *value = line + length + strspn(line + length, " \t");
        if (i == 0) {
            strcpy(reader->head.device, "*");
            strcpy(reader->head.driver, "*");
        }
        if (value[0] == '\0' || strlen(value) >= keys[i].bytes || (i == 2 && !is_version_range(value)))
            *status = refuse_line(reader, value,
                                  i < 2 ? "a glob behind 'platform:' or 'device:'"
                                        : "a range of versions such as 3.0..3.1, ..3.1, 3.1.. or *");
        else
            strcpy(keys[i].text, value);
        return true;
    }
    return false;
}

/* A line of a register: nothing, a comment, of a head, or a row. It is changed. */
static enum red_status parse_line(struct register_reader *reader, char *line) {
    enum red_status status = RED_OK;
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        line[--length] = '\0';
    for (size_t i = 0; i < length; i++)
        if (iscntrl((unsigned char)line[i]) && line[i] != '\t')
            return refuse_line(reader, "a control character", "text");
    line += strspn(line, " \t");
    if (line[0] == '\0' || line[0] == '#' || parse_head_line(reader, line, &status))
        return status;
    return parse_row(reader, line);
}

/* Called for each file of --expect. */
enum red_status red_known_failures_read(const char *name, const char *text, size_t text_n,
                                        struct red_known_failures *known_failures, struct red_error *error) {
    struct register_reader reader = {
        .known_failures = known_failures, .head = {.device = "*", .driver = "*"}, .error = error};
    enum red_status status = RED_OK;
    size_t length = strlen(name), room = sizeof reader.head.file - 1;
    snprintf(reader.head.file, sizeof reader.head.file, "%s", length > room ? name + length - room : name);
    for (size_t at = red_text_bom_bytes(text, text_n); at < text_n && status == RED_OK;) {
        char line[LINE_BYTES_MAX];
        const char *end = memchr(text + at, '\n', text_n - at);
        size_t line_n = end ? (size_t)(end - text) - at : text_n - at;
        reader.head.line++;
        if (line_n >= sizeof line || memchr(text + at, '\0', line_n) != NULL)
            return refuse_line(&reader, "the line", "at most 1000 bytes of text");
        memcpy(line, text + at, line_n);
        line[line_n] = '\0';
        status = parse_line(&reader, line);
        at += line_n + 1;
    }
    return status;
}

void red_known_failures_clear(struct red_known_failures *known_failures) {
    free(known_failures->rows);
    *known_failures = (struct red_known_failures){.n = 0};
}

/* ---- files --------------------------------------------------------------------------------------------- */

/* Appends the lines of one file. */
static enum red_status read_file(const char *path, struct red_known_failures *known_failures,
                                 struct red_error *error) {
    char *text = NULL;
    size_t n = 0;
    enum red_status status = red_file_read(path, "register of known bugs", FILE_BYTES_MAX, &text, &n, error);
    if (status == RED_OK)
        status = red_known_failures_read(path, text, n, known_failures, error);
    free(text);
    return status;
}

/* A filter for scandir, here and in cli/files.c (an output must not overwrite an input). */
int red_known_failures_is_file(const struct dirent *entry) {
    return fnmatch("*.expect", entry->d_name, 0) == 0;
}

enum red_status red_known_failures_load(const char *path, struct red_known_failures *known_failures,
                                        struct red_error *error) {
    struct stat about;
    struct dirent **entries = NULL;
    enum red_status status = RED_OK;
    if (stat(path, &about) != 0)
        return red_fail(error, RED_E_INPUT, "cannot read %s: %s", path, strerror(errno));
    if (!S_ISDIR(about.st_mode))
        return read_file(path, known_failures, error);
    int n = scandir(path, &entries, red_known_failures_is_file, alphasort);
    if (n <= 0)
        status = red_fail(error, RED_E_INPUT, "there is no file *.expect in %s", path);
    for (int i = 0; i < n; i++) {
        char file[RED_PATH_BYTES];
        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        if (status == RED_OK)
            status = read_file(file, known_failures, error);
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* ---- using --------------------------------------------------------------------------------------------- */

/* run/session.c asks, too, before it warns of a line about a strategy that does not exist. */
const char *red_known_failure_needs(const struct red_known_failure *row) {
    const char *word = row->strategy;
    return skip_prefix(&word, "needs:") ? word : NULL;
}

/* Whether the line stands below a head whose globs and versions the device has. */
static bool is_about_device(const struct red_known_failure *row, const struct red_device_info *device) {
    return fnmatch(row->platform, device->platform, FNM_CASEFOLD) == 0 &&
           fnmatch(row->device, device->name, FNM_CASEFOLD) == 0 &&
           red_version_range_has(row->driver, device->driver);
}

/* Then what cannot run and is not listed is printed as "absent: ...". */
bool red_known_failures_has_unsupported(const struct red_known_failures *known_failures,
                                        const struct red_device_info *device) {
    for (size_t i = 0; i < known_failures->n; i++)
        if (known_failures->rows[i].state == RED_STATE_UNSUPPORTED &&
            is_about_device(&known_failures->rows[i], device))
            return true;
    return false;
}

/* Whether the line names the cell's strategy, or something that it needs for the operation and type. */
static bool lists_strategy(const struct red_known_failure *row, const struct red_known_failure_cell *cell) {
    const char *listed = red_known_failure_needs(row);
    if (listed == NULL)
        return red_select_matches(row->strategy, cell->strategy->name);
    const red_set needs = red_strategy_needs_for(cell->strategy, cell->dtype, cell->op);
    bool any = false;
    for (unsigned need = 0; need < RED_NEEDS_N && !any; need++)
        any = (needs >> need & 1) && red_select_matches(listed, red_need_names[need]);
    return any;
}

struct red_known_failure *red_known_failures_find(const struct red_known_failures *known_failures,
                                                  const struct red_known_failure_cell *cell) {
    for (size_t i = 0; i < known_failures->n; i++) {
        struct red_known_failure *row = &known_failures->rows[i];
        if (is_about_device(row, cell->device) && lists_strategy(row, cell) &&
            red_select_matches(row->op, cell->op->name) && red_select_matches(row->type, cell->dtype->name) &&
            red_size_range_has(&row->n, cell->n) && red_size_range_has(&row->group_size, cell->group_size))
            return row;
    }
    return NULL;
}

/* The result is the state that is shown. */
enum red_state red_known_failure_count(struct red_known_failure *row, enum red_state state) {
    bool is_met = state == row->state;
    row->met_n += is_met;
    row->passed_n += state == RED_STATE_PASS;
    row->unmade_n += state == RED_STATE_OVER_BUDGET;
    return is_met && state != RED_STATE_UNSUPPORTED ? RED_STATE_KNOWN_BUG : state;
}

/* The sentence behind "unexpected pass:"; only red_known_failures_print_outdated and tests ask. */
bool red_known_failure_no_longer_holds(const struct red_known_failure *row, char *text, size_t text_bytes) {
    const bool some = row->share == RED_EXPECT_SOME;
    if (row->passed_n == 0 || row->share == RED_EXPECT_FLAKY || (some && row->met_n + row->unmade_n > 0))
        return false;
    snprintf(text, text_bytes,
             "%s:%u: %s is expected to be %s%s (%s, since %s), and %zu of %zu were right: mend the "
             "register",
             row->file, row->line, row->strategy, some ? "in part " : "", red_state_name(row->state),
             row->reason, row->since, row->passed_n, row->passed_n + row->met_n);
    return true;
}

/* For verify, which fails then (exit status 2), and for bench, which warns on stderr. */
size_t red_known_failures_print_outdated(const struct red_known_failures *known_failures,
                                         bool run_is_complete, FILE *out) {
    size_t broken_n = 0;
    for (size_t i = 0; i < known_failures->n; i++) {
        char text[1024];
        if (known_failures->rows[i].share == RED_EXPECT_SOME && !run_is_complete)
            continue;
        if (!red_known_failure_no_longer_holds(&known_failures->rows[i], text, sizeof text))
            continue;
        red_text_print(out, "unexpected pass: %s\n", text);
        broken_n++;
    }
    return broken_n;
}
