#define _GNU_SOURCE /* qsort_r */
/* Finds what a device of a fleet does otherwise than most of its group: cells that went wrong, another
 * driver, capabilities, times and roofs. All of it is seen in the table of outliers of `compare --drivers`
 * and of the page of `report`; what is wrong keeps a run from the advice of `recommend`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/fleet.h"

const char *const red_fleet_difference_names[RED_FLEET_DIFFERENCES_N] = {
#define RED_FLEET_NAME(id, name) [RED_FLEET_##id] = name,
    RED_FLEET_DIFFERENCES(RED_FLEET_NAME)
#undef RED_FLEET_NAME
};

/* Adds an outlier; its texts are written into what is given back. NULL without memory, with the error. */
static struct red_outlier *add_outlier(struct red_fleet *fleet, enum red_fleet_difference difference,
                                       size_t device, struct red_error *error) {
    const size_t n = fleet->outliers_n;
    if (n == 0 || (n & (n - 1)) == 0) {
        struct red_outlier *grown = realloc(fleet->outliers, (n == 0 ? 1 : 2 * n) * sizeof *grown);
        if (grown == NULL) {
            (void)red_fail(error, RED_E_MEMORY, "no memory for what differs in a fleet");
            return NULL;
        }
        fleet->outliers = grown;
    }
    fleet->outliers[n] = (struct red_outlier){.difference = difference, .device = device};
    fleet->outliers_n++;
    return &fleet->outliers[n];
}

/* ---- drivers ------------------------------------------------------------------------------------------- */

/* Whether both groups are of the same device and platform. */
static bool is_same_model(const struct red_fleet *fleet, size_t a, size_t b) {
    const struct red_device_info *left = &red_fleet_run_device(&fleet->devices[fleet->groups[a].first])->info,
                                 *right =
                                     &red_fleet_run_device(&fleet->devices[fleet->groups[b].first])->info;
    return strcmp(left->name, right->name) == 0 && strcmp(left->platform, right->platform) == 0;
}

/* The group of the most devices that are the same, with any driver: groups stand in that order. */
static size_t main_group(const struct red_fleet *fleet, size_t group) {
    size_t largest = 0;
    while (!is_same_model(fleet, largest, group))
        largest++;
    return largest;
}

/* Adds the devices of groups that have another driver than four times as many of the same name. */
static enum red_status add_drivers(struct red_fleet *fleet, struct red_error *error) {
    for (size_t g = 0; g < fleet->groups_n; g++) {
        const struct red_fleet_group *group = &fleet->groups[g], *most = &fleet->groups[main_group(fleet, g)];
        for (size_t i = 0; i < group->n && most->n >= 4 * group->n; i++) {
            struct red_outlier *added = add_outlier(fleet, RED_FLEET_DRIVER, group->first + i, error);
            if (added == NULL)
                return RED_E_MEMORY;
            snprintf(added->what, sizeof added->what, "driver");
            snprintf(added->here, sizeof added->here, "%.60s",
                     red_fleet_run_device(&fleet->devices[group->first])->info.driver);
            snprintf(added->usual, sizeof added->usual, "%.60s in %.16s",
                     red_fleet_run_device(&fleet->devices[most->first])->info.driver,
                     red_fleet_letter((size_t)(most - fleet->groups)).text);
        }
    }
    return RED_OK;
}

/* ---- capabilities -------------------------------------------------------------------------------------- */

const char red_event_times[] = "event times";

const char *red_capability_word(const struct red_run_device *device, const char *name) {
    if (name == red_event_times)
        return !device->event_clock.checked ? "?" : device->event_clock.trusted ? "trusted" : "untrusted";
    for (size_t i = 0; i < device->found_n; i++) {
        const struct red_run_capability *found = &device->found[i];
        const struct red_capability capability = {
            .advertised = found->advertised, .builds = found->builds, .behaves = found->behaves};
        if (strcmp(found->name, name) == 0)
            return (found->behaves == RED_YES || found->behaves == RED_PARTLY) && found->words[0] != '\0' &&
                           strcmp(found->words, "any") != 0
                       ? found->words
                       : red_capability_brief(&capability);
    }
    return "?";
}

/* The word of one device for one capability. */
struct told_word {
    const char *name, *word;
    size_t device;
};

