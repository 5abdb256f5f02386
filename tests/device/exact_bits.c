/* An exact strategy answers with the same bits whatever the geometry, the device, and the pieces that an
 * array lies in: those of the exact sum, rounded once (oracle/exact.h). exact_bits [SEED]   one type and
 * operation, hard data and geometries that the seed draws exact_bits all      all types and operations, with
 * a seed of the process Ends with status 0, 1, or 77 where there is no device. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cl/plan.h"
#include "model/catalogue.h"

enum { DEVICES_MAX = 8, N_MAX = 40000, DATA_N = 4, PIECES_N = 3, STRATEGIES_N = 3 };

static const char *const strategies[STRATEGIES_N] = {"superaccumulator", "superaccumulator_stride",
                                                     "superaccumulator_polled"};
static const char *const types[] = {"f16", "f32", "f64"};
static const char *const ops[] = {"sum", "dot", "sumsq", "mean"};
static const enum red_pattern patterns[] = {RED_PATTERN_CANCELLING,   RED_PATTERN_WIDE,
                                            RED_PATTERN_CONDITION_4,  RED_PATTERN_CONDITION_8,
                                            RED_PATTERN_CONDITION_12, RED_PATTERN_DENORMALS};

struct bits_check {
    struct red_device *devices[DEVICES_MAX];
    size_t devices_n;
    const struct red_catalogue *catalogue;
    const struct red_dtype *dtype;
    const struct red_op *op;
    size_t group_sizes[STRATEGIES_N]; /* few, since each is a program to compile */
    unsigned answers_n, wrong_n;
};

/* 0 ... n - 1. */
static uint64_t draw(uint64_t n) {
    return ((uint64_t)rand() << 31 | (uint64_t)rand()) % n;
}

/* Runs the strategy on a device in a geometry that is drawn; adds what it summed to *sum. */
static enum red_status run_once(const struct bits_check *check, struct red_device *device,
                                const struct red_input *input, size_t strategy, struct red_exact *sum,
                                struct red_value *value, struct red_error *error) {
    const struct red_data_spec data = {
        .op = check->op, .dtype = check->dtype, .n = input->n, .segments_n = 1};
    const struct red_tuning tuning = {.group_size = check->group_sizes[strategy],
                                      .groups_n = draw(3) ? 1 + draw(40) : 0};
    const struct red_case spec =
        red_case_make(&data, red_catalogue_find(check->catalogue, strategies[strategy]), &tuning);
    struct red_resident *resident = NULL;
    struct red_plan *plan = NULL;
    enum red_status status = red_resident_create(device, input, &resident, error);
    if (status == RED_OK)
        status = red_plan_create(resident, &spec, &plan, error);
    for (int call = 0; call < 2 && status == RED_OK; call++) /* the second finds what the first has left */
        status = red_plan_run(plan, value, error);
    if (status == RED_OK)
        red_exact_merge(sum, red_plan_exact_sum(plan));
    red_plan_destroy(plan);
    red_resident_destroy(resident);
    return status;
}

/* Compares an answer with the exact sum, rounded once. */
static void compare(struct bits_check *check, const char *who, struct red_value got, struct red_value right) {
    check->answers_n++;
    if (got.bits == right.bits)
        return;
    check->wrong_n++;
    printf("FAIL  %s, %s of %s: bits %" PRIx64 ", not %" PRIx64 "\n", who, check->op->name,
           check->dtype->name, got.bits, right.bits);
}

/* The whole array at once. */
static enum red_status check_whole(struct bits_check *check, const struct red_input *input,
                                   struct red_value right, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t d = 0; d < check->devices_n && status == RED_OK; d++)
        for (size_t s = 0; s < STRATEGIES_N && status == RED_OK; s++) {
            struct red_exact sum;
            struct red_value value;
            red_exact_reset(&sum);
            status = run_once(check, check->devices[d], input, s, &sum, &value, error);
            if (status == RED_OK)
                compare(check, strategies[s], value, right);
        }
    return status;
}

/* Pieces of lengths that are drawn, each on a device that is drawn; their sums are added, and rounded at the
 * end. */
