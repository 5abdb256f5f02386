/* Verifies one array over many ranks (ranks/verify.h). The checks of a team stand together, so that who is
 * not in it sleeps once. */
#include "ranks/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/random.h"
#include "core/text.h"
#include "ranks/check.h"
#include "ranks/pieces.h"
#include "ranks/verify_plan.h"
#include "run/session.h"

enum { REASONS_MAX = 24, ROOF_N = 1 << 20, TOLD_MAX = 12 };
static const double BUDGET_S = 20;

enum red_status red_ranks_verify_options_check(const struct red_ranks_options *options,
                                               struct red_error *error) {
    const enum red_status status = red_ranks_splits_check(options->split, error);
    return status == RED_OK ? red_select_check("collective", options->collective, red_collective_names,
                                               red_collectives_n, error)
                            : status;
}

/* What the ranks hold while they verify. */
struct verifying {
    const struct red_ranks *ranks;
    const struct red_ranks_options *options;
    const struct red_session *session;
    FILE *out; /* NULL but on rank 0 */
    struct red_member member;
    double *roofs, *weights; /* owned; of each rank; those of the split at hand */
    struct red_ranks_plan plan;
    const struct red_collective_row *collectives[RED_COLLECTIVES_MAX];
    size_t collectives_n;
    double start_s, budget_s;
    size_t happened[RED_STATES_N], programs_n, arrays_n;
    char reasons[REASONS_MAX][160]; /* of what cannot run, each once */
    size_t reasons_n, told_n;
    struct red_worst worst; /* it decides the exit status, and its error is kept */
    struct red_error error;
};

/* ---- outcomes ------------------------------------------------------------------------------------------ */

/* The command that makes the check again: with the same number of ranks, and as their device asks for. */
static void print_command(const struct verifying *v, const struct red_ranks_check *check,
                          const struct red_strategy *strategy, const char *collective) {
    const struct red_selection *selection = v->session->selection;
    fprintf(v->out, "  again: mpirun -n %d", check->ranks_n);
    red_shell_quoted_print(v->out, " ", selection->program ? selection->program : "clreduce");
    fprintf(v->out, " verify --ranks --rank-counts %d --split %s --strategy %s", check->ranks_n,
            red_ranks_split_name(check->split), strategy->name);
    if (collective != NULL)
        fprintf(v->out, " --collective %s", collective);
    if (selection->device != NULL)
        red_shell_quoted_print(v->out, " --device ", selection->device);
    if (selection->expect != NULL)
        red_shell_quoted_print(v->out, " --expect ", selection->expect);
    for (size_t i = 0; i < selection->kernels_n; i++)
        red_shell_quoted_print(v->out, " --kernel ", selection->kernels[i]);
    fprintf(v->out, " --op %s --type %s --n %llu --seed %llu\n", check->spec.op->name,
            check->spec.dtype->name, (unsigned long long)check->spec.n, (unsigned long long)selection->seed);
}

/* Keeps a reason why something cannot run, each once. */
static void add_reason(struct verifying *v, const char *name, const char *reason) {
    char text[sizeof v->reasons[0]] = "";
    red_text_add(text, sizeof text, "%s: %s", name, reason);
    for (size_t i = 0; i < v->reasons_n; i++)
        if (strcmp(v->reasons[i], text) == 0)
            return;
    if (v->reasons_n < REASONS_MAX)
        memcpy(v->reasons[v->reasons_n++], text, sizeof text);
}

/* Counts how a check ended, of a call by a collective or (NULL) of what comes before; prints it where it is
 * neither right nor unsupported. False where the run ends. */
static bool count_outcome(struct verifying *v, const struct red_ranks_check *check,
                          const struct red_strategy *strategy, const char *collective, enum red_status status,
                          const struct red_error *error) {
    const enum red_state state = status == RED_OK ? RED_STATE_PASS : red_state_of(status);
    if (status == RED_E_INTERRUPTED) {
        if (!red_finding_is_told(v->worst.status, status)) {
            v->worst = (struct red_worst){.status = status};
            v->error = *error;
        }
        return false;
    }
    v->happened[state]++;
    if (state == RED_STATE_UNSUPPORTED)
        add_reason(v, strategy->standard == RED_STANDARD_HOST && collective ? collective : strategy->name,
                   error->text);
    if (state == RED_STATE_PASS || state == RED_STATE_UNSUPPORTED)
        return true;
    char data[64];
    struct red_error told;
    red_data_kind_format(check->spec.data_kind, check->spec.op, check->spec.dtype, check->spec.n, data,
                         sizeof data);
    (void)red_fail(&told, status, "%s%s%s over %d ranks: %s of %s, n = %llu, %s pieces, %s: %s",
                   strategy->name, collective ? " with " : "", collective ? collective : "", check->ranks_n,
                   check->spec.op->name, check->spec.dtype->name, (unsigned long long)check->spec.n,
                   red_ranks_split_name(check->split), data, error->text);
    if (red_worst_add(&v->worst, status, 0))
        v->error = told;
    if (v->out != NULL && v->told_n++ < TOLD_MAX) {
        fprintf(v->out, "%s: %s\n", red_state_name(state), told.text);
        print_command(v, check, strategy, collective);
        fflush(v->out);
    }
    return true;
}