/* For qsort, of words of one group: by capability, word and device. */
static int by_name_and_word(const void *left, const void *right) {
    const struct told_word *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    order = order ? order : strcmp(a->word, b->word);
    return order ? order : (a->device > b->device) - (a->device < b->device);
}

/* Adds the devices with another word than most, of n words of one capability in a group. */
static enum red_status add_capability(struct red_fleet *fleet, const struct told_word *words, size_t n,
                                      struct red_error *error) {
    const char *usual = words[0].word;
    size_t most = 0;
    for (size_t i = 0, run = 0; i < n; i++) {
        run = i > 0 && strcmp(words[i - 1].word, words[i].word) == 0 ? run + 1 : 1;
        usual = run > most ? words[i].word : usual;
        most = run > most ? run : most;
    }
    for (size_t i = 0; i < n; i++) {
        if (strcmp(words[i].word, usual) == 0)
            continue;
        struct red_outlier *added = add_outlier(fleet, RED_FLEET_CAPABILITY, words[i].device, error);
        if (added == NULL)
            return RED_E_MEMORY;
        snprintf(added->what, sizeof added->what, "%s", words[i].name);
        snprintf(added->here, sizeof added->here, "%.60s", words[i].word);
        snprintf(added->usual, sizeof added->usual, "%.80s", usual);
    }
    return RED_OK;
}

/* Lists the words of all devices of a group, "?" left out; gives their number. */
static size_t list_words(const struct red_fleet *fleet, const struct red_fleet_group *group,
                         struct told_word *words) {
    size_t n = 0;
    for (size_t d = group->first; d < group->first + group->n; d++) {
        const struct red_run_device *device = red_fleet_run_device(&fleet->devices[d]);
        for (size_t i = 0; i <= device->found_n; i++) {
            const char *name = i < device->found_n ? device->found[i].name : red_event_times;
            const char *word = red_capability_word(device, name);
            if (strcmp(word, "?") != 0)
                words[n++] = (struct told_word){name, word, d};
        }
    }
    return n;
}

