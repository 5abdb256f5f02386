#include "cli/options.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_table.h"
#include "core/quantity.h"
#include "core/text.h"

static const char *const format_names[RED_FORMATS_N] = {
    [RED_FORMAT_TABLE] = "table", [RED_FORMAT_JSON] = "json",   [RED_FORMAT_CSV] = "csv",
    [RED_FORMAT_HTML] = "html",   [RED_FORMAT_MARKDOWN] = "md", [RED_FORMAT_TERM] = "term",
    [RED_FORMAT_SVG] = "svg",     [RED_FORMAT_HEADER] = "h",    [RED_FORMAT_MAN] = "man",
    [RED_FORMAT_BASH] = "bash"};
const char red_common_formats[] = "table,json,csv";

/* The i-th format of a list "html,md,term"; false behind its end. */
static bool format_at(const char *list, size_t i, enum red_format *format) {
    for (; i > 0 && list != NULL; i--)
        list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL;
    for (int f = 0; f < RED_FORMATS_N && list != NULL; f++) {
        size_t length = strlen(format_names[f]);
        *format = (enum red_format)f;
        if (strncmp(list, format_names[f], length) == 0 && (list[length] == ',' || list[length] == '\0'))
            return true;
    }
    return false;
}

const char *red_format_name_at(const char *list, size_t i) {
    enum red_format format;
    return format_at(list, i, &format) ? format_names[format] : NULL;
}

static bool read_format(const char *list, const char *text, enum red_format *format) {
    for (size_t i = 0; format_at(list, i, format); i++)
        if (strcmp(text, format_names[*format]) == 0)
            return true;
    return false;
}

/* "table, json or csv" */
static const char *formats_print(const char *list, char *text, size_t text_bytes) {
    enum red_format format, next;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; format_at(list, i, &format) && used < text_bytes; i++)
        used += (size_t)snprintf(text + used, text_bytes - used, "%s%s",
                                 i == 0                          ? ""
                                 : format_at(list, i + 1, &next) ? ", "
                                                                 : " or ",
                                 format_names[format]);
    return text;
}

/* 10 percent more are a ratio of 1.1. */
static bool read_percent(const char *text, double *ratio) {
    char *end;
    double percent = strtod(text, &end);
    *ratio = 1 + percent / 100;
    return end != text && (*end == '\0' || strcmp(end, "%") == 0) && percent >= 0 && percent <= 1e6;
}

/* Up to 2^63 - 1: the largest integer that a JSON result file keeps. */
static bool read_seed(const char *text, uint64_t *seed) {
    errno = 0;
    *seed = strtoull(text, NULL, 10);
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0' && errno == 0 && *seed <= INT64_MAX;
}

/* From 1 to max. */
static bool read_count(const char *text, unsigned max, unsigned *count) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    *count = (unsigned)value;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && value >= 1 && value <= max;
}

enum { KEYS_N = 256 };

/* What the parser fills; the first mistake is kept and reported after parsing. */
struct parse {
    const struct red_verb *verb;
    const char *formats; /* those of the verb */
    struct red_options *options;
    bool given[KEYS_N]; /* by their keys */
    enum red_status status;
    struct red_error *error;
};

static enum red_status take_text(const char *what, const char *expected, bool fits, const char *text,
                                 struct red_error *error) {
    return fits ? RED_OK
                : red_fail(error, RED_E_INPUT, "%s: '%s' is not valid; expected %s", what, text, expected);
}

/* There are RED_LANES_MAX different ones. */
static void add_lanes(struct red_options *o, struct red_tuning lanes) {
    for (size_t i = 0; i < o->selection.lanes_n; i++)
        if (o->selection.lanes[i].width == lanes.width && o->selection.lanes[i].loads == lanes.loads)
            return;
    o->selection.lanes[o->selection.lanes_n++] = lanes;
}

static enum red_status take_lanes(struct red_options *o, const char *text, struct red_error *error) {
    o->selection.lanes_n = 0;
    for (const char *at = text; at != NULL; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        struct red_tuning lanes = {.width = 0};
        char word[16];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
        if (!red_lanes_read(word, &lanes.width, &lanes.loads))
            return take_text("--lanes",
                             "WIDTHxLOADS of a width of 1, 2, 4, 8 or 16 and 1, 2, 4 or 8 loads, such as "
                             "4x4,16x2",
                             false, text, error);
        add_lanes(o, lanes);
    }
    return RED_OK;
}

