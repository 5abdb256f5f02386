/* The command line: one table of options, of which every verb takes some. */
#ifndef CLREDUCE_CLI_OPTIONS_H
#define CLREDUCE_CLI_OPTIONS_H

#include <stdbool.h>

#include "core/output.h"
#include "gate/side.h"
#include "run/selection.h"
#include "verify/verify.h"

enum { RED_INPUTS_MAX = RED_KERNEL_FILES_MAX + RED_RESULT_FILES_MAX + 8 };

enum red_option_id {
    RED_OPTION_DEVICE,
    RED_OPTION_STRATEGY,
    RED_OPTION_OP,
    RED_OPTION_TYPE,
    RED_OPTION_N,
    RED_OPTION_WG,
    RED_OPTION_GROUPS,
    RED_OPTION_LANES,
    RED_OPTION_SHAPE,
    RED_OPTION_TUNE,
    RED_OPTION_TUNE_BUDGET,
    RED_OPTION_TUNED,
    RED_OPTION_AWAKE,
    RED_OPTION_KERNEL,
    RED_OPTION_FORMAT,
    RED_OPTION_OUTPUT,
    RED_OPTION_EXPORT,
    RED_OPTION_NAME,
    RED_OPTION_OVERWRITE,
    RED_OPTION_REPORT,
    RED_OPTION_SEED,
    RED_OPTION_TIME_PER_CELL,
    RED_OPTION_SOAK,
    RED_OPTION_DRIVERS,
    RED_OPTION_ACROSS,
    RED_OPTION_FAIL_ABOVE,
    RED_OPTION_EXPECT,
    RED_OPTION_RESUME,
    RED_OPTION_PATIENCE,
    RED_OPTION_DATA_SETS,
    RED_OPTION_ALL,
    RED_OPTION_FIRST,
    RED_OPTION_SPECIAL,
    RED_OPTION_SHOW_DATA,
    RED_OPTION_ACCURACY,
    RED_OPTION_BASE,
    RED_OPTION_HEAD,
    RED_OPTION_BASE_KERNEL,
    RED_OPTION_HEAD_KERNEL,
    RED_OPTION_BASE_ENV,
    RED_OPTION_HEAD_ENV,
    RED_OPTION_BASE_DEVICE,
    RED_OPTION_HEAD_DEVICE,
    RED_OPTION_PROFILE,
    RED_OPTION_POLICY,
    RED_OPTION_REQUIRE,
    RED_OPTION_REPLAY,
    RED_OPTION_PORTABLE,
    RED_OPTION_SOURCE,
    RED_OPTIONS_N
};

/* A set of options: RED_BIT(DEVICE) | RED_BIT(OP). */
#define RED_BIT(option) (UINT64_C(1) << RED_OPTION_##option)

/* Sets that go together. */
#define RED_SELECTION_OPTIONS (RED_BIT(DEVICE) | RED_BIT(STRATEGY) | RED_BIT(OP) | RED_BIT(TYPE))
#define RED_LAUNCH_OPTIONS    (RED_BIT(WG) | RED_BIT(GROUPS) | RED_BIT(LANES))
#define RED_OUTPUT_OPTIONS    (RED_BIT(FORMAT) | RED_BIT(OUTPUT))

/* What the command line said; each part is for the room that has its type. */
struct red_options {
    struct red_selection selection;
    struct red_output output;
    struct red_verify_options verify;
    struct {
        bool tune, tuned;     /* search for geometries; use what searches have found */
        double tune_budget_s; /* 0: the verb's default */
        bool awake;
        const char *report; /* where bench writes a page of its results; NULL: nowhere */
    } bench;
    struct {
        const char *across; /* differences between two runs that are accepted; NULL: none */
        double fail_above;  /* ratio of times from which on it fails; 0: never */
        bool drivers;
    } compare;
    struct red_duel_options duel;
    bool portable; /* recommend: only strategies that run on every OpenCL 1.2 */
    struct {
        const char *name; /* of what emit writes; NULL: by operation and type */
        bool overwrite;   /* also files that it has not written */
    } emit;
    const char *source;                      /* strategy whose program text is to be shown */
    const char *files[RED_RESULT_FILES_MAX]; /* what is no option, where the verb takes files */
    size_t files_n;
    const char *formats; /* that the verb offers */
    char (*kept)[32];    /* paths in the place of inputs that can be read once only (cli/inputs.h); owned */
    size_t kept_n;
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

/* What a verb does where an option, or a file, asks for it: the options that have a use then. */
enum { RED_MODE_FILES = -1, RED_MODE_ALWAYS = -2 };
struct red_mode {
    int asked;        /* an option, RED_MODE_FILES, or RED_MODE_ALWAYS, which comes last */
    uint64_t options; /* that have a use, its own among them */
};

/* One verb of the program. */
struct red_verb {
    const char *name;
    const char *summary; /* NULL: not listed, since only the program itself uses it */
    uint64_t options;    /* that it takes */
    const struct red_mode
        *modes;                /* the first that is asked for counts; NULL: all options have a use always */
    const char *formats;       /* of --format, the default first: "html,md,term"; NULL: table, json, csv */
    bool takes_files;          /* also arguments that are no options */
    bool ends_at_once;         /* the first Ctrl-C ends it: there is nothing to keep */
    const char *documentation; /* printed by --help; ends with an example */
    enum red_status (*run)(const struct red_options *options, struct red_error *error);
};

#endif
