#define _POSIX_C_SOURCE 200809L /* strdup */
/* Writes the folder of `reproduce`: the kernel, a host program that runs and judges it, the data where they
 * need a file, and a text about them. What is in the struct red_reproduction, reproduce/reproduce.c has found
 * by checks. */
#include "emit/reproduction.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/random.h"
#include "core/text.h"
#include "emit/emit_private.h"

enum { LAUNCHES_BYTES = 8192, CHANGES_IN_ROOM = 8 };

/* Whether the host program looks at a child process, whose crash or hang is the bug. */
static bool is_guarded(const struct red_reproduction *r) {
    return r->fault == RED_E_CRASHED || r->fault == RED_E_TIMED_OUT;
}

/* ---- the kernel ---------------------------------------------------------------------------------------- */

/* What the host program and the kernel are made of. */
struct reproduction_texts {
    struct red_blanks blanks;
    const struct red_reproduction_hooks *hooks;
    struct red_launch_list launches;
    char *kernel, *line; /* owned: the program text; the line that makes an element, or NULL */
    char calls[LAUNCHES_BYTES], changes[LAUNCHES_BYTES];
};

enum red_status red_emit_add_pass(const struct red_build_spec *build, const char *first, char **kernel,
                                  const char **name, struct red_error *error) {
    static const struct {
        const char *suffix, *name, *title;
    } passes[] = {{"_partials", "reduce_partials", "over partial results"},
                  {"_again", "reduce_again", "the second launch"},
                  {"_last", "reduce_last", "the third launch"}};
    const size_t at = build->over_partials ? 0 : build->pass;
    char *text = NULL;
    enum red_status status = red_emit_compose(build, &text, error);
    *name = "reduce";
    if (status == RED_OK && strcmp(text, first) != 0) {
        *name = passes[at].name;
        status = red_emit_join(kernel, text, passes[at].suffix, passes[at].title, error);
    }
    free(text);
    return status;
}

/* Whether the launch's kernel has a parameter more than inputs, n, out, and the answer's memory or the number
 * of segments. */
static bool takes_counter(const struct red_build_spec *build, const struct red_listed_launch *launch,
                          const char *text) {
    const enum red_finish_kind finish = build->strategy->finish;
    const bool has_more = finish == RED_STRATEGY_POLLED || finish == RED_STRATEGY_PERSISTENT ||
                          red_strategy_is_segmented(build->strategy);
    const unsigned others_n = (launch->over_partials ? 1 : build->op->arrays) + 2 + has_more;
    return red_emit_parameters_n(text, launch->kernel) > others_n;
}

