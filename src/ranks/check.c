/* Checks what ranks make of their pieces, and what the collectives make of that (ranks/check.h). */
#include "ranks/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "oracle/deeds.h"
#include "ranks/pieces.h"

/* ---- pieces -------------------------------------------------------------------------------------------- */

enum red_status red_check_own(struct red_piece *piece, const struct red_strategy *strategy, bool timed_only,
                              struct red_error *error) {
    const struct red_team *team = piece->team;
    const struct red_case spec = red_case_make(&piece->dataset.spec, strategy, NULL);
    struct red_verification verification;
    enum red_status status = red_team_check_device(team, strategy, error);
    red_watch_step(1e-7 * (double)piece->n, "%s is verified", strategy->name);
    if (status == RED_OK && piece->n > 0 && strategy->standard != RED_STANDARD_HOST) {
        status = red_dataset_verify(&piece->dataset, team->member->device, &spec, timed_only, &verification,
                                    error);
        if (status == RED_OK && !verification.right) {
            char text[RED_EVIDENCE_BYTES];
            red_evidence_format(&verification.evidence, text, sizeof text);
            status = red_fail(error, RED_E_WRONG, "%s", text);
        }
    }
    return red_ranks_agree(team->member->ranks, &team->comm, status, error);
}

enum red_status red_check_call(struct red_piece_call *call, const struct red_collective_row *collective,
                               struct red_cell *cell, struct red_error *error) {
    const struct red_data_spec *data = &call->piece->dataset.spec;
    struct red_timing timing;
    enum red_status status =
        red_timing_make(call->piece->team, call, collective, data->op, data->dtype, cell, &timing, error);
    if (status == RED_OK) {
        status = red_timing_check(&timing, &call->piece->whole, error);
        red_timing_clear(&timing);
    }
    return status;
}

/* ---- folds --------------------------------------------------------------------------------------------- */

/* A float of any sign. For sums of many magnitudes, so that some depend on the order; else near 1, so that
 * what is made of many is in range. */
static double draw_real(const struct red_op *op, uint64_t random) {
    const double real = (double)(int64_t)random;
    return op->does == RED_ADDS || red_op_picks(op) ? ldexp(real, -63 - (int)(random % 41))
                                                    : copysign(1 + ldexp(fabs(real), -66), real);
}

/* Sets a partial result: each fourth is that of no elements. Of places few keys are drawn, with any index. */
static void draw_partial(const struct red_op *op, const struct red_dtype *dtype, uint64_t *random,
                         struct red_partial *partial) {
    const enum red_accumulator_index type =
        (enum red_accumulator_index)(red_op_accumulator(op, dtype) - red_accumulators);
    const uint64_t bits = red_random(random),
                   index = red_random(random) >> (dtype->bits < 64 ? dtype->bits : 1);
    red_partial_set_identity(op, dtype, partial);
    if (bits >> 62 == 0)
        return;
    if (type == RED_ACCUMULATOR_pair)
        partial->pair = (struct red_pair){.key = bits % 3, .index = bits % 7 == 0 ? index : index >> 40};
    else if (op->role == RED_ROLE_PLACE)
        partial->u64 = bits % 3 << (64 - dtype->bits) | index;
    else if (red_op_accumulator(op, dtype)->is_float)
        partial->f64 = draw_real(op, bits);
    else if (type == RED_ACCUMULATOR_u32 || type == RED_ACCUMULATOR_i32)
        partial->u32 = (uint32_t)bits;
    else
        partial->u64 = bits;
}

/* What is right of these partial results: their exact sum, and their fold in the order of the ranks. */
struct folded {
    struct red_truth truth; /* of sums of floats */
    struct red_value in_order;
};

static struct folded fold_partials(const struct red_op *op, const struct red_dtype *dtype,
                                   const struct red_partial *all, int ranks_n, uint64_t n) {
    struct folded folded = {.truth = {.dtype = dtype, .op = op, .n = n}};
    struct red_partial fold = all[0];
    red_exact_reset(&folded.truth.real);
    for (int r = 0; r < ranks_n; r++) {
        if (r > 0)
            red_partial_combine(op, dtype, &fold, &all[r]);
        if (red_op_accumulator(op, dtype)->is_float && !red_op_picks(op))
            red_deed_of(op)->take_real(&folded.truth, all[r].f64);
    }
    folded.in_order = red_partial_answer(op, dtype, &fold, n);
    return folded;
}

/* Whether the collective's answer is right. */
static bool is_fold(const struct folded *folded, const struct red_collective_row *collective, int ranks_n,
                    struct red_value got, struct red_value *expected) {
    const struct red_op *op = folded->truth.op;
    const struct red_dtype *dtype = folded->truth.dtype;
    const bool is_rounded = dtype->is_float && !red_op_picks(op);
    *expected = is_rounded && op->does == RED_ADDS && collective->exact
                    ? red_exact_round(&folded->truth.real, op->role == RED_ROLE_MEAN ? folded->truth.n : 1,
                                      red_op_result_dtype(op, dtype))
                    : folded->in_order;
    if (is_rounded && (op->does != RED_ADDS || !collective->exact) && !collective->gathers)
        return red_truth_check(&folded->truth, red_collective_chain(op, dtype, ranks_n), got).right;
    return got.bits == expected->bits && got.index == expected->index;
}

