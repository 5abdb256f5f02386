/* An exact strategy answers with the same bits whatever the geometry, the device, and the pieces that an
 * array lies in: those of the exact sum, rounded once (model/exact.h). The sum before it is rounded has the
 * same digits, too.
 *   exact_bits [SEED]         one type and operation, hard data and geometries that the seed draws; and edges
 *   exact_bits all            all types and operations, and edges, with a seed of the process
 *   exact_bits edges [SEED]   only what stands at the edges of what is added as doubles
 * Ends with status 0, 1, or 77 where there is no device. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cl/finish.h"
#include "cl/plan.h"
#include "model/catalogue.h"

enum { DEVICES_MAX = 8, N_MAX = 40000, DATA_N = 4, PIECES_N = 3, STRATEGIES_N = 3, EDGES_N = 560000 };

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
    uint64_t groups_n;                /* 0: drawn */
    unsigned answers_n, wrong_n;
};

/* 0 ... n - 1. */
static uint64_t draw(uint64_t n) {
    return ((uint64_t)rand() << 31 | (uint64_t)rand()) % n;
}

/* Whether the words that groups have left for the host are digits, 0 ... 2^32 - 1, but for the last two of
 * each group: then those of a million groups of any size add up within 63 bits. */
static bool leaves_digits(const struct red_plan *plan) {
    const size_t words_n = plan->read_bytes / sizeof(int64_t) / (size_t)plan->geometry.groups_n;
    const int64_t *words = plan->read;
    bool are_digits = true;
    for (uint64_t group = 0; group < plan->geometry.groups_n; group++, words += words_n)
        for (size_t i = 0; i + 2 < words_n; i++)
            are_digits = are_digits && words[i] >> 32 == 0;
    return are_digits;
}

/* Runs the strategy on a device in a geometry that is drawn unless the check has one; adds what it summed to
 * *sum. */
static enum red_status run_once(const struct bits_check *check, struct red_device *device,
                                const struct red_input *input, size_t strategy, struct red_exact *sum,
                                struct red_value *value, struct red_error *error) {
    const struct red_data_spec data = {
        .op = check->op, .dtype = check->dtype, .n = input->n, .segments_n = 1};
    const struct red_tuning tuning = {.group_size = check->group_sizes[strategy],
                                      .groups_n = check->groups_n ? check->groups_n
                                                  : draw(3)       ? 1 + draw(40)
                                                                  : 0};
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
    if (status == RED_OK && plan->strategy->finish == RED_STRATEGY_WORDS && !leaves_digits(plan))
        status = red_fail(error, RED_E_WRONG, "%s: a group of %zu leaves more than digits",
                          strategies[strategy], plan->geometry.group_size);
    red_plan_destroy(plan);
    red_resident_destroy(resident);
    return status;
}

/* The right answer of a sum. */
static struct red_value rounded(const struct bits_check *check, const struct red_exact *sum, uint64_t n) {
    return red_exact_round(sum, check->op->role == RED_ROLE_MEAN ? n : 1,
                           red_op_result_dtype(check->op, check->dtype));
}

/* Compares an answer, and the sum that it was made of, with the exact sum of n elements. */
static void compare(struct bits_check *check, const char *who, struct red_value got,
                    const struct red_exact *sum, const struct red_exact *exact, uint64_t n) {
    const struct red_value right = rounded(check, exact, n);
    int64_t words[2][RED_EXACT_WORDS];
    red_exact_to_words(sum, words[0]);
    red_exact_to_words(exact, words[1]);
    check->answers_n++;
    if (got.bits == right.bits && memcmp(words[0], words[1], sizeof words[0]) == 0)
        return;
    check->wrong_n++;
    printf("FAIL  %s, %s of %s: bits %" PRIx64 "%s, not %" PRIx64 "\n", who, check->op->name,
           check->dtype->name, got.bits, got.bits == right.bits ? " of another sum" : "", right.bits);
}

/* The whole array at once. */
static enum red_status check_whole(struct bits_check *check, const struct red_input *input,
                                   const struct red_exact *exact, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t d = 0; d < check->devices_n && status == RED_OK; d++)
        for (size_t s = 0; s < STRATEGIES_N && status == RED_OK; s++) {
            struct red_exact sum;
            struct red_value value;
            red_exact_reset(&sum);
            status = run_once(check, check->devices[d], input, s, &sum, &value, error);
            if (status == RED_OK)
                compare(check, strategies[s], value, &sum, exact, input->n);
        }
    return status;
}

/* Pieces of lengths that are drawn, each on a device that is drawn; their sums are added, and rounded at the
 * end. */
