#include "gate/trials.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "gate/duel.h"
#include "results/json.h"

enum { FILE_BYTES_MAX = 64 << 20, SETTING_BYTES = 640 };
static const double SURENESS = 0.95;

/* ---- the file --------------------------------------------------------------------------------------------
 */

static enum red_status read_root(const char *path, struct red_trials *trials, struct red_error *error) {
    char *text = NULL;
    size_t n = 0;
    FILE *there = fopen(path, "rb");
    if (there == NULL)
        return RED_OK;
    fclose(there);
    enum red_status status = red_file_read(path, "file of trials", FILE_BYTES_MAX, &text, &n, error);
    if (status != RED_OK)
        return status;
    trials->root = json_loadb(text, n, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    const char *file = json_string_value(json_object_get(trials->root, "file"));
    return file != NULL && strcmp(file, "clreduce trials") == 0 &&
                   json_is_array(json_object_get(trials->root, "trials")) &&
                   json_is_array(json_object_get(trials->root, "calibrations"))
               ? RED_OK
               : red_fail(error, RED_E_INPUT, "%s is no file of trials; choose another --output", path);
}

enum red_status red_trials_open(const struct red_options *options, struct red_trials *trials,
                                struct red_error *error) {
    struct red_host host;
    *trials = (struct red_trials){.path = options->output};
    red_host_find(&host);
    snprintf(trials->machine, sizeof trials->machine, "%s, %u cores", host.processor, host.cores_n);
    snprintf(trials->choice, sizeof trials->choice, "devices: %s", options->device ? options->device : "all");
    enum red_status status = RED_OK;
    if (trials->path != NULL)
        status = red_file_check_writable(trials->path, error);
    if (status == RED_OK && trials->path != NULL)
        status = read_root(trials->path, trials, error);
    if (status == RED_OK && trials->root == NULL)
        trials->root = json_pack("{s:s, s:i, s:[], s:[]}", "file", "clreduce trials", "schema", 1,
                                 "calibrations", "trials");
    if (status == RED_OK && trials->root == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory for trials");
    return status;
}

void red_trials_close(struct red_trials *trials) {
    json_decref(trials->root);
    trials->root = NULL;
}

/* One line for each trial. */
static enum red_status save(const struct red_trials *trials, struct red_error *error) {
    struct red_file file;
    static const char *const lists[] = {"calibrations", "trials"};
    if (trials->path == NULL)
        return RED_OK;
    enum red_status status = red_file_open(trials->path, &file, error);
    if (status != RED_OK)
        return status;
    fputs("{\"file\": \"clreduce trials\", \"schema\": 1", file.stream);
    for (size_t list = 0; list < 2; list++) {
        const json_t *rows = json_object_get(trials->root, lists[list]);
        fprintf(file.stream, ",\n\"%s\": [", lists[list]);
        for (size_t i = 0; i < json_array_size(rows); i++) {
            fputs(i ? ",\n" : "\n", file.stream);
            if (json_dumpf(json_array_get(rows, i), file.stream, JSON_COMPACT | JSON_REAL_PRECISION(6)) !=
                    0 &&
                !ferror(file.stream)) {
                red_file_abandon(&file);
                return red_fail(error, RED_E_MEMORY, "no memory to write %s", trials->path);
            }
        }
        fputs("\n]", file.stream);
    }
    fputs("}\n", file.stream);
    return red_file_commit(&file, error);
}

static enum red_status append(const struct red_trials *trials, const char *list, json_t *row,
                              struct red_error *error) {
    return row != NULL && json_array_append_new(json_object_get(trials->root, list), row) == 0
               ? save(trials, error)
               : red_fail(error, RED_E_MEMORY, "no memory for a trial");
}

/* ---- trials ----------------------------------------------------------------------------------------------
 */

/* What trials must share to be added up, on whatever machines they ran. */
static void setting_print(const struct red_trials *trials, const struct red_scenario *scenario,
                          char setting[SETTING_BYTES]) {
    struct red_duel_plan plan;
    (void)red_duel_profile(scenario->profile, &plan, NULL);
    snprintf(setting, SETTING_BYTES,
             "%s; %u to %u launches of %u x %u rounds of %u batches of %g us, %u looks of %u launches, "
             "nominated beyond "
             "%g %% at %g, trimmed by %g, alpha %g; %s at %s",
             trials->choice, plan.launches_n, plan.launches_max, plan.epochs_n, plan.rounds_n, plan.batches_n,
             1e6 * plan.batch_s, plan.looks_n, plan.look_launches_n, 100 * plan.nominate, plan.nominate_level,
             plan.trim, plan.alpha, scenario->strategies, scenario->sizes);
}

static size_t count_verdicts(const struct red_duel *duel, enum red_duel_verdict verdict) {
    size_t n = 0;
    for (size_t c = 0; c < duel->cells_n; c++)
        n += red_code_verdict(duel->cells[c].finding.code) == verdict;
    return n;
}

const struct red_duel_cell *red_trials_slowed(const struct red_scenario *scenario,
                                              const struct red_duel *duel) {
    for (size_t c = 0; c < duel->cells_n && scenario->change > 0; c++)
        if (duel->cells[c].n == scenario->slowed_n)
            return &duel->cells[c];
    return NULL;
}

static json_t *slowed_json(const struct red_duel_cell *cell) {
    return cell == NULL
               ? json_null()
               : json_pack("{s:s, s:o, s:o}", "verdict",
                           red_verdict_names[red_code_verdict(cell->finding.code)], "ratio",
                           red_json_positive(cell->finding.ratio), "spent_s", red_json_real(cell->spent_s));
}

enum red_status red_trials_add(struct red_trials *trials, const struct red_scenario *scenario,
                               const struct red_duel *duel, struct red_error *error) {
    char setting[SETTING_BYTES];
    setting_print(trials, scenario, setting);
    json_t *verdicts = json_object(), *devices = json_array();
    for (int verdict = 0; verdict < RED_VERDICTS_N; verdict++) {
        size_t n = count_verdicts(duel, (enum red_duel_verdict)verdict);
        if (n > 0)
            json_object_set_new(verdicts, red_verdict_names[verdict], red_json_integer(n));
    }
    for (size_t d = 0; d < duel->devices_n; d++) {
        char device[256];
        const struct red_device_info *info = &duel->sides[RED_HEAD].devices[d];
        snprintf(device, sizeof device, "%s, driver %.200s", info->id, info->driver);
        json_array_append_new(devices, red_json_text(device));
    }
    const struct red_duel_cell *slowed = red_trials_slowed(scenario, duel);
    return append(trials, "trials",
                  json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "scenario",
                            scenario->name, "setting", setting, "machine", trials->machine, "started",
                            duel->started, "devices", devices, "seed", red_json_integer(duel->seed), "cells",
                            red_json_integer(duel->cells_n), "verdicts", verdicts, "slowed",
                            slowed_json(slowed), "load_1min", red_json_real(duel->host.load), "wall_s",
                            red_json_real(duel->wall_s)),
                  error);
}

static bool has_text(const json_t *row, const char *key, const char *wanted) {
    const char *text = json_string_value(json_object_get(row, key));
    return text != NULL && strcmp(text, wanted) == 0;
}

/* machine NULL: any. */
static bool is_of(const json_t *row, const char *scenario, const char *setting, const char *machine) {
    return has_text(row, "scenario", scenario) && has_text(row, "setting", setting) &&
           (machine == NULL || has_text(row, "machine", machine));
}

/* What the trials of a scenario come to. */
struct sum {
    size_t trials_n, good_n, cells_n, false_slower_n, false_faster_n, undecided_n, untrusted_n, slowed_n;
    double wall_s, log_ratios, slowed_s, slowed_most_s;
};

/* The slowed cell of a trial; whether it was confirmed. */
static bool sum_slowed(const json_t *slowed, struct sum *sum) {
    const char *verdict = json_string_value(json_object_get(slowed, "verdict"));
    double ratio = json_number_value(json_object_get(slowed, "ratio"));
    double spent_s = json_number_value(json_object_get(slowed, "spent_s"));
    if (ratio > 0) {
        sum->slowed_n++;
        sum->log_ratios += log(ratio);
        sum->slowed_s += spent_s;
        sum->slowed_most_s = fmax(sum->slowed_most_s, spent_s);
    }
    return verdict != NULL && strcmp(verdict, red_verdict_names[RED_SLOWER]) == 0;
}

static size_t verdict_n(const json_t *row, enum red_duel_verdict verdict) {
    json_int_t n =
        json_integer_value(json_object_get(json_object_get(row, "verdicts"), red_verdict_names[verdict]));
    return n > 0 ? (size_t)n : 0;
}

static struct sum sum_up(const struct red_trials *trials, const struct red_scenario *scenario,
                         const char *machine) {
    struct sum sum = {.trials_n = 0};
    char setting[SETTING_BYTES];
    setting_print(trials, scenario, setting);
    const json_t *rows = json_object_get(trials->root, "trials");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (!is_of(row, scenario->name, setting, machine))
            continue;
        size_t slower_n = verdict_n(row, RED_SLOWER),
               cells_n = (size_t)json_integer_value(json_object_get(row, "cells"));
        size_t slowed_n = sum_slowed(json_object_get(row, "slowed"), &sum);
        sum.trials_n++;
        sum.cells_n += cells_n;
        sum.good_n += slowed_n == (scenario->change > 0) && slower_n == slowed_n;
        sum.false_slower_n += slower_n - slowed_n;
        sum.false_faster_n += verdict_n(row, RED_FASTER);
        sum.undecided_n += verdict_n(row, RED_UNDECIDED);
        sum.untrusted_n += verdict_n(row, RED_UNTRUSTED);
        sum.wall_s += json_number_value(json_object_get(row, "wall_s"));
    }
    return sum;
}

