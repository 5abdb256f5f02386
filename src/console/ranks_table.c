/* Prints one array over many ranks for bench --ranks; report/scalings.c writes the same tables and sentences
 * into its page. */
#include "console/ranks_table.h"

#include <string.h>

#include "console/console_table.h"
#include "core/memory.h"
#include "core/select.h"
#include "model/types.h"
#include "results/bans.h"
#include "results/steadiness.h"

/* ---- words ---------------------------------------------------------------------------------------------
 * For the tables and the sentences below, and for those of the report. */

struct red_short_text red_time_text(double seconds) {
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}};
    const double size = seconds < 0 ? -seconds : seconds;
    size_t u = 0;
    if (size < 0.5e-9)
        return (struct red_short_text){.text = "0 us"};
    while (u < 2 && size < 0.9995 * units[u].unit)
        u++;
    struct red_short_text made = red_number_text(size / units[u].unit);
    struct red_short_text whole = {.text = ""};
    red_text_add(whole.text, sizeof whole.text, "%s%s %s", seconds < 0 ? "-" : "", made.text, units[u].name);
    return whole;
}

struct red_short_text red_share_text(double share) {
    struct red_short_text made = {.text = "-"};
    if (share > 0)
        snprintf(made.text, sizeof made.text, "%.2f", share);
    return made;
}

struct red_short_text red_ranks_text(unsigned ranks_n) {
    struct red_short_text made;
    snprintf(made.text, sizeof made.text, "%u rank%s", ranks_n, ranks_n == 1 ? "" : "s");
    return made;
}

/* The state of a cell that was not timed, or "no answer" where there is none. */
static const char *cell_state_word(const struct red_cell *cell) {
    return red_cell_has_no_answer(cell) ? "no answer" : red_state_name(cell->state);
}

/* A cell's time, and whether it is unsteady or of a run whose times cannot be compared (?); where it has
 * none, its state; "-" of NULL. */
static struct red_short_text cell_text(const struct red_cell *cell) {
    struct red_short_text made = {.text = "-"};
    if (cell != NULL && cell->samples_n > 0) {
        made = red_time_text(cell->time.median);
        red_text_add(made.text, sizeof made.text, "%s", red_cell_is_doubtful(cell) ? "?" : "");
    } else if (cell != NULL) {
        snprintf(made.text, sizeof made.text, "%s", cell_state_word(cell));
    }
    return made;
}

struct red_short_text red_scaling_title(const struct red_scaling *scaling) {
    struct red_short_text made;
    snprintf(made.text, sizeof made.text, "%.15s of %.7s, %s scaling, n = %.40s %s", scaling->at.op->name,
             scaling->at.dtype->name, scaling->weak ? "weak" : "strong", red_size_text(scaling->n).text,
             scaling->weak ? "for each rank" : "in all");
    return made;
}

/* What the cell runs, for a table's first column: a strategy's name, or words. */
static const char *cell_name(const struct red_cell *cell) {
    return cell->kind == RED_CELL_ROOF   ? "(reading alone)"
           : cell->kind == RED_CELL_BARE ? "MPI_Reduce"
           : cell->at.strategy != NULL   ? cell->at.strategy->name
                                         : "";
}

/* The collective of the cell, for a table's second column. */
static const char *cell_collective(const struct red_cell *cell) {
    return cell->at.collective[0] != '\0' ? cell->at.collective : "-";
}

/* ---- sentences ----------------------------------------------------------------------------------------- */

/* Whether the cell is of a collective without an array. */
static bool is_collective(const struct red_cell *row) {
    return row->kind == RED_CELL_BARE || row->kind == RED_CELL_ALONE;
}

