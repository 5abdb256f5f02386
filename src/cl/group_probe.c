/* Probes a group's built-ins (work_group_reduce, scans, sub-groups, shuffles, ballots) in each form at
 * several group sizes; `run` is red_group_probe_run's. `devices` shows at which sizes they are right, and
 * below its table what was wrong first; cells that need another size are `unsupported`. */
#include "cl/cl_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "host/reference.h"

/* Three groups, of data that tell an identity that is none: ascending over both signs; descending and all
 * negative, where a 0 would win every max, and the smallest normal float, too; and positive in no order,
 * where a 0 would win every min. Of unsigned types the negative ones are the largest. The forms of infinities
 * have nothing else, and so show an identity that is the largest finite value. Every item of an ascending or
 * descending group changes what a scan of it gives; an exclusive one gives its identity to the first item. */
enum { GROUPS_N = 3, TEXT_BYTES = 1 << 15, LARGEST_MAX = 8192 };

/* A bit of the word in which an item says where it is, above its sub-group and its place in that. */
static const cl_uint LAST = 1u << 31;

struct group_probe_run {
    struct red_device *device;
    enum red_need_index need;
    const char *built_in;
    bool is_scan, is_exclusive, is_shuffle, is_ballot, in_sub_groups;
    const struct red_form_kind *form;
    const struct red_dtype *dtype;
    const struct red_op *op; /* by which the form's results are found, a scan or a reduction; or NULL */
    size_t largest;
    cl_mem in, out, where;
    struct group_probe_data *data;
};

/* What the buffers hold, values of the form's type, of 8 bytes at most, and what belongs to them. */
struct group_probe_data {
    uint64_t in[GROUPS_N * LARGEST_MAX], out[GROUPS_N * LARGEST_MAX], expected[GROUPS_N * LARGEST_MAX];
    cl_uint places[GROUPS_N * LARGEST_MAX]; /* of each item: sub-group, item in it, and LAST where it takes
                                               itself for the last */
    uint64_t of_team[LARGEST_MAX], scanned[LARGEST_MAX];
    size_t order[LARGEST_MAX],   /* of a group: its items by sub-group and item in it; */
        begins[LARGEST_MAX + 1]; /* where each sub-group begins */
};

/* ---- data ---------------------------------------------------------------------------------------------- */

/* From what the value of item i is made, in a group of `size` items: below 2^62 in size and never 0. `group`,
 * 0 to 2, is the kind of data that GROUPS_N tells of. */
static int64_t raw_value(size_t group, size_t i, size_t size) {
    const int64_t step = (INT64_C(1) << 61) / (int64_t)size;
    if (group == 0)
        return (2 * (int64_t)i + 1 - (int64_t)size) * step + (step >> 1 | 1);
    if (group == 1)
        return -((int64_t)i + 1) * step;
    uint64_t random = i;
    return (int64_t)(red_random(&random) >> 2) | 1 << 20;
}

/* What is multiplied is odd, so that no product is 0. What is and-ed or or-ed changes one bit, of one item:
 * the first, the last, or one between. */
static uint64_t integer_value(const char *suffix, size_t group, size_t i, size_t size, int64_t raw) {
    const size_t special[GROUPS_N] = {0, size - 1, size / 2};
    const uint64_t bit = i == special[group] ? UINT64_C(1) << (7 + group) : 0;
    return strcmp(suffix, "and") == 0   ? ~bit
           : strcmp(suffix, "or") == 0  ? bit
           : strcmp(suffix, "mul") == 0 ? (uint64_t)raw | 1
                                        : (uint64_t)raw;
}

/* Stores the value of item i of a group. What is added stays exact, and does not overflow: floats are small
 * integers. What is compared is large. */
