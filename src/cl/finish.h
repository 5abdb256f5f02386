/* Finishes: the steps by which cl/plan.c lays out, launches and reads a plan; cl/finish_*.c has them. */
#ifndef CLREDUCE_CL_FINISH_H
#define CLREDUCE_CL_FINISH_H

#include "cl/cl_private.h"
#include "core/numbers.h"
#include "model/catalogue.h"

enum { RED_LAUNCHES_MAX = 40 };

struct red_launch {
    cl_kernel kernel;
    size_t global;
    bool over_partials; /* or over the plan's inputs */
};

enum { RED_PLAN_OUTS_N = 3 };
struct red_plan;

/* What one finish does at each step of a plan; cl/plan.c calls these. What a finish leaves out is done as
 * most do it. */
struct red_finish_steps {
    /* Lays out the plan: makes buffers with red_plan_make_out, launches with red_plan_add_launch, and sets
     * result, read_n and resets_accumulator. */
    enum red_status (*prepare)(struct red_plan *plan, struct red_error *error);
    /* Begins a call: enqueues all launches; gives one event for each, or none where `events` is NULL or
     * `alone` is given. Recorded launches have their own queue. Left out: red_finish_enqueue. */
    cl_int (*enqueue)(struct red_plan *plan, cl_command_queue queue, cl_event *events, unsigned *events_n);
    /* Waits until the values are there, and lets plan->read point to them. Left out: red_finish_read. */
    cl_int (*fetch)(struct red_plan *plan, cl_command_queue queue);
    /* Makes the answer of them, and plan->partial. Left out: red_finish_fold. */
    void (*answer)(struct red_plan *plan, struct red_value *value);
    /* Gives plan->read back before the next run. Left out: there is nothing to give back. */
    cl_int (*give_back)(struct red_plan *plan, cl_command_queue queue);
    /* The event time that includes everything; not looked at where `alone` is given. Left out:
     * CL_PROFILING_COMMAND_END. */
    cl_profiling_info end;
    const char *alone;        /* why calls cannot be profiled, or enqueued one behind the other; or NULL */
    bool host_stands_between; /* the host waits between the launches, so that calls are not enqueued so */
};

/* The steps of red_finish_<name> of a file cl/finish_*.c, and those that it leaves out. */
struct red_finish_steps red_finish_steps_of(enum red_finish_kind finish);

struct red_plan {
    struct red_device *device;
    const struct red_strategy *strategy;
    struct red_finish_steps finish; /* of the strategy */
    const struct red_dtype *dtype;
    const struct red_op *op;
    const struct red_accumulator *accumulator;
    uint64_t n, segments_n;
    unsigned bins_n; /* of a histogram */
    struct red_geometry geometry;
    enum red_c_standard standard;
    bool poison_local;
    unsigned char poison;        /* the byte that red_plan_poison filled with */
    bool resets_accumulator;     /* out[0] starts as the identity at every run */
    cl_mem inputs[2];            /* the resident's, borrowed */
    const void *arrays[2];       /* the same on the host, borrowed */
    cl_mem out[RED_PLAN_OUTS_N]; /* a canary stands behind out_bytes of each */
    size_t out_bytes[RED_PLAN_OUTS_N];
    bool in_place; /* of a scan: out[0] is also its input, into which each run copies that first */
    struct red_host_visible shared;  /* out[0], which is its buffer, where the host sees it */
    struct red_host_visible answer;  /* of finish polled: a value, and at RED_ANSWER_FLAG the flag; of finish
                                        persistent: a red_mailbox */
    size_t answer_bytes;             /* behind them stands a canary */
    struct red_mailbox_host mailbox; /* of finish persistent */
    cl_mem pipe;                     /* or NULL */
    red_command_buffer commands;     /* the launches recorded, or NULL */
    cl_mem counter;                  /* zeros at first, and behind them a canary: a uint that each call leaves
                                        at zero; or the state of red_geometry_state_bytes.
                                        NULL where groups have words: out[0] has them */
    size_t counter_bytes;
    bool has_state;
    bool is_computed; /* the kernel computes the elements by `form`, and there are no inputs */
    struct red_element_form form;
    struct { /* of --shape changed, otherwise NULL: the arrays, which are the inputs, and what writes them */
        cl_mem arrays[2];
        cl_kernel kernel;
        size_t group_size;
    } change;
    struct red_launch launches[RED_LAUNCHES_MAX];
    unsigned launches_n;
    unsigned result; /* the host reads the first read_n values of out[result] and folds them */
    uint64_t read_n;
    size_t read_bytes;
    bool result_in_host_buffer;                      /* out[result] lies in the host's memory */
    void *read;                                      /* what was read */
    void *mapped;                                    /* out[0], for the host's reading; or NULL */
    void *room;                                      /* owned: for reading by command */
    cl_mem row;                                      /* of calls in a row: what each leaves; or NULL */
    struct red_answers answers;                      /* of a segmented strategy */
    struct red_partial partial;                      /* of the last run of another reduction */
    struct red_exact *exact;                         /* owned: of an exact strategy, what it found; or NULL */
    unsigned char identity[sizeof(struct red_pair)]; /* one accumulator */
};