static enum red_status check_pieces(struct bits_check *check, const struct red_input *input,
                                    const struct red_exact *exact, struct red_error *error) {
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
        const struct red_data_spec spec = red_data_spec_make(check->op, check->dtype, input->data_kind, n, 1);
        status = red_input_make(&spec, &part, error);
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
        compare(check, "pieces", rounded(check, &sum, input->n), &sum, exact, input->n);
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
        const struct red_data_spec spec =
            red_data_spec_make(check->op, check->dtype, kind, 100 + draw(N_MAX), draw(1 << 30));
        status = red_input_make(&spec, &input, error);
        if (status != RED_OK)
            return status;
        red_truth_find(&input, &truth);
        status = check_whole(check, &input, &truth.real, error);
        if (status == RED_OK)
            status = check_pieces(check, &input, &truth.real, error);
        red_input_clear(&input);
    }
    return status;
}

/* A float of this exponent (0: a denormal) with all bits of the fraction. */
static uint32_t full_float(unsigned exponent) {
    return exponent << 23 | 0x7fffff;
}

/* Exponents: of an f32's first elements, drawn from `least` to `most`; how much higher and lower others are.
 */
struct f32_edges {
    unsigned least, most, rise, gap;
};

/* What a sum held in doubles can just hold (kernels_cl12/lib/doubles.cl): for one item, so long that what it
 * holds is let go, elements which make its window, then seven of eight `rise` positions higher, 2 being as
 * large as the window can hold, and others `gap` positions below the first; the second half are the negative
 * of such. In its midst a block needs a higher window. Zeros of both signs are rare, and so is any other
 * element, denormals among them. */
static void write_edges_f32(uint32_t *words, uint64_t n, const struct f32_edges *edges) {
    const unsigned first = edges->least + (unsigned)draw(edges->most - edges->least + 1);
    const unsigned low = first > edges->gap ? first - edges->gap : 0;
    const uint64_t block_n = 128, jump = n * 3 / 4 / block_n;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t sign = i < n / 2 ? 0 : 0x80000000U;
        words[i] = sign | full_float(i < block_n ? first : draw(8) ? first + edges->rise : low);
        if (draw(4000) == 0)
            words[i] = draw(2) ? sign : sign | full_float((unsigned)draw(2) * (unsigned)draw(255));
        if (i / block_n == jump)
            words[i] = sign | full_float(first < 234 ? first + 20 : 254);
    }
}

/* The greatest half and the least. */
static void write_edges_f16(uint16_t *words, uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        words[i] = (uint16_t)((i < n / 2 ? 0 : 0x8000U) | (draw(8) ? 0x7bffU : draw(2)));
}

/* Sums of one item at the edges of what is added as doubles. */
static enum red_status check_edges(struct bits_check *check, const char *type, const struct f32_edges *edges,
                                   struct red_error *error) {
    const struct red_data_kind kind = {RED_PATTERN_UNIFORM, 0};
    struct red_input input;
    struct red_truth truth;
    check->dtype = red_dtype_find(type);
    check->op = red_op_find("sum");
    const struct red_data_spec spec =
        red_data_spec_make(check->op, check->dtype, kind, EDGES_N + draw(1000), 1);
    enum red_status status = red_input_make(&spec, &input, error);
    if (status != RED_OK)
        return status;
    if (check->dtype->bits == 16)
        write_edges_f16(input.arrays[0], input.n);
    else
        write_edges_f32(input.arrays[0], input.n, edges);
    red_truth_find(&input, &truth);
    check->groups_n = 1;
    for (size_t s = 0; s < STRATEGIES_N; s++)
        check->group_sizes[s] = 1;
    status = check_whole(check, &input, &truth.real, error);
    check->groups_n = 0;
    red_input_clear(&input);
    return status;
}

/* An f32's window goes from 17 positions below the first elements to 2 above them. Others are tried, too, and
 * those whose low elements are denormals. */
static enum red_status check_all_edges(struct bits_check *check, struct red_error *error) {
    static const struct f32_edges edges[] = {
        {20, 251, 2, 16}, {20, 251, 2, 17}, {20, 251, 2, 18}, {20, 251, 3, 17}, {1, 20, 2, 17}};
    enum red_status status = check_edges(check, "f16", NULL, error);
    for (size_t i = 0; i < sizeof edges / sizeof edges[0] && status == RED_OK; i++)
        status = check_edges(check, "f32", &edges[i], error);
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
    const bool edges = argc > 1 && strcmp(argv[1], "edges") == 0;
    const char *const given = argc > 1 + edges && !all ? argv[1 + edges] : NULL;
    const unsigned seed = given != NULL ? (unsigned)strtoul(given, NULL, 10) : (unsigned)getpid();
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
    for (size_t i = 0; i < 10 && status == RED_OK && check.devices_n > 0 && !edges; i++) {
        check.dtype = red_dtype_find(types[i < 8 ? i / 4 : 2]);
        check.op = red_op_find(ops[i < 8 ? i % 4 : 3 * (i - 8)]);
        if (all || i == drawn)
            status = check_type_and_op(&check, &error);
    }
    if (status == RED_OK)
        status = check_all_edges(&check, &error);
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
