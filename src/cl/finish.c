/* Holds the table of finishes and what several share: sets a kernel's arguments, checks its limits, enqueues
 * its launches. `plan` is red_plan_create's, of one case of --strategy, --op, --type and --n. What fails here
 * is the reason of the cell: a kernel with other arguments, for example. The launches and readings are in its
 * time. */
#include "cl/finish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/primitive.h"

/* Also the bare loop of bench/overhead.c (red_plan_run_bare). */
cl_int red_finish_launch(const struct red_plan *plan, unsigned i, cl_command_queue queue, cl_event *event) {
    return red_cl_launch(queue, plan->launches[i].kernel, plan->launches[i].global, plan->geometry.group_size,
                         event);
}

cl_int red_finish_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                          unsigned *events_n) {
    cl_int code = CL_SUCCESS;
    for (unsigned i = 0; i < plan->launches_n && code == CL_SUCCESS; i++) {
        code = red_finish_launch(plan, i, queue, events ? &events[i] : NULL);
        *events_n += events != NULL && code == CL_SUCCESS;
    }
    return code;
}

cl_int red_finish_flush(const struct red_plan *plan, cl_command_queue queue) {
    return plan->device->info.shape.is_cpu ? CL_SUCCESS : clFlush(queue);
}

cl_int red_finish_read(struct red_plan *plan, cl_command_queue queue) {
    const cl_int code = red_finish_flush(plan, queue);
    plan->read = plan->room;
    return code != CL_SUCCESS ? code
                              : (plan->result_in_host_buffer ? red_cl_read_mapped : red_cl_read)(
                                    queue, plan->out[plan->result], 0, plan->read, plan->read_bytes);
}

cl_int red_finish_wait(struct red_plan *plan, cl_command_queue queue) {
    (void)plan;
    return clFinish(queue);
}

void red_finish_leave(struct red_plan *plan, struct red_value *value) {
    (void)plan, (void)value;
}

void red_finish_fold(struct red_plan *plan, struct red_value *value) {
    red_host_fold_partial(plan->op, plan->dtype, plan->read, plan->read_n, &plan->partial);
    *value = red_partial_answer(plan->op, plan->dtype, &plan->partial, plan->n);
}

enum red_status red_finish_make_results(struct red_plan *plan, struct red_error *error) {
    const struct red_dtype *result = red_op_result_dtype(plan->op, plan->dtype);
    const struct red_device_info *info = &plan->device->info;
    const uint64_t results_n = red_results_n(plan->op, plan->n, plan->bins_n);
    plan->read_n = 0;
    if (results_n > info->allocation_bytes_max / result->size_bytes)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%llu results of %s do not fit on %s; the largest possible n is %llu",
                        (unsigned long long)results_n, result->name, info->id,
                        (unsigned long long)(info->allocation_bytes_max / result->size_bytes));
    return red_plan_make_out_bytes(plan, 0, (size_t)results_n * result->size_bytes, error);
}

uint64_t red_finish_parts_n(const struct red_plan *plan, uint64_t groups_n) {
    return groups_n * (plan->strategy->group == RED_STRATEGY_NONE ? plan->geometry.group_size : 1);
}

enum red_status red_finish_prepare_partials(struct red_plan *plan, uint64_t read_n, struct red_error *error) {
    plan->read_n = read_n;
    enum red_status status = RED_OK;
    if (plan->out[0] == NULL)
        status = red_plan_make_out(plan, 0, plan->geometry.groups_n, error);
    return status != RED_OK
               ? status
               : red_plan_add_launch(plan, 0, plan->inputs, plan->n, plan->geometry.groups_n, 0, error);
}

#define DECLARE(id, name, spans, wants, chain, burden, traits)                                               \
    extern const struct red_finish_steps red_finish_##name;
RED_FINISHES(DECLARE)
#define ROW(id, name, spans, wants, chain, burden, traits) [RED_STRATEGY_##id] = &red_finish_##name,
static const struct red_finish_steps *const finishes[RED_FINISHES_N] = {RED_FINISHES(ROW)};

/* Step give_back of most finishes. */
static cl_int give_back_nothing(struct red_plan *plan, cl_command_queue queue) {
    (void)plan, (void)queue;
    return CL_SUCCESS;
}

struct red_finish_steps red_finish_steps_of(enum red_finish_kind finish) {
    struct red_finish_steps steps = *finishes[finish];
    steps.enqueue = steps.enqueue ? steps.enqueue : red_finish_enqueue;
    steps.fetch = steps.fetch ? steps.fetch : red_finish_read;
    steps.answer = steps.answer ? steps.answer : red_finish_fold;
    steps.give_back = steps.give_back ? steps.give_back : give_back_nothing;
    steps.end = steps.end ? steps.end : CL_PROFILING_COMMAND_END;
    return steps;
}

