#include "model/capability.h"

#include <stdio.h>
#include <string.h>

#include "model/device_info.h"

const char *red_c_standard_name(enum red_c_standard standard) {
    static const char *const names[] = {[RED_CL12] = "CL1.2", [RED_CL20] = "CL2.0", [RED_CL30] = "CL3.0"};
    return names[standard];
}

/* ---- forms and group sizes -------------------------------------------------------------------------------
 */

bool red_capability_is_whole(const struct red_capability *capability) {
    bool whole = capability->behaves == RED_YES;
    for (size_t f = 0; f < capability->forms_n; f++)
        whole = whole && red_group_sizes_all(&capability->forms[f].sizes);
    return whole;
}

bool red_capability_holds(const struct red_capability *capability, size_t form, size_t group_size) {
    if (capability->behaves != RED_YES || capability->forms_n == 0)
        return capability->behaves == RED_YES;
    const struct red_group_sizes *sizes = &capability->forms[form].sizes;
    return group_size == 0 ? red_group_sizes_any(sizes) : red_group_sizes_hold(sizes, group_size);
}

void red_form_take(struct red_form *form, unsigned size_i, enum red_status status, const char *text) {
    form->sizes.asked |= 1u << size_i;
    if (status == RED_OK)
        form->sizes.right |= 1u << size_i;
    else if (form->reason[0] == '\0')
        snprintf(form->reason, sizeof form->reason, "group size %zu: %.*s",
                 red_group_size_at(size_i, form->sizes.largest), (int)strcspn(text, "\r\n"), text);
}

static void give_up(struct red_form *form) {
    for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++)
        if (red_group_size_at(i, form->sizes.largest) > 0)
            form->sizes.asked |= 1u << i;
}

/* Where the first forms are all wrong at a size the size is the reason: each further crash would cost a
 * process. */
static void take_size(struct red_capability *capability, size_t form, unsigned size_i, enum red_status status,
                      const char *text) {
    for (size_t f = 0; f <= form; f++)
        if (!(capability->forms[f].sizes.asked >> size_i & 1) ||
            (capability->forms[f].sizes.right >> size_i & 1))
            return;
    for (size_t f = form + 1; f < capability->forms_n && form > 0; f++) {
        capability->forms[f].sizes.largest = capability->forms[form].sizes.largest;
        red_form_take(&capability->forms[f], size_i, status, text);
    }
}

void red_capability_take_crash(struct red_capability *capability, size_t form, unsigned size_i,
                               enum red_status status, const char *text) {
    enum { HOPELESS = 2 };
    struct red_form *crashed = &capability->forms[form];
    red_form_take(crashed, size_i, status, text);
    take_size(capability, form, size_i, status, text);
    crashed->crashed_n++;
    if (crashed->crashed_n < HOPELESS || red_group_sizes_any(&crashed->sizes))
        return;
    give_up(crashed);
    for (size_t f = form + 1; f < capability->forms_n && form == 0; f++) {
        capability->forms[f].sizes.largest = crashed->sizes.largest;
        memcpy(capability->forms[f].reason, crashed->reason, sizeof crashed->reason);
        give_up(&capability->forms[f]);
    }
}

void red_capability_judge(enum red_need_index need, struct red_capability *capability, bool ran) {
    bool any = capability->forms_n == 0;
    for (size_t f = 0; f < capability->forms_n; f++)
        any = any ||
              (!red_form_kind(need, f)->of_infinities && red_group_sizes_any(&capability->forms[f].sizes));
    capability->behaves = ran && any ? RED_YES : RED_NO;
    for (size_t f = 0; f < capability->forms_n && capability->reason[0] == '\0'; f++)
        snprintf(capability->reason, sizeof capability->reason, "%s", capability->forms[f].reason);
}

static bool loses_infinities(const struct red_capability *capability, size_t plain, size_t infinite) {
    const struct red_form *forms = capability->forms;
    return infinite < capability->forms_n && capability->behaves == RED_YES &&
           (forms[plain].sizes.right & forms[infinite].sizes.asked & ~forms[infinite].sizes.right) != 0;
}

bool red_capabilities_lose_infinities(const struct red_capabilities *capabilities,
                                      const struct red_strategy *strategy, const struct red_dtype *dtype,
                                      const struct red_op *op) {
    const uint64_t needs = red_strategy_needs(strategy, dtype, op);
    bool lost = false;
    for (unsigned need = 0; need < RED_NEEDS_N; need++)
        for (int standard = RED_CL12; standard < RED_C_STANDARDS_N && needs >> need & 1; standard++)
            lost = lost || (capabilities->known[need][standard] &&
                            loses_infinities(&capabilities->of[need][standard],
                                             red_form_of((enum red_need_index)need, op, dtype),
                                             red_form_of_infinities((enum red_need_index)need, op, dtype)));
    return lost;
}

