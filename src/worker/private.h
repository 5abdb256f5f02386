/* Declarations that client.c, client_asks.c and icd.c share: the worker client and its questions. */
#ifndef CLREDUCE_WORKER_PRIVATE_H
#define CLREDUCE_WORKER_PRIVATE_H

#include <jansson.h>
#include <stdbool.h>

#include "core/status.h"
#include "worker/client.h"

enum { RED_PROBERS_MAX = 4, RED_FAILURE_RECORDS_MAX = 256 };

/* A strategy that the driver does not survive. */
struct red_failure_record {
    const struct red_strategy *strategy;
    unsigned crashed_n, hung_n;
};

struct red_client {
    const struct red_client_program *program;
    struct red_device_info info;
    bool is_host;
    bool opening, opened; /* the worker was told to open the device; has it */
    bool crashed;         /* the last one did, or hung */
    struct red_process *worker, *probers[RED_PROBERS_MAX];
    struct red_capabilities capabilities;
    enum red_answer advertised[RED_NEEDS_N];
    bool sent[RED_NEEDS_N][RED_C_STANDARDS_N]; /* which capabilities the worker knows */
    bool has_one_prober;                       /* no other could be had */
    unsigned hung_probes_n;
    struct red_error unprobed; /* why no further capability is probed */
    unsigned killed_n;         /* processes of its that somebody else has killed */
    struct red_error lost;     /* why the device cannot be worked with any more */
    struct red_failure_record failures[RED_FAILURE_RECORDS_MAX];
    size_t failures_n;
};

/* Seconds that a question may take which is expected to take none: --patience, or 120. */
double red_patience_s(const struct red_client_program *program);

/* A plain question to a process, and its answer. */
enum red_status red_client_ask_process(struct red_process *process, json_t *question, double limit_s,
                                       const char *doing, json_t **answer, struct red_error *error);

/* Asks the device's worker, which is started if need be; takes over the question's reference. Release the
 * answer. Errors: those of red_process_receive, and why the device is lost. */
enum red_status red_client_ask(struct red_client *client, json_t *question, double limit_s, const char *doing,
                               json_t **answer, struct red_error *error);

/* The same in two halves, so that several devices work at the same time. A question that was not told is not
 * heard. */
enum red_status red_client_send(struct red_client *client, json_t *question, struct red_error *error);
enum red_status red_client_receive(struct red_client *client, double limit_s, const char *doing,
                                   json_t **answer, struct red_error *error);

#endif
