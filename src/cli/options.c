/* Reads the command line (red_options_parse): which options the verb takes, and which have an effect beside
 * others. Mistakes are one line on stderr. */
#include "cli/options.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"
#include "core/text.h"

/* argp takes keys below 256 for letters: of these there is -o alone. */
enum { KEY_BASE = 0x100, KEY_SHORT = 'o' };

/* The number by which argp knows the option, and calls parse_option with. */
static int argp_key_of(enum red_option_id option) {
    return option == RED_OPTION_OUTPUT ? KEY_SHORT : KEY_BASE + (int)option;
}

/* What the parser fills; the first mistake is kept and reported after parsing. */
struct option_parser {
    const struct red_verb *verb;
    struct red_options *options;
    uint64_t given; /* options */
    enum red_status status;
    struct red_error *error;
};

/* Keeps a word that is no option as a file; an error where the verb takes none.
 *   command  "clreduce bench", for the message */
static enum red_status add_file(struct option_parser *parse, const char *text, const char *command) {
    if (parse->verb->files == NULL)
        return red_fail(parse->error, RED_E_INPUT,
                        "unexpected argument '%s'; options begin with --, see %s --help", text, command);
    parse->options->files[parse->options->files_n++] = text;
    return RED_OK;
}

/* argp calls it for each option and file: it reads the value into the options. */
static error_t parse_option(int key, char *text, struct argp_state *state) {
    struct option_parser *parse = state->input;
    if (key == ARGP_KEY_ARG) {
        if (parse->status == RED_OK)
            parse->status = add_file(parse, text, state->name);
        return 0;
    }
    const int option = key == KEY_SHORT ? RED_OPTION_OUTPUT : key - KEY_BASE;
    if (option < 0 || option >= RED_OPTIONS_N)
        return ARGP_ERR_UNKNOWN;
    parse->given |= UINT64_C(1) << option;
    if (parse->status == RED_OK)
        parse->status =
            red_option_table[option].read(&red_option_table[option], parse->options, text, parse->error);
    return 0;
}

/* The options that have a use in a mode of the verb: those of every mode, its own, and that which asks for
 * it. */
static uint64_t mode_options(const struct red_verb *verb, const struct red_mode *mode) {
    return verb->options | mode->options | (mode->asked >= 0 ? UINT64_C(1) << mode->asked : 0);
}

/* Those that the verb accepts, and that --help, the manual page and the completion list. */
uint64_t red_verb_options(const struct red_verb *verb) {
    uint64_t options = verb->options;
    for (const struct red_mode *mode = verb->modes; mode != NULL; mode++) {
        options |= mode_options(verb, mode);
        if (mode->asked == RED_MODE_ALWAYS)
            break;
    }
    return options;
}

/* Whether an option or a file of the command line asks for the mode. */
static bool is_mode_asked_for(const struct option_parser *parse, const struct red_mode *mode) {
    return mode->asked == RED_MODE_FILES
               ? parse->options->files_n > 0
               : mode->asked == RED_MODE_ALWAYS || (parse->given >> mode->asked & 1);
}

/* Refuses an option that has no effect here, since the user would expect one. */
static enum red_status refuse_option_without_effect(const struct option_parser *parse,
                                                    const struct red_mode *mode, int option) {
    const char *name = red_option_table[option].name;
    if (mode->asked == RED_MODE_FILES)
        return red_fail(parse->error, RED_E_INPUT, "--%s has no effect with result files; leave it out",
                        name);
    if (mode->asked != RED_MODE_ALWAYS)
        return red_fail(parse->error, RED_E_INPUT, "--%s has no effect with --%s; leave one of them out",
                        name, red_option_table[mode->asked].name);
    for (mode = parse->verb->modes; !(mode_options(parse->verb, mode) >> option & 1);)
        mode++;
    const bool is_file = mode->asked == RED_MODE_FILES;
    return red_fail(parse->error, RED_E_INPUT, "--%s has an effect only with %s%s; add %s or leave it out",
                    name, is_file ? "" : "--", is_file ? "result files" : red_option_table[mode->asked].name,
                    is_file ? "them" : "that");
}

/* Refuses options that have no effect in the mode of the verb that the command line asks for. */
static enum red_status check_mode(const struct option_parser *parse) {
    const struct red_mode *mode = parse->verb->modes;
    if (mode == NULL)
        return RED_OK;
    while (!is_mode_asked_for(parse, mode))
        mode++;
    for (int option = 0; option < RED_OPTIONS_N; option++)
        if ((parse->given & ~mode_options(parse->verb, mode)) >> option & 1)
            return refuse_option_without_effect(parse, mode, option);
    return RED_OK;
}

