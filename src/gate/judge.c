/* Finds the verdicts of `duel` from the samples, step by step as gate/duel.h says ("its verdicts"). The user
 * sees them in the table of `duel`, in its file and in its exit status. The duel has just been measured, or
 * was read from a file (--replay); `plan` is duel->plan, of --profile. */
#include "gate/duel.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "stats/statistics.h"

/* The fewest process pairs that have an interval, and the fewest good blocks that have a median. */
enum { PAIRS_MIN = 3, BLOCKS_MIN = 5 };

/* The p below which a change of the ratio, within pairs or between them, is accepted as one. */
static const double CHANGE_P = 0.001;

/* ---- blocks and process pairs -------------------------------------------------------------------------- */

/* Whether a workload's times in a block differ by more than the share `shift`. 0 is not measured. */
static bool workload_changed(const uint64_t times_ns[RED_WORKLOAD_TIMES_N], double shift) {
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < RED_WORKLOAD_TIMES_N; i++) {
        if (times_ns[i] == 0)
            continue;
        least = times_ns[i] < least ? times_ns[i] : least;
        most = times_ns[i] > most ? times_ns[i] : most;
    }
    return (double)most > (1 + shift) * (double)least;
}

/* Seen as "3 of 96 rounds dropped" in the column `why`, and as JSON "dropped". */
enum red_drop red_block_drop_reason(const struct red_duel_plan *plan, const struct red_block *block) {
    for (size_t c = 0; c < RED_WORKLOADS_N && block->drop == RED_DROP_NONE; c++)
        if (workload_changed(block->workload_ns[c], plan->workload_shift[c]))
            return RED_DROP_WORKLOADS;
    return block->drop;
}

/* The shortest batch of a side in a block, without the first one, which pays for the switch of sides. */
static double shortest_counted_batch_ns(const struct red_duel_plan *plan, const uint64_t *batches_ns) {
    uint64_t least = batches_ns[plan->batches_n - 1];
    for (unsigned i = 1; i + 1 < plan->batches_n; i++)
        least = batches_ns[i] < least ? batches_ns[i] : least;
    return fmax((double)least, 1);
}

/* Of these ratios come the column `head : base`, its interval and the verdict. */
bool red_process_pair_ratio_of(const struct red_duel_plan *plan, const struct red_process_pair *pair,
                               struct red_process_pair_ratio *found) {
    double *logs = malloc((pair->blocks_n + 1) * sizeof *logs);
    if (logs == NULL)
        red_memory_note_failure(); /* no verdict is printed then (red_duel_judge) */
    *found = (struct red_process_pair_ratio){.good_n = 0};
    for (size_t i = 0; i < pair->blocks_n && logs != NULL; i++)
        if (red_block_drop_reason(plan, &pair->blocks[i]) == RED_DROP_NONE)
            logs[found->good_n++] = log(shortest_counted_batch_ns(plan, pair->blocks[i].batch_ns[RED_HEAD]) /
                                        shortest_counted_batch_ns(plan, pair->blocks[i].batch_ns[RED_BASE]));
    bool counts = found->good_n >= BLOCKS_MIN;
    if (counts) {
        size_t half = found->good_n / 2;
        double earlier = gsl_stats_median(logs, 1, half),
               later = gsl_stats_median(logs + half, 1, found->good_n - half);
        found->shift = later - earlier;
        found->log_ratio = gsl_stats_median(logs, 1, found->good_n);
    }
    free(logs);
    return counts;
}

/* Finds the median of a side's shortest batches, over all blocks of the pairs, dropped or not; it stays as it
 * is where there is none. Of it come the columns `base us` and `head us`, and the samples of --export. False
 * without memory. */
static bool find_median_batch_ns(const struct red_duel_plan *plan, const struct red_process_pair *pairs,
                                 size_t pairs_n, enum red_who who, double *median_ns) {
    size_t blocks_n = 0, n = 0;
    for (size_t i = 0; i < pairs_n; i++)
        blocks_n += pairs[i].blocks_n;
    double *times_ns = malloc((blocks_n + 1) * sizeof *times_ns);
    for (size_t i = 0; i < pairs_n && times_ns != NULL; i++)
        for (size_t r = 0; r < pairs[i].blocks_n; r++)
            times_ns[n++] = shortest_counted_batch_ns(plan, pairs[i].blocks[r].batch_ns[who]);
    if (n > 0)
        *median_ns = gsl_stats_median(times_ns, 1, n);
    free(times_ns);
    return times_ns != NULL;
}

