/* Special values (NaN, infinities, -0, denormals): what a strategy promises of them, whether an answer keeps
 * the promise (verify --special: numerics.c), and the lines "not promised on ..." of `verify`. Strategies,
 * types and operations are those of the session, which the user chose. */
#include "verify/verify_private.h"

#include <math.h>
#include <string.h>

#include "core/text.h"

const char *const red_judgement_names[RED_JUDGEMENTS_N] = {
    [RED_AS_EXACT] = "exact", [RED_DEVIATES] = "deviates", [RED_IS_WRONG] = "wrong"};

static const char not_in_manifest[] = "its manifest does not promise it";
static const char own_extremes[] = "OpenCL does not say what the driver's built-in does with it";
static const char lost_infinities[] =
    "the driver's built-in starts with a finite value, as clreduce devices shows";
static const char no_denormals[] = "the driver claims no CL_FP_DENORM";

static const int promises[RED_PATTERNS_N] = {[RED_PATTERN_NAN] = RED_PROMISE_NAN,
                                             [RED_PATTERN_INFINITY] = RED_PROMISE_INFINITY,
                                             [RED_PATTERN_INFINITIES] = RED_PROMISE_INFINITY,
                                             [RED_PATTERN_NEGATIVE_ZEROS] = RED_PROMISE_ZERO,
                                             [RED_PATTERN_ZEROS] = RED_PROMISE_ZERO,
                                             [RED_PATTERN_DENORMALS] = RED_PROMISE_DENORMAL};

/* Whether denormals must not count as 0, if promised: of places and halves always, else if the driver claims
 * so. */
static bool must_keep_denormals(const struct red_op *op, const struct red_dtype *dtype,
                                const struct red_device_info *info) {
    return op->role == RED_ROLE_PLACE || dtype->digits <= 11 ||
           (red_op_accumulator(op, dtype)->digits > 24 ? info->denormals_f64 : info->denormals_f32);
}

/* What is not promised is not checked, or may deviate; it makes the lines "not promised on ...". */
const char *red_special_unpromised(const struct red_strategy *strategy, const struct red_op *op,
                                   const struct red_dtype *dtype, enum red_pattern pattern,
                                   const struct red_device_info *info,
                                   const struct red_capabilities *capabilities) {
    if (!red_pattern_is_special(pattern))
        return NULL;
    if (!(strategy->promises >> promises[pattern] & 1))
        return not_in_manifest;
    if (pattern == RED_PATTERN_NAN && red_strategy_takes_driver_extremes(strategy, op, dtype))
        return own_extremes;
    if (promises[pattern] == RED_PROMISE_INFINITY &&
        red_capabilities_lose_infinities(capabilities, strategy, dtype, op))
        return lost_infinities;
    return pattern == RED_PATTERN_DENORMALS && !must_keep_denormals(op, dtype, info) ? no_denormals : NULL;
}

bool red_special_is_among(const struct red_input *input, uint64_t n) {
    if (input->data_kind.pattern == RED_PATTERN_DENORMALS) /* all of them are */
        return n > 0;
    for (uint64_t i = 0; i < n; i++) {
        double x;
        input->dtype->get_reals(input->arrays[0], i, 1, &x);
        if (!isfinite(x) || x == 0)
            return true;
    }
    return false;
}

/* Words for what a sum gave instead of the exact answer: the column "deviates" (`deviation` in JSON). */
static const char *sum_deviation_words(enum red_pattern pattern, double exact, double got) {
    if (isfinite(exact))
        return isnan(got) ? "a NaN of numbers" : isinf(got) ? "an infinity of numbers" : "another number";
    if (pattern == RED_PATTERN_NAN)
        return "the NaN is lost";
    if (isnan(exact))
        return isinf(got) ? "one infinity is lost" : "the infinities are lost";
    return isnan(got) ? "the infinity became a NaN" : "the infinity is lost";
}

/* Whether the answer is what comes of denormals taken as 0: "count as 0". Of a sum that may do so, some may
 * have been added before they were. */
static bool is_flushed(const struct red_special *special, const struct red_truth *truth, double exact,
                       double got) {
    return special->pattern == RED_PATTERN_DENORMALS && truth->op->role != RED_ROLE_PLACE &&
           truth->dtype->digits > 11 &&
           (got == 0 || (special->unpromised && truth->op->does == RED_ADDS && got > 0 && got < exact));
}