/* Makes the program text of a reduction, whose later launches may be of another text. */
static enum red_status make_reduction_kernel(const struct red_build_spec *build_of_first,
                                             struct red_launch_list *list, char **kernel,
                                             struct red_error *error) {
    struct red_build_spec build = *build_of_first;
    char *first = NULL;
    enum red_status status = red_emit_compose(&build, kernel, error);
    if (status == RED_OK && (first = strdup(*kernel)) == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    list->rows[0].kernel = "reduce";
    for (size_t i = 1; i < list->n && status == RED_OK; i++) {
        struct red_listed_launch *launch = &list->rows[i];
        build.pass = launch->pass;
        build.over_partials = launch->over_partials;
        if (i > 1 && launch->pass == launch[-1].pass)
            launch->kernel = launch[-1].kernel;
        else
            status = red_emit_add_pass(&build, first, kernel, &launch->kernel, error);
    }
    free(first);
    if (status == RED_OK)
        status = red_emit_drop_prefix(kernel, error);
    for (size_t i = 0; i < list->n && status == RED_OK; i++)
        list->rows[i].used = takes_counter(build_of_first, &list->rows[i], *kernel);
    return status;
}

/* Makes the program text with a kernel for each launch. */
static enum red_status make_kernel(const struct red_reproduction *r, struct reproduction_texts *texts,
                                   struct red_error *error) {
    const struct red_build_spec build = {.strategy = r->strategy,
                                         .dtype = r->input->dtype,
                                         .op = r->input->op,
                                         .group_size = r->geometry.group_size,
                                         .width = r->geometry.width,
                                         .loads = r->geometry.loads,
                                         .poison_local = r->poison_local,
                                         .bins_n = r->input->bins_n};
    return texts->hooks->make_kernel(&build, &texts->launches, &texts->kernel, error);
}

/* ---- launches in the host program ---------------------------------------------------------------------- */

enum { CALL_BYTES = 160 };

static void reduction_call_format(const struct red_reproduction *r, const struct red_listed_launch *launch,
                                  char *text, size_t text_bytes) {
    char from[16] = "in, ARRAYS";
    (void)r;
    if (launch->over_partials)
        snprintf(from, sizeof from, "&out[%u], 1", launch->from);
    snprintf(text, text_bytes, "launch(\"%s\", %s, %" PRIu64 ", %" PRIu64 ", out[%u], %u)", launch->kernel,
             from, launch->n, launch->groups_n, launch->to, launch->used);
}

/* Writes how many bytes each buffer has: "100 * sizeof(int32_t), 4 * sizeof(uint32_t)". Returns how many
 * buffers there are. */
static unsigned outs_format(const struct red_reproduction *r, const struct red_launch_list *list, char *text,
                            size_t text_bytes) {
    const char *partial = red_emit_accumulator_of(r->input->op, r->input->dtype)->c,
               *result = red_emit_c_type(red_op_result_dtype(r->input->op, r->input->dtype));
    unsigned outs_n = 0;
    if (red_strategy_groups_have_words(r->strategy)) {
        red_text_add(text, text_bytes, "%zu",
                     red_geometry_state_bytes(r->strategy, &r->geometry, r->n, r->input->bins_n));
        return 1;
    }
    while (outs_n < RED_LISTED_OUTS_MAX && (outs_n == 0 || list->values_n[outs_n] > 0)) {
        red_text_add(text, text_bytes, "%s%" PRIu64 " * sizeof(%s)", outs_n > 0 ? ", " : "",
                     list->values_n[outs_n], outs_n == 0 && list->leaves_results ? result : partial);
        outs_n++;
    }
    return outs_n;
}

/* Sets the blanks of the launches, and of what is read. They keep pointers into texts->calls. */
static void set_launch_blanks(struct reproduction_texts *texts, const struct red_reproduction *r) {
    static const char replay[] = "        check(enqueue(0, NULL, commands, 0, NULL, NULL), "
                                 "\"clEnqueueCommandBufferKHR\");";
    struct red_blanks *blanks = &texts->blanks;
    const struct red_launch_list *list = &texts->launches;
    const bool is_recorded = r->strategy->finish == RED_STRATEGY_COMMAND_BUFFER;
    const int indent = red_launch_waits_for_calls(r) ? 16 : is_recorded ? 4 : 8;
    char outs[CALL_BYTES] = "";
    for (size_t i = 0; i < list->n; i++) {
        char call[CALL_BYTES];
        texts->hooks->call_format(r, &list->rows[i], call, sizeof call);
        red_text_add(texts->calls, sizeof texts->calls, "%s%*s%s;", i > 0 ? "\n" : "", indent, "", call);
    }
    red_blanks_set_flag(blanks, "RECORDED", is_recorded);
    red_blanks_set_borrowed(blanks, "RECORD", texts->calls);
    red_blanks_set_borrowed(blanks, "LAUNCHES", is_recorded ? replay : texts->calls);
    red_blanks_set(blanks, "OUTS", "%u", outs_format(r, list, outs, sizeof outs));
    red_blanks_set(blanks, "OUT_VALUES", "%s", outs);
    red_blanks_set(blanks, "READ", "%" PRIu64, list->read_n);
    red_blanks_set_flag(blanks, "MANY", list->read_n > 1);
    red_blanks_set(blanks, "RESULT", "%u", list->result);
    red_blanks_set(blanks, "FIRST", "%" PRIu64, list->first);
    red_blanks_set_flag(blanks, "RESULTS", list->leaves_results);
    red_blanks_set_flag(blanks, "LOOPS", list->leaves_results && !list->judges_one);
    red_blanks_set_flag(blanks, "IN_PLACE", r->in_place);
    red_blanks_set(blanks, "LEFT", list->leaves_results ? "results" : "partials");
    red_blanks_set(blanks, "LEFT_WORDS",
                   list->leaves_results ? "results, or of what groups left" : "partial results");
    red_blanks_set(blanks, "CARRIES", "%" PRIu64, list->values_n[1]);
    red_blanks_set_flag(blanks, "ZEROED", list->zeroes);
    const size_t state_bytes = red_geometry_state_bytes(r->strategy, &r->geometry, r->n, r->input->bins_n);
    if (state_bytes > 0)
        red_blanks_set(blanks, "STATE", "%zu", state_bytes);
    else
        red_blanks_set(blanks, "STATE", "sizeof(cl_uint)");
    red_blanks_set(blanks, "GLOBAL", "%s",
                   r->strategy->needs & RED_NEED(NON_UNIFORM) ? "n > 0 ? n : groups" : "groups * GROUP_SIZE");
}

/* ---- blanks of the host program ------------------------------------------------------------------------ */

void red_literal_format(const struct red_dtype *dtype, struct red_value value, char *text,
                        size_t text_bytes) {
    if (dtype->is_float) {
        const double real = dtype->get_real(&value, 0);
        if (isinf(real)) /* without <math.h> */
            snprintf(text, text_bytes, real < 0 ? "(-1 / 0.0)" : "(1 / 0.0)");
        else if (isnan(real))
            snprintf(text, text_bytes, signbit(real) ? "(-(0 / 0.0))" : "(0 / 0.0)");
        else
            snprintf(text, text_bytes, "%a", real);
    } else
        snprintf(text, text_bytes, "(%s)UINT64_C(%" PRIu64 ")", dtype->c_type, dtype->get_integer(&value, 0));
}

/* The rank of a value that is looked for, in the upper bits, as kernels have it (host/reference.c). */
static uint64_t rank_of(const struct red_reproduction *r) {
    const struct red_dtype *dtype = r->input->dtype;
    const uint64_t sign = UINT64_C(1) << 63;
    uint64_t word = 0;
    memcpy(&word, &r->right, dtype->size_bytes);
    word <<= 64 - dtype->bits;
    if (dtype->is_float)
        word = (word & ~sign) == 0 ? sign : word & sign ? ~word : word ^ sign;
    else if (dtype->kind == RED_SIGNED)
        word ^= sign;
    word = r->input->op->does == RED_PICKS_GREATEST ? ~word : word;
    return word & ~UINT64_C(0) << (64 - dtype->bits);
}

/* Sets what is compared where a place is the answer: ranks and indices as the kernel has them. */
static void set_place_blanks(struct red_blanks *blanks, const struct red_reproduction *r) {
    const unsigned bits = r->input->dtype->bits;
    const uint64_t rank = rank_of(r), index = r->strategy->span == RED_STRATEGY_COLUMN
                                                  ? r->right.index * r->segments_n + r->evidence.segment
                                                  : r->right.index;
    if (bits < 64) {
        red_blanks_set(blanks, "STEP", "partials[i] < total ? partials[i] : total");
        red_blanks_set(blanks, "FORMAT", "index %%\" PRIu64 \" (rank %%\" PRIx64 \")");
        red_blanks_set(blanks, "GOT", "got & UINT64_MAX >> %u, got >> %u", bits, 64 - bits);
        red_blanks_set(blanks, "RIGHT", "index %" PRIu64 " (rank %" PRIx64 ")", index, rank >> (64 - bits));
        red_blanks_set(blanks, "IS_RIGHT", "got == (UINT64_C(0x%" PRIx64 ") | UINT64_C(%" PRIu64 "))", rank,
                       index);
    } else {
        red_blanks_set(
            blanks, "STEP",
            "partials[i].rank < total.rank || (partials[i].rank == total.rank && partials[i].index < "
            "total.index) ? partials[i] : total");
        red_blanks_set(blanks, "FORMAT", "index %%\" PRIu64 \" (rank %%\" PRIx64 \")");
        red_blanks_set(blanks, "GOT", "got.index, got.rank");
        red_blanks_set(blanks, "RIGHT", "index %" PRIu64 " (rank %" PRIx64 ")", index, rank);
        red_blanks_set(blanks, "IS_RIGHT", "got.rank == UINT64_C(0x%" PRIx64 ") && got.index == %" PRIu64,
                       rank, index);
    }
    red_blanks_set(blanks, "FINISH", "total");
}

/* Sets how two partial results make one, and how the last makes the answer. */
static void set_fold_blanks(struct red_blanks *blanks, const struct red_reproduction *r, const char *result) {
    const struct red_op *op = r->input->op;
    const struct red_dtype *dtype = r->input->dtype;
    const bool is_float = red_op_accumulator(op, dtype)->is_float;
    const char sign = op->does == RED_PICKS_LEAST ? '<' : '>';
    char combined[128];
    red_emit_combine_format(op, "total", "partials[i]", combined, sizeof combined);
    if (!red_op_picks(op))
        red_blanks_set(blanks, "STEP", "%s", combined);
    else
        red_blanks_set(blanks, "STEP", "%spartials[i] %c total ? partials[i] : total",
                       is_float ? "total != total || " : "", sign);
    if (op->role == RED_ROLE_MEAN)
        red_blanks_set(blanks, "FINISH", "(%s)(%s / (double)N)", result,
                       is_float                    ? "total"
                       : dtype->kind == RED_SIGNED ? "(double)(int64_t)total"
                                                   : "(double)total");
    else
        red_blanks_set(blanks, "FINISH", "(%s)total", result);
}

/* The type in which an answer is compared. */
static const char *answer_type(const struct red_reproduction *r) {
    const struct red_dtype *dtype = red_op_result_dtype(r->input->op, r->input->dtype);
    return red_emit_is_half(dtype) ? "float" : dtype->c_type;
}

void red_blanks_set_value(struct red_blanks *blanks, const struct red_reproduction *r) {
    const struct red_dtype *dtype = red_op_result_dtype(r->input->op, r->input->dtype);
    char low[96], high[96];
    const char *cast = dtype->is_float ? "(double)" : dtype->kind == RED_SIGNED ? "(int64_t)" : "(uint64_t)";
    red_blanks_set(blanks, "R", "%s", answer_type(r));
    red_blanks_set(blanks, "RIGHT", "%s", r->right_text);
    red_blanks_set(blanks, "CAST", "%s", cast);
    red_blanks_set(blanks, "GOT", "%sgot", cast);
    red_blanks_set(blanks, "FORMAT",
                   dtype->is_float             ? dtype->digits > 24 ? "%%.17g" : "%%.9g"
                   : dtype->kind == RED_SIGNED ? "%%\" PRId64 \""
                                               : "%%\" PRIu64 \"");
    red_literal_format(dtype, r->low, low, sizeof low);
    red_literal_format(dtype, r->high, high, sizeof high);
    if (dtype->is_float && isnan(dtype->get_real(&r->right, 0)))
        red_blanks_set(blanks, "IS_RIGHT", "got != got");
    else if (r->low.bits == r->high.bits)
        red_blanks_set(blanks, "IS_RIGHT", "got == %s", low);
    else
        red_blanks_set(blanks, "IS_RIGHT", "got >= (%s)%s && got <= (%s)%s", answer_type(r), low,
                       answer_type(r), high);
}

/* Sets the blanks of a reduction's answer: its type, the fold, the right one, and the comparison. */
static void set_reduction_answer(struct red_blanks *blanks, const struct red_reproduction *r) {
    if (r->input->op->role == RED_ROLE_PLACE) {
        red_blanks_set(blanks, "R", "%s", red_emit_accumulator_of(r->input->op, r->input->dtype)->c);
        set_place_blanks(blanks, r);
        return;
    }
    set_fold_blanks(blanks, r, answer_type(r));
    red_blanks_set_value(blanks, r);
}

/* Sets the blanks of the device: how it is found, and what it must have. */
static void set_device_blanks(struct red_blanks *blanks, const struct red_reproduction *r) {
    static const struct {
        red_set needs;
        const char *extension;
    } extensions[] = {{RED_NEED(FP64), "cl_khr_fp64"},
                      {RED_NEED(FP16), "cl_khr_fp16"},
                      {RED_NEED(CAS64) | RED_NEED(XCHG64), "cl_khr_int64_base_atomics"},
                      {RED_NEED(ATOMIC64), "cl_khr_int64_extended_atomics"}};
    const red_set needs = red_strategy_needs_for(r->strategy, r->input->dtype, r->input->op);
    const char *number = strchr(r->info->id, '.');
    char platform[sizeof r->info->platform];
    red_text_copy_for_comment(r->info->platform, platform, sizeof platform);
    for (char *c = platform; *c != '\0'; c++)
        *c = *c == '"' ? ' ' : *c;
    red_blanks_set(blanks, "PLATFORM", "%s", platform);
    red_blanks_set(blanks, "DEVICE", "%d", number != NULL ? atoi(number + 1) : 0);
    const char *extension = "";
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++)
        extension = needs & extensions[i].needs ? extensions[i].extension : extension;
    red_blanks_set(blanks, "EXTENSION", "%s", extension);
}