/* For gate/print.c: a sample of --export. */
bool red_process_pair_export_time(const struct red_duel_plan *plan, const struct red_process_pair *pair,
                                  enum red_who who, uint64_t calls_per_batch, double *time_s) {
    double batch_ns;
    bool has_time =
        pair->blocks_n > 0 && calls_per_batch > 0 && find_median_batch_ns(plan, pair, 1, who, &batch_ns);
    if (has_time)
        *time_s = 1e-9 * batch_ns / (double)calls_per_batch;
    return has_time;
}

/* ---- cells --------------------------------------------------------------------------------------------- */

/* The process pairs of one stage of a cell that count, or of both stages. */
enum { BOTH_STAGES, STAGE_1, STAGE_2, STAGES_N };

struct stage_pairs {
    double *logs, *shifts; /* log_ratio and shift of each; logs owns all three arrays */
    double *room;          /* working memory for as many */
    double trim;
    size_t n, made_n; /* those that count; all */
};

/* A cell that is being judged. */
struct judged_cell {
    struct red_duel_cell *cell;
    struct stage_pairs stages[STAGES_N];
    double margin; /* as a logarithm */
    int direction; /* of the nomination: 1 slower, -1 faster, 0 not nominated */
    bool confirmed;
    size_t look; /* the look at which it was confirmed or found the same, from 1; 0: none */
    bool same;
};

/* Mean and spread of n values of the stage, for Student's t, without the share that is trimmed. */
static struct red_student student_of(const struct stage_pairs *stage, const double *values, size_t n) {
    return red_student_of(values, n, stage->trim, stage->room);
}

/* Fills in the ratios of the cell's process pairs of this stage (BOTH_STAGES: of all) that count. Errors:
 * RED_E_MEMORY; then, too, `logs` is to be freed. */
static enum red_status stage_pairs_make(const struct red_duel *duel, const struct red_duel_cell *cell,
                                        unsigned number, struct stage_pairs *stage, struct red_error *error) {
    stage->logs = malloc(3 * (cell->pairs_n + 1) * sizeof(double));
    if (stage->logs == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to judge");
    stage->shifts = stage->logs + cell->pairs_n + 1;
    stage->room = stage->shifts + cell->pairs_n + 1;
    stage->trim = duel->plan.trim;
    for (size_t i = 0; i < cell->pairs_n; i++) {
        struct red_process_pair_ratio ratio;
        if (number != BOTH_STAGES && cell->pairs[i].stage != number)
            continue;
        stage->made_n++;
        if (!red_process_pair_ratio_of(&duel->plan, &cell->pairs[i], &ratio))
            continue;
        stage->logs[stage->n] = ratio.log_ratio;
        stage->shifts[stage->n++] = ratio.shift;
    }
    return RED_OK;
}

/* Counts the cell's blocks in the finding, and by why they were dropped: "3 of 96 rounds dropped". */
static void count_blocks_by_drop(const struct red_duel *duel, const struct red_duel_cell *cell,
                                 struct red_finding *finding) {
    for (size_t i = 0; i < cell->pairs_n; i++) {
        const struct red_process_pair *pair = &cell->pairs[i];
        finding->blocks_n += pair->blocks_n;
        for (size_t r = 0; r < pair->blocks_n; r++)
            finding->dropped_n[red_block_drop_reason(&duel->plan, &pair->blocks[r])]++;
    }
}

/* The code that follows from the states of the sides; false, and *code means nothing, if it needs times. */
static bool has_code_by_states(const struct red_duel_cell *cell, enum red_verdict_code *code) {
    static const struct {
        enum red_state state;
        enum red_verdict_code code;
    } failures[] = {
        {RED_STATE_WRONG, RED_CODE_WRONG},         {RED_STATE_CRASHED, RED_CODE_CRASHED},
        {RED_STATE_TIMED_OUT, RED_CODE_TIMED_OUT}, {RED_STATE_BUILD_FAILED, RED_CODE_BUILD_FAILED},
        {RED_STATE_FAILED, RED_CODE_FAILED},       {RED_STATE_KNOWN_BUG, RED_CODE_NOT_RUN}};
    bool base = cell->state[RED_BASE] == RED_STATE_PASS, head = cell->state[RED_HEAD] == RED_STATE_PASS;
    const enum red_who worse =
        red_state_is_worse(cell->state[RED_HEAD], cell->state[RED_BASE]) ? RED_HEAD : RED_BASE;
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        *code = failures[i].code;
        if (cell->state[worse] == failures[i].state)
            return true;
    }
    *code = base ? RED_CODE_MISSING : head ? RED_CODE_NEW : RED_CODE_NOT_RUN;
    return !base || !head;
}