enum red_judgement red_special_judge(const struct red_special *special, const struct red_truth *truth,
                                     const struct red_value *got, const char **words) {
    const struct red_dtype *result = red_op_result_dtype(truth->op, truth->dtype);
    const struct red_value right = red_truth_value(truth);
    double exact = result->get_real(&right, 0), value = result->get_real(got, 0);
    bool same = exact == value || (isnan(exact) && isnan(value));
    *words = "";
    if (same && right.index == got->index)
        return RED_AS_EXACT;
    bool flushed = is_flushed(special, truth, exact, value);
    if (same)
        *words = "at another place";
    else if (flushed)
        *words = special->unpromised == no_denormals ? "count as 0: the driver claims no CL_FP_DENORM"
                 : special->unpromised               ? "count as 0"
                                                     : "count as 0, though the driver claims CL_FP_DENORM";
    else if (!red_op_picks(truth->op))
        *words = sum_deviation_words(special->pattern, exact, value);
    else if (special->unpromised == own_extremes)
        *words = "the driver's built-in does not pass over it";
    else
        *words = isnan(value) ? "a NaN" : "another value";
    /* A driver that keeps no denormals takes them for 0, and for nothing else. */
    return special->unpromised && (flushed || special->unpromised != no_denormals) ? RED_DEVIATES
                                                                                   : RED_IS_WRONG;
}

/* ---- what is not promised --------------------------------------------------------------------------------
 * A struct unpromised becomes a line, "not promised on ...: nan of min (reason): tree". */

/* Kinds of special values that share a reason. */
struct unpromised {
    const char *kind, *reason;
    bool ops[RED_CHOICE_MAX], strategies[RED_CHOICE_MAX];
};
enum { UNPROMISED_MAX = 16 };

/* A place for the kind and the reason; NULL where there is no room. */
static struct unpromised *find_or_add_unpromised(struct unpromised *all, size_t *all_n, const char *kind,
                                                 const char *reason) {
    for (size_t i = 0; i < *all_n; i++)
        if (strcmp(all[i].kind, kind) == 0 && strcmp(all[i].reason, reason) == 0)
            return &all[i];
    if (*all_n == UNPROMISED_MAX)
        return NULL;
    all[*all_n] = (struct unpromised){.kind = kind, .reason = reason};
    return &all[(*all_n)++];
}

/* Adds what strategy s does not promise for some type and operation of the session on device d, by kind and
 * reason. */
static void add_unpromised_of(const struct red_session *session, size_t d, size_t s, struct unpromised *all,
                              size_t *all_n) {
    struct red_client *device = session->devices[d];
    for (size_t at = 0; at < session->ops_n * session->types_n * RED_PATTERNS_N; at++) {
        const enum red_pattern pattern = (enum red_pattern)(at % RED_PATTERNS_N);
        const size_t op = at / RED_PATTERNS_N / session->types_n;
        const struct red_dtype *dtype = session->types[at / RED_PATTERNS_N % session->types_n];
        if (!dtype->is_float ||
            red_strategy_check_type_and_op(session->strategies[s], dtype, session->ops[op], NULL) != RED_OK)
            continue;
        const char *reason = red_special_unpromised(session->strategies[s], session->ops[op], dtype, pattern,
                                                    red_client_info(device), red_client_capabilities(device));
        struct unpromised *to =
            reason ? find_or_add_unpromised(all, all_n, red_promise_names[promises[pattern]], reason) : NULL;
        if (to == NULL)
            continue;
        to->ops[op] = true;
        to->strategies[s] = true;
    }
}

/* The column `not-promised` of the table of `verify`. */
void red_special_unpromised_format(const struct red_session *session, size_t d,
                                   const struct red_strategy *strategy, char *text, size_t text_bytes) {
    struct unpromised all[UNPROMISED_MAX];
    size_t all_n = 0, s = 0;
    while (session->strategies[s] != strategy)
        s++;
    add_unpromised_of(session, d, s, all, &all_n);
    text[0] = '\0';
    for (size_t i = 0; i < all_n; i++)
        if (strstr(text, all[i].kind) == NULL)
            red_text_add(text, text_bytes, "%s%s", text[0] ? ", " : "", all[i].kind);
}

/* Below "covered on ...". */
void red_special_unpromised_print(const struct red_session *session, size_t d, const bool *runs, FILE *out) {
    struct unpromised all[UNPROMISED_MAX];
    size_t all_n = 0;
    for (size_t s = 0; s < session->strategies_n; s++)
        if (runs[s])
            add_unpromised_of(session, d, s, all, &all_n);
    for (size_t i = 0; i < all_n; i++) {
        const char *separator = " of ";
        fprintf(out, "  not promised on %s, so not checked: %s", red_client_info(session->devices[d])->id,
                all[i].kind);
        for (size_t op = 0; op < session->ops_n; op++) {
            if (!all[i].ops[op])
                continue;
            fprintf(out, "%s%s", separator, session->ops[op]->name);
            separator = ", ";
        }
        fprintf(out, " (%s)", all[i].reason);
        separator = ": ";
        for (size_t s = 0; s < session->strategies_n; s++) {
            if (!all[i].strategies[s])
                continue;
            fprintf(out, "%s%s", separator, session->strategies[s]->name);
            separator = ", ";
        }
        fputc('\n', out);
    }
}
