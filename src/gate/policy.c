#include <stdlib.h>
#include <string.h>

#include "core/select.h"
#include "core/text.h"
#include "gate/policy_private.h"

const struct red_policy_rules red_policy_defaults = {.margin = 0.02, .budget_s = 10};

const char *const red_policy_key_names[RED_POLICY_KEYS_N] = {
    [RED_POLICY_MARGIN] = "margin",         [RED_POLICY_BUDGET] = "budget", [RED_POLICY_REQUIRE] = "require",
    [RED_POLICY_QUARANTINE] = "quarantine", [RED_POLICY_UNTIL] = "until",
};

void red_policy_destroy(struct red_policy *policy) {
    if (policy == NULL)
        return;
    for (size_t i = 0; i < policy->sections_n; i++) {
        free(policy->sections[i].globs);
        free(policy->sections[i].reason);
    }
    free(policy->sections);
    free(policy->path);
    free(policy);
}

/* ---- for one cell -----------------------------------------------------------------------------------------
 */

static bool decides(const struct red_policy_section *section, size_t key) {
    bool has_ended = section->ended && (key == RED_POLICY_QUARANTINE || key == RED_POLICY_UNTIL);
    return section->lines[key] > 0 && !has_ended;
}

/* Which section decides each key for the cell; NULL where none does. */
static void deciders_find(const struct red_policy *policy, const char *cell_name,
                          const struct red_policy_section *deciders[RED_POLICY_KEYS_N]) {
    for (size_t key = 0; key < RED_POLICY_KEYS_N; key++)
        deciders[key] = NULL;
    for (size_t i = 0; i < policy->sections_n; i++) {
        const struct red_policy_section *section = &policy->sections[i];
        if (!red_select_matches(section->globs, cell_name))
            continue;
        for (size_t key = 0; key < RED_POLICY_KEYS_N; key++)
            if (decides(section, key))
                deciders[key] = section;
    }
}

void red_policy_find(const struct red_policy *policy, const char *cell_name, struct red_policy_rules *rules) {
    const struct red_policy_section *deciders[RED_POLICY_KEYS_N], *by;
    *rules = red_policy_defaults;
    if (policy == NULL)
        return;
    deciders_find(policy, cell_name, deciders);
    if ((by = deciders[RED_POLICY_MARGIN]) != NULL)
        rules->margin = by->margin;
    if ((by = deciders[RED_POLICY_BUDGET]) != NULL)
        rules->budget_s = by->budget_s;
    if ((by = deciders[RED_POLICY_REQUIRE]) != NULL)
        rules->required = by->required;
    if ((by = deciders[RED_POLICY_QUARANTINE]) != NULL) {
        rules->quarantine = by->reason;
        rules->line = by->lines[RED_POLICY_QUARANTINE];
        memcpy(rules->until, by->until, sizeof rules->until);
    }
}

/* ---- shown ------------------------------------------------------------------------------------------------
 */

/* How many cells a section matches, and for how many it decides each key. */
struct effect {
    size_t matched, decided[RED_POLICY_KEYS_N];
};

static struct effect *effects_find(const struct red_policy *policy, const char *const *cell_names,
                                   size_t cells_n) {
    struct effect *effects = calloc(policy->sections_n + 1, sizeof *effects);
    for (size_t i = 0; effects != NULL && i < cells_n; i++) {
        const struct red_policy_section *deciders[RED_POLICY_KEYS_N];
        deciders_find(policy, cell_names[i], deciders);
        for (size_t key = 0; key < RED_POLICY_KEYS_N; key++)
            if (deciders[key] != NULL)
                effects[deciders[key] - policy->sections].decided[key]++;
        for (size_t j = 0; j < policy->sections_n; j++)
            effects[j].matched += red_select_matches(policy->sections[j].globs, cell_names[i]);
    }
    return effects;
}

