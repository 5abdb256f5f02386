/* Sets another program's rows (CUB with NCCL, for example) beside those of bench --ranks over the same
 * devices, for report: results/loaded.c calls this once all files are read. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "results/ranks.h"

bool red_ranks_run_is_of_peer(const struct red_ranks_run *run) {
    size_t peers_n = 0, alone_n = 0;
    for (size_t r = 0; r < run->rows_n; r++) {
        peers_n += run->rows[r].kind == RED_RANKS_PEER;
        alone_n += run->rows[r].kind == RED_RANKS_ALONE;
    }
    return peers_n > 0 && peers_n + alone_n == run->rows_n;
}

bool red_ranks_run_fits_peer(const struct red_ranks_run *run, const struct red_ranks_run *peer) {
    if (red_ranks_run_is_of_peer(run) || peer->ranks_n > run->ranks_n)
        return false;
    for (size_t r = 0; r < peer->ranks_n; r++)
        if (strcmp(run->ranks[r].device_name, peer->ranks[r].device_name) != 0)
            return false;
    return true;
}

/* The row of a peer before that says the same of what it measured, and was timed; NULL if there is none. */
static struct red_ranks_row *same_row(const struct red_ranks_run *run, const struct red_ranks_row *row) {
    for (size_t r = run->own_rows_n; r < run->rows_n; r++) {
        struct red_ranks_row *other = &run->rows[r];
        if (other->kind == row->kind && other->n == row->n && other->ranks_n == row->ranks_n &&
            other->weak == row->weak && strcmp(other->strategy, row->strategy) == 0 &&
            strcmp(other->collective, row->collective) == 0 && strcmp(other->op, row->op) == 0 &&
            strcmp(other->type, row->type) == 0 && other->samples_n > 0 && row->samples_n > 0)
            return other;
    }
    return NULL;
}

/* Appends the samples of a row; a part that one of both lacks is dropped. */
static enum red_status append_samples(struct red_ranks_row *row, const struct red_ranks_row *more,
                                      struct red_error *error) {
    const size_t n = row->samples_n + more->samples_n;
    for (size_t part = 0; part < RED_PARTS_N; part++) {
        if (row->samples_s[part] == NULL || more->samples_s[part] == NULL) {
            free(row->samples_s[part]);
            row->samples_s[part] = NULL;
            continue;
        }
        double *grown = realloc(row->samples_s[part], n * sizeof *grown);
        if (grown == NULL)
            return red_fail(error, RED_E_MEMORY, "no memory for %zu samples", n);
        memcpy(grown + row->samples_n, more->samples_s[part], more->samples_n * sizeof *grown);
        row->samples_s[part] = grown;
    }
    row->samples_n = n;
    return red_ranks_row_find_medians(row, error);
}

enum red_status red_ranks_run_take_peer(struct red_ranks_run *run, struct red_ranks_run *peer,
                                        struct red_error *error) {
    struct red_ranks_row *rows = realloc(run->rows, (run->rows_n + peer->rows_n + 1) * sizeof *rows);
    run->rows = rows != NULL ? rows : run->rows;
    enum red_status status = RED_OK;
    if (rows == NULL || !RED_GROW(run->peers, run->peers_n, 1))
        return red_fail(error, RED_E_MEMORY, "no memory for the rows of %.200s", peer->path);
    if (run->peers_n == 0)
        run->own_rows_n = run->rows_n;
    struct red_ranks_peer *added = &run->peers[run->peers_n++];
    *added = (struct red_ranks_peer){.path = ""};
    memcpy(added->path, peer->path, sizeof added->path);
    memcpy(added->command, peer->command, sizeof added->command);
    if (peer->ranks_n > 0)
        memcpy(added->driver, peer->ranks[0].driver, sizeof added->driver);
    for (size_t r = 0; r < peer->rows_n && status == RED_OK; r++) {
        struct red_ranks_row *row = &peer->rows[r], *same = same_row(run, row);
        if (same != NULL) {
            status = append_samples(same, row, error);
            continue;
        }
        run->rows[run->rows_n++] = *row;
        *row = (struct red_ranks_row){.n = 0}; /* its samples are the run's now */
    }
    red_ranks_run_clear(peer);
    return status;
}
