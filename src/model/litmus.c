/* Reads litmus tests: lines `key: value`, events of items, edits of mutants. tests/litmus/events.py reads the
 * same format for the oracle. */
#include "model/litmus.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const red_litmus_family_names[RED_LITMUS_FAMILIES_N] = {
    "mp", "sb", "lb", "s", "r", "2+2w", "co", "atomicity", "wrc", "isa2", "iriw", "publish"};
const char *const red_litmus_verdict_names[RED_LITMUS_VERDICTS_N] = {"forbidden", "allowed", "nothing"};

enum { LINE_CHARACTERS_MAX = 200, LINE_BYTES = 208, WORD_BYTES = 24, PARTS_MAX = 7 };

/* The order by its word, which kinds of event have it, and what it needs. */
static const struct {
    const char *word, *kinds;
    red_set needs;
} orders[RED_LITMUS_ORDERS_N] = {[RED_LITMUS_NO_ORDER] = {"", "B", 0},
                                 [RED_LITMUS_PLAIN] = {"plain", "WR", 0},
                                 [RED_LITMUS_VOLATILE] = {"volatile", "WR", 0},
                                 [RED_LITMUS_XCHG] = {"xchg", "WX", RED_NEED(XCHG64)},
                                 [RED_LITMUS_OR] = {"or", "R", RED_NEED(XCHG64)},
                                 [RED_LITMUS_ADD] = {"add", "X", 0},
                                 [RED_LITMUS_MEM] = {"mem", "F", 0},
                                 [RED_LITMUS_WRITE] = {"write", "F", 0},
                                 [RED_LITMUS_READ] = {"read", "F", 0},
                                 [RED_LITMUS_RLX] = {"rlx", "WRX", 0},
                                 [RED_LITMUS_ACQ] = {"acq", "RXF", RED_NEED(C11_ACQ_REL)},
                                 [RED_LITMUS_REL] = {"rel", "WXF", RED_NEED(C11_ACQ_REL)},
                                 [RED_LITMUS_AR] = {"ar", "XF", RED_NEED(C11_ACQ_REL)},
                                 [RED_LITMUS_SC] = {"sc", "WRXF", RED_NEED(C11_SEQ_CST)}};

enum { SCOPES_N = RED_LITMUS_ALL + 1, FLAGS_N = 4 };
static const char *const scopes[SCOPES_N] = {"", "wg", "dev", "all"};
static const char *const flags[FLAGS_N] = {"0", "G", "L", "GL"};

/* Where the reader is. */
struct reading {
    struct red_litmus_test *test;
    int line;
    const struct key *key; /* of this line, or the first that the next one may have */
    const char *argument;  /* of the key: the number of an item, the name of a mutant */
    unsigned part;         /* of the value: which one is read */
    struct red_error *error;
};

/* A key with the function that reads a part of its value, and what that expects. One that ends in a blank has
 * an argument, and may stand again. */
struct key {
    const char *name, *separator, *expected;
    bool (*read)(const struct reading *at, const char *text);
    size_t offset, bytes; /* of a text within the test */
};

/* ---- parts of a line ----------------------------------------------------------------------------------- */

/* Copies the text up to the separator into `part` and gives what stands behind it; NULL at the end. */
static const char *next_part(const char *text, const char *separator, char part[LINE_BYTES]) {
    const char *end = strstr(text, separator);
    const size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
    snprintf(part, LINE_BYTES, "%.*s", (int)(length < LINE_BYTES ? length : LINE_BYTES - 1), text);
    return end != NULL ? end + strlen(separator) : NULL;
}

/* Splits a text at blanks; what it lacks stays as it is. */
static void split(const char *text, char part[PARTS_MAX][WORD_BYTES]) {
    sscanf(text, "%23s%23s%23s%23s%23s%23s%23s", part[0], part[1], part[2], part[3], part[4], part[5],
           part[6]);
}

/* The index of a text among names; names_n if it is none of them. */
static unsigned find(const char *text, const char *const *names, unsigned names_n) {
    unsigned i = 0;
    while (i < names_n && strcmp(text, names[i]) != 0)
        i++;
    return i;
}

