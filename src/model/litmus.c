/* Reads litmus tests: lines `key: value`, events of items, edits of mutants. tests/litmus/events.py reads the
 * same format for the oracle. */
#include "model/litmus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "model/need.h"

const char *const red_litmus_family_names[RED_LITMUS_FAMILIES_N] = {
    "mp", "sb", "lb", "s", "r", "2+2w", "co", "atomicity", "wrc", "isa2", "iriw", "publish"};
const char *const red_litmus_verdict_names[RED_LITMUS_VERDICTS_N] = {"forbidden", "allowed", "nothing"};

enum { LINE_BYTES = 208, WORD_BYTES = 24, PARTS_MAX = 8 };

/* The order by its word, which kinds of event have it, and whether it has a scope. */
static const struct {
    const char *word, *kinds;
    bool is_scoped;
} orders[RED_LITMUS_ORDERS_N] = {[RED_LITMUS_NO_ORDER] = {"", "", false},
                                 [RED_LITMUS_PLAIN] = {"plain", "WR", false},
                                 [RED_LITMUS_VOLATILE] = {"volatile", "WR", false},
                                 [RED_LITMUS_XCHG] = {"xchg", "WX", false},
                                 [RED_LITMUS_OR] = {"or", "R", false},
                                 [RED_LITMUS_ADD] = {"add", "X", false},
                                 [RED_LITMUS_MEM] = {"mem", "F", false},
                                 [RED_LITMUS_WRITE] = {"write", "F", false},
                                 [RED_LITMUS_READ] = {"read", "F", false},
                                 [RED_LITMUS_RLX] = {"rlx", "WRX", true},
                                 [RED_LITMUS_ACQ] = {"acq", "RXF", true},
                                 [RED_LITMUS_REL] = {"rel", "WXF", true},
                                 [RED_LITMUS_AR] = {"ar", "XF", true},
                                 [RED_LITMUS_SC] = {"sc", "WRXF", true}};
static const char *const scopes[] = {"", "wg", "dev", "all"};

/* ---- events -------------------------------------------------------------------------------------------- */

/* What is read, for messages. */
struct reading {
    const char *path;
    int line;
    struct red_litmus_test *test;
    struct red_error *error;
};

static enum red_status refuse(const struct reading *at, const char *what, const char *expected) {
    return red_fail(at->error, RED_E_INPUT, "%s:%d: '%s': expected %s", at->path, at->line, what, expected);
}

/* Splits a text at blanks; how many parts there are, PARTS_MAX + 1 for more. */
static unsigned split(const char *text, char parts[PARTS_MAX][WORD_BYTES]) {
    unsigned n = 0;
    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        const size_t length = strcspn(text, " ");
        if (n == PARTS_MAX || length >= WORD_BYTES)
            return PARTS_MAX + 1;
        snprintf(parts[n++], WORD_BYTES, "%.*s", (int)length, text);
        text += length;
    }
    return n;
}

/* The index of a word of the test by its name; words_n if there is none. */
static unsigned word_find(const struct red_litmus_test *test, const char *name) {
    unsigned w = 0;
    while (w < test->words_n && (name[0] != test->words[w].name || name[1] != '\0'))
        w++;
    return w;
}

static bool is_register(const char *text) {
    return text[0] >= 'a' && text[0] < 'a' + RED_LITMUS_REGISTERS_MAX && text[1] == '\0';
}

static bool read_number(const char *text, uint64_t *value) {
    char *end;
    *value = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0';
}