/* ---- one array ----------------------------------------------------------------------------------------- */

/* From which the partial results of a check are drawn: the same where the check is made again. */
static uint64_t fold_seed(const struct verifying *v, const struct red_ranks_check *check,
                          const struct red_collective_row *collective) {
    return red_ranks_plan_hash(&v->plan, check->spec.n,
                               (uint64_t)(collective - red_collectives) << 32 |
                                   (uint64_t)check->ranks_n << 8 | check->spec.data_kind.pattern);
}

/* Checks a call by every collective; of the host also what the collective makes of drawn partial results. */
static bool check_collectives(struct verifying *v, const struct red_ranks_check *check,
                              const struct red_strategy *strategy, struct red_piece_call *call) {
    const struct red_data_spec *spec = &check->spec;
    bool goes_on = true;
    for (size_t i = 0; i < v->collectives_n && goes_on; i++) {
        const struct red_collective_row *collective = v->collectives[i];
        struct red_cell cell = {.at = {.strategy = strategy, .n = spec->n}};
        struct red_error error;
        snprintf(cell.at.collective, sizeof cell.at.collective, "%s", collective->name);
        enum red_status status = red_check_call(call, collective, &cell, &error);
        red_cell_clear(&cell);
        if (status == RED_OK && strategy->standard == RED_STANDARD_HOST)
            status = red_check_folds(call->piece->team, collective, spec->op, spec->dtype,
                                     fold_seed(v, check, collective), &error);
        goes_on = count_outcome(v, check, strategy, collective->name, status, &error);
    }
    return goes_on;
}

/* Whether the register of known bugs lists the strategy over this piece on this rank's driver. It is left out
 * then: who crashes a driver ends all ranks. Errors, on all ranks of the team: RED_E_UNSUPPORTED. */
static enum red_status check_not_known(const struct verifying *v, const struct red_piece *piece,
                                       const struct red_strategy *strategy, struct red_error *error) {
    const struct red_device_info *info = v->member.device ? red_device_info(v->member.device) : NULL;
    enum red_status status = RED_OK;
    if (info != NULL && strategy->standard != RED_STANDARD_HOST) {
        const struct red_known_failure_cell cell = {
            .device = info,
            .strategy = strategy,
            .op = piece->dataset.spec.op,
            .dtype = piece->dataset.spec.dtype,
            .n = piece->n,
            .group_size = red_geometry_default_group_size(strategy, &info->shape)};
        const struct red_known_failure *known = red_known_failures_find(&v->session->known_failures, &cell);
        if (known != NULL)
            status = red_fail(error, RED_E_UNSUPPORTED, "known bug (%s:%u): %s", known->file, known->line,
                              known->reason);
    }
    return red_ranks_agree(v->ranks, &piece->team->comm, status, error);
}

/* Checks one array of a team by a strategy, or by the host's row. False where the run ends. */
static bool check_array(struct verifying *v, const struct red_team *team, const struct red_ranks_check *check,
                        const struct red_strategy *strategy) {
    struct red_error error;
    struct red_piece piece;
    struct red_piece_call call;
    red_ranks_plan_set_weights(&v->plan, check, v->roofs, v->weights);
    red_watch_step(3e-8 * (double)check->spec.n, "data of %s are made",
                   red_pattern_name(check->spec.data_kind.pattern));
    enum red_status status = red_piece_make(team, &check->spec, &piece, &error);
    if (status != RED_OK)
        return count_outcome(v, check, strategy, NULL, status, &error);
    v->arrays_n++;
    status = check_not_known(v, &piece, strategy, &error);
    if (status == RED_OK)
        status = red_check_own(&piece, strategy, !v->session->selection->all && v->arrays_n % 4 != 0, &error);
    if (status == RED_OK)
        status = red_piece_call_make(&piece, strategy, 0, &call, &error);
    bool goes_on = true;
    if (status == RED_OK) {
        goes_on = check_collectives(v, check, strategy, &call);
        red_piece_call_clear(&call);
    } else
        goes_on = count_outcome(v, check, strategy, NULL, status, &error);
    red_piece_clear(&piece);
    return goes_on;
}

/* ---- one team ------------------------------------------------------------------------------------------ */