/* One argument, with what the contract says of it. A driver that refuses its size or kind has found a kernel
 * with another signature. */
struct kernel_argument {
    const char *contract;
    size_t bytes;
    const void *value;
    const struct red_host_visible *shared; /* what it is instead, where there is such memory */
};

/* How many parameters the kernel has; 0 where the driver does not say. */
static cl_uint parameters_n(cl_kernel kernel) {
    cl_uint n = 0;
    const cl_int code = clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL);
    return code == CL_SUCCESS ? n : 0;
}

/* Sets all arguments of a launch's kernel; RED_E_BUILD, and the cell is `build-failed`, where the kernel has
 * more or fewer of them, or another one there. */
static enum red_status set_arguments(const struct red_plan *plan, cl_kernel kernel,
                                     const struct kernel_argument *arguments, cl_uint n,
                                     struct red_error *error) {
    const char *contract = red_primitives[plan->op->primitive].signature;
    const cl_uint kernel_n = parameters_n(kernel);
    cl_int code = CL_SUCCESS;
    if (kernel_n != n && kernel_n > 0)
        return red_fail(error, RED_E_BUILD, "%s: the kernel has %u parameters; the contract is %s%s",
                        plan->strategy->path, kernel_n, contract,
                        red_strategy_groups_have_words(plan->strategy)
                            ? ", but of this finish and needs RED_COUNTER(out)"
                            : "");
    for (cl_uint i = 0; i < n; i++) {
        const bool is_shared = arguments[i].shared != NULL && arguments[i].shared->memory != NULL;
        code = is_shared ? red_host_visible_set_arg(plan->device, kernel, i, arguments[i].shared)
                         : clSetKernelArg(kernel, i, arguments[i].bytes, arguments[i].value);
        if (!is_shared &&
            (code == CL_INVALID_ARG_SIZE || code == CL_INVALID_ARG_VALUE || code == CL_INVALID_ARG_INDEX))
            return red_fail(
                error, RED_E_BUILD, "%s: parameter %u of the kernel is not `%s` (%s); the contract is %s",
                plan->strategy->path, i + 1, arguments[i].contract, red_cl_error_name(code), contract);
        if (code != CL_SUCCESS)
            return red_cl_check(code, is_shared ? "setting shared memory" : "clSetKernelArg", error);
    }
    return RED_OK;
}

/* The parameters RED_INPUT of a kernel that computes its elements (lib/computed.cl). */
enum { FORM_ARGUMENTS_N = 5 };
static void list_form_arguments(const struct red_element_form *form, cl_ulong *seeds,
                                struct kernel_argument arguments[FORM_ARGUMENTS_N]) {
    static const cl_ulong first = 0;
    *seeds = form->seeds[0] | (cl_ulong)form->seeds[1] << 32;
    const struct kernel_argument made[FORM_ARGUMENTS_N] = {
        {"const ulong seeds", sizeof *seeds, seeds, NULL},
        {"const ulong first", sizeof first, &first, NULL},
        {"const uint shift", sizeof form->shift, &form->shift, NULL},
        {"const int offset", sizeof form->offset, &form->offset, NULL},
        {"const float scale", sizeof form->scale, &form->scale, NULL}};
    memcpy(arguments, made, sizeof made);
}

/* The bytes of the local memory that a launch's kernel gets as an argument; 0 where it gets none, as the one
 * of finish `stored` that stores terms (lib/store_terms.cl). */
static size_t given_local_bytes(const struct red_plan *plan, bool over_partials) {
    const bool stores_terms = plan->strategy->finish == RED_STRATEGY_STORED && !over_partials,
               is_given = (plan->strategy->needs & RED_NEED(LOCAL_ARGUMENT)) != 0 && !stores_terms;
    return is_given ? plan->geometry.group_size * plan->accumulator->size_bytes : 0;
}

/* Those of a reduction's kernel: inputs (of partial results one), n, out[out_i], the counter if it takes one
 * more parameter than the others, the answer's memory, the pipe or the number of segments if it needs it;
 * last its local memory, if that is an argument. A driver looks at each buffer of a launch (NVIDIA's for 0.3
 * us), so kernels have no counter that they do not use. */
