/* The table of options: the help of each, how its value is read, and where that goes. options.c reads the
 * command line by it, --help and manual.c print it. */
#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "model/bins.h"
#include "model/primitive.h"

/* ---- reading values ------------------------------------------------------------------------------------ */

/* Fails with "--OPTION: 'TEXT' is not valid; expected ..." unless the value fits. */
static enum red_status check_value(const struct red_option *option, bool fits, const char *expected,
                                   const char *text, struct red_error *error) {
    return fits ? RED_OK
                : red_fail(error, RED_E_INPUT, "--%s: '%s' is not valid; expected %s", option->name, text,
                           expected);
}

/* Where the readers below put the value of an option: its place in the options (`at` of its row). */
static void *option_place(const struct red_option *option, struct red_options *to) {
    return (char *)to + option->at;
}

/* The readers below are called with the value of an option on the command line (options.c), put it where the
 * table says, and refuse what is not valid. A text that is kept is not copied. */
static enum red_status read_text(const struct red_option *option, struct red_options *to, const char *text,
                                 struct red_error *error) {
    (void)error;
    *(const char **)option_place(option, to) = text;
    return RED_OK;
}

static enum red_status read_switch(const struct red_option *option, struct red_options *to, const char *text,
                                   struct red_error *error) {
    (void)text, (void)error;
    *(bool *)option_place(option, to) = true;
    return RED_OK;
}

static enum red_status read_sizes(const struct red_option *option, struct red_options *to, const char *text,
                                  struct red_error *error) {
    char name[32];
    snprintf(name, sizeof name, "--%s", option->name);
    red_sizes_clear(option_place(option, to));
    return red_sizes_parse(name, text, option_place(option, to), error);
}

static enum red_status read_seconds(const struct red_option *option, struct red_options *to, const char *text,
                                    struct red_error *error) {
    return check_value(option, red_seconds_read(text, option->max, option_place(option, to)),
                       option->expected, text, error);
}

static enum red_status read_seconds_or_0(const struct red_option *option, struct red_options *to,
                                         const char *text, struct red_error *error) {
    double *seconds = option_place(option, to);
    if (strcmp(text, "0") != 0)
        return read_seconds(option, to, text, error);
    *seconds = 0;
    return RED_OK;
}

/* Up to 2^63 - 1: the largest integer that a JSON result file keeps. */
static enum red_status read_seed(const struct red_option *option, struct red_options *to, const char *text,
                                 struct red_error *error) {
    uint64_t *seed = option_place(option, to);
    errno = 0;
    *seed = strtoull(text, NULL, 10);
    bool fits =
        text[0] != '\0' && text[strspn(text, "0123456789")] == '\0' && errno == 0 && *seed <= INT64_MAX;
    return check_value(option, fits, "a whole number up to 2^63 - 1", text, error);
}

/* "10" becomes 1.1: what 10 percent more are as a ratio. */
static enum red_status read_percent_as_ratio(const struct red_option *option, struct red_options *to,
                                             const char *text, struct red_error *error) {
    char *end;
    double percent = strtod(text, &end);
    *(double *)option_place(option, to) = 1 + percent / 100;
    bool fits =
        end != text && (*end == '\0' || strcmp(end, "%") == 0) && percent >= 0 && percent <= option->max;
    return check_value(option, fits, option->expected, text, error);
}

static enum red_status read_count(const struct red_option *option, struct red_options *to, const char *text,
                                  struct red_error *error) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    *(unsigned *)option_place(option, to) = (unsigned)value;
    bool fits =
        text[0] >= '0' && text[0] <= '9' && *end == '\0' && value >= 1 && (double)value <= option->max;
    return check_value(option, fits, option->expected, text, error);
}

