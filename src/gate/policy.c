/* The policy of a gate (duel --policy, clreduce.ini): reads it with inih, finds what holds for a cell, and
 * prints what is in force. What is wrong with the file ends the duel with "clreduce.ini:7: ...". `reader`
 * reads that file; `section` is a [GLOB] of it. */
#define _POSIX_C_SOURCE 200809L /* strdup, strndup */
#include "gate/gate_private.h"

#include <ctype.h>
#include <ini.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/file.h"
#include "core/select.h"
#include "core/text.h"
#include "model/catalogue.h"

enum red_policy_key {
    RED_POLICY_MARGIN,
    RED_POLICY_BUDGET,
    RED_POLICY_REQUIRE,
    RED_POLICY_QUARANTINE,
    RED_POLICY_UNTIL,
    RED_POLICY_KEYS_N
};

struct red_policy_section {
    char *globs;                       /* owned */
    unsigned line;                     /* of its head, from 1 */
    unsigned lines[RED_POLICY_KEYS_N]; /* where it says each key; 0: it does not */
    double margin, budget_s;
    bool required;
    char *reason; /* of the quarantine; owned */
    char until[16];
    bool ended; /* the quarantine */
};

struct red_policy {
    char *path; /* owned */
    long today; /* red_date_read */
    struct red_policy_section *sections;
    size_t sections_n;
};

static const struct red_policy_rules policy_defaults = {.margin = 0.02, .budget_s = 10};

static const char *const red_policy_key_names[RED_POLICY_KEYS_N] = {
    [RED_POLICY_MARGIN] = "margin",         [RED_POLICY_BUDGET] = "budget", [RED_POLICY_REQUIRE] = "require",
    [RED_POLICY_QUARANTINE] = "quarantine", [RED_POLICY_UNTIL] = "until",
};