/* Options that are a member of red_options and no more. */
enum kind { KIND_TEXT, KIND_SWITCH, KIND_SIZES, KIND_SECONDS };
static const struct place {
    char key;
    enum kind kind;
    size_t at;
    const char *name, *expected; /* of sizes and seconds */
    double max_s;
} places[] = {
#define AT(member) offsetof(struct red_options, member)
    {'d', KIND_TEXT, AT(selection.device), NULL, NULL, 0},
    {'s', KIND_TEXT, AT(selection.strategy), NULL, NULL, 0},
    {'p', KIND_TEXT, AT(selection.op), NULL, NULL, 0},
    {'t', KIND_TEXT, AT(selection.type), NULL, NULL, 0},
    {'o', KIND_TEXT, AT(output.path), NULL, NULL, 0},
    {'z', KIND_TEXT, AT(emit.name), NULL, NULL, 0},
    {'y', KIND_TEXT, AT(bench.report), NULL, NULL, 0},
    {'E', KIND_TEXT, AT(selection.expect), NULL, NULL, 0},
    {'X', KIND_TEXT, AT(compare.across), NULL, NULL, 0},
    {'u', KIND_TEXT, AT(source), NULL, NULL, 0},
    {'v', KIND_TEXT, AT(verify.show_data), NULL, NULL, 0},
    {'b', KIND_TEXT, AT(duel.side_program[0]), NULL, NULL, 0},
    {'j', KIND_TEXT, AT(duel.side_program[1]), NULL, NULL, 0},
    {'m', KIND_TEXT, AT(duel.side_kernel[0]), NULL, NULL, 0},
    {'q', KIND_TEXT, AT(duel.side_kernel[1]), NULL, NULL, 0},
    {'N', KIND_TEXT, AT(duel.side_device[0]), NULL, NULL, 0},
    {'Y', KIND_TEXT, AT(duel.side_device[1]), NULL, NULL, 0},
    {'P', KIND_TEXT, AT(duel.profile), NULL, NULL, 0},
    {'I', KIND_TEXT, AT(duel.policy), NULL, NULL, 0},
    {'Z', KIND_TEXT, AT(duel.replay), NULL, NULL, 0},
    {'Q', KIND_SWITCH, AT(duel.required), NULL, NULL, 0},
    {'O', KIND_SWITCH, AT(portable), NULL, NULL, 0},
    {'0', KIND_SWITCH, AT(emit.overwrite), NULL, NULL, 0},
    {'i', KIND_SWITCH, AT(verify.first), NULL, NULL, 0},
    {'l', KIND_SWITCH, AT(verify.special), NULL, NULL, 0},
    {'r', KIND_SWITCH, AT(verify.accuracy), NULL, NULL, 0},
    {'a', KIND_SWITCH, AT(selection.all), NULL, NULL, 0},
    {'D', KIND_SWITCH, AT(compare.drivers), NULL, NULL, 0},
    {'R', KIND_SWITCH, AT(output.resume), NULL, NULL, 0},
    {'A', KIND_SWITCH, AT(bench.awake), NULL, NULL, 0},
    {'T', KIND_SWITCH, AT(bench.tune), NULL, NULL, 0},
    {'U', KIND_SWITCH, AT(bench.tuned), NULL, NULL, 0},
    {'n', KIND_SIZES, AT(selection.n), "--n", NULL, 0},
    {'w', KIND_SIZES, AT(selection.wg), "--wg", NULL, 0},
    {'G', KIND_SIZES, AT(selection.groups), "--groups", NULL, 0},
    {'c', KIND_SECONDS, AT(selection.time_per_cell_s), "--time-per-cell",
     "seconds from 0.0001 to 3600, such as 0.1 or 50ms", 3600},
    {'B', KIND_SECONDS, AT(bench.tune_budget_s), "--tune-budget",
     "seconds from 0.0001 to 3600, such as 20 or 500ms", 3600},
    {'H', KIND_SECONDS, AT(selection.patience_s), "--patience", "seconds from 0.0001 to 3600, such as 10",
     3600},
    {'K', KIND_SECONDS, AT(verify.soak_s), "--soak", "seconds from 0.0001 to 86400, such as 1800", 86400},
#undef AT
};

