/* Files of bench --ranks of strangers: read or refused in one sentence; what is read makes sense, and so do
 * the rows found beside it. */
#include "fuzz.h"

#include <math.h>

#include "results/ranks.h"

static void row_must_make_sense(const struct red_ranks_run *run, const struct red_ranks_row *row) {
    assert(row->kind < RED_RANKS_KINDS_N && row->state < RED_STATES_N);
    assert(row->ranks_n >= 1 && row->ranks_n <= run->ranks_n);
    assert((row->samples_n > 0) == (row->state == RED_STATE_PASS));
    assert(row->samples_n == 0 || (row->time.median >= 1e-12 && row->time.median <= 1e9));
    assert(isfinite(red_ranks_row_efficiency(run, row)) && isfinite(red_ranks_row_roof_share(run, row)));
    assert(row->answers_n <= RED_RANKS_ANSWERS_MAX);
    must_be_plain(row->strategy);
    must_be_plain(row->collective);
    must_be_plain(row->op);
    must_be_plain(row->type);
    must_be_plain(row->reason);
}

/* Each line of each scaling is found again by its own number of ranks. */
static void scalings_must_make_sense(const struct red_ranks_run *run) {
    struct red_scaling scaling;
    for (size_t at = 0; red_scaling_next(run, &at, &scaling);) {
        const struct red_ranks_row *line;
        assert(red_scaling_ranks_n_above(&scaling, 0) > 0);
        for (size_t line_at = 0; (line = red_scaling_next_line(&scaling, &line_at)) != NULL;) {
            assert(red_scaling_row(&scaling, line, line->ranks_n) != NULL);
            assert(red_scaling_bits(&scaling, line) == RED_BITS_UNKNOWN || !scaling.weak);
        }
    }
}

/* Another program's file, twice beside a run over the same ranks, which has no rows of its own. */
static void peers_must_join(const char *text, size_t n) {
    struct red_ranks_run run, peer;
    struct red_error error;
    assert(red_ranks_run_read("x.json", text, n, &run, &error) == RED_OK);
    const bool is_of_peer = red_ranks_run_is_of_peer(&run);
    while (run.rows_n > 0)
        red_ranks_row_clear(&run.rows[--run.rows_n]);
    for (int i = 0; i < 2 && is_of_peer; i++) {
        assert(red_ranks_run_read("x.json", text, n, &peer, &error) == RED_OK);
        assert(i > 0 || red_ranks_run_fits_peer(&run, &peer));
        assert(red_ranks_run_take_peer(&run, &peer, &error) == RED_OK && peer.rows == NULL);
        assert(run.peers_n == 1U + (unsigned)i && run.own_rows_n == 0);
        must_be_plain(run.peers[i].driver);
        for (size_t r = 0; r < run.rows_n; r++)
            row_must_make_sense(&run, &run.rows[r]);
        scalings_must_make_sense(&run);
    }
    red_ranks_run_clear(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    struct red_ranks_run run;
    struct red_error error = {.text = ""};
    enum red_status status = red_ranks_run_read("x.json", (const char *)data, n, &run, &error);
    assert(status == RED_OK || (status == RED_E_INPUT && strncmp(error.text, "x.json", 6) == 0));
    must_be_plain(error.text);
    if (status != RED_OK)
        return 0;
    for (size_t r = 0; r < run.ranks_n; r++)
        must_be_plain(run.ranks[r].host);
    for (size_t r = 0; r < run.rows_n; r++)
        row_must_make_sense(&run, &run.rows[r]);
    scalings_must_make_sense(&run);
    peers_must_join((const char *)data, n);
    assert(red_ranks_run_write(&run, "/dev/null", &error) == RED_OK);
    red_ranks_run_clear(&run);
    return 0;
}
