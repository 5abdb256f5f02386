/* Status codes and errors. cli/main.c prints the text of an error and exits with red_exit_status_of. Every
 * fallible function returns `enum red_status`, gives its result through an out-parameter and takes a `struct
 * red_error *` last, which may be NULL. On failure the error holds one sentence for a person: the thing, what
 * was expected, and the way out. */
#ifndef CLREDUCE_CORE_STATUS_H
#define CLREDUCE_CORE_STATUS_H

#include <stdbool.h>
#include <stddef.h>

/* This program's version, "0.1.0". */
extern const char red_version[];

enum red_status {
    RED_OK = 0,
    RED_E_INPUT,       /* bad usage, malformed value, unknown name, unreadable or unwritable file */
    RED_E_MEMORY,      /* the host or the device has not enough memory */
    RED_E_BUILD,       /* a kernel does not compile; the text holds the compiler's log */
    RED_E_UNSUPPORTED, /* this device cannot run this combination; the text holds the reason */
    RED_E_DEVICE,      /* an OpenCL call failed: the device or its driver is in trouble */
    RED_E_NO_DEVICE,   /* there is nothing to run on */
    RED_E_WRONG,       /* a result was wrong */
    RED_E_SLOWER,      /* something takes longer than the user allows */
    RED_E_UNDECIDED,   /* there is no answer where the user wants one */
    RED_E_CRASHED,     /* a driver ended the process that worked with it */
    RED_E_TIMED_OUT,   /* a driver gave no answer within its time limit */
    RED_E_UNTRIED,     /* not even asked for, since the same has crashed or hung before */
    RED_E_INTERRUPTED, /* Ctrl-C or SIGTERM */
    RED_E_PIPE,        /* the reader of the standard output has closed it */
    RED_STATUS_N
};

/* Room for a compiler's log; longer texts are cut at the end and marked with "...". */
struct red_error {
    enum red_status status;
    char text[4096];
    bool told; /* another process of the same run prints it */
};

/* Fills `error` (if not NULL) with the status and the formatted text; returns `status`, so that a failing
 * function ends in `return red_fail(error, ...)`. */
enum red_status red_fail(struct red_error *error, enum red_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether a counts before b where both came: what was wrong, then what a driver did, then what the user can
 * change (those are equals), then slower, undecided, nothing to run on, the wish to stop, and what cannot
 * run. No status is worse than itself, and all are worse than RED_OK. */
bool red_status_is_worse(enum red_status a, enum red_status b);

/* Whether what a run has found is told, and not how the run itself ended (Ctrl-C, an output that cannot be
 * written): a wrong result in any case, all else where the run came to its end. */
bool red_finding_is_told(enum red_status found, enum red_status run);

/* The status of a verb by these: how its run ended, with its text in `error`; what it found; and whether an
 * output was written (each RED_OK without a text). `error` gets the text of the one that decides, the
 * standard error those of the others, but of a finding that is not told. */
enum red_status red_verb_status_find(enum red_status run, enum red_status found, const char *found_text,
                                     enum red_status output, const char *output_text,
                                     struct red_error *error);

/* Of several ends of equal things, numbered by the caller, the one that is told: the first of the worst. Zero
 * before the first. */
struct red_worst {
    enum red_status status; /* RED_OK: nothing went wrong */
    size_t at;              /* its number */
    size_t alike_n, n;      /* how many ended with its status; how many not with RED_OK */
};

/* Adds that number `at` ended with the status. True where it is the one to tell from now on: who has no other
 * way to its text keeps it then. */
bool red_worst_add(struct red_worst *worst, enum red_status status, size_t at);

/* The process exit status that belongs to a status (README, "Exit statuses"). */
int red_exit_status_of(enum red_status status);

#endif