size_t red_trials_n(const struct red_trials *trials, const struct red_scenario *scenario) {
    return sum_up(trials, scenario, NULL).trials_n;
}

/* One-sided limits of a share, k of n (Clopper and Pearson 1934). */
static double lower_limit(size_t k, size_t n) {
    return k == 0 ? 0 : gsl_cdf_beta_Pinv(1 - SURENESS, (double)k, (double)(n - k) + 1);
}

static void print_sum(const struct red_scenario *scenario, const struct sum *sum, FILE *out) {
    double good = lower_limit(sum->good_n, sum->trials_n);
    fprintf(out, "%zu %s", sum->good_n, scenario->good);
    if (scenario->change > 0)
        fprintf(out, ": at least %.1f %%", 100 * good);
    else
        fprintf(out, ": false in at most %.2f %%", 100 * (1 - good));
    fprintf(out,
            " (exact, 95 %%); %zu cells, %.1f s each; %zu UNDECIDED, %zu UNTRUSTED, %zu falsely SLOWER, "
            "%zu falsely FASTER",
            sum->cells_n, sum->wall_s / (double)sum->cells_n, sum->undecided_n, sum->untrusted_n,
            sum->false_slower_n, sum->false_faster_n);
    if (sum->slowed_n > 0)
        fprintf(out, "; the slowed cell %+.1f %% and %.1f s on average, %.0f s at most",
                100 * expm1(sum->log_ratios / (double)sum->slowed_n), sum->slowed_s / (double)sum->slowed_n,
                sum->slowed_most_s);
    fputc('\n', out);
}