/* Appends how long the ranks take beside one rank with the same strategy and collective. */
static void add_speed(const struct red_scaling *scaling, const struct red_cell *row, char *text,
                      size_t text_bytes) {
    const struct red_cell *one = red_ranks_cell_of_one(scaling->pivot, row);
    red_text_add(text, text_bytes, "%s ", red_ranks_text(row->at.ranks_n).text);
    if (row->at.ranks_n == 1)
        red_text_add(text, text_bytes, "takes %s", red_time_text(row->time.median).text);
    else if (one == NULL)
        red_text_add(text, text_bytes, "take %s, and one rank has no time to compare with",
                     red_time_text(row->time.median).text);
    else if (scaling->weak)
        red_text_add(
            text, text_bytes, "reduce %u times as much as one in %.2f times its time (efficiency %.2f)",
            row->at.ranks_n, row->time.median / one->time.median, red_ranks_efficiency(scaling->pivot, row));
    else
        red_text_add(text, text_bytes, "are %.2f times as fast as one (efficiency %.2f)",
                     one->time.median / row->time.median, red_ranks_efficiency(scaling->pivot, row));
}

/* Appends how long another program takes on the same ranks, the fastest that there is. */
static void add_peer(const struct red_scaling *scaling, const struct red_cell *row, char *text,
                     size_t text_bytes) {
    const struct red_cell *peer = red_scaling_fastest_peer(scaling, row->at.ranks_n);
    if (peer == NULL)
        return;
    const double times = peer->time.median / row->time.median;
    red_text_add(text, text_bytes, "; %s with %s takes %.2f %s", peer->at.strategy->name, peer->at.collective,
                 times, times < 1 ? "of that time" : "times as long");
}

void red_scaling_sentence_format(const struct red_scaling *scaling, char *text, size_t text_bytes) {
    const struct red_cell *row = NULL;
    text[0] = '\0';
    for (unsigned ranks_n = 0; (ranks_n = red_scaling_ranks_n_above(scaling, ranks_n)) > 0;) {
        const struct red_cell *fastest = red_scaling_fastest(scaling, ranks_n);
        row = fastest != NULL ? fastest : row;
    }
    if (row == NULL || scaling->n == 0) /* nothing is read, and no speed is one */
        return;
    const double roof_share = red_ranks_roof_share(scaling->pivot, row);
    char incomparable[256];
    red_text_add(text, text_bytes, "%s of %s, n = %s%s: ", scaling->at.op->name, scaling->at.dtype->name,
                 red_size_text(scaling->n).text, scaling->weak ? " for each rank" : "");
    red_steadiness_sentence_format(scaling->pivot->run, row->device, incomparable, sizeof incomparable);
    if (incomparable[0] != '\0') {
        red_text_add(text, text_bytes, "%s", incomparable);
        return;
    }
    add_speed(scaling, row, text, text_bytes);
    if (roof_share > 0)
        red_text_add(text, text_bytes, ", at %.2f of %s", roof_share,
                     row->at.ranks_n > 1 ? "their roofs together" : "its roof");
    if (row->parts_s[RED_PART_COLLECTIVE] != NULL && row->parts_s[RED_PART_IMBALANCE] != NULL)
        red_text_add(text, text_bytes, "; the collective takes %s (%.1f %%), imbalance %.1f %%",
                     red_time_text(row->part_medians_s[RED_PART_COLLECTIVE]).text,
                     100 * row->part_medians_s[RED_PART_COLLECTIVE] / row->time.median,
                     100 * row->part_medians_s[RED_PART_IMBALANCE] / row->time.median);
    red_text_add(text, text_bytes, "; fastest: %s with %s", row->at.strategy->name, row->at.collective);
    add_peer(scaling, row, text, text_bytes);
    red_text_add(text, text_bytes, ".");
}

/* ---- tables -------------------------------------------------------------------------------------------- */

/* Whether two ranks stand in one row. */
static bool is_same_place(const struct red_rank *a, const struct red_rank *b) {
    return strcmp(a->host, b->host) == 0 && strcmp(a->device, b->device) == 0 &&
           strcmp(a->device_name, b->device_name) == 0 && strcmp(a->driver, b->driver) == 0;
}

