#define _GNU_SOURCE /* getloadavg, sched_getaffinity */
/* The model of a run: the host, what states mean for the exit status, the fastest cell of a place, and times
 * that no memory allows. bench fills a run; report, compare and recommend read one. */
#include "results/run.h"

#include <jansson.h>
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/numbers.h"
#include "model/primitive.h"

/* The first processor's, as Linux tells it; "unknown" elsewhere. JSON "processor". */
static void processor_name_find(char *text, size_t text_bytes) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(text, text_bytes, "unknown");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && value != NULL) {
            value += 1 + strspn(value + 1, " ");
            snprintf(text, text_bytes, "%.*s", (int)strcspn(value, "\n"), value);
            break;
        }
    }
    if (file != NULL)
        fclose(file);
}

/* Records variables that change how drivers and OpenMP work; compare shows where they differ. */
static void environment_find(struct red_host *host) {
    static const char *const names[] = {
        "POCL_AFFINITY",
        "POCL_MAX_PTHREAD_COUNT",
        "POCL_DEVICES",
        "POCL_MEMORY_LIMIT",
        "CL_CONFIG_CPU_TARGET_ARCH",
        "CL_CONFIG_CPU_TBB_NUM_WORKERS",
        "CL_CONFIG_USE_TRAPPING",
        "DPCPP_CPU_NUM_CUS",
        "DPCPP_CPU_PLACES",
        "DPCPP_CPU_CU_AFFINITY",
        "DPCPP_CPU_SCHEDULE",
        "SYCL_CPU_PLACES",
        "SYCL_CPU_CU_AFFINITY",
        "SYCL_CPU_SCHEDULE",
        "OMP_NUM_THREADS",
        "OMP_PROC_BIND",
        "OMP_PLACES",
        "OMP_WAIT_POLICY",
    };
    _Static_assert(sizeof names / sizeof names[0] <= RED_SETTINGS_MAX, "there is room for all");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct red_setting *setting = &host->environment[host->environment_n];
        const char *value = getenv(names[i]);
        if (value == NULL)
            continue;
        snprintf(setting->name, sizeof setting->name, "%s", names[i]);
        snprintf(setting->value, sizeof setting->value, "%s", value);
        host->environment_n++;
    }
}

/* For JSON "host" of bench and duel, bench's warning of a busy machine, and the row `host` of devices. */
void red_host_find(struct red_host *host) {
    *host = (struct red_host){.cores_n = 1};
    struct utsname names;
    if (uname(&names) == 0) {
        snprintf(host->name, sizeof host->name, "%.100s", names.nodename);
        snprintf(host->system, sizeof host->system, "%.60s %.60s %.60s", names.sysname, names.release,
                 names.machine);
    }
    processor_name_find(host->processor, sizeof host->processor);
    snprintf(host->compiler, sizeof host->compiler, "%.100s", __VERSION__);
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0)
        host->cores_n = (unsigned)CPU_COUNT(&cores);
    host->memory_gib = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE) / (1 << 30);
    if (getloadavg(&host->load, 1) != 1)
        host->load = 0;
    environment_find(host);
}

/* For result files and files of verify that are read. */
void red_host_machine_format(const struct red_host *host, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, "%.100s, %.120s, %.0f GiB", host->name, host->processor, host->memory_gib);
}

/* For --export of bench, verify and duel. */
void red_host_processor_format(const struct red_host *host, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, "%s, %u cores", host->processor, host->cores_n);
}

/* The first line of a file of Linux about a processor's cache, without its end. False: there is none. */
static bool read_cache_file(unsigned cpu, unsigned index, const char *name, char *text, int text_bytes) {
    char path[128];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cache/index%u/%s", cpu, index, name);
    FILE *file = fopen(path, "r");
    bool read = file != NULL && fgets(text, text_bytes, file) != NULL;
    if (file != NULL)
        fclose(file);
    if (read)
        text[strcspn(text, "\n")] = '\0';
    return read;
}