static enum red_status read_primitive(const struct red_option *option, struct red_options *to,
                                      const char *text, struct red_error *error) {
    const enum red_primitive primitive = red_primitive_find(text);
    if (primitive == RED_PRIMITIVES_N) {
        char expected[128];
        red_primitive_names_format(expected, sizeof expected);
        return check_value(option, false, expected, text, error);
    }
    *(enum red_primitive *)option_place(option, to) = primitive;
    to->selection.primitive_given = true;
    return RED_OK;
}

static enum red_status read_shape(const struct red_option *option, struct red_options *to, const char *text,
                                  struct red_error *error) {
    return red_shape_parse(text, option_place(option, to), error);
}

static enum red_status read_experiments(const struct red_option *option, struct red_options *to,
                                        const char *text, struct red_error *error) {
    return red_experiment_choice_read(text, option_place(option, to), error);
}

/* Adds a value to an option that repeats; `expected` says what its values are: "files". */
static enum red_status read_and_append(const struct red_option *option, struct red_options *to,
                                       const char *text, struct red_error *error) {
    const char **values = option_place(option, to);
    size_t *n = (size_t *)((char *)to + option->count_at);
    if ((double)*n >= option->max)
        return red_fail(error, RED_E_INPUT, "--%s: at most %.0f %s", option->name, option->max,
                        option->expected);
    values[(*n)++] = text;
    return RED_OK;
}

static enum red_status read_and_append_setting(const struct red_option *option, struct red_options *to,
                                               const char *text, struct red_error *error) {
    enum red_status status = read_and_append(option, to, text, error);
    return status == RED_OK ? check_value(option, strchr(text, '=') != NULL && text[0] != '=',
                                          "NAME=VALUE, such as POCL_AFFINITY=1", text, error)
                            : status;
}

/* Adds lanes that are not there yet: there are RED_LANES_MAX different ones. */
static void add_lanes_once(struct red_selection *to, struct red_tuning lanes) {
    for (size_t i = 0; i < to->lanes_n; i++)
        if (to->lanes[i].width == lanes.width && to->lanes[i].loads == lanes.loads)
            return;
    to->lanes[to->lanes_n++] = lanes;
}

static enum red_status read_lanes(const struct red_option *option, struct red_options *to, const char *text,
                                  struct red_error *error) {
    struct red_selection *selection = &to->selection;
    selection->lanes_n = 0;
    for (const char *at = text; at != NULL; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        struct red_tuning lanes = {.width = 0};
        char word[16];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
        if (!red_lanes_read(word, &lanes.width, &lanes.loads))
            return check_value(
                option, false,
                "WIDTHxLOADS of a width of 1, 2, 4, 8 or 16 and 1, 2, 4 or 8 loads, such as 4x4,16x2", text,
                error);
        add_lanes_once(selection, lanes);
    }
    return RED_OK;
}

/* ---- formats ------------------------------------------------------------------------------------------- */

static const char *const format_names[RED_FORMATS_N] = {
    [RED_FORMAT_TABLE] = "table", [RED_FORMAT_JSON] = "json",   [RED_FORMAT_CSV] = "csv",
    [RED_FORMAT_HTML] = "html",   [RED_FORMAT_MARKDOWN] = "md", [RED_FORMAT_SVG] = "svg",
    [RED_FORMAT_HEADER] = "h",    [RED_FORMAT_MAN] = "man",     [RED_FORMAT_BASH] = "bash"};

/* Those that --format accepts, and that --help, the manual page and the completion list. */
unsigned red_verb_formats(const struct red_verb *verb) {
    return verb->formats ? verb->formats : RED_FORMAT_BIT(TABLE) | RED_FORMAT_BIT(JSON) | RED_FORMAT_BIT(CSV);
}

/* For the help and errors of --format, the manual page and the completion. */
const char *red_formats_format(unsigned formats, const char *comma, const char *last, char *text,
                               size_t text_bytes) {
    text[0] = '\0';
    for (int f = 0; f < RED_FORMATS_N; f++)
        if (formats >> f & 1)
            red_text_add(text, text_bytes, "%s%s",
                         text[0] == '\0'     ? ""
                         : formats >> f == 1 ? last
                                             : comma,
                         format_names[f]);
    return text;
}

