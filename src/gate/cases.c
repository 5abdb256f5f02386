/* The cells of `duel`: which strategies, types and n of base and head are compared, whether both sides are
 * right (WRONG, BROKEN, FAILED), and how many calls a batch has. gate/loop.c then measures them. `loop` is
 * made by gate/duel.c from the options; `session` has --strategy, --op, --type and --n, `sides` what
 * --base... and
 * --head... gave; `c` is the index of a cell in loop->duel, `who` its side. The user sees states as verdicts,
 * reasons in the column `why`, and both, with the calls of a batch, in the file of --output. */
#include "gate/gate_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/interrupt.h"
#include "core/random.h"
#include "core/select.h"
#include "core/text.h"
#include "export/suite.h"
#include "results/json.h"
#include "run/session.h"

enum { WARM_CALLS = 51 };
static const double WARM_UP_S = 0.02;

static const struct red_data_kind timed = {RED_PATTERN_UNIFORM, 0};

/* ---- strategies ---------------------------------------------------------------------------------------- */

/* Which strategy of the base is compared with which one of the head. */
struct strategy_matches {
    const struct red_strategy *of[RED_CHOICE_MAX][RED_WHO_N]; /* NULL: this program does not have it */
    const char *names[RED_CHOICE_MAX];                        /* of the strategies that are NULL */
    size_t n;
};

/* The strategy that a single kernel file is compared with: the one of --strategy, or else the one of the same
 * name. */
static const struct red_strategy *opponent_of(const struct red_session *session,
                                              const struct red_catalogue *catalogue,
                                              const struct red_strategy *kernel) {
    if (session->selection->strategy != NULL)
        return session->strategies_n == 1 ? red_catalogue_find(catalogue, session->strategies[0]->name)
                                          : NULL;
    return red_catalogue_find(catalogue, kernel->name);
}

/* With --base-kernel or --head-kernel: makes one match, of the kernel file and the other side's kernel file
 * or, if there is none, the strategy of opponent_of. */
static enum red_status match_kernel_file(const struct red_session *session, const struct red_duel_side *sides,
                                         struct strategy_matches *matches, struct red_error *error) {
    for (int who = 0; who < RED_WHO_N; who++) {
        const struct red_duel_side *own = &sides[who], *other = &sides[1 - who];
        matches->of[0][who] = own->kernel ? own->kernel : opponent_of(session, own->catalogue, other->kernel);
    }
    matches->n = 1;
    return matches->of[0][RED_BASE] != NULL && matches->of[0][RED_HEAD] != NULL
               ? RED_OK
               : red_fail(error, RED_E_INPUT,
                          "one kernel file needs an opponent: add --strategy with one strategy, or the other "
                          "side's kernel file");
}

/* Whether the program of --base or --head told this strategy when it was asked. */
static bool side_lists_strategy(const struct red_duel_side *side, const char *name) {
    for (size_t i = 0; i < json_array_size(side->strategies); i++) {
        const char *own = json_string_value(json_array_get(side->strategies, i));
        if (own != NULL && strcmp(own, name) == 0)
            return true;
    }
    return false;
}

/* Of the strategies that this program does not have, adds those that the base has and the head has not; they
 * are reported as missing. (Of this program's own strategies each side's worker refuses those that it lacks.)
 * A strategy that both sides have and this program has not cannot be requested; a warning says so. */
static void add_vanished_and_warn_of_unknown(const struct red_session *session,
                                             const struct red_duel_side sides[RED_WHO_N],
                                             struct strategy_matches *matches) {
    for (size_t i = 0; i < json_array_size(sides[RED_BASE].strategies); i++) {
        const char *name = json_string_value(json_array_get(sides[RED_BASE].strategies, i));
        if (name == NULL || matches->n == RED_CHOICE_MAX ||
            red_catalogue_find(session->catalogue, name) != NULL ||
            !red_select_matches(session->selection->strategy, name))
            continue;
        if (side_lists_strategy(&sides[RED_HEAD], name)) {
            fprintf(stderr, "%s is left out: base and head have it, and this program does not know it\n",
                    name);
            continue;
        }
        matches->of[matches->n][RED_BASE] = matches->of[matches->n][RED_HEAD] = NULL;
        matches->names[matches->n++] = name;
    }
}