static enum red_status set_arguments_of_reduction(const struct red_plan *plan, cl_kernel kernel,
                                                  const cl_mem *inputs, uint64_t n, unsigned out_i,
                                                  struct red_error *error) {
    const bool over_partials = inputs != plan->inputs, is_computed = plan->is_computed && !over_partials;
    const cl_uint inputs_n = is_computed ? FORM_ARGUMENTS_N : over_partials ? 1 : plan->op->arrays;
    cl_ulong seeds;
    const cl_ulong n_argument = n, segments_n = plan->segments_n;
    const bool has_pipe = plan->pipe != NULL;
    const struct kernel_argument arrays[] = {
        {"global const RED_T *restrict x", sizeof inputs[0], &inputs[0], NULL},
        {"global const RED_T *restrict y", sizeof inputs[1], &inputs[1], NULL}};
    const struct kernel_argument counter = {"global uint *restrict counter", sizeof plan->counter,
                                            &plan->counter, NULL};
    const bool has_more =
        has_pipe || plan->answer.memory != NULL || red_strategy_is_segmented(plan->strategy);
    const size_t local_bytes = given_local_bytes(plan, over_partials);
    const cl_uint others_n = inputs_n + 2 + has_more + (local_bytes > 0);
    struct kernel_argument own[FORM_ARGUMENTS_N + 5];
    cl_uint own_n = inputs_n;
    if (is_computed)
        list_form_arguments(&plan->form, &seeds, own);
    else
        memcpy(own, arrays, inputs_n * sizeof own[0]);
    own[own_n++] = (struct kernel_argument){"const ulong n", sizeof n_argument, &n_argument, NULL};
    own[own_n++] = (struct kernel_argument){"global RED_A *restrict out", sizeof plan->out[out_i],
                                            &plan->out[out_i], out_i == 0 ? &plan->shared : NULL};
    if (plan->counter != NULL && parameters_n(kernel) > others_n)
        own[own_n++] = counter;
    if (has_more)
        own[own_n++] = (struct kernel_argument){
            has_pipe ? "RED_PIPE partials" : "RED_SEGMENTS", has_pipe ? sizeof plan->pipe : sizeof segments_n,
            has_pipe ? (const void *)&plan->pipe : &segments_n, &plan->answer};
    if (local_bytes > 0)
        own[own_n++] = (struct kernel_argument){"RED_LOCAL_ARGUMENT", local_bytes, NULL, NULL};
    return set_arguments(plan, kernel, own, own_n, error);
}

/* Whether the driver takes the plan's groups for this kernel, for which it may allow less than the device's
 * limits; else the cell is `unsupported` with this reason. Where the kernel names its group size
 * (reqd_work_group_size), the general answer is too low on NVIDIA's driver (256 where 1024 run): then the
 * launch decides. */
static enum red_status check_kernel_limits(const struct red_plan *plan, const struct red_launch *launch,
                                           struct red_error *error) {
    const cl_kernel kernel = launch->kernel;
    cl_device_id device = plan->device->cl_device;
    size_t group_size_max = 0, named[3] = {0};
    cl_ulong local_bytes = 0;
    (void)clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof named, named,
                                   NULL);
    cl_int code = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group_size_max,
                                           &group_size_max, NULL);
    if (code == CL_SUCCESS && named[0] != plan->geometry.group_size &&
        plan->geometry.group_size > group_size_max)
        return red_fail(error, RED_E_UNSUPPORTED, "group size %zu is over this kernel's limit of %zu",
                        plan->geometry.group_size, group_size_max);
    code = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local_bytes,
                                    &local_bytes, NULL);
    local_bytes += given_local_bytes(plan, launch->over_partials); /* not set yet: unknown to the driver */
    if (code == CL_SUCCESS && local_bytes > plan->device->info.local_memory_bytes)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "group size %zu needs %llu bytes of local memory; there are %llu",
                        plan->geometry.group_size, (unsigned long long)local_bytes,
                        (unsigned long long)plan->device->info.local_memory_bytes);
    return RED_OK;
}

/* Appends a launch of so many groups, without its arguments. The kernel is built here, of --strategy or
 * --kernel: its compiler's log is the cell's reason. */
static enum red_status append_launch(struct red_plan *plan, unsigned pass, bool over_partials,
                                     uint64_t groups_n, struct red_error *error) {
    if (plan->launches_n == RED_LAUNCHES_MAX)
        return red_fail(error, RED_E_UNSUPPORTED, "more than %d passes", RED_LAUNCHES_MAX);
    struct red_launch *launch = &plan->launches[plan->launches_n];
    const struct red_build_spec build = {.strategy = plan->strategy,
                                         .dtype = plan->dtype,
                                         .op = plan->op,
                                         .group_size = plan->geometry.group_size,
                                         .width = plan->geometry.width,
                                         .loads = plan->geometry.loads,
                                         .over_partials = over_partials,
                                         .poison_local = plan->poison_local,
                                         .pass = pass,
                                         .bins_n = plan->bins_n,
                                         .is_computed = plan->is_computed};
    char *text = NULL;
    enum red_status status = red_source_text(&build, &text, error);
    if (status == RED_OK)
        status = red_kernel_make(plan->device, plan->strategy->path, text, plan->standard,
                                 red_primitive_names[plan->op->primitive], &launch->kernel, error);
    free(text);
    if (status != RED_OK)
        return status;
    plan->launches_n++;
    launch->over_partials = over_partials;
    launch->global = (size_t)groups_n * plan->geometry.group_size;
    return check_kernel_limits(plan, launch, error);
}