/* By gate/duel.c in the end, and here for a file that is refused. */
void red_policy_destroy(struct red_policy *policy) {
    if (policy == NULL)
        return;
    for (size_t i = 0; i < policy->sections_n; i++) {
        free(policy->sections[i].globs);
        free(policy->sections[i].reason);
    }
    free(policy->sections);
    free(policy->path);
    free(policy);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

enum { FILE_BYTES_MAX = 1 << 20, SECTIONS_MAX = 1000, DAYS_AHEAD_MAX = 366 };

/* inih splits lines into keys and values. Alone it would drop errors silently: it cuts a section's head after
 * 49 bytes and at the first "]", ignores what follows that, does not report sections without keys, takes what
 * exceeds 199 bytes of a line for another line, and an indented line for a continuation. So it is given one
 * line at a time, without indentation and without heads, and every line that is not blank or a comment must
 * come back as a key. */
struct policy_reader {
    struct red_policy *policy;
    const char *text;
    size_t text_n, at;
    unsigned line;
    bool awaits_key; /* from the line that inih was given */
    enum red_status status;
    struct red_error *error;
};

/* Ends the reading with an error of that line of the policy. Always false. */
__attribute__((format(printf, 3, 4))) static bool fail_at(struct policy_reader *reader, unsigned line,
                                                          const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    reader->status = red_fail(reader->error, RED_E_INPUT, "%s:%u: %s", reader->policy->path, line, text);
    return false;
}

/* Whether there is memory; if not the reading ends with an error. */
static bool check_memory(struct policy_reader *reader, const void *memory) {
    if (memory == NULL)
        reader->status =
            red_fail(reader->error, RED_E_MEMORY, "no memory for the policy %s", reader->policy->path);
    return memory != NULL;
}

/* ---- values -------------------------------------------------------------------------------------------- */

/* The readers of keys: each stores a value in the section; false if it is not valid, and then the user reads
 * "clreduce.ini:7: margin: ... is not valid; expected ...". */
static bool margin_read(struct policy_reader *reader, struct red_policy_section *section, const char *value) {
    double percent;
    (void)reader;
    if (!red_percent_read(value, &percent) || !(percent >= 0.1 && percent <= 100))
        return false;
    section->margin = percent / 100;
    return true;
}

static bool budget_read(struct policy_reader *reader, struct red_policy_section *section, const char *value) {
    (void)reader;
    return red_seconds_read(value, 3600, &section->budget_s);
}

static bool require_read(struct policy_reader *reader, struct red_policy_section *section,
                         const char *value) {
    (void)reader;
    section->required = strcmp(value, "yes") == 0;
    return section->required || strcmp(value, "no") == 0;
}

static bool quarantine_read(struct policy_reader *reader, struct red_policy_section *section,
                            const char *value) {
    section->reason = red_utf8_repaired(value);
    return check_memory(reader, section->reason) && value[0] != '\0' && strcmp(section->reason, value) == 0;
}

static bool until_read(struct policy_reader *reader, struct red_policy_section *section, const char *value) {
    long day;
    if (!red_date_read(value, &day))
        return false;
    long ahead = day - reader->policy->today;
    if (ahead > DAYS_AHEAD_MAX)
        return fail_at(
            reader, reader->line,
            "until: '%s' is %ld days ahead; expected a day at most %d days ahead, so that no quarantine is "
            "for ever",
            value, ahead, DAYS_AHEAD_MAX);
    strcpy(section->until, value);
    section->ended = ahead < 0;
    return true;
}

static const struct {
    bool (*read)(struct policy_reader *reader, struct red_policy_section *section, const char *value);
    const char *expected;
} keys[RED_POLICY_KEYS_N] = {
    [RED_POLICY_MARGIN] = {margin_read, "a percentage from 0.1 % to 100 % with its sign, such as 2 %"},
    [RED_POLICY_BUDGET] = {budget_read, "seconds from 0.0001 to 3600, such as 10 s or 500ms"},
    [RED_POLICY_REQUIRE] = {require_read, "yes or no"},
    [RED_POLICY_QUARANTINE] = {quarantine_read, "a reason, as text in UTF-8"},
    [RED_POLICY_UNTIL] = {until_read, "a date such as 2026-12-31"},
};

/* ---- sections ------------------------------------------------------------------------------------------ */

/* The section that is being read; NULL before the first head. */
static struct red_policy_section *last_section(const struct policy_reader *reader) {
    const struct red_policy *policy = reader->policy;
    return policy->sections_n > 0 ? &policy->sections[policy->sections_n - 1] : NULL;
}

/* Checks a section that has ended: it has keys, and a quarantine has its end. */
static bool check_ended_section(struct policy_reader *reader) {
    const struct red_policy_section *section = last_section(reader);
    if (section == NULL)
        return true;
    unsigned quarantine = section->lines[RED_POLICY_QUARANTINE], until = section->lines[RED_POLICY_UNTIL];
    unsigned said = 0;
    for (size_t i = 0; i < RED_POLICY_KEYS_N; i++)
        said |= section->lines[i];
    if (said == 0)
        return fail_at(reader, section->line, "[%.200s] says nothing; expected a key below it, or no section",
                       section->globs);
    if (quarantine > 0 && until == 0)
        return fail_at(reader, quarantine,
                       "a quarantine needs an end; expected until = a date, in the same section");
    if (until > 0 && quarantine == 0)
        return fail_at(reader, until,
                       "until is the end of a quarantine; expected quarantine = a reason, in the same "
                       "section");
    return true;
}

/* Checks the section that ends here, and adds the one of a head "[globs]", behind which only a comment may
 * stand. */
static bool begin_section(struct policy_reader *reader, const char *head, size_t head_n) {
    struct red_policy *policy = reader->policy;
    struct red_error found;
    for (size_t i = 1; i < head_n; i++)
        if (head[i] == ';' && isspace((unsigned char)head[i - 1]))
            head_n = i;
    while (isspace((unsigned char)head[head_n - 1]))
        head_n--;
    if (!check_ended_section(reader))
        return false;
    if (head[head_n - 1] != ']')
        return fail_at(reader, reader->line, "'%.*s' is no section; expected [GLOB] alone on its line",
                       (int)(head_n < 200 ? head_n : 200), head);
    if (policy->sections_n == SECTIONS_MAX)
        return fail_at(reader, reader->line, "there are more than %d sections", SECTIONS_MAX);
    struct red_policy_section *section = &policy->sections[policy->sections_n];
    *section = (struct red_policy_section){.line = reader->line};
    if (!check_memory(reader, section->globs = strndup(head + 1, head_n - 2)))
        return false;
    policy->sections_n++;
    return red_cell_globs_check(section->globs, &found) == RED_OK ||
           fail_at(reader, reader->line, "%s", found.text);
}

/* ---- lines --------------------------------------------------------------------------------------------- */

/* Callback of inih for each key. Errors end the reading in give_inih_line. */
static int take_key(void *user, const char *head, const char *name, const char *value) {
    struct policy_reader *reader = user;
    struct red_policy_section *section = last_section(reader);
    struct red_error found;
    size_t key = 0;
    (void)head; /* inih is given no heads */
    reader->awaits_key = false;
    while (key < RED_POLICY_KEYS_N && strcmp(name, red_policy_key_names[key]) != 0)
        key++;
    if (key == RED_POLICY_KEYS_N) {
        red_select_fail_unknown("key", name, red_policy_key_names, RED_POLICY_KEYS_N, &found);
        return fail_at(reader, reader->line, "%s", found.text);
    }
    if (section == NULL)
        return fail_at(reader, reader->line,
                       "%s stands before any section; expected a line such as [*] before it", name);
    if (section->lines[key] > 0)
        return fail_at(reader, reader->line, "%s is said in line %u, too; expected it once in a section",
                       name, section->lines[key]);
    section->lines[key] = reader->line;
    if (!keys[key].read(reader, section, value) && reader->status == RED_OK)
        return fail_at(reader, reader->line, "%s: '%s' is not valid; expected %s", name, value,
                       keys[key].expected);
    return 1;
}

/* The next line of the text, in *line and *line_n, without blanks at its ends. False at the end. */
static bool next_trimmed_line(struct policy_reader *reader, const char **line, size_t *line_n) {
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

/* Callback of inih for each line, as fgets. Heads of sections are read here; inih gets an empty line in place
 * of them and of comments. */
static char *give_inih_line(char *line, int room, void *user) {
    struct policy_reader *reader = user;
    const char *from;
    size_t n;
    if (reader->awaits_key)
        fail_at(reader, reader->line, "expected key = value, [GLOB] or a comment, which begins with ';'");
    if (reader->status != RED_OK || !next_trimmed_line(reader, &from, &n))
        return NULL;
    strcpy(line, "\n");
    if (n == 0 || from[0] == ';' || from[0] == '#')
        return line;
    for (size_t i = 0; i < n; i++)
        if (iscntrl((unsigned char)from[i]) && from[i] != '\t')
            return fail_at(reader, reader->line, "there is a control character; expected text"), NULL;
    if (from[0] == '[')
        return begin_section(reader, from, n) ? line : NULL;
    if (n + 2 > (size_t)room)
        return fail_at(reader, reader->line, "the line is longer than %d bytes", room - 2), NULL;
    memcpy(line, from, n);
    strcpy(line + n, "\n");
    reader->awaits_key = true;
    return line;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* Only red_policy_load and tests call it. */
enum red_status red_policy_read(const char *path, const char *text, size_t text_n, const char *today,
                                struct red_policy **policy, struct red_error *error) {
    struct red_policy *read = calloc(1, sizeof *read);
    struct policy_reader reader = {.policy = read, .text = text, .text_n = text_n, .error = error};
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
        reader.at = red_text_bom_bytes(text, text_n);
        /* It returns the line of an error, which is reported by then. */
        if (ini_parse_stream(give_inih_line, &reader, take_key, &reader) == -2)
            check_memory(&reader, NULL);
        if (reader.status == RED_OK)
            check_ended_section(&reader);
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

/* ---- finding the rules of a cell ----------------------------------------------------------------------- */

/* Whether the section has the key, which is no quarantine that has ended. */
static bool says_key_in_force(const struct red_policy_section *section, size_t key) {
    bool has_ended = section->ended && (key == RED_POLICY_QUARANTINE || key == RED_POLICY_UNTIL);
    return section->lines[key] > 0 && !has_ended;
}

/* Which section decides each key for the cell; NULL where none does. */
static void deciders_find(const struct red_policy *policy, const char *cell_name,
                          const struct red_policy_section *deciders[RED_POLICY_KEYS_N]) {
    for (size_t key = 0; key < RED_POLICY_KEYS_N; key++)
        deciders[key] = NULL;
    for (size_t i = 0; i < policy->sections_n; i++) {
        const struct red_policy_section *section = &policy->sections[i];
        if (!red_select_matches(section->globs, cell_name))
            continue;
        for (size_t key = 0; key < RED_POLICY_KEYS_N; key++)
            if (says_key_in_force(section, key))
                deciders[key] = section;
    }
}

/* A cell's margin, budget, quarantine, and whether it needs a verdict. */
void red_policy_find(const struct red_policy *policy, const char *cell_name, struct red_policy_rules *rules) {
    const struct red_policy_section *deciders[RED_POLICY_KEYS_N], *by;
    *rules = policy_defaults;
    if (policy == NULL)
        return;
    deciders_find(policy, cell_name, deciders);
    if ((by = deciders[RED_POLICY_MARGIN]) != NULL)
        rules->margin = by->margin;
    if ((by = deciders[RED_POLICY_BUDGET]) != NULL)
        rules->budget_s = by->budget_s;
    if ((by = deciders[RED_POLICY_REQUIRE]) != NULL)
        rules->required = by->required;
    if ((by = deciders[RED_POLICY_QUARANTINE]) != NULL) {
        rules->quarantine = by->reason;
        rules->line = by->lines[RED_POLICY_QUARANTINE];
        memcpy(rules->until, by->until, sizeof rules->until);
    }
}

/* ---- printing ------------------------------------------------------------------------------------------
 * To stderr, by gate/duel.c, before cells are measured. */

/* How many cells a section matches, and for how many it decides each key. */
struct section_effect {
    size_t matched, decided[RED_POLICY_KEYS_N];
};

/* What each section does to the cells of the duel, an array that the caller frees. NULL without memory. */
static struct section_effect *effects_make(const struct red_policy *policy, const char *const *cell_names,
                                           size_t cells_n) {
    struct section_effect *effects = calloc(policy->sections_n + 1, sizeof *effects);
    for (size_t i = 0; effects != NULL && i < cells_n; i++) {
        const struct red_policy_section *deciders[RED_POLICY_KEYS_N];
        deciders_find(policy, cell_names[i], deciders);
        for (size_t key = 0; key < RED_POLICY_KEYS_N; key++)
            if (deciders[key] != NULL)
                effects[deciders[key] - policy->sections].decided[key]++;
        for (size_t j = 0; j < policy->sections_n; j++)
            effects[j].matched += red_select_matches(policy->sections[j].globs, cell_names[i]);
    }
    return effects;
}

/* Writes the value of a key; false if that is the default. `until` is written with the quarantine. */
static bool rule_format_if_not_default(const struct red_policy_section *section, size_t key, char *text,
                                       size_t text_bytes) {
    switch ((enum red_policy_key)key) {
    case RED_POLICY_MARGIN:
        snprintf(text, text_bytes, "margin = %g %%", 100 * section->margin);
        return section->margin != policy_defaults.margin;
    case RED_POLICY_BUDGET:
        snprintf(text, text_bytes, "budget = %g s", section->budget_s);
        return section->budget_s != policy_defaults.budget_s;
    case RED_POLICY_REQUIRE:
        snprintf(text, text_bytes, "require = %s", section->required ? "yes" : "no");
        return section->required != policy_defaults.required;
    case RED_POLICY_QUARANTINE:
        snprintf(text, text_bytes, "quarantine until %s", section->until);
        return true;
    case RED_POLICY_UNTIL:
    case RED_POLICY_KEYS_N:
        break;
    }
    return false;
}

static int digits_n(size_t number) {
    return snprintf(NULL, 0, "%zu", number);
}

/* Prints a line for each key that decides something other than the default. */
static void in_force_print(const struct red_policy *policy, const struct section_effect *effects,
                           size_t cells_n, FILE *out) {
    unsigned last_line = 0;
    for (size_t i = 0; i < policy->sections_n; i++)
        for (size_t key = 0; key < RED_POLICY_KEYS_N; key++)
            last_line =
                policy->sections[i].lines[key] > last_line ? policy->sections[i].lines[key] : last_line;
    for (size_t i = 0; i < policy->sections_n; i++) {
        const struct red_policy_section *section = &policy->sections[i];
        for (size_t key = 0; key < RED_POLICY_KEYS_N; key++) {
            char rule[48];
            if (effects[i].decided[key] == 0 || !rule_format_if_not_default(section, key, rule, sizeof rule))
                continue;
            int blanks = digits_n(last_line) - digits_n(section->lines[key]);
            red_text_print(out, "%s:%u: %*s%-27s  %*zu of %zu cells  [%s]", policy->path, section->lines[key],
                           blanks, "", rule, digits_n(cells_n), effects[i].decided[key], cells_n,
                           section->globs);
            if (key == RED_POLICY_QUARANTINE)
                red_text_print(out, ": %s", section->reason);
            fputc('\n', out);
        }
    }
}

/* Prints a line for each thing that the section says in vain. */
static void no_effect_print(const struct red_policy *policy, const struct red_policy_section *section,
                            const struct section_effect *effect, size_t cells_n, FILE *out) {
    if (section->ended)
        red_text_print(out, "%s:%u: the quarantine of '%s' ended on %s: its cells count again\n",
                       policy->path, section->lines[RED_POLICY_QUARANTINE], section->globs, section->until);
    if (effect->matched == 0)
        red_text_print(out, "%s:%u: [%s] matches none of the %zu cells\n", policy->path, section->line,
                       section->globs, cells_n);
    for (size_t key = 0; key < RED_POLICY_KEYS_N; key++)
        if (key != RED_POLICY_UNTIL && effect->matched > 0 && says_key_in_force(section, key) &&
            effect->decided[key] == 0)
            red_text_print(out,
                           "%s:%u: %s has no effect: sections below [%s] decide it for all of its cells\n",
                           policy->path, section->lines[key], red_policy_key_names[key], section->globs);
}

enum red_status red_policy_print(const struct red_policy *policy, const char *const *cell_names,
                                 size_t cells_n, FILE *out, struct red_error *error) {
    if (policy == NULL)
        return RED_OK;
    struct section_effect *effects = effects_make(policy, cell_names, cells_n);
    if (effects == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to show the policy %s", policy->path);
    in_force_print(policy, effects, cells_n, out);
    for (size_t i = 0; i < policy->sections_n; i++)
        no_effect_print(policy, &policy->sections[i], &effects[i], cells_n, out);
    free(effects);
    return RED_OK;
}
