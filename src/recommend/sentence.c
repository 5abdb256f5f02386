/* Advice in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/sizes.h"
#include "core/text.h"
#include "recommend/advice.h"

const struct red_device_info *red_advice_device(const struct red_advice *advice) {
    return &advice->curves.result->run.devices[advice->curves.device].info;
}

/* "chunk", and what of its geometry was asked for. */
void red_advice_candidate_print(const struct red_advice *advice, size_t candidate, char *text,
                                size_t text_bytes) {
    const struct red_candidate *c = &advice->curves.candidates[candidate];
    text[0] = '\0';
    red_text_add(text, text_bytes, "%s", c->strategy->name);
    if (c->asked.group_size > 0)
        red_text_add(text, text_bytes, ":%zu", c->asked.group_size);
    if (c->asked.groups_n > 0)
        red_text_add(text, text_bytes, ":g%llu", (unsigned long long)c->asked.groups_n);
    if (c->asked.width > 0)
        red_text_add(text, text_bytes, ":%ux%u", c->asked.width, c->asked.loads);
}

/* ---- the sentence ----------------------------------------------------------------------------------------
 */

void red_edge_print(const struct red_edge *edge, char *text, size_t text_bytes) {
    char n[3][32];
    red_size_print(edge->n, n[0], sizeof n[0]);
    red_size_print(edge->low, n[1], sizeof n[1]);
    red_size_print(edge->high, n[2], sizeof n[2]);
    snprintf(text, text_bytes, "%s (%s to %s)", n[0], n[1], n[2]);
}

static void add_bands(const struct red_advice *advice, char *text, size_t room) {
    for (size_t b = 0; b < advice->bands_n; b++) {
        char name[96];
        red_advice_candidate_print(advice, advice->bands[b].candidate, name, sizeof name);
        red_text_add(text, room, "%s%s", b == 0 ? "use " : b + 1 == advice->bands_n ? ", and " : ", ", name);
        if (advice->bands_n == 1)
            red_text_add(text, room, " for every n");
        else if (b + 1 < advice->bands_n)
            red_text_add(text, room, "%s", " below ");
        else
            red_text_add(text, room, " from there on");
        if (b + 1 < advice->bands_n) {
            char edge[128];
            red_edge_print(&advice->bands[b + 1].edge, edge, sizeof edge);
            red_text_add(text, room, "%s", edge);
        }
    }
}

static void add_ties(const struct red_advice *advice, char *text, size_t room) {
    size_t ties_n = 0;
    for (size_t b = 0; b < advice->bands_n; b++)
        ties_n += advice->bands[b].is_tie;
    if (ties_n == 0)
        red_text_add(text, room, "; no other strategy ties with %s",
                     advice->bands_n > 1 ? "one of them" : "it");
    else if (advice->bands_n == 1)
        red_text_add(text, room, "; it ties with others");
    else
        red_text_add(text, room, "; in %zu of %zu bands it ties with others", ties_n, advice->bands_n);
}

static void add_everywhere(const struct red_advice *advice, char *text, size_t room) {
    char name[96];
    if (advice->everywhere == SIZE_MAX || advice->bands_n < 2)
        return;
    red_advice_candidate_print(advice, advice->everywhere, name, sizeof name);
    red_text_add(text, room,
                 " One strategy everywhere, %s, would take %.1f %% longer on average and %.0f %% at most.",
                 name, 100 * fmax(0, advice->everywhere_mean), 100 * advice->everywhere_worst);
}

static void add_waiting(const struct red_curves *curves, char *text, size_t room) {
    for (size_t i = 0; i < curves->waiting_n; i++)
        red_text_add(text, room, "%s%s",
                     i == 0 ? " Left out, as they keep a launch waiting between calls: " : ", ",
                     curves->waiting[i]->name);
    if (curves->waiting_n > 0)
        red_text_add(text, room, "; --strategy with their names takes them in.");
}

void red_advice_sentence(const struct red_advice *advice, char *text, size_t text_bytes) {
    const struct red_device_info *device = red_advice_device(advice);
    const struct red_curves *curves = &advice->curves;
    char title[192], sizes[2][32];
    text[0] = '\0';
    red_query_title(advice->curves.query, title, sizeof title);
    red_text_add(text, text_bytes, "On %s (%s, %s), %s: ", device->id, device->platform, device->name, title);
    if (advice->bands_n == 0) {
        red_text_add(text, text_bytes, "nothing that can be recommended was timed.");
        add_waiting(curves, text, text_bytes);
        return;
    }
    red_size_print(curves->sizes[0], sizes[0], sizeof sizes[0]);
    red_size_print(curves->sizes[curves->sizes_n - 1], sizes[1], sizeof sizes[1]);
    add_bands(advice, text, text_bytes);
    add_ties(advice, text, text_bytes);
    red_text_add(text, text_bytes, ".");
    add_everywhere(advice, text, text_bytes);
    red_text_add(text, text_bytes, " Measured from %s to %s in %zu %s.", sizes[0], sizes[1], curves->runs_n,
                 curves->runs_n == 1
                     ? "run; several runs of the same command would tell ties and edges better"
                     : "runs");
    add_waiting(curves, text, text_bytes);
}
