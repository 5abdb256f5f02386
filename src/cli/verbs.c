#include "cli/verbs.h"

#include "worker/server.h"

/* For the program itself alone: answers what another clreduce asks of a driver. */
static enum red_status worker(const struct red_options *options, struct red_error *error) {
    return red_worker_serve(options->selection.kernels, options->selection.kernels_n, error);
}

#define SELECTION (RED_BIT(DEVICE) | RED_BIT(STRATEGY) | RED_BIT(OP) | RED_BIT(TYPE))
#define LAUNCH    (RED_BIT(WG) | RED_BIT(GROUPS) | RED_BIT(LANES))
#define OUTPUT    (RED_BIT(FORMAT) | RED_BIT(OUTPUT))

const struct red_verb red_verbs[] = {
    {.name = "devices",
     .summary = "what there is to run on, and what it can do",
     .options = OUTPUT | RED_BIT(DEVICE) | RED_BIT(PATIENCE),
     .documentation =
         "Lists every OpenCL device with the capabilities that matter here, and of each three answers: what "
         "the "
         "driver says, whether a probe kernel builds, whether it behaves on exact data over several group "
         "sizes. '!' marks where they disagree: 'says no, works', 'says yes, wrong'.\v"
         "Example: clreduce devices --device 'intel,pocl'",
     .run = red_cmd_devices},
    {.name = "strategies",
     .summary = "the catalogue, from the manifests of the kernels",
     .options = OUTPUT | RED_BIT(STRATEGY) | RED_BIT(OP) | RED_BIT(TYPE) | RED_BIT(WG) | RED_BIT(LANES) |
                RED_BIT(TUNED) | RED_BIT(KERNEL) | RED_BIT(SOURCE),
     .modes =
         (const struct red_mode[]){{RED_OPTION_SOURCE, RED_BIT(OP) | RED_BIT(TYPE) | RED_BIT(WG) |
                                                           RED_BIT(LANES) | RED_BIT(KERNEL) |
                                                           RED_BIT(OUTPUT) | RED_BIT(SOURCE)},
                                   {RED_OPTION_TUNED, OUTPUT | RED_BIT(STRATEGY) | RED_BIT(OP) |
                                                          RED_BIT(TYPE) | RED_BIT(TUNED) | RED_BIT(KERNEL)},
                                   {RED_MODE_ALWAYS, OUTPUT | RED_BIT(STRATEGY) | RED_BIT(KERNEL)}},
     .ends_at_once = true,
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
     .options = SELECTION | LAUNCH | OUTPUT | RED_BIT(N) | RED_BIT(KERNEL) | RED_BIT(SEED) |
                RED_BIT(TIME_PER_CELL) | RED_BIT(SOAK) | RED_BIT(EXPECT) | RED_BIT(RESUME) |
                RED_BIT(PATIENCE) | RED_BIT(ALL) | RED_BIT(FIRST) | RED_BIT(SPECIAL) | RED_BIT(SHOW_DATA) |
                RED_BIT(ACCURACY),
     .modes =
         (const struct red_mode[]){
             {RED_OPTION_SPECIAL, SELECTION | OUTPUT | RED_BIT(N) | RED_BIT(KERNEL) | RED_BIT(SEED) |
                                      RED_BIT(TIME_PER_CELL) | RED_BIT(EXPECT) | RED_BIT(PATIENCE) |
                                      RED_BIT(SPECIAL)},
             {RED_OPTION_SHOW_DATA, SELECTION | LAUNCH | OUTPUT | RED_BIT(N) | RED_BIT(KERNEL) |
                                        RED_BIT(SEED) | RED_BIT(PATIENCE) | RED_BIT(SHOW_DATA)},
             {RED_OPTION_ACCURACY, SELECTION | OUTPUT | RED_BIT(N) | RED_BIT(KERNEL) | RED_BIT(SEED) |
                                       RED_BIT(TIME_PER_CELL) | RED_BIT(EXPECT) | RED_BIT(PATIENCE) |
                                       RED_BIT(ACCURACY)},
             {RED_OPTION_SOAK, SELECTION | LAUNCH | OUTPUT | RED_BIT(N) | RED_BIT(KERNEL) | RED_BIT(SEED) |
                                   RED_BIT(TIME_PER_CELL) | RED_BIT(SOAK) | RED_BIT(EXPECT) |
                                   RED_BIT(PATIENCE) | RED_BIT(ALL) | RED_BIT(FIRST)},
             {RED_MODE_ALWAYS, SELECTION | LAUNCH | OUTPUT | RED_BIT(N) | RED_BIT(KERNEL) | RED_BIT(SEED) |
                                   RED_BIT(TIME_PER_CELL) | RED_BIT(EXPECT) | RED_BIT(RESUME) |
                                   RED_BIT(PATIENCE) | RED_BIT(ALL) | RED_BIT(FIRST)}},
     .documentation =
         "Checks results against an exact sum: a covering choice in which every pair of strategy, type, "
         "operation, "
         "group size, n and data occurs; with --all every strategy, type and operation at every n. Exit "
         "status 2 "
         "if anything is wrong.\v"
         "Example: clreduce verify --device pocl --strategy 'tree*' --type f32,f64\n"
         "Example: clreduce verify --kernel mine.cl\n"
         "Example: clreduce verify --accuracy --strategy 'tree*,compensated,serial' --type f32,f64\n"
         "Example: clreduce verify --special --op sum,max --format csv --output answers.csv\n"
         "Example: clreduce verify --show-data wide --op sum --type f32 --n 100 --format json",
     .run = red_cmd_verify},
    {.name = "bench",
     .summary = "verifies, measures, compares, and answers in one sentence per device",
     .options = SELECTION | LAUNCH | OUTPUT | RED_BIT(N) | RED_BIT(SHAPE) | RED_BIT(TUNE) |
                RED_BIT(TUNE_BUDGET) | RED_BIT(TUNED) | RED_BIT(AWAKE) | RED_BIT(KERNEL) | RED_BIT(EXPORT) |
                RED_BIT(REPORT) | RED_BIT(SEED) | RED_BIT(TIME_PER_CELL) | RED_BIT(EXPECT) | RED_BIT(RESUME) |
                RED_BIT(PATIENCE) | RED_BIT(DATA_SETS) | RED_BIT(ALL) | RED_BIT(ACCURACY),
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
     .options = OUTPUT | RED_BIT(DRIVERS) | RED_BIT(ACROSS) | RED_BIT(FAIL_ABOVE),
     .modes = (const struct red_mode[]){{RED_OPTION_DRIVERS, OUTPUT | RED_BIT(DRIVERS)},
                                        {RED_MODE_ALWAYS, OUTPUT | RED_BIT(ACROSS) | RED_BIT(FAIL_ABOVE)}},
     .takes_files = true,
     .ends_at_once = true,
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
     .options = OUTPUT | RED_BIT(OP) | RED_BIT(TYPE),
     .formats = "html,md,term,svg",
     .takes_files = true,
     .ends_at_once = true,
     .documentation =
         "Shows result files (bench --output) as one page: first what 2.x buys over 1.x, then times, "
         "bandwidth, "
         "who is fastest where, speed-up, errors, what did not run and why, how it was measured. html is one "
         "file that needs neither network nor script; md is for a pull request, term for a log, svg is the "
         "first picture alone: 2.x against 1.x. Several "
         "files "
         "stand side by side, each named by a letter. Pictures are drawn by gnuplot.\v"
         "Example: clreduce report results/cpu-2-cores.json --output report.html\n"
         "Example: clreduce report pocl.json intel.json --output drivers.html\n"
         "Example: clreduce report result.json --op sum --type f32 --format term",
     .run = red_cmd_report},
    {.name = "recommend",
     .summary = "says which strategy to use for which n, from result files",
     .options = SELECTION | OUTPUT | RED_BIT(KERNEL) | RED_BIT(SEED) | RED_BIT(PORTABLE),
     .formats = "table,json,h",
     .takes_files = true,
     .ends_at_once = true,
     .documentation =
         "Says for each device, operation and type of result files (bench --output) which strategy to use "
         "for "
         "which n: in bands, as few and as wide as the times allow; ties within 2 % go to the simpler "
         "strategy. h is a "
         "C "
         "header with the rules and a lookup. Several runs of one command know more than one.\v"
         "Example: clreduce recommend results/cpu-2-cores.json\n"
         "Example: clreduce recommend monday.json tuesday.json --device intel --format h --output rules.h\n"
         "Example: clreduce recommend result.json --portable --format json",
     .run = red_cmd_recommend},
    {.name = "emit",
     .summary = "writes a strategy as C and OpenCL files that need nothing of clreduce",
     .options = SELECTION | RED_BIT(N) | RED_BIT(WG) | RED_BIT(KERNEL) | RED_BIT(OUTPUT) | RED_BIT(NAME) |
                RED_BIT(OVERWRITE) | RED_BIT(SEED) | RED_BIT(PATIENCE),
     .modes =
         (const struct red_mode[]){
             {RED_MODE_FILES, SELECTION | RED_BIT(N) | RED_BIT(WG) | RED_BIT(KERNEL) | RED_BIT(OUTPUT) |
                                  RED_BIT(NAME) | RED_BIT(OVERWRITE) | RED_BIT(SEED)},
             {RED_MODE_ALWAYS, SELECTION | RED_BIT(N) | RED_BIT(WG) | RED_BIT(KERNEL) | RED_BIT(OUTPUT) |
                                   RED_BIT(NAME) | RED_BIT(OVERWRITE) | RED_BIT(PATIENCE)}},
     .takes_files = true,
     .ends_at_once = true,
     .documentation = "Writes the strategy that result files (bench --output) recommend for a device, an "
                      "operation and a type, "
                      "or the one that --strategy names for a device of this machine: a readable .cl with "
                      "its macros resolved, a "
                      ".h and .c (create, run, destroy), a self-test, and a CMakeLists.txt. --output is the "
                      "folder, where a "
                      "file that emit has not written is replaced with --overwrite alone. The files are "
                      "free to use.\v"
                      "Example: clreduce emit result.json --device intel --op sum --type f32\n"
                      "Example: clreduce emit result.json --device nvidia --n 2^20 --output src/sum\n"
                      "Example: clreduce emit --strategy chunk --device pocl --op max --type i32\n"
                      "Example: clreduce emit result.json --device intel --n 1000 --name sum_few",
     .run = red_cmd_emit},
    {.name = "duel",
     .summary = "a gate for CI: two builds, kernels, drivers or environments against each other, live",
     .options = SELECTION | LAUNCH | OUTPUT | RED_BIT(N) | RED_BIT(EXPORT) | RED_BIT(SEED) |
                RED_BIT(PATIENCE) | RED_BIT(DATA_SETS) | RED_BIT(BASE) | RED_BIT(HEAD) |
                RED_BIT(BASE_KERNEL) | RED_BIT(HEAD_KERNEL) | RED_BIT(BASE_ENV) | RED_BIT(HEAD_ENV) |
                RED_BIT(BASE_DEVICE) | RED_BIT(HEAD_DEVICE) | RED_BIT(PROFILE) | RED_BIT(POLICY) |
                RED_BIT(REQUIRE) | RED_BIT(REPLAY),
     .modes =
         (const struct red_mode[]){
             {RED_OPTION_REPLAY, OUTPUT | RED_BIT(EXPORT) | RED_BIT(REQUIRE) | RED_BIT(REPLAY)},
             {RED_MODE_ALWAYS, SELECTION | LAUNCH | OUTPUT | RED_BIT(N) | RED_BIT(EXPORT) | RED_BIT(SEED) |
                                   RED_BIT(PATIENCE) | RED_BIT(DATA_SETS) | RED_BIT(BASE) | RED_BIT(HEAD) |
                                   RED_BIT(BASE_KERNEL) | RED_BIT(HEAD_KERNEL) | RED_BIT(BASE_ENV) |
                                   RED_BIT(HEAD_ENV) | RED_BIT(BASE_DEVICE) | RED_BIT(HEAD_DEVICE) |
                                   RED_BIT(PROFILE) | RED_BIT(POLICY) | RED_BIT(REQUIRE)}},
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
         "Example: clreduce duel --replay duel.json",
     .run = red_cmd_duel},
    {.name = "once",
     .summary = "calls each chosen cell once, in this process: for simulators, profilers, debuggers",
     .options = SELECTION | LAUNCH | RED_BIT(N) | RED_BIT(SHAPE) | RED_BIT(KERNEL) | RED_BIT(SEED),
     .documentation =
         "Calls each chosen cell once, in this very process, and checks the result, for tools that watch a "
         "process: what they print about the call's own launches stands between the lines 'once: begin' and "
         "'once: end'. Where the driver crashes, exits or hangs, so does this. Works with one device. "
         "Without options it takes the whole catalogue, sum of f32, n = "
         "1000. Exit status 2 if anything is wrong.\v"
         "Example: clreduce once --device pocl --strategy tree\n"
         "Example: oclgrind --inst-counts --num-threads 1 clreduce once --strategy tree --n 4001 --wg 32",
     .run = red_cmd_once},
    {.name = "manual",
     .options = OUTPUT,
     .formats = "man,bash",
     .ends_at_once = true,
     .documentation = "Prints the manual page, or the completion for bash; installing uses this.",
     .run = red_cmd_manual},
    {.name = "worker",
     .options = RED_BIT(KERNEL),
     .documentation = "Works with one device's driver, apart; clreduce starts this itself.",
     .run = worker},
};
const size_t red_verbs_n = sizeof red_verbs / sizeof red_verbs[0];