struct red_table *red_ranks_devices_table(const struct red_over_ranks *run) {
    struct red_table *table =
        red_table_create("host|device|name@40|driver@20|ranks>|cores each>|roof, GB/s>");
    for (size_t r = 0; r < run->ranks_n; r++) {
        const struct red_rank *rank = &run->ranks[r];
        double roof = 0;
        size_t before = 0, n = 0;
        while (before < r && !is_same_place(&run->ranks[before], rank))
            before++;
        if (before < r)
            continue;
        for (size_t k = r; k < run->ranks_n; k++)
            if (is_same_place(&run->ranks[k], rank)) {
                roof += 1e-9 * run->ranks[k].roof_bytes_per_s;
                n++;
            }
        RED_PUT(table, rank->host, rank->device, rank->device_name, rank->driver);
        red_table_put(table, "%zu", n);
        red_table_put(table, "%u", rank->cores_n);
        red_table_put(table, "%s", roof > 0 ? red_number_text(roof).text : "-");
    }
    return table;
}

/* The walk over the lines that a table shows. */
struct shown_lines {
    const struct red_scaling *scaling;
    unsigned most;
    double longest_s;
    size_t at;
};

/* Begins a walk over so many lines at most. */
static struct shown_lines shown_lines_of(const struct red_scaling *scaling, size_t lines_max) {
    const unsigned most = red_scaling_most_ranks_n(scaling);
    return (struct shown_lines){
        .scaling = scaling, .most = most, .longest_s = red_scaling_time_of_fastest(scaling, most, lines_max)};
}

/* The next line that is shown: the roof and other programs are, too. NULL behind the last one. */
static const struct red_cell *next_shown_line(struct shown_lines *walk) {
    const struct red_cell *line;
    while ((line = red_scaling_next_line(walk->scaling, &walk->at)) != NULL)
        if (line->kind != RED_CELL_OWN ||
            red_ranks_cell_time_s(red_scaling_cell(walk->scaling, line, walk->most)) <= walk->longest_s)
            break;
    return line;
}

void red_scaling_left_out_format(const struct red_scaling *scaling, size_t lines_max, char *text,
                                 size_t text_bytes) {
    struct shown_lines walk = shown_lines_of(scaling, lines_max);
    size_t shown_n = 0, all_n = 0;
    for (size_t at = 0; red_scaling_next_line(scaling, &at) != NULL;)
        all_n++;
    while (next_shown_line(&walk) != NULL)
        shown_n++;
    text[0] = '\0';
    if (shown_n < all_n)
        red_text_add(text, text_bytes,
                     "%zu of %zu lines are shown, those of the fastest with %s; the file has all.", shown_n,
                     all_n, red_ranks_text(walk.most).text);
}

/* Characters of the two columns of names. */
static size_t names_width(const struct red_scaling *scaling) {
    size_t strategy = strlen("strategy"), collective = strlen("collective");
    const struct red_cell *line;
    for (size_t at = 0; (line = red_scaling_next_line(scaling, &at)) != NULL;) {
        const size_t a = red_text_width(cell_name(line)), b = red_text_width(cell_collective(line));
        strategy = a > strategy ? a : strategy;
        collective = b > collective ? b : collective;
    }
    return strategy + 2 + collective;
}

/* Columns of one number of ranks: a time of 11 characters at most ("unsupported"), two before it, and two and
 * four for the share of the roof and, of more than one rank, for the efficiency. */
enum { WIDTH_OF_ONE = 19, WIDTH_OF_MORE = 25 };

/* Puts the line's values with so many ranks; `row` NULL: there are none. */
static void put_times(struct red_table *table, const struct red_scaling *scaling, const struct red_cell *row,
                      unsigned ranks_n) {
    const double efficiency = row != NULL ? red_ranks_efficiency(scaling->pivot, row) : 0,
                 roof_share = row != NULL && row->kind != RED_CELL_ROOF
                                  ? red_ranks_roof_share(scaling->pivot, row)
                                  : 0;
    red_table_put(table, "%s", cell_text(row).text);
    if (ranks_n > 1)
        red_table_put(table, "%s", red_share_text(efficiency).text);
    red_table_put(table, "%s", red_share_text(roof_share).text);
}

