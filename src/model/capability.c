/* Judges what probes found of a device (cl/probe.c in a worker), and decides whether, and under which OpenCL
 * C standard, a case's strategy can run (cl/plan.c, worker/client.c). The user sees it in `devices`, `compare
 * --drivers`, key `capabilities` of a result file and the reason of an `unsupported` cell. */
#include "model/capability.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "model/device_info.h"

/* ---- forms of a need --------------------------------------------------------------------------------------
 * `need` comes from a manifest, or for `devices` from RED_NEEDS; reasons and result files name the form. */

enum { WIDTHS_N = 4 };

/* Sums of integers are unsigned (model/types.h). */
static const struct red_form_kind kinds[WIDTHS_N][RED_FORMS_MAX] = {
    {{"add", "add", "u32", false},
     {"signed min", "min", "i32", false},
     {"signed max", "max", "i32", false},
     {"unsigned min", "min", "u32", false},
     {"unsigned max", "max", "u32", false}},
    {{"add", "add", "u64", false},
     {"signed min", "min", "i64", false},
     {"signed max", "max", "i64", false},
     {"unsigned min", "min", "u64", false},
     {"unsigned max", "max", "u64", false}},
    {{"add", "add", "f32", false},
     {"min", "min", "f32", false},
     {"max", "max", "f32", false},
     {"min of infinities", "min", "f32", true},
     {"max of infinities", "max", "f32", true}},
    {{"add", "add", "f64", false},
     {"min", "min", "f64", false},
     {"max", "max", "f64", false},
     {"min of infinities", "min", "f64", true},
     {"max of infinities", "max", "f64", true}},
};

/* Those of the extension cl_khr_work_group_uniform_arithmetic. */
enum { EXTENSION_FORMS_N = 4 };
static const struct red_form_kind extension_kinds[WIDTHS_N][EXTENSION_FORMS_N] = {
    {{"mul", "mul", "u32", false},
     {"and", "and", "u32", false},
     {"or", "or", "u32", false},
     {"xor", "xor", "u32", false}},
    {{"mul", "mul", "u64", false},
     {"and", "and", "u64", false},
     {"or", "or", "u64", false},
     {"xor", "xor", "u64", false}},
    {{"", "mul", "f32", false}},
    {{"", "mul", "f64", false}},
};

/* Shuffles and ballots only move values: they have one form for each width. */
static const struct red_form_kind moves[WIDTHS_N] = {
    {"", "", "u32", false}, {"", "", "u64", false}, {"", "", "f32", false}, {"", "", "f64", false}};

static const struct red_form_kind single = {"", "", NULL, false};

/* The rows of RED_NEEDS that come in one width or in four, from the narrowest on. */
static const struct {
    enum red_need_index first;
    const char *built_in;
    enum { COMBINES, COMBINES_BY_EXTENSION, MOVES } does;
    size_t widths_n;
} built_ins[] = {
    {RED_NEED_INDEX_COLLECTIVES32, "work_group_reduce_", COMBINES, WIDTHS_N},
    {RED_NEED_INDEX_UNIFORM32, "work_group_reduce_", COMBINES_BY_EXTENSION, WIDTHS_N},
    {RED_NEED_INDEX_SCANS32, "work_group_scan_inclusive_", COMBINES, WIDTHS_N},
    {RED_NEED_INDEX_EXCLUSIVE_SCANS32, "work_group_scan_exclusive_", COMBINES, WIDTHS_N},
    {RED_NEED_INDEX_SUB_GROUPS32, "sub_group_reduce_", COMBINES, WIDTHS_N},
    {RED_NEED_INDEX_SUB_GROUP_SCANS32, "sub_group_scan_inclusive_", COMBINES, WIDTHS_N},
    {RED_NEED_INDEX_SUB_GROUP_EXCLUSIVE_SCANS32, "sub_group_scan_exclusive_", COMBINES, WIDTHS_N},
    {RED_NEED_INDEX_SHUFFLE32, "sub_group_shuffle", MOVES, WIDTHS_N},
    {RED_NEED_INDEX_BALLOTS, "sub_group_ballot", MOVES, 1},
};
enum { BUILT_INS_N = sizeof built_ins / sizeof built_ins[0] };