static void store_value(struct group_probe_run *run, size_t group, size_t i, size_t size) {
    const struct red_dtype *dtype = run->dtype;
    const bool is_wide = dtype->bits == 64;
    const int64_t raw = raw_value(group, i, size);
    const size_t at = group * size + i;
    if (!dtype->is_float)
        dtype->put_integer(run->data->in, at,
                           integer_value(run->form->suffix, group, i, size, is_wide ? raw : raw >> 31));
    else if (run->form->of_infinities)
        dtype->put_real(run->data->in, at,
                        strcmp(run->form->suffix, "min") == 0 ? (double)INFINITY : -(double)INFINITY);
    else if (strcmp(run->form->suffix, "mul") == 0) /* 2^64 in 8192 items */
        dtype->put_real(run->data->in, at, (raw < 0 ? -1.0 : 1.0) * (i % 128 == 5 ? 2 : 1));
    else if (strcmp(run->form->suffix, "add") == 0)
        dtype->put_real(run->data->in, at, (double)(raw >> (is_wide ? 24 : 51)) + (raw < 0 ? -1 : 1));
    else
        dtype->put_real(run->data->in, at, is_wide ? (double)raw * 0x1p900 : (float)raw * 0x1p60);
}

/* ---- expected results ---------------------------------------------------------------------------------- */

/* The host's operation that does what the built-in of the suffix does, a scan or a reduction; NULL for that
 * of a shuffle. */
static const struct red_op *op_of_suffix(const char *suffix, bool is_scan, bool exclusive) {
    for (size_t i = is_scan ? RED_REDUCTIONS_N : 0; i < RED_REDUCTIONS_N + RED_SCANS_N; i++)
        if (strcmp(red_ops[i].suffix, suffix) == 0 && red_ops[i].exclusive == exclusive)
            return &red_ops[i];
    return NULL;
}

/* What item `lane` of a team of values must make of the bits that it gets by shuffles from the items 0, 1, 2,
 * 4, ... on: 3 times what it has and the next, each time. Only the lower bits count of a narrow type. */
static uint64_t shuffle_hash(const void *of_team, size_t team_n, size_t lane, size_t bytes) {
    uint64_t hash = 0;
    for (size_t step = 0; step < team_n; step = step ? 2 * step : 1) {
        uint64_t bits = 0;
        memcpy(&bits, (const char *)of_team + (lane + step) % team_n * bytes, bytes);
        hash = 3 * hash + bits;
    }
    return hash;
}

/* What item `lane` of a sub-group, of 32 bits each, must make of the ballot of who has an odd value: 3 times
 * what it has and the next, of the ballot's four words, and of how many items vote as this one does and the
 * first of them. A ballot has 128 bits: from a larger sub-group nothing can be right. */
static uint64_t ballot_hash(const void *of_team, size_t team_n, size_t lane) {
    const uint32_t *values = of_team;
    uint32_t words[4] = {0}, hash = 0, equals_n = 0, first = (uint32_t)team_n;
    for (size_t i = 0; i < team_n; i++) {
        if (values[i] % 2 == 1 && i < 128)
            words[i / 32] |= 1u << i % 32;
        if (values[i] % 2 != values[lane] % 2)
            continue;
        first = equals_n == 0 ? (uint32_t)i : first;
        equals_n++;
    }
    for (size_t w = 0; w < 4; w++)
        hash = 3 * hash + words[w];
    return 3 * (3 * hash + equals_n) + first;
}

/* Sets what the items of a team (a group or a sub-group), in their order, must give. */
static void set_expected_of_team(struct group_probe_run *run, const size_t *team, size_t team_n) {
    struct group_probe_data *data = run->data;
    const size_t bytes = run->dtype->size_bytes;
    for (size_t lane = 0; lane < team_n; lane++)
        memcpy((char *)data->of_team + lane * bytes, (char *)data->in + team[lane] * bytes, bytes);
    struct red_partial partial = {.u64 = 0};
    const void *const arrays[2] = {data->of_team, NULL};
    if (run->is_scan)
        red_sequential_scan(run->op, run->dtype, 0, data->of_team, team_n, data->scanned);
    else if (run->op != NULL)
        red_sequential_partial(run->op, run->dtype, arrays, team_n, &partial);
    const struct red_value reduced = run->is_scan || run->op == NULL
                                         ? (struct red_value){.bits = 0}
                                         : red_partial_answer(run->op, run->dtype, &partial, team_n);
    for (size_t lane = 0; lane < team_n; lane++) {
        const uint64_t hash = run->is_shuffle  ? shuffle_hash(data->of_team, team_n, lane, bytes)
                              : run->is_ballot ? ballot_hash(data->of_team, team_n, lane)
                                               : 0;
        const void *right = run->op == NULL ? (const void *)&hash
                            : run->is_scan  ? (const void *)((char *)data->scanned + lane * bytes)
                                            : (const void *)&reduced;
        memcpy((char *)data->expected + team[lane] * bytes, right, bytes);
    }
}