/* The answer of a polled strategy, in words of 32 bits: two for the value, one for the flag. Of a pair the
 * flag is the lowest bit of the index, which is shifted by one. */
enum { RED_ANSWER_FLAG = 2, RED_ANSWER_WORDS = 4 };

/* Behind every buffer that a kernel writes to; filled and looked at by src/cl/resident.c. */
enum { RED_CANARY_BYTES = 256 };

/* Makes plan->out[out_i] for that many values of the accumulator type, with its canary. */
enum red_status red_plan_make_out(struct red_plan *plan, unsigned out_i, uint64_t values_n,
                                  struct red_error *error);

/* The same for values that no kernel reads, and the host by red_finish_read: where the driver can and they
 * are few, in the host's memory. plan->result is out_i then. */
enum red_status red_plan_make_for_host(struct red_plan *plan, unsigned out_i, uint64_t values_n,
                                       struct red_error *error);

/* For so many bytes. */
enum red_status red_plan_make_out_bytes(struct red_plan *plan, unsigned out_i, size_t bytes,
                                        struct red_error *error);

/* Unmaps what host_fetch has mapped, before a kernel writes there again. */
cl_int red_plan_unmap(struct red_plan *plan);

/* Appends a launch of the strategy's kernel, compiled for this RED_PASS, that reads n values of `inputs` and
 * writes to out[out_i]. Inputs of a later pass are partial results, unless they are the plan's own. */
enum red_status red_plan_add_launch(struct red_plan *plan, unsigned pass, const cl_mem *inputs, uint64_t n,
                                    uint64_t groups_n, unsigned out_i, struct red_error *error);

/* One launch of the kernel of a scan or a histogram. */
struct red_primitive_launch {
    unsigned pass; /* RED_PASS */
    uint64_t n;    /* elements, carries, or copies of counts */
    uint64_t groups_n;
    bool over_carries; /* out[1] is what is scanned, in place, and out[2] has the carries of that; otherwise
                          the plan's input is scanned to out[0], and out[1] has the carries, or copies */
};

/* Appends it. */
enum red_status red_plan_add_primitive_launch(struct red_plan *plan,
                                              const struct red_primitive_launch *launch,
                                              struct red_error *error);

/* ---- what several finishes share ---- */

/* Enqueue launch i, or all of the plan; nobody waits. *events_n grows by the events that were given. */
cl_int red_finish_launch(const struct red_plan *plan, unsigned i, cl_command_queue queue, cl_event *event);
cl_int red_finish_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                          unsigned *events_n);

/* Lets a GPU begin with what is enqueued while the driver puts together the command that is waited for. If
 * the launch has not ended when the host begins to wait, a read takes 8 us longer on an H200
 * (grid_stride_vec, f32, n = 2^20: 23.8 us to answer without the flush, 14.2 with it). A CPU driver may wake
 * another thread for it, where its caller could do the work: nothing is flushed there. */
cl_int red_finish_flush(const struct red_plan *plan, cl_command_queue queue);

/* Flushes, reads the first read_n values of out[result] into plan->room, or maps and copies them where they
 * lie in the host's memory, and waits. */
cl_int red_finish_read(struct red_plan *plan, cl_command_queue queue);

/* Folds the values that were read, and makes the answer of what comes out. */
void red_finish_fold(struct red_plan *plan, struct red_value *value);

/* Steps fetch and answer where the results stay on the device: the first waits until they may be used, and
 * reads nothing; the second leaves them. */
cl_int red_finish_wait(struct red_plan *plan, cl_command_queue queue);
void red_finish_leave(struct red_plan *plan, struct red_value *value);

/* Step prepare of such: gives the plan room in out[0] for as many results as red_results_n says, of which the
 * host reads none. Those of narrow sums are larger than the array. Errors: RED_E_UNSUPPORTED where they do
 * not fit. */
enum red_status red_finish_make_results(struct red_plan *plan, struct red_error *error);

/* How many carries or copies so many groups leave: one each, or where items do not meet one of each item. */
uint64_t red_finish_parts_n(const struct red_plan *plan, uint64_t groups_n);

/* Makes plan->answer of so many bytes, which host and kernel use at the same time, with its canary. */
enum red_status red_finish_make_answer_memory(struct red_plan *plan, size_t bytes, struct red_error *error);

/* Prepares one launch whose groups leave a value each, of which the host reads read_n. */
enum red_status red_finish_prepare_partials(struct red_plan *plan, uint64_t read_n, struct red_error *error);

#endif