/* Whether the team still has time, as its first rank says. */
static bool has_time(const struct verifying *v, const struct red_team *team, double end_s) {
    int has = red_clock_s() < end_s;
    v->ranks->mpi->share(&team->comm, &has, sizeof has);
    return has != 0;
}

/* Checks all rows of the team by the host's row. */
static bool check_on_host(struct verifying *v, const struct red_team *team, size_t level) {
    const struct red_strategy *openmp = red_catalogue_find(v->session->catalogue, RED_HOST_STRATEGY);
    bool goes_on = true;
    for (size_t i = 0; i < v->plan.rows_n && goes_on; i++) {
        const struct red_ranks_check check = red_ranks_plan_check(&v->plan, i);
        if (check.count == level)
            goes_on = check_array(v, team, &check, openmp);
    }
    return goes_on;
}

/* Checks some arrays of one program, a strategy with an operation and a type. Where the user has chosen
 * strategies they are those of the plan, so that the command behind "again:" meets its array. */
static bool check_program(struct verifying *v, const struct red_team *team, size_t level, size_t program,
                          uint64_t *random, double end_s) {
    enum { ARRAYS = 4 };
    const struct red_session *session = v->session;
    const struct red_strategy *strategy = session->strategies[program % session->strategies_n];
    const struct red_op *op = session->ops[program / session->strategies_n % session->ops_n];
    const struct red_dtype *dtype = session->types[program / session->strategies_n / session->ops_n];
    const bool all = session->selection->all, asked = all || session->selection->strategy != NULL;
    struct red_ranks_check check;
    bool goes_on = true;
    size_t arrays_n = 0;
    if (red_strategy_check_type_and_op(strategy, dtype, op, NULL) != RED_OK)
        return true;
    v->programs_n++;
    for (size_t i = 0; i < v->plan.rows_n && asked && goes_on; i++) {
        check = red_ranks_plan_check(&v->plan, i);
        if (check.count != level || check.spec.op != op || check.spec.dtype != dtype ||
            red_pattern_is_special(check.spec.data_kind.pattern))
            continue;
        if (!all && arrays_n > 0 && !has_time(v, team, end_s))
            return goes_on;
        goes_on = check_array(v, team, &check, strategy);
        arrays_n++;
    }
    for (; arrays_n < ARRAYS && goes_on; arrays_n++) {
        if (!all && arrays_n > 0 && !has_time(v, team, end_s))
            break;
        if (red_ranks_plan_draw(&v->plan, level, op, dtype, random, &check))
            goes_on = check_array(v, team, &check, strategy);
    }
    return goes_on;
}

/* Checks strategies on the team's devices, in an order that the seed draws, until its time is over; one in
 * any case. */
static bool check_on_devices(struct verifying *v, const struct red_team *team, size_t level, double end_s) {
    const struct red_session *session = v->session;
    const size_t n = session->strategies_n * session->ops_n * session->types_n;
    uint64_t random = red_ranks_plan_hash(&v->plan, 11, level);
    uint32_t *programs = red_ranks_room(v->ranks, n + 1, sizeof *programs);
    bool goes_on = true;
    for (size_t i = 0; i < n; i++)
        programs[i] = (uint32_t)i;
    red_random_shuffle(programs, n, sizeof *programs, &random);
    const size_t before = v->programs_n;
    for (size_t i = 0; i < n && goes_on; i++) {
        if (!session->selection->all && v->programs_n > before && !has_time(v, team, end_s))
            break;
        goes_on = check_program(v, team, level, programs[i], &random, end_s);
    }
    free(programs);
    return goes_on;
}

/* Whether the user wants the host's row checked, and whether strategies on devices. */
static bool takes_host(const struct verifying *v) {
    const char *given = v->session->selection->strategy;
    return given == NULL || red_select_matches(given, RED_HOST_STRATEGY);
}

/* Checks what there is for one number of ranks; the others sleep. */
static enum red_status check_team(struct verifying *v, size_t level, struct red_error *error) {
    const double left_s = v->start_s + v->budget_s - red_clock_s(),
                 end_s = red_clock_s() + fmax(0.2, left_s / (double)(v->plan.counts_n - level));
    struct red_team team;
    enum red_status status = RED_OK;
    red_team_make(&v->member, (int)v->plan.counts[level], v->weights, &team);
    if (team.comm.handle != NULL) {
        bool goes_on = !takes_host(v) || check_on_host(v, &team, level);
        if (goes_on && red_member_first_with_device(&v->member) != NULL)
            goes_on = check_on_devices(v, &team, level, end_s);
        if (!goes_on)
            status = red_fail(error, v->worst.status, "%s", v->error.text);
    }
    red_watch_nothing();
    v->ranks->mpi->barrier_asleep(&v->ranks->world);
    red_team_clear(&team);
    return red_ranks_agree(v->ranks, &v->ranks->world, status, error);
}