/* A hash of the elements: the host program compares it with that of what it has made. */
static uint64_t hash_elements(const struct red_input *input) {
    uint64_t hash = RED_HASH;
    for (unsigned a = 0; a < input->arrays_n; a++)
        for (size_t i = 0; i < (size_t)input->n * input->dtype->size_bytes; i++)
            hash = red_hash_add(hash, ((const unsigned char *)input->arrays[a])[i]);
    return hash;
}

/* Sets the blanks of the changes between calls. */
static void set_change_blanks(struct reproduction_texts *texts, const struct red_reproduction *r) {
    enum { EACH_BYTES = 96, EACH_LINE = 4 };
    const struct red_dtype *dtype = r->input->dtype;
    for (size_t i = 0; i < r->changes_n; i++) {
        char value[EACH_BYTES];
        if (red_emit_is_half(dtype))
            snprintf(value, sizeof value, "%u", (unsigned)(r->changes[i].value.bits & 0xffff));
        else
            red_literal_format(dtype, r->changes[i].value, value, sizeof value);
        red_text_add(texts->changes, sizeof texts->changes, "%s{%u, %" PRIu64 ", %s}",
                     i == 0               ? "    "
                     : i % EACH_LINE == 0 ? ",\n    "
                                          : ", ",
                     r->changes[i].call, r->changes[i].at * dtype->size_bytes, value);
    }
    red_blanks_set_flag(&texts->blanks, "CHANGED", r->changes_n > 0);
    red_blanks_set_borrowed(&texts->blanks, "CHANGES", texts->changes);
    red_blanks_set(&texts->blanks, "CALLS", "%u", r->calls_n);
}

