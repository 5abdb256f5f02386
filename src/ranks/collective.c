/* Combines the ranks' partial results (ranks/collective.h). Floats travel as doubles, as in the host's fold
 * (host/fold.h), and are rounded once, at the end. */
#include "ranks/collective.h"

#include <math.h>
#include <stdlib.h>

#include "core/select.h"

const struct red_collective_row red_collectives[] = {
    {.name = "mpi_reduce", .idea = "MPI_Reduce to rank 0"},
    {.name = "mpi_allreduce", .idea = "MPI_Allreduce: every rank has the value", .everywhere = true},
    {.name = "gather_in_order",
     .idea = "MPI_Gather, and rank 0 folds in the order of the ranks: the same bits whatever the MPI does",
     .gathers = true},
    {.name = "exact",
     .idea = "sums of floats as words of an exact accumulator, added as integers and rounded once",
     .exact = true},
    {.name = "persistent",
     .idea = "MPI_Reduce that is prepared once and started for each call (MPI_Reduce_init of MPI 4)",
     .persistent = true},
};
const size_t red_collectives_n = sizeof red_collectives / sizeof red_collectives[0];
const char *const red_collective_names[] = {"mpi_reduce", "mpi_allreduce", "gather_in_order", "exact",
                                            "persistent"};

size_t red_collectives_choose(const char *list,
                              const struct red_collective_row *chosen[RED_COLLECTIVES_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i < red_collectives_n; i++)
        if (red_select_matches(list, red_collectives[i].name))
            chosen[n++] = &red_collectives[i];
    return n;
}

struct red_collective {
    const struct red_ranks *ranks;
    const struct red_comm *comm;
    const struct red_collective_row *row;
    const struct red_op *op;
    const struct red_dtype *dtype;
    void *reduction; /* owned; of a row that gathers NULL */
    bool has_value;  /* this rank gets the value */
    bool adds_words;
    struct red_partial from, to;
    struct red_partial *all; /* owned; of a row that gathers, on rank 0 */
    int64_t words[RED_EXACT_WORDS], sums[RED_EXACT_WORDS];
};

/* Prepares what the row asks of MPI. */
static enum red_status prepare(struct red_collective *made, struct red_error *error) {
    const struct red_accumulator *accumulator = red_op_accumulator(made->op, made->dtype);
    struct red_mpi_reduction asked = {.type = (enum red_accumulator_index)(accumulator - red_accumulators),
                                      .op = (enum red_op_index)(made->op - red_ops),
                                      .n = 1,
                                      .everywhere = made->row->everywhere,
                                      .persistent = made->row->persistent,
                                      .from = &made->from,
                                      .to = &made->to};
    const char *reason = "";
    if (made->row->gathers) {
        made->all = red_ranks_room(made->ranks, (size_t)made->comm->size, sizeof *made->all);
        return RED_OK;
    }
    made->adds_words = made->row->exact && made->dtype->is_float && made->op->does == RED_ADDS;
    if (made->adds_words) {
        asked.type = RED_ACCUMULATOR_i64;
        asked.op = RED_OP_sum;
        asked.n = RED_EXACT_WORDS;
        asked.from = made->words;
        asked.to = made->sums;
    }
    made->reduction = made->ranks->mpi->reduction_make(made->comm, &asked, &reason);
    return made->reduction ? RED_OK
                           : red_fail(error, RED_E_UNSUPPORTED, "%s: %s", made->ranks->library, reason);
}

enum red_status red_collective_make(const struct red_ranks *ranks, const struct red_comm *comm,
                                    const struct red_collective_row *row, const struct red_op *op,
                                    const struct red_dtype *dtype, struct red_collective **collective,
                                    struct red_error *error) {
    struct red_collective *made = red_ranks_room(ranks, 1, sizeof *made);
    *made = (struct red_collective){.ranks = ranks,
                                    .comm = comm,
                                    .row = row,
                                    .op = op,
                                    .dtype = dtype,
                                    .has_value = row->everywhere || comm->rank == 0};
    enum red_status status = prepare(made, error);
    if (status == RED_OK)
        *collective = made;
    else
        red_collective_destroy(made);
    return status;
}

void red_collective_destroy(struct red_collective *collective) {
    if (collective == NULL)
        return;
    if (collective->reduction != NULL)
        collective->ranks->mpi->reduction_free(collective->reduction);
    free(collective->all);
    free(collective);
}

bool red_collective_is_exact(const struct red_collective *collective) {
    return collective->adds_words;
}

bool red_collective_is_everywhere(const struct red_collective *collective) {
    return collective->row->everywhere;
}

/* The answer that the words of all ranks are, rounded once. */
static struct red_value answer_of_words(const struct red_collective *collective, uint64_t n) {
    const struct red_dtype *result = red_op_result_dtype(collective->op, collective->dtype);
    struct red_exact sum;
    red_exact_from_words(collective->sums, &sum);
    return red_exact_round(&sum, collective->op->role == RED_ROLE_MEAN ? n : 1, result);
}

struct red_value red_collective_run(struct red_collective *collective, const struct red_partial *mine,
                                    const struct red_exact *exact, uint64_t n) {
    const struct red_mpi *mpi = collective->ranks->mpi;
    const struct red_value none = {.index = 0};
    collective->from = *mine;
    if (collective->row->gathers) {
        mpi->gather_first(collective->comm, mine, sizeof *mine, collective->all);
        for (int i = 1; i < collective->comm->size && collective->has_value; i++)
            red_partial_combine(collective->op, collective->dtype, &collective->all[0], &collective->all[i]);
        return collective->has_value
                   ? red_partial_answer(collective->op, collective->dtype, &collective->all[0], n)
                   : none;
    }
    if (collective->adds_words) {
        struct red_exact sum;
        if (exact == NULL) {
            red_exact_reset(&sum);
            red_exact_add(&sum, mine->f64);
        }
        red_exact_to_words(exact ? exact : &sum, collective->words);
    }
    mpi->reduction_run(collective->reduction);
    if (!collective->has_value)
        return none;
    return collective->adds_words ? answer_of_words(collective, n)
                                  : red_partial_answer(collective->op, collective->dtype, &collective->to, n);
}

double red_collective_chain(const struct red_op *op, const struct red_dtype *dtype, int ranks_n) {
    const struct red_accumulator *accumulator = red_op_accumulator(op, dtype);
    return accumulator->is_float ? ldexp(ranks_n, (int)accumulator->digits - 53) + 1 : 0;
}
