/* The verb `duel` from its options to its verdicts: the plans of --profile, the defaults, the steps in their
 * order. cli/cmd_duel.c gives the options, and prints the verdicts. */
#include "gate/duel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/text.h"
#include "gate/gate_private.h"
#include "model/primitive.h"

const char *const red_who_names[RED_WHO_N] = {[RED_BASE] = "base", [RED_HEAD] = "head"};

const char *const red_drop_names[RED_DROPS_N] = {[RED_DROP_NONE] = "",
                                                 [RED_DROP_WORKLOADS] = "controls-moved",
                                                 [RED_DROP_CLOCK] = "clock",
                                                 [RED_DROP_SUSPENDED] = "suspended"};

const char *const red_verdict_names[RED_VERDICTS_N] = {
    [RED_UNTRUSTED] = "UNTRUSTED", [RED_SLOWER] = "SLOWER", [RED_UNDECIDED] = "UNDECIDED",
    [RED_FASTER] = "FASTER",       [RED_SAME] = "SAME",     [RED_WRONG] = "WRONG",
    [RED_BROKEN] = "BROKEN",       [RED_FAILED] = "FAILED"};

static const struct {
    const char *name, *words;
    enum red_duel_verdict verdict;
} codes[RED_CODES_N] = {
#define RED_CODE_ROW(id, name, verdict, words) [RED_CODE_##id] = {name, words, RED_##verdict},
    RED_CODES(RED_CODE_ROW)
#undef RED_CODE_ROW
};

/* gate/print.c and gate/file.c show these of a finding's code (gate/judge.c): the column and JSON key `code`,
 * a sentence in the column `why`, and the column and JSON key `verdict`. */
const char *red_verdict_code_name(enum red_verdict_code code) {
    return codes[code].name;
}

const char *red_verdict_code_words(enum red_verdict_code code) {
    return codes[code].words;
}

enum red_duel_verdict red_verdict_of_code(enum red_verdict_code code) {
    return codes[code].verdict;
}

/* For gate/loop.c, which measures, and gate/file.c, which reads --replay: the samples that gate/judge.c
 * judges and --output keeps as "launches" and "rounds". */
enum red_status red_duel_cell_add_pair(struct red_duel_cell *cell, const struct red_process_pair *pair,
                                       struct red_error *error) {
    if (!RED_GROW(cell->pairs, cell->pairs_n, 1))
        return red_fail(error, RED_E_MEMORY, "no memory for another launch");
    cell->pairs[cell->pairs_n++] = *pair;
    return RED_OK;
}

bool red_process_pair_add_block(struct red_process_pair *pair, const struct red_block *block) {
    if (!RED_GROW(pair->blocks, pair->blocks_n, 1))
        return false;
    pair->blocks[pair->blocks_n++] = *block;
    return true;
}

/* By cli/cmd_duel.c in the end, and by gate/file.c for a file that it refuses. */
void red_duel_clear(struct red_duel *duel) {
    for (size_t c = 0; c < duel->cells_n; c++) {
        for (size_t i = 0; i < duel->cells[c].pairs_n; i++)
            free(duel->cells[c].pairs[i].blocks);
        free(duel->cells[c].pairs);
    }
    free(duel->cells);
    duel->cells = NULL;
    duel->cells_n = 0;
}

static const char default_sizes[] = "2^12,2^16,2^20";

enum { DATA_SETS = 3 };

/* Within a block the spin and the chain change only if a clock changes. The sweep over memory differs by more
 * than 5 % in half of all blocks on a shared machine, whether or not the sides differ, and dropping these
 * blocks makes results no steadier (results/gate.md); so it is recorded, and drops none. */
#define WORKLOAD_SHIFT                                                                                       \
    { [RED_WORKLOAD_SPIN] = 0.05, [RED_WORKLOAD_SWEEP] = 1, [RED_WORKLOAD_CHAIN] = 0.05 }