/* Sets the blanks of data and their types. */
static void set_data_blanks(struct reproduction_texts *texts, const struct red_reproduction *r) {
    struct red_blanks *blanks = &texts->blanks;
    const struct red_input *input = r->input;
    const char *line = texts->line ? texts->line : "";
    char name[64];
    red_data_kind_format(input->data_kind, input->op, input->dtype, r->n, name, sizeof name);
    red_blanks_set(blanks, "DATA", "%s%s", name, texts->line ? "" : ", in a file");
    red_blanks_set(blanks, "DATA_NAME", "%s", name);
    red_blanks_set(blanks, "DATA_IS", " (%s)%s", red_data_words(name), texts->line ? "" : ", in a file");
    red_blanks_set_borrowed(blanks, "ELEMENT", line);
    red_blanks_set_flag(blanks, "GENERATED", texts->line != NULL);
    const bool has_h = red_has_word(line, strlen(line), "h");
    red_blanks_set_flag(blanks, "OWN_HASH", has_h);
    red_blanks_set_flag(blanks, "HASHED", has_h || red_has_word(line, strlen(line), "hash"));
    red_blanks_set_flag(blanks, "INDEXED", red_has_word(line, strlen(line), "i"));
    red_blanks_set(blanks, "SEED", "%" PRIu64, input->seed);
    red_blanks_set(blanks, "HASH", "0x%016" PRIx64, hash_elements(input));
    red_blanks_set(blanks, "N", "%" PRIu64, r->n);
    red_blanks_set_flag(blanks, "USES_N",
                        red_has_word(line, strlen(line), "i") || red_has_word(line, strlen(line), "N") ||
                            input->op->role == RED_ROLE_MEAN || red_launch_waits_for_calls(r));
    red_blanks_set(blanks, "ELEMENTS", "%" PRIu64, input->n);
    red_blanks_set(blanks, "ARRAYS", "%u", input->arrays_n);
    red_blanks_set(blanks, "DATA_POISON", "%d", red_op_elements_poison_byte(input->op, input->dtype));
    red_blanks_set(blanks, "POISON", "%d",
                   red_op_accumulator_poison_byte(input->op, input->dtype, !r->poison_local));
}