/* The row of `built_ins` that the need is one width of, or BUILT_INS_N. */
static size_t find_built_in(enum red_need_index need) {
    size_t f = 0;
    while (f < BUILT_INS_N &&
           (need < built_ins[f].first || need >= built_ins[f].first + built_ins[f].widths_n))
        f++;
    return f;
}

size_t red_forms_n(enum red_need_index need) {
    size_t f = find_built_in(need);
    if (f == BUILT_INS_N)
        return need == RED_NEED_INDEX_LOCAL_MEMORY || need == RED_NEED_INDEX_LOCAL_ARGUMENT ||
               need == RED_NEED_INDEX_ASYNC_COPY || need == RED_NEED_INDEX_C11_WORK_GROUP ||
               need == RED_NEED_INDEX_GENERIC_SPACE;
    const size_t width = need - built_ins[f].first;
    return built_ins[f].does == MOVES      ? 1
           : built_ins[f].does == COMBINES ? RED_FORMS_MAX
                                           : (width < 2 ? EXTENSION_FORMS_N : 1);
}

const struct red_form_kind *red_form_kind(enum red_need_index need, size_t form) {
    size_t f = find_built_in(need);
    if (f == BUILT_INS_N)
        return &single;
    const size_t width = need - built_ins[f].first;
    return built_ins[f].does == MOVES      ? &moves[width]
           : built_ins[f].does == COMBINES ? &kinds[width][form]
                                           : &extension_kinds[width][form];
}

const char *red_need_built_in_prefix(enum red_need_index need) {
    size_t f = find_built_in(need);
    return f < BUILT_INS_N ? built_ins[f].built_in : NULL;
}

/* The form that has the suffix and the accumulator of an operation on a type, whose sign bits do not have;
 * where none has, the number of forms, which counts as 0 of a need that is no built-in. */
static size_t find_form(enum red_need_index need, const struct red_op *op, const struct red_dtype *dtype,
                        bool of_infinities) {
    size_t n = find_built_in(need) < BUILT_INS_N ? red_forms_n(need) : 0, form = 0;
    const struct red_accumulator *accumulator = red_op_accumulator(op, dtype);
    const char *name = op->integers_only ? (accumulator->word_bits == 64 ? "u64" : "u32") : accumulator->name;
    for (; form < n; form++) {
        const struct red_form_kind *kind = red_form_kind(need, form);
        if (kind->of_infinities == of_infinities && strcmp(kind->suffix, op->suffix) == 0 &&
            strcmp(kind->type, name) == 0)
            break;
    }
    return form;
}

size_t red_form_of(enum red_need_index need, const struct red_op *op, const struct red_dtype *dtype) {
    size_t form = find_form(need, op, dtype, false);
    return form < red_forms_n(need) ? form : 0;
}

size_t red_form_of_infinities(enum red_need_index need, const struct red_op *op,
                              const struct red_dtype *dtype) {
    size_t form = find_form(need, op, dtype, true);
    return form < red_forms_n(need) ? form : RED_FORMS_MAX;
}

/* For -cl-std in builds (cl/program.c), and key `standard` of a cell in result files. */
const char *red_c_standard_name(enum red_c_standard standard) {
    static const char *const names[] = {[RED_CL12] = "CL1.2", [RED_CL20] = "CL2.0", [RED_CL30] = "CL3.0"};
    return names[standard];
}

/* ---- forms and group sizes --------------------------------------------------------------------------------
 * cl/probe.c and cl/group_probe.c record each size they ask; worker/client.c records a crash or hang. */

void red_capability_trust(struct red_capability *capability) {
    if (capability->builds != RED_YES &&
        (capability->builds != RED_UNKNOWN || capability->advertised != RED_YES))
        return;
    capability->is_trusted = true;
}

/* Whether its probe was right, in every form at every group size. */
static bool is_right_everywhere(const struct red_capability *capability) {
    bool right = capability->behaves == RED_YES;
    for (size_t f = 0; f < capability->forms_n; f++)
        right = right && red_group_sizes_all_asked_right(&capability->forms[f].sizes);
    return right;
}

/* "behaves" of result files, and the third word in `devices`. */
enum red_answer red_capability_told(const struct red_capability *capability) {
    return capability->behaves == RED_YES && !is_right_everywhere(capability) ? RED_PARTLY
                                                                              : capability->behaves;
}

bool red_capability_is_whole(const struct red_capability *capability) {
    return capability->is_trusted || is_right_everywhere(capability);
}