/* ---- the run ------------------------------------------------------------------------------------------- */

/* Prints what was covered, what cannot run, and the closing line. */
static void print_closing(const struct verifying *v) {
    size_t others = 0;
    for (int state = 0; state < RED_STATES_N; state++)
        others += state == RED_STATE_PASS || state == RED_STATE_WRONG || state == RED_STATE_UNSUPPORTED
                      ? 0
                      : v->happened[state];
    if (v->told_n > TOLD_MAX)
        fprintf(v->out, "and %zu more like these\n", v->told_n - TOLD_MAX);
    for (size_t i = 0; i < v->reasons_n; i++)
        fprintf(v->out, "  cannot run: %s\n", v->reasons[i]);
    fprintf(v->out, "covered over 1 to %d ranks: ", v->ranks->world.size);
    if (v->plan.pairs_n > 0 && takes_host(v))
        fprintf(v->out, "%zu pairs of ranks, split, operation, type, n and data; ", v->plan.pairs_n);
    fprintf(v->out, "%zu arrays; %zu programs of strategies\n", v->arrays_n, v->programs_n);
    fprintf(v->out, "%zu right, %zu wrong, %zu unsupported, %zu in other trouble in %.1f s\n",
            v->happened[RED_STATE_PASS], v->happened[RED_STATE_WRONG], v->happened[RED_STATE_UNSUPPORTED],
            others, red_clock_s() - v->start_s);
}

/* Checks everything, once devices and levels are there. */
static enum red_status check_teams(struct verifying *v, struct red_error *error) {
    unsigned form = 0;
    enum red_status status = red_member_measure_roofs(&v->member, ROOF_N, &form, error);
    red_weights_of_roofs(v->member.all, (size_t)v->ranks->world.size, v->roofs);
    if (status == RED_OK && v->out != NULL) {
        fprintf(v->out, "verifying one array over up to %d ranks (%s): %zu arrays by OpenMP, then ",
                v->ranks->world.size, v->ranks->library, takes_host(v) ? v->plan.rows_n : 0);
        if (v->session->selection->all)
            fprintf(v->out, "every strategy\n");
        else
            fprintf(v->out, "strategies for %.1f s\n", v->budget_s);
    }
    if (status == RED_OK)
        status = red_check_cuts(v->ranks, v->session->selection->seed, error);
    if (status == RED_E_WRONG && v->out != NULL)
        fprintf(v->out, "wrong: %s\n", error->text);
    for (size_t level = 0; level < v->plan.counts_n && status == RED_OK; level++)
        status = check_team(v, level, error);
    return status;
}

/* How the run ends: as the worst of its checks, or because nothing was checked. */
static enum red_status judge(const struct verifying *v, struct red_error *error) {
    if (v->worst.status != RED_OK)
        return red_fail(error, v->worst.status, "%s", v->error.text);
    return v->happened[RED_STATE_PASS] > 0
               ? RED_OK
               : red_fail(error, RED_E_NO_DEVICE, "nothing that was asked for could be checked");
}

enum red_status red_ranks_verify(const struct red_ranks *ranks, const struct red_ranks_options *options,
                                 const struct red_session *session, FILE *out, struct red_error *error) {
    struct verifying *v = red_ranks_room(ranks, 1, sizeof *v);
    const size_t all_n = (size_t)ranks->world.size;
    *v = (struct verifying){.ranks = ranks,
                            .options = options,
                            .session = session,
                            .out = ranks->world.rank == 0 ? out : NULL,
                            .roofs = red_ranks_room(ranks, all_n, sizeof(double)),
                            .weights = red_ranks_room(ranks, all_n, sizeof(double)),
                            .start_s = red_clock_s(),
                            .budget_s = options->budget_s > 0 ? options->budget_s : BUDGET_S};
    v->collectives_n = red_collectives_choose(options->collective, v->collectives);
    enum red_status status =
        red_ranks_plan_make(session, options, (uint64_t)ranks->world.size, &v->plan, error);
    status = red_ranks_agree(ranks, &ranks->world, status, error);
    if (status == RED_OK)
        status = red_member_open(ranks, session->selection->device, &v->member, error);
    if (status == RED_OK)
        status = check_teams(v, error);
    if (ranks->world.rank == 0 && v->arrays_n > 0)
        print_closing(v);
    if (status == RED_OK && ranks->world.rank == 0)
        status = judge(v, error);
    red_member_close(&v->member);
    red_ranks_plan_clear(&v->plan);
    free(v->roofs);
    free(v->weights);
    free(v);
    return status;
}
