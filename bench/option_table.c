#include "bench/option_table.h"

const struct argp_option red_option_table[] = {
    {"device", 'd', "LIST", 0, "Devices by id, glob or part of a name; 'host' is the OpenMP row", 0},
    {"strategy", 's', "LIST", 0, "Strategies by name or glob", 0},
    {"op", 'p', "LIST", 0, "Operations: sum, dot, sumsq, mean, min, max, argmin, argmax", 0},
    {"type", 't', "LIST", 0, "Types: i8, u8, i32, u32, i64, u64, f16, f32, f64", 0},
    {"n", 'n', "SIZES", 0, "Sizes: 1000,2^20+1, 2^10..2^24:x4 or 0..100:+1", 0},
    {"wg", 'w', "SIZES", 0, "Work-group sizes, like --n", 0},
    {"groups", 'G', "SIZES", 0, "Numbers of work-groups, like --n; of strategies with span stride or chunk",
     0},
    {"lanes", 'L', "LIST", 0,
     "Vector width x loads in flight, such as 4x4,16x2; of strategies with such lanes", 0},
    {"shape", 'h', "SHAPE", 0,
     "array, segments:1048576x160 (how many x how long, to one value each) or iterate:100 (another array at "
     "every call)",
     0},
    {"tune", 'T', NULL, 0, "Searches for the geometry that suits each device, keeps it and uses it", 0},
    {"tune-budget", 'B', "SECONDS", 0, "Time to search, per strategy and device (default 20)", 0},
    {"tuned", 'U', NULL, 0, "Uses, or shows, the geometries that --tune has found", 0},
    {"awake", 'A', NULL, 0, "Keeps processors from sleeping while it measures (Linux, root)", 0},
    {"kernel", 'k', "FILE", 0, "Adds your own kernel file to the catalogue; may be repeated", 0},
    {"format", 'f', "FORMAT", 0, NULL /* as the verb has them */, 0},
    {"output", 'o', "FILE", 0, "Where to write; - is the standard output", 0},
    {"export", 'g', "KIND=FILE", 0,
     "Also writes FILE for another program, - is the standard output; may be repeated. KIND: "
     "google-benchmark, github-action-benchmark, bmf, lnt, otava, junit, markdown, annotations",
     0},
    {"report", 'y', "FILE", 0, "Also makes a page of the results (clreduce report); needs --output", 0},
    {"seed", 'e', "NUMBER", 0, "Seed of all data and random choices (default 1)", 0},
    {"time-per-cell", 'c', "SECONDS", 0,
     "Time budget of one cell, without the untimed calls before its batches; what is projected to exceed it "
     "is not run",
     0},
    {"soak", 'K', "SECONDS", 0,
     "Verifies again and again with other seeds until the time is over, in the same processes: a leak of "
     "theirs fails",
     0},
    {"drivers", 'D', NULL, 0, "Lines up devices, drivers and machines", 0},
    {"across", 'X', "LIST", 0,
     "Compares two runs although these differ: machine, device, driver, version, settings, or all", 0},
    {"fail-above", 'F', "PERCENT", 0,
     "Makes the exit status 1 if a cell takes more than so many percent longer in head over its whole range; "
     "2 "
     "or 5 if one is in trouble in head only; 3 if one has lost its time",
     0},
    {"expect", 'E', "PATH", 0,
     "Register of known bugs, a file or a folder of files *.expect: what it lists still runs, and must still "
     "fail",
     0},
    {"resume", 'R', NULL, 0,
     "Goes on with the run of this command that was interrupted or killed, from the journal beside --output",
     0},
    {"patience", 'H', "SECONDS", 0,
     "Time that a driver may take for one thing beyond what it is expected to; then it is ended, and the "
     "cell is "
     "timed-out (default 120)",
     0},
    {"data-sets", 'x', "NUMBER", 0,
     "Exact data sets that each cell is checked with before it is timed (at most 17, which is the default; "
     "of a duel 3)",
     0},
    {"all", 'a', NULL, 0, "verify: every type and operation at every n; bench: the whole catalogue", 0},
    {"first", 'i', NULL, 0, "Stops at the first wrong result", 0},
    {"special", 'l', NULL, 0, "Judges what comes of NaN, infinities, -0 and denormals", 0},
    {"accuracy", 'r', NULL, 0, "Shows errors on data that is hard to add", 0},
    {"base", 'b', "PROGRAM", 0, "The program to compare with, another build of clreduce (default: this one)",
     0},
    {"head", 'j', "PROGRAM", 0, "The program that may be slower (default: this one)", 0},
    {"base-kernel", 'm', "FILE", 0, "Kernel file of the base; one of the name of a strategy takes its place",
     0},
    {"head-kernel", 'q', "FILE", 0, "Kernel file of the head", 0},
    {"base-env", 'V', "NAME=VALUE", 0, "Environment of the base's processes; may be repeated", 0},
    {"head-env", 'W', "NAME=VALUE", 0, "Environment of the head's processes; may be repeated", 0},
    {"base-device", 'N', "LIST", 0, "Devices of the base, where they are others than the head's", 0},
    {"head-device", 'Y', "LIST", 0, "Devices of the head", 0},
    {"profile", 'P', "NAME", 0, "How thoroughly: full (default) or fast", 0},
    {"policy", 'I', "FILE", 0, "Margins, budgets and quarantines of cells (clreduce.ini)", 0},
    {"require", 'Q', NULL, 0, "UNDECIDED and UNTRUSTED make the exit status 3", 0},
    {"replay", 'Z', "FILE", 0, "Judges the samples of a stored duel again", 0},
    {"self-test", 'S', "LIST", 0,
     "Measures the error rates of the gate itself by scenarios: aa-fast, aa-full, slow-5, slow-10-busy; '*' "
     "is all",
     0},
    {"source", 'u', "STRATEGY", 0, "Shows the whole program text that a driver compiles", 0},
};
const size_t red_options_n = sizeof red_option_table / sizeof red_option_table[0];
_Static_assert(sizeof red_option_table / sizeof red_option_table[0] <= RED_OPTIONS_MAX,
               "there is room for all");