/* Which sub-group an item, counted over all groups, says that it is in. */
static size_t sub_group_of(const struct group_probe_run *run, size_t global_item) {
    return (run->data->places[global_item] & ~LAST) >> 16;
}

/* Sets where each sub-group of a group begins in `order`, as the items (the first of them is `first`) say
 * which they are in; false if one names a sub-group that cannot be. */
static bool set_begins_of_sub_groups(struct group_probe_run *run, size_t first, size_t size) {
    memset(run->data->begins, 0, (size + 1) * sizeof run->data->begins[0]);
    for (size_t i = first; i < first + size; i++) {
        if (sub_group_of(run, i) >= size)
            return false;
        run->data->begins[sub_group_of(run, i) + 1]++;
    }
    for (size_t s = 0; s < size; s++)
        run->data->begins[s + 1] += run->data->begins[s];
    return true;
}

/* Sets what the items of one group must get, sub-group by sub-group, as the items say where they are. NULL,
 * or what cannot be: of scans, whose sum the last item has, that get_sub_group_size names another as the
 * last. */
static const char *set_expected_of_sub_groups(struct group_probe_run *run, size_t first, size_t size) {
    static const char parts[] = "the sub-groups do not make up the group";
    if (!set_begins_of_sub_groups(run, first, size))
        return parts;
    for (size_t i = 0; i < size; i++)
        run->data->order[i] = SIZE_MAX;
    for (size_t i = first; i < first + size; i++) {
        const size_t sub_group = sub_group_of(run, i);
        const size_t at = run->data->begins[sub_group] + (run->data->places[i] & 0xffff);
        const bool is_last = (run->data->places[i] & LAST) != 0;
        if (at >= run->data->begins[sub_group + 1] || run->data->order[at] != SIZE_MAX)
            return parts;
        if (run->is_scan && is_last != (at + 1 == run->data->begins[sub_group + 1]))
            return "get_sub_group_size is not the number of items in the sub-group";
        run->data->order[at] = i;
    }
    for (size_t s = 0; s < size; s++)
        if (run->data->begins[s + 1] > run->data->begins[s])
            set_expected_of_team(run, run->data->order + run->data->begins[s],
                                 run->data->begins[s + 1] - run->data->begins[s]);
    return NULL;
}

/* ---- running ------------------------------------------------------------------------------------------- */

/* RED_E_WRONG with what an item (counted over all groups) got and must get: a reason that `devices` shows. */
static enum red_status fail_wrong_item(const struct group_probe_run *run, size_t global_item,
                                       size_t group_size, struct red_error *error) {
    const struct red_dtype *dtype = run->dtype;
    const size_t bytes = dtype->size_bytes;
    struct red_value got = {.bits = 0}, expected = {.bits = 0};
    char got_text[64], expected_text[64];
    memcpy(&got.bits, (const char *)run->data->out + global_item * bytes, bytes);
    memcpy(&expected.bits, (const char *)run->data->expected + global_item * bytes, bytes);
    if (run->op == NULL) /* the sum of bits is no value of the type */
        return red_fail(error, RED_E_WRONG, "item %zu %s", global_item % group_size,
                        run->is_shuffle ? "hears from others" : "sees other votes");
    red_value_format(dtype, &got, got_text, sizeof got_text);
    red_value_format(dtype, &expected, expected_text, sizeof expected_text);
    return red_fail(error, RED_E_WRONG, "item %zu expects %s, got %s", global_item % group_size,
                    expected_text, got_text);
}