static enum red_status read_format(const struct red_option *option, struct red_options *to, const char *text,
                                   struct red_error *error) {
    char expected[64];
    for (int f = 0; f < RED_FORMATS_N; f++) {
        if (!(to->formats >> f & 1) || strcmp(text, format_names[f]) != 0)
            continue;
        to->output.format = (enum red_format)f;
        return RED_OK;
    }
    red_formats_format(to->formats, ", ", " or ", expected, sizeof expected);
    return check_value(option, false, expected, text, error);
}

/* ---- the table ----------------------------------------------------------------------------------------- */

#define AT(place)              offsetof(struct red_options, place)
#define RED_NAME(id, name)     ", " #name
#define RED_OP_NAME(name, ...) #name ", "
const struct red_option red_option_table[RED_OPTIONS_N] = {
    [RED_OPTION_PRIMITIVE] = {"primitive", "NAME",
                              "What is computed: reduce" RED_RESULT_PRIMITIVES(
                                  RED_NAME) " (default: reduce; of result files all that they hold)",
                              read_primitive, AT(selection.primitive)},
    [RED_OPTION_BINS] = {"bins", "NUMBER", "Bins of a histogram (1 to 65536, default 256)", read_count,
                         AT(selection.bins_n), .max = RED_BINS_MAX, .expected = "1 to 65536"},
    [RED_OPTION_DATA] = {"data", "LIST",
                         "Data that histograms are timed with: uniform, one bin, half in one, Zipf, sorted "
                         "(default: all)",
                         read_text, AT(selection.data)},
    [RED_OPTION_DEVICE] = {"device", "LIST",
                           "Devices by id, glob or part of a name; 'host' is OpenMP and the plain loop",
                           read_text, AT(selection.device)},
    [RED_OPTION_STRATEGY] = {"strategy", "LIST", "Strategies by name or glob", read_text,
                             AT(selection.strategy)},
    [RED_OPTION_OP] = {"op", "LIST",
                       "Operations: " RED_OPS(RED_OP_NAME, )
                           RED_RESULT_OPS(RED_OP_NAME, ) "each of one primitive",
                       read_text, AT(selection.op)},
    [RED_OPTION_TYPE] = {"type", "LIST",
                         "Types: i8, u8, i32, u32, i64, u64, f16, f32, f64; of histograms u8, u16, u32, i32, "
                         "f32",
                         read_text, AT(selection.type)},
    [RED_OPTION_N] = {"n", "SIZES", "Sizes: 1000,2^20+1, 2^10..2^24:x4 or 0..100:+1", read_sizes,
                      AT(selection.n)},
    [RED_OPTION_WG] = {"wg", "SIZES", "Work-group sizes, like --n", read_sizes, AT(selection.wg)},
    [RED_OPTION_GROUPS] = {"groups", "SIZES",
                           "Numbers of work-groups, like --n; of strategies with span stride or chunk",
                           read_sizes, AT(selection.groups)},
    [RED_OPTION_LANES] = {"lanes", "LIST",
                          "Vector width x loads in flight, such as 4x4,16x2; of strategies with such lanes",
                          read_lanes, AT(selection)},
    [RED_OPTION_SHAPE] =
        {"shape", "SHAPE",
         "array, segments:1048576x160 (how many x how long, to one value each), "
         "computed:1048576x160 (the same, computed by the kernel and stored nowhere), iterate:100 "
         "(another array at every call) or changed:100 (a launch changes the array before each)",
         read_shape, AT(selection.shape)},
    [RED_OPTION_EXPERIMENTS] =
        {"experiments", "LIST",
         "The experiments of lectures and articles, each a table: letters from a to h (default: all); whole: "
         "with up to 10^8 elements, and 160 values for each of 1024 x 1024 pixels",
         read_experiments, AT(bench.experiments), .may_lack = true},
    [RED_OPTION_KERNEL] = {"kernel", "FILE", "Adds your own kernel file to the catalogue; may be repeated",
                           read_and_append, AT(selection.kernels), .count_at = AT(selection.kernels_n),
                           .max = RED_KERNEL_FILES_MAX, .expected = "files"},
    [RED_OPTION_FORMAT] = {"format", "FORMAT", NULL /* those of the verb */, read_format, AT(output.format)},
    [RED_OPTION_OUTPUT] = {"output", "PATH",
                           "The file to write, - is the standard output; of emit and reproduce a folder",
                           read_text, AT(output.path)},
    [RED_OPTION_EXPORT] =
        {"export", "KIND=FILE",
         "Also writes FILE for another program, - is the standard output; may be repeated. KIND: "
         "google-benchmark, github-action-benchmark, junit, markdown, annotations; of verify and litmus "
         "junit alone",
         read_and_append, AT(output.exports), .count_at = AT(output.exports_n), .max = RED_EXPORTS_MAX,
         .expected = "files"},
    [RED_OPTION_NAME] =
        {"name", "NAME",
         "Of the files and functions that are written (default: reduce_sum_f32, by operation and type)",
         read_text, AT(emit.name)},
    [RED_OPTION_OVERWRITE] = {"overwrite", NULL,
                              "Replaces what is there; of emit also what it has not written", read_switch,
                              AT(emit.overwrite)},
    [RED_OPTION_REPORT] = {"report", "FILE",
                           "Also makes a page of the results (clreduce report); needs --output", read_text,
                           AT(bench.report)},
    [RED_OPTION_PICTURE] =
        {"picture", "NAME",
         "Picture that --format svg writes: pairs, time, devices, cub, bandwidth, winners, "
         "heat, speedup, groups, error or parts; of ranks efficiency or parts (default: "
         "pairs, efficiency)",
         read_text, AT(picture)},
    [RED_OPTION_SEED] = {"seed", "NUMBER", "Seed of all data and random choices (default 1)", read_seed,
                         AT(selection.seed)},
    [RED_OPTION_TIME_PER_CELL] = {"time-per-cell", "SECONDS",
                                  "Time budget of one cell, without the untimed calls before its batches; "
                                  "what is projected to exceed it is not run",
                                  read_seconds, AT(selection.time_per_cell_s), .max = 3600,
                                  .expected = "seconds from 0.0001 to 3600, such as 0.1 or 50ms"},
    [RED_OPTION_SOAK] = {"soak", "SECONDS",
                         "Verifies again and again with other seeds until the time is over, in the same "
                         "processes: a leak of theirs fails",
                         read_seconds, AT(verify.soak_s), .max = 86400,
                         .expected = "seconds from 0.0001 to 86400, such as 1800"},
    [RED_OPTION_STRESS] = {"stress", "SECONDS",
                           "How long each strategy whose groups read what others wrote is called, with other "
                           "data each time, beside launches that disturb memory; 0: not at all (default 1 on "
                           "devices that are no CPUs, unless --n or --soak is given; elsewhere 0)",
                           read_seconds_or_0, AT(verify.stress_s), .max = 3600,
                           .expected = "seconds from 0.0001 to 3600, such as 10, or 0"},
    [RED_OPTION_DRIVERS] = {"drivers", NULL, "Lines up devices, drivers and machines", read_switch,
                            AT(compare.drivers)},
    [RED_OPTION_ACROSS] =
        {"across", "LIST",
         "Compares two runs although these differ: machine, device, driver, version, settings, or all",
         read_text, AT(compare.across)},
    [RED_OPTION_FAIL_ABOVE] =
        {"fail-above", "PERCENT",
         "Makes the exit status 1 if a cell takes more than so many percent longer in head over its whole "
         "range; 2 or 5 if one is in trouble in head only; 3 if one has lost its time",
         read_percent_as_ratio, AT(compare.fail_above), .max = 1e6,
         .expected = "percent from 0 to 1000000, such as 20"},
    [RED_OPTION_EXPECT] = {"expect", "PATH",
                           "Register of known bugs, a file or a folder of files *.expect: what it lists "
                           "still runs, and must still fail",
                           read_text, AT(selection.expect)},
    [RED_OPTION_RESUME] = {"resume", NULL,
                           "Goes on with the run of this command that was interrupted or killed, from the "
                           "journal beside --output",
                           read_switch, AT(output.resume)},
    [RED_OPTION_PATIENCE] = {"patience", "SECONDS",
                             "Time that a driver may take for one thing beyond what it is expected to; then "
                             "it is ended, and the cell is timed-out; with --ranks the run ends (default "
                             "120)",
                             read_seconds, AT(selection.patience_s), .max = 3600,
                             .expected = "seconds from 0.0001 to 3600, such as 10"},
    [RED_OPTION_DATA_SETS] = {"data-sets", "NUMBER",
                              "Exact data sets that each cell is checked with before it is timed (at most "
                              "17, which is the default; of a duel 3)",
                              read_count, AT(selection.data_sets), .max = RED_DATA_SETS_MAX,
                              .expected = "1 to 17"},
    [RED_OPTION_ALL] = {"all", NULL,
                        "verify: every type and operation at every n; bench: the whole catalogue",
                        read_switch, AT(selection.all)},
    [RED_OPTION_FIRST] = {"first", NULL, "Stops at the first wrong result", read_switch, AT(verify.first)},
    [RED_OPTION_SPECIAL] = {"special", NULL, "Judges what comes of NaN, infinities, -0 and denormals",
                            read_switch, AT(verify.special)},
    [RED_OPTION_SHOW_DATA] = {"show-data", "DATA",
                              "Writes the elements of these data (as evidence names them: uses, 'part 1', "
                              "NaN, ...), their exact answer and the bound, for one --op, --type and --n",
                              read_text, AT(verify.show_data)},
    [RED_OPTION_ACCURACY] = {"accuracy", NULL, "Shows errors on data that is hard to add", read_switch,
                             AT(verify.accuracy)},
    [RED_OPTION_BASE] = {"base", "PROGRAM",
                         "The program to compare with, another build of clreduce (default: this one)",
                         read_text, AT(duel.side_program[0])},
    [RED_OPTION_HEAD] = {"head", "PROGRAM", "The program that may be slower (default: this one)", read_text,
                         AT(duel.side_program[1])},
    [RED_OPTION_BASE_KERNEL] = {"base-kernel", "FILE",
                                "Kernel file of the base; one of the name of a strategy takes its place",
                                read_text, AT(duel.side_kernel[0])},
    [RED_OPTION_HEAD_KERNEL] = {"head-kernel", "FILE", "Kernel file of the head", read_text,
                                AT(duel.side_kernel[1])},
    [RED_OPTION_BASE_ENV] = {"base-env", "NAME=VALUE", "Environment of the base's processes; may be repeated",
                             read_and_append_setting, AT(duel.environment[0]),
                             .count_at = AT(duel.environment_n[0]), .max = RED_ENVIRONMENT_MAX,
                             .expected = "settings"},
    [RED_OPTION_HEAD_ENV] = {"head-env", "NAME=VALUE", "Environment of the head's processes; may be repeated",
                             read_and_append_setting, AT(duel.environment[1]),
                             .count_at = AT(duel.environment_n[1]), .max = RED_ENVIRONMENT_MAX,
                             .expected = "settings"},
    [RED_OPTION_BASE_DEVICE] = {"base-device", "LIST",
                                "Devices of the base, where they are others than the head's", read_text,
                                AT(duel.side_device[0])},
    [RED_OPTION_HEAD_DEVICE] = {"head-device", "LIST", "Devices of the head", read_text,
                                AT(duel.side_device[1])},
    [RED_OPTION_PROFILE] = {"profile", "NAME", "How thoroughly: full (default) or fast", read_text,
                            AT(duel.profile)},
    [RED_OPTION_POLICY] = {"policy", "FILE", "Margins, budgets and quarantines of cells (clreduce.ini)",
                           read_text, AT(duel.policy)},
    [RED_OPTION_REQUIRE] = {"require", NULL, "UNDECIDED and UNTRUSTED make the exit status 3", read_switch,
                            AT(duel.required)},
    [RED_OPTION_REPLAY] = {"replay", "FILE", "Judges the samples of a stored duel again", read_text,
                           AT(duel.replay)},
    [RED_OPTION_PORTABLE] = {"portable", NULL, "Only strategies that run on every OpenCL 1.2", read_switch,
                             AT(portable)},
    [RED_OPTION_SOURCE] = {"source", "NAME",
                           "Shows the whole program text of a strategy or litmus test that a driver compiles",
                           read_text, AT(source)},
    [RED_OPTION_KEEP_N] = {"keep-n", NULL, "Looks for no smaller n at which the check still fails",
                           read_switch, AT(keep_n)},
    [RED_OPTION_DESPITE_PROBES] = {"despite-probes", NULL,
                                   "Also checks what needs something that builds and that probes found wrong",
                                   read_switch, AT(selection.despite_probes)},
    [RED_OPTION_RANKS] = {"ranks", NULL,
                          "Spreads one array over all ranks of mpirun, and reduces it to one value",
                          read_switch, AT(ranks.ranks)},
    [RED_OPTION_RANK_COUNTS] = {"rank-counts", "SIZES",
                                "Numbers of ranks that are measured, like --n (default: 1, 2, 4, ..., and "
                                "all)",
                                read_sizes, AT(ranks.counts)},
    [RED_OPTION_SPLIT] = {"split", "SPLIT",
                          "How the array is cut into the ranks' pieces: roof, in proportion to the measured "
                          "roofs of their devices, or equal (bench: roof); verify takes a list, and random, "
                          "too (all)",
                          read_text, AT(ranks.split)},
    [RED_OPTION_SCALING] = {"scaling", "LIST",
                            "strong: --n is of the whole array; weak: of each rank's piece (default: both)",
                            read_text, AT(ranks.scaling)},
    [RED_OPTION_COLLECTIVE] = {"collective", "LIST",
                               "Finishes across ranks: mpi_reduce, mpi_allreduce, gather_in_order, exact, "
                               "persistent (default: all)",
                               read_text, AT(ranks.collective)},
    [RED_OPTION_EACH] = {"each", NULL,
                         "Each rank of mpirun works with a device of its own, one after the other on a host, "
                         "and rank 0 writes one file of all",
                         read_switch, AT(ranks.each)},
    [RED_OPTION_BUDGET] =
        {"budget", "SECONDS",
         "Time to check strategies over ranks, once every pair was checked by OpenMP, or to run "
         "litmus tests on a device (default 20)",
         read_seconds, AT(ranks.budget_s), .max = 86400,
         .expected = "seconds from 0.0001 to 86400, such as 20 or 500ms"},
    [RED_OPTION_TEST] = {"test", "LIST", "Litmus tests by name or glob (default: all)", read_text,
                         AT(litmus.test)},
    [RED_OPTION_PROGRESS] = {"progress", NULL,
                             "Instead runs tests of progress between groups that may never end, and kills "
                             "those that take 2 s",
                             read_switch, AT(litmus.progress)},
    [RED_OPTION_FORCE] = {"force", NULL, "Also on a GPU that may drive a display, which then may freeze",
                          read_switch, AT(litmus.forced)},
};