/* Finds which strategies of base and head are compared: by kernel files, or by name. */
static enum red_status match_strategies(const struct red_session *session, const struct red_duel_side *sides,
                                        struct strategy_matches *matches, struct red_error *error) {
    matches->n = 0;
    if (sides[RED_BASE].kernel != NULL || sides[RED_HEAD].kernel != NULL)
        return match_kernel_file(session, sides, matches, error);
    for (size_t s = 0; s < session->strategies_n; s++, matches->n++)
        for (int who = 0; who < RED_WHO_N; who++)
            matches->of[matches->n][who] = session->strategies[s];
    add_vanished_and_warn_of_unknown(session, sides, matches);
    return RED_OK;
}

/* ---- cells --------------------------------------------------------------------------------------------- */

/* Writes "pocl.0/tree/sum/f32/n:4096", the column "cell" and what the globs of a policy match. */
static void set_cell_name(struct red_duel_cell *cell) {
    const char *base = cell->strategy[RED_BASE], *head = cell->strategy[RED_HEAD];
    bool same = strcmp(base, head) == 0;
    char rest[RED_AT_NAME_BYTES];
    red_at_name(&cell->at, RED_AT_ALL & ~(RED_AT(DEVICE) | RED_AT(STRATEGY)), rest, sizeof rest);
    cell->name[0] = '\0';
    red_text_add(cell->name, sizeof cell->name, "%s/%s%s%s/%s", cell->at.device, head,
                 same ? "" : "-against-", same ? "" : base, rest);
}

/* Copies into the cell what --policy and --require say of it. */
static void apply_policy_and_require(const struct red_loop *loop, struct red_duel_cell *cell) {
    struct red_policy_rules rules;
    red_policy_find(loop->policy, cell->name, &rules);
    cell->margin = rules.margin;
    cell->budget_s = rules.budget_s;
    cell->required = rules.required || loop->options->required;
    snprintf(cell->quarantine, sizeof cell->quarantine, "%s", rules.quarantine ? rules.quarantine : "");
    snprintf(cell->until, sizeof cell->until, "%s", rules.until);
}

/* Adds a cell of this match; what `like` has stays: device, operation, type, n, geometry. */
static void add_cell(struct red_loop *loop, const struct red_duel_cell *like,
                     const struct strategy_matches *matches, size_t match) {
    struct red_duel *duel = loop->duel;
    struct red_duel_cell *cell = &duel->cells[duel->cells_n];
    *cell = *like;
    for (int who = 0; who < RED_WHO_N; who++) {
        const struct red_strategy *strategy = matches->of[match][who];
        loop->strategies[who][duel->cells_n] = strategy;
        snprintf(cell->strategy[who], sizeof cell->strategy[who], "%s",
                 strategy ? strategy->name : matches->names[match]);
    }
    set_cell_name(cell);
    apply_policy_and_require(loop, cell);
    duel->cells_n++;
}