/* The index of a word of the test by its name; words_n if there is none. */
static unsigned word_find(const struct red_litmus_test *test, const char *name) {
    unsigned w = 0;
    while (w < test->words_n && (name[0] != test->words[w].name || name[1] != '\0'))
        w++;
    return w;
}

/* Whether the text is one character of first ... last, and its index among them. */
static bool read_one_of(const char *text, char first, char last, unsigned *index) {
    *index = (unsigned)(text[0] - first);
    return text[0] >= first && text[0] <= last && text[1] == '\0';
}

static bool read_number(const char *text, uint64_t *value) {
    char *end;
    *value = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0';
}

/* ---- events -------------------------------------------------------------------------------------------- */

/* Reads the order and the scope, "" where there is none. */
static bool read_order(const char *order, const char *scope, struct red_litmus_event *event) {
    unsigned o = RED_LITMUS_NO_ORDER;
    while (o < RED_LITMUS_ORDERS_N &&
           (strcmp(orders[o].word, order) != 0 || strchr(orders[o].kinds, event->kind) == NULL))
        o++;
    const unsigned s = find(scope, scopes, SCOPES_N);
    event->order = (enum red_litmus_order)o;
    event->scope = (enum red_litmus_scope)s;
    return o < RED_LITMUS_ORDERS_N && s < SCOPES_N &&
           (event->kind == 'B' || (s != RED_LITMUS_NO_SCOPE) == (o >= RED_LITMUS_RLX)) &&
           (o != RED_LITMUS_ADD || event->adds) && (o != RED_LITMUS_XCHG || !event->adds);
}

/* Reads "W x 1 rlx dev". Which parts stand there depends on the kind, the first of them. */
static bool read_parts(const struct red_litmus_test *test, const char *text, struct red_litmus_event *event) {
    char part[PARTS_MAX][WORD_BYTES] = {""};
    split(text, part);
    const char kind = event->kind = part[0][0];
    const bool is_access = kind == 'W' || kind == 'R' || kind == 'X';
    unsigned i = 2;
    if (is_access)
        event->word = word_find(test, part[1]);
    else
        event->flags = find(part[1], flags, FLAGS_N);
    if (part[0][1] != '\0' || event->flags == FLAGS_N || (kind == 'F' && event->flags == 0) ||
        (is_access && event->word == test->words_n))
        return false;
    event->adds = kind == 'X' && strcmp(part[i], "+1") == 0;
    if ((kind == 'W' || kind == 'X') && !read_number(part[i++] + event->adds, &event->value))
        return false;
    if ((kind == 'R' || kind == 'X') && !read_one_of(part[i++], 'a', 'h', &event->reg))
        return false;
    const char *order = kind != 'B' ? part[i++] : "", *scope = part[i++];
    return read_order(order, scope, event) && part[i][0] == '\0';
}

/* Adds an event with its role and its guard to n others. In an edit the role may be left out. */
static bool add_event(const struct red_litmus_test *test, const char *text, bool is_edit,
                      struct red_litmus_event *events, unsigned *n) {
    const bool is_group = red_litmus_is_publication(test);
    char guard[2] = "";
    int used = 0;
    if (*n == RED_LITMUS_EVENTS_MAX)
        return false;
    struct red_litmus_event *event = &events[(*n)++];
    *event = (struct red_litmus_event){.kind = '\0'};
    text += strspn(text, " ");
    if (strncmp(text, "all: ", 5) == 0 || strncmp(text, "one: ", 5) == 0) {
        event->role = text[0];
        text += 5;
    }
    event->is_guarded = sscanf(text, "if %1[a-h]=%" SCNu64 ": %n", guard, &event->guard_value, &used) == 2;
    event->guard_reg = event->is_guarded ? (unsigned)(guard[0] - 'a') : 0;
    return (event->role != '\0' ? is_group : is_edit || !is_group) && read_parts(test, text + used, event);
}

static bool read_item(const struct reading *at, const char *text) {
    struct red_litmus_test *test = at->test;
    unsigned item;
    return read_one_of(at->argument, '0', '3', &item) && item < test->items_n &&
           add_event(test, text, false, test->events.at[item], &test->events.n[item]);
}