/* Adds what devices of a group can do otherwise than most of it. */
static enum red_status add_capabilities(struct red_fleet *fleet, const struct red_fleet_group *group,
                                        struct red_error *error) {
    enum red_status status = RED_OK;
    size_t room = 1;
    for (size_t d = group->first; d < group->first + group->n; d++)
        room += red_fleet_run_device(&fleet->devices[d])->found_n + 1;
    struct told_word *words = calloc(room, sizeof *words);
    if (words == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for what %zu devices can do", group->n);
    const size_t n = list_words(fleet, group, words);
    qsort(words, n, sizeof *words, by_name_and_word);
    for (size_t first = 0, end; first < n && status == RED_OK; first = end) {
        for (end = first + 1; end < n && strcmp(words[first].name, words[end].name) == 0;)
            end++;
        status = add_capability(fleet, &words[first], end - first, error);
    }
    free(words);
    return status;
}

/* ---- how cells ended ----------------------------------------------------------------------------------- */

/* Whether the device's cell ended otherwise than is usual, in a way that counts. */
static bool ended_otherwise(const struct red_fleet_cell *cell) {
    return cell->state != cell->usual && cell->state != RED_STATE_PENDING &&
           cell->usual != RED_STATE_PENDING && (red_state_is_fault(cell->state) || cell->usual_is_of_most);
}

/* For qsort, of pointers to cells: by device and state, those of one state as they stood. */
static int by_device_and_state(const void *left, const void *right) {
    const struct red_fleet_cell *a = *(const struct red_fleet_cell *const *)left,
                                *b = *(const struct red_fleet_cell *const *)right;
    int order = (a->device > b->device) - (a->device < b->device);
    order = order ? order : (int)a->state - (int)b->state;
    return order ? order : (a > b) - (a < b);
}

/* Describes n cells of a device that ended in the same state: "tree, sum f32 2^20, and 5 more". */
static void what_format(const struct red_fleet_cell *const *cells, size_t n, char *text, size_t text_bytes) {
    const struct red_fleet_cell *first = cells[0];
    if (first->cell != NULL)
        snprintf(text, text_bytes, "%.40s, %.24s %.16s %.31s", first->cell->at.strategy->name,
                 first->cell->at.op->name, first->cell->at.dtype->name,
                 red_size_text(first->cell->at.n).text);
    else
        snprintf(text, text_bytes, "checks of %.40s", first->strategy->name);
    if (n > 1)
        red_text_add(text, text_bytes, " and %zu more", n - 1);
}

/* Adds an outlier for each device and state of these cells, which are in that order. */
static enum red_status add_ended(struct red_fleet *fleet, const struct red_fleet_cell *const *cells, size_t n,
                                 struct red_error *error) {
    for (size_t first = 0, end; first < n; first = end) {
        const struct red_fleet_cell *cell = cells[first];
        const bool is_fault = red_state_is_fault(cell->state);
        for (end = first + 1;
             end < n && cells[end]->device == cell->device && cells[end]->state == cell->state;)
            end++;
        struct red_outlier *added =
            add_outlier(fleet, is_fault ? RED_FLEET_FAULT : RED_FLEET_STATE, cell->device, error);
        if (added == NULL)
            return RED_E_MEMORY;
        what_format(&cells[first], end - first, added->what, sizeof added->what);
        snprintf(added->here, sizeof added->here, "%s", red_state_name(cell->state));
        snprintf(added->usual, sizeof added->usual, "%s", red_state_name(cell->usual));
        added->size = (double)(end - first);
        fleet->devices[cell->device].is_wrong = fleet->devices[cell->device].is_wrong || is_fault;
    }
    return RED_OK;
}

/* Adds what ended otherwise on devices than on most of their groups. */
static enum red_status add_states(struct red_fleet *fleet, struct red_error *error) {
    const struct red_fleet_cell **cells = calloc(fleet->cells_n + 1, sizeof *cells);
    size_t n = 0;
    if (cells == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for %zu cells", fleet->cells_n);
    for (size_t i = 0; i < fleet->cells_n; i++)
        if (ended_otherwise(&fleet->cells[i]))
            cells[n++] = &fleet->cells[i];
    qsort(cells, n, sizeof *cells, by_device_and_state);
    enum red_status status = add_ended(fleet, cells, n, error);
    free(cells);
    return status;
}

/* ---- times and roofs ----------------------------------------------------------------------------------- */

/* A time of a device by that of its group, as logarithm. */
struct deviation {
    size_t device;
    double log_ratio;
    const struct red_cell *cell;
};

/* For qsort. */
static int by_device_and_ratio(const void *left, const void *right) {
    const struct deviation *a = left, *b = right;
    const int order = (a->device > b->device) - (a->device < b->device);
    return order ? order : (a->log_ratio > b->log_ratio) - (a->log_ratio < b->log_ratio);
}

/* Sets time_ratio of each device from its deviations, n in all; `farthest` gets the cell of the largest one
 * of each device. */
static void set_time_ratios(struct red_fleet *fleet, struct deviation *all, size_t n,
                            const struct deviation **slowest) {
    qsort(all, n, sizeof *all, by_device_and_ratio);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && all[end].device == all[first].device;)
            end++;
        const size_t middle = first + (end - first) / 2;
        fleet->devices[all[first].device].time_ratio =
            exp((end - first) % 2 == 1 ? all[middle].log_ratio
                                       : (all[middle - 1].log_ratio + all[middle].log_ratio) / 2);
        slowest[all[first].device] = &all[end - 1];
    }
}

/* The robust standard deviation of n logarithms about their middle: 1.4826 times the median distance (Hampel,
 * The influence curve and its role in robust estimation, 1974); *middle is their median. */
static double spread_of(double *logs, size_t n, double *middle) {
    *middle = red_fleet_median(logs, n);
    for (size_t i = 0; i < n; i++)
        logs[i] = fabs(logs[i] - *middle);
    return 1.4826 * red_fleet_median(logs, n);
}

/* Whether a ratio lies beyond the spread of its group, and by more than a share of `most`. */
static bool is_beyond(double ratio, double middle, double spread, double most) {
    const double distance = fabs(log(ratio) - middle);
    return ratio > 0 && distance > RED_FLEET_SPREADS * spread && distance > log1p(most);
}