/* Sets what each item must get, and compares what it got. RED_E_WRONG with the first that differs. */
static enum red_status set_expected_and_compare(struct group_probe_run *run, size_t size,
                                                struct red_error *error) {
    const size_t bytes = run->dtype->size_bytes;
    for (size_t group = 0; group < GROUPS_N; group++) {
        if (run->in_sub_groups) {
            const char *wrong = set_expected_of_sub_groups(run, group * size, size);
            if (wrong != NULL)
                return red_fail(error, RED_E_WRONG, "%s", wrong);
            continue;
        }
        for (size_t i = 0; i < size; i++)
            run->data->order[i] = group * size + i;
        set_expected_of_team(run, run->data->order, size);
    }
    for (size_t i = 0; i < GROUPS_N * size; i++)
        if (memcmp((const char *)run->data->expected + i * bytes, (const char *)run->data->out + i * bytes,
                   bytes) != 0)
            return fail_wrong_item(run, i, size, error);
    return RED_OK;
}

/* Runs the kernel of one form with three groups of this size, and compares what each item got. */
static enum red_status run_size_and_compare(struct group_probe_run *run, cl_kernel kernel, size_t size,
                                            struct red_error *error) {
    cl_command_queue queue = run->device->queue;
    const size_t global = GROUPS_N * size, bytes = global * run->dtype->size_bytes;
    for (size_t i = 0; i < global; i++)
        store_value(run, i / size, i % size, size);
    memset(run->data->out, 0x5a, bytes); /* so that nothing is right that was left over */
    cl_int code = red_cl_write(queue, run->in, 0, run->data->in, bytes);
    if (code == CL_SUCCESS)
        code = red_cl_write(queue, run->out, 0, run->data->out, bytes);
    enum red_status status = red_cl_check(code, "clEnqueueWriteBuffer", error);
    if (status == RED_OK) /* what was wrong before the launch is no refusal of this size */
        status = red_cl_check_launch(red_cl_launch(queue, kernel, global, size, NULL), size, error);
    if (status != RED_OK)
        return status;
    code = red_cl_read(queue, run->out, 0, run->data->out, bytes);
    if (code == CL_SUCCESS && run->in_sub_groups)
        code = red_cl_read(queue, run->where, 0, run->data->places, global * sizeof run->data->places[0]);
    status = red_cl_check(code, "clEnqueueReadBuffer", error);
    return status == RED_OK ? set_expected_and_compare(run, size, error) : status;
}

/* ---- making -------------------------------------------------------------------------------------------- */

/* Writes the body of a kernel into the text, and returns its length: each item gives what its built-in gave,
 * and in sub-groups says where it is. */
static int kernel_body_format(const struct group_probe_run *run, const struct red_form_kind *form,
                              const struct red_dtype *dtype, char *text, size_t text_bytes) {
    const char *bits = dtype->bits == 64 ? "ulong" : "uint";
    int used =
        snprintf(text, text_bytes, "    const size_t i = get_global_id(0);\n%s",
                 run->in_sub_groups ? "    const uint lane = get_sub_group_local_id();\n"
                                      "    where[i] = (lane + 1 == get_sub_group_size() ? 1u << 31 : 0) |\n"
                                      "               get_sub_group_id() << 16 | lane;\n"
                                    : "");
    if (run->is_ballot)
        return used + snprintf(text + used, text_bytes - (size_t)used,
                               "    const bool is_odd = in[i] & 1;\n"
                               "    const uint4 yes = sub_group_ballot(is_odd), all = sub_group_ballot(1);\n"
                               "    const uint4 equals = is_odd ? yes : all & ~yes;\n"
                               "    const uint words = ((yes.x * 3 + yes.y) * 3 + yes.z) * 3 + yes.w;\n"
                               "    out[i] = (words * 3 + sub_group_ballot_bit_count(equals)) * 3 +\n"
                               "             sub_group_ballot_find_lsb(equals);\n}\n");
    if (!run->is_shuffle)
        return used + snprintf(text + used, text_bytes - (size_t)used, "    out[i] = %s%s(in[i]);\n}\n",
                               run->built_in, form->suffix);
    return used + snprintf(text + used, text_bytes - (size_t)used,
                           "    const uint n = get_sub_group_size(), item = get_sub_group_local_id();\n"
                           "    const %s value = in[i];\n"
                           "    %s sum = 0;\n"
                           "    for (uint step = 0; step < n; step = step ? 2 * step : 1)\n"
                           "        sum = 3 * sum + as_%s(sub_group_shuffle(value, (item + step) %% n));\n"
                           "    out[i] = sum;\n}\n",
                           dtype->cl_type, bits, bits);
}

