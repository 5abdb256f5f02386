#include "recommend/rules.h"

#include <math.h>
#include <stdlib.h>

static struct red_rule rule_of(const struct red_cell *cell, uint64_t n_from) {
    const struct red_strategy *strategy = cell->strategy;
    bool follows = strategy->span == RED_STRATEGY_EACH;
    return (struct red_rule){.n_from = n_from,
                             .strategy = strategy,
                             .group_size = cell->geometry.group_size,
                             .groups_n = follows ? 0 : cell->geometry.groups_n,
                             .per_item = follows ? (strategy->lanes > 0 ? strategy->lanes : 1) : 0,
                             .width = cell->geometry.width,
                             .loads = cell->geometry.loads};
}

static bool is_same(const struct red_rule *a, const struct red_rule *b) {
    return a->strategy == b->strategy && a->group_size == b->group_size && a->groups_n == b->groups_n &&
           a->per_item == b->per_item && a->width == b->width && a->loads == b->loads;
}

enum red_status red_rules_make(const struct red_advice *advice, struct red_rule **rules, size_t *rules_n,
                               struct red_error *error) {
    const struct red_curves *curves = &advice->curves;
    struct red_rule *made = calloc(curves->sizes_n + 1, sizeof *made);
    size_t n = 0;
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for rules");
    for (size_t b = 0; b < advice->bands_n; b++) {
        const struct red_band *band = &advice->bands[b];
        for (size_t i = band->first; i <= band->last; i++) {
            const struct red_cell *cell = curves->cells[band->candidate * curves->sizes_n + i];
            uint64_t n_from = band->edge.n;
            if (i > band->first)
                n_from = (uint64_t)ceil(sqrt((double)curves->sizes[i - 1]) * sqrt((double)curves->sizes[i]));
            const struct red_rule rule = rule_of(cell, n > 0 ? n_from : 0);
            if (n == 0 || !is_same(&rule, &made[n - 1]))
                made[n++] = rule;
        }
    }
    *rules = made;
    *rules_n = n;
    return RED_OK;
}
