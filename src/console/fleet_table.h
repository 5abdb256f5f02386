/* The tables of a fleet, for the screen (`compare --drivers`) and for the page of `report`. */
#ifndef CLREDUCE_CONSOLE_FLEET_TABLE_H
#define CLREDUCE_CONSOLE_FLEET_TABLE_H

#include "console/table.h"
#include "results/fleet.h"

/* "2000 devices of 1000 runs on 1000 hosts, in 3 groups of one device, platform and driver. 8 differ from
 * most of their group: 2 wrong, ..." */
void red_fleet_sentence(const struct red_fleet *fleet, char *text, size_t text_bytes);

/* A row for each group. NULL without memory, which is noted; so is the next one. */
struct red_table *red_fleet_groups_table(const struct red_fleet *fleet);

/* A row for each outlier, those that are told alike in one; of each difference the first few, and *left_n
 * others.
 */
struct red_table *red_fleet_outliers_table(const struct red_fleet *fleet, size_t *left_n);

#endif
