/* The file of `verify --output`: of each device how many checks ended how, and every check that is not
 * right with its evidence; schema version 1 (results/verify.schema.json). `verify` writes one; `compare
 * --drivers`, `reproduce`, `recommend`, `emit` and `report` read it back. */
#ifndef CLREDUCE_RESULTS_VERIFY_FILE_H
#define CLREDUCE_RESULTS_VERIFY_FILE_H

#include "core/file.h"
#include "model/evidence.h"
#include "results/json.h"
#include "results/result.h"

/* A check that did not end right. */
struct red_verify_check {
    struct red_at at;             /* its shape is "array" or "segments"; the group size that was asked for is
                                     never 0 */
    uint64_t segments_n;          /* reductions side by side, at least 1 */
    unsigned prefixes_n;          /* it also reduces the first n - 1, n - 2, ... elements; 0 as 1 */
    double stress_s;              /* many calls for so long, beside what disturbs memory; 0: few, alone */
    struct red_geometry geometry; /* in use; its group size is 0 where there is none */
    bool takes_groups;            /* the strategy has --groups, and `again` asks for those in use */
    char standard[8];             /* of OpenCL C, "CL1.2"; empty: not known */
    uint64_t data_seed;
    enum red_state state;         /* never RED_STATE_PASS */
    enum red_state known_bug;     /* as of struct red_cell */
    struct red_evidence evidence; /* without a fault where no wrong answer came; its data is not kept */
    char *reason;                 /* owned: in words */
    char *again;                  /* owned: the command that makes the same check again (results/again.h) */
    char *kernel;                 /* owned: path of --kernel; NULL: a strategy of the catalogue */
};

/* How the checks of one strategy ended on one device. */
struct red_verify_strategy {
    const struct red_strategy *strategy;
    uint64_t planned_n;
    uint64_t counts[RED_STATES_N];    /* `unsupported`: combinations of type and operation */
    uint64_t idle_n;                  /* checks for which nothing is launched; not among those right */
    uint64_t stress_calls_n;          /* of its stress, which is one check; 0: none was made */
    char not_promised[64];            /* special values, "nan, denormal" */
    uint64_t levels_n, levels_left_n; /* of all axes; of these never checked. 0: not told */
    char unchecked[256]; /* words for these, of a strategy that was named or of --kernel; or "" */
    struct json_t *unsupported_because; /* owned: an array of reasons */
    struct json_t *wrong_patterns;      /* owned: an array of sentences; NULL: none */
};

struct red_verify_device {
    struct red_run_device *of;              /* of the run; borrowed */
    struct red_verify_strategy *strategies; /* owned */
    size_t strategies_n;
    struct red_verify_check *checks; /* owned; in the order in which they ended */
    size_t checks_n;
    double took_s; /* of a run: all of them; it is not in the file */
};

/* What the run was asked for that decides how a check ends, beside what each check has. */
struct red_verify_asked {
    bool all, despite_probes;           /* --all, --despite-probes */
    double time_per_cell_s, patience_s; /* 0: the default */
};

struct red_verify_file {
    struct red_verify_asked asked;
    struct red_result result;          /* path, machine, and the run with its devices; it has no cells */
    struct red_verify_device *devices; /* owned; beside result.run.devices */
};

/* Where the check stands, its shape with the numbers of segments: "segments:7x1024". */
struct red_at red_verify_check_at(const struct red_verify_check *check);

/* The i-th reason why the strategy cannot run, or cannot in part; NULL behind the last one. */
const char *red_verify_strategy_reason(const struct red_verify_strategy *strategy, size_t i);

/* Makes room for so many devices, of which each is zero. Release with _clear. Errors: RED_E_MEMORY. */
enum red_status red_verify_file_create(size_t devices_n, struct red_verify_file *file,
                                       struct red_error *error);
void red_verify_file_clear(struct red_verify_file *file);

/* Appends a copy, whose texts are taken over also where it fails. Errors: RED_E_MEMORY. */
enum red_status red_verify_file_add(struct red_verify_device *device, const struct red_verify_check *check,
                                    struct red_error *error);

/* Prints a struct red_verify_file. Errors: RED_E_MEMORY. */
red_file_writer red_verify_file_print;

/* What such a file says of itself. */
extern const struct red_file_kind red_verify_file_kind;

/* Reads what was parsed. Release with _clear. Errors: those of red_verify_file_read. */
struct red_parsed;
enum red_status red_verify_file_take(struct red_parsed *parsed, struct red_verify_file *file);

/* Reads a file of 512 MiB at most. Release with _clear. Errors: RED_E_INPUT naming the file and what in it is
 * not as it must be: "a.json: devices[0].checks[3].n: expected a whole number from 0"; RED_E_MEMORY. */
enum red_status red_verify_file_load(const char *path, struct red_verify_file *file, struct red_error *error);

/* The same from text_n bytes; `path` is for messages. */
enum red_status red_verify_file_read(const char *path, const char *text, size_t text_n,
                                     struct red_verify_file *file, struct red_error *error);

#endif