struct red_table *red_scaling_times_table(const struct red_scaling *scaling, size_t width, size_t lines_max,
                                          unsigned *ranks_n) {
    struct shown_lines walk = shown_lines_of(scaling, lines_max);
    struct red_table *table = red_table_create("strategy|collective");
    const unsigned before = *ranks_n;
    size_t used = names_width(scaling), columns_n = red_table_columns_n(table);
    const struct red_cell *line;
    for (unsigned next = before; (next = red_scaling_ranks_n_above(scaling, next)) > 0; *ranks_n = next) {
        used += next == 1 ? WIDTH_OF_ONE : WIDTH_OF_MORE;
        if ((*ranks_n > before && used > width) || (columns_n += 3) > RED_TABLE_COLUMNS_MAX)
            break;
        red_table_add_column(table, red_ranks_text(next).text, true, 0);
        red_table_add_columns(table, next == 1 ? "roof>" : "eff.>|roof>");
    }
    while ((line = next_shown_line(&walk)) != NULL) {
        RED_PUT(table, cell_name(line), cell_collective(line));
        for (unsigned n = before; n < *ranks_n && (n = red_scaling_ranks_n_above(scaling, n)) > 0;)
            put_times(table, scaling, red_scaling_cell(scaling, line, n), n);
    }
    return table;
}

/* Whether bits are known of any line of a sum of floats; of all else they are the same where answers are
 * right. */
static bool has_bits(const struct red_scaling *scaling) {
    const struct red_op *op = red_op_find(scaling->at.op->name);
    const struct red_dtype *dtype = red_dtype_find(scaling->at.dtype->name);
    const struct red_cell *line;
    if (op == NULL || dtype == NULL || !dtype->is_float || red_op_picks(op))
        return false;
    for (size_t at = 0; (line = red_scaling_next_line(scaling, &at)) != NULL;)
        if (red_scaling_bits(scaling, line) != RED_BITS_UNKNOWN)
            return true;
    return false;
}

struct red_table *red_scaling_parts_table(const struct red_scaling *scaling, size_t lines_max,
                                          unsigned ranks_n) {
    static const char *const words[] = {
        [RED_BITS_UNKNOWN] = "-", [RED_BITS_SAME] = "same", [RED_BITS_DIFFER] = "differ"};
    struct shown_lines walk = shown_lines_of(scaling, lines_max);
    struct red_table *table =
        red_table_create("strategy|collective|total>|device>|imbalance>|the collective>");
    const bool shows_bits = has_bits(scaling);
    const struct red_cell *line;
    red_table_add_columns(table, shows_bits ? "bits" : "");
    while ((line = next_shown_line(&walk)) != NULL) {
        const struct red_cell *row = red_scaling_cell(scaling, line, ranks_n);
        if (row == NULL || row->samples_n == 0 || row->parts_s[RED_PART_DEVICE] == NULL ||
            line->kind == RED_CELL_ROOF)
            continue;
        RED_PUT(table, cell_name(line), cell_collective(line));
        for (size_t part = 0; part < RED_PARTS_N; part++)
            red_table_put(table, "%s", red_time_text(row->part_medians_s[part]).text);
        if (shows_bits)
            red_table_put(table, "%s", words[red_scaling_bits(scaling, line)]);
    }
    return table;
}

/* Whether any line has answers of so many ranks. */
static bool has_answers(const struct red_scaling *scaling, unsigned ranks_n) {
    const struct red_cell *line, *row;
    for (size_t at = 0; (line = red_scaling_next_line(scaling, &at)) != NULL;)
        if ((row = red_scaling_cell(scaling, line, ranks_n)) != NULL && row->answers_n > 0)
            return true;
    return false;
}