/* The sum of all caches of data, for red_run_mark_implausible. A cache that processors share counts for the
 * first of them; one that is switched off has none. */
double red_host_all_caches_bytes(void) {
    enum { INDICES_MAX = 8 };
    const long cpus_n = sysconf(_SC_NPROCESSORS_CONF);
    double all = 0;
    char type[32], size[32], shared[512];
    for (unsigned cpu = 0; cpu < cpus_n; cpu++)
        for (unsigned i = 0; i < INDICES_MAX && read_cache_file(cpu, i, "type", type, sizeof type); i++)
            if (strcmp(type, "Instruction") != 0 && read_cache_file(cpu, i, "size", size, sizeof size) &&
                read_cache_file(cpu, i, "shared_cpu_list", shared, sizeof shared) &&
                strtoul(shared, NULL, 10) == cpu)
                all += 1024 * strtod(size, NULL);
    return all;
}

/* Names of states stand in tables, files, exports and messages of all verbs that run or read cells. */
const char *red_state_name(enum red_state state) {
    static const char *const names[RED_STATES_N] = {
#define RED_STATE_NAME(id, name) [RED_STATE_##id] = name,
        RED_STATES(RED_STATE_NAME)
#undef RED_STATE_NAME
    };
    return names[state];
}

/* For verify --resume: the state in a line of the journal. */
enum red_state red_state_find(const char *name) {
    int state = 0;
    while (name != NULL && state < RED_STATES_N && strcmp(red_state_name((enum red_state)state), name) != 0)
        state++;
    return name != NULL && state < RED_STATES_N ? (enum red_state)state : RED_STATE_PENDING;
}

/* For bench, verify, once and duel: the state of a cell whose check or call failed. */
enum red_state red_state_of(enum red_status status) {
    static const enum red_state states[RED_STATUS_N] = {
        [RED_OK] = RED_STATE_PASS,
        [RED_E_INPUT] = RED_STATE_BUILD_FAILED,
        [RED_E_MEMORY] = RED_STATE_FAILED, /* what does not fit is known before, and is RED_E_UNSUPPORTED */
        [RED_E_BUILD] = RED_STATE_BUILD_FAILED,
        [RED_E_UNSUPPORTED] = RED_STATE_UNSUPPORTED,
        [RED_E_DEVICE] = RED_STATE_FAILED,
        [RED_E_NO_DEVICE] = RED_STATE_FAILED,
        [RED_E_WRONG] = RED_STATE_WRONG,
        [RED_E_CRASHED] = RED_STATE_CRASHED,
        [RED_E_TIMED_OUT] = RED_STATE_TIMED_OUT,
        [RED_E_UNTRIED] = RED_STATE_OVER_BUDGET,
        [RED_E_INTERRUPTED] = RED_STATE_PENDING,
    };
    return states[status];
}

/* For the exit status of bench, verify and duel. */
enum red_status red_state_status(enum red_state state) {
    static const enum red_status statuses[RED_STATES_N] = {
        [RED_STATE_WRONG] = RED_E_WRONG,         [RED_STATE_CRASHED] = RED_E_CRASHED,
        [RED_STATE_TIMED_OUT] = RED_E_TIMED_OUT, [RED_STATE_FAILED] = RED_E_DEVICE,
        [RED_STATE_BUILD_FAILED] = RED_E_BUILD,
    };
    return statuses[state];
}

const enum red_state red_states_worst_first[RED_STATES_N] = {
    RED_STATE_WRONG,        RED_STATE_CRASHED,     RED_STATE_TIMED_OUT, RED_STATE_FAILED,
    RED_STATE_BUILD_FAILED, RED_STATE_IMPLAUSIBLE, RED_STATE_KNOWN_BUG, RED_STATE_PASS,
    RED_STATE_OVER_BUDGET,  RED_STATE_UNSUPPORTED, RED_STATE_PENDING};