/* Reads the order and the scope, the last parts of an event that is no barrier. */
static bool read_order(char parts[PARTS_MAX][WORD_BYTES], unsigned n, unsigned i,
                       struct red_litmus_event *event) {
    unsigned order = RED_LITMUS_PLAIN;
    while (i < n && order < RED_LITMUS_ORDERS_N &&
           (strcmp(orders[order].word, parts[i]) != 0 || strchr(orders[order].kinds, event->kind) == NULL))
        order++;
    if (i >= n || order == RED_LITMUS_ORDERS_N || n != i + (orders[order].is_scoped ? 2 : 1))
        return false;
    event->order = (enum red_litmus_order)order;
    for (unsigned s = RED_LITMUS_WG; orders[order].is_scoped && s <= RED_LITMUS_ALL; s++)
        if (strcmp(parts[i + 1], scopes[s]) == 0)
            event->scope = (enum red_litmus_scope)s;
    return !orders[order].is_scoped || event->scope != RED_LITMUS_NO_SCOPE;
}

static bool read_flags(const char *text, bool may_be_none, unsigned *flags) {
    *flags = (text[0] == 'G' ? RED_LITMUS_GLOBAL : 0u) | (strchr(text, 'L') ? RED_LITMUS_LOCAL : 0u);
    return strcmp(text, "G") == 0 || strcmp(text, "L") == 0 || strcmp(text, "GL") == 0 ||
           (may_be_none && strcmp(text, "0") == 0);
}

/* Reads "W x 1 rlx dev" without its guard. */
static bool read_parts(const struct red_litmus_test *test, char parts[PARTS_MAX][WORD_BYTES], unsigned n,
                       struct red_litmus_event *event) {
    unsigned i = 2;
    if (n < 2 || n > PARTS_MAX || parts[0][1] != '\0' || strchr("WRXFB", parts[0][0]) == NULL)
        return false;
    event->kind = parts[0][0];
    if (event->kind == 'B') {
        for (unsigned s = RED_LITMUS_WG; n == 3 && s <= RED_LITMUS_ALL; s++)
            if (strcmp(parts[2], scopes[s]) == 0)
                event->scope = (enum red_litmus_scope)s;
        return read_flags(parts[1], true, &event->flags) && (n == 2 || event->scope != RED_LITMUS_NO_SCOPE);
    }
    if (event->kind == 'F')
        return read_flags(parts[1], false, &event->flags) && read_order(parts, n, i, event);
    event->word = word_find(test, parts[1]);
    if (event->word == test->words_n)
        return false;
    if (event->kind != 'R') {
        event->adds = i < n && event->kind == 'X' && strcmp(parts[i], "+1") == 0;
        if (i == n || (!event->adds && !read_number(parts[i], &event->value)))
            return false;
        i++;
    }
    if (event->kind != 'W') {
        if (i == n || !is_register(parts[i]))
            return false;
        event->reg = (unsigned)(parts[i++][0] - 'a');
    }
    return read_order(parts, n, i, event) && (event->order != RED_LITMUS_ADD || event->adds) &&
           (event->order != RED_LITMUS_XCHG || !event->adds);
}

/* Reads an event with its role and its guard. */
static enum red_status read_event(const struct reading *at, const char *text, bool has_role,
                                  struct red_litmus_event *event) {
    char parts[PARTS_MAX][WORD_BYTES], guard[8];
    unsigned long long number;
    int used = 0;
    *event = (struct red_litmus_event){.kind = '\0'};
    const char *rest = text + strspn(text, " ");
    if (has_role) {
        event->is_by_one = strncmp(rest, "one: ", 5) == 0;
        if (!event->is_by_one && strncmp(rest, "all: ", 5) != 0)
            return refuse(at, text, "'all: ' or 'one: ' before the event of a group");
        rest += 5;
    }
    if (sscanf(rest, "if %7[a-h]=%llu: %n", guard, &number, &used) == 2 && used > 0 && is_register(guard)) {
        event->is_guarded = true;
        event->guard_reg = (unsigned)(guard[0] - 'a');
        event->guard_value = number;
        rest += used;
    }
    return read_parts(at->test, parts, split(rest, parts), event)
               ? RED_OK
               : refuse(at, text, "an event, such as 'W x 1 rlx dev', 'R y a acq dev' or 'F G write'");
}