/* ---- mutants ------------------------------------------------------------------------------------------- */

/* Whether it is the event that an edit names; without a role, whoever does it. */
static bool is_hit(const struct red_litmus_event *a, const struct red_litmus_event *edit) {
    return (edit->role == '\0' || edit->role == a->role) && a->kind == edit->kind &&
           a->order == edit->order && a->scope == edit->scope && a->flags == edit->flags &&
           a->word == edit->word && a->value == edit->value && a->adds == edit->adds && a->reg == edit->reg &&
           a->is_guarded == edit->is_guarded && a->guard_reg == edit->guard_reg &&
           a->guard_value == edit->guard_value;
}

/* Puts an event behind those of an item. Without a role of its own it gets this one. */
static bool put_event(struct red_litmus_events *events, unsigned item, struct red_litmus_event event,
                      char role) {
    if (events->n[item] == RED_LITMUS_EVENTS_MAX)
        return false;
    if (event.role == '\0')
        event.role = role;
    events->at[item][events->n[item]++] = event;
    return true;
}

static bool begin_mutant(struct red_litmus_test *test, const char *name) {
    struct red_litmus_mutant *mutant = &test->mutants[test->mutants_n];
    if (test->mutants_n == RED_LITMUS_MUTANTS_MAX || strlen(name) >= sizeof mutant->name)
        return false;
    snprintf(mutant->name, sizeof mutant->name, "%s", name);
    mutant->events = test->events;
    test->mutants_n++;
    return true;
}

/* Makes the edit "0: EVENT -> EVENT + EVENT" in the mutant of this line. */
static bool read_edit(const struct reading *at, const char *text) {
    struct red_litmus_test *test = at->test;
    struct red_litmus_event old, with[RED_LITMUS_EVENTS_MAX];
    unsigned old_n = 0, with_n = 0, only = 0;
    bool found = false;
    char part[LINE_BYTES];
    int used = 0;
    if (at->part == 0 && !begin_mutant(test, at->argument))
        return false;
    const char *right = next_part(text, "->", part);
    sscanf(part, " %1u: %n", &only, &used);
    if (right == NULL || !add_event(test, part + used, true, &old, &old_n))
        return false;
    if (right[strspn(right, " ")] == '\0')
        right = NULL;
    while (right != NULL) {
        right = next_part(right, " + ", part);
        if (!add_event(test, part, true, with, &with_n))
            return false;
    }
    struct red_litmus_events *events = &test->mutants[test->mutants_n - 1].events;
    const struct red_litmus_events before = *events;
    for (unsigned item = 0; item < test->items_n; item++) {
        events->n[item] = 0;
        for (unsigned i = 0; i < before.n[item]; i++) {
            const struct red_litmus_event *event = &before.at[item][i];
            const bool hits = (used == 0 || item == only) && is_hit(event, &old);
            for (unsigned k = 0; k < (hits ? with_n : 1); k++)
                if (!put_event(events, item, hits ? with[k] : *event, event->role))
                    return false;
            found = found || hits;
        }
    }
    return found;
}

/* ---- lines --------------------------------------------------------------------------------------------- */

static bool read_word(const struct reading *at, const char *text) {
    static const char *const spaces[] = {"global", "local"}, *const widths[] = {"", "64"};
    struct red_litmus_test *test = at->test;
    char part[PARTS_MAX][WORD_BYTES] = {""};
    unsigned letter;
    split(text, part);
    const unsigned space = find(part[1], spaces, 2), width = find(part[2], widths, 2);
    if (test->words_n == RED_LITMUS_WORDS_MAX)
        return false;
    test->words[test->words_n++] = (struct red_litmus_word){part[0][0], space == 1, width == 1};
    return read_one_of(part[0], 'w', 'z', &letter) && space < 2 && width < 2 && part[3][0] == '\0';
}

static bool read_place(const struct reading *at, const char *text) {
    struct red_litmus_test *test = at->test;
    return test->items_n < RED_LITMUS_ITEMS_MAX && read_one_of(text, '0', '3', &test->place[test->items_n++]);
}