enum red_status red_plan_add_launch(struct red_plan *plan, unsigned pass, const cl_mem *inputs, uint64_t n,
                                    uint64_t groups_n, unsigned out_i, struct red_error *error) {
    const bool over_partials = inputs != plan->inputs;
    enum red_status status = append_launch(plan, pass, over_partials, groups_n, error);
    if (status != RED_OK)
        return status;
    struct red_launch *launch = &plan->launches[plan->launches_n - 1];
    if (plan->strategy->needs & RED_NEED(NON_UNIFORM))
        launch->global = n > 0 ? (size_t)n : 1;
    return set_arguments_of_reduction(plan, launch->kernel, inputs, n, out_i, error);
}

enum { PARAMETERS_MAX = 5, PARAMETER_BYTES = 64 };

/* The parameters of a signature, and how many it has: input, n, results, and what else groups leave and agree
 * by, as far as the primitive has that. */
static cl_uint list_parameters(const char *signature, char texts[PARAMETERS_MAX][PARAMETER_BYTES]) {
    const char *at = strchr(signature, '(') + 1;
    cl_uint n = 0;
    for (size_t length; n < PARAMETERS_MAX && (length = strcspn(at, ",)")) > 0; n++) {
        snprintf(texts[n], PARAMETER_BYTES, "%.*s", (int)length, at);
        at += length + strspn(at + length, ", ");
    }
    return n;
}

enum red_status red_plan_add_primitive_launch(struct red_plan *plan,
                                              const struct red_primitive_launch *launch,
                                              struct red_error *error) {
    enum red_status status = append_launch(plan, launch->pass, launch->over_carries, launch->groups_n, error);
    if (status != RED_OK)
        return status;
    const cl_mem *out = launch->over_carries ? &plan->out[1] : &plan->out[0], *carries = out + 1;
    const cl_mem *input = launch->over_carries || plan->in_place ? out : &plan->inputs[0];
    const cl_ulong n = launch->n;
    char texts[PARAMETERS_MAX][PARAMETER_BYTES];
    const cl_uint parameters_n = list_parameters(red_primitives[plan->op->primitive].signature, texts);
    struct kernel_argument arguments[PARAMETERS_MAX] = {
        {"global const RED_T *x", sizeof *input, input, NULL},
        {"const ulong n", sizeof n, &n, NULL},
        {texts[2], sizeof *out, out, NULL},
        {texts[3], sizeof *carries, carries, NULL},
        {texts[4], sizeof plan->counter, &plan->counter, NULL},
    };
    return set_arguments(plan, plan->launches[plan->launches_n - 1].kernel, arguments, parameters_n, error);
}

/* Sets the numbers by which kernels compute other elements. */
static cl_int set_form(struct red_plan *plan, const struct red_element_form *form) {
    cl_int code = CL_SUCCESS;
    cl_ulong seeds;
    struct kernel_argument arguments[FORM_ARGUMENTS_N];
    plan->form = *form;
    list_form_arguments(form, &seeds, arguments);
    for (unsigned i = 0; i < plan->launches_n; i++)
        for (cl_uint k = 0; k < FORM_ARGUMENTS_N && !plan->launches[i].over_partials; k++)
            if (code == CL_SUCCESS)
                code = clSetKernelArg(plan->launches[i].kernel, k, arguments[k].bytes, arguments[k].value);
    return code;
}

/* For --shape iterate: worker/prepared.c gives the next array's `resident` before each reduction. */
enum red_status red_plan_set_resident(struct red_plan *plan, const struct red_resident *resident,
                                      struct red_error *error) {
    cl_int code = CL_SUCCESS;
    if (plan->commands != NULL)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "what is recorded in a command buffer keeps its array: none is put in its place");
    if (plan->is_computed)
        return red_cl_check(set_form(plan, &resident->input->form), "clSetKernelArg", error);
    if (!(plan->strategy->needs & RED_NEED(SVM_SYSTEM)))
        red_mailbox_end_launch(&plan->mailbox); /* its array is an argument, and not part of the request */
    memcpy(plan->inputs, resident->buffers, sizeof plan->inputs);
    memcpy(plan->arrays, resident->input->arrays, sizeof plan->arrays);
    for (unsigned i = 0; i < plan->launches_n; i++)
        for (cl_uint array = 0; array < plan->op->arrays && !plan->launches[i].over_partials; array++)
            if (code == CL_SUCCESS)
                code = clSetKernelArg(plan->launches[i].kernel, array, sizeof plan->inputs[array],
                                      &plan->inputs[array]);
    return red_cl_check(code, "clSetKernelArg", error);
}
