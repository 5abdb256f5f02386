/* The launches that --wg, --groups and --lanes ask for. */
#include "run/selection.h"

static size_t one_at_least(size_t n) {
    return n ? n : 1;
}

size_t red_selection_tunings_n(const struct red_selection *selection) {
    return one_at_least(selection->wg.n) * one_at_least(selection->groups.n) *
           one_at_least(selection->lanes_n);
}

struct red_tuning red_selection_tuning(const struct red_selection *selection, size_t i) {
    struct red_tuning tuning = {.width = 0};
    if (selection->lanes_n > 0)
        tuning = selection->lanes[i % selection->lanes_n];
    i /= one_at_least(selection->lanes_n);
    if (selection->groups.n > 0)
        tuning.groups_n = selection->groups.values[i % selection->groups.n];
    i /= one_at_least(selection->groups.n);
    if (selection->wg.n > 0)
        tuning.group_size = (size_t)selection->wg.values[i];
    return tuning;
}

enum red_status red_selection_check_single(const struct red_selection *selection, struct red_error *error) {
    const struct red_sizes *wg = &selection->wg, *n = &selection->n;
    if (wg->n > 1 || (wg->n == 1 && wg->values[0] == 0))
        return red_fail(error, RED_E_INPUT, "--wg: expected one group size from 1 on, such as 64");
    return n->n <= 1 ? RED_OK : red_fail(error, RED_E_INPUT, "--n: expected one size, such as 2^20");
}