/* Writes what a key says; false if that is the default. `until` is told with the quarantine. */
static bool rule_print(const struct red_policy_section *section, size_t key, char *text, size_t text_bytes) {
    switch ((enum red_policy_key)key) {
    case RED_POLICY_MARGIN:
        snprintf(text, text_bytes, "margin = %g %%", 100 * section->margin);
        return section->margin != red_policy_defaults.margin;
    case RED_POLICY_BUDGET:
        snprintf(text, text_bytes, "budget = %g s", section->budget_s);
        return section->budget_s != red_policy_defaults.budget_s;
    case RED_POLICY_REQUIRE:
        snprintf(text, text_bytes, "require = %s", section->required ? "yes" : "no");
        return section->required != red_policy_defaults.required;
    case RED_POLICY_QUARANTINE:
        snprintf(text, text_bytes, "quarantine until %s", section->until);
        return true;
    case RED_POLICY_UNTIL:
    case RED_POLICY_KEYS_N:
        break;
    }
    return false;
}

static int digits_n(size_t number) {
    return snprintf(NULL, 0, "%zu", number);
}

/* The last line that says anything. */
static unsigned line_last(const struct red_policy *policy) {
    unsigned last = 0;
    for (size_t i = 0; i < policy->sections_n; i++)
        for (size_t key = 0; key < RED_POLICY_KEYS_N; key++)
            if (policy->sections[i].lines[key] > last)
                last = policy->sections[i].lines[key];
    return last;
}

static void in_force_print(const struct red_policy *policy, const struct effect *effects, size_t cells_n,
                           FILE *out) {
    int widest = digits_n(line_last(policy));
    for (size_t i = 0; i < policy->sections_n; i++) {
        const struct red_policy_section *section = &policy->sections[i];
        for (size_t key = 0; key < RED_POLICY_KEYS_N; key++) {
            char rule[48];
            if (effects[i].decided[key] == 0 || !rule_print(section, key, rule, sizeof rule))
                continue;
            int blanks = widest - digits_n(section->lines[key]);
            red_text_print(out, "%s:%u: %*s%-27s  %*zu of %zu cells  [%s]", policy->path, section->lines[key],
                           blanks, "", rule, digits_n(cells_n), effects[i].decided[key], cells_n,
                           section->globs);
            if (key == RED_POLICY_QUARANTINE)
                red_text_print(out, ": %s", section->reason);
            fputc('\n', out);
        }
    }
}

static void no_effect_print(const struct red_policy *policy, const struct red_policy_section *section,
                            const struct effect *effect, size_t cells_n, FILE *out) {
    if (section->ended)
        red_text_print(out, "%s:%u: the quarantine of '%s' ended on %s: its cells count again\n",
                       policy->path, section->lines[RED_POLICY_QUARANTINE], section->globs, section->until);
    if (effect->matched == 0)
        red_text_print(out, "%s:%u: [%s] matches none of the %zu cells\n", policy->path, section->line,
                       section->globs, cells_n);
    for (size_t key = 0; key < RED_POLICY_KEYS_N; key++)
        if (key != RED_POLICY_UNTIL && effect->matched > 0 && decides(section, key) &&
            effect->decided[key] == 0)
            red_text_print(out,
                           "%s:%u: %s has no effect: sections below [%s] decide it for all of its cells\n",
                           policy->path, section->lines[key], red_policy_key_names[key], section->globs);
}

enum red_status red_policy_print(const struct red_policy *policy, const char *const *cell_names,
                                 size_t cells_n, FILE *out, struct red_error *error) {
    if (policy == NULL)
        return RED_OK;
    struct effect *effects = effects_find(policy, cell_names, cells_n);
    if (effects == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to show the policy %s", policy->path);
    in_force_print(policy, effects, cells_n, out);
    for (size_t i = 0; i < policy->sections_n; i++)
        no_effect_print(policy, &policy->sections[i], &effects[i], cells_n, out);
    free(effects);
    return RED_OK;
}