/* The same in every profile. */
#define EVERY_PROFILE                                                                                        \
    .pairs_n = 6, .look_pairs_n = 8, .blocks_n = 12, .batches_n = 3, .batch_s = 0.0002, .nominate = 0.01,    \
    .nominate_level = 0.1, .trim = 0.2, .alpha = 0.01, .workload_shift = WORKLOAD_SHIFT

/* The plans of --profile. tests/tools/calibrate measures their error rates, and reads them here
 * (results/gate.md). */
static const struct {
    const char *name;
    struct red_duel_plan plan;
} profiles[] = {
    {"full", {.pairs_max = 24, .looks_n = 6, .layouts_n = 4, EVERY_PROFILE}},
    {"fast", {.pairs_max = 12, .looks_n = 2, .layouts_n = 2, EVERY_PROFILE}},
};

/* The plan of a --profile by its name; NULL: the full one. JSON "plan" of the duel's file. */
static enum red_status find_profile_plan(const char *name, struct red_duel_plan *plan,
                                         struct red_error *error) {
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++) {
        *plan = profiles[i].plan;
        if (name == NULL || strcmp(name, profiles[i].name) == 0)
            return RED_OK;
    }
    return red_fail(error, RED_E_INPUT, "--profile: '%s' is not valid; expected full or fast", name);
}

/* Copies the selection with defaults where the user chose nothing. selection->n is a copy's where given->n is
 * empty, and then to be released. */
static enum red_status copy_with_defaults(const struct red_selection *given,
                                          const struct red_duel_options *options,
                                          struct red_selection *selection, struct red_error *error) {
    *selection = *given;
    if (selection->data_sets == 0)
        selection->data_sets = DATA_SETS;
    if (selection->strategy == NULL && options->side_kernel[0] == NULL && options->side_kernel[1] == NULL)
        selection->strategy = red_primitives[given->primitive].duel;
    return given->n.n > 0 ? RED_OK : red_sizes_parse("--n", default_sizes, &selection->n, error);
}

/* Lets the default type and operation be those of the head's kernel, or the base's. A file that cannot be
 * read is refused where its side is opened. */
static enum red_status choose_defaults_of_kernel(const struct red_duel_options *options,
                                                 enum red_primitive primitive,
                                                 struct red_session_defaults *defaults,
                                                 struct red_error *error) {
    const char *file =
        options->side_kernel[RED_HEAD] ? options->side_kernel[RED_HEAD] : options->side_kernel[RED_BASE];
    struct red_catalogue *catalogue = NULL;
    struct red_error unread;
    const enum red_status status = file != NULL ? red_catalogue_create(&catalogue, error) : RED_OK;
    if (catalogue != NULL && red_catalogue_add_file(catalogue, file, true, &unread) == RED_OK)
        red_catalogue_adapt_defaults(catalogue, primitive, &defaults->types, &defaults->ops);
    red_catalogue_destroy(catalogue);
    return status;
}

/* Keeps start time, command, host, seed and what --base-* and --head-* gave, for the duel's file
 * (gate/file.c). */
static void record_setup(const struct red_selection *selection, const struct red_duel_options *options,
                         struct red_duel *duel) {
    red_clock_utc_now_format(duel->started, sizeof duel->started);
    snprintf(duel->command, sizeof duel->command, "%s", selection->command);
    red_host_find(&duel->host);
    duel->seed = selection->seed;
    for (int who = 0; who < RED_WHO_N; who++) {
        struct red_duel_side_record *side = &duel->sides[who];
        snprintf(side->program, sizeof side->program, "%s",
                 options->side_program[who] ? options->side_program[who] : "");
        snprintf(side->kernel, sizeof side->kernel, "%s",
                 options->side_kernel[who] ? options->side_kernel[who] : "");
        for (size_t i = 0; i < options->environment_n[who]; i++)
            red_text_add(side->environment, sizeof side->environment, "%s%s", i ? " " : "",
                         options->environment[who][i]);
    }
}