/* One round: combines partial results that are drawn anew, and checks the answer where this rank has it. */
static enum red_status check_fold(const struct red_team *team, struct red_collective *made,
                                  const struct red_collective_row *collective, const struct red_truth *of,
                                  uint64_t *random, struct red_error *error) {
    struct red_partial mine;
    struct red_value expected;
    char expected_text[64], got_text[64];
    uint64_t own = *random ^ (uint64_t)team->comm.rank << 32, n = 1 + (red_random(random) >> 24);
    memset(&mine, 0, sizeof mine);
    draw_partial(of->op, of->dtype, &own, &mine);
    const struct red_value got = red_collective_run(made, &mine, NULL, n);
    struct red_partial *all = red_ranks_gather(team->member->ranks, &team->comm, &mine, sizeof mine);
    const struct folded folded = fold_partials(of->op, of->dtype, all, team->ranks_n, n);
    free(all);
    if ((team->comm.rank > 0 && !collective->everywhere) ||
        is_fold(&folded, collective, team->ranks_n, got, &expected))
        return RED_OK;
    red_truth_answer_format(of, &expected, expected_text, sizeof expected_text);
    red_truth_answer_format(of, &got, got_text, sizeof got_text);
    return red_fail(error, RED_E_WRONG, "of %d drawn partial results, for n = %llu: expected %s, got %s",
                    team->ranks_n, (unsigned long long)n, expected_text, got_text);
}

enum red_status red_check_folds(const struct red_team *team, const struct red_collective_row *collective,
                                const struct red_op *op, const struct red_dtype *dtype, uint64_t seed,
                                struct red_error *error) {
    enum { ROUNDS = 4 };
    const struct red_ranks *ranks = team->member->ranks;
    const struct red_truth of = {.op = op, .dtype = dtype};
    struct red_collective *made = NULL;
    enum red_status status = red_collective_make(ranks, &team->comm, collective, op, dtype, &made, error);
    if (status != RED_OK)
        return status;
    red_watch_step(0, "%s combines drawn partial results", collective->name);
    for (int round = 0; round < ROUNDS; round++) {
        struct red_error wrong;
        const enum red_status here = check_fold(team, made, collective, &of, &seed, &wrong);
        if (here != RED_OK && status == RED_OK)
            status = red_fail(error, here, "%s", wrong.text);
    }
    red_collective_destroy(made);
    return red_ranks_agree(ranks, &team->comm, status, error);
}

/* ---- cuts ---------------------------------------------------------------------------------------------- */

enum { CUT_PIECES_MAX = 64 };

/* Whether the pieces are what pieces.h says of them. */
static bool is_cut(uint64_t n, const double *weights, size_t pieces_n, const uint64_t *firsts, bool equal) {
    const long double off = 1.5L + (equal ? 0 : (long double)n * 0x1p-13L);
    long double all = 0, before = 0;
    for (size_t i = 0; i < pieces_n; i++)
        all += weights[i];
    bool right = firsts[0] == 0 && firsts[pieces_n] == n;
    for (size_t i = 0; i < pieces_n; i++) {
        const long double place = (long double)n * before / all;
        right = right && firsts[i] <= firsts[i + 1] && (weights[i] > 0 || firsts[i] == firsts[i + 1]) &&
                fabsl((long double)firsts[i] - place) <= off;
        before += weights[i];
    }
    return right;
}

enum red_status red_check_cuts(const struct red_ranks *ranks, uint64_t seed, struct red_error *error) {
    enum { ROUNDS = 200 };
    uint64_t random = seed, hash = RED_HASH;
    enum red_status status = RED_OK;
    for (int round = 0; round < ROUNDS; round++) {
        double weights[CUT_PIECES_MAX];
        uint64_t firsts[CUT_PIECES_MAX + 1];
        const uint64_t n = red_random(&random) >> (1 + red_random(&random) % 63);
        const size_t pieces_n = 1 + (size_t)(red_random(&random) % CUT_PIECES_MAX);
        for (size_t i = 0; i < pieces_n; i++)
            weights[i] = round % 2 == 0 ? 1 : (double)(red_random(&random) % 4) * 1e9;
        weights[red_random(&random) % pieces_n] += round % 2 == 0 ? 0 : 1e9;
        red_pieces_cut(n, weights, pieces_n, firsts);
        for (size_t i = 0; i <= pieces_n; i++)
            hash = red_hash_add(hash, firsts[i]);
        if (status == RED_OK && !is_cut(n, weights, pieces_n, firsts, round % 2 == 0))
            status =
                red_fail(error, RED_E_WRONG,
                         "%zu pieces of n = %llu are not all of it, one behind the other, by their weights",
                         pieces_n, (unsigned long long)n);
    }
    uint64_t *hashes = red_ranks_gather(ranks, &ranks->world, &hash, sizeof hash);
    if (status == RED_OK && hash != hashes[0])
        status = red_fail(error, RED_E_WRONG, "it cuts an array into other pieces than rank 0");
    free(hashes);
    return red_ranks_agree(ranks, &ranks->world, status, error);
}