static enum red_status put(const struct place *place, struct red_options *o, const char *text,
                           struct red_error *error) {
    void *member = (char *)o + place->at;
    switch (place->kind) {
    case KIND_TEXT:
        *(const char **)member = text;
        return RED_OK;
    case KIND_SWITCH:
        *(bool *)member = true;
        return RED_OK;
    case KIND_SIZES:
        red_sizes_clear(member);
        return red_sizes_parse(place->name, text, member, error);
    case KIND_SECONDS:
        return take_text(place->name, place->expected, red_seconds_read(text, place->max_s, member), text,
                         error);
    }
    return RED_OK;
}

static enum red_status take_setting(struct red_options *o, int who, const char *text,
                                    struct red_error *error) {
    const char *option = who == 0 ? "--base-env" : "--head-env";
    if (o->duel.environment_n[who] == RED_ENVIRONMENT_MAX)
        return red_fail(error, RED_E_INPUT, "%s: at most %d settings", option, RED_ENVIRONMENT_MAX);
    o->duel.environment[who][o->duel.environment_n[who]++] = text;
    return take_text(option, "NAME=VALUE, such as POCL_AFFINITY=1",
                     strchr(text, '=') != NULL && text[0] != '=', text, error);
}

static enum red_status take(struct red_options *o, const char *formats, int letter, const char *text,
                            struct red_error *error) {
    char expected[64];
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (places[i].key == letter)
            return put(&places[i], o, text, error);
    switch (letter) {
    case 'V':
    case 'W':
        return take_setting(o, letter == 'W', text, error);
    case 'L':
        return take_lanes(o, text, error);
    case 'h':
        return red_shape_parse(text, &o->selection.shape, error);
    case 'f':
        return take_text("--format", formats_print(formats, expected, sizeof expected),
                         read_format(formats, text, &o->output.format), text, error);
    case 'e':
        return take_text("--seed", "a whole number up to 2^63 - 1", read_seed(text, &o->selection.seed), text,
                         error);
    case 'F':
        return take_text("--fail-above", "percent from 0 to 1000000, such as 20",
                         read_percent(text, &o->compare.fail_above), text, error);
    case 'x':
        return take_text("--data-sets", "1 to 17",
                         read_count(text, RED_DATA_SETS_MAX, &o->selection.data_sets), text, error);
    case 'g':
        if (o->output.exports_n == RED_EXPORTS_MAX)
            return red_fail(error, RED_E_INPUT, "--export: at most %d files", RED_EXPORTS_MAX);
        o->output.exports[o->output.exports_n++] = text;
        return RED_OK;
    case 'k':
        if (o->selection.kernels_n == RED_KERNEL_FILES_MAX)
            return red_fail(error, RED_E_INPUT, "--kernel: at most %d files", RED_KERNEL_FILES_MAX);
        o->selection.kernels[o->selection.kernels_n++] = text;
        return RED_OK;
    }
    return RED_OK;
}

static error_t parse_option(int key, char *text, struct argp_state *state) {
    struct parse *parse = state->input;
    if (key == ARGP_KEY_ARG && parse->verb->takes_files) {
        if (parse->options->files_n < RED_RESULT_FILES_MAX)
            parse->options->files[parse->options->files_n++] = text;
        else if (parse->status == RED_OK)
            parse->status = red_fail(parse->error, RED_E_INPUT, "at most %d files", RED_RESULT_FILES_MAX);
        return 0;
    }
    if (key == ARGP_KEY_ARG) {
        if (parse->status == RED_OK)
            parse->status =
                red_fail(parse->error, RED_E_INPUT,
                         "unexpected argument '%s'; options begin with --, see %s --help", text, state->name);
        return 0;
    }
    key += key == RED_KEY_SHORT ? RED_KEY_BASE : 0;
    if (key < RED_KEY_BASE || key > RED_KEY_BASE + 0xff)
        return ARGP_ERR_UNKNOWN;
    parse->given[key - RED_KEY_BASE] = true;
    if (parse->status == RED_OK)
        parse->status = take(parse->options, parse->formats, key - RED_KEY_BASE, text, parse->error);
    return 0;
}

static const char *option_name(char key) {
    for (size_t i = 0; i < red_options_n; i++)
        if (red_option_table[i].key == key)
            return red_option_table[i].name;
    return "";
}

static bool is_asked_for(const struct parse *parse, const struct red_mode *mode) {
    return mode->key == RED_MODE_FILES ? parse->options->files_n > 0
                                       : mode->key == '\0' || parse->given[(unsigned char)mode->key];
}