/* Whether more than half of the blocks were dropped; *code says what dropped most of them. */
static bool most_blocks_dropped(const struct judged_cell *judged, enum red_verdict_code *code) {
    static const enum red_verdict_code codes[RED_DROPS_N] = {[RED_DROP_WORKLOADS] = RED_CODE_WORKLOADS,
                                                             [RED_DROP_CLOCK] = RED_CODE_CLOCK,
                                                             [RED_DROP_SUSPENDED] = RED_CODE_SUSPENDED};
    const struct red_finding *finding = &judged->cell->finding;
    size_t most = RED_DROP_WORKLOADS;
    for (size_t drop = RED_DROP_WORKLOADS; drop < RED_DROPS_N; drop++)
        if (finding->dropped_n[drop] > finding->dropped_n[most])
            most = drop;
    *code = codes[most];
    return finding->blocks_n > 0 && 2 * finding->dropped_n[RED_DROP_NONE] < finding->blocks_n;
}

/* Whether two means differ by more than the margin, at this level of significance. */
static bool are_apart(const struct red_student *a, const struct red_student *b, double margin, double level) {
    return a->n >= PAIRS_MIN && b->n >= PAIRS_MIN && fabs(a->mean - b->mean) > margin &&
           red_student_p_value_apart(a, b) < level;
}

/* Whether the pairs before some point differ from those after it (code "drift"); each possible point has its
 * share of the error (Bonferroni). */
static bool has_step(const struct stage_pairs *stage, double margin) {
    size_t points_n = stage->n < 2 * PAIRS_MIN ? 0 : stage->n - 2 * PAIRS_MIN + 1;
    bool has = false;
    for (size_t point = 0; point < points_n && !has; point++) {
        size_t n = PAIRS_MIN + point;
        struct red_student before = student_of(stage, stage->logs, n);
        struct red_student after = student_of(stage, stage->logs + n, stage->n - n);
        has = are_apart(&before, &after, margin, CHANGE_P / (double)points_n);
    }
    return has;
}

/* The stage whose samples decide: stage 2 of a nominated cell that has any. */
static const struct stage_pairs *deciding_stage(const struct judged_cell *judged) {
    bool second = judged->direction != 0 && judged->stages[STAGE_2].n > 0;
    return &judged->stages[second ? STAGE_2 : STAGE_1];
}

/* Whether the ratio changed while it was measured: then something besides the kernels changed. Sets the
 * code. */
static bool ratio_is_unsteady_or_drifts(const struct judged_cell *judged, enum red_verdict_code *code) {
    const struct stage_pairs *stage = deciding_stage(judged);
    struct red_student shifts = student_of(stage, stage->shifts, stage->n), none = {.n = shifts.n};
    *code = RED_CODE_UNSTEADY;
    if (are_apart(&shifts, &none, judged->margin, CHANGE_P))
        return true;
    *code = RED_CODE_DRIFT;
    return has_step(stage, judged->margin) || has_step(&judged->stages[BOTH_STAGES], judged->margin);
}

/* ---- stages -------------------------------------------------------------------------------------------- */

/* 1: stage 1 nominates the cell as slower; -1: as faster; 0: it does not. JSON "nominated". */
static int nominated_direction(const struct red_duel_plan *plan, const struct stage_pairs *stage) {
    struct red_student found = student_of(stage, stage->logs, stage->n);
    double width = red_student_half_width(&found, plan->nominate_level);
    if (stage->n < PAIRS_MIN || stage->made_n < plan->pairs_n)
        return 0;
    return found.mean - width > log1p(plan->nominate)    ? 1
           : found.mean + width < -log1p(plan->nominate) ? -1
                                                         : 0;
}

