/* The cells of a duel: which strategies, types and n face each other, whether both sides are right, and how
 * many calls a batch has. */
#include "gate/loop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/interrupt.h"
#include "core/random.h"
#include "core/select.h"
#include "export/run_suite.h"
#include "results/reader.h"

enum { WARM_CALLS = 51 };
static const double WARM_UP_S = 0.02;

/* ---- cells -----------------------------------------------------------------------------------------------
 */

/* Strategies that face each other. */
struct pairs {
    const struct red_strategy *of[RED_CHOICE_MAX][RED_WHO_N]; /* NULL: this program does not know it */
    const char *names[RED_CHOICE_MAX];                        /* of these */
    size_t n;
};

/* The one strategy that stands against a kernel file alone: of its name, or the one that --strategy names. */
static const struct red_strategy *opponent(const struct red_session *session,
                                           const struct red_catalogue *catalogue,
                                           const struct red_strategy *kernel) {
    if (session->selection->strategy != NULL)
        return session->strategies_n == 1 ? red_catalogue_find(catalogue, session->strategies[0]->name)
                                          : NULL;
    return red_catalogue_find(catalogue, kernel->name);
}

static enum red_status pair_kernels(const struct red_session *session, const struct red_gate_side *sides,
                                    struct pairs *pairs, struct red_error *error) {
    for (int who = 0; who < RED_WHO_N; who++) {
        const struct red_gate_side *own = &sides[who], *other = &sides[1 - who];
        pairs->of[0][who] = own->kernel ? own->kernel : opponent(session, own->catalogue, other->kernel);
    }
    pairs->n = 1;
    return pairs->of[0][RED_BASE] != NULL && pairs->of[0][RED_HEAD] != NULL
               ? RED_OK
               : red_fail(error, RED_E_INPUT,
                          "one kernel file needs an opponent: add --strategy with one strategy, or the other "
                          "side's kernel "
                          "file");
}

static bool has_strategy(const struct red_gate_side *side, const char *name) {
    const char *own;
    for (size_t i = 0; (own = red_side_strategy_name(side, i)) != NULL; i++)
        if (strcmp(own, name) == 0)
            return true;
    return false;
}

/* What the base has and the head has no more is missing, and that is told. What only this program does not
 * know it cannot ask for; of its own strategies the head says itself which it lacks. */
static void add_vanished(const struct red_session *session, const struct red_gate_side sides[RED_WHO_N],
                         struct pairs *pairs) {
    const char *name;
    for (size_t i = 0; (name = red_side_strategy_name(&sides[RED_BASE], i)) != NULL; i++) {
        if (pairs->n == RED_CHOICE_MAX || red_catalogue_find(session->catalogue, name) != NULL ||
            !red_select_matches(session->selection->strategy, name))
            continue;
        if (has_strategy(&sides[RED_HEAD], name)) {
            fprintf(stderr, "%s is left out: base and head have it, and this program does not know it\n",
                    name);
            continue;
        }
        pairs->of[pairs->n][RED_BASE] = pairs->of[pairs->n][RED_HEAD] = NULL;
        pairs->names[pairs->n++] = name;
    }
}

static enum red_status pair_strategies(const struct red_session *session, const struct red_gate_side *sides,
                                       struct pairs *pairs, struct red_error *error) {
    pairs->n = 0;
    if (sides[RED_BASE].kernel != NULL || sides[RED_HEAD].kernel != NULL)
        return pair_kernels(session, sides, pairs, error);
    for (size_t s = 0; s < session->strategies_n; s++, pairs->n++)
        for (int who = 0; who < RED_WHO_N; who++)
            pairs->of[pairs->n][who] = session->strategies[s];
    add_vanished(session, sides, pairs);
    return RED_OK;
}

static void name_cell(const struct red_bout *bout, struct red_duel_cell *cell) {
    const char *base = cell->strategy[RED_BASE], *head = cell->strategy[RED_HEAD];
    bool same = strcmp(base, head) == 0;
    char asked[RED_ASKED_BYTES];
    red_asked_print(&cell->asked, asked);
    snprintf(cell->name, sizeof cell->name, "%s/%s%s%s/%s/%s%s/n:%llu",
             bout->duel->sides[RED_HEAD].devices[cell->device].id, head, same ? "" : "-against-",
             same ? "" : base, cell->op->name, cell->dtype->name, asked, (unsigned long long)cell->n);
}

