/* The command line: one table of options, of which every verb takes some. */
#ifndef CLREDUCE_CLI_OPTIONS_H
#define CLREDUCE_CLI_OPTIONS_H

#include <stdbool.h>

#include "core/format.h"
#include "model/geometry.h"
#include "model/shape.h"

enum {
    RED_KERNEL_FILES_MAX = 16,
    RED_LANES_MAX = 20,
    RED_DATA_SETS_MAX = 17,
    RED_RESULT_FILES_MAX = 16,
    RED_EXPORTS_MAX = 16,
    RED_ENVIRONMENT_MAX = 16,
    RED_RUNS_MAX = 32,
    RED_INPUTS_MAX = RED_KERNEL_FILES_MAX + RED_RESULT_FILES_MAX + RED_RUNS_MAX + 8
};

struct red_options {
    const char *device, *strategy, *op, *type; /* lists of names or globs; NULL: the verb's default */
    struct red_sizes n, wg, groups;            /* empty: the verb's default */
    struct red_tuning lanes[RED_LANES_MAX];    /* width and loads only */
    size_t lanes_n;
    struct red_shape shape;
    const char *kernels[RED_KERNEL_FILES_MAX];
    size_t kernels_n;
    enum red_format format;
    const char *output;                   /* NULL: the verb's default */
    const char *exports[RED_EXPORTS_MAX]; /* KIND=FILE each (export/export.h) */
    size_t exports_n;
    const char *name;      /* of what emit writes; NULL: by operation and type */
    const char *show_data; /* name of the data that verify shows instead of checking; NULL: it checks */
    const char *report;    /* where bench writes a page of its results; NULL: nowhere */
    const char *expect;    /* file or folder with known bugs; NULL: none */
    const char *source;    /* strategy whose program text is to be shown */
    uint64_t seed;
    double time_per_cell_s; /* 0: the verb's default */
    unsigned data_sets;     /* exact ones that a cell is checked with; 0: the verb's default */
    double tune_budget_s;   /* 0: the verb's default */
    bool all, first, special, accuracy;
    bool tune, tuned; /* search for geometries; use what searches have found */
    bool awake, resume, drivers;
    const char *across;                      /* differences between two runs that are accepted; NULL: none */
    double fail_above;                       /* ratio of times from which on `compare` fails; 0: never */
    const char *files[RED_RESULT_FILES_MAX]; /* what is no option, where the verb takes files */
    size_t files_n;
    double soak_s;     /* 0: verify once */
    double patience_s; /* that a driver may take for one question; 0: the default */
    /* of a duel, base first: NULL where nothing was given */
    const char *side_program[2], *side_kernel[2], *side_device[2];
    const char *environment[2][RED_ENVIRONMENT_MAX]; /* NAME=VALUE */
    size_t environment_n[2];
    const char *profile, *policy, *replay, *self_test;
    bool required;
    /* of a recommendation */
    bool check, portable;
    bool overwrite;                  /* emit: also files that it has not written */
    const char *fresh[RED_RUNS_MAX]; /* result files to check it with; none: measure again */
    size_t fresh_n;
    unsigned runs_n;  /* so often; 0: the default */
    char (*kept)[32]; /* paths in the place of inputs that can be read once only (cli/inputs.h); owned */
    size_t kept_n;
    char command[512]; /* the whole command line, for the record */
};

/* Reads argv[0] (the verb) and what follows it. On --help prints the verb's page and ends the program; a
 * malformed option is one line and exit status 4.
 *   verb  a row of the table in cli/main.c: its options, documentation and example
 * Release with red_options_clear. Errors: RED_E_INPUT, RED_E_MEMORY. */
struct red_verb;
enum red_status red_options_parse(const struct red_verb *verb, int argc, char **argv,
                                  struct red_options *options, struct red_error *error);
void red_options_clear(struct red_options *options);

/* The i-th format of a list "html,md,term" by name, or NULL behind its end; and the list that a verb without
 * one has. */
const char *red_format_name_at(const char *list, size_t i);
extern const char red_common_formats[];

/* The combinations of --wg, --groups and --lanes, at least one; what was not given is 0. */
size_t red_options_tunings_n(const struct red_options *options);
struct red_tuning red_options_tuning(const struct red_options *options, size_t i);

/* For verbs that take one size where others take lists: whether --wg and --n, if they are given, are one
 * each, and a group holds a work-item. Errors: RED_E_INPUT. */
enum red_status red_options_check_single(const struct red_options *options, struct red_error *error);

/* What a verb does where an option asks for it: the options that have a use then. */
enum { RED_MODE_FILES = '@' };
struct red_mode {
    char key;         /* of the option that asks for it; RED_MODE_FILES: files; 0: none, which comes last */
    const char *keys; /* of those that have a use, its own among them */
};

/* One verb of the program. */
struct red_verb {
    const char *name;
    const char *summary; /* NULL: not listed, since only the program itself uses it */
    const char *keys;    /* the options it takes, by their keys (cli/options.c) */
    const struct red_mode
        *modes;                /* the first that is asked for counts; NULL: all options have a use always */
    const char *formats;       /* of --format, the default first: "html,md,term"; NULL: table, json, csv */
    bool takes_files;          /* also arguments that are no options */
    bool ends_at_once;         /* the first Ctrl-C ends it: there is nothing to keep */
    const char *documentation; /* printed by --help; ends with an example */
    enum red_status (*run)(const struct red_options *options, struct red_error *error);
};

enum red_status red_cmd_devices(const struct red_options *options, struct red_error *error);
enum red_status red_cmd_strategies(const struct red_options *options, struct red_error *error);
enum red_status red_cmd_verify(const struct red_options *options, struct red_error *error);
enum red_status red_cmd_compare(const struct red_options *options, struct red_error *error);
enum red_status red_cmd_recommend(const struct red_options *options, struct red_error *error);
enum red_status red_cmd_manual(const struct red_options *options, struct red_error *error);
enum red_status red_cmd_emit(const struct red_options *options, struct red_error *error);
enum red_status red_cmd_report(const struct red_options *options, struct red_error *error);
enum red_status red_cmd_duel(const struct red_options *options, struct red_error *error);
enum red_status red_cmd_once(const struct red_options *options, struct red_error *error);
enum red_status red_cmd_bench(const struct red_options *options, struct red_error *error);

#endif
