/* What a worker process holds, and the answers to questions (worker/server.c has their table). */
#ifndef CLREDUCE_WORKER_SERVER_H
#define CLREDUCE_WORKER_SERVER_H

#include "cl/disturb.h"
#include "worker/prepared.h"
#include "worker/protocol.h"

struct red_worker {
    struct red_catalogue *catalogue;
    struct red_device_list *list;
    struct red_device *device; /* NULL: the host, or not open yet */
    bool is_host;
    struct red_dataset **datasets; /* owned; the ones to be kept, in the order of making */
    size_t datasets_n;
    struct red_dataset *passing[RED_ARRAYS_MAX]; /* owned; the ones that the next case may do without */
    struct red_prepared **prepared_cases;        /* owned */
    size_t prepared_n;
    struct red_disturber *disturber; /* owned; NULL: no case was under stress yet */
};

/* Releases all prepared cases, and puts the data that is kept somewhere else in memory. */
void red_worker_move_data(struct red_worker *worker);

/* Releases all data, prepared cases, and what disturbs memory. */
void red_worker_release_all(struct red_worker *worker);

/* Prepares the case of a question ("case") over data that is kept until the next case wants other data, and
 * does not keep the case; release with red_prepared_clear. Errors: those of red_protocol_read_case and
 * red_prepared_make. */
enum red_status red_worker_prepare_passing(struct red_worker *worker, const json_t *question,
                                           struct red_prepared *prepared, struct red_error *error);

/* Answers to questions: an object, or NULL with *error. */
typedef json_t *red_worker_answer(struct red_worker *worker, const json_t *question, struct red_error *error);
red_worker_answer red_worker_verify, red_worker_time_shortest_call, red_worker_prepare_one,
    red_worker_prepare_several; /* worker/server_cases.c */
red_worker_answer red_worker_batch, red_worker_profile, red_worker_back_to_back, red_worker_event_floor,
    red_worker_clock_samples, red_worker_clock_sample, red_worker_batches; /* worker/server_cases.c */
red_worker_answer red_worker_litmus, red_worker_litmus_stress;             /* worker/litmus.c */
red_worker_answer red_worker_stress;                                       /* worker/stress.c */

/* Answers what the program that has started this one asks, over its standard input and output, until that
 * closes them. The kernel files are added to the catalogue. Errors: those of the catalogue. */
enum red_status red_worker_serve(const char *const *kernels, size_t kernels_n, struct red_error *error);

#endif