/* Makes the cells of the duel, for each device, operation, type, match, geometry and n, without samples. */
static enum red_status make_cells(struct red_loop *loop, const struct strategy_matches *matches,
                                  struct red_error *error) {
    const struct red_session *session = loop->session;
    const struct red_sizes *sizes = &session->selection->n;
    struct red_duel *duel = loop->duel;
    size_t tunings_n = red_selection_tunings_n(session->selection);
    size_t n = duel->devices_n * session->ops_n * session->types_n * matches->n * tunings_n * sizes->n;
    duel->cells = calloc(n + 1, sizeof *duel->cells);
    for (int who = 0; who < RED_WHO_N; who++)
        loop->strategies[who] = calloc(n + 1, sizeof *loop->strategies[who]);
    if (duel->cells == NULL || loop->strategies[RED_BASE] == NULL || loop->strategies[RED_HEAD] == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for %zu cells", n);
    for (size_t i = 0; i < n; i++) {
        size_t rest = i;
        struct red_duel_cell cell = {.device = 0};
        cell.at.n = sizes->values[rest % sizes->n];
        rest /= sizes->n;
        cell.at.asked = red_selection_tuning(session->selection, rest % tunings_n);
        rest /= tunings_n;
        size_t match = rest % matches->n;
        rest /= matches->n;
        cell.at.dtype = session->types[rest % session->types_n];
        rest /= session->types_n;
        cell.at.bins_n = red_selected_bins_n(session->selection);
        cell.at.op = session->ops[rest % session->ops_n];
        cell.device = rest / session->ops_n;
        cell.at.device = duel->sides[RED_HEAD].devices[cell.device].id;
        add_cell(loop, &cell, matches, match);
    }
    return RED_OK;
}

/* The cell on one side as a case on data of this kind; workers keep the data that are timed. */
static struct red_case case_on_data(const struct red_loop *loop, size_t c, enum red_who who,
                                    struct red_data_kind data_kind) {
    const struct red_duel_cell *cell = &loop->duel->cells[c];
    struct red_data_spec data =
        red_data_spec_make(cell->at.op, cell->at.dtype, data_kind, cell->at.n, loop->duel->seed);
    data.bins_n = cell->at.bins_n;
    struct red_case wanted = red_case_make(&data, loop->strategies[who][c], &cell->at.asked);
    wanted.keep = data_kind.pattern == RED_PATTERN_UNIFORM;
    return wanted;
}

/* Asked here and before each block (gate/loop.c): a cell that does not pass is not measured any more. */
bool red_duel_cell_both_sides_pass(const struct red_duel_cell *cell) {
    return cell->state[RED_BASE] == RED_STATE_PASS && cell->state[RED_HEAD] == RED_STATE_PASS;
}

/* For gate/loop.c: what the side's worker prepares and times. */
struct red_case red_loop_timed_case(const struct red_loop *loop, size_t c, enum red_who who) {
    return case_on_data(loop, c, who, timed);
}

/* Has a side's worker verify one case on a device of the duel. *longest_known_call_s is read and written: how
 * long a call takes at most, as far as that is known (0: not), from which the time limit follows; it becomes
 * what a call took here, if that is longer. */
static enum red_status verify_on_side(const struct red_duel_side *side, size_t device,
                                      const struct red_case *wanted, double *longest_known_call_s,
                                      struct red_error *error) {
    struct red_verification verification;
    enum red_status status = red_case_require_right(
        side->clients[device], wanted, false, RED_VERIFY_CALLS * *longest_known_call_s, &verification, error);
    *longest_known_call_s = fmax(*longest_known_call_s, verification.call_s);
    return status;
}

/* ---- the head at other n -------------------------------------------------------------------------------
 * A fault makes the verdict WRONG, BROKEN or FAILED; `why` begins "head wrong: beside the cell's own n, at n
 * = 3". */

/* Numbers of elements at which faulty kernels fail: very few, whole groups and whole strides of vectors and
 * one more or less, every remainder modulo 64, and some at random. */
enum {
    REMAINDERS = 64,
    WHOLES = 3,
    RANDOM = 6,
    UNITS = 3,
    SIZES_MAX = 4 + REMAINDERS + UNITS * WHOLES * 3 + RANDOM
};

/* Remainders are tried at the cell's n, or here where that is larger: large n would take long. */
static const uint64_t REMAINDERS_FROM_MAX = 1 << 14;

/* Writes those numbers for the geometry of the head; how many. */
static size_t other_n_find(const struct red_duel_cell *cell, uint64_t *random_state,
                           uint64_t sizes[SIZES_MAX]) {
    const struct red_geometry *geometry = &cell->geometry[RED_HEAD];
    const uint64_t width = geometry->width > 0 ? geometry->width : 1;
    const uint64_t units[UNITS] = {geometry->group_size, geometry->group_size * width,
                                   geometry->group_size * geometry->lanes};
    uint64_t from = cell->at.n < REMAINDERS_FROM_MAX ? cell->at.n : REMAINDERS_FROM_MAX;
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
        sizes[n++] = 1 + red_random(random_state) % 65536;
    size_t kept_n = 0; /* each once, and none that the operation does not have or that is the cell's own */
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < kept_n && sizes[k] != sizes[i])
            k++;
        if (k == kept_n && sizes[i] != cell->at.n &&
            red_op_check_n(cell->at.op, cell->at.dtype, sizes[i], NULL) == RED_OK)
            sizes[kept_n++] = sizes[i];
    }
    return kept_n;
}

/* The data that show most faults: for sums, weights, where each lost or doubled element changes the result;
 * for extremes, an extreme close to the others, at the very end and anywhere. */