bool red_state_is_worse(enum red_state a, enum red_state b) {
    size_t at = 0;
    while (red_states_worst_first[at] != a && red_states_worst_first[at] != b)
        at++;
    return a != b && red_states_worst_first[at] == a;
}

/* For compare: what counts as a failure of a side, in its tables and for --fail-above. */
bool red_state_is_fault(enum red_state state) {
    return red_state_is_worse(state, RED_STATE_KNOWN_BUG);
}

/* For the exit status and message of bench and verify. */
enum red_state red_state_deciding_exit(const size_t counts[RED_STATES_N]) {
    for (size_t i = 0; i < RED_STATES_N; i++) {
        const enum red_state state = red_states_worst_first[i];
        if (counts[state] > 0 && red_state_status(state) != RED_OK)
            return state;
    }
    return RED_STATE_PASS;
}

/* Called below, and for a device that --device of report drops. */
void red_run_device_clear(struct red_run_device *device) {
    for (size_t i = 0; i < device->found_n; i++)
        json_decref(device->found[i].group_sizes);
    free(device->found);
    device->found = NULL;
    device->found_n = 0;
}

#define NAME_OF(id, name) name,
const char *const red_cell_kind_names[RED_CELL_KINDS_N] = {RED_CELL_KINDS(NAME_OF)};
const char *const red_run_split_names[RED_RUN_SPLITS_N] = {"roof", "equal"};

void red_cell_clear(struct red_cell *cell) {
    for (size_t part = 0; part < RED_PARTS_N; part++) {
        free(cell->parts_s[part]);
        cell->parts_s[part] = NULL;
    }
    free(cell->samples_s);
    free(cell->cpu_s);
    free(cell->answers);
    cell->samples_s = cell->cpu_s = NULL;
    cell->answers = NULL;
    cell->samples_n = cell->answers_n = 0;
}

double *red_cell_part_s(const struct red_cell *cell, enum red_time_part part) {
    return part == RED_PART_TOTAL ? cell->samples_s : cell->parts_s[part];
}

enum red_status red_cell_find_part_medians(struct red_cell *cell, struct red_error *error) {
    enum red_status status = RED_OK;
    cell->part_medians_s[RED_PART_TOTAL] = cell->time.median;
    for (int part = RED_PART_DEVICE; part < RED_PARTS_N && status == RED_OK; part++) {
        struct red_statistics found = {.n = 0};
        if (cell->parts_s[part] != NULL)
            status = red_statistics_find(cell->parts_s[part], cell->samples_n, &found, error);
        cell->part_medians_s[part] = found.median;
    }
    return status;
}

enum red_status red_cell_find_statistics(struct red_cell *cell, struct red_error *error) {
    if (cell->state == RED_STATE_PASS && cell->samples_n == 0)
        cell->state = RED_STATE_PENDING;
    if (cell->samples_n == 0)
        return RED_OK;
    const enum red_status status = red_statistics_find(cell->samples_s, cell->samples_n, &cell->time, error);
    return status == RED_OK ? red_cell_find_part_medians(cell, error) : status;
}

struct red_short_text red_run_program_text(const struct red_run *run) {
    struct red_short_text made;
    snprintf(made.text, sizeof made.text, "%s %s", run->program[0] != '\0' ? run->program : "clreduce",
             run->version[0] != '\0' ? run->version : CLREDUCE_VERSION);
    return made;
}

bool red_run_is_of_peer(const struct red_run *run) {
    bool of_peer = run->cells_n > 0;
    for (size_t i = 0; i < run->cells_n; i++)
        of_peer = of_peer && run->cells[i].kind == RED_CELL_PEER;
    for (size_t i = 0; i < run->beside_n; i++)
        of_peer = of_peer && run->beside[i].kind == RED_CELL_ALONE;
    return of_peer;
}