static bool read_condition(const struct reading *at, const char *text) {
    static const char *const operators[] = {"=", "!=", ">"};
    struct red_litmus_test *test = at->test;
    char left[2] = "", operator[3] = "", right[WORD_BYTES] = "", more;
    const int n = sscanf(text, " %1[a-z]%2[!=>]%23[a-z0-9]%c", left, operator, right, &more);
    unsigned index = word_find(test, left), reg;
    uint64_t number;
    const bool is_word = index < test->words_n, is_register = read_one_of(right, 'a', 'h', &reg);
    if (test->weak_n == RED_LITMUS_WEAK_MAX || n != 3 || find(operator, operators, 3) == 3 ||
        (!is_word && !read_one_of(left, 'a', 'h', &index)) || (!is_register && !read_number(right, &number)))
        return false;
    test->weak[test->weak_n++] =
        (struct red_litmus_condition){is_word, index, operator[0], is_register, is_register ? reg : number};
    return true;
}

static bool read_family(const struct reading *at, const char *text) {
    struct red_litmus_test *test = at->test;
    test->family = (enum red_litmus_family)find(text, red_litmus_family_names, RED_LITMUS_FAMILIES_N);
    if (red_litmus_is_publication(test))
        test->items_n = 2, test->place[1] = 1;
    return test->family < RED_LITMUS_FAMILIES_N;
}

/* A verdict holds for later versions, too, unless another key has theirs. */
static bool read_verdict(const struct reading *at, const char *text) {
    struct red_litmus_test *test = at->test;
    test->verdict_31 = (enum red_litmus_verdict)find(text, red_litmus_verdict_names, RED_LITMUS_VERDICTS_N);
    if (strcmp(at->key->name, "verdict") == 0)
        test->verdict = test->verdict_31;
    return test->verdict_31 < RED_LITMUS_VERDICTS_N;
}

static bool read_text(const struct reading *at, const char *text) {
    snprintf((char *)at->test + at->key->offset, at->key->bytes, "%s", text);
    return text[0] != '\0' && strlen(text) < at->key->bytes;
}

/* The keys in the order of a file. */
#define TEXT(member)                                                                                         \
    "\n", "a shorter text, and not none", read_text, offsetof(struct red_litmus_test, member),               \
        sizeof((struct red_litmus_test *)NULL)->member
static const char event_expected[] = "an event of an item, such as 'W x 1 rlx dev', or of a group, such as "
                                     "'one: F G write'; at most 8 of an item that `place` has, or of group 0 "
                                     "or 1";
static const char verdict_expected[] = "forbidden, allowed or nothing";
static const struct key keys[] = {
    {"name", TEXT(name)},
    {"family", "\n", "a family that docs/memory-model.md has", read_family, 0, 0},
    {"idea", TEXT(idea)},
    {"counterpart", TEXT(counterpart)},
    {"words", ",", "a word, such as 'x global' or 'y local 64'; at most 4", read_word, 0, 0},
    {"place", " ", "the group of each item, such as '0 1', from 0 to 3; at most 4 items", read_place, 0, 0},
    {"item ", ";", event_expected, read_item, 0, 0},
    {"group ", ";", event_expected, read_item, 0, 0},
    {"weak", ",", "a condition, such as 'a=1', 'x!=2' or 'a>b'; at most 6", read_condition, 0, 0},
    {"verdict", "\n", verdict_expected, read_verdict, 0, 0},
    {"from 3.1", "\n", verdict_expected, read_verdict, 0, 0},
    {"section", TEXT(section)},
    {"unsettled", TEXT(unsettled)},
    {"mutant ", ";",
     "an edit of an event that is there, such as 'F G write -> F G mem', or 'F G write ->' to drop it; "
     "at most 8 events of an item, and 8 mutants with names of at most 23 characters",
     read_edit, 0, 0}};
static const struct key *const keys_end = keys + sizeof keys / sizeof keys[0];

static enum red_status refuse(const struct reading *at, const char *what, const char *expected) {
    return red_fail(at->error, RED_E_INPUT, "%s:%d: '%s': expected %s", at->test->path, at->line, what,
                    expected);
}

