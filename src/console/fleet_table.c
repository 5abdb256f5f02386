/* The tables of a fleet: its groups, and who differs from them. Called by compare/fleet.c and report/fleet.c,
 * with the fleet whose outliers are known. */
#include "console/fleet_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "console/console_table.h"

enum { ROWS_MAX = 20, NAMES_MAX = 4 }; /* of one difference; of one row */

void red_fleet_sentence(const struct red_fleet *fleet, char *text, size_t text_bytes) {
    char outliers[256];
    size_t outlying_n = 0;
    for (size_t g = 0; g < fleet->groups_n; g++)
        outlying_n += fleet->groups[g].outlying_n;
    red_fleet_outliers_format(fleet, outliers, sizeof outliers);
    snprintf(text, text_bytes,
             "%zu devices of %zu runs on %zu host%s, in %zu group%s of one device, platform and driver. ",
             fleet->devices_n, fleet->runs_n, fleet->hosts_n, fleet->hosts_n == 1 ? "" : "s", fleet->groups_n,
             fleet->groups_n == 1 ? "" : "s");
    if (outlying_n == 0)
        red_text_add(text, text_bytes, "None differs from the others of its group.");
    else
        red_text_add(text, text_bytes, "%zu differ%s from most of their group: %s.", outlying_n,
                     outlying_n == 1 ? "s" : "", outliers);
}

/* Adds "3.1 %", of times and roofs; "-" where that is not known. */
static void percent_put(double value, bool is_known, struct red_table *table) {
    red_table_put(table, is_known ? "%.1f %%" : "-", 100 * value);
}

struct red_table *red_fleet_groups_table(const struct red_fleet *fleet) {
    struct red_table *table = red_table_create("group|hosts>|devices>|device@28|platform@18|driver@18|cells>|"
                                               "wrong>|roof GB/s>|spread>|outliers>");
    for (size_t g = 0; g < fleet->groups_n; g++) {
        const struct red_fleet_group *group = &fleet->groups[g];
        const struct red_device_info *info = &red_fleet_run_device(&fleet->devices[group->first])->info;
        red_table_put(table, "%s", red_fleet_letter(g).text);
        red_table_put(table, "%zu", group->hosts_n);
        red_table_put(table, "%zu", group->n);
        RED_PUT(table, info->name, info->platform, info->driver);
        red_table_put(table, "%zu", group->cells_n);
        red_table_put(table, "%zu", group->faults_n);
        red_table_put(table, "%s", red_rate_text(group->roof).text);
        percent_put(group->spread, group->n >= RED_FLEET_TIMED_MIN && group->spread > 0, table);
        red_table_put(table, "%zu", group->outlying_n);
    }
    return table;
}

/* Whether both are one row: they differ in the device alone. */
static bool is_told_alike(const struct red_fleet *fleet, const struct red_outlier *a,
                          const struct red_outlier *b) {
    return a->difference == b->difference &&
           fleet->devices[a->device].group == fleet->devices[b->device].group &&
           strcmp(a->what, b->what) == 0 && strcmp(a->here, b->here) == 0 && strcmp(a->usual, b->usual) == 0;
}

/* Adds the row of n outliers that are told alike. */
static void add_outliers_row(const struct red_fleet *fleet, const struct red_outlier *first, size_t n,
                             struct red_table *table) {
    char names[512] = "", name[400];
    for (size_t i = 0; i < n && i < NAMES_MAX; i++) {
        red_fleet_device_name(fleet, first[i].device, name, sizeof name);
        red_text_add(names, sizeof names, "%s%s", i > 0 ? ", " : "", name);
    }
    if (n > NAMES_MAX)
        red_text_add(names, sizeof names, " and %zu more", n - NAMES_MAX);
    RED_PUT(table, names, red_fleet_letter(fleet->devices[first->device].group).text,
            red_fleet_difference_names[first->difference], first->what, first->here, first->usual);
}

struct red_table *red_fleet_outliers_table(const struct red_fleet *fleet, size_t *left_n) {
    struct red_table *table =
        red_table_create("host@30|group|differs in|what@40|here@24|most of its group@30");
    size_t rows_n = 0; /* of this difference */
    *left_n = 0;
    for (size_t i = 0, end; i < fleet->outliers_n; i = end) {
        const struct red_outlier *first = &fleet->outliers[i];
        for (end = i + 1; end < fleet->outliers_n && is_told_alike(fleet, first, &fleet->outliers[end]);)
            end++;
        rows_n = i > 0 && fleet->outliers[i - 1].difference == first->difference ? rows_n + 1 : 1;
        if (rows_n <= ROWS_MAX)
            add_outliers_row(fleet, first, end - i, table);
        else
            *left_n += end - i;
    }
    return table;
}