static void rule_cell(const struct red_bout *bout, struct red_duel_cell *cell) {
    struct red_policy_rules rules;
    red_policy_find(bout->policy, cell->name, &rules);
    cell->margin = rules.margin;
    cell->budget_s = rules.budget_s;
    cell->required = rules.required || bout->options->required;
    snprintf(cell->quarantine, sizeof cell->quarantine, "%s", rules.quarantine ? rules.quarantine : "");
    snprintf(cell->until, sizeof cell->until, "%s", rules.until);
}

static void add_cell(struct red_bout *bout, const struct red_duel_cell *like, const struct pairs *pairs,
                     size_t p) {
    struct red_duel *duel = bout->duel;
    struct red_duel_cell *cell = &duel->cells[duel->cells_n];
    *cell = *like;
    for (int who = 0; who < RED_WHO_N; who++) {
        const struct red_strategy *strategy = pairs->of[p][who];
        bout->strategies[who][duel->cells_n] = strategy;
        snprintf(cell->strategy[who], sizeof cell->strategy[who], "%s",
                 strategy ? strategy->name : pairs->names[p]);
    }
    name_cell(bout, cell);
    rule_cell(bout, cell);
    duel->cells_n++;
}

static enum red_status lay_out(struct red_bout *bout, const struct pairs *pairs, struct red_error *error) {
    const struct red_session *session = bout->session;
    const struct red_sizes *sizes = &session->selection->n;
    struct red_duel *duel = bout->duel;
    size_t tunings_n = red_selection_tunings_n(session->selection);
    size_t n = duel->devices_n * session->ops_n * session->types_n * pairs->n * tunings_n * sizes->n;
    duel->cells = calloc(n + 1, sizeof *duel->cells);
    for (int who = 0; who < RED_WHO_N; who++)
        bout->strategies[who] = calloc(n + 1, sizeof *bout->strategies[who]);
    if (duel->cells == NULL || bout->strategies[RED_BASE] == NULL || bout->strategies[RED_HEAD] == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for %zu cells", n);
    for (size_t i = 0; i < n; i++) {
        size_t rest = i;
        struct red_duel_cell cell = {.device = 0};
        cell.n = sizes->values[rest % sizes->n];
        rest /= sizes->n;
        cell.asked = red_selection_tuning(session->selection, rest % tunings_n);
        rest /= tunings_n;
        size_t pair = rest % pairs->n;
        rest /= pairs->n;
        cell.dtype = session->types[rest % session->types_n];
        rest /= session->types_n;
        cell.op = session->ops[rest % session->ops_n];
        cell.device = rest / session->ops_n;
        add_cell(bout, &cell, pairs, pair);
    }
    return RED_OK;
}

/* ---- the head at other n ---------------------------------------------------------------------------------
 */

/* Numbers of elements at which kernels are lost: few, one or two elements beside whole groups and whole
 * rounds of vectors, every remainder modulo 64, and some at random. */
enum {
    REMAINDERS = 64,
    WHOLES = 3,
    RANDOM = 6,
    UNITS = 3,
    SIZES_MAX = 4 + REMAINDERS + UNITS * WHOLES * 3 + RANDOM
};

/* No cell's n need be as small; large ones would take long. */
static const uint64_t REMAINDERS_FROM_MAX = 1 << 14;

static size_t list_sizes(const struct red_duel_cell *cell, uint64_t *random, uint64_t sizes[SIZES_MAX]) {
    const struct red_geometry *geometry = &cell->geometry[RED_HEAD];
    const uint64_t width = geometry->width > 0 ? geometry->width : 1;
    const uint64_t units[UNITS] = {geometry->group_size, geometry->group_size * width,
                                   geometry->group_size * geometry->lanes};
    uint64_t from = cell->n < REMAINDERS_FROM_MAX ? cell->n : REMAINDERS_FROM_MAX;
    size_t n = 0;
    for (uint64_t few = 0; few < 4; few++)
        sizes[n++] = few;
    for (uint64_t i = 1; i <= REMAINDERS; i++)
        sizes[n++] = from + i;
    for (size_t u = 0; u < UNITS; u++)
        for (uint64_t whole = 1; whole <= WHOLES; whole++)
            for (uint64_t i = 0; i < 3; i++)
                sizes[n++] = units[u] * whole + i - (units[u] > 0);
    for (unsigned i = 0; i < RANDOM; i++)
        sizes[n++] = 1 + red_random(random) % 65536;
    return n;
}

/* The data that shows most: of sums each element that is lost or doubled, of extremes one that wins, at the
 * very end and anywhere. */
static unsigned list_probes(const struct red_duel_cell *cell, struct red_probe probes[2]) {
    bool sums = cell->op->wants == RED_WANTS_ALL;
    probes[0] = (struct red_probe){sums ? RED_PATTERN_WEIGHTS : RED_PATTERN_CLOSE_BELOW, 0};
    probes[1] = (struct red_probe){RED_PATTERN_CLOSE_ABOVE, 0};
    return sums ? 1 : 2;
}

static enum red_status verify_at(const struct red_bout *bout, size_t c, enum red_who who, uint64_t n,
                                 struct red_probe probe, struct red_error *error) {
    const struct red_duel_cell *cell = &bout->duel->cells[c];
    const struct red_geometry *geometry = &cell->geometry[RED_HEAD];
    const double expected_s =
        RED_VERIFY_CALLS * cell->call_s[who] * fmax(1, (double)n / fmax(1, (double)cell->n));
    struct red_verification verification;
    struct red_case job = red_bout_job(bout, c, who, probe);
    job.data.n = job.n = n;
    job.keep = false;
    job.tuning.group_size = geometry->group_size; /* the program that is timed */
    enum red_status status = red_op_check_n(cell->op, cell->dtype, n, error);
    if (status == RED_OK)
        status = red_remote_verify(bout->sides[who].remotes[cell->device], &job, false, expected_s,
                                   &verification, error);
    if (status == RED_OK && !verification.right)
        status = red_fail(error, RED_E_WRONG, "%s", verification.evidence);
    return status;
}

/* What cannot run at this n, or is told in other ways, says nothing about the head. */
static bool is_trouble(enum red_status status) {
    return status == RED_E_WRONG || status == RED_E_CRASHED || status == RED_E_TIMED_OUT ||
           status == RED_E_DEVICE || status == RED_E_BUILD;
}

/* Where the base fails as well, that is told: a driver may be to blame. */
static enum red_status check_at(const struct red_bout *bout, size_t c, uint64_t n, struct red_probe probe,
                                struct red_error *error) {
    struct red_error found = {.text = ""}, beside = {.text = ""};
    enum red_status status = verify_at(bout, c, RED_HEAD, n, probe, &found);
    if (!is_trouble(status))
        return RED_OK;
    bool both = is_trouble(verify_at(bout, c, RED_BASE, n, probe, &beside));
    return red_fail(error, status, "beside the cell's own n, at n = %llu: %.300s%s", (unsigned long long)n,
                    found.text, both ? " (and the base fails there, too)" : "");
}

enum red_status red_bout_beyond(const struct red_bout *bout, size_t c, struct red_error *error) {
    const struct red_duel_cell *cell = &bout->duel->cells[c];
    uint64_t sizes[SIZES_MAX], random = bout->duel->seed;
    size_t sizes_n = list_sizes(cell, &random, sizes);
    struct red_probe probes[2];
    unsigned probes_n = list_probes(cell, probes);
    enum red_status status = RED_OK;
    for (size_t i = 0; i < sizes_n * probes_n && status == RED_OK && !red_interrupted(); i++)
        status = check_at(bout, c, sizes[i / probes_n], probes[i % probes_n], error);
    return status;
}

/* ---- making ready ----------------------------------------------------------------------------------------
 */

struct red_case red_bout_job(const struct red_bout *bout, size_t c, enum red_who who,
                             struct red_probe probe) {
    const struct red_duel_cell *cell = &bout->duel->cells[c];
    const struct red_data_spec data = {.op = cell->op,
                                       .dtype = cell->dtype,
                                       .probe = probe,
                                       .n = cell->n,
                                       .segments_n = 1,
                                       .seed = bout->duel->seed};
    struct red_case job = red_case_make(&data, bout->strategies[who][c], &cell->asked);
    job.keep = probe.pattern == RED_PATTERN_UNIFORM;
    return job;
}

/* *call_s is what calls of this side have taken so far. */
static enum red_status verify_on(const struct red_bout *bout, size_t c, enum red_who who,
                                 struct red_probe probe, double *call_s, struct red_error *error) {
    struct red_verification verification = {.call_s = 0};
    const struct red_duel_cell *cell = &bout->duel->cells[c];
    const struct red_case job = red_bout_job(bout, c, who, probe);
    enum red_status status = red_remote_verify(bout->sides[who].remotes[cell->device], &job, false,
                                               RED_VERIFY_CALLS * *call_s, &verification, error);
    *call_s = fmax(*call_s, verification.call_s);
    if (status == RED_OK && !verification.right)
        status = red_fail(error, RED_E_WRONG, "%s", verification.evidence);
    return status;
}

static enum red_status verify_side(const struct red_bout *bout, size_t c, enum red_who who,
                                   struct red_error *error) {
    const struct red_duel_cell *cell = &bout->duel->cells[c];
    const struct red_probe timed = {RED_PATTERN_UNIFORM, 0};
    enum red_status status = red_strategy_admits(bout->strategies[who][c], cell->dtype, cell->op, error);
    if (status == RED_OK)
        status = red_op_check_n(cell->op, cell->dtype, cell->n, error);
    unsigned probes_n = red_exact_probes_n(bout->session, cell->op, cell->dtype, cell->n);
    double call_s = 0;
    for (unsigned i = 0; i < probes_n && status == RED_OK; i++)
        status = verify_on(bout, c, who, red_exact_probe(bout->session, cell->op, cell->dtype, cell->n, i),
                           &call_s, error);
    return status == RED_OK ? verify_on(bout, c, who, timed, &call_s, error) : status;
}

static enum red_status ready_side(const struct red_bout *bout, size_t c, enum red_who who,
                                  struct red_error *error) {
    struct red_duel_cell *cell = &bout->duel->cells[c];
    const struct red_case job = red_bout_job(bout, c, who, (struct red_probe){RED_PATTERN_UNIFORM, 0});
    struct red_ready ready;
    enum red_status status =
        red_remote_ready(bout->sides[who].remotes[cell->device], &job, WARM_CALLS, WARM_UP_S, &ready, error);
    cell->geometry[who] = ready.geometry;
    cell->call_s[who] = ready.typical_s;
    return status;
}

/* A worker of another build refuses what it does not know. */
static enum red_state state_of(enum red_status status) {
    return status == RED_E_INPUT ? RED_STATE_UNSUPPORTED : red_state_of(status);
}

void red_bout_fail(struct red_duel_cell *cell, enum red_who who, const struct red_error *error) {
    cell->state[who] = state_of(error->status);
    red_text_copy(error->text, cell->reason[who], sizeof cell->reason[who]); /* a log has lines */
}

static void prepare_side(struct red_bout *bout, size_t c, enum red_who who) {
    struct red_duel_cell *cell = &bout->duel->cells[c];
    struct red_error error = {.text = ""};
    enum red_status status = verify_side(bout, c, who, &error);
    if (status == RED_OK)
        status = ready_side(bout, c, who, &error);
    if (status == RED_OK)
        cell->state[who] = RED_STATE_PASS;
    else if (status != RED_E_INTERRUPTED)
        red_bout_fail(cell, who, &error);
}

/* What would not fit into the budget even once is not begun. That is judged by each side's own time, and of
 * the head with some patience: one that is so much slower is no cell that cannot be measured, it is missing.
 */
static bool check_budget(const struct red_duel_plan *plan, struct red_duel_cell *cell, enum red_who who,
                         double patience) {
    double least_s =
        (double)(cell->calls * plan->batches_n) * cell->call_s[who] * RED_ROUNDS_LEAST * plan->launches_n;
    if (least_s <= patience * cell->budget_s)
        return true;
    cell->state[who] = RED_STATE_OVER_BUDGET;
    snprintf(cell->reason[who], sizeof cell->reason[who],
             "%u launches of %d rounds would take about %.3g s; the budget is %.3g s", plan->launches_n,
             RED_ROUNDS_LEAST, least_s, cell->budget_s);
    return false;
}

/* A turn's batches are about plan.batch_s long on the slower side. */
static void plan_cell(const struct red_bout *bout, struct red_duel_cell *cell) {
    const struct red_duel_plan *plan = &bout->duel->plan;
    const double head_patience = 4;
    double call_s = fmax(cell->call_s[RED_BASE], cell->call_s[RED_HEAD]);
    cell->calls = call_s < plan->batch_s ? (uint64_t)(plan->batch_s / fmax(call_s, 1e-9)) : 1;
    if (check_budget(plan, cell, RED_BASE, 1))
        (void)check_budget(plan, cell, RED_HEAD, head_patience);
    else {
        cell->state[RED_HEAD] = RED_STATE_OVER_BUDGET;
        snprintf(cell->reason[RED_HEAD], sizeof cell->reason[RED_HEAD], "it is over budget on the base");
    }
}

/* Whether the cells are of one line: they differ in n only. */
static bool is_same_line(const struct red_bout *bout, size_t a, size_t b) {
    const struct red_duel_cell *x = &bout->duel->cells[a], *y = &bout->duel->cells[b];
    return x->device == y->device && x->op == y->op && x->dtype == y->dtype &&
           bout->strategies[RED_HEAD][a] == bout->strategies[RED_HEAD][b] &&
           red_tuning_compare(&x->asked, &y->asked) == 0;
}

/* Once for each line: what is found there counts for all of its cells. */
static void check_beyond(struct red_bout *bout, size_t c) {
    struct red_duel_cell *cell = &bout->duel->cells[c];
    if (cell->state[RED_HEAD] != RED_STATE_PASS)
        return;
    if (!bout->beyond.known || !is_same_line(bout, bout->beyond.cell, c)) {
        bout->beyond.cell = c;
        bout->beyond.known = true;
        bout->beyond.error = (struct red_error){.text = ""};
        (void)red_bout_beyond(bout, c, &bout->beyond.error);
    }
    if (bout->beyond.error.status != RED_OK)
        red_bout_fail(cell, RED_HEAD, &bout->beyond.error);
}

static void prepare_cell(struct red_bout *bout, size_t c) {
    struct red_duel_cell *cell = &bout->duel->cells[c];
    if (bout->strategies[RED_HEAD][c] == NULL) {
        const struct red_error vanished = {.status = RED_E_UNSUPPORTED,
                                           .text = "it does not know the strategy any more"};
        cell->state[RED_BASE] = RED_STATE_PASS;
        red_bout_fail(cell, RED_HEAD, &vanished);
        return;
    }
    for (int who = 0; who < RED_WHO_N && !red_interrupted(); who++)
        prepare_side(bout, c, (enum red_who)who);
    check_beyond(bout, c);
    if (cell->state[RED_BASE] == RED_STATE_PASS && cell->state[RED_HEAD] == RED_STATE_PASS)
        plan_cell(bout, cell);
}

/* The clock of a GPU is its own: a chain of dependent steps shows it. The worker of that is this program's.
 */
static enum red_status make_kits(struct red_bout *bout, struct red_error *error) {
    static const char *const arguments[] = {"/proc/self/exe", "worker", NULL};
    static struct red_remote_program program = {.arguments = arguments};
    enum red_status status = RED_OK;
    for (size_t d = 0; d < bout->duel->devices_n && status == RED_OK; d++) {
        const struct red_device_info *info = &bout->duel->sides[RED_BASE].devices[d];
        program.environment = bout->sides[RED_BASE].program.environment;
        if (!info->shape.is_cpu)
            status = red_remote_create(&program, info, NULL, &bout->gpus[d], error);
        if (status == RED_OK)
            status = red_control_kit_make(bout->gpus[d], &bout->kits[d], error);
    }
    return status;
}

static void note_sides(struct red_bout *bout) {
    struct red_duel *duel = bout->duel;
    duel->devices_n = bout->sides[RED_BASE].remotes_n;
    for (int who = 0; who < RED_WHO_N; who++) {
        snprintf(duel->sides[who].version, sizeof duel->sides[who].version, "%s", bout->sides[who].version);
        for (size_t d = 0; d < duel->devices_n; d++)
            duel->sides[who].devices[d] = *red_remote_info(bout->sides[who].remotes[d]);
    }
}

enum red_status red_bout_prepare(const struct red_session *session, const struct red_duel_options *options,
                                 const struct red_policy *policy, struct red_gate_side sides[RED_WHO_N],
                                 struct red_duel *duel, struct red_bout *bout, struct red_error *error) {
    struct pairs pairs;
    *bout = (struct red_bout){.policy = policy,
                              .session = session,
                              .options = options,
                              .sides = sides,
                              .duel = duel,
                              .random = duel->seed,
                              .start_s = red_clock_s()};
    note_sides(bout);
    enum red_status status = pair_strategies(session, sides, &pairs, error);
    if (status == RED_OK)
        status = lay_out(bout, &pairs, error);
    if (status == RED_OK)
        status = make_kits(bout, error);
    for (size_t c = 0; c < duel->cells_n && status == RED_OK && !red_interrupted(); c++) {
        char what[sizeof duel->cells[c].name + 16];
        snprintf(what, sizeof what, "verifying %s", duel->cells[c].name);
        red_progress(what, (double)c / (double)duel->cells_n, bout->start_s);
        prepare_cell(bout, c);
    }
    red_progress_end();
    if (status == RED_OK && red_interrupted())
        status = red_fail(error, RED_E_INTERRUPTED, "interrupted while verifying");
    if (status != RED_OK)
        red_bout_clear(bout);
    return status;
}

void red_bout_clear(struct red_bout *bout) {
    for (size_t d = 0; d < RED_DUEL_DEVICES_MAX; d++) {
        red_control_kit_clear(&bout->kits[d]);
        red_remote_destroy(bout->gpus[d]);
        bout->gpus[d] = NULL;
    }
    for (int who = 0; who < RED_WHO_N; who++) {
        free(bout->strategies[who]);
        bout->strategies[who] = NULL;
    }
}