static const char licence[] =
    " * It is free to use for any purpose, and without warranty of any kind (0BSD).";

/* Sets what is looked at of the counter. Where groups have words, these are all it has, behind the result. */
static void set_counter_blanks(struct red_blanks *blanks, const struct red_reproduction *r) {
    const bool has_words = red_strategy_groups_have_words(r->strategy),
               is_polled = r->strategy->finish == RED_STRATEGY_POLLED;
    red_blanks_set_flag(blanks, "WORDS", has_words);
    red_blanks_set(blanks, "COUNTER_AT", "%d", has_words ? RED_RESULT_BYTES : 0);
    if (has_words)
        red_blanks_set(blanks, "COUNTER_BYTES", "sizeof zero - BEHIND - %d", RED_RESULT_BYTES);
    else
        red_blanks_set(blanks, "COUNTER_BYTES", "sizeof(cl_uint)");
    red_blanks_set_flag(blanks, "HAS_OUT_BYTES", !has_words || r->evidence.fault == RED_FAULT_OUT);
    red_blanks_set(blanks, "RESULT_BYTES", "%zu",
                   is_polled ? 0 : red_op_accumulator(r->input->op, r->input->dtype)->size_bytes);
}

/* Sets which buffers are looked at beside the answer: that of the fault. */
static void set_watch_blanks(struct red_blanks *blanks, const struct red_reproduction *r) {
    const enum red_fault fault = r->evidence.fault;
    red_blanks_set_flag(blanks, "WATCHES_OUT", fault == RED_FAULT_OUT);
    red_blanks_set_flag(blanks, "WATCHES_DATA", fault == RED_FAULT_INPUT);
    red_blanks_set_flag(blanks, "WATCHES_COUNTER", fault == RED_FAULT_COUNTER || fault == RED_FAULT_BEHIND);
}