static bool is_key(const struct key *key, const char *text) {
    const size_t length = strlen(key->name);
    return strncmp(text, key->name, length) == 0 && (key->name[length - 1] == ' ' || text[length] == '\0');
}

/* Reads a line "key argument: value". */
static enum red_status read_line(struct reading *at, char *line) {
    char *value = strchr(line, ':'), part[LINE_BYTES];
    if (value == NULL)
        return refuse(at, line, "key: value");
    *value++ = '\0';
    while (at->key < keys_end && !is_key(at->key, line))
        at->key++;
    if (at->key == keys_end)
        return refuse(at, line, "a key of a litmus test, each once, in their order");
    at->argument = line + strlen(at->key->name);
    value += strspn(value, " ");
    at->part = 0;
    for (const char *next = value; next != NULL; at->part++) {
        next = next_part(next, at->key->separator, part);
        if (!at->key->read(at, part))
            return refuse(at, part, at->key->expected);
    }
    if (at->argument[0] == '\0')
        at->key++;
    return RED_OK;
}

static bool is_whole(const struct red_litmus_test *test) {
    bool has_all = test->name[0] && test->idea[0] && test->words_n > 0 && test->items_n > 0 &&
                   test->weak_n > 0 && test->section[0] && test->is_20 == (test->counterpart[0] != '\0');
    for (unsigned i = 0; i < test->items_n; i++)
        has_all = has_all && test->events.n[i] > 0;
    return has_all;
}

enum red_status red_litmus_read(const char *path, const char *text, struct red_litmus_test *test,
                                struct red_error *error) {
    struct reading at = {.test = test, .key = keys, .error = error};
    enum red_status status = RED_OK;
    char line[LINE_BYTES];
    *test = (struct red_litmus_test){.path = path, .is_20 = strstr(path, "kernels_cl20/") != NULL};
    while (text != NULL && status == RED_OK) {
        text = next_part(text, "\n", line);
        at.line++;
        if (strlen(line) > LINE_CHARACTERS_MAX)
            status = refuse(&at, line, "a line of at most 200 characters");
        else if (line[0] != '\0' && line[0] != '#')
            status = read_line(&at, line);
    }
    if (status == RED_OK && !is_whole(test))
        status = refuse(&at, test->name,
                        "all of name, family, idea, words, place (of groups: none), the events of each item, "
                        "weak, verdict, section, and counterpart in kernels_cl20 alone");
    return status;
}

/* ---- what a test is ------------------------------------------------------------------------------------ */

bool red_litmus_is_publication(const struct red_litmus_test *test) {
    return test->family == RED_LITMUS_PUBLISH;
}

const struct red_litmus_events *red_litmus_variant(const struct red_litmus_test *test, unsigned v) {
    return v == 0 ? &test->events : &test->mutants[v - 1].events;
}

static red_set event_needs(const struct red_litmus_test *test, const struct red_litmus_event *event) {
    static const red_set scope_needs[SCOPES_N] = {
        [RED_LITMUS_WG] = RED_NEED(C11_WORK_GROUP),
        [RED_LITMUS_DEV] = RED_NEED(C11_DEVICE32) | RED_NEED(C11_DEVICE64),
        [RED_LITMUS_ALL] = RED_NEED(C11_DEVICE32) | RED_NEED(C11_DEVICE64) | RED_NEED(C11_ALL_DEVICES)};
    const bool is_64 = strchr("WRX", event->kind) != NULL && test->words[event->word].is_64;
    const red_set of_others = is_64 ? RED_NEED(C11_DEVICE32) : RED_NEED(C11_DEVICE64) | RED_NEED(XCHG64);
    return (orders[event->order].needs | scope_needs[event->scope]) & ~of_others;
}

red_set red_litmus_needs(const struct red_litmus_test *test) {
    red_set needs = 0;
    for (unsigned item = 0; item < test->items_n; item++)
        for (unsigned i = 0; i < test->events.n[item]; i++)
            needs |= event_needs(test, &test->events.at[item][i]);
    return needs;
}