long red_run_find_device_of_name(const struct red_run *run, const char *name) {
    for (size_t d = 0; d < run->devices_n; d++)
        if (strcmp(run->devices[d].info.name, name) == 0)
            return (long)d;
    return -1;
}

unsigned red_run_axes(const struct red_run *run) {
    return RED_AT_ALL & ~(run->over_ranks.ranks_n > 0 ? 0U : RED_AT_OVER_RANKS);
}

struct red_cell *red_run_any_cell(const struct red_run *run, size_t i) {
    return i < run->cells_n ? &run->cells[i] : &run->beside[i - run->cells_n];
}

bool red_run_has_pending(const struct red_run *run) {
    bool has_any = false;
    for (size_t i = 0; i < run->cells_n + run->beside_n && !has_any; i++)
        has_any = red_run_any_cell(run, i)->state == RED_STATE_PENDING;
    return has_any;
}

/* Seen as "no answer" in place of a state, and in the exit status of bench --ranks. */
bool red_cell_has_no_answer(const struct red_cell *cell) {
    return cell->at.ranks_n > 0 && cell->at.n == 0 && cell->at.strategy != NULL &&
           red_op_find(cell->at.op->name) != NULL && red_dtype_find(cell->at.dtype->name) != NULL &&
           red_op_check_n(cell->at.op, cell->at.dtype, 0, NULL) != RED_OK;
}

enum red_status red_run_add_cell(struct red_run *run, struct red_cell *cell, struct red_error *error) {
    const bool is_beside = cell->kind >= RED_CELL_ROOF;
    struct red_cell **cells = is_beside ? &run->beside : &run->cells;
    size_t *cells_n = is_beside ? &run->beside_n : &run->cells_n;
    if (!RED_GROW(*cells, *cells_n, 1))
        return red_fail(error, RED_E_MEMORY, "no memory for a cell");
    (*cells)[(*cells_n)++] = *cell;
    *cell = (struct red_cell){.device = 0};
    return RED_OK;
}

/* Clears a run of bench, or one that was read (red_result_clear). */
void red_run_clear(struct red_run *run) {
    for (size_t i = 0; i < run->cells_n; i++)
        red_cell_clear(&run->cells[i]);
    for (size_t i = 0; i < run->beside_n; i++)
        red_cell_clear(&run->beside[i]);
    for (size_t d = 0; d < run->devices_n; d++)
        red_run_device_clear(&run->devices[d]);
    free(run->over_ranks.ranks);
    free(run->beside);
    free(run->cells);
    free(run->devices);
    free(run->accuracies);
    free(run->ordered);
    *run = (struct red_run){.seed = 0};
}

/* For bench --accuracy: JSON "accuracy", from which report has a table. */
enum red_status red_run_add_accuracy(struct red_run *run, const struct red_accuracy *accuracy,
                                     struct red_error *error) {
    if (!RED_GROW(run->accuracies, run->accuracies_n, 1))
        return red_fail(error, RED_E_MEMORY, "no memory for an accuracy");
    run->accuracies[run->accuracies_n++] = *accuracy;
    return RED_OK;
}

/* The axes of the index: cells of one device, table and n stand together, and of these, in its first half,
 * those of one strategy. */
enum { ANY_STRATEGY = RED_AT(DEVICE) | RED_AT_TABLE | RED_AT(N) };
enum { ONE_STRATEGY = ANY_STRATEGY | RED_AT(STRATEGY) };

/* The fastest comes first, which tables and charts show, behind it banned strategies, and what was not timed
 * last; of several the first of the run. */
static int compare_times(const struct red_cell *a, const struct red_cell *b) {
    const bool a_timed = a->samples_n > 0, b_timed = b->samples_n > 0;
    int order = b_timed - a_timed;
    if (order == 0 && a_timed)
        order = a->banned - b->banned;
    if (order == 0 && a_timed)
        order = (a->time.median > b->time.median) - (a->time.median < b->time.median);
    return order ? order : (a > b) - (a < b);
}