/* Copies the text up to the separator into `part` and gives what stands behind it; NULL at the end. */
static const char *next_part(const char *text, const char *separator, char part[LINE_BYTES]) {
    const char *end = strstr(text, separator);
    const size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
    snprintf(part, LINE_BYTES, "%.*s", (int)(length < LINE_BYTES ? length : LINE_BYTES - 1), text);
    return end != NULL ? end + strlen(separator) : NULL;
}

static enum red_status read_events(const struct reading *at, const char *text, unsigned item) {
    struct red_litmus_events *events = &at->test->events;
    enum red_status status = RED_OK;
    char part[LINE_BYTES];
    while (text != NULL && status == RED_OK) {
        text = next_part(text, ";", part);
        if (events->n[item] == RED_LITMUS_EVENTS_MAX)
            return refuse(at, part, "at most 8 events of an item");
        status =
            read_event(at, part, red_litmus_is_publication(at->test), &events->at[item][events->n[item]++]);
    }
    return status;
}

/* ---- mutants ------------------------------------------------------------------------------------------- */

/* Whether they do the same, whoever does it. */
static bool is_same_event(const struct red_litmus_event *a, const struct red_litmus_event *b) {
    return a->kind == b->kind && a->order == b->order && a->scope == b->scope && a->flags == b->flags &&
           a->word == b->word && a->value == b->value && a->adds == b->adds && a->reg == b->reg &&
           a->is_guarded == b->is_guarded && a->guard_reg == b->guard_reg && a->guard_value == b->guard_value;
}

/* Puts `with_n` events in the place of event i of an item. Without a role of their own they get its. */
static bool replace_event(struct red_litmus_events *events, unsigned item, unsigned i,
                          const struct red_litmus_event *with, unsigned with_n, bool keeps_role) {
    struct red_litmus_event *at = events->at[item];
    const unsigned n = events->n[item];
    const bool by_one = at[i].is_by_one;
    if (n + with_n > RED_LITMUS_EVENTS_MAX + 1)
        return false;
    memmove(at + i + with_n, at + i + 1, (n - i - 1) * sizeof *at);
    for (unsigned k = 0; k < with_n; k++) {
        at[i + k] = with[k];
        if (keeps_role)
            at[i + k].is_by_one = by_one;
    }
    events->n[item] = n + with_n - 1;
    return true;
}

/* Whether an edit names the role: "one: F G read". */
static bool names_role(const char *text) {
    text += strspn(text, " ");
    return strncmp(text, "all: ", 5) == 0 || strncmp(text, "one: ", 5) == 0;
}

/* Applies "0: EVENT -> EVENT + EVENT" to a mutant's events. */
static enum red_status apply_edit(const struct reading *at, const char *text,
                                  struct red_litmus_events *events) {
    struct red_litmus_event old, with[RED_LITMUS_EVENTS_MAX];
    char left[LINE_BYTES], part[LINE_BYTES];
    unsigned with_n = 0, found_n = 0, only = RED_LITMUS_ITEMS_MAX;
    const char *right = next_part(text, "->", left), *from = left + strspn(left, " ");
    if (right == NULL)
        return refuse(at, text, "an edit, such as 'F G write -> F G mem', or 'F G write ->' to drop it");
    if (from[0] >= '0' && from[0] < '4' && from[1] == ':') {
        only = (unsigned)(from[0] - '0');
        from += 2;
    }
    const bool has_role = names_role(from);
    enum red_status status = read_event(at, from, has_role, &old);
    if (right[strspn(right, " ")] == '\0')
        right = NULL;
    while (right != NULL && status == RED_OK && with_n < RED_LITMUS_EVENTS_MAX) {
        right = next_part(right, " + ", part);
        status = read_event(at, part, names_role(part), &with[with_n++]);
    }
    for (unsigned item = 0; item < at->test->items_n && status == RED_OK; item++)
        for (unsigned i = 0; i < events->n[item]; i++) {
            const struct red_litmus_event *event = &events->at[item][i];
            if ((only < RED_LITMUS_ITEMS_MAX && only != item) || !is_same_event(event, &old) ||
                (has_role && event->is_by_one != old.is_by_one))
                continue;
            if (!replace_event(events, item, i, with, with_n, !has_role))
                return refuse(at, text, "at most 8 events of an item");
            found_n++;
            i += with_n - 1; /* of a dropped event the next one stands at i */
        }
    if (status == RED_OK && found_n == 0)
        status = refuse(at, text, "an edit of an event that is there");
    return status;
}

