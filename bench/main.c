/* clreduce: one program, one verb per file. */
#define _POSIX_C_SOURCE 200809L /* readlink, setenv */
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/interrupt.h"
#include "bench/options.h"

static const struct red_verb verbs[] = {
    {.name = "devices",
     .summary = "what there is to run on, and what it can do",
     .keys = "dfoH",
     .documentation =
         "Lists every OpenCL device with the capabilities that matter here, and of each three answers: what "
         "the "
         "driver says, whether a probe kernel builds, whether it behaves on exact data over several group "
         "sizes. '!' marks where they disagree: 'says no, works', 'says yes, wrong'.\v"
         "Example: clreduce devices --device 'intel,pocl'",
     .run = red_cmd_devices},
    {.name = "strategies",
     .summary = "the catalogue, from the manifests of the kernels",
     .keys = "sptkwLUfou",
     .documentation =
         "Lists the strategies: how elements reach work-items (span), how a group combines them (group), who "
         "finishes, what it needs, and which 1.x strategy a 2.x one replaces; or, with --tuned, the "
         "geometries that "
         "bench --tune has found.\v"
         "Example: clreduce strategies --strategy 'wg_*'\n"
         "Example: clreduce strategies --source tree --type f64 --op dot --wg 32\n"
         "Example: clreduce strategies --tuned",
     .run = red_cmd_strategies},
    {.name = "verify",
     .summary = "checks every result over awkward sizes, types, group sizes and data",
     .keys = "dsptnwGLkfoecailrHEKR",
     .documentation =
         "Checks results against an exact sum: a covering choice in which every pair of strategy, type, "
         "operation, "
         "group size, n and data occurs; with --all every strategy, type and operation at every n. Exit "
         "status 2 "
         "if anything is wrong.\v"
         "Example: clreduce verify --device pocl --strategy 'tree*' --type f32,f64\n"
         "Example: clreduce verify --kernel mine.cl\n"
         "Example: clreduce verify --accuracy --strategy 'tree*,compensated,serial' --type f32,f64\n"
         "Example: clreduce verify --special --op sum,max --format csv --output answers.csv",
     .run = red_cmd_verify},
    {.name = "bench",
     .summary = "verifies, measures, compares, and answers in one sentence per device",
     .keys = "dsptnwGLhTBUAkfoygecaxrHRE",
     .documentation =
         "Verifies and measures strategies side by side; the OpenMP row is always there to compare with. "
         "Times are "
         "times to answer: from the first enqueue until the result is in a host variable. Without --strategy "
         "it "
         "takes the ten that answer what 2.x buys over 1.x; with --all the whole catalogue. --tune "
         "searches "
         "for the geometry that suits each device, keeps it and uses it; --tuned uses what was kept; "
         "otherwise "
         "nothing that was kept has any effect. --awake keeps processors from sleeping, which on virtual "
         "machines can "
         "take longer to end than a reduction.\v"
         "Example: clreduce bench --n 2^10..2^26:x4 --strategy 'tree,wg_*,chunk' --output result.json\n"
         "Example: clreduce bench --kernel mine.cl --type f32 --device intel\n"
         "Example: clreduce bench --shape segments:1048576x160 --op mean\n"
         "Example: clreduce bench --shape iterate:100 --n 2^20\n"
         "Example: clreduce bench --strategy chunk --groups 1..32 --n 2^20\n"
         "Example: clreduce bench --awake --device pocl,intel --strategy 'chunk,svm_chunk'\n"
         "Example: clreduce bench --tune --strategy 'chunk,grid_stride_vec'\n"
         "Example: clreduce bench --device pocl --export junit=report.xml --export otava=history.csv",
     .run = red_cmd_bench},
    {.name = "compare",
     .summary = "says what differs between two stored runs, or lines up devices, drivers and machines",
     .keys = "DXFfo",
     .takes_files = true,
     .documentation =
         "BASE.json HEAD.json: lines up the same cells of two stored runs (bench --output). It tells what "
         "ended "
         "otherwise, what is missing and what is new, and whose times differ by more than their intervals. "
         "Each interval is of one process, and medians of two processes of the same program differ by 5 to "
         "16 %, so it calls nothing slower, and its exit status is 0 whatever it finds, unless --fail-above "
         "is given. It refuses two runs of different machines, devices, drivers, versions or settings unless "
         "--across names what may differ.\n"
         "--drivers FILE...: lines up the devices of result files: what they can do differently, what is "
         "right "
         "here and wrong there, and how long they take. Times of one run are compared, with their "
         "interval; of different machines they are only shown.\v"
         "Example: clreduce compare base.json head.json\n"
         "Example: clreduce compare --across driver,device old-driver.json new-driver.json --format csv\n"
         "Example: clreduce compare --drivers pocl.json intel.json\n"
         "Example: clreduce compare --drivers results/cpu-2-cores.json --format csv --output drivers.csv",
     .run = red_cmd_compare},
    {.name = "report",
     .summary = "makes a page of result files: pictures, figures, and what they say",
     .keys = "ptfo",
     .formats = "html,md,term",
     .takes_files = true,
     .documentation =
         "Shows result files (bench --output) as one page: first what 2.x buys over 1.x, then times, "
         "bandwidth, "
         "who is fastest where, speed-up, errors, what did not run and why, how it was measured. html is one "
         "file that needs neither network nor script; md is for a pull request, term for a log. Several "
         "files "
         "stand side by side, each named by a letter. Pictures are drawn by gnuplot.\v"
         "Example: clreduce report results/cpu-2-cores.json --output report.html\n"
         "Example: clreduce report pocl.json intel.json --output drivers.html\n"
         "Example: clreduce report result.json --op sum --type f32 --format term",
     .run = red_cmd_report},
    {.name = "recommend",
     .summary = "says which strategy to use for which n, from result files",
     .keys = "dsptkfoecCJMO",
     .formats = "table,json,h",
     .takes_files = true,
     .documentation =
         "Says for each device, operation and type of result files (bench --output) which strategy to use "
         "for "
         "which n: in bands, as few and as wide as the times allow; ties go to the simpler strategy. h is a "
         "C "
         "header with the rules and a lookup. Several runs of one command know more than one. --check "
         "measures "
         "again, and its exit status is 3 if the recommendation costs more than 2 % (median), 8 % (of 95 % "
         "of "
         "cells) or 20 % (worst).\v"
         "Example: clreduce recommend results/cpu-2-cores.json\n"
         "Example: clreduce recommend monday.json tuesday.json --device intel --format h --output rules.h\n"
         "Example: clreduce recommend result.json --check\n"
         "Example: clreduce recommend result.json --portable --format json",
     .run = red_cmd_recommend},
    {.name = "duel",
     .summary = "a gate for CI: two builds, kernels, drivers or environments against each other, live",
     .keys = "dsptnwGLfoexgHbjmqVWNYPIQZS",
     .documentation =
         "Measures two live sides in turns, each in processes of its own: two builds (--base, --head), two "
         "kernel files, two "
         "environments, two drivers. Stage 1 nominates cells, stage 2 measures those again and confirms; the "
         "chance of any "
         "false SLOWER in a whole duel is at most 1 %. Verdicts are SLOWER (by more than the margin, 2 %), "
         "FASTER, SAME, "
         "UNDECIDED and UNTRUSTED. The exit status is 1 for a confirmed SLOWER, 2 for a wrong result of the "
         "head, 3 where the "
         "head lacks a cell or --require finds no answer, 5 where the head's driver fails. --output keeps "
         "every sample, and "
         "--replay judges them again.\v"
         "Example: clreduce duel --base old/clreduce --head build/clreduce --device pocl --output duel.json\n"
         "Example: clreduce duel --strategy chunk --head-kernel mine.cl --n '2^12,2^20'\n"
         "Example: clreduce duel --base-device pocl --head-device intel --strategy chunk,tree\n"
         "Example: clreduce duel --device pocl --head-env POCL_AFFINITY=1 --profile fast\n"
         "Example: clreduce duel --replay duel.json\n"
         "Example: clreduce duel --self-test '*' --device pocl --output gate.json",
     .run = red_cmd_duel},
    {.name = "once",
     .summary = "calls each chosen cell once, in this process: for simulators, profilers, debuggers",
     .keys = "dsptnwGLhke",
     .documentation =
         "Calls each chosen cell once, in this very process, and checks the result, for tools that watch a "
         "process: what they print about the call's own launches stands between the lines 'once: begin' and "
         "'once: end'. Works with one device. Without options it takes the whole catalogue, sum of f32, n = "
         "1000. Exit status 2 if anything is wrong.\v"
         "Example: clreduce once --device pocl --strategy tree\n"
         "Example: oclgrind --inst-counts --num-threads 1 clreduce once --strategy tree --n 4001 --wg 32",
     .run = red_cmd_once},
    {.name = "worker",
     .keys = "k",
     .documentation = "Works with one device's driver, apart; clreduce starts this itself.",
     .run = red_cmd_worker},
};
enum { VERBS_N = sizeof verbs / sizeof verbs[0] };