/* Orders for qsort: by place whatever the strategy, and by place and strategy; the fastest first. */
static int by_place(const void *left, const void *right) {
    const struct red_cell *a = *(const struct red_cell *const *)left,
                          *b = *(const struct red_cell *const *)right;
    int order = red_at_compare(&a->at, &b->at, ANY_STRATEGY);
    return order ? order : compare_times(a, b);
}

static int by_strategy(const void *left, const void *right) {
    const struct red_cell *a = *(const struct red_cell *const *)left,
                          *b = *(const struct red_cell *const *)right;
    int order = red_at_compare(&a->at, &b->at, ONE_STRATEGY);
    return order ? order : compare_times(a, b);
}

void red_run_make_index(struct red_run *run) {
    const size_t n = run->cells_n;
    free(run->ordered);
    run->ordered = calloc(2 * n + 1, sizeof *run->ordered); /* of none, too */
    if (run->ordered == NULL)
        return;
    for (size_t i = 0; i < n; i++)
        run->ordered[i] = run->ordered[n + i] = &run->cells[i];
    qsort(run->ordered, n, sizeof *run->ordered, by_strategy);
    qsort(run->ordered + n, n, sizeof *run->ordered, by_place);
}

/* The first cell of the place in the order of these axes, or NULL. */
static const struct red_cell *find_ordered(const struct red_run *run, const struct red_at *place,
                                           unsigned axes) {
    const struct red_cell *const *ordered = run->ordered + (axes == ONE_STRATEGY ? 0 : run->cells_n);
    size_t at;
    RED_LOWER_BOUND(at, run->cells_n, red_at_compare(&ordered[at]->at, place, axes) < 0);
    return at < run->cells_n && red_at_is_same(&ordered[at]->at, place, axes) ? ordered[at] : NULL;
}

/* For tables below charts of report, which say why a cell has no time. */
const struct red_cell *red_run_fastest_or_first(const struct red_run *run, size_t device,
                                                const struct red_strategy *strategy, const struct red_at *of,
                                                uint64_t n) {
    struct red_at place = *of;
    place.device = run->devices[device].info.id;
    place.strategy = strategy;
    place.n = n;
    const unsigned axes = strategy != NULL ? ONE_STRATEGY : ANY_STRATEGY;
    const struct red_cell *best = NULL;
    if (run->ordered != NULL)
        return find_ordered(run, &place, axes);
    for (const struct red_cell *cell = run->cells; cell < run->cells + run->cells_n; cell++)
        if (red_at_is_same(&cell->at, &place, axes) && (best == NULL || compare_times(cell, best) < 0))
            best = cell;
    return best;
}

/* For the table of times (bench) and the charts of report, by way of console/console_table.c. */
const struct red_cell *red_run_fastest(const struct red_run *run, size_t device,
                                       const struct red_strategy *strategy, const struct red_at *of,
                                       uint64_t n) {
    const struct red_cell *best = red_run_fastest_or_first(run, device, strategy, of, n);
    return best != NULL && best->samples_n > 0 && (strategy != NULL || !best->banned) ? best : NULL;
}

/* For the column OpenMP (console/console_table.c) and the sentence of recommend (recommend/curves.c). */
const struct red_cell *red_run_openmp(const struct red_run *run, const struct red_at *of, uint64_t n) {
    for (const struct red_cell *cell = run->cells; cell < run->cells + run->cells_n; cell++)
        if (cell->device == 0 && strcmp(cell->at.strategy->name, RED_HOST_STRATEGY) == 0)
            return red_run_fastest(run, 0, cell->at.strategy, of, n);
    return NULL;
}

bool red_cell_is_incomplete(const struct red_cell *cell) {
    return cell->unchecked[0] != '\0';
}