/* Whether a form before it is right at the same sizes. */
static bool is_told(const struct red_capability *capability, size_t form) {
    const struct red_group_sizes *sizes = &capability->forms[form].sizes;
    for (size_t f = 0; f < form; f++)
        if (capability->forms[f].sizes.asked == sizes->asked &&
            capability->forms[f].sizes.right == sizes->right)
            return true;
    return false;
}

void red_capability_sizes_print(enum red_need_index need, const struct red_capability *capability, char *text,
                                size_t text_bytes) {
    size_t used = 0, same_n = 1;
    text[0] = '\0';
    if (capability->behaves != RED_YES || red_capability_is_whole(capability))
        return;
    for (size_t f = 1; f < capability->forms_n; f++)
        same_n +=
            is_told(capability, f) && capability->forms[f].sizes.right == capability->forms[0].sizes.right;
    for (size_t f = 0; f < capability->forms_n && used < text_bytes; f++) {
        char words[96];
        if (is_told(capability, f))
            continue;
        red_group_sizes_print(&capability->forms[f].sizes, words, sizeof words);
        used += (size_t)snprintf(text + used, text_bytes - used, "%s%s", used ? "; " : "", words);
        for (size_t other = f; other < capability->forms_n && same_n < capability->forms_n; other++)
            if (used < text_bytes && capability->forms[other].sizes.right == capability->forms[f].sizes.right)
                used += (size_t)snprintf(text + used, text_bytes - used, "%s%s", other > f ? ", " : ": ",
                                         red_form_kind(need, other)->name);
    }
}

/* ---- answers ---------------------------------------------------------------------------------------------
 */

const struct red_capability *red_capability_get(struct red_capabilities *capabilities,
                                                enum red_need_index need, enum red_c_standard standard) {
    struct red_capability *capability = &capabilities->of[need][standard];
    if (!capabilities->known[need][standard])
        capabilities->ask(capabilities->context, need, standard, capability);
    capabilities->known[need][standard] = true;
    return capability;
}

enum red_c_standard red_capability_unknown(const struct red_capabilities *capabilities,
                                           enum red_need_index need) {
    int standard = RED_CL12;
    while (standard < RED_C_STANDARDS_N && capabilities->known[need][standard] &&
           !red_capability_is_whole(&capabilities->of[need][standard]))
        standard++;
    return standard < RED_C_STANDARDS_N && !capabilities->known[need][standard]
               ? (enum red_c_standard)standard
               : RED_C_STANDARDS_N;
}

/* What works everywhere under one standard is best, then what works somewhere; what is not known under one
 * may. */
static int rank(const struct red_capability *capability) {
    if (capability->behaves == RED_YES)
        return red_capability_is_whole(capability) ? 4 : 3;
    return capability->behaves != RED_NO ? 2 : capability->builds == RED_YES;
}

const struct red_capability *red_capability_known(const struct red_capabilities *capabilities,
                                                  enum red_need_index need) {
    const struct red_capability *best = NULL;
    for (int standard = RED_CL12; standard < RED_C_STANDARDS_N; standard++) {
        const struct red_capability *other = &capabilities->of[need][standard];
        if (!capabilities->known[need][standard])
            continue;
        if (best == NULL || rank(other) > rank(best))
            best = other;
    }
    return best;
}

const struct red_capability *red_capability_best(struct red_capabilities *capabilities,
                                                 enum red_need_index need) {
    enum red_c_standard standard;
    while ((standard = red_capability_unknown(capabilities, need)) != RED_C_STANDARDS_N)
        (void)red_capability_get(capabilities, need, standard);
    return red_capability_known(capabilities, need);
}

/* What of the answers does not agree; NULL where they do, or where too little is known. */
static const char *disagreement(const struct red_capability *capability) {
    static const char *const claims[RED_ANSWERS_N] = {[RED_UNKNOWN] = "says yes, no answer",
                                                      [RED_NO] = "says yes, does not build",
                                                      [RED_YES] = "says yes, wrong"};
    bool whole = red_capability_is_whole(capability);
    if (capability->advertised == RED_NO && capability->behaves == RED_YES)
        return whole ? "says no, works" : "says no, works in part";
    if (capability->advertised == RED_YES && capability->behaves == RED_YES && !whole)
        return "says yes, works in part";
    return capability->advertised == RED_YES && capability->behaves == RED_NO ? claims[capability->builds]
                                                                              : NULL;
}

static const char *const answer_words[RED_ANSWERS_N] = {
    [RED_UNKNOWN] = "?", [RED_NO] = "no", [RED_YES] = "yes"};

void red_capability_print(enum red_need_index need, const struct red_capability *capability, char *text,
                          size_t text_bytes) {
    const char *flag = disagreement(capability);
    char sizes[RED_CAPABILITY_TEXT_BYTES];
    red_capability_sizes_print(need, capability, sizes, sizeof sizes);
    snprintf(text, text_bytes, "%s %s %s%s%s", answer_words[capability->advertised],
             answer_words[capability->builds], sizes[0] ? sizes : answer_words[capability->behaves],
             flag ? " ! " : "", flag ? flag : "");
}