bool red_capability_behaves_at(const struct red_capability *capability, size_t form, size_t group_size) {
    if (capability->is_trusted)
        return true;
    if (capability->behaves != RED_YES || capability->forms_n == 0)
        return capability->behaves == RED_YES;
    const struct red_group_sizes *sizes = &capability->forms[form].sizes;
    return group_size == 0 ? red_group_sizes_any_right(sizes) : red_group_sizes_right_at(sizes, group_size);
}

void red_form_record(struct red_form_findings *form, unsigned size_i, enum red_status status,
                     const char *text) {
    form->sizes.asked |= 1u << size_i;
    if (status == RED_OK)
        form->sizes.right |= 1u << size_i;
    else if (form->reason[0] == '\0')
        snprintf(form->reason, sizeof form->reason, "group size %zu: %.*s",
                 red_probed_group_size(size_i, form->sizes.largest), (int)strcspn(text, "\r\n"), text);
}

/* Marks all sizes of the form as asked, though nobody asked: a driver that crashes is not asked more. */
static void count_unasked_sizes_as_wrong(struct red_form_findings *form) {
    for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++)
        if (red_probed_group_size(i, form->sizes.largest) > 0)
            form->sizes.asked |= 1u << i;
}

/* Where all forms up to this one, at least two, are wrong at a size, the later forms count as wrong there,
 * too: each further crash would cost a process. */
static void count_later_forms_as_wrong_if_all_so_far_are(struct red_capability *capability, size_t form,
                                                         unsigned size_i, enum red_status status,
                                                         const char *text) {
    for (size_t f = 0; f <= form; f++)
        if (!(capability->forms[f].sizes.asked >> size_i & 1) ||
            (capability->forms[f].sizes.right >> size_i & 1))
            return;
    for (size_t f = form + 1; f < capability->forms_n && form > 0; f++) {
        capability->forms[f].sizes.largest = capability->forms[form].sizes.largest;
        red_form_record(&capability->forms[f], size_i, status, text);
    }
}

void red_capability_record_crash(struct red_capability *capability, size_t form, unsigned size_i,
                                 enum red_status status, const char *text) {
    enum { HOPELESS = 2 };
    struct red_form_findings *crashed = &capability->forms[form];
    red_form_record(crashed, size_i, status, text);
    count_later_forms_as_wrong_if_all_so_far_are(capability, form, size_i, status, text);
    crashed->crashed_n++;
    if (crashed->crashed_n < HOPELESS || red_group_sizes_any_right(&crashed->sizes))
        return;
    count_unasked_sizes_as_wrong(crashed);
    for (size_t f = form + 1; f < capability->forms_n && form == 0; f++) {
        capability->forms[f].sizes.largest = crashed->sizes.largest;
        memcpy(capability->forms[f].reason, crashed->reason, sizeof crashed->reason);
        count_unasked_sizes_as_wrong(&capability->forms[f]);
    }
}

/* Whether a form, but for those of infinities, is right wherever it was asked: a reason then names the form
 * that is not. */
static bool any_form_is_right(enum red_need_index need, const struct red_capability *capability) {
    bool any = false;
    for (size_t f = 0; f < capability->forms_n; f++)
        any = any || (!red_form_kind(need, f)->of_infinities &&
                      red_group_sizes_all_asked_right(&capability->forms[f].sizes));
    return any;
}

void red_capability_judge(enum red_need_index need, struct red_capability *capability, bool ran) {
    bool any = capability->forms_n == 0;
    for (size_t f = 0; f < capability->forms_n; f++)
        any = any || (!red_form_kind(need, f)->of_infinities &&
                      red_group_sizes_any_right(&capability->forms[f].sizes));
    capability->behaves = red_repeats_differ(&capability->repeats) ? RED_UNSTEADY
                          : ran && any ? (capability->is_trusted ? RED_UNKNOWN : RED_YES)
                                       : RED_NO;
    const bool is_apart = any_form_is_right(need, capability);
    for (size_t f = 0; f < capability->forms_n && capability->reason[0] == '\0'; f++)
        if (capability->forms[f].reason[0] != '\0')
            snprintf(capability->reason, sizeof capability->reason, "%s%s%s",
                     is_apart ? red_form_kind(need, f)->name : "", is_apart ? ": " : "",
                     capability->forms[f].reason);
}

