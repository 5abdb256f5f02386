/* A result file read again: what other versions, machines and people have written. Nothing in it is believed:
 * whatever it holds, reading it ends in a run that makes sense or in one sentence. */
#ifndef CLREDUCE_RESULTS_PAST_H
#define CLREDUCE_RESULTS_PAST_H

#include "model/capability.h"
#include "results/run.h"

struct red_past_capability {
    char name[64];
    enum red_answer advertised, builds, behaves;
    char reason[256];
    char group_sizes[96]; /* at which it behaves, in words; empty: at any, or nothing is known of that */
};

struct red_past_device {
    char id[32], name[128], platform[128], platform_version[128], version[128], driver[128];
    bool is_host, is_cpu, events_checked, events_trusted;
    char events_reason[160];
    uint64_t compute_units, group_size_max;   /* 0: unknown */
    double local_memory_bytes, memory_bytes;  /* 0: unknown */
    double event_floor_s;                     /* 0: unknown */
    double roof_bytes_per_s;                  /* 0: unknown */
    struct red_past_capability *capabilities; /* owned */
    size_t capabilities_n;
};

/* Names are those of the file: this program may not know them. */
struct red_past_cell {
    size_t device;         /* index into the run's devices */
    const char *device_id; /* of that device, borrowed from it */
    char strategy[64], op[32], type[32], shape[64];
    uint64_t n;
    bool tells_asked;        /* the file tells what of the geometry was asked for: older ones do not */
    struct red_tuning asked; /* 0: left to the default, or unknown */
    struct red_tuning
        in_use; /* the geometry that it ran with; width and loads 0: the kernel's own business */
    enum red_state state;
    char reason[512];
    double median_s, low_s, high_s; /* 0: not timed */
    size_t samples_n;
    double *samples_s;   /* as many; owned by the run */
    uint64_t segments_n; /* 1 where the file does not tell */
    char standard[8];    /* of OpenCL C; "" on the host */
    double device_s;     /* 0: unknown, as all that follow */
    double back_to_back_s, projected_s;
    bool is_checked, same_bits;    /* whether these are known: */
    double error, bound, absolute; /* of the timed data; each may be infinite */
};

/* What a strategy made of data that is hard to add, as red_accuracy. */
struct red_past_accuracy {
    size_t device;
    char strategy[64], op[32], type[32], data[32];
    uint64_t n;
    bool is_known;
    double error_in_units, share_of_bound; /* infinite and 0 where the file has null */
};

struct red_past {
    char path[256];                              /* as it was given; cut */
    char version[32], started[32], machine[256]; /* machine: name, processor and memory */
    char host[64], processor[128], system[256], compiler[64];
    char command[512];
    uint64_t seed;
    uint64_t cores_n;            /* that the program could use */
    double load;                 /* of the last minute before */
    double wall_s, clock_step_s; /* 0: unknown */
    bool kept_awake;
    double time_per_cell_s;          /* 0: unknown */
    char *environment;               /* JSON object of the settings from outside, keys sorted; owned */
    struct red_past_device *devices; /* owned */
    size_t devices_n;
    struct red_past_cell *cells; /* owned */
    size_t cells_n;
    struct red_past_accuracy *accuracies; /* owned */
    size_t accuracies_n;
};

/* Reads a result file of 512 MiB at most (schema version 1, results/result.schema.json). Release with _clear.
 * Errors: RED_E_INPUT naming the file and what in it is not as it must be: "a.json: cells[3].n: expected a
 * whole number from 0"; RED_E_MEMORY. */
enum red_status red_past_load(const char *path, struct red_past *past, struct red_error *error);

/* The same from text_n bytes; `path` is for messages. */
enum red_status red_past_read(const char *path, const char *text, size_t text_n, struct red_past *past,
                              struct red_error *error);
void red_past_clear(struct red_past *past);

#endif