static enum red_status check_pieces(struct bits_check *check, const struct red_input *input,
                                    struct red_value right, struct red_error *error) {
    const size_t bytes = check->dtype->size_bytes;
    enum red_status status = RED_OK;
    struct red_exact sum;
    uint64_t first = 0;
    red_exact_reset(&sum);
    for (unsigned piece = 0; piece < PIECES_N && status == RED_OK; piece++) {
        const uint64_t left_n = input->n - first,
                       n = piece + 1 == PIECES_N ? left_n : 1 + draw(left_n - PIECES_N);
        struct red_input part;
        struct red_value value;
        status = red_input_make(check->dtype, check->op, input->data_kind, n, 1, &part, error);
        if (status != RED_OK)
            return status;
        for (unsigned array = 0; array < part.arrays_n; array++)
            memcpy(part.arrays[array], (const char *)input->arrays[array] + first * bytes, (size_t)n * bytes);
        status = run_once(check, check->devices[draw(check->devices_n)], &part, (size_t)draw(STRATEGIES_N),
                          &sum, &value, error);
        red_input_clear(&part);
        first += n;
    }
    if (status == RED_OK)
        compare(check, "pieces",
                red_exact_round(&sum, check->op->role == RED_ROLE_MEAN ? input->n : 1,
                                red_op_result_dtype(check->op, check->dtype)),
                right);
    return status;
}

/* Data of several kinds, of one type and operation. */
static enum red_status check_type_and_op(struct bits_check *check, struct red_error *error) {
    static const size_t group_sizes[] = {1, 2, 7, 24, 100};
    enum red_status status = RED_OK;
    for (size_t s = 0; s < STRATEGIES_N; s++)
        check->group_sizes[s] = group_sizes[draw(sizeof group_sizes / sizeof group_sizes[0])];
    for (unsigned i = 0; i < DATA_N && status == RED_OK; i++) {
        const struct red_data_kind kind = {patterns[draw(sizeof patterns / sizeof patterns[0])], 0};
        struct red_input input;
        struct red_truth truth;
        status =
            red_input_make(check->dtype, check->op, kind, 100 + draw(N_MAX), draw(1 << 30), &input, error);
        if (status != RED_OK)
            return status;
        red_truth_find(&input, &truth);
        const struct red_value right =
            red_exact_round(&truth.real, check->op->role == RED_ROLE_MEAN ? input.n : 1,
                            red_op_result_dtype(check->op, check->dtype));
        status = check_whole(check, &input, right, error);
        if (status == RED_OK)
            status = check_pieces(check, &input, right, error);
        red_input_clear(&input);
    }
    return status;
}

static enum red_status open_devices(struct bits_check *check, const struct red_device_list *list,
                                    struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < red_device_list_n(list) && i < DEVICES_MAX && status == RED_OK; i++) {
        status = red_device_open(list, i, &check->devices[i], error);
        check->devices_n += status == RED_OK;
    }
    return status;
}

int main(int argc, char **argv) {
    const bool all = argc > 1 && strcmp(argv[1], "all") == 0;
    const unsigned seed = argc > 1 && !all ? (unsigned)strtoul(argv[1], NULL, 10) : (unsigned)getpid();
    struct red_error error = {.text = ""};
    struct red_catalogue *catalogue = NULL;
    struct red_device_list *list = NULL;
    struct bits_check check = {.devices_n = 0};
    enum red_status status = red_catalogue_create(&catalogue, &error);
    printf("seed %u\n", seed);
    srand(seed);
    check.catalogue = catalogue;
    if (status == RED_OK)
        status = red_device_list_create(&list, &error);
    if (status == RED_OK)
        status = open_devices(&check, list, &error);
    const size_t drawn = (size_t)draw(10); /* products of doubles are not among them */
    for (size_t i = 0; i < 10 && status == RED_OK && check.devices_n > 0; i++) {
        check.dtype = red_dtype_find(types[i < 8 ? i / 4 : 2]);
        check.op = red_op_find(ops[i < 8 ? i % 4 : 3 * (i - 8)]);
        if (all || i == drawn)
            status = check_type_and_op(&check, &error);
    }
    if (status != RED_OK)
        printf("FAIL  %s\n", error.text);
    printf("%s %u answers on %zu devices, %u with other bits\n",
           status == RED_OK && check.wrong_n == 0 ? "ok   " : "FAIL ", check.answers_n, check.devices_n,
           check.wrong_n);
    for (size_t i = 0; i < check.devices_n; i++)
        red_device_close(check.devices[i]);
    red_device_list_destroy(list);
    red_catalogue_destroy(catalogue);
    return status != RED_OK || check.wrong_n > 0 ? 1 : check.devices_n == 0 ? 77 : 0;
}