/* Whether the plain form is right at a group size at which the form of infinities is wrong. */
static bool loses_infinities(const struct red_capability *capability, size_t plain_form,
                             size_t infinite_form) {
    const struct red_form_findings *forms = capability->forms;
    return infinite_form < capability->forms_n && capability->behaves == RED_YES && !capability->is_trusted &&
           (forms[plain_form].sizes.right & forms[infinite_form].sizes.asked &
            ~forms[infinite_form].sizes.right) != 0;
}

/* verify then expects no right infinities of this strategy (verify/special_values.c). */
bool red_capabilities_lose_infinities(const struct red_capabilities *capabilities,
                                      const struct red_strategy *strategy, const struct red_dtype *dtype,
                                      const struct red_op *op) {
    const red_set needs = red_strategy_needs_for(strategy, dtype, op);
    bool lost = false;
    for (unsigned need = 0; need < RED_NEEDS_N; need++)
        for (int standard = RED_CL12; standard < RED_C_STANDARDS_N && needs >> need & 1; standard++)
            lost = lost || (capabilities->known[need][standard] &&
                            loses_infinities(&capabilities->of[need][standard],
                                             red_form_of((enum red_need_index)need, op, dtype),
                                             red_form_of_infinities((enum red_need_index)need, op, dtype)));
    return lost;
}

/* Whether an earlier form is right at the same sizes, so that the text has them already. */
static bool has_sizes_of_earlier_form(const struct red_capability *capability, size_t form) {
    const struct red_group_sizes *sizes = &capability->forms[form].sizes;
    for (size_t f = 0; f < form; f++)
        if (capability->forms[f].sizes.asked == sizes->asked &&
            capability->forms[f].sizes.right == sizes->right)
            return true;
    return false;
}

void red_capability_sizes_format(enum red_need_index need, const struct red_capability *capability,
                                 char *text, size_t text_bytes) {
    size_t same_n = 1;
    text[0] = '\0';
    if (capability->behaves != RED_YES || is_right_everywhere(capability))
        return;
    for (size_t f = 1; f < capability->forms_n; f++)
        same_n += has_sizes_of_earlier_form(capability, f) &&
                  capability->forms[f].sizes.right == capability->forms[0].sizes.right;
    for (size_t f = 0; f < capability->forms_n; f++) {
        char words[96];
        if (has_sizes_of_earlier_form(capability, f))
            continue;
        red_group_sizes_format(&capability->forms[f].sizes, words, sizeof words);
        red_text_add(text, text_bytes, "%s%s", text[0] ? "; " : "", words);
        for (size_t other = f; other < capability->forms_n && same_n < capability->forms_n; other++)
            if (capability->forms[other].sizes.right == capability->forms[f].sizes.right)
                red_text_add(text, text_bytes, "%s%s", other > f ? ", " : ": ",
                             red_form_kind(need, other)->name);
    }
}

/* ---- answers ----------------------------------------------------------------------------------------------
 * `capabilities` are a client's or, in a worker, a device's (cl/device.c); `ask` of the first sends the
 * question `probe` to a worker, that of the second runs the probe. */

static const struct red_capability *get_or_ask_capability(struct red_capabilities *capabilities,
                                                          enum red_need_index need,
                                                          enum red_c_standard standard) {
    struct red_capability *capability = &capabilities->of[need][standard];
    if (!capabilities->known[need][standard])
        capabilities->ask(capabilities->context, need, standard, capability);
    capabilities->known[need][standard] = true;
    return capability;
}

enum red_c_standard red_capability_next_unknown_standard(const struct red_capabilities *capabilities,
                                                         enum red_need_index need) {
    int standard = RED_CL12;
    while (standard < RED_C_STANDARDS_N && capabilities->known[need][standard] &&
           !red_capability_is_whole(&capabilities->of[need][standard]))
        standard++;
    return standard < RED_C_STANDARDS_N && !capabilities->known[need][standard]
               ? (enum red_c_standard)standard
               : RED_C_STANDARDS_N;
}

/* Of two answers the better one has the higher number: behaves everywhere, then at some group sizes, then not
 * known or unsteady, then builds, then does not build. */
static int behaviour_rank(const struct red_capability *capability) {
    if (capability->behaves == RED_YES)
        return is_right_everywhere(capability) ? 4 : 3;
    return capability->behaves != RED_NO ? 2 : capability->builds == RED_YES;
}