/* An option without any effect would be taken for one that has one. */
static enum red_status refuse(const struct parse *parse, const struct red_mode *mode, char key) {
    const char *name = option_name(key), *with = option_name(mode->key);
    if (mode->key == RED_MODE_FILES)
        return red_fail(parse->error, RED_E_INPUT, "--%s has no effect with result files; leave it out",
                        name);
    if (mode->key != '\0')
        return red_fail(parse->error, RED_E_INPUT, "--%s has no effect with --%s; leave one of them out",
                        name, with);
    for (mode = parse->verb->modes; mode->key != '\0' && strchr(mode->keys, key) == NULL;)
        mode++;
    return red_fail(parse->error, RED_E_INPUT, "--%s has an effect only with %s%s; add %s or leave it out",
                    name, mode->key == RED_MODE_FILES ? "" : "--",
                    mode->key == RED_MODE_FILES ? "result files" : option_name(mode->key),
                    mode->key == RED_MODE_FILES ? "them" : "that");
}

static enum red_status check_mode(const struct parse *parse) {
    const struct red_mode *mode = parse->verb->modes;
    if (mode == NULL)
        return RED_OK;
    while (!is_asked_for(parse, mode))
        mode++;
    for (const char *key = parse->verb->keys; *key != '\0'; key++)
        if (parse->given[(unsigned char)*key] && strchr(mode->keys, *key) == NULL)
            return refuse(parse, mode, *key);
    return RED_OK;
}

/* Whether it is an option of the verb, written in full. */
static bool is_option(const struct argp_option *table, const char *name) {
    for (; table->name != NULL; table++)
        if (strncmp(name, "--", 2) == 0 && strcmp(name + 2, table->name) == 0)
            return true;
    return false;
}

/* getopt prints an option that it does not know, or that may be several, with its value and as it is. */
static enum red_status check_names(const struct argp_option *table, int argc, char **argv,
                                   struct red_error *error) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(argv[i], "="), argv[i]);
        if (name[0] == '-' && red_text_has_control(argv[i]) && !is_option(table, name))
            return red_fail(error, RED_E_INPUT,
                            "unknown option '%s'; one whose value has control characters is written in full",
                            name);
    }
    return RED_OK;
}

static void command_print(int argc, char **argv, char *text, size_t text_bytes) {
    size_t used = (size_t)snprintf(text, text_bytes, "clreduce");
    for (int i = 0; i < argc && used < text_bytes; i++)
        used += (size_t)snprintf(text + used, text_bytes - used, " %s", argv[i]);
}

enum red_status red_options_parse(const struct red_verb *verb, int argc, char **argv,
                                  struct red_options *options, struct red_error *error) {
    struct argp_option table[RED_OPTIONS_MAX + 1] = {{0}};
    const char *formats = verb->formats ? verb->formats : red_common_formats;
    char told[64];
    formats_print(formats, told, sizeof told);
    for (size_t i = 0, used = 0; i < red_options_n; i++) {
        if (strchr(verb->keys, red_option_table[i].key) == NULL)
            continue;
        table[used] = red_option_table[i];
        if (table[used].doc == NULL)
            table[used].doc = told;
        table[used++].key += red_option_table[i].key == RED_KEY_SHORT ? 0 : RED_KEY_BASE;
    }
    *options = (struct red_options){.selection = {.seed = 1, .shape = {.calls_n = 1}}};
    format_at(formats, 0, &options->output.format);
    command_print(argc, argv, options->selection.command, sizeof options->selection.command);
    if (check_names(table, argc, argv, error) != RED_OK)
        return RED_E_INPUT;
    char name[64];
    snprintf(name, sizeof name, "clreduce %s", verb->name);
    argv[0] = name;
    struct parse parse = {
        .verb = verb, .formats = formats, .options = options, .status = RED_OK, .error = error};
    const struct argp argp = {.options = table,
                              .parser = parse_option,
                              .args_doc = verb->takes_files ? "FILE..." : NULL,
                              .doc = verb->documentation};
    argp_err_exit_status = 4;
    int failed = argp_parse(&argp, argc, argv, 0, NULL, &parse);
    if (failed != 0 && parse.status == RED_OK)
        parse.status = red_fail(error, failed == ENOMEM ? RED_E_MEMORY : RED_E_INPUT,
                                "cannot read the command line: %s", strerror(failed));
    return parse.status == RED_OK ? check_mode(&parse) : parse.status;
}

void red_options_clear(struct red_options *options) {
    red_sizes_clear(&options->selection.n);
    red_sizes_clear(&options->selection.wg);
    red_sizes_clear(&options->selection.groups);
    free(options->kept);
    options->kept = NULL;
}