/* Whether the 95 % interval of the first pairs_n pairs lies within twice the margin: SAME. */
static bool is_same_at(const struct judged_cell *judged, const struct stage_pairs *stage, size_t pairs_n) {
    struct red_student found = student_of(stage, stage->logs, pairs_n);
    return pairs_n >= PAIRS_MIN &&
           fabs(found.mean) + red_student_half_width(&found, 0.025) < log1p(2 * expm1(judged->margin));
}

/* The p of a nominated cell, in its direction, at a look of stage 2; 1 where it has too few pairs. Seen as
 * "p = 0.003" in the column `why`. */
static double p_at_look(const struct red_duel_plan *plan, const struct judged_cell *judged, size_t look) {
    const struct stage_pairs *stage = &judged->stages[STAGE_2];
    size_t n = look * plan->look_pairs_n;
    if (stage->n < n)
        return 1;
    struct red_student found = student_of(stage, stage->logs, n);
    found.mean *= judged->direction;
    return red_student_p_value_above(&found, judged->margin);
}

/* The open nominated cell of the direction with the smallest p at this look; NULL if there is none. Stores
 * the p of every such cell in its finding. */
static struct judged_cell *store_each_p_and_find_smallest(const struct red_duel_plan *plan,
                                                          struct judged_cell *all, size_t all_n,
                                                          int direction, size_t look, double *p) {
    struct judged_cell *smallest = NULL;
    for (size_t i = 0; i < all_n; i++) {
        if (all[i].direction != direction || all[i].confirmed || all[i].same)
            continue;
        double found = p_at_look(plan, &all[i], look);
        if (all[i].stages[STAGE_2].n >= look * plan->look_pairs_n)
            all[i].cell->finding.p = found;
        if (smallest == NULL || found < *p) {
            smallest = &all[i];
            *p = found;
        }
    }
    return smallest;
}

/* Confirms nominated cells of one direction (1 SLOWER, -1 FASTER), or finds them the same. Holm's procedure
 * at every look: the smallest p first, at alpha / looks / hypotheses that are left. */
static void confirm_or_find_same(const struct red_duel_plan *plan, struct judged_cell *all, size_t all_n,
                                 int direction) {
    size_t left_n = 0;
    for (size_t i = 0; i < all_n; i++)
        left_n += all[i].direction == direction;
    for (size_t look = 1; look <= plan->looks_n; look++) {
        double p = 1;
        struct judged_cell *next;
        while ((next = store_each_p_and_find_smallest(plan, all, all_n, direction, look, &p)) != NULL) {
            double level = plan->alpha / plan->looks_n / (double)left_n;
            if (p > level)
                break;
            next->confirmed = true;
            next->look = look;
            next->cell->finding.p = p;
            next->cell->finding.level = level;
            left_n--;
        }
        for (size_t i = 0; i < all_n; i++) {
            struct judged_cell *judged = &all[i];
            size_t n = look * plan->look_pairs_n;
            if (judged->direction != direction || judged->confirmed || judged->same)
                continue;
            judged->cell->finding.level = plan->alpha / plan->looks_n / (double)left_n;
            judged->same = judged->stages[STAGE_2].n >= n && is_same_at(judged, &judged->stages[STAGE_2], n);
            judged->look = judged->same ? look : 0;
        }
    }
}

/* ---- verdicts ------------------------------------------------------------------------------------------ */

/* Fills the finding with the ratio and its interval that are printed with the verdict: of the samples that
 * decided. */
static void fill_figures(const struct red_duel_plan *plan, const struct judged_cell *judged) {
    struct red_finding *finding = &judged->cell->finding;
    const struct stage_pairs *stage = deciding_stage(judged);
    bool second = stage == &judged->stages[STAGE_2];
    size_t n = second && judged->look > 0 ? judged->look * plan->look_pairs_n : stage->n;
    struct red_student found = student_of(stage, stage->logs, n);
    double width = red_student_half_width(&found, 0.025);
    finding->stage = second ? 2 : 1;
    finding->pairs_n = n;
    finding->nominated = judged->direction != 0;
    if (n < 2)
        return;
    finding->ratio = exp(found.mean);
    finding->low = exp(found.mean - width);
    finding->high = exp(found.mean + width);
}