static unsigned other_n_data_kinds_find(const struct red_duel_cell *cell,
                                        struct red_data_kind data_kinds[2]) {
    bool sums = !red_op_picks(cell->at.op);
    data_kinds[0] = sums ? red_exact_data_kind(cell->at.op, cell->at.dtype, cell->at.n, 0)
                         : (struct red_data_kind){RED_PATTERN_CLOSE_BELOW, 0};
    data_kinds[1] = (struct red_data_kind){RED_PATTERN_CLOSE_ABOVE, 0};
    return sums ? 1 : 2;
}

/* Verifies one side at another n than that of the cell, with the group size with which the head is timed. */
static enum red_status verify_side_at(const struct red_loop *loop, size_t c, enum red_who who, uint64_t n,
                                      struct red_data_kind data_kind, struct red_error *error) {
    const struct red_duel_cell *cell = &loop->duel->cells[c];
    double call_s = cell->call_s[who] * fmax(1, (double)n / fmax(1, (double)cell->at.n));
    struct red_case other = case_on_data(loop, c, who, data_kind);
    other.data.n = other.n = n;
    other.keep = false;
    other.tuning.group_size = cell->geometry[RED_HEAD].group_size; /* the program that is timed */
    enum red_status status = red_op_check_n(cell->at.op, cell->at.dtype, n, error);
    return status == RED_OK ? verify_on_side(&loop->sides[who], cell->device, &other, &call_s, error)
                            : status;
}

/* Whether the error shows a fault of the kernel; others (unsupported at this n, interrupted) do not. */
static bool is_kernel_fault(enum red_status status) {
    return status == RED_E_WRONG || status == RED_E_CRASHED || status == RED_E_TIMED_OUT ||
           status == RED_E_DEVICE || status == RED_E_BUILD;
}

/* Verifies the head at one n, and fails where it is faulty; what is unsupported there is no fault, and sets
 * *checked to false. Where the base is faulty there, too, the message says so: the driver may be the cause.
 */
static enum red_status find_head_fault_at(const struct red_loop *loop, size_t c, uint64_t n,
                                          struct red_data_kind data_kind, bool *checked,
                                          struct red_error *error) {
    struct red_error found = {.text = ""}, beside = {.text = ""};
    enum red_status status = verify_side_at(loop, c, RED_HEAD, n, data_kind, &found);
    *checked = *checked && (status == RED_OK || status == RED_E_WRONG);
    if (!is_kernel_fault(status))
        return RED_OK;
    bool both = is_kernel_fault(verify_side_at(loop, c, RED_BASE, n, data_kind, &beside));
    return red_fail(error, status, "beside the cell's own n, at n = %llu: %.300s%s", (unsigned long long)n,
                    found.text, both ? " (and the base fails there, too)" : "");
}

/* Verifies the head of a warmed-up cell at about 100 other n, as `verify` does but briefly. Errors:
 * RED_E_WRONG and those of a driver, with the n. */
static enum red_status find_head_fault_at_other_n(const struct red_loop *loop, size_t c,
                                                  struct red_error *error) {
    const struct red_duel_cell *cell = &loop->duel->cells[c];
    uint64_t sizes[SIZES_MAX], random_state = loop->duel->seed;
    size_t sizes_n = other_n_find(cell, &random_state, sizes);
    struct red_data_kind data_kinds[2];
    unsigned data_kinds_n = other_n_data_kinds_find(cell, data_kinds);
    enum red_status status = RED_OK;
    loop->duel->to_check_n[RED_HEAD] += sizes_n;
    for (size_t i = 0; i < sizes_n && status == RED_OK && !red_interrupted(); i++) {
        bool checked = true;
        for (unsigned k = 0; k < data_kinds_n && status == RED_OK && !red_interrupted(); k++)
            status = find_head_fault_at(loop, c, sizes[i], data_kinds[k], &checked, error);
        loop->duel->checked_n[RED_HEAD] += checked;
    }
    return status;
}

/* ---- verifying and warming up -------------------------------------------------------------------------- */