void red_trials_print(const struct red_trials *trials, const struct red_scenario *scenario, FILE *out) {
    struct sum sum = sum_up(trials, scenario, NULL);
    fprintf(out, "%-12s  %3zu of %3zu trials", scenario->name, sum.trials_n, scenario->trials_n);
    if (sum.trials_n == 0) {
        fprintf(out, " (%s)\n", scenario->what);
        return;
    }
    fputs(", ", out);
    print_sum(scenario, &sum, out);
}

void red_trials_print_machines(const struct red_trials *trials, const struct red_scenario *scenario,
                               FILE *out) {
    const json_t *rows = json_object_get(trials->root, "trials");
    json_t *told = json_object();
    char setting[SETTING_BYTES];
    setting_print(trials, scenario, setting);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *machine = json_string_value(json_object_get(row, "machine"));
        if (machine == NULL || json_object_get(told, machine) || !is_of(row, scenario->name, setting, NULL))
            continue;
        struct sum sum = sum_up(trials, scenario, machine);
        json_object_set_new(told, machine, json_true());
        fprintf(out, "    on %s: %zu trials, ", machine, sum.trials_n);
        print_sum(scenario, &sum, out);
    }
    json_decref(told);
}

enum red_status red_trials_check(const struct red_trials *trials, const struct red_scenario *scenario,
                                 struct red_error *error) {
    struct sum sum = sum_up(trials, scenario, NULL);
    return sum.good_n == sum.trials_n
               ? RED_OK
               : red_fail(error, RED_E_WRONG, "%s: %zu of %zu trials were not %s", scenario->name,
                          sum.trials_n - sum.good_n, sum.trials_n, scenario->good);
}

/* ---- calibrations ----------------------------------------------------------------------------------------
 */

/* A calibration is of a machine and a cell, and of what runs beside it, whatever the change. */
static void calibration_key(const struct red_trials *trials, const struct red_scenario *scenario,
                            char key[SETTING_BYTES]) {
    snprintf(key, SETTING_BYTES, "%s; %s; %llu of %s%s", trials->machine, trials->choice,
             (unsigned long long)scenario->slowed_n, scenario->strategies,
             scenario->busy ? " beside a busy process" : "");
}

enum red_status red_trials_calibrate(struct red_trials *trials, const struct red_scenario *scenario,
                                     const struct red_calibration *c, struct red_error *error) {
    char key[SETTING_BYTES];
    calibration_key(trials, scenario, key);
    return append(trials, "calibrations",
                  json_pack("{s:s, s:i, s:o, s:[o, o, o], s:[o, o, o]}", "of", key, "steps", (int)c->steps,
                            "call_s", red_json_real(c->call_s), "ratio", red_json_real(c->whole),
                            red_json_real(c->whole_low), red_json_real(c->whole_high), "ratio_of_half",
                            red_json_real(c->half), red_json_real(c->half_low), red_json_real(c->half_high)),
                  error);
}

bool red_trials_calibration(const struct red_trials *trials, const struct red_scenario *scenario,
                            struct red_calibration *calibration) {
    char key[SETTING_BYTES];
    bool found = false;
    calibration_key(trials, scenario, key);
    const json_t *rows = json_object_get(trials->root, "calibrations");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *of = json_string_value(json_object_get(row, "of"));
        double ratio = json_number_value(json_array_get(json_object_get(row, "ratio"), 0));
        double half = json_number_value(json_array_get(json_object_get(row, "ratio_of_half"), 0));
        json_int_t steps = json_integer_value(json_object_get(row, "steps"));
        if (of == NULL || strcmp(of, key) != 0 || ratio <= 1 || half <= 1 || steps <= 0)
            continue;
        *calibration = (struct red_calibration){.steps = (uint32_t)steps, .whole = ratio, .half = half};
        found = true;
    }
    return found;
}
