/* Result files of strangers: read or refused in one sentence, and what is read makes sense; of runs over
 * ranks also what is found beside each cell. */
#include "fuzz.h"

#include <math.h>

#include "results/scalings.h"

static void cell_must_make_sense(const struct red_run *run, const struct red_cell *cell) {
    const struct red_statistics *time = &cell->time;
    const size_t ranks_n = run->over_ranks.ranks_n > 0 ? run->over_ranks.ranks_n : 0;
    assert(cell->device < run->devices_n && cell->at.device == run->devices[cell->device].info.id);
    assert((cell->samples_n > 0) == (cell->state == RED_STATE_PASS));
    assert((cell->samples_n > 0) == (time->median > 0));
    assert(!(time->low > time->median || time->median > time->high));
    assert(cell->at.asked.width <= 1024);
    assert((cell->at.ranks_n > 0) == (ranks_n > 0) && cell->at.ranks_n <= ranks_n);
    assert(cell->kind < RED_CELL_KINDS_N && cell->answers_n <= RED_ANSWERS_MAX);
    assert((cell->at.strategy != NULL) == (cell->kind < RED_CELL_ROOF));
    if (cell->at.strategy != NULL)
        must_be_plain(cell->at.strategy->name);
    must_be_plain(cell->at.op->name);
    must_be_plain(cell->at.dtype->name);
    must_be_plain(cell->at.collective);
    must_be_plain(cell->reason);
}

static void cells_must_make_sense(const struct red_result *result) {
    const struct red_run *run = &result->run;
    size_t uniform_n = 0, asked_n = 0, unknown_n = 0;
    for (size_t i = 0; i < run->cells_n; i++) {
        const struct red_at *at = &run->cells[i].at;
        const bool is_known = red_op_find(at->op->name) != NULL && red_dtype_find(at->dtype->name) != NULL;
        cell_must_make_sense(run, &run->cells[i]);
        uniform_n += is_known && at->data[0] == '\0';
        unknown_n += !is_known;
    }
    for (size_t i = 0; i < run->beside_n; i++)
        cell_must_make_sense(run, &run->beside[i]);
    for (size_t q = 0; q < result->queries_n; q++) {
        const struct red_query *query = &result->queries[q];
        for (size_t i = 0; i < query->run.cells_n; i++)
            assert(query->run.cells[i].is_slowest == red_query_is_of_slowest(query));
        asked_n += red_query_is_of_slowest(query) ? 0 : query->run.cells_n;
    }
    assert(asked_n == uniform_n && unknown_n == result->left_out_n);
}

/* Each line of each scaling is found again by its own number of ranks. */
static void pivot_must_make_sense(const struct red_ranks_pivot *pivot) {
    struct red_scaling scaling;
    for (size_t i = 0; i < pivot->cells_n; i++)
        assert(isfinite(red_ranks_efficiency(pivot, pivot->cells[i])) &&
               isfinite(red_ranks_roof_share(pivot, pivot->cells[i])));
    for (size_t at = 0; red_scaling_next(pivot, &at, &scaling);) {
        const struct red_cell *line;
        assert(red_scaling_ranks_n_above(&scaling, 0) > 0);
        for (size_t line_at = 0; (line = red_scaling_next_line(&scaling, &line_at)) != NULL;) {
            assert(red_scaling_cell(&scaling, line, line->at.ranks_n) != NULL);
            assert(red_scaling_bits(&scaling, line) == RED_BITS_UNKNOWN || !scaling.weak);
        }
    }
}

/* The run, and the same file beside it twice, as if it were another program's. */
static void ranks_must_make_sense(const struct red_result *result) {
    const struct red_result peers[] = {*result, *result};
    struct red_ranks_pivot pivot;
    struct red_error error;
    for (size_t r = 0; r < result->run.over_ranks.ranks_n; r++)
        must_be_plain(result->run.over_ranks.ranks[r].host);
    for (size_t peers_n = 0; peers_n <= 2; peers_n += 2) {
        assert(red_ranks_pivot_make(&result->run, peers, peers_n, &pivot, &error) == RED_OK);
        pivot_must_make_sense(&pivot);
        red_ranks_pivot_clear(&pivot);
    }
    assert(!red_run_is_of_peer(&result->run) || !red_ranks_run_fits_peer(&result->run, &result->run));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    struct red_result result;
    struct red_error error = {.text = ""};
    enum red_status status = red_result_read("x.json", (const char *)data, n, NULL, &result, &error);
    assert(status == RED_OK || (status == RED_E_INPUT && error.text[0] != '\0'));
    must_be_plain(error.text);
    for (size_t i = 0; status == RED_OK && i < result.run.devices_n; i++) {
        must_be_plain(result.run.devices[i].info.id);
        must_be_plain(result.run.devices[i].info.platform_version);
    }
    if (status == RED_OK) {
        cells_must_make_sense(&result);
        if (result.run.over_ranks.ranks_n > 0)
            ranks_must_make_sense(&result);
        assert(red_result_write_json(&result.run, "/dev/null", &error) == RED_OK);
    }
    red_result_clear(&result);
    return 0;
}
