/* Finds what the names in a file stand for; `compare` shows the name of a stranger, `recommend` may advise
 * its strategy. */
#include "results/strangers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/numbers.h"

static struct red_stranger *find_or_add(struct red_strangers *strangers, const char *name) {
    size_t at;
    RED_LOWER_BOUND(at, strangers->n, strcmp(strangers->all[at]->name, name) < 0);
    if (at < strangers->n && strcmp(strangers->all[at]->name, name) == 0)
        return strangers->all[at];
    struct red_stranger *stranger =
        RED_GROW(strangers->all, strangers->n, 1) ? calloc(1, sizeof *stranger) : NULL;
    if (stranger == NULL)
        return NULL;
    snprintf(stranger->name, sizeof stranger->name, "%s", name);
    snprintf(stranger->strategy.name, sizeof stranger->strategy.name, "%.31s", name);
    stranger->strategy.standard = RED_STANDARD_CL12;
    /* Two strategies of earlier programs, which kept a launch waiting between calls. */
    if (strcmp(name, "persistent_joined") == 0 || strcmp(name, "persistent_joined_svm") == 0)
        stranger->strategy.finish = RED_STRATEGY_PERSISTENT;
    stranger->op.name = stranger->dtype.name = stranger->name;
    struct red_stranger **place = &strangers->all[at];
    memmove(place + 1, place, (strangers->n - at) * sizeof *place);
    strangers->n++;
    return *place = stranger;
}

const struct red_strategy *red_strangers_strategy(struct red_strangers *strangers, const char *name) {
    const struct red_strategy *known =
        strangers->catalogue != NULL ? red_catalogue_find(strangers->catalogue, name) : NULL;
    const struct red_stranger *stranger = known == NULL ? find_or_add(strangers, name) : NULL;
    return stranger != NULL ? &stranger->strategy : known;
}

const struct red_op *red_strangers_op(struct red_strangers *strangers, const char *name) {
    const struct red_op *known = red_op_find(name);
    const struct red_stranger *stranger = known == NULL ? find_or_add(strangers, name) : NULL;
    return stranger != NULL ? &stranger->op : known;
}

const struct red_dtype *red_strangers_dtype(struct red_strangers *strangers, const char *name) {
    const struct red_dtype *known = red_dtype_find(name);
    const struct red_stranger *stranger = known == NULL ? find_or_add(strangers, name) : NULL;
    return stranger != NULL ? &stranger->dtype : known;
}

void red_strangers_clear(struct red_strangers *strangers) {
    for (size_t i = 0; i < strangers->n; i++)
        free(strangers->all[i]);
    free(strangers->all);
    strangers->all = NULL;
    strangers->n = 0;
}