/* Sets all other blanks of the host program. */
static void set_program_blanks(struct red_blanks *blanks, const struct red_reproduction *r) {
    const struct red_op *op = r->input->op;
    const struct red_accumulator *own = red_op_accumulator(op, r->input->dtype);
    const bool is_new = r->strategy->standard == RED_STANDARD_CL20;
    char evidence[160];
    red_blanks_set(blanks, "TITLE", "The %s of %s by the strategy %s on %s, driver %s, fails.", op->name,
                   r->input->dtype->name, r->strategy->name, r->info->id, r->info->driver);
    red_text_copy_for_comment(r->found, evidence, sizeof evidence);
    red_blanks_set(blanks, "FOUND", "%s", evidence);
    red_blanks_set(blanks, "VERSION", CLREDUCE_VERSION);
    red_blanks_set(blanks, "LICENCE", "%s", licence);
    red_blanks_set(blanks, "API", "%s", is_new ? "200" : "120");
    red_blanks_set(blanks, "STANDARD", "%s", r->standard);
    red_blanks_set(blanks, "OTHER_STANDARD", "%s",
                   !is_new || r->fault == RED_E_BUILD  ? ""
                   : strcmp(r->standard, "CL2.0") == 0 ? "CL3.0"
                                                       : "CL2.0");
    red_blanks_set(blanks, "GROUP_SIZE", "%zu", r->geometry.group_size);
    red_blanks_set_types(blanks, op, r->input->dtype);
    red_blanks_set_flag(blanks, "MATH", own->is_float && red_op_picks(op));
    red_blanks_set_flag(blanks, "PAIRS", own->word_bits == 0);
    red_blanks_set_flag(blanks, "ATOMIC", r->strategy->finish == RED_STRATEGY_ATOMIC);
    red_blanks_set_flag(blanks, "SVM", r->strategy->finish == RED_STRATEGY_SVM);
    red_blanks_set_flag(blanks, "POLLED", r->strategy->finish == RED_STRATEGY_POLLED);
    const bool waits = red_launch_waits_for_calls(r);
    red_blanks_set_flag(blanks, "WAITS", waits);
    const bool answers = waits || r->strategy->finish == RED_STRATEGY_POLLED;
    const bool svm_answer = (r->strategy->needs & RED_NEED(SVM_POLLED)) != 0;
    red_blanks_set_flag(blanks, "ANSWERS", answers);
    red_blanks_set(blanks, "ANSWER_WORDS",
                   waits ? "the value, 2: answered, 3: left, 4: asked, 5: launch, 6: patience, 12: n"
                         : "two words for the value, one for the flag");
    red_blanks_set_flag(blanks, "SVM_ANSWER", svm_answer);
    red_blanks_set(blanks, "ANSWER_BUFFER", "%s", answers && !svm_answer ? ", answer_buffer" : "");
    red_blanks_set_flag(blanks, "ON_DEVICE", r->strategy->finish == RED_STRATEGY_DEVICE_ENQUEUE);
    red_blanks_set_flag(blanks, "SEGMENTED", red_strategy_is_segmented(r->strategy));
    red_blanks_set(blanks, "SEGMENTS", "%" PRIu64, r->segments_n);
    red_blanks_set_flag(blanks, "GUARDED", is_guarded(r));
    red_blanks_set_flag(blanks, "NEW", is_new);
    set_watch_blanks(blanks, r);
    set_counter_blanks(blanks, r);
    red_blanks_set_flag(blanks, "FAILED", r->fault == RED_E_DEVICE);
    red_blanks_set(blanks, "GONE", "%d", is_guarded(r) ? 100 : 0);
    red_blanks_set(blanks, "ERROR_STATUS", "%s", r->fault == RED_E_DEVICE ? "status_of_error" : "SET_UP");
    red_blanks_set(blanks, "BUILD_STATUS", "%s",
                   r->fault == RED_E_BUILD ? "BUG"
                   : is_new                ? "LACKS"
                                           : "SET_UP");
    red_blanks_set(blanks, "PATIENCE", "%u", r->patience_s);
}

/* ---- files --------------------------------------------------------------------------------------------- */

static const char readme[] =
    "@TITLE@\n"
    "\n"
    "expected  @EXPECTED@\n"
    "got       @EVIDENCE@\n"
    "where     @N@ element@ELEMENTS_S@@OF_SEGMENTS@@OF_BINS@@IS_IN_PLACE@, data set '@DATA_NAME@'@DATA_IS@, "
    "@GROUPS@ x "
    "@GROUP_SIZE@ work-items, "
    "-cl-std=@STANDARD@\n"
    "checks    @CHECKS@\n"
    "\n"
    "platform  @PLATFORM_TEXT@ (@PLATFORM_VERSION@)\n"
    "device    @DEVICE_TEXT@ (@DEVICE_VERSION@)\n"
    "driver    @DRIVER@\n"
    "\n"
    "Build and run, in this folder; the platform is the first whose name holds the argument:\n"
    "  cc reproduce.c -lOpenCL && ./a.out \"@PLATFORM@\"\n"
    "The exit status is 1 while the bug is there, 0 without it, 77 where the device lacks what is needed, "
    "and 2 where\n"
    "something else fails, with OpenCL's error and the build log.\n"
    "\n"
    "reproduce.cl  the kernel, with all that it needs\n"
    "reproduce.c   data, launches, and the comparison; it needs OpenCL alone\n"
    "@DATA_FILE@"
    "\n"
    "Found by clreduce @VERSION@: @COMMAND@\n";