/* The code of a cell whose sides both ran, and whether more pairs could change it. */
static enum red_verdict_code code_of_samples(const struct red_duel *duel, const struct judged_cell *judged,
                                             enum red_next *next) {
    const struct stage_pairs *first = &judged->stages[STAGE_1], *second = &judged->stages[STAGE_2];
    const struct red_duel_plan *plan = &duel->plan;
    enum red_verdict_code code;
    bool is_short = first->made_n < plan->pairs_n;
    bool is_dropped = most_blocks_dropped(judged, &code);
    *next = is_short ? RED_NEXT_STAGE_1 : RED_NEXT_NONE;
    if (is_dropped)
        return code;
    if (is_short ||
        (judged->direction == 0 && !is_same_at(judged, first, first->n) && first->made_n < plan->pairs_max))
        *next = RED_NEXT_STAGE_1;
    else if (judged->direction != 0 && !judged->confirmed && !judged->same &&
             second->made_n < plan->looks_n * plan->look_pairs_n)
        *next = RED_NEXT_STAGE_2;
    if (*next == RED_NEXT_NONE && ratio_is_unsteady_or_drifts(judged, &code))
        return code;
    if (judged->confirmed)
        return judged->direction > 0 ? RED_CODE_CONFIRMED_SLOWER : RED_CODE_CONFIRMED_FASTER;
    if (judged->direction == 0 ? !is_short && is_same_at(judged, first, first->n) : judged->same)
        return RED_CODE_WITHIN;
    if (duel->interrupted && *next != RED_NEXT_NONE)
        return RED_CODE_INTERRUPTED;
    if (*next == RED_NEXT_NONE && first->n < PAIRS_MIN)
        return RED_CODE_FEW_PAIRS;
    if (*next != RED_NEXT_NONE)
        return RED_CODE_BUDGET;
    return judged->direction != 0 ? RED_CODE_NOT_CONFIRMED : RED_CODE_PAIRS;
}

/* Begins the finding of a cell anew, with its times and how many of its blocks were dropped; gathers the
 * ratios of its pairs, and finds whether stage 1 nominates it. */
static enum red_status begin_judgement(const struct red_duel *duel, struct red_duel_cell *cell,
                                       struct judged_cell *judged, struct red_error *error) {
    *judged = (struct judged_cell){.cell = cell, .margin = log1p(cell->margin)};
    cell->finding = (struct red_finding){.code = RED_CODE_BUDGET, .p = 1};
    count_blocks_by_drop(duel, cell, &cell->finding);
    enum red_status status = RED_OK;
    for (int who = 0; who < RED_WHO_N && status == RED_OK; who++) {
        double batch_ns = 0; /* of all blocks: the times that are printed */
        if (!find_median_batch_ns(&duel->plan, cell->pairs, cell->pairs_n, (enum red_who)who, &batch_ns))
            status = red_fail(error, RED_E_MEMORY, "no memory to judge");
        cell->finding.time_s[who] = 1e-9 * batch_ns / (double)(cell->calls ? cell->calls : 1);
    }
    for (unsigned number = BOTH_STAGES; number < STAGES_N && status == RED_OK; number++)
        status = stage_pairs_make(duel, cell, number, &judged->stages[number], error);
    if (status == RED_OK && !has_code_by_states(cell, &cell->finding.code))
        judged->direction = nominated_direction(&duel->plan, &judged->stages[STAGE_1]);
    return status;
}

enum red_status red_duel_judge(struct red_duel *duel, enum red_next *next, struct red_error *error) {
    struct judged_cell *all = calloc(duel->cells_n + 1, sizeof *all);
    enum red_status status = all ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory to judge");
    for (size_t c = 0; c < duel->cells_n && status == RED_OK; c++)
        status = begin_judgement(duel, &duel->cells[c], &all[c], error);
    if (status == RED_OK) {
        confirm_or_find_same(&duel->plan, all, duel->cells_n, 1);
        confirm_or_find_same(&duel->plan, all, duel->cells_n, -1);
    }
    for (size_t c = 0; c < duel->cells_n && all != NULL; c++) {
        struct red_duel_cell *cell = &duel->cells[c];
        enum red_next more = RED_NEXT_NONE;
        if (status == RED_OK && !has_code_by_states(cell, &cell->finding.code)) {
            fill_figures(&duel->plan, &all[c]);
            cell->finding.code = code_of_samples(duel, &all[c], &more);
        }
        if (next != NULL)
            next[c] = more;
        for (size_t s = 0; s < STAGES_N; s++)
            free(all[c].stages[s].logs);
    }
    free(all);
    return status == RED_OK ? red_memory_check(error) : status;
}
