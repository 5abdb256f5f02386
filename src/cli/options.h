/* What the files of src/cli share: the command line with its one table of options, of which every verb takes
 * some; inputs that can be read once only; outputs of `bench`; and the check that no output overwrites an
 * input. */
#ifndef CLREDUCE_CLI_OPTIONS_H
#define CLREDUCE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/file.h"
#include "gate/duel.h"
#include "ranks/scaling.h"
#include "results/result.h"
#include "run/bench.h"
#include "run/session.h"
#include "verify/verify.h"

/* ---- command line -------------------------------------------------------------------------------------- */

enum red_option_id {
    RED_OPTION_PRIMITIVE,
    RED_OPTION_BINS,
    RED_OPTION_DATA,
    RED_OPTION_DEVICE,
    RED_OPTION_STRATEGY,
    RED_OPTION_OP,
    RED_OPTION_TYPE,
    RED_OPTION_N,
    RED_OPTION_WG,
    RED_OPTION_GROUPS,
    RED_OPTION_LANES,
    RED_OPTION_SHAPE,
    RED_OPTION_EXPERIMENTS,
    RED_OPTION_KERNEL,
    RED_OPTION_FORMAT,
    RED_OPTION_OUTPUT,
    RED_OPTION_EXPORT,
    RED_OPTION_NAME,
    RED_OPTION_OVERWRITE,
    RED_OPTION_REPORT,
    RED_OPTION_PICTURE,
    RED_OPTION_SEED,
    RED_OPTION_TIME_PER_CELL,
    RED_OPTION_SOAK,
    RED_OPTION_STRESS,
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
    RED_OPTION_KEEP_N,
    RED_OPTION_DESPITE_PROBES,
    RED_OPTION_RANKS,
    RED_OPTION_RANK_COUNTS,
    RED_OPTION_SPLIT,
    RED_OPTION_SCALING,
    RED_OPTION_COLLECTIVE,
    RED_OPTION_EACH,
    RED_OPTION_BUDGET,
    RED_OPTION_TEST,
    RED_OPTION_PROGRESS,
    RED_OPTION_FORCE,
    RED_OPTIONS_N
};

/* A set of options: RED_BIT(DEVICE) | RED_BIT(OP). */
#define RED_BIT(option) (UINT64_C(1) << RED_OPTION_##option)

/* Sets that go together. */
#define RED_SELECTION_OPTIONS                                                                                \
    (RED_BIT(PRIMITIVE) | RED_BIT(BINS) | RED_BIT(DEVICE) | RED_BIT(STRATEGY) | RED_BIT(OP) | RED_BIT(TYPE))
#define RED_LAUNCH_OPTIONS (RED_BIT(WG) | RED_BIT(GROUPS) | RED_BIT(LANES))
#define RED_OUTPUT_OPTIONS (RED_BIT(FORMAT) | RED_BIT(OUTPUT))

/* What the command line said; each part is for the room that has its type. */
struct red_options {
    struct red_selection selection;
    struct red_output output;
    struct red_verify_options verify;
    struct {
        struct red_experiment_choice experiments; /* no letters: those of the command line */
        const char *report; /* where bench writes a page of its results; NULL: nowhere */
    } bench;
    struct {
        const char *across; /* differences between two runs that are accepted; NULL: none */
        double fail_above;  /* ratio of times from which on it fails; 0: never */
        bool drivers;
    } compare;
    struct red_duel_options duel;
    struct red_ranks_options ranks;
    bool portable; /* recommend: only strategies that run on every OpenCL 1.2 */
    struct {
        const char *name; /* of what emit writes; NULL: by operation and type */
        bool overwrite;   /* also files that it has not written */
    } emit;
    const char *picture; /* report: that --format svg writes; NULL: the first */
    bool keep_n;         /* reproduce: look for no smaller n */
    const char *source;  /* strategy or litmus test whose program text is to be shown */
    struct {
        const char *test; /* list of litmus tests; NULL: all */
        bool progress;    /* instead of them tests of progress that may never end */
        bool forced;      /* these also where they may freeze a display */
    } litmus;
    const char **files; /* owned: what is no option, where the verb takes files */
    size_t files_n;
    unsigned formats;         /* that the verb offers: red_verb_formats */
    const char *const *words; /* borrowed: the verb, and the words behind it */
    size_t words_n;
};

/* Reads argv[0] (the verb) and what follows it, and reorders argv.
 * --help prints the verb's page and ends the program, as an unknown option does with a line and exit status
 * 4; a malformed value is an error. The texts of argv stay the caller's.
 *   verb  a row of the table in cli/main.c: its options, documentation and example
 * Release with red_options_clear. Errors: RED_E_INPUT, RED_E_MEMORY. */
struct red_verb;
enum red_status red_options_parse(const struct red_verb *verb, int argc, char **argv,
                                  struct red_options *options, struct red_error *error);
void red_options_clear(struct red_options *options);

/* What a verb does where an option, or a file, asks for it. */
enum { RED_MODE_FILES = -1, RED_MODE_ALWAYS = -2 };
struct red_mode {
    int asked;        /* an option, RED_MODE_FILES, or RED_MODE_ALWAYS, which comes last */
    uint64_t options; /* that have a use then, beside that one and those of the verb */
};