static const char kernel_template[] =
    "/* @TITLE@\n * Written by clreduce @VERSION@.\n@KERNEL_LICENCE@ */\n\n@KERNEL@";

/* Sets what README.txt has more than the host program. */
static void set_readme_blanks(struct reproduction_texts *texts, const struct red_reproduction *r) {
    struct red_blanks *blanks = &texts->blanks;
    static const char users_licence[] =
        " * The kernel is its author's, under the licence that the author gives it.";
    if (r->fault == RED_E_WRONG)
        red_blanks_set(blanks, "EXPECTED", "%s", r->right_text);
    else
        red_blanks_set(blanks, "EXPECTED", "that it ends within %u s with the right result, %s",
                       r->patience_s, r->right_text);
    if (r->fault == RED_E_WRONG && r->evidence.fault == RED_FAULT_ANSWER) {
        char place[32] = "";
        if (r->evidence.has_place)
            red_place_format(r->evidence.got.place, r->evidence.bins_n, place, sizeof place);
        red_blanks_set(blanks, "EVIDENCE", "%s%s", r->evidence.got.value, place);
    } else {
        red_blanks_set_borrowed(blanks, "EVIDENCE", r->found);
    }
    red_blanks_set(blanks, "ELEMENTS_S", "%s", r->n == 1 ? "" : "s");
    if (red_strategy_is_segmented(r->strategy))
        red_blanks_set(blanks, "OF_SEGMENTS",
                       " in each of %" PRIu64 " segments, of which segment %" PRIu64 " is judged",
                       r->segments_n, r->evidence.segment);
    else
        red_blanks_set(blanks, "OF_SEGMENTS", "%s", "");
    red_blanks_set(blanks, "OF_BINS", "%s", ""); /* of others than histograms, whose hooks have set it */
    red_blanks_set(blanks, "IS_IN_PLACE", r->in_place ? ", results in their place" : "");
    red_blanks_set(blanks, "GROUPS", "%" PRIu64, r->geometry.groups_n);
    red_blanks_set_borrowed(blanks, "CHECKS", r->checks);
    red_blanks_set(blanks, "PLATFORM_TEXT", "%s", r->info->platform);
    red_blanks_set(blanks, "PLATFORM_VERSION", "%s", r->info->platform_version);
    red_blanks_set(blanks, "DEVICE_TEXT", "%s", r->info->name);
    red_blanks_set(blanks, "DEVICE_VERSION", "%s", r->info->version);
    red_blanks_set(blanks, "DRIVER", "%s", r->info->driver);
    red_blanks_set(blanks, "DATA_FILE", "%s",
                   texts->line ? ""
                               : "reproduce.data  the elements, array after array, as they lie in memory\n");
    red_blanks_set_borrowed(blanks, "COMMAND", r->command);
    red_blanks_set(blanks, "KERNEL_LICENCE", "%s", r->is_users ? users_licence : licence);
    red_blanks_set_borrowed(blanks, "KERNEL", texts->kernel);
}

/* reproduce.data: the host program reads the elements where no line makes them. */
static enum red_status write_elements(const void *elements, FILE *out, struct red_error *error) {
    const struct red_input *input = elements;
    (void)error;
    for (unsigned a = 0; a < input->arrays_n; a++)
        fwrite(input->arrays[a], input->dtype->size_bytes, (size_t)input->n, out);
    return RED_OK;
}

/* Writes a text, without its empty lines where it has more lines than a host program may have. */
static void put_lines(const char *text, FILE *out) {
    enum { LINES_MAX = 150 };
    size_t lines_n = 0;
    for (const char *at = text; *at != '\0'; at++)
        lines_n += *at == '\n';
    for (const char *at = text; *at != '\0'; at++)
        if (lines_n <= LINES_MAX || *at != '\n' || at == text || at[-1] != '\n')
            fputc(*at, out);
}

static enum red_status write_filled(const void *file, FILE *out, struct red_error *error) {
    const struct red_filled *filled = file;
    char *text = NULL;
    const enum red_status status = red_template_make(filled->template, filled->blanks, &text, error);
    if (status == RED_OK && filled->template == red_emit_reproduce_c)
        put_lines(text, out);
    else if (status == RED_OK)
        fputs(text, out);
    free(text);
    return status;
}