/* The form whose kernel this one uses: that of infinities is the plain one, with other data. */
static size_t form_of_kernel(enum red_need_index need, size_t form_i) {
    const struct red_form_kind *form = red_form_kind(need, form_i);
    size_t first = 0;
    while (strcmp(red_form_kind(need, first)->suffix, form->suffix) != 0 ||
           strcmp(red_form_kind(need, first)->type, form->type) != 0)
        first++;
    return first;
}

/* Writes the kernel of one form and size into the text, and returns its length: 0, and nothing is written,
 * where the size is beyond the device's, or the kernel is another form's. */
static int kernel_format(const struct group_probe_run *run, size_t form_i, unsigned size_i, char *text,
                         size_t text_bytes) {
    const struct red_form_kind *form = red_form_kind(run->need, form_i);
    const struct red_dtype *dtype = red_dtype_find(form->type);
    const size_t size = red_probed_group_size(size_i, run->largest);
    if (size == 0 || form_of_kernel(run->need, form_i) != form_i)
        return 0;
    int used = snprintf(text, text_bytes,
                        "kernel __attribute__((reqd_work_group_size(%zu, 1, 1)))\n"
                        "void probe_%zu_%u(global const %s *in, global %s *out, global uint *where) {\n",
                        size, form_i, size_i, dtype->cl_type,
                        !run->is_shuffle    ? dtype->cl_type
                        : dtype->bits == 64 ? "ulong"
                                            : "uint");
    return used + kernel_body_format(run, form, dtype, text + used, text_bytes - (size_t)used);
}

/* Writes a program with kernels of the first forms_n forms and sizes from `first` to before `end`, probe_0_0,
 * probe_0_1, ...: a driver that does not survive one may survive the others. Each names its group size, as
 * those of strategies do: drivers then compile another code. */
static void program_format(const struct group_probe_run *run, size_t forms_n, unsigned first, unsigned end,
                           char text[TEXT_BYTES]) {
    int used = snprintf(text, TEXT_BYTES, "%s",
                        run->in_sub_groups ? "#ifdef cl_khr_subgroups\n"
                                             "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
                                             "#endif\n"
                                           : "");
    for (size_t f = 0; f < forms_n; f++)
        for (unsigned i = first; i < end; i++)
            used += kernel_format(run, f, i, text + used, TEXT_BYTES - (size_t)used);
}

/* A program with one of these kernels alone is built first: where it does not build, Intel's compiler takes 2
 * s to say so of a hundred. */
enum { ONE_SIZE = 3 };
static const char one_name[] = "probe_0_3";

/* Builds the text, of which one kernel is one_name; what was built is kept (cl/program.c). Errors: those of
 * red_kernel_make. */
static enum red_status check_builds(const struct group_probe_run *run, enum red_c_standard standard,
                                    const char *text, struct red_error *error) {
    cl_kernel built = NULL;
    enum red_status status = red_kernel_make(run->device, "probe", text, standard, one_name, &built, error);
    red_cl_release_kernel(built);
    return status;
}