/* Prints to stderr what of the policy is in force for the cells, and what has no effect. */
static enum red_status print_policy_effects(const struct red_policy *policy, const struct red_duel *duel,
                                            struct red_error *error) {
    const char **names = calloc(duel->cells_n + 1, sizeof *names);
    if (names == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a policy");
    for (size_t c = 0; c < duel->cells_n; c++)
        names[c] = duel->cells[c].name;
    enum red_status status = red_policy_print(policy, names, duel->cells_n, stderr, error);
    free(names);
    return status;
}

/* Reads --policy as of today; *policy stays NULL where it is not given. */
static enum red_status load_policy_if_given(const struct red_duel_options *options,
                                            struct red_policy **policy, struct red_error *error) {
    char now[32], today[11];
    red_clock_utc_now_format(now, sizeof now);
    snprintf(today, sizeof today, "%.10s", now);
    return options->policy ? red_policy_load(options->policy, today, policy, error) : RED_OK;
}

/* The largest group size that any device of either side takes; a larger --wg is refused. */
static size_t largest_group_size(const struct red_duel_side sides[RED_WHO_N]) {
    size_t max = 0;
    for (int who = 0; who < RED_WHO_N; who++)
        for (size_t d = 0; d < sides[who].clients_n; d++) {
            size_t one = red_client_info(sides[who].clients[d])->shape.group_size_max;
            max = one > max ? one : max;
        }
    return max;
}

/* Opens both sides, makes, verifies, measures and judges the cells, and closes the sides in any case. The
 * session has --strategy, --op, --type and --n by name; *duel gets all that is printed and written. */
static enum red_status measure_sides(const struct red_session *session,
                                     const struct red_duel_options *options, const struct red_policy *policy,
                                     struct red_duel *duel, struct red_error *error) {
    struct red_loop *loop = calloc(1, sizeof *loop);
    enum red_status status = RED_OK;
    if (loop == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a duel");
    loop->policy = policy;
    loop->session = session;
    loop->options = options;
    loop->duel = duel;
    for (int who = 0; who < RED_WHO_N && status == RED_OK; who++)
        status = red_duel_side_open(session->selection, options, (enum red_who)who, &loop->sides[who], error);
    if (status == RED_OK)
        status = red_duel_sides_make_matched_clients(session->selection, options, loop->sides, error);
    if (status == RED_OK)
        status = red_session_check_group_sizes(session, largest_group_size(loop->sides), error);
    if (status == RED_OK)
        status = red_loop_set_up(loop, error);
    if (status == RED_OK)
        status = print_policy_effects(policy, duel, error);
    if (status == RED_OK)
        status = red_loop_run(loop, error);
    red_loop_close(loop);
    free(loop);
    return status;
}

enum red_status red_duel_run(const struct red_selection *given, const struct red_duel_options *options,
                             struct red_duel *duel, struct red_error *error) {
    struct red_session_defaults defaults = {.types = "f32",
                                            .ops = red_primitives[given->primitive].op,
                                            .strategies = red_primitives[given->primitive].duel};
    struct red_selection selection;
    struct red_policy *policy = NULL;
    struct red_session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a session");
    double start_s = red_clock_s();
    enum red_status status = copy_with_defaults(given, options, &selection, error);
    if (status == RED_OK)
        status = find_profile_plan(options->profile, &duel->plan, error);
    if (status == RED_OK)
        status = load_policy_if_given(options, &policy, error);
    if (status == RED_OK)
        status = choose_defaults_of_kernel(options, given->primitive, &defaults, error);
    if (status == RED_OK)
        status = red_session_resolve_names(&selection, &defaults, session, error);
    if (status == RED_OK) {
        record_setup(&selection, options, duel);
        status = measure_sides(session, options, policy, duel, error);
        red_session_close(session);
    }
    red_policy_destroy(policy);
    if (given->n.n == 0)
        red_sizes_clear(&selection.n);
    duel->wall_s = fmax(red_clock_s() - start_s, 0);
    free(session);
    return status;
}