const struct red_capability *red_capability_best_known(const struct red_capabilities *capabilities,
                                                       enum red_need_index need) {
    const struct red_capability *best = NULL;
    for (int standard = RED_CL12; standard < RED_C_STANDARDS_N; standard++) {
        const struct red_capability *other = &capabilities->of[need][standard];
        if (!capabilities->known[need][standard])
            continue;
        if (best == NULL || behaviour_rank(other) > behaviour_rank(best))
            best = other;
    }
    return best;
}

const struct red_capability *red_capability_best_or_ask(struct red_capabilities *capabilities,
                                                        enum red_need_index need) {
    enum red_c_standard standard;
    while ((standard = red_capability_next_unknown_standard(capabilities, need)) != RED_C_STANDARDS_N)
        (void)get_or_ask_capability(capabilities, need, standard);
    return red_capability_best_known(capabilities, need);
}

/* What of the answers does not agree; NULL where they do, or where too little is known. */
static const char *disagreement(const struct red_capability *capability) {
    static const char *const claims[RED_ANSWERS_N] = {[RED_UNKNOWN] = "says yes, no answer",
                                                      [RED_NO] = "says yes, does not build",
                                                      [RED_YES] = "says yes, wrong"};
    if (capability->advertised == RED_YES && capability->behaves == RED_UNSTEADY)
        return "says yes, unsteady";
    const enum red_answer told = red_capability_told(capability);
    if (told == RED_PARTLY && capability->advertised != RED_UNKNOWN)
        return capability->advertised == RED_NO ? "says no, works partly" : "says yes, works partly";
    if (capability->advertised == RED_NO && told == RED_YES)
        return "says no, works";
    return capability->advertised == RED_YES && capability->behaves == RED_NO ? claims[capability->builds]
                                                                              : NULL;
}

static const char *const answer_words[RED_ANSWERS_N] = {[RED_UNKNOWN] = "?",
                                                        [RED_NO] = "no",
                                                        [RED_YES] = "yes",
                                                        [RED_UNSTEADY] = "unsteady",
                                                        [RED_PARTLY] = "partly"};

void red_capability_format(enum red_need_index need, const struct red_capability *capability, char *text,
                           size_t text_bytes) {
    const char *flag = disagreement(capability);
    char sizes[RED_CAPABILITY_TEXT_BYTES];
    red_capability_sizes_format(need, capability, sizes, sizeof sizes);
    if (capability->behaves == RED_UNSTEADY)
        snprintf(sizes, sizeof sizes, "unsteady, right %u of %u times", capability->repeats.right_n,
                 capability->repeats.asked_n);
    const bool is_partly = red_capability_told(capability) == RED_PARTLY;
    snprintf(text, text_bytes, "%s %s %s%s%s%s", answer_words[capability->advertised],
             answer_words[capability->builds], is_partly ? "partly, " : "",
             sizes[0] ? sizes : answer_words[capability->behaves], flag ? " ! " : "", flag ? flag : "");
}

const char *red_capability_brief(const struct red_capability *capability) {
    const char *flag = disagreement(capability);
    return flag ? flag : answer_words[red_capability_told(capability)];
}

/* Whether the driver says that it compiles this standard. */
static bool is_standard_listed(const struct red_device_info *info, enum red_c_standard standard) {
    return strstr(info->c_versions, red_c_standard_name(standard) + 2) != NULL;
}

/* Whether the need behaves in the form of an operation on a type, at a group size; asks the device where that
 * is not known. Where it behaves in part only, all standards are asked, once and for all: at another group
 * size another one may serve. */
static bool ask_whether_need_behaves(struct red_capabilities *capabilities, enum red_need_index need,
                                     const struct red_dtype *dtype, const struct red_op *op,
                                     size_t group_size, enum red_c_standard standard) {
    const struct red_capability *capability = get_or_ask_capability(capabilities, need, standard);
    if (!red_capability_is_whole(capability))
        (void)red_capability_best_or_ask(capabilities, need);
    return red_capability_behaves_at(capability, red_form_of(need, op, dtype), group_size);
}