static enum red_status group_run_make_buffers(struct group_probe_run *run, struct red_error *error) {
    const size_t n = GROUPS_N * run->largest;
    cl_int code;
    run->data = calloc(1, sizeof *run->data);
    if (run->data == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a probe");
    run->in = clCreateBuffer(run->device->context, CL_MEM_READ_ONLY, 8 * n, NULL, &code);
    if (code == CL_SUCCESS)
        run->out = clCreateBuffer(run->device->context, CL_MEM_READ_WRITE, 8 * n, NULL, &code);
    if (code == CL_SUCCESS)
        run->where =
            clCreateBuffer(run->device->context, CL_MEM_READ_WRITE, n * sizeof(cl_uint), NULL, &code);
    return red_cl_check(code, "clCreateBuffer", error);
}

/* Waits for the device, then frees the buffers. */
static void group_run_clear(struct group_probe_run *run) {
    const cl_mem buffers[] = {run->in, run->out, run->where};
    clFinish(run->device->queue);
    red_cl_release_buffers(buffers, sizeof buffers / sizeof buffers[0]);
    free(run->data);
}

/* Runs one form at one size and records the answer: a wrong one is no error. What the driver refuses to
 * launch is no answer: the size is too large for it. */
static enum red_status probe_form_at_size(struct group_probe_run *run, const char *text,
                                          enum red_c_standard standard, size_t form_i, unsigned size_i,
                                          struct red_form_findings *form, struct red_error *error) {
    const struct red_cl_argument arguments[] = {
        {sizeof run->in, &run->in}, {sizeof run->out, &run->out}, {sizeof run->where, &run->where}};
    struct red_error found = {.text = ""};
    char name[48];
    cl_kernel kernel = NULL;
    snprintf(name, sizeof name, "probe_%zu_%u", form_of_kernel(run->need, form_i), size_i);
    enum red_status status = red_kernel_make(run->device, "probe", text, standard, name, &kernel, error);
    if (status != RED_OK)
        return status;
    status = red_cl_check(red_cl_set_arguments(kernel, 0, arguments, 3), "clSetKernelArg", &found);
    if (status == RED_OK)
        status = run_size_and_compare(run, kernel, red_probed_group_size(size_i, run->largest), &found);
    clReleaseKernel(kernel);
    if (status != RED_E_UNSUPPORTED)
        red_form_record(form, size_i, status, found.text);
    return RED_OK;
}

enum red_status red_group_probe_run(struct red_device *device, enum red_need_index need,
                                    enum red_c_standard standard, const struct red_probe_watch *watch,
                                    struct red_capability *capability, struct red_error *error) {
    const size_t limit = device->info.shape.group_size_max;
    const char *built_in = red_need_built_in_prefix(need);
    struct group_probe_run run = {.device = device,
                                  .need = need,
                                  .built_in = built_in,
                                  .is_scan = strstr(built_in, "_scan_") != NULL,
                                  .is_exclusive = strstr(built_in, "_exclusive_") != NULL,
                                  .is_shuffle = strstr(built_in, "_shuffle") != NULL,
                                  .is_ballot = strstr(built_in, "_ballot") != NULL,
                                  .in_sub_groups = strncmp(built_in, "sub_group_", 10) == 0,
                                  .largest = limit < LARGEST_MAX ? limit : LARGEST_MAX};
    static char text[TEXT_BYTES];
    program_format(&run, 1, ONE_SIZE, ONE_SIZE + 1, text);
    enum red_status status = check_builds(&run, standard, text, error);
    if (status == RED_OK) {
        program_format(&run, capability->forms_n, 0, RED_GROUP_SIZES_N, text);
        status = check_builds(&run, standard, text, error);
    }
    if (status == RED_OK) {
        capability->builds = RED_YES;
        status = group_run_make_buffers(&run, error);
    }
    for (size_t f = 0; f < capability->forms_n && status == RED_OK; f++) {
        run.form = red_form_kind(need, f);
        run.dtype = red_dtype_find(run.form->type);
        run.op = op_of_suffix(run.form->suffix, run.is_scan, run.is_exclusive);
        capability->forms[f].sizes.largest = run.largest;
        for (unsigned i = 0; i < RED_GROUP_SIZES_N && status == RED_OK; i++)
            if (red_probed_group_size(i, run.largest) > 0 &&
                red_probe_begin_unless_asked(watch, capability, f, i))
                status = probe_form_at_size(&run, text, standard, f, i, &capability->forms[f], error);
    }
    group_run_clear(&run);
    return status;
}