static enum red_status read_mutant(const struct reading *at, const char *name, const char *text) {
    struct red_litmus_test *test = at->test;
    enum red_status status = RED_OK;
    char part[LINE_BYTES];
    if (test->mutants_n == RED_LITMUS_MUTANTS_MAX || strlen(name) >= sizeof test->mutants[0].name)
        return refuse(at, name, "at most 8 mutants, with names of at most 23 characters");
    struct red_litmus_mutant *mutant = &test->mutants[test->mutants_n++];
    snprintf(mutant->name, sizeof mutant->name, "%s", name);
    mutant->events = test->events;
    while (text != NULL && status == RED_OK) {
        text = next_part(text, ";", part);
        status = apply_edit(at, part, &mutant->events);
    }
    return status;
}

/* ---- other lines --------------------------------------------------------------------------------------- */

static enum red_status read_words(const struct reading *at, const char *text) {
    struct red_litmus_test *test = at->test;
    char part[LINE_BYTES], parts[PARTS_MAX][WORD_BYTES];
    while (text != NULL) {
        text = next_part(text, ",", part);
        const unsigned n = split(part, parts);
        if (n < 2 || n > 3 || test->words_n == RED_LITMUS_WORDS_MAX || parts[0][0] < 'w' ||
            parts[0][0] > 'z' || parts[0][1] != '\0' || (n == 3 && strcmp(parts[2], "64") != 0) ||
            (strcmp(parts[1], "global") != 0 && strcmp(parts[1], "local") != 0))
            return refuse(at, part, "a word, such as 'x global' or 'y local 64'; at most 4");
        test->words[test->words_n++] = (struct red_litmus_word){
            .name = parts[0][0], .is_local = strcmp(parts[1], "local") == 0, .is_64 = n == 3};
    }
    return RED_OK;
}

static enum red_status read_place(const struct reading *at, const char *text) {
    char parts[PARTS_MAX][WORD_BYTES];
    const unsigned n = split(text, parts);
    if (n < 1 || n > RED_LITMUS_ITEMS_MAX)
        return refuse(at, text, "the group of each item, such as '0 1'; at most 4 items");
    at->test->items_n = n;
    for (unsigned i = 0; i < n; i++) {
        if (parts[i][0] < '0' || parts[i][0] > '3' || parts[i][1] != '\0')
            return refuse(at, text, "groups from 0 to 3");
        at->test->place[i] = (unsigned)(parts[i][0] - '0');
    }
    return RED_OK;
}

static enum red_status read_weak(const struct reading *at, const char *text) {
    struct red_litmus_test *test = at->test;
    char part[LINE_BYTES];
    while (text != NULL) {
        text = next_part(text, ",", part);
        const char *left = part + strspn(part, " ");
        char name[2] = {left[0], '\0'};
        const char *right = left + 1 + (left[1] == '!' ? 2 : 1);
        struct red_litmus_condition *condition = &test->weak[test->weak_n];
        const unsigned word = word_find(test, name);
        if (left[0] == '\0' || test->weak_n == RED_LITMUS_WEAK_MAX || strchr("=!>", left[1]) == NULL ||
            (word == test->words_n && !is_register(name)))
            return refuse(at, part, "a condition, such as 'a=1', 'x!=2' or 'a>b'");
        *condition = (struct red_litmus_condition){.is_word = word < test->words_n, .operator= left[1] };
        condition->left = condition->is_word ? word : (unsigned)(name[0] - 'a');
        condition->is_register = is_register(right);
        if (condition->is_register)
            condition->right = (uint64_t)(right[0] - 'a');
        else if (!read_number(right, &condition->right))
            return refuse(at, part, "a number or a register on the right");
        test->weak_n++;
    }
    return RED_OK;
}

