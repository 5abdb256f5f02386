/* The journal of bench --ranks (ranks/resume.h). Its lines behind the header: the roofs of all ranks, with
 * the form that each reads by; a trial that begins, by its numbers, and that it has ended; the cells of a
 * block, and behind them the block's number; that a run resumes. */
#include "ranks/resume.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/random.h"
#include "core/text.h"
#include "results/json.h"
#include "results/result.h"
#include "run/checkpoint.h"

enum { ENDS_MAX = 2, TRIALS_MAX = 1024, NUMBER_MAX = 1 << 30 };

/* A trial in which runs have ended. */
struct ended {
    struct red_trial_id id;
    unsigned runs_n;
};

/* A finished block, whose cells follow each other. */
struct finished {
    unsigned block;
    size_t first, cells_n;
};

struct roof {
    double bytes_per_s;
    unsigned form;
};

/* What is there; all ranks have the same, but for cells and what leads to them. */
struct found {
    bool has_roofs, keeps;
    size_t blocks_n, ended_n;
};

struct red_resume {
    const struct red_ranks *ranks;
    struct found found;
    struct roof *roofs;      /* owned; of each rank */
    struct finished *blocks; /* owned */
    struct ended ended[TRIALS_MAX];
    struct red_journal *journal; /* rank 0's, as what follows */
    const struct red_run *run;   /* borrowed: its ranks and devices */
    const struct red_catalogue *catalogue;
    struct red_cell *cells; /* owned: that were read */
    size_t cells_n;
    size_t finished_cells_n; /* of these: of finished blocks; what is behind may be half a block */
    struct red_trial_id begun;
    bool has_begun;
};