void red_scaling_bits_format(const struct red_scaling *scaling, char *text, size_t text_bytes) {
    enum { NAMED_MAX = 8 };
    char named[8 * NAMED_MAX] = "";
    unsigned numbers[NAMED_MAX], numbers_n = 0;
    text[0] = '\0';
    if (!has_bits(scaling))
        return;
    for (unsigned n = 0; (n = red_scaling_ranks_n_above(scaling, n)) > 0;)
        if (has_answers(scaling, n) && ++numbers_n <= NAMED_MAX)
            numbers[numbers_n - 1] = n;
    for (unsigned i = 0; i < numbers_n && i < NAMED_MAX; i++)
        red_text_add(named, sizeof named, "%s%u",
                     i == 0              ? ""
                     : i + 1 < numbers_n ? ", "
                                         : " and ",
                     numbers[i]);
    red_text_add(text, text_bytes, "bits: whether %s ranks gave the same bits in all data sets.",
                 numbers_n > NAMED_MAX ? "all numbers of" : named);
}

/* The least number of ranks whose collectives are shown: the most that there are where all would be too many
 * rows. */
static unsigned least_ranks_shown(const struct red_ranks_pivot *pivot) {
    enum { COLLECTIVES_SHOWN_MAX = 24 };
    unsigned most = 0;
    size_t n = 0;
    for (size_t r = 0; r < pivot->cells_n; r++) {
        const struct red_cell *row = pivot->cells[r];
        n += is_collective(row);
        most = is_collective(row) && row->at.ranks_n > most ? row->at.ranks_n : most;
    }
    return n > COLLECTIVES_SHOWN_MAX ? most : 1;
}

struct red_table *red_ranks_collectives_table(const struct red_ranks_pivot *pivot) {
    struct red_table *table = red_table_create("collective|of|ranks>|alone>|over MPI_Reduce>");
    const unsigned least = least_ranks_shown(pivot);
    for (size_t r = 0; r < pivot->cells_n; r++) {
        const struct red_cell *row = pivot->cells[r];
        const bool is_bare = row->kind == RED_CELL_BARE;
        if (!is_collective(row) || row->at.ranks_n < least)
            continue;
        const struct red_cell *bare = red_ranks_bare_beside(pivot, row);
        red_table_put(table, "%s", is_bare ? cell_name(row) : row->at.collective);
        if (is_bare)
            red_table_put(table, "8 bytes");
        else
            red_table_put(table, "%s of %s", row->at.op->name, row->at.dtype->name);
        red_table_put(table, "%u", row->at.ranks_n);
        red_table_put(table, "%s", cell_text(row).text);
        if (!is_bare && bare != NULL && row->samples_n > 0)
            red_table_put(table, "%+.2f us", 1e6 * (row->time.median - bare->time.median));
        else
            red_table_put(table, "%s", "");
    }
    return table;
}

/* Whether both rows are of one kind and strategy and ended alike, whatever n, ranks and collective. */
static bool ended_alike(const struct red_cell *a, const struct red_cell *b) {
    return a->kind == b->kind && a->state == b->state && red_at_is_same(&a->at, &b->at, RED_AT(STRATEGY)) &&
           strcmp(a->reason, b->reason) == 0;
}

struct red_table *red_ranks_faults_table(const struct red_ranks_pivot *pivot) {
    struct red_table *table = red_table_create("strategy|state|rows>|first: collective|of|n>|ranks>|why!");
    for (size_t r = 0; r < pivot->cells_n; r++) {
        const struct red_cell *row = pivot->cells[r];
        size_t before = 0, n = 0;
        while (before < r && !ended_alike(pivot->cells[before], row))
            before++;
        if (row->state == RED_STATE_PASS || before < r)
            continue;
        for (size_t k = r; k < pivot->cells_n; k++)
            n += ended_alike(pivot->cells[k], row);
        RED_PUT(table, cell_name(row), cell_state_word(row));
        red_table_put(table, "%zu", n);
        red_table_put(table, "%s", cell_collective(row));
        red_table_put(table, "%s of %s", row->at.op->name, row->at.dtype->name);
        red_table_put(table, "%s", red_size_text(row->at.n).text);
        red_table_put(table, "%u", row->at.ranks_n);
        red_table_put(table, "%s", row->reason);
    }
    return table;
}