/* Verifies the cell on one side, on all data kinds of the session. The caller makes an error the state. */
static enum red_status verify_side(const struct red_loop *loop, size_t c, enum red_who who,
                                   struct red_error *error) {
    const struct red_duel_cell *cell = &loop->duel->cells[c];
    enum red_status status =
        red_strategy_check_type_and_op(loop->strategies[who][c], cell->at.dtype, cell->at.op, error);
    if (status == RED_OK)
        status = red_op_check_n(cell->at.op, cell->at.dtype, cell->at.n, error);
    struct red_data_kind sets[RED_DATA_SETS_MAX + 1];
    unsigned sets_n =
        red_selection_data_kinds(loop->session->selection, cell->at.op, cell->at.dtype, cell->at.n, sets);
    double call_s = 0;
    for (unsigned i = 0; i < sets_n && status == RED_OK; i++) {
        const struct red_case wanted = case_on_data(loop, c, who, sets[i]);
        status = verify_on_side(&loop->sides[who], cell->device, &wanted, &call_s, error);
    }
    return status;
}

/* Prepares the cell on one side and calls it until it is warm. Keeps its geometry and what a call takes, from
 * which follows the size of batches. */
static enum red_status warm_up_side(const struct red_loop *loop, size_t c, enum red_who who,
                                    struct red_error *error) {
    struct red_duel_cell *cell = &loop->duel->cells[c];
    const struct red_case wanted = case_on_data(loop, c, who, timed);
    struct red_ready ready;
    enum red_status status = red_client_prepare(loop->sides[who].clients[cell->device], &wanted, WARM_CALLS,
                                                WARM_UP_S, &ready, error);
    cell->geometry[who] = ready.geometry;
    cell->call_s[who] = ready.typical_s;
    return status;
}

/* Called where setting up fails, and by gate/loop.c where measuring does. */
void red_duel_cell_fail(struct red_duel_cell *cell, enum red_who who, const struct red_error *error) {
    /* A worker of another build refuses unknown cases as bad input. */
    cell->state[who] = error->status == RED_E_INPUT ? RED_STATE_UNSUPPORTED : red_state_of(error->status);
    red_text_copy_printable(error->text, cell->reason[who], sizeof cell->reason[who]); /* on one line */
}

/* Verifies the cell on one side, then warms it up. The cell keeps state and reason, from which a side's
 * WRONG, BROKEN or FAILED comes. */
static void verify_and_warm_up_side(struct red_loop *loop, size_t c, enum red_who who) {
    struct red_duel_cell *cell = &loop->duel->cells[c];
    struct red_error error = {.text = ""};
    enum red_status status = verify_side(loop, c, who, &error);
    loop->duel->to_check_n[who]++;
    loop->duel->checked_n[who] += status == RED_OK || status == RED_E_WRONG;
    if (status == RED_OK)
        status = warm_up_side(loop, c, who, &error);
    if (status == RED_OK)
        cell->state[who] = RED_STATE_PASS;
    else if (status != RED_E_INTERRUPTED)
        red_duel_cell_fail(cell, who, &error);
}

/* Whether the fewest blocks that decide anything take more than `budgets_allowed` budgets; then the side's
 * state and reason say so. */
static bool mark_if_over_budget(const struct red_duel_plan *plan, struct red_duel_cell *cell,
                                enum red_who who, double budgets_allowed) {
    double least_s =
        (double)(cell->calls * plan->batches_n) * cell->call_s[who] * RED_BLOCKS_LEAST * plan->pairs_n;
    if (least_s <= budgets_allowed * cell->budget_s)
        return false;
    cell->state[who] = RED_STATE_OVER_BUDGET;
    snprintf(cell->reason[who], sizeof cell->reason[who],
             "%u launches of %d rounds would take about %.3g s; the budget is %.3g s", plan->pairs_n,
             RED_BLOCKS_LEAST, least_s, cell->budget_s);
    return true;
}

/* Sets how many calls a batch has: as many as take about plan.batch_s on the slower side. A side that is over
 * budget gets that state. The head is allowed several times the budget: a head that is so much slower must
 * end SLOWER, not over budget. */
static void set_batch_calls_and_check_budget(const struct red_duel_plan *plan, struct red_duel_cell *cell) {
    const double head_allowed = 4;
    double call_s = fmax(cell->call_s[RED_BASE], cell->call_s[RED_HEAD]);
    cell->calls = call_s < plan->batch_s ? (uint64_t)(plan->batch_s / fmax(call_s, 1e-9)) : 1;
    if (mark_if_over_budget(plan, cell, RED_BASE, 1)) {
        cell->state[RED_HEAD] = RED_STATE_OVER_BUDGET;
        snprintf(cell->reason[RED_HEAD], sizeof cell->reason[RED_HEAD], "it is over budget on the base");
    } else {
        (void)mark_if_over_budget(plan, cell, RED_HEAD, head_allowed);
    }
}