/* For the table of bench, and for its estimate: calls at smaller n of a line tell how long others take. */
bool red_cell_same_line(const struct red_cell *a, const struct red_cell *b) {
    const unsigned axes = a->is_slowest || b->is_slowest ? RED_AT_LINE & ~RED_AT(DATA) : RED_AT_LINE;
    return red_at_is_same(&a->at, &b->at, axes) && strcmp(a->experiment, b->experiment) == 0;
}

/* For bench and verify: the member `primitive` of their files. */
void red_run_set_primitive(struct red_run *run, enum red_primitive primitive) {
    snprintf(run->primitive, sizeof run->primitive, "%s", red_primitive_stated_name(primitive));
}

/* GB/s in the table, in CSV and in charts come from it, and so does what is implausible. */
double red_cell_bytes(const struct red_cell *cell) {
    const double results_bytes = red_primitives[cell->at.op->primitive].roof_copies
                                     ? (double)red_op_result_dtype(cell->at.op, cell->at.dtype)->size_bytes
                                     : 0;
    const enum red_shape_kind shape = red_at_shape_kind(&cell->at);
    if (shape == RED_SHAPE_COMPUTED || shape == RED_SHAPE_CHANGED)
        return 0;
    return (double)cell->at.n * (double)cell->segments_n *
           ((double)cell->at.dtype->size_bytes * cell->at.op->arrays + results_bytes);
}

/* ---- the data of histograms ------------------------------------------------------------------------------
 * Cells that differ in it alone, and the slowest of them. Seen as the second table of `bench`, and in the
 * second section that report and recommend have for a histogram. */

/* A cell, where it stands among those that red_cells_slowest was given, and the one of uniform data. */
struct placed_cell {
    const struct red_cell *cell, *uniform;
    size_t at;
};

static int compare_but_data(const struct red_cell *a, const struct red_cell *b) {
    return red_at_compare(&a->at, &b->at, RED_AT_ALL & ~RED_AT(DATA));
}

/* For qsort, of placed cells: those that differ in their data alone stand together, as they stood. */
static int by_all_but_data(const void *left, const void *right) {
    const struct placed_cell *a = left, *b = right;
    const int order = compare_but_data(a->cell, b->cell);
    return order ? order : (a->at > b->at) - (a->at < b->at);
}

static int by_standing(const void *left, const void *right) {
    const struct placed_cell *a = left, *b = right;
    return (a->at > b->at) - (a->at < b->at);
}

/* Whether the cell is slower than another that differs in its data alone. */
static bool is_slower(const struct red_cell *cell, const struct red_cell *other) {
    if (cell->samples_n > 0 && other->samples_n > 0)
        return cell->time.median > other->time.median;
    if (cell->samples_n > 0 || other->samples_n > 0)
        return cell->samples_n == 0;
    return red_state_is_worse(cell->state, other->state);
}

/* For the second table of `bench` (console/console_table.c) and for queries of a file (results/queries.c). */
struct red_cell *red_cells_slowest(const struct red_run *first, const struct red_run *second,
                                   size_t *slowest_n) {
    const size_t first_n = first != NULL ? first->cells_n : 0, cells_n = first_n + second->cells_n;
    struct placed_cell *placed = calloc(cells_n + 1, sizeof *placed);
    struct red_cell *slowest = placed != NULL ? calloc(cells_n + 1, sizeof *slowest) : NULL;
    size_t groups_n = 0;
    for (size_t i = 0; i < cells_n && slowest != NULL; i++) {
        const struct red_cell *cell = i < first_n ? &first->cells[i] : &second->cells[i - first_n];
        placed[i] = (struct placed_cell){cell, cell->at.data[0] == '\0' ? cell : NULL, i};
    }
    if (slowest != NULL)
        qsort(placed, cells_n, sizeof *placed, by_all_but_data);
    for (size_t i = 0; i < cells_n && slowest != NULL; i++) {
        struct placed_cell *last = &placed[groups_n - (groups_n > 0)];
        if (groups_n == 0 || compare_but_data(last->cell, placed[i].cell) != 0) {
            placed[groups_n++] = placed[i];
            continue;
        }
        last->uniform = last->uniform != NULL ? last->uniform : placed[i].uniform;
        last->cell = is_slower(placed[i].cell, last->cell) ? placed[i].cell : last->cell;
    }
    if (slowest != NULL)
        qsort(placed, groups_n, sizeof *placed, by_standing);
    for (size_t i = 0; i < groups_n; i++) {
        slowest[i] = *placed[i].cell;
        slowest[i].is_slowest = true;
        slowest[i].uniform = placed[i].uniform;
    }
    *slowest_n = groups_n;
    free(placed);
    return slowest;
}

