/* Makes one device of the hosts of a fleet group, for `recommend` and `emit` (cli). */
#include <stdlib.h>
#include <string.h>

#include "results/fleet.h"

enum { NAMES_MAX = 20 }; /* of hosts in one line */

/* Whether so few of a group are wrong that their hosts are at fault. */
static bool is_fault_of_hosts(const struct red_fleet *fleet, const struct red_fleet_group *group) {
    size_t wrong_n = 0;
    for (size_t d = group->first; d < group->first + group->n; d++)
        wrong_n += fleet->devices[d].is_wrong;
    return wrong_n > 0 && group->n >= RED_FLEET_TIMED_MIN && 10 * wrong_n <= group->n;
}

/* Marks the runs of these hosts in `dropped`, by their place among the results, and names them on `out`. */
static void mark_and_print_dropped(const struct red_fleet *fleet, const struct red_loaded_files *loaded,
                                   bool *dropped, FILE *out) {
    for (size_t g = 0; g < fleet->groups_n; g++) {
        const struct red_fleet_group *group = &fleet->groups[g];
        char names[2048] = "", name[400];
        size_t n = 0;
        for (size_t d = group->first; d < group->first + group->n && is_fault_of_hosts(fleet, group); d++) {
            if (!fleet->devices[d].is_wrong)
                continue;
            red_fleet_device_name(fleet, d, name, sizeof name);
            if (n < NAMES_MAX)
                red_text_add(names, sizeof names, "%s%s", n > 0 ? ", " : "", name);
            dropped[fleet->devices[d].result - loaded->results] = true;
            n++;
        }
        if (n > NAMES_MAX)
            red_text_add(names, sizeof names, " and %zu more", n - NAMES_MAX);
        if (n > 0)
            red_text_print(out,
                           "left out, since %s went wrong there and not on the other %zu devices with driver "
                           "%s: %s; clreduce compare --drivers tells what\n",
                           red_fleet_run_device(&fleet->devices[group->first])->info.id, group->n - n,
                           red_fleet_run_device(&fleet->devices[group->first])->info.driver, names);
    }
}

/* Drops the results that are marked. */
static void drop_results(struct red_loaded_files *loaded, const bool *dropped) {
    size_t n = 0;
    for (size_t r = 0; r < loaded->results_n; r++) {
        if (dropped[r])
            red_result_clear(&loaded->results[r]);
        else
            loaded->results[n++] = loaded->results[r];
    }
    loaded->results_n = n;
}

enum red_status red_fleet_join(struct red_loaded_files *loaded, FILE *out, struct red_error *error) {
    struct red_fleet fleet;
    bool *dropped = calloc(loaded->results_n + 1, sizeof *dropped);
    enum red_status status = dropped != NULL ? red_fleet_make(loaded, &fleet, error)
                                             : red_fail(error, RED_E_MEMORY, "no memory for a fleet");
    if (dropped == NULL)
        return status;
    const bool is_large = status == RED_OK && red_fleet_is_large(&fleet) && fleet.hosts_n > 1;
    if (is_large)
        status = red_fleet_find_outliers(&fleet, error);
    if (is_large && status == RED_OK) {
        mark_and_print_dropped(&fleet, loaded, dropped, out);
        drop_results(loaded, dropped);
        for (size_t r = 0; r < loaded->results_n; r++)
            loaded->results[r].joins_hosts = true;
        for (size_t c = 0; c < loaded->checks_n; c++)
            loaded->checks[c].result.joins_hosts = true;
    }
    red_fleet_clear(&fleet);
    free(dropped);
    return status;
}
