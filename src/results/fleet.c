#define _GNU_SOURCE /* qsort_r */
/* Makes groups of the devices of a fleet, and the cells of each by key, with what is usual in the group.
 * fleet_outliers.c finds who differs. Called for `compare --drivers` (cli/cmd_compare.c), `recommend`
 * (cli/cmd_recommend.c) and `report` (report/report.c). */
#include "results/fleet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- devices and groups -------------------------------------------------------------------------------- */

const struct red_run_device *red_fleet_run_device(const struct red_fleet_device *device) {
    return &device->result->run.devices[device->device];
}

/* The order of groups by what they have in common; 0: the same group. */
static int group_order(const struct red_fleet_device *a, const struct red_fleet_device *b) {
    const struct red_device_info *left = &red_fleet_run_device(a)->info,
                                 *right = &red_fleet_run_device(b)->info;
    int order = strcmp(left->platform, right->platform);
    order = order ? order : strcmp(left->name, right->name);
    return order ? order : strcmp(left->driver, right->driver);
}

/* The order of hosts by their names. */
static int host_order(const struct red_fleet_device *a, const struct red_fleet_device *b) {
    return strcmp(a->result->run.host.name, b->result->run.host.name);
}

/* The order of ids of devices. */
static int id_order(const struct red_fleet_device *a, const struct red_fleet_device *b) {
    return strcmp(red_fleet_run_device(a)->info.id, red_fleet_run_device(b)->info.id);
}

/* For qsort, of devices: by group, host, id and run. */
static int by_group_and_host(const void *left, const void *right) {
    const struct red_fleet_device *a = left, *b = right;
    int order = group_order(a, b);
    order = order ? order : host_order(a, b);
    order = order ? order : id_order(a, b);
    order = order ? order : strcmp(a->result->run.started, b->result->run.started);
    return order ? order : strcmp(a->result->path, b->result->path);
}

/* For qsort, of groups: the largest first. */
static int by_devices(const void *left, const void *right) {
    const struct red_fleet_group *a = left, *b = right;
    return a->n != b->n ? (a->n < b->n ? 1 : -1) : (a->first > b->first) - (a->first < b->first);
}

/* Lists the devices of a run, without the host. */
static void add_devices(struct red_fleet *fleet, const struct red_result *result,
                        const struct red_verify_file *file) {
    for (size_t d = 0; d < result->run.devices_n; d++)
        if (!result->run.devices[d].is_host)
            fleet->devices[fleet->devices_n++] = (struct red_fleet_device){
                .result = result, .verified = file != NULL ? &file->devices[d] : NULL, .device = d};
}