static enum red_status read_name_of(const struct reading *at, const char *text, const char *const *names,
                                    unsigned names_n, unsigned *index) {
    char expected[160] = "one of";
    for (*index = 0; *index < names_n; ++*index)
        if (strcmp(names[*index], text) == 0)
            return RED_OK;
    for (unsigned i = 0; i < names_n; i++)
        red_text_add(expected, sizeof expected, " %s", names[i]);
    return refuse(at, text, expected);
}

static enum red_status read_text(const struct reading *at, const char *text, char *to, size_t bytes) {
    if (strlen(text) >= bytes || text[0] == '\0')
        return refuse(at, text, "a shorter text, and not none");
    snprintf(to, bytes, "%s", text);
    return RED_OK;
}

/* The keys in the order of a file, as bits of what is there. */
enum key {
    NAME,
    FAMILY,
    IDEA,
    COUNTERPART,
    WORDS,
    PLACE,
    ITEMS,
    WEAK,
    VERDICT,
    FROM_31,
    SECTION,
    UNSETTLED,
    MUTANT,
    KEYS_N
};
static const char *const keys[KEYS_N] = {"name",    "family",    "idea",  "counterpart", "words",
                                         "place",   "item",      "weak",  "verdict",     "from 3.1",
                                         "section", "unsettled", "mutant"};

static enum red_status read_value(const struct reading *at, enum key key, const char *argument,
                                  const char *text) {
    struct red_litmus_test *test = at->test;
    unsigned index = 0;
    enum red_status status = RED_OK;
    switch (key) {
    case NAME:
        return read_text(at, text, test->name, sizeof test->name);
    case IDEA:
        return read_text(at, text, test->idea, sizeof test->idea);
    case COUNTERPART:
        return read_text(at, text, test->counterpart, sizeof test->counterpart);
    case SECTION:
        return read_text(at, text, test->section, sizeof test->section);
    case UNSETTLED:
        return read_text(at, text, test->unsettled, sizeof test->unsettled);
    case WORDS:
        return read_words(at, text);
    case PLACE:
        return read_place(at, text);
    case WEAK:
        return read_weak(at, text);
    case MUTANT:
        return read_mutant(at, argument, text);
    case FAMILY:
        status = read_name_of(at, text, red_litmus_family_names, RED_LITMUS_FAMILIES_N, &index);
        test->family = (enum red_litmus_family)index;
        if (status == RED_OK && red_litmus_is_publication(test))
            test->items_n = 2, test->place[1] = 1;
        return status;
    case ITEMS:
        if (argument[0] < '0' || argument[1] != '\0' || (unsigned)(argument[0] - '0') >= test->items_n)
            return refuse(at, argument, "the number of an item that `place` has, or of a group");
        return read_events(at, text, (unsigned)(argument[0] - '0'));
    case VERDICT:
    case FROM_31:
        status = read_name_of(at, text, red_litmus_verdict_names, RED_LITMUS_VERDICTS_N, &index);
        test->verdict_31 = (enum red_litmus_verdict)index;
        if (key == VERDICT)
            test->verdict = test->verdict_31;
        return status;
    default:
        return RED_OK;
    }
}

/* Reads a line "key argument: value" whose keys come in their order. */
static enum red_status read_line(const struct reading *at, char *line, int *last) {
    char *value = strchr(line, ':');
    unsigned key = 0;
    if (value == NULL)
        return refuse(at, line, "key: value");
    *value++ = '\0';
    value += strspn(value, " ");
    const char *argument = "";
    for (; key < KEYS_N; key++) {
        const size_t length = strlen(keys[key]);
        const bool is_group = key == ITEMS && strncmp(line, "group ", 6) == 0;
        if (strcmp(line, keys[key]) != 0 && !is_group &&
            !((key == ITEMS || key == MUTANT) && strncmp(line, keys[key], length) == 0 &&
              line[length] == ' '))
            continue;
        argument = line + (is_group ? 6 : length) + (line[length] == ' ' && !is_group ? 1 : 0);
        break;
    }
    if (key == KEYS_N || ((int)key == *last && key != ITEMS && key != MUTANT) || (int)key < *last)
        return refuse(at, line, "a key of a litmus test, each once, in their order");
    *last = (int)key;
    return read_value(at, (enum key)key, argument, value);
}