/* Adds the devices of a group whose times lie beyond its spread; `logs` has room for all. */
static enum red_status add_times(struct red_fleet *fleet, struct red_fleet_group *group,
                                 const struct deviation *const *slowest, double *logs,
                                 struct red_error *error) {
    double middle;
    size_t n = 0;
    for (size_t d = group->first; d < group->first + group->n; d++)
        if (fleet->devices[d].time_ratio > 0)
            logs[n++] = log(fleet->devices[d].time_ratio);
    group->spread = spread_of(logs, n, &middle);
    for (size_t d = group->first; n >= RED_FLEET_TIMED_MIN && d < group->first + group->n; d++) {
        const double ratio = fleet->devices[d].time_ratio;
        if (!is_beyond(ratio, middle, group->spread, RED_FLEET_TIME_MOST))
            continue;
        struct red_outlier *added =
            add_outlier(fleet, ratio > 1 ? RED_FLEET_SLOWER : RED_FLEET_FASTER, d, error);
        if (added == NULL)
            return RED_E_MEMORY;
        snprintf(added->what, sizeof added->what, "time to answer");
        snprintf(added->here, sizeof added->here, "%.2f x", ratio);
        snprintf(added->usual, sizeof added->usual, "1 +- %.1f %%; most: %.2f x, %.40s", 100 * group->spread,
                 exp(slowest[d]->log_ratio), slowest[d]->cell->at.strategy->name);
        added->size = ratio > 1 ? ratio : 1 / ratio;
    }
    return RED_OK;
}

/* Finds how much each device takes longer than its group, and who is beyond its spread. */
static enum red_status add_all_times(struct red_fleet *fleet, struct red_error *error) {
    struct deviation *all = calloc(fleet->cells_n + 1, sizeof *all);
    const struct deviation **slowest = calloc(fleet->devices_n + 1, sizeof *slowest);
    double *logs = calloc(fleet->devices_n + 1, sizeof *logs);
    enum red_status status = all != NULL && slowest != NULL && logs != NULL
                                 ? RED_OK
                                 : red_fail(error, RED_E_MEMORY, "no memory for %zu times", fleet->cells_n);
    size_t n = 0;
    for (size_t i = 0; status == RED_OK && i < fleet->cells_n; i++) {
        const struct red_fleet_cell *cell = &fleet->cells[i];
        if (cell->time_s > 0 && cell->usual_s > 0)
            all[n++] = (struct deviation){cell->device, log(cell->time_s / cell->usual_s), cell->cell};
    }
    if (status == RED_OK)
        set_time_ratios(fleet, all, n, slowest);
    for (size_t g = 0; g < fleet->groups_n && status == RED_OK; g++)
        status = add_times(fleet, &fleet->groups[g], slowest, logs, error);
    free(all);
    free(slowest);
    free(logs);
    return status;
}

/* The roof of a device, of a run of this primitive; 0: none. */
static double roof_of(const struct red_fleet_device *device, const char *primitive) {
    return strcmp(device->result->run.primitive, primitive) == 0
               ? red_fleet_run_device(device)->roof_bytes_per_s
               : 0;
}

/* Adds the devices of a group whose roof is far from its median, those of one primitive; scans have others
 * than reductions. `values` has room for all. */
