/* The next step: the cells that differ, as options of `clreduce duel`. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/two_runs.h"
#include "core/sizes.h"
#include "core/words.h"

enum { LIST_BYTES = 2048 };

/* Names or sizes with commas between. One that has no room is left out as a whole: then the option is, too,
 * and the command measures more than it must. */
struct list {
    char text[LIST_BYTES];
    bool is_full;
};

static bool holds(const struct list *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list->text; (at = strstr(at, word)) != NULL; at++)
        if ((at == list->text || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

static void list_add(struct list *list, const char *word) {
    size_t used = strlen(list->text);
    if (word[0] == '\0' || holds(list, word))
        return;
    if (used + strlen(word) + 2 > LIST_BYTES)
        list->is_full = true;
    if (!list->is_full)
        snprintf(list->text + used, LIST_BYTES - used, "%s%s", used > 0 ? "," : "", word);
}

static void list_add_number(struct list *list, uint64_t number) {
    char text[32];
    red_size_print(number, text, sizeof text);
    list_add(list, text);
}

static int by_n(const void *left, const void *right) {
    const struct red_timed *a = *(const struct red_timed *const *)left;
    const struct red_timed *b = *(const struct red_timed *const *)right;
    int order = (a->base->n > b->base->n) - (a->base->n < b->base->n);
    return order ? order : (a > b) - (a < b);
}

enum { DEVICE, STRATEGY, OP, TYPE, N, WG, GROUPS, LANES, LISTS_N };
static const char *const labels[LISTS_N] = {" --device ", " --strategy ", " --op ",     " --type ",
                                            " --n ",      " --wg ",       " --groups ", " --lanes "};

static void lists_add(struct list *lists, const struct red_cell *cell) {
    const struct red_tuning *asked = &cell->asked;
    char lanes[32];
    list_add(&lists[DEVICE], cell->device_id);
    list_add(&lists[STRATEGY], cell->strategy->name);
    list_add(&lists[OP], cell->op->name);
    list_add(&lists[TYPE], cell->dtype->name);
    list_add_number(&lists[N], cell->n);
    if (asked->group_size > 0)
        list_add_number(&lists[WG], asked->group_size);
    if (asked->groups_n > 0)
        list_add_number(&lists[GROUPS], asked->groups_n);
    red_lanes_print(asked, lanes, sizeof lanes);
    list_add(&lists[LANES], lanes);
}

enum red_status red_two_runs_duel_print(const struct red_two_runs *stored, FILE *out,
                                        struct red_error *error) {
    size_t n = 0, shaped_n = 0, apart_n = stored->longer_n + stored->shorter_n;
    const struct red_timed **apart = calloc(apart_n + 1, sizeof *apart);
    struct list *lists = calloc(LISTS_N, sizeof *lists);
    enum red_status status = apart && lists ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory to compare");
    for (size_t i = 0; i < apart_n && status == RED_OK; i++) {
        const struct red_cell *base = stored->pairs[i].base;
        bool is_host = stored->comparison.results[0].run.devices[base->device].is_host;
        bool is_array = strcmp(base->shape, "array") == 0;
        shaped_n += !is_host && !is_array;
        if (!is_host && is_array)
            apart[n++] = &stored->pairs[i];
    }
    if (n > 0)
        qsort(apart, n, sizeof(const struct red_timed *), by_n);
    for (size_t i = 0; i < n; i++)
        lists_add(lists, apart[i]->base);
    if (status == RED_OK)
        fprintf(out, "\n%smeasure it live: clreduce duel --base PROGRAM --head PROGRAM",
                n == 0 ? "For differences smaller than that " : "");
    for (size_t i = 0; i < LISTS_N && n > 0; i++)
        if (lists[i].text[0] != '\0' && !lists[i].is_full)
            red_quoted_print(out, labels[i], lists[i].text);
    if (status == RED_OK)
        fputc('\n', out);
    if (status == RED_OK && shaped_n > 0)
        fprintf(
            out,
            "%zu of the cells reduce another shape than one array, which no duel does: bench them again\n",
            shaped_n);
    free(apart);
    free(lists);
    return status;
}
