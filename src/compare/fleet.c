/* `compare --drivers` of more devices than a table has columns for: groups of devices, who differs from its
 * group, and the groups side by side, each by the device that stands for it. compare/drivers.c calls it. */
#include <stdio.h>
#include <string.h>

#include "compare/compare.h"
#include "console/fleet_table.h"
#include "core/text.h"

/* Called by red_drivers_show in place of the list of sides; `out` is the screen or the file of --output. */
void red_fleet_show(const struct red_comparison *comparison, FILE *out) {
    const struct red_fleet *fleet = &comparison->fleet;
    char text[1024];
    size_t left_n;
    red_fleet_sentence(fleet, text, sizeof text);
    red_wrapped_print(out, "", text);
    struct red_table *groups = red_fleet_groups_table(fleet);
    red_table_print_below(
        groups,
        "Groups (cells: of which so many are wrong on most of its devices; spread: of its times):", NULL,
        out);
    struct red_table *outliers = red_fleet_outliers_table(fleet, &left_n);
    red_table_print_below(outliers, "Who differs from most of its group, what is most urgent first:", NULL,
                          out);
    if (left_n > 0)
        fprintf(out, "%zu more are left out here\n", left_n);
    red_table_destroy(groups);
    red_table_destroy(outliers);
}

/* Adds the row of one device for one key to the CSV or JSON. */
static void add_data_row(const struct red_comparison *comparison, const struct red_fleet_cell *cell,
                         struct red_table *table) {
    const struct red_fleet_device *device = &comparison->fleet.devices[cell->device];
    const struct red_device_info *info = &red_fleet_run_device(device)->info;
    const struct red_statistics *time = &cell->cell->time;
    const double usual_s = cell->time_s > 0 && cell->usual_s > 0 ? cell->usual_s : 1;
    red_key_data_put(comparison, cell->cell, table);
    RED_PUT(table, red_fleet_letter(device->group).text, info->id, info->driver, device->result->machine,
            device->result->path, red_state_name(cell->state));
    red_interval_data_put(time->median, time->low, time->high, cell->time_s > 0 ? 3 : 0, table);
    red_interval_data_put(time->median / usual_s, time->low / usual_s, time->high / usual_s,
                          cell->time_s > 0 && cell->usual_s > 0 ? 3 : 0, table);
    red_table_put(table, "%s", cell->usual_s > 0 ? "median of the group" : "");
}

/* Called by red_drivers_write for --format csv or json: a row for each device and key. */
enum red_status red_fleet_cells_write(const struct red_comparison *comparison, const char *behind,
                                      struct red_error *error) {
    struct red_table *table = red_key_table_create(comparison, "", behind);
    for (size_t i = 0; i < comparison->fleet.cells_n; i++)
        if (comparison->fleet.cells[i].state != RED_STATE_PENDING)
            add_data_row(comparison, &comparison->fleet.cells[i], table);
    enum red_status status =
        red_table_write(table, comparison->output->format, comparison->output->path, error);
    red_table_destroy(table);
    return status;
}
