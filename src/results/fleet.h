/* Many devices of many hosts: those of the same name, platform and driver are a fleet group, and what one of
 * a group does otherwise than most of it is an outlier. `compare --drivers`, `report` and `recommend` show
 * groups in place of devices where there are more than a table has columns for. */
#ifndef CLREDUCE_RESULTS_FLEET_H
#define CLREDUCE_RESULTS_FLEET_H

#include "results/loaded.h"

/* So many devices are shown one by one, and groups beyond; from the smaller number on groups, too, where a
 * group has two on average, of several hosts. */
enum { RED_FLEET_DEVICES_MAX = 16, RED_FLEET_DEVICES_FEW = 8 };

/* A device of a group takes longer, or less long, than its group if by more than this share of time and than
 * RED_FLEET_SPREADS times the spread of the group; below RED_FLEET_TIMED_MIN devices no spread is known.
 * Medians of two processes of one program differ by 5 % and more (docs/times.md); a device's is the median
 * over all its cells, and its roof is one time. */
#define RED_FLEET_TIME_MOST 0.05
#define RED_FLEET_ROOF_MOST 0.10
enum { RED_FLEET_SPREADS = 4, RED_FLEET_TIMED_MIN = 5 };

/* One device of one run. */
struct red_fleet_device {
    const struct red_result *result;
    const struct red_verify_device *verified; /* how its checks ended, of a file of `verify`; else NULL */
    size_t device, group;
    double time_ratio; /* median over its cells of its time by that of the group; 0: fewer than two timed */
    double roof_ratio; /* the same of its roof; 0: unknown */
    bool is_wrong;     /* something went wrong here, and not on most of its group */
    size_t outliers_n;
};

struct red_fleet_group {
    size_t first, n, hosts_n; /* its devices, by host */
    size_t usual;             /* the device that stands for it: of those without an outlier the one in the
                                 middle of the times, or of the run that stands for the first group */
    size_t cells_n, faults_n; /* keys, and those that went wrong on most of its devices */
    double roof;              /* the median, in bytes/s; 0: unknown */
    double spread;            /* of time_ratio, robust: 1.4826 times the median absolute deviation */
    size_t outlying_n;        /* devices with an outlier */
};

/* What one device has of one key, as struct red_key_side has it (compare/compare.h), and what is usual in its
 * group. */
struct red_fleet_cell {
    size_t device;
    const struct red_cell *cell;                /* the one with the time, or the worst; NULL of checks */
    const struct red_verify_strategy *strategy; /* of checks */
    enum red_state state, usual;
    bool usual_is_of_most;  /* of more than half of the group */
    double time_s, usual_s; /* 0: none */
};

/* From what is most urgent on. */
#define RED_FLEET_DIFFERENCES(X)                                                                             \
    X(FAULT, "wrong")                                                                                        \
    X(DRIVER, "other driver")                                                                                \
    X(CAPABILITY, "capability")                                                                              \
    X(SLOWER, "slower")                                                                                      \
    X(ROOF, "roof")                                                                                          \
    X(STATE, "ended otherwise")                                                                              \
    X(FASTER, "faster")
enum red_fleet_difference {
#define RED_FLEET_ENUM(id, name) RED_FLEET_##id,
    RED_FLEET_DIFFERENCES(RED_FLEET_ENUM)
#undef RED_FLEET_ENUM
        RED_FLEET_DIFFERENCES_N
};
extern const char *const red_fleet_difference_names[RED_FLEET_DIFFERENCES_N];

struct red_outlier {
    enum red_fleet_difference difference;
    size_t device;
    double size; /* of times: how many times as long or as short */
    char what[160], here[64], usual[96];
};

struct red_fleet {
    struct red_fleet_device *devices; /* owned, as all arrays; those of a group together */
    size_t devices_n, hosts_n, runs_n;
    struct red_fleet_group *groups; /* the largest first */
    size_t groups_n;
    struct red_fleet_cell *cells; /* by group, key and device */
    size_t cells_n;
    struct red_outlier *outliers; /* by difference, then by size, group and what is told */
    size_t outliers_n;
};

/* Makes the groups of all devices but hosts; the files must stay. Release with _clear, in any case. Errors:
 * RED_E_MEMORY. */
enum red_status red_fleet_make(const struct red_loaded_files *loaded, struct red_fleet *fleet,
                               struct red_error *error);
void red_fleet_clear(struct red_fleet *fleet);

/* Whether groups are shown and not devices. */
bool red_fleet_is_large(const struct red_fleet *fleet);

/* Finds what is usual in each group, and the outliers. Errors: RED_E_MEMORY. */
enum red_status red_fleet_find_outliers(struct red_fleet *fleet, struct red_error *error);

/* The first step of that: fleet->cells. The second sorts its values. */
enum red_status red_fleet_make_cells(struct red_fleet *fleet, struct red_error *error);
double red_fleet_median(double *values, size_t n);

/* "A", ..., "Z", "AA": the letter of a group in all tables. */
struct red_short_text red_fleet_letter(size_t group);

/* "node17"; where its group has several of that host also the id of the device, then the path of the file. */
void red_fleet_device_name(const struct red_fleet *fleet, size_t device, char *text, size_t text_bytes);

/* What is known of the device, as the result file of its run tells it. */
const struct red_run_device *red_fleet_run_device(const struct red_fleet_device *device);

/* What a table shows for a capability of a device of a result file, or for its event times where the name is
 * red_event_times; "?" where the file does not tell. */
extern const char red_event_times[];
const char *red_capability_word(const struct red_run_device *device, const char *name);

/* For advice from the files of a large fleet (red_fleet_is_large): the runs of all hosts of a group are runs
 * of one device from now on, and a run is dropped where something went wrong that is right on most of its
 * group, unless that is so of more than a tenth of a group: then the strategy is at fault. Names these hosts
 * on `out`. Of other files it changes nothing. Errors: RED_E_MEMORY. */
enum red_status red_fleet_join(struct red_loaded_files *loaded, FILE *out, struct red_error *error);

/* "3 wrong, 1 other driver": devices of each difference; "" without outliers. */
void red_fleet_outliers_format(const struct red_fleet *fleet, char *text, size_t text_bytes);

#endif