/* Whether the two cells differ in n only. */
static bool differ_in_n_only(const struct red_loop *loop, size_t a, size_t b) {
    const struct red_duel_cell *x = &loop->duel->cells[a], *y = &loop->duel->cells[b];
    return loop->strategies[RED_HEAD][a] == loop->strategies[RED_HEAD][b] &&
           red_at_is_same(&x->at, &y->at, RED_AT_LINE);
}

/* Fails the head where it is faulty at other n; it is verified once for all cells that differ in n only. */
static void fail_head_if_faulty_at_other_n(struct red_loop *loop, size_t c) {
    struct red_duel_cell *cell = &loop->duel->cells[c];
    if (cell->state[RED_HEAD] != RED_STATE_PASS)
        return;
    if (!loop->other_sizes.known || !differ_in_n_only(loop, loop->other_sizes.cell, c)) {
        loop->other_sizes.cell = c;
        loop->other_sizes.known = true;
        loop->other_sizes.error = (struct red_error){.text = ""};
        (void)find_head_fault_at_other_n(loop, c, &loop->other_sizes.error);
    }
    if (loop->other_sizes.error.status != RED_OK)
        red_duel_cell_fail(cell, RED_HEAD, &loop->other_sizes.error);
}

/* Verifies a cell on both sides, warms it up, and gives it its states and the calls of a batch; only what is
 * right on both sides is measured. */
static void set_up_cell(struct red_loop *loop, size_t c) {
    struct red_duel_cell *cell = &loop->duel->cells[c];
    if (loop->strategies[RED_HEAD][c] == NULL) {
        const struct red_error vanished = {.status = RED_E_UNSUPPORTED,
                                           .text = "it does not know the strategy any more"};
        cell->state[RED_BASE] = RED_STATE_PASS;
        red_duel_cell_fail(cell, RED_HEAD, &vanished);
        return;
    }
    for (int who = 0; who < RED_WHO_N && !red_interrupted(); who++)
        verify_and_warm_up_side(loop, c, (enum red_who)who);
    fail_head_if_faulty_at_other_n(loop, c);
    if (red_duel_cell_both_sides_pass(cell))
        set_batch_calls_and_check_budget(&loop->duel->plan, cell);
}

/* Keeps the versions and devices of both sides for the duel's file. */
static void record_sides(struct red_loop *loop) {
    struct red_duel *duel = loop->duel;
    duel->devices_n = loop->sides[RED_BASE].clients_n;
    for (int who = 0; who < RED_WHO_N; who++) {
        snprintf(duel->sides[who].version, sizeof duel->sides[who].version, "%s", loop->sides[who].version);
        for (size_t d = 0; d < duel->devices_n; d++)
            duel->sides[who].devices[d] = *red_client_info(loop->sides[who].clients[d]);
    }
}

/* Shows "verifying CELL" as progress. */
enum red_status red_loop_set_up(struct red_loop *loop, struct red_error *error) {
    const struct red_duel *duel = loop->duel;
    struct strategy_matches matches;
    loop->random = duel->seed;
    loop->start_s = red_clock_s();
    record_sides(loop);
    enum red_status status = match_strategies(loop->session, loop->sides, &matches, error);
    if (status == RED_OK)
        status = make_cells(loop, &matches, error);
    if (status == RED_OK)
        status = red_loop_make_workloads(loop, error);
    for (size_t c = 0; c < duel->cells_n && status == RED_OK && !red_interrupted(); c++) {
        char what[sizeof duel->cells[c].name + 16];
        snprintf(what, sizeof what, "verifying %s", duel->cells[c].name);
        red_progress(what, (double)c / (double)duel->cells_n, loop->start_s);
        set_up_cell(loop, c);
    }
    red_progress_end();
    return status == RED_OK && red_interrupted()
               ? red_fail(error, RED_E_INTERRUPTED, "interrupted while verifying")
               : status;
}