static void print_help(FILE *out) {
    fputs("Usage: clreduce VERB [OPTION...]\n"
          "Parallel reductions in OpenCL 1.x and 2.x side by side: right first, then fast.\n\n",
          out);
    for (int i = 0; i < VERBS_N; i++)
        if (verbs[i].summary != NULL)
            fprintf(out, "  %-11s %s\n", verbs[i].name, verbs[i].summary);
    fputs("\nclreduce VERB --help tells the options of a verb.\nExample: clreduce bench --device pocl\n",
          out);
}

/* Whether the standard output is a pipe that nobody reads any more. */
static bool reader_is_gone(void) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

static enum red_status run_verb(int argc, char **argv, struct red_error *error) {
    for (int i = 0; i < VERBS_N; i++) {
        if (strcmp(argv[1], verbs[i].name) != 0)
            continue;
        struct red_options options;
        enum red_status status = red_options_parse(&verbs[i], argc - 1, argv + 1, &options, error);
        if (status == RED_OK)
            status = verbs[i].run(&options, error);
        if ((fflush(stdout) != 0 || ferror(stdout)) && status == RED_OK)
            status =
                reader_is_gone()
                    ? red_fail(error, RED_E_PIPE, "nobody reads the standard output any more")
                    : red_fail(error, RED_E_INPUT, "cannot write the standard output: is the disk full?");
        red_options_clear(&options);
        return status;
    }
    return red_fail(error, RED_E_INPUT,
                    "unknown verb '%s'; expected devices, strategies, verify, bench, compare, report, "
                    "recommend, duel or once",
                    argv[1]);
}

/* bench/run puts drivers beside the program. They are used whoever starts it, unless the user chose others.
 */
static void use_drivers_beside(void) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 32);
    if (length < 0)
        return;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return;
    snprintf(slash, 32, "/drivers/vendors");
    if (access(path, R_OK | X_OK) == 0)
        setenv("OCL_ICD_VENDORS", path, 0);
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN); /* a child that ends, or a reader, is an error like others */
    if (argc < 2 || strcmp(argv[1], "worker") != 0)
        red_interrupt_watch();
    use_drivers_beside();
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts("clreduce " CLREDUCE_VERSION);
        return 0;
    }
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(argc < 2 ? stderr : stdout);
        return argc < 2 ? red_status_exit(RED_E_INPUT) : 0;
    }
    struct red_error error = {.text = ""};
    enum red_status status = run_verb(argc, argv, &error);
    if (status == RED_E_PIPE && red_interrupted())
        status = red_fail(&error, RED_E_INTERRUPTED, "interrupted");
    if (status != RED_OK && status != RED_E_PIPE) /* "| head" has what it wanted */
        fprintf(stderr, "clreduce: %s\n", error.text);
    return red_status_exit(status);
}