const char *red_capability_word(const struct red_capability *capability) {
    const char *flag = disagreement(capability);
    return flag ? flag : answer_words[capability->behaves];
}

static bool is_listed(const struct red_device_info *info, enum red_c_standard standard) {
    return strstr(info->c_versions, red_c_standard_name(standard) + 2) != NULL;
}

/* Whether the need behaves in the form that is asked for. Where it does in part only all standards are asked,
 * once and for all: at another group size another one may serve. */
static bool behaves(struct red_capabilities *capabilities, enum red_need_index need,
                    const struct red_dtype *dtype, const struct red_op *op, size_t group_size,
                    enum red_c_standard standard) {
    const struct red_capability *capability = red_capability_get(capabilities, need, standard);
    if (!red_capability_is_whole(capability))
        (void)red_capability_best(capabilities, need);
    return red_capability_holds(capability, red_form_of(need, op, dtype), group_size);
}

/* The first of the needs that does not, or RED_NEEDS_N. */
static unsigned first_missing(struct red_capabilities *capabilities, uint64_t needs,
                              const struct red_dtype *dtype, const struct red_op *op, size_t group_size,
                              enum red_c_standard standard) {
    unsigned need = 0;
    while (need < RED_NEEDS_N && (!(needs >> need & 1) || behaves(capabilities, (enum red_need_index)need,
                                                                  dtype, op, group_size, standard)))
        need++;
    return need;
}

/* "no collectives: undeclared"; of what behaves elsewhere "no collectives, signed min, with group size 7
 * (right: multiples of 32; group size 3: item 0 expects ...)". */
static enum red_status lacks(const struct red_capability *capability, enum red_need_index need, size_t form,
                             size_t group_size, struct red_error *error) {
    const char *form_name = red_form_kind(need, form)->name;
    char name[64], sizes[96];
    red_needs_print(UINT64_C(1) << need, name, sizeof name);
    if (capability->behaves != RED_YES)
        return red_fail(error, RED_E_UNSUPPORTED, "no %s: %s", name, capability->reason);
    red_group_sizes_print(&capability->forms[form].sizes, sizes, sizeof sizes);
    if (group_size == 0 || !red_group_sizes_any(&capability->forms[form].sizes))
        return red_fail(error, RED_E_UNSUPPORTED, "no %s%s%s: %s", name, form_name[0] ? ", " : "", form_name,
                        capability->forms[form].reason);
    return red_fail(error, RED_E_UNSUPPORTED, "no %s%s%s, with group size %zu (right: %s; %s)", name,
                    form_name[0] ? ", " : "", form_name, group_size, sizes, capability->forms[form].reason);
}

enum red_status red_capability_decide(const struct red_device_info *info,
                                      struct red_capabilities *capabilities,
                                      const struct red_strategy *strategy, const struct red_dtype *dtype,
                                      const struct red_op *op, size_t group_size,
                                      enum red_c_standard *standard, struct red_error *error) {
    static const enum red_c_standard for_12[] = {RED_CL12}, for_20[] = {RED_CL20, RED_CL30};
    bool is_20 = strategy->standard == RED_STANDARD_CL20;
    const enum red_c_standard *candidates = is_20 ? for_20 : for_12;
    size_t candidates_n = is_20 ? 2 : 1;
    uint64_t needs = red_strategy_needs(strategy, dtype, op);
    const struct red_capability *told = NULL;
    enum red_need_index missing = RED_NEEDS_N;
    enum red_status status = red_device_info_check(info, error);
    if (status != RED_OK)
        return status;
    for (int listed = 1; listed >= 0; listed--) {
        for (size_t i = 0; i < candidates_n; i++) {
            if (is_listed(info, candidates[i]) != (bool)listed)
                continue;
            unsigned first = first_missing(capabilities, needs, dtype, op, group_size, candidates[i]);
            if (first == RED_NEEDS_N) {
                *standard = candidates[i];
                return RED_OK;
            }
            const struct red_capability *here =
                red_capability_get(capabilities, (enum red_need_index)first, candidates[i]);
            if (told == NULL || rank(here) > rank(told)) { /* what works in part tells most */
                missing = (enum red_need_index)first;
                told = here;
            }
        }
    }
    return lacks(told, missing, red_form_of(missing, op, dtype), group_size, error);
}

size_t red_capability_group_size(const struct red_device_info *info, struct red_capabilities *capabilities,
                                 const struct red_strategy *strategy, const struct red_dtype *dtype,
                                 const struct red_op *op, size_t group_size) {
    enum red_c_standard standard;
    for (size_t size = group_size; size > 0; size--)
        if (red_capability_decide(info, capabilities, strategy, dtype, op, size, &standard, NULL) == RED_OK)
            return size;
    size_t least = 0;
    for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++) {
        size_t size = red_group_size_at(i, info->shape.group_size_max);
        if (size > group_size && (least == 0 || size < least) &&
            red_capability_decide(info, capabilities, strategy, dtype, op, size, &standard, NULL) == RED_OK)
            least = size;
    }
    return least;
}