static const char *const file_names[] = {"reproduce.cl", "reproduce.c", "README.txt", "reproduce.data"};
enum { FILES_N = sizeof file_names / sizeof file_names[0], TEXTS_N = FILES_N - 1 };

enum red_status red_reproduction_check_folder(const struct red_strategy *strategy, const char *folder,
                                              bool overwrite, struct red_error *error) {
    char path[RED_PATH_BYTES];
    struct stat seen;
    if (strlen(folder) > sizeof path - 32)
        return red_fail(error, RED_E_INPUT, "the path of the folder is too long");
    if (stat(folder, &seen) == 0 && !S_ISDIR(seen.st_mode))
        return red_fail(error, RED_E_INPUT, "%.300s is no folder: choose another --output", folder);
    for (size_t i = 0; i < FILES_N; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, file_names[i]);
        if (red_file_is_same(path, strategy->path))
            return red_fail(error, RED_E_INPUT, "%.300s is --kernel, too: choose another --output", path);
        const char *other = red_file_name_of_other(path);
        if (other != NULL)
            return red_fail(error, RED_E_INPUT,
                            "%.300s is %s; expected a file, or nothing: choose another --output", path,
                            other);
        if (stat(path, &seen) == 0 && !overwrite)
            return red_fail(error, RED_E_INPUT,
                            "%.300s is there: choose another --output, or replace it with --overwrite", path);
    }
    return RED_OK;
}

/* Writes all files of the folder, or none. */
static enum red_status write_files(const struct reproduction_texts *texts, const struct red_reproduction *r,
                                   const char *folder, bool overwrite, struct red_error *error) {
    const char *const templates[TEXTS_N] = {kernel_template, red_emit_reproduce_c, readme};
    char paths[FILES_N][RED_PATH_BYTES];
    struct red_filled filled[TEXTS_N];
    struct red_folder_file files[FILES_N];
    enum red_status status = red_reproduction_check_folder(r->strategy, folder, overwrite, error);
    if (status != RED_OK)
        return status;
    for (size_t i = 0; i < FILES_N; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%s", folder, file_names[i]);
        if (i == TEXTS_N) {
            files[i] = (struct red_folder_file){paths[i], write_elements, r->input};
            break;
        }
        filled[i] = (struct red_filled){templates[i], &texts->blanks};
        files[i] = (struct red_folder_file){paths[i], write_filled, &filled[i]};
    }
    return red_folder_write(folder, files, texts->line == NULL ? FILES_N : TEXTS_N, error);
}

const struct red_reproduction_hooks red_reproduction_of_reductions = {.make_kernel = make_reduction_kernel,
                                                                      .call_format = reduction_call_format,
                                                                      .set_answer = set_reduction_answer};

enum red_status red_reproduction_write(const struct red_reproduction *r, const char *folder, bool overwrite,
                                       struct red_error *error) {
    struct reproduction_texts *texts = calloc(1, sizeof *texts);
    enum red_status status = red_reproduction_check(r->strategy, error);
    if (texts == NULL && status == RED_OK)
        status = red_fail(error, RED_E_MEMORY, "no memory for files");
    if (status == RED_OK) {
        texts->hooks = red_emit_hooks_of(r->input->op->primitive)->reproduction;
        texts->hooks = texts->hooks != NULL ? texts->hooks : &red_reproduction_of_results;
        red_launches_list(r, &texts->launches);
        status = make_kernel(r, texts, error);
    }
    /* Where a crash is caught, or many changes are made, of what takes most lines, those that make the data
     * have no room. */
    const bool is_long = r->strategy->finish == RED_STRATEGY_COMMAND_BUFFER;
    const bool needs_file = r->needs_file || (is_long && (is_guarded(r) || r->changes_n > CHANGES_IN_ROOM));
    if (status == RED_OK && !needs_file)
        status = red_data_line_make(r->input, &texts->line, error);
    if (status == RED_OK) {
        set_program_blanks(&texts->blanks, r);
        set_data_blanks(texts, r);
        set_change_blanks(texts, r);
        texts->hooks->set_answer(&texts->blanks, r);
        set_device_blanks(&texts->blanks, r);
        set_launch_blanks(texts, r);
        set_readme_blanks(texts, r);
        texts->kernel[strlen(texts->kernel) - 1] = '\0'; /* the template ends the last line */
        status = write_files(texts, r, folder, overwrite, error);
    }
    if (texts != NULL) {
        free(texts->kernel);
        free(texts->line);
    }
    free(texts);
    return status;
}