/* Whether the word is an option of the verb, written in full: "--output". */
static bool is_option_of_table(const struct argp_option *table, const char *word) {
    for (; table->name != NULL; table++)
        if (strncmp(word, "--", 2) == 0 && strcmp(word + 2, table->name) == 0)
            return true;
    return false;
}

/* Refuses an unknown option whose text has control characters: getopt would print these as they are. Other
 * unknown options are left to it. */
static enum red_status refuse_unprintable_unknown_option(const struct argp_option *table, int argc,
                                                         char **argv, struct red_error *error) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(argv[i], "="), argv[i]);
        if (name[0] == '-' && red_text_has_control(argv[i]) && !is_option_of_table(table, name))
            return red_fail(error, RED_E_INPUT,
                            "unknown option '%s'; one whose value has control characters is written in full",
                            name);
    }
    return RED_OK;
}

/* How many words of the command line the option --device takes here: 0 if it is another one. */
static int device_words(int argc, char **argv, int i) {
    return strncmp(argv[i], "--dev", 5) != 0 ? 0 : strchr(argv[i], '=') != NULL || i + 1 == argc ? 1 : 2;
}

/* Writes the command line into `text` as a shell takes it, with "clreduce" for the program and its verb in
 * argv[0]; result files and reports show it as `command`. Without the device it is what all ranks have in
 * common. */
static enum red_status command_format(int argc, char **argv, bool with_device, char *text, size_t text_bytes,
                                      struct red_error *error) {
    char *line = NULL;
    size_t n = 0;
    FILE *out = red_memstream_open(&line, &n);
    if (out != NULL)
        fputs("clreduce", out);
    for (int i = 0; i < argc && out != NULL; i++)
        if (with_device || device_words(argc, argv, i) == 0)
            red_shell_quoted_print(out, " ", argv[i]);
        else
            i += device_words(argc, argv, i) - 1;
    if (out == NULL || !red_memstream_close(out, &line))
        return red_fail(error, RED_E_MEMORY, "no memory for the command line");
    text[0] = '\0';
    red_text_add(text, text_bytes, "%s", line);
    free(line);
    return RED_OK;
}

enum red_status red_options_parse(const struct red_verb *verb, int argc, char **argv,
                                  struct red_options *options, struct red_error *error) {
    struct argp_option table[RED_OPTIONS_N + 1] = {{0}};
    const uint64_t options_taken = red_verb_options(verb);
    const unsigned formats = red_verb_formats(verb);
    char told[64];
    red_formats_format(formats, ", ", " or ", told, sizeof told);
    for (int i = 0, used = 0; i < RED_OPTIONS_N; i++) {
        const struct red_option *option = &red_option_table[i];
        if (options_taken >> i & 1)
            table[used++] = (struct argp_option){option->name,
                                                 argp_key_of((enum red_option_id)i),
                                                 option->argument,
                                                 option->may_lack ? OPTION_ARG_OPTIONAL : 0,
                                                 option->help ? option->help : told,
                                                 0};
    }
    *options = (struct red_options){.selection = {.seed = 1, .shape = {.calls_n = 1}},
                                    .verify = {.stress_s = -1},
                                    .formats = formats,
                                    .words = (const char *const *)argv,
                                    .words_n = (size_t)argc,
                                    .files = calloc((size_t)argc, sizeof *options->files)};
    if (options->files == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the command line");
    options->output.format = (enum red_format)(ffs((int)formats) - 1);
    enum red_status status = command_format(argc, argv, true, options->selection.command,
                                            sizeof options->selection.command, error);
    if (status == RED_OK)
        status =
            command_format(argc, argv, false, options->ranks.command, sizeof options->ranks.command, error);
    if (status == RED_OK)
        status = refuse_unprintable_unknown_option(table, argc, argv, error);
    if (status != RED_OK)
        return status;
    char name[64];
    snprintf(name, sizeof name, "clreduce %s", verb->name);
    argv[0] = name;
    struct option_parser parse = {.verb = verb, .options = options, .status = RED_OK, .error = error};
    const struct argp argp = {
        .options = table, .parser = parse_option, .args_doc = verb->files, .doc = verb->documentation};
    argp_err_exit_status = 4;
    int failed = argp_parse(&argp, argc, argv, 0, NULL, &parse);
    argv[0] = (char *)(uintptr_t)verb->name;
    if (failed != 0 && parse.status == RED_OK)
        parse.status = red_fail(error, failed == ENOMEM ? RED_E_MEMORY : RED_E_INPUT,
                                "cannot read the command line: %s", strerror(failed));
    return parse.status == RED_OK ? check_mode(&parse) : parse.status;
}

void red_options_clear(struct red_options *options) {
    red_sizes_clear(&options->selection.n);
    red_sizes_clear(&options->selection.wg);
    red_sizes_clear(&options->selection.groups);
    red_sizes_clear(&options->ranks.counts);
    free(options->files);
    options->files = NULL;
}