/* For qsort, of names of hosts. */
static int by_text(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* How many hosts the fleet has; SIZE_MAX without memory. */
static size_t count_hosts(const struct red_fleet *fleet) {
    const char **names = calloc(fleet->devices_n + 1, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; names != NULL && i < fleet->devices_n; i++)
        names[i] = fleet->devices[i].result->run.host.name;
    if (names == NULL)
        return SIZE_MAX;
    qsort(names, fleet->devices_n, sizeof *names, by_text);
    for (size_t i = 0; i < fleet->devices_n; i++)
        n += i == 0 || strcmp(names[i - 1], names[i]) != 0;
    free(names);
    return n;
}

/* Makes the groups of the devices, which stand in their order. */
static void make_groups(struct red_fleet *fleet) {
    for (size_t i = 0; i < fleet->devices_n; i++) {
        const struct red_fleet_device *device = &fleet->devices[i];
        const bool is_new = i == 0 || group_order(device - 1, device) != 0;
        if (is_new)
            fleet->groups[fleet->groups_n++] = (struct red_fleet_group){.first = i, .usual = i};
        struct red_fleet_group *group = &fleet->groups[fleet->groups_n - 1];
        group->hosts_n += is_new || host_order(device - 1, device) != 0;
        group->n++;
    }
    qsort(fleet->groups, fleet->groups_n, sizeof *fleet->groups, by_devices);
    for (size_t g = 0; g < fleet->groups_n; g++)
        for (size_t i = 0; i < fleet->groups[g].n; i++)
            fleet->devices[fleet->groups[g].first + i].group = g;
}

enum red_status red_fleet_make(const struct red_loaded_files *loaded, struct red_fleet *fleet,
                               struct red_error *error) {
    size_t room = 1;
    *fleet = (struct red_fleet){.devices_n = 0};
    for (size_t r = 0; r < loaded->results_n; r++)
        room += loaded->results[r].run.devices_n;
    for (size_t c = 0; c < loaded->checks_n && loaded->results_n == 0; c++)
        room += loaded->checks[c].result.run.devices_n;
    fleet->devices = calloc(room, sizeof *fleet->devices);
    fleet->groups = calloc(room, sizeof *fleet->groups);
    if (fleet->devices == NULL || fleet->groups == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for %zu devices", room);
    for (size_t r = 0; r < loaded->results_n; r++)
        add_devices(fleet, &loaded->results[r], NULL);
    for (size_t c = 0; c < loaded->checks_n && loaded->results_n == 0; c++)
        add_devices(fleet, &loaded->checks[c].result, &loaded->checks[c]);
    fleet->runs_n = loaded->results_n > 0 ? loaded->results_n : loaded->checks_n;
    qsort(fleet->devices, fleet->devices_n, sizeof *fleet->devices, by_group_and_host);
    make_groups(fleet);
    fleet->hosts_n = count_hosts(fleet);
    return fleet->hosts_n < SIZE_MAX ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for hosts");
}

void red_fleet_clear(struct red_fleet *fleet) {
    free(fleet->devices);
    free(fleet->groups);
    free(fleet->cells);
    free(fleet->outliers);
    *fleet = (struct red_fleet){.devices_n = 0};
}

bool red_fleet_is_large(const struct red_fleet *fleet) {
    return fleet->devices_n > RED_FLEET_DEVICES_MAX ||
           (fleet->devices_n > RED_FLEET_DEVICES_FEW && fleet->hosts_n > 1 &&
            2 * fleet->groups_n <= fleet->devices_n);
}

struct red_short_text red_fleet_letter(size_t group) {
    struct red_short_text made = {.text = ""};
    if (group >= 26)
        red_text_add(made.text, sizeof made.text, "%s", red_fleet_letter(group / 26 - 1).text);
    red_text_add(made.text, sizeof made.text, "%c", (char)('A' + group % 26));
    return made;
}

void red_fleet_device_name(const struct red_fleet *fleet, size_t device, char *text, size_t text_bytes) {
    const struct red_fleet_device *own = &fleet->devices[device];
    const struct red_fleet_group *group = &fleet->groups[own->group];
    bool has_host = false, has_id = false; /* another of the group */
    for (size_t other = device > group->first ? device - 1 : device; other <= device + 1; other += 1) {
        if (other == device || other >= group->first + group->n)
            continue;
        const bool same = host_order(own, &fleet->devices[other]) == 0;
        has_host = has_host || same;
        has_id = has_id || (same && id_order(own, &fleet->devices[other]) == 0);
    }
    snprintf(text, text_bytes, "%s", own->result->run.host.name[0] ? own->result->run.host.name : "unknown");
    if (has_host)
        red_text_add(text, text_bytes, " %s", red_fleet_run_device(own)->info.id);
    if (has_id)
        red_text_add(text, text_bytes, " (%s)", own->result->path);
}

/* ---- cells by key -------------------------------------------------------------------------------------- */

/* The state that stands for all checks of a strategy: the worst that one of them ended in. */
static enum red_state strategy_state(const struct red_verify_strategy *of) {
    enum red_state worst = of->planned_n == 0 ? RED_STATE_UNSUPPORTED : RED_STATE_PASS;
    for (int state = 0; of->planned_n > 0 && state < RED_STATES_N; state++)
        if (of->counts[state] > 0 && red_state_is_worse((enum red_state)state, worst))
            worst = (enum red_state)state;
    return worst;
}

/* Adds what one device has, in no order yet. */
static void add_cells_of(struct red_fleet *fleet, size_t d) {
    const struct red_fleet_device *device = &fleet->devices[d];
    const struct red_run *run = &device->result->run;
    for (size_t s = 0; device->verified != NULL && s < device->verified->strategies_n; s++) {
        const struct red_verify_strategy *strategy = &device->verified->strategies[s];
        fleet->cells[fleet->cells_n++] =
            (struct red_fleet_cell){.device = d, .strategy = strategy, .state = strategy_state(strategy)};
    }
    for (size_t i = 0; i < run->cells_n; i++)
        if (run->cells[i].device == device->device)
            fleet->cells[fleet->cells_n++] = (struct red_fleet_cell){.device = d,
                                                                     .cell = &run->cells[i],
                                                                     .state = run->cells[i].state,
                                                                     .time_s = run->cells[i].time.median};
}

/* The order of keys within a group; 0: the same key. */
static int key_order(const struct red_fleet_cell *a, const struct red_fleet_cell *b) {
    return a->cell != NULL ? red_cell_key_compare(a->cell, b->cell)
                           : strcmp(a->strategy->name, b->strategy->name);
}

/* For qsort_r, of cells of the fleet: by group, key and device; of several the fastest first. */
static int by_key_and_device(const void *left, const void *right, void *fleet) {
    const struct red_fleet_cell *a = left, *b = right;
    const struct red_fleet_device *devices = ((const struct red_fleet *)fleet)->devices;
    const size_t a_group = devices[a->device].group, b_group = devices[b->device].group;
    int order = (a_group > b_group) - (a_group < b_group);
    order = order ? order : key_order(a, b);
    order = order ? order : (a->device > b->device) - (a->device < b->device);
    if (order != 0 || (a->time_s > 0) != (b->time_s > 0))
        return order ? order : (a->time_s > 0 ? -1 : 1);
    return (a->time_s > b->time_s) - (a->time_s < b->time_s);
}

/* Leaves one cell of each key and device: with the worst state of all geometries, and the best time unless
 * that is a fault. */
static void join_geometries(struct red_fleet *fleet) {
    size_t n = 0;
    for (size_t i = 0; i < fleet->cells_n; i++) {
        const struct red_fleet_cell *cell = &fleet->cells[i];
        struct red_fleet_cell *last = n > 0 ? &fleet->cells[n - 1] : NULL;
        if (last == NULL || last->device != cell->device || key_order(last, cell) != 0) {
            fleet->cells[n++] = *cell;
            continue;
        }
        if (red_state_is_worse(cell->state, last->state)) {
            last->state = cell->state;
            last->cell = red_state_is_fault(cell->state) ? cell->cell : last->cell;
        }
    }
    fleet->cells_n = n;
    for (size_t i = 0; i < n; i++)
        if (red_state_is_fault(fleet->cells[i].state))
            fleet->cells[i].time_s = 0;
}

/* For qsort. */
static int by_value(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The median of n values, which it sorts; 0 of none. */
double red_fleet_median(double *values, size_t n) {
    qsort(values, n, sizeof *values, by_value);
    return n == 0 ? 0 : n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* Sets what is usual of n cells of one key in a group; `times` has room for n. */
static void set_usual(struct red_fleet_group *group, struct red_fleet_cell *cells, size_t n, double *times) {
    size_t counts[RED_STATES_N] = {0}, times_n = 0;
    enum red_state usual = RED_STATE_PENDING;
    for (size_t i = 0; i < n; i++) {
        counts[cells[i].state]++;
        if (cells[i].time_s > 0)
            times[times_n++] = cells[i].time_s;
    }
    counts[RED_STATE_PENDING] = 0;
    for (int state = 0; state < RED_STATES_N; state++)
        if (counts[state] > counts[usual] || (counts[state] > 0 && counts[state] == counts[usual] &&
                                              red_state_is_worse(usual, (enum red_state)state)))
            usual = (enum red_state)state;
    const double usual_s = times_n > 1 ? red_fleet_median(times, times_n) : 0;
    for (size_t i = 0; i < n; i++) {
        cells[i].usual = usual;
        cells[i].usual_is_of_most = 2 * counts[usual] > n;
        cells[i].usual_s = usual_s;
    }
    group->cells_n++;
    group->faults_n += red_state_is_fault(usual);
}

/* Called by red_fleet_find_outliers: fleet->cells, with what is usual. */
enum red_status red_fleet_make_cells(struct red_fleet *fleet, struct red_error *error) {
    size_t room = 1;
    for (size_t d = 0; d < fleet->devices_n; d++)
        room += fleet->devices[d].verified != NULL ? fleet->devices[d].verified->strategies_n
                                                   : fleet->devices[d].result->run.cells_n;
    fleet->cells = calloc(room, sizeof *fleet->cells);
    double *times = calloc(fleet->devices_n + 1, sizeof *times);
    if (fleet->cells == NULL || times == NULL) {
        free(times);
        return red_fail(error, RED_E_MEMORY, "no memory for %zu cells", room);
    }
    for (size_t d = 0; d < fleet->devices_n; d++)
        add_cells_of(fleet, d);
    qsort_r(fleet->cells, fleet->cells_n, sizeof *fleet->cells, by_key_and_device, fleet);
    join_geometries(fleet);
    for (size_t first = 0, end; first < fleet->cells_n; first = end) {
        const size_t group = fleet->devices[fleet->cells[first].device].group;
        for (end = first + 1; end < fleet->cells_n &&
                              fleet->devices[fleet->cells[end].device].group == group &&
                              key_order(&fleet->cells[first], &fleet->cells[end]) == 0;)
            end++;
        set_usual(&fleet->groups[group], &fleet->cells[first], end - first, times);
    }
    free(times);
    return RED_OK;
}