double red_cell_roof_share(const struct red_run *run, const struct red_cell *cell) {
    const double roof = run->devices[cell->device].roof_bytes_per_s;
    const double share = roof > 0 ? red_cell_bytes(cell) / cell->time.median / roof : 0;
    return share < RED_ROOF_SHARE_IMPOSSIBLE ? share : 0;
}

/* ---- rates that no memory has --------------------------------------------------------------------------
 * Seen as state `implausible` with its reason, in place of a time. */

/* No cache of a device that is known so far holds more: 256 MB of an MI300X, 126 of a B200, 50 of an H100. A
 * driver need not know them (NVIDIA's tells those of the first level). */
static const double HOST_CACHE_MIN = 64 << 20, DEVICE_CACHE_MIN = 256 << 20;

/* Caches hold at most a quarter of the array that is judged; a rate above so many roofs is not of memory. */
static const double BEYOND = 4, ROOFS = 1.3;

/* Whether its roof and its times are of the host's memory: the host, or a device that is a CPU. */
static bool uses_host_memory(const struct red_run_device *device) {
    return device->is_host || device->info.shape.is_cpu;
}

/* The best roof of the device, or of any that shares the host's memory with it, over an array of that size at
 * least; 0 if there is none. */
static double best_roof(const struct red_run *run, size_t d, double bytes_min) {
    double best = 0;
    for (size_t i = 0; i < run->devices_n; i++) {
        const struct red_run_device *device = &run->devices[i];
        bool same_memory = i == d || (uses_host_memory(device) && uses_host_memory(&run->devices[d]));
        if (same_memory && device->roof_bytes >= bytes_min)
            best = fmax(best, fmax(device->roof_best_bytes_per_s, device->roof_bytes_per_s));
    }
    return best;
}

size_t red_run_mark_implausible(struct red_run *run, double host_cache_bytes) {
    size_t found_n = 0;
    for (size_t i = 0; i < run->cells_n; i++) {
        struct red_cell *cell = &run->cells[i];
        double cache = uses_host_memory(&run->devices[cell->device]) ? fmax(host_cache_bytes, HOST_CACHE_MIN)
                                                                     : DEVICE_CACHE_MIN;
        double roof = best_roof(run, cell->device, BEYOND * cache);
        if (cell->state != RED_STATE_PASS || cell->samples_n == 0 || roof == 0 ||
            red_cell_bytes(cell) < BEYOND * cache)
            continue;
        double rate = red_cell_bytes(cell) / cell->time.median;
        if (rate <= ROOFS * roof)
            continue;
        cell->state = RED_STATE_IMPLAUSIBLE;
        snprintf(cell->reason, sizeof cell->reason,
                 "%.4g GB/s in %.3g s a call, %.3g times the best that a kernel reached that only %s (%.4g "
                 "GB/s): no memory is %s so fast; the time is not ranked",
                 1e-9 * rate, cell->time.median, rate / roof, red_primitives[cell->at.op->primitive].only,
                 1e-9 * roof, red_primitives[cell->at.op->primitive].done);
        cell->samples_n = 0;
        cell->device_s = cell->back_to_back_s = cell->launches.n = 0;
        found_n++;
    }
    return found_n;
}