/* A set of formats: RED_FORMAT_BIT(HTML) | RED_FORMAT_BIT(SVG). */
#define RED_FORMAT_BIT(format) (1u << RED_FORMAT_##format)

/* One verb of the program. */
struct red_verb {
    const char *name;
    const char *summary;          /* NULL: not listed, since only the program itself uses it */
    uint64_t options;             /* that have a use in every mode */
    const struct red_mode *modes; /* the first that is asked for counts; NULL: there is one only */
    unsigned formats;  /* of --format, the first of enum red_format the default; 0: table, json, csv */
    const char *files; /* also arguments that are no options, as --help shows them; NULL: none */
    bool ends_at_once; /* the first Ctrl-C ends it: there is nothing to keep */
    const char *documentation; /* printed by --help; ends with an example */
    enum red_status (*run)(const struct red_options *options, struct red_error *error);
};

/* All options that the verb takes, in any mode; and its formats. */
uint64_t red_verb_options(const struct red_verb *verb);
unsigned red_verb_formats(const struct red_verb *verb);

/* ---- table of options ------------------------------------------------------------------------------------
 * Every option of every verb. The command line is read by it; --help, the manual page and the shell's
 * completion are made of it. */

/* Reads the value of an option, NULL for a switch, into its place in *to. Errors: RED_E_INPUT, in a line that
 * names the option, what it was given, and what would be right. */
struct red_option;
typedef enum red_status red_option_read(const struct red_option *option, struct red_options *to,
                                        const char *text, struct red_error *error);

struct red_option {
    const char *name, *argument; /* argument NULL: a switch */
    const char *help;            /* NULL: that of the verb's formats */
    red_option_read *read;
    size_t at,
        count_at; /* where the value goes in struct red_options, and how many there are of one that repeats */
    double max;
    const char *expected; /* in words */
    bool may_lack;        /* the argument, which is given behind a = then; `read` gets NULL for it */
};

/* By enum red_option_id; --help shows them in this order. -o alone is a short option, too. */
extern const struct red_option red_option_table[RED_OPTIONS_N];

/* Writes the names of formats, with `comma` between them and `last` before the last one: "table, json or
 * csv". Gives `text`. */
const char *red_formats_format(unsigned formats, const char *comma, const char *last, char *text,
                               size_t text_bytes);

/* ---- result files of the command line ----------------------------------------------------------------- */

/* Refuses a command line without result files. `usage` is what the line says before "result files of clreduce
 * bench --output": "report RESULT.json... wants". Errors: RED_E_INPUT. */
enum red_status red_options_check_has_files(const struct red_options *options, const char *usage,
                                            struct red_error *error);

/* ---- outputs of bench ------------------------------------------------------------------------------------
 * The result file, the table, and files for other programs (--export). */

/* Where the data goes: with --format json or csv and no --output it is the standard output, and nothing else
 * is; a table alone has none (NULL). */
const char *red_outputs_result_path(const struct red_options *options);

/* Where what is for a person goes: NULL where the data is on the standard output, and nothing else. Beside an
 * export there, it is the standard error. */
FILE *red_outputs_screen(const struct red_options *options);

/* Refuses --output, --report and --export that cannot be written, and unknown kinds of export, before
 * anything is measured: an hour of measuring must not end so. Errors: RED_E_INPUT. */
enum red_status red_outputs_check(const struct red_options *options, struct red_error *error);

/* Prints the table of a run; context: whatever it is printed of. */
typedef void red_outputs_printer(const void *context, FILE *screen);

/* Writes them all, and the page of --report. `print` puts the table on the screen, if there is one; the
 * result file is JSON, or with --format csv CSV. Errors: those of writing; if there are several the first,
 * and the others are told on stderr. */
enum red_status red_outputs_write(const struct red_options *options, const struct red_run *run,
                                  red_outputs_printer *print, const void *context, struct red_error *error);

/* With --export fails where a cell has no time though it should (red_export_refuse_lost_cells); otherwise it
 * judges nothing. */
enum red_status red_outputs_check_export_times(const struct red_options *options, const struct red_run *run,
                                               struct red_error *error);

/* ---- no overwriting --------------------------------------------------------------------------------------
 * No output of a verb may be one of its inputs or another output; checked before anything is done. */

/* Judges all files that the options name: inputs, outputs, the journal beside --output, this very program.
 * Two names are one file if they lead to the same device and inode, through links of either kind, or would.
 * Errors: RED_E_INPUT naming both options. */
enum red_status red_options_check_distinct_files(const struct red_options *options, struct red_error *error);

/* Judges whether one output more, such as a file in emit's folder, is an input; not whether it is another
 * output. `option` is what the message calls it. Errors: RED_E_INPUT. */
enum red_status red_check_emitted_file_is_no_input(const struct red_options *options, const char *option,
                                                   const char *path, struct red_error *error);

/* ---- verbs -----------------------------------------------------------------------------------------------
 * Each verb is a file of its own, with its row red_verb_<name>; --help, the manual page and the completion
 * are made of these. */

extern const struct red_verb *const red_verbs[];
extern const size_t red_verbs_n;

#endif