static enum red_status add_roofs(struct red_fleet *fleet, struct red_fleet_group *group,
                                 const char *primitive, double *values, struct red_error *error) {
    double middle;
    size_t n = 0;
    for (size_t d = group->first; d < group->first + group->n; d++)
        if (roof_of(&fleet->devices[d], primitive) > 0)
            values[n++] = log(roof_of(&fleet->devices[d], primitive));
    if (n == 0)
        return RED_OK;
    const double spread = spread_of(values, n, &middle);
    group->roof = group->roof > 0 ? group->roof : exp(middle);
    for (size_t d = group->first; d < group->first + group->n; d++) {
        struct red_fleet_device *device = &fleet->devices[d];
        const double roof = roof_of(device, primitive);
        if (roof > 0)
            device->roof_ratio = exp(log(roof) - middle);
        if (n < RED_FLEET_TIMED_MIN || !is_beyond(device->roof_ratio, 0, spread, RED_FLEET_ROOF_MOST) ||
            roof <= 0)
            continue;
        struct red_outlier *added = add_outlier(fleet, RED_FLEET_ROOF, d, error);
        if (added == NULL)
            return RED_E_MEMORY;
        snprintf(added->what, sizeof added->what, "roof");
        snprintf(added->here, sizeof added->here, "%.3g GB/s, %.2f x", 1e-9 * roof, device->roof_ratio);
        snprintf(added->usual, sizeof added->usual, "%.3g GB/s +- %.1f %%", 1e-9 * exp(middle), 100 * spread);
        added->size = device->roof_ratio > 1 ? device->roof_ratio : 1 / device->roof_ratio;
    }
    return RED_OK;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

/* For qsort_r, of outliers: what is most urgent first; of times the farthest first, of others what is told
 * alike together. */
static int by_urgency(const void *left, const void *right, void *fleet) {
    const struct red_outlier *a = left, *b = right;
    const struct red_fleet_device *devices = ((const struct red_fleet *)fleet)->devices;
    int order = (int)a->difference - (int)b->difference;
    order = order ? order : (a->size < b->size) - (a->size > b->size);
    order = order ? order
                  : (devices[a->device].group > devices[b->device].group) -
                        (devices[a->device].group < devices[b->device].group);
    order = order ? order : strcmp(a->what, b->what);
    order = order ? order : strcmp(a->here, b->here);
    return order ? order : (a->device > b->device) - (a->device < b->device);
}

/* How well a device stands for its group: less is better. An outlier does not; then one of the run that
 * stands for the first group is the best, since times of one run can be compared; then one in the middle of
 * the times. */
static double unfitness(const struct red_fleet *fleet, const struct red_fleet_device *device) {
    const struct red_fleet_device *first = &fleet->devices[fleet->groups[0].usual];
    return 1e9 * device->is_wrong + 1e6 * (double)device->outliers_n +
           1e3 * (device->group > 0 && device->result != first->result) +
           (device->time_ratio > 0 ? fabs(log(device->time_ratio)) : 100);
}

/* Chooses the device that stands for the group, those of the groups before are chosen. */
static void choose_usual(const struct red_fleet *fleet, struct red_fleet_group *group) {
    double best = INFINITY;
    for (size_t d = group->first; d < group->first + group->n; d++) {
        const struct red_fleet_device *device = &fleet->devices[d];
        const double worth = unfitness(fleet, device);
        if (worth < best)
            group->usual = d;
        best = worth < best ? worth : best;
        group->outlying_n += device->outliers_n > 0;
    }
}

/* Finds who differs in each group; called for all verbs that show groups. */
enum red_status red_fleet_find_outliers(struct red_fleet *fleet, struct red_error *error) {
    double *values = calloc(fleet->devices_n + 1, sizeof *values);
    enum red_status status =
        values != NULL ? red_fleet_make_cells(fleet, error)
                       : red_fail(error, RED_E_MEMORY, "no memory for %zu devices", fleet->devices_n);
    if (status == RED_OK)
        status = add_states(fleet, error);
    if (status == RED_OK)
        status = add_drivers(fleet, error);
    for (size_t g = 0; g < fleet->groups_n && status == RED_OK; g++)
        status = add_capabilities(fleet, &fleet->groups[g], error);
    if (status == RED_OK)
        status = add_all_times(fleet, error);
    for (size_t g = 0; g < fleet->groups_n; g++)
        for (int p = 0; p < RED_PRIMITIVES_N && status == RED_OK; p++) {
            struct red_run of = {.primitive = ""};
            red_run_set_primitive(&of, (enum red_primitive)p);
            status = add_roofs(fleet, &fleet->groups[g], of.primitive, values, error);
        }
    free(values);
    if (status != RED_OK)
        return status;
    for (size_t i = 0; i < fleet->outliers_n; i++)
        fleet->devices[fleet->outliers[i].device].outliers_n++;
    if (fleet->outliers_n > 0)
        qsort_r(fleet->outliers, fleet->outliers_n, sizeof *fleet->outliers, by_urgency, fleet);
    for (size_t g = 0; g < fleet->groups_n; g++)
        choose_usual(fleet, &fleet->groups[g]);
    return RED_OK;
}

void red_fleet_outliers_format(const struct red_fleet *fleet, char *text, size_t text_bytes) {
    text[0] = '\0';
    for (size_t i = 0; i < fleet->outliers_n;) {
        const enum red_fleet_difference difference = fleet->outliers[i].difference;
        size_t n = 0;
        while (i < fleet->outliers_n && fleet->outliers[i].difference == difference) {
            i++;
            n++;
        }
        red_text_add(text, text_bytes, "%s%zu %s", text[0] ? ", " : "", n,
                     red_fleet_difference_names[difference]);
    }
}
