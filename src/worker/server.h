/* What a worker holds, and how it does its jobs (worker/server.c). For the files of the worker alone. */
#ifndef CLREDUCE_WORKER_SERVER_H
#define CLREDUCE_WORKER_SERVER_H

#include "worker/protocol.h"
#include "worker/work.h"

struct red_worker {
    struct red_catalogue *catalogue;
    struct red_device_list *list;
    struct red_device *device; /* NULL: the host, or not open yet */
    bool is_host;
    struct red_dataset **datasets; /* owned; the ones to be kept, in the order of making */
    size_t datasets_n;
    struct red_dataset *passing[RED_ARRAYS_MAX]; /* owned; the ones that the next job may do without */
    struct red_work **works;                     /* owned */
    size_t works_n;
};

/* Data of the job's specification, made when it is first asked for: kept with `keep`, otherwise until the
 * next job wants other data. Errors: RED_E_INPUT, RED_E_MEMORY. */
enum red_status red_worker_data(struct red_worker *worker, const struct red_job *job,
                                struct red_dataset *data[RED_ARRAYS_MAX], struct red_error *error);

/* A work for one question; release with red_work_clear. Errors: those of red_work_make. */
enum red_status red_worker_work_make(struct red_worker *worker, const struct red_job *job,
                                     struct red_work *work, struct red_error *error);

/* The work of a job, which is made when it is first asked for, and kept. Errors: those of red_work_make, of a
 * call, RED_E_WRONG. */
enum red_status red_worker_work(struct red_worker *worker, const struct red_job *job, struct red_work **work,
                                struct red_error *error);

/* Lets go of all works, and puts the data that is kept somewhere else in memory. */
void red_worker_move(struct red_worker *worker);

/* Lets go of all data and works. */
void red_worker_forget(struct red_worker *worker);

/* Reads the job, or the number, of that key in a question; 0 where there is no number. */
bool red_worker_read_job(const struct red_worker *worker, const json_t *question, const char *key,
                         struct red_job *job, struct red_error *error);
double red_worker_read_real(const json_t *question, const char *key);

/* Answers to questions: an object, or NULL with *error. */
typedef json_t *red_worker_answer(struct red_worker *worker, const json_t *question, struct red_error *error);
red_worker_answer red_worker_verify, red_worker_time, red_worker_ready,
    red_worker_prepare; /* worker/server_jobs.c */
red_worker_answer red_worker_batch, red_worker_profile, red_worker_back_to_back, red_worker_floor,
    red_worker_ticks, red_worker_tick, red_worker_batches, red_worker_race; /* worker/server_measure.c */

/* Answers what the program that has started this one asks, over its standard input and output, until that
 * closes them. The kernel files are added to the catalogue. Errors: those of the catalogue. */
enum red_status red_worker_serve(const char *const *kernels, size_t kernels_n, struct red_error *error);

#endif