/* The first of the needs that does not behave, or RED_NEEDS_N. */
static unsigned find_missing_need(struct red_capabilities *capabilities, red_set needs,
                                  const struct red_dtype *dtype, const struct red_op *op, size_t group_size,
                                  enum red_c_standard standard) {
    unsigned need = 0;
    while (need < RED_NEEDS_N &&
           (!(needs >> need & 1) || ask_whether_need_behaves(capabilities, (enum red_need_index)need, dtype,
                                                             op, group_size, standard)))
        need++;
    return need;
}

/* Fills the reason of an `unsupported` cell: "no collectives: undeclared"; "no host_visible_buffer: unsteady:
 * right 61 of 64 times, ..."; of what behaves elsewhere "no
 * collectives, signed min, with group size 7 (right: multiples of 32; group size 3: item 0 expects ...)". */
static enum red_status fail_lacking_need(const struct red_capability *capability, enum red_need_index need,
                                         size_t form, size_t group_size, struct red_error *error) {
    const char *form_name = red_form_kind(need, form)->name;
    char name[64], sizes[96];
    red_needs_format(RED_SET(need), name, sizeof name);
    if (capability->behaves != RED_YES)
        return red_fail(error, RED_E_UNSUPPORTED, "no %s: %s%s", name,
                        capability->behaves == RED_UNSTEADY ? "unsteady: " : "", capability->reason);
    red_group_sizes_format(&capability->forms[form].sizes, sizes, sizeof sizes);
    if (group_size == 0 || !red_group_sizes_any_right(&capability->forms[form].sizes))
        return red_fail(error, RED_E_UNSUPPORTED, "no %s%s%s: %s", name, form_name[0] ? ", " : "", form_name,
                        capability->forms[form].reason);
    return red_fail(error, RED_E_UNSUPPORTED, "no %s%s%s, with group size %zu (right: %s; %s)", name,
                    form_name[0] ? ", " : "", form_name, group_size, sizes, capability->forms[form].reason);
}

enum red_status red_capability_choose_standard(const struct red_device_info *info,
                                               struct red_capabilities *capabilities,
                                               const struct red_strategy *strategy,
                                               const struct red_dtype *dtype, const struct red_op *op,
                                               size_t group_size, enum red_c_standard *standard,
                                               struct red_error *error) {
    static const enum red_c_standard for_12[] = {RED_CL12}, for_20[] = {RED_CL20, RED_CL30};
    bool is_20 = strategy->standard == RED_STANDARD_CL20;
    const enum red_c_standard *candidates = is_20 ? for_20 : for_12;
    size_t candidates_n = is_20 ? 2 : 1;
    red_set needs = red_strategy_needs_for(strategy, dtype, op);
    const struct red_capability *told = NULL;
    enum red_need_index missing = RED_NEEDS_N;
    enum red_status status = red_device_info_check_version(info, error);
    if (status != RED_OK)
        return status;
    for (int listed = 1; listed >= 0; listed--) {
        for (size_t i = 0; i < candidates_n; i++) {
            if (is_standard_listed(info, candidates[i]) != (bool)listed)
                continue;
            unsigned first = find_missing_need(capabilities, needs, dtype, op, group_size, candidates[i]);
            if (first == RED_NEEDS_N) {
                *standard = candidates[i];
                return RED_OK;
            }
            const struct red_capability *here =
                get_or_ask_capability(capabilities, (enum red_need_index)first, candidates[i]);
            if (told == NULL ||
                behaviour_rank(here) > behaviour_rank(told)) { /* what works in part tells most */
                missing = (enum red_need_index)first;
                told = here;
            }
        }
    }
    return fail_lacking_need(told, missing, red_form_of(missing, op, dtype), group_size, error);
}

/* For a group size that nobody chose: cl/plan.c, and reproduce. */
size_t red_capability_usable_group_size(const struct red_device_info *info,
                                        struct red_capabilities *capabilities,
                                        const struct red_strategy *strategy, const struct red_dtype *dtype,
                                        const struct red_op *op, size_t group_size) {
    enum red_c_standard standard;
    for (size_t size = group_size; size > 0; size--)
        if (red_capability_choose_standard(info, capabilities, strategy, dtype, op, size, &standard, NULL) ==
            RED_OK)
            return size;
    size_t least = 0;
    for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++) {
        size_t size = red_probed_group_size(i, info->shape.group_size_max);
        if (size > group_size && (least == 0 || size < least) &&
            red_capability_choose_standard(info, capabilities, strategy, dtype, op, size, &standard, NULL) ==
                RED_OK)
            least = size;
    }
    return least;
}