/* ---- the screen ---------------------------------------------------------------------------------------- */

/* Prints the table below a blank line and its title, unless it has no row, and destroys it. */
static void print_and_destroy(struct red_table *table, const char *title, FILE *out) {
    red_table_print_below(table, title, NULL, out);
    red_table_destroy(table);
}

enum { SCREEN_LINES_MAX = 40 };

/* Prints times and parts of one scaling. */
static void print_scaling(const struct red_scaling *scaling, FILE *out) {
    unsigned most = 0;
    char title[160];
    snprintf(title, sizeof title, "%s", red_scaling_title(scaling).text);
    while (red_scaling_ranks_n_above(scaling, most) > 0) {
        struct red_table *table = red_scaling_times_table(scaling, RED_SCREEN_WIDTH, SCREEN_LINES_MAX, &most);
        print_and_destroy(table, title, out);
    }
    red_scaling_left_out_format(scaling, SCREEN_LINES_MAX, title, sizeof title);
    if (title[0] != '\0')
        fprintf(out, "%s\n", title);
    snprintf(title, sizeof title, "parts of the time with %s", red_ranks_text(most).text);
    print_and_destroy(red_scaling_parts_table(scaling, SCREEN_LINES_MAX, most), title, out);
    red_scaling_bits_format(scaling, title, sizeof title);
    if (title[0] != '\0')
        fprintf(out, "%s\n", title);
}

/* Prints what strategies did wrong on the ranks' devices, if there is any. */
static void print_bans(const struct red_run *run, FILE *out) {
    for (size_t d = 0; d < run->devices_n; d++) {
        struct red_bans bans = {.n = 0};
        struct red_error error;
        char text[RED_BANS_BYTES];
        if (red_bans_add(&bans, run, d, &error) != RED_OK)
            red_memory_note_failure();
        red_bans_sentence(&bans, run->devices[d].info.id, text, sizeof text);
        if (bans.n > 0) {
            fputc('\n', out);
            red_wrapped_print(out, "", text);
        }
        red_bans_clear(&bans);
    }
}

void red_ranks_pivot_print(const struct red_ranks_pivot *pivot, FILE *out) {
    const struct red_over_ranks *over = &pivot->run->over_ranks;
    struct red_scaling scaling;
    bool begun = false;
    red_text_print(out, "%s, %s; pieces %s\n\n", red_ranks_text((unsigned)over->ranks_n).text, over->mpi,
                   over->split == RED_RUN_SPLIT_ROOF ? "in proportion to the ranks' roofs"
                                                     : "of the same length");
    struct red_table *devices = red_ranks_devices_table(over);
    red_table_print(devices, out);
    red_table_destroy(devices);
    fputs("\n", out);
    red_wrapped_print(
        out, "",
        "Times are medians, until the value is there (? = unsteady, or times that cannot be compared). eff.: "
        "efficiency, 1 if R ranks are R times as fast as one (weak scaling: as fast with R times as much). "
        "roof: the time in which the same ranks only read the array, divided by the row's time.");
    for (size_t at = 0; red_scaling_next(pivot, &at, &scaling);)
        print_scaling(&scaling, out);
    print_and_destroy(red_ranks_collectives_table(pivot), "collectives alone", out);
    print_and_destroy(red_ranks_faults_table(pivot), "not right, or not timed", out);
    print_bans(pivot->run, out);
    for (size_t at = 0; red_scaling_next(pivot, &at, &scaling);) {
        char text[1024];
        red_scaling_sentence_format(&scaling, text, sizeof text);
        if (text[0] == '\0' || !red_scaling_is_largest(&scaling))
            continue;
        fputs(begun ? "" : "\n", out);
        red_wrapped_print(out, "", text);
        begun = true;
    }
}
