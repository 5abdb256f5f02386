#include "gate/duel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/view.h"
#include "core/clock.h"
#include "gate/loop.h"

static const char default_sizes[] = "2^12,2^16,2^20";
static const char default_strategies[] =
    "serial,tree,chunk,grid_stride_vec,cmpxchg_group,svm_chunk,wg_reduce,wg_reduce_atomic";

enum { DATA_SETS = 3 };

/* Within a round a fixed spin and a chain on a GPU keep to their times, but for a changed clock. A sweep over
 * memory does not: on a machine that others share it differs by more than 5 % in half of all rounds, whether
 * or not the sides do, and leaving these out makes results no steadier (results/gate.md). */
#define CONTROL_SHIFT                                                                                        \
    { [RED_CONTROL_SPIN] = 0.05, [RED_CONTROL_SWEEP] = 1, [RED_CONTROL_CHAIN] = 0.05 }

/* What does not depend on how thorough a duel is. */
#define EVERY_PROFILE                                                                                        \
    .batches_n = 3, .batch_s = 0.0002, .nominate = 0.01, .nominate_level = 0.1, .trim = 0.2, .alpha = 0.01,  \
    .control_shift = CONTROL_SHIFT

/* How thoroughly. What these numbers buy is measured by tests/tools/calibrate, which reads them here
 * (results/gate.md). */
static const struct {
    const char *name;
    struct red_duel_plan plan;
} profiles[] = {
    {"full",
     {.launches_n = 6,
      .launches_max = 24,
      .looks_n = 6,
      .look_launches_n = 8,
      .epochs_n = 4,
      .rounds_n = 12,
      EVERY_PROFILE}},
    {"fast",
     {.launches_n = 6,
      .launches_max = 12,
      .looks_n = 2,
      .look_launches_n = 8,
      .epochs_n = 2,
      .rounds_n = 12,
      EVERY_PROFILE}},
};

/* The plan of a profile by its name; NULL: the full one. */
static enum red_status find_plan(const char *name, struct red_duel_plan *plan, struct red_error *error) {
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++) {
        *plan = profiles[i].plan;
        if (name == NULL || strcmp(name, profiles[i].name) == 0)
            return RED_OK;
    }
    return red_fail(error, RED_E_INPUT, "--profile: '%s' is not valid; expected full or fast", name);
}

/* What the user did not choose. */
enum red_status red_duel_complete(const struct red_selection *given, const struct red_duel_options *options,
                                  struct red_selection *selection, struct red_error *error) {
    *selection = *given;
    if (selection->data_sets == 0)
        selection->data_sets = DATA_SETS;
    if (selection->strategy == NULL && options->side_kernel[0] == NULL && options->side_kernel[1] == NULL)
        selection->strategy = default_strategies;
    return given->n.n > 0 ? RED_OK : red_sizes_parse("--n", default_sizes, &selection->n, error);
}

static void note(const struct red_selection *selection, const struct red_duel_options *options,
                 struct red_duel *duel) {
    red_clock_print_utc(duel->started, sizeof duel->started);
    snprintf(duel->command, sizeof duel->command, "%s", selection->command);
    red_host_find(&duel->host);
    duel->seed = selection->seed;
    for (int who = 0; who < RED_WHO_N; who++) {
        struct red_duel_side *side = &duel->sides[who];
        size_t used = 0;
        snprintf(side->program, sizeof side->program, "%s",
                 options->side_program[who] ? options->side_program[who] : "");
        snprintf(side->kernel, sizeof side->kernel, "%s",
                 options->side_kernel[who] ? options->side_kernel[who] : "");
        for (size_t i = 0; i < options->environment_n[who] && used < sizeof side->environment; i++)
            used += (size_t)snprintf(side->environment + used, sizeof side->environment - used, "%s%s",
                                     i ? " " : "", options->environment[who][i]);
    }
}

/* Tells what of the policy is in force. */
static enum red_status tell_policy(const struct red_policy *policy, const struct red_duel *duel,
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

static enum red_status load_policy(const struct red_duel_options *options, struct red_policy **policy,
                                   struct red_error *error) {
    char now[32], today[11];
    red_clock_print_utc(now, sizeof now);
    snprintf(today, sizeof today, "%.10s", now);
    return options->policy ? red_policy_load(options->policy, today, policy, error) : RED_OK;
}

/* What the device takes that takes the most. */
static size_t group_size_max(const struct red_duelist duelists[RED_WHO_N]) {
    size_t max = 0;
    for (int who = 0; who < RED_WHO_N; who++)
        for (size_t d = 0; d < duelists[who].remotes_n; d++) {
            size_t one = red_remote_info(duelists[who].remotes[d])->shape.group_size_max;
            max = one > max ? one : max;
        }
    return max;
}

static enum red_status fight(const struct red_session *session, const struct red_duel_options *options,
                             const struct red_policy *policy, struct red_duel *duel,
                             struct red_error *error) {
    struct red_duelist duelists[RED_WHO_N] = {{.path = ""}, {.path = ""}};
    struct red_bout *bout = calloc(1, sizeof *bout);
    enum red_status status = bout ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a duel");
    for (int who = 0; who < RED_WHO_N && status == RED_OK; who++)
        status = red_duelist_open(session->selection, options, (enum red_who)who, &duelists[who], error);
    if (status == RED_OK)
        status = red_duelists_pair(session->selection, options, duelists, error);
    if (status == RED_OK)
        status = red_session_check_group_sizes(session, group_size_max(duelists), error);
    if (status == RED_OK)
        status = red_bout_prepare(session, options, policy, duelists, duel, bout, error);
    if (status == RED_OK) {
        status = tell_policy(policy, duel, error);
        if (status == RED_OK)
            status = red_bout_fight(bout, error);
        red_bout_clear(bout);
    }
    for (int who = 0; who < RED_WHO_N; who++)
        red_duelist_close(&duelists[who]);
    free(bout);
    return status;
}

enum red_status red_duel_fight(const struct red_selection *selection, const struct red_duel_options *options,
                               struct red_duel *duel, struct red_error *error) {
    const struct red_session_defaults defaults = {
        .types = "f32", .ops = "sum", .strategies = default_strategies};
    struct red_policy *policy = NULL;
    struct red_session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a session");
    double start_s = red_clock_s();
    enum red_status status = find_plan(options->profile, &duel->plan, error);
    if (status == RED_OK)
        status = load_policy(options, &policy, error);
    if (status == RED_OK)
        status = red_session_choose(selection, &defaults, session, error);
    if (status == RED_OK) {
        note(selection, options, duel);
        status = fight(session, options, policy, duel, error);
        red_session_close(session);
    }
    red_policy_destroy(policy);
    duel->wall_s = fmax(red_clock_s() - start_s, 0);
    free(session);
    return status;
}
