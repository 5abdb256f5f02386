#include "bench/duel_show.h"

enum red_status red_duel_show(const struct red_duel *duel, FILE *out, struct red_error *error) {
    (void)error;
    for (size_t c = 0; c < duel->cells_n; c++) {
        const struct red_duel_cell *cell = &duel->cells[c];
        const struct red_finding *f = &cell->finding;
        fprintf(out,
                "%-40s %-10s %-18s %6.3f (%.3f-%.3f) p %.4g/%.4g %zu launches %zu rounds, dropped %zu/%zu, "
                "%.1f s %s%s\n",
                cell->name, red_verdict_names[red_code_verdict(f->code)], red_code_name(f->code), f->ratio,
                f->low, f->high, f->p, f->level, f->launches_n, f->rounds_n, f->dropped_n[1], f->dropped_n[2],
                cell->spent_s, cell->reason[0], cell->reason[1]);
    }
    fprintf(out, "%zu cells in %.1f s\n", duel->cells_n, duel->wall_s);
    return RED_OK;
}