static bool is_same(struct red_trial_id a, struct red_trial_id b) {
    return a.block == b.block && a.team == b.team && a.trial == b.trial;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* Notes that a run has ended in the trial that had begun last. */
static void note_end(struct red_resume *resume) {
    size_t i = 0;
    if (!resume->has_begun)
        return;
    resume->has_begun = false;
    while (i < resume->found.ended_n && !is_same(resume->ended[i].id, resume->begun))
        i++;
    if (i == TRIALS_MAX)
        return;
    if (i == resume->found.ended_n)
        resume->ended[resume->found.ended_n++] = (struct ended){.id = resume->begun};
    resume->ended[i].runs_n++;
}

static unsigned number_at(const json_t *array, size_t i) {
    const json_int_t number = json_integer_value(json_array_get(array, i));
    return number >= 0 && number < NUMBER_MAX ? (unsigned)number : NUMBER_MAX;
}

/* Takes over a roof of each rank. */
static void read_roofs(struct red_resume *resume, const json_t *rates, const json_t *forms) {
    const size_t n = (size_t)resume->ranks->world.size;
    bool is_whole = json_array_size(rates) == n && json_array_size(forms) == n;
    for (size_t i = 0; i < n && is_whole; i++) {
        resume->roofs[i] = (struct roof){json_number_value(json_array_get(rates, i)), number_at(forms, i)};
        is_whole = resume->roofs[i].bytes_per_s > 0 && resume->roofs[i].form < RED_ROOF_FORMS_N;
    }
    resume->found.has_roofs = is_whole;
}

/* Takes over a cell; without one that makes no sense its block is not whole. */
static void read_cell(struct red_resume *resume, const json_t *from) {
    struct red_cell cell;
    if (RED_GROW(resume->cells, resume->cells_n, 1) &&
        red_cell_read(from, resume->run, resume->catalogue, &cell))
        resume->cells[resume->cells_n++] = cell;
}

/* Takes over the block whose cells were read before, if all are there. */
static void read_finished(struct red_resume *resume, const json_t *numbers) {
    const unsigned block = number_at(numbers, 0);
    const size_t cells_n = resume->cells_n - resume->finished_cells_n;
    if (cells_n != number_at(numbers, 1) || red_resume_has_block(resume, block) ||
        !RED_GROW(resume->blocks, resume->found.blocks_n, 1))
        return;
    resume->blocks[resume->found.blocks_n++] = (struct finished){block, resume->finished_cells_n, cells_n};
    resume->finished_cells_n = resume->cells_n;
}

/* Called for each line of the journal that --resume goes on with. context: the struct red_resume. */
static void read_line(void *context, const json_t *line) {
    struct red_resume *resume = context;
    const json_t *begun = json_object_get(line, "begun"), *cell = json_object_get(line, "cell");
    const json_t *rates = json_object_get(line, "roofs"), *finished = json_object_get(line, "finished");
    if (cell != NULL) {
        read_cell(resume, cell);
        return;
    }
    if (finished != NULL)
        read_finished(resume, finished);
    while (resume->cells_n > resume->finished_cells_n)
        red_cell_clear(&resume->cells[--resume->cells_n]);
    if (rates != NULL)
        read_roofs(resume, rates, json_object_get(line, "forms"));
    if (json_object_get(line, "resumes") != NULL)
        note_end(resume);
    resume->has_begun = begun != NULL;
    resume->begun = (struct red_trial_id){number_at(begun, 0), number_at(begun, 1), number_at(begun, 2)};
}

/* ---- opening ------------------------------------------------------------------------------------------- */

/* All ranks' hosts, devices and drivers, as far as there is room, and a digest of all. */
static void format_devices(const struct red_member *member, char *text, size_t text_bytes) {
    uint64_t digest = RED_HASH;
    const int n = member->ranks->world.size;
    snprintf(text, text_bytes, "%d rank%s", n, n > 1 ? "s" : "");
    for (int i = 0; i < n; i++) {
        const struct red_rank *rank = &member->all[i];
        char line[512];
        snprintf(line, sizeof line, "%s %s on %s (%s)", i > 0 ? ";" : ":", rank->device, rank->host,
                 rank->driver);
        digest = red_digest_text(digest, line);
        if (strlen(text) + strlen(line) + 40 < text_bytes)
            red_text_add(text, text_bytes, "%s", line);
    }
    red_text_add(text, text_bytes, ", digest %016llx", (unsigned long long)digest);
}

/* Opens the journal, reads it, and says what is there. Rank 0 alone calls it. */
static enum red_status open_journal(const struct red_member *member, const struct red_resume_run *asked,
                                    struct red_resume *made, struct red_error *error) {
    const struct red_session *session = asked->session;
    const struct red_selection *selection = session->selection;
    char text[64], devices[2048];
    struct red_fingerprint run = {.verb = "bench --ranks", .devices = devices, .choices = asked->choices};
    format_devices(member, devices, sizeof devices);
    snprintf(run.work, sizeof run.work, "%zu operations, %zu types, %zu n, digest %016llx", session->ops_n,
             session->types_n, selection->n.n,
             (unsigned long long)red_digest_session(red_digest_text(RED_HASH, asked->choices), session));
    snprintf(run.settings, sizeof run.settings, "seed %llu, %g s per cell, data sets %u",
             (unsigned long long)selection->seed, selection->time_per_cell_s, selection->data_sets);
    const enum red_status status = red_checkpoint_open(
        session, &run, asked->result_path, asked->resume ? read_line : NULL, made, &made->journal, error);
    if (status != RED_OK)
        return status;
    note_end(made);
    made->found.keeps = made->journal != NULL;
    snprintf(text, sizeof text, "%zu of %u blocks", made->found.blocks_n, asked->blocks_n);
    if (asked->resume)
        red_checkpoint_print_found(made->found.blocks_n + made->found.ended_n > 0 ? text : NULL,
                                   asked->result_path);
    if (asked->resume && made->journal != NULL)
        red_checkpoint_add(made->journal, json_pack("{s:b}", "resumes", 1));
    return RED_OK;
}

/* Gives all ranks what rank 0 has found, but for the cells. */
static enum red_status share_found(struct red_resume *made, struct red_error *error) {
    const struct red_mpi *mpi = made->ranks->mpi;
    const struct red_comm *world = &made->ranks->world;
    mpi->share(world, &made->found, sizeof made->found);
    if (world->rank != 0)
        made->blocks = calloc(made->found.blocks_n + 1, sizeof *made->blocks);
    const enum red_status status =
        red_ranks_agree(made->ranks, world,
                        made->found.blocks_n > 0 && made->blocks == NULL
                            ? red_fail(error, RED_E_MEMORY, "no memory for what is resumed")
                            : RED_OK,
                        error);
    if (status != RED_OK)
        return status;
    mpi->share(world, made->blocks, made->found.blocks_n * sizeof *made->blocks);
    mpi->share(world, made->ended, made->found.ended_n * sizeof *made->ended);
    mpi->share(world, made->roofs, (size_t)world->size * sizeof *made->roofs);
    if (made->found.keeps)
        red_watch_set_resumable();
    return RED_OK;
}

enum red_status red_resume_open(const struct red_member *member, const struct red_resume_run *asked,
                                struct red_resume **resume, struct red_error *error) {
    const struct red_ranks *ranks = member->ranks;
    struct red_resume *made = calloc(1, sizeof *made);
    enum red_status status = RED_OK;
    if (made != NULL)
        *made = (struct red_resume){.ranks = ranks,
                                    .run = asked->run,
                                    .catalogue = asked->session->catalogue,
                                    .roofs = calloc((size_t)ranks->world.size, sizeof *made->roofs)};
    if (made == NULL || made->roofs == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory for a journal");
    else if (ranks->world.rank == 0 && asked->result_path != NULL)
        status = open_journal(member, asked, made, error);
    status = red_ranks_agree(ranks, &ranks->world, status, error);
    if (status == RED_OK)
        status = share_found(made, error);
    *resume = made;
    return status;
}

struct red_journal *red_resume_close(struct red_resume *resume) {
    if (resume == NULL)
        return NULL;
    struct red_journal *journal = resume->journal;
    for (size_t i = 0; i < resume->cells_n; i++)
        red_cell_clear(&resume->cells[i]);
    free(resume->cells);
    free(resume->roofs);
    free(resume->blocks);
    free(resume);
    return journal;
}

/* ---- roofs --------------------------------------------------------------------------------------------- */

bool red_resume_take_roofs(const struct red_resume *resume, struct red_rank *all, unsigned *form) {
    for (int i = 0; i < resume->ranks->world.size && resume->found.has_roofs; i++)
        all[i].roof_bytes_per_s = resume->roofs[i].bytes_per_s;
    if (resume->found.has_roofs)
        *form = resume->roofs[resume->ranks->world.rank].form;
    return resume->found.has_roofs;
}

void red_resume_add_roofs(struct red_resume *resume, const struct red_rank *all, unsigned form) {
    const struct red_ranks *ranks = resume->ranks;
    const struct roof mine = {.bytes_per_s = all[ranks->world.rank].roof_bytes_per_s, .form = form};
    ranks->mpi->gather(&ranks->world, &mine, sizeof mine, resume->roofs);
    if (resume->journal == NULL)
        return;
    json_t *rates = json_array(), *forms = json_array();
    for (int i = 0; i < ranks->world.size; i++) {
        json_array_append_new(rates, json_real(resume->roofs[i].bytes_per_s));
        json_array_append_new(forms, json_integer(resume->roofs[i].form));
    }
    red_checkpoint_add(resume->journal, json_pack("{s:o, s:o}", "roofs", rates, "forms", forms));
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

bool red_resume_has_block(const struct red_resume *resume, unsigned block) {
    for (size_t i = 0; i < resume->found.blocks_n; i++)
        if (resume->blocks[i].block == block)
            return true;
    return false;
}

enum red_status red_resume_take_cells(struct red_resume *resume, unsigned block, struct red_run *run,
                                      struct red_error *error) {
    const struct finished *finished = resume->blocks;
    enum red_status status = RED_OK;
    if (resume->ranks->world.rank != 0)
        return RED_OK;
    while (finished->block != block)
        finished++;
    for (size_t i = 0; i < finished->cells_n && status == RED_OK; i++)
        status = red_run_add_cell(run, &resume->cells[finished->first + i], error);
    return status;
}

void red_resume_add_block(struct red_resume *resume, unsigned block, const struct red_cell *cells,
                          size_t cells_n) {
    if (resume->journal == NULL)
        return;
    for (size_t i = 0; i < cells_n; i++)
        red_checkpoint_add(resume->journal,
                           json_pack("{s:o}", "cell", red_cell_json(resume->run, &cells[i])));
    red_checkpoint_add(resume->journal,
                       json_pack("{s:[I, I]}", "finished", (json_int_t)block, (json_int_t)cells_n));
}

/* ---- trials -------------------------------------------------------------------------------------------- */

bool red_resume_is_given_up(const struct red_resume *resume, struct red_trial_id id) {
    for (size_t i = 0; i < resume->found.ended_n; i++)
        if (is_same(resume->ended[i].id, id))
            return resume->ended[i].runs_n >= ENDS_MAX;
    return false;
}

void red_resume_begin_trial(struct red_resume *resume, struct red_trial_id id) {
    if (resume->journal != NULL)
        red_checkpoint_add(resume->journal, json_pack("{s:[I, I, I]}", "begun", (json_int_t)id.block,
                                                      (json_int_t)id.team, (json_int_t)id.trial));
}

void red_resume_end_trial(struct red_resume *resume) {
    if (resume->journal != NULL)
        red_checkpoint_add(resume->journal, json_pack("{s:n}", "ended"));
}