static enum red_status check_whole(const struct reading *at) {
    const struct red_litmus_test *test = at->test;
    bool is_whole = test->name[0] && test->idea[0] && test->words_n > 0 && test->items_n > 0 &&
                    test->weak_n > 0 && test->section[0] && test->is_20 == (test->counterpart[0] != '\0');
    for (unsigned i = 0; i < test->items_n; i++)
        is_whole = is_whole && test->events.n[i] > 0;
    return is_whole ? RED_OK
                    : refuse(at, test->name,
                             "all of name, family, idea, words, place (of groups: none), the events of each "
                             "item, weak, verdict, section, and counterpart in kernels_cl20 alone");
}

enum red_status red_litmus_read(const char *path, const char *text, struct red_litmus_test *test,
                                struct red_error *error) {
    struct reading at = {path, 0, test, error};
    enum red_status status = RED_OK;
    int last = -1; /* the key of the line before */
    *test = (struct red_litmus_test){.path = path, .is_20 = strstr(path, "kernels_cl20/") != NULL};
    for (const char *next = text; *next != '\0' && status == RED_OK;) {
        char line[LINE_BYTES];
        const size_t length = strcspn(next, "\n");
        at.line++;
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1), next);
        if (length >= sizeof line)
            status = refuse(&at, line, "a line of at most 200 characters");
        else if (line[0] != '\0' && line[0] != '#')
            status = read_line(&at, line, &last);
        next += length + (next[length] == '\n');
    }
    return status == RED_OK ? check_whole(&at) : status;
}

/* ---- what a test is
 * ----------------------------------------------------------------------------------------- */

bool red_litmus_is_publication(const struct red_litmus_test *test) {
    return test->family == RED_LITMUS_PUBLISH;
}

const struct red_litmus_events *red_litmus_variant(const struct red_litmus_test *test, unsigned v) {
    return v == 0 ? &test->events : &test->mutants[v - 1].events;
}

/* What one event needs. */
static red_set event_needs(const struct red_litmus_test *test, const struct red_litmus_event *event) {
    const bool is_64 = strchr("WRX", event->kind) != NULL && test->words[event->word].is_64;
    red_set needs = 0;
    if (event->scope == RED_LITMUS_WG)
        needs |= RED_NEED(C11_WORK_GROUP);
    if (event->scope == RED_LITMUS_DEV || event->scope == RED_LITMUS_ALL)
        needs |= is_64 ? RED_NEED(C11_DEVICE64) : RED_NEED(C11_DEVICE32);
    if (event->scope == RED_LITMUS_ALL)
        needs |= RED_NEED(C11_ALL_DEVICES);
    if (event->order == RED_LITMUS_ACQ || event->order == RED_LITMUS_REL || event->order == RED_LITMUS_AR)
        needs |= RED_NEED(C11_ACQ_REL);
    if (event->order == RED_LITMUS_SC)
        needs |= RED_NEED(C11_SEQ_CST);
    if (is_64 && (event->order == RED_LITMUS_XCHG || event->order == RED_LITMUS_OR))
        needs |= RED_NEED(XCHG64);
    return needs;
}

red_set red_litmus_needs(const struct red_litmus_test *test) {
    red_set needs = 0;
    for (unsigned item = 0; item < test->items_n; item++)
        for (unsigned i = 0; i < test->events.n[item]; i++)
            needs |= event_needs(test, &test->events.at[item][i]);
    return needs;
}
