/* The table of primitives. Verbs read it by --primitive (run/session.c), the rest by the primitive of an
 * operation or a strategy. */
#include "model/primitive.h"

#include <string.h>

#include "core/select.h"
#include "core/text.h"

#define NAME(id, name) #name,
const char *const red_primitive_names[RED_PRIMITIVES_N] = {RED_PRIMITIVES(NAME)};
#undef NAME

/* Of reduce: 1.x against 2.x, atomics against trees, fast ones; on CPUs chunk and svm_chunk answer first, on
 * an H200 polled_stride, in 9 to 10 us at 2^10 where those that do not poll take 11 and more. There one
 * work-item alone says least: 25 ms at 2^20. */
const struct red_primitive_row red_primitives[RED_PRIMITIVES_N] = {
    [RED_PRIMITIVE_REDUCE] =
        {.signature = "RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out), and where "
                      "groups count themselves `, global uint *restrict counter` behind it",
         .noun = "reduction",
         .nouns = "reductions",
         .types = "i8,u8,i32,u32,i64,u64,f16,f32,f64",
         .op = "sum",
         .strategies = "serial,tree,chunk,grid_stride_vec,cmpxchg_item,cmpxchg_group,svm_chunk,"
                       "wg_reduce,wg_reduce_stride,wg_reduce_atomic",
         .gpu_best = "polled_stride",
         .gpu_left = "serial",
         .duel = "serial,tree,chunk,grid_stride_vec,cmpxchg_group,svm_chunk,wg_reduce,wg_reduce_atomic",
         .plain = "tree",
         .built_in = "wg_reduce",
         .built_in_text = "2.0 built-in",
         .always_drawn = "tree,wg_reduce,cmpxchg_group",
         .roof = "read roof",
         .only = "reads",
         .done = "read",
         .bytes = "the input",
         .answer = "the result is in a host variable",
         .holds = "accumulator resets, every launch, the read-back and the host's final sum",
         .waiting = "waiting, reading back",
         .truth = "an exact sum"},
    [RED_PRIMITIVE_SCAN] =
        {.signature = "RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, "
                      "global uint *state)",
         .noun = "scan",
         .nouns = "scans",
         .types = "i8,u8,i32,u32,i64,u64,f16,f32,f64",
         .op = "inclusive_sum",
         .strategies = "scan_serial,hillis_steele,blelloch,scan_chunk,scan_chunk_chained,look_back,"
                       "wg_scan,sub_group_scan,look_back_c11,fallback",
         .duel = "scan_chunk,scan_chunk_chained,hillis_steele,blelloch,look_back,wg_scan",
         .plain = "hillis_steele",
         .built_in = "wg_scan",
         .built_in_text = "2.0 built-in",
         .always_drawn = "hillis_steele,wg_scan,scan_chunk",
         .roof = "copy roof",
         .only = "copies",
         .done = "copied",
         .bytes = "the input and of the results",
         .answer = "all results may be used on the device",
         .holds = "every launch, and what a finish asks of the host; the results stay on the device",
         .waiting = "waiting",
         .truth = "the exact value of every element",
         .roof_copies = true,
         .in_place = true},
    [RED_PRIMITIVE_HISTOGRAM] =
        {.signature =
             "RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, "
             "global uint *state)",
         .noun = "histogram",
         .nouns = "histograms",
         .types = "u8,u16,u32,i32,f32",
         .op = "count",
         .strategies = "histogram_serial,global_counts,local_counts,local_copies_arrivals,histogram_chunk,"
                       "histogram_chunk_copies,item_copies,c11_local_counts,wg_reduce_counts",
         .duel = "global_counts,local_counts,local_copies_arrivals,histogram_chunk,histogram_chunk_copies,"
                 "c11_local_counts",
         .plain = "local_counts",
         .built_in = "c11_local_counts",
         .built_in_text = "2.x c11_local_counts",
         .always_drawn = "local_counts,c11_local_counts,histogram_chunk_copies",
         .roof = "read roof",
         .only = "reads",
         .done = "read",
         .bytes = "the input",
         .answer = "all counts may be used on the device",
         .holds = "zeroing, every launch, and what a finish asks of the host; the counts stay on the device",
         .waiting = "waiting",
         /* how often neighbours meet in one bin */
         .timed_data = {"uniform", "one bin", "half in one", "Zipf", "sorted"},
         .truth = "the exact count of every bin",
         .bins_n = 256,
         .is_exact = true},
};

/* ---- options ------------------------------------------------------------------------------------------- */

#define BIT(primitive) (1u << RED_PRIMITIVE_##primitive)

/* Which primitives have an option, and why others do not. */
static const struct own_option {
    const char *name;
    unsigned primitives; /* bits */
    const char *why;
} own_options[] = {
    [RED_OWN_OPTION_SHAPE] = {"shape", BIT(REDUCE),
                              "its rows and turns leave one value each, and not results on the device"},
    [RED_OWN_OPTION_RANKS] = {"ranks", BIT(REDUCE),
                              "ranks combine one value of each piece, and not prefixes or counts"},
    [RED_OWN_OPTION_ACCURACY] = {"accuracy", ~BIT(HISTOGRAM), "counts are exact"},
    [RED_OWN_OPTION_SPECIAL] = {"special", ~BIT(HISTOGRAM), "a NaN is in no bin"},
    [RED_OWN_OPTION_BINS] = {"bins", BIT(HISTOGRAM), "nothing else has bins"},
    [RED_OWN_OPTION_DATA] = {"data", BIT(HISTOGRAM),
                             "the time of others does not depend on what the elements are"},
};

/* Writes names or nouns of these primitives (bits): "reduce, scan or histogram", "reductions and scans". */
static void list_format(unsigned primitives, bool as_nouns, const char *last, char *text, size_t text_bytes) {
    text[0] = '\0';
    for (unsigned p = 0, left = primitives & ((1u << RED_PRIMITIVES_N) - 1); left != 0; p++, left >>= 1)
        if (left & 1)
            red_text_add(text, text_bytes, "%s%s",
                         text[0] == '\0' ? ""
                         : left == 1     ? last
                                         : ", ",
                         as_nouns ? red_primitives[p].nouns : red_primitive_names[p]);
}

enum red_status red_primitive_check_option(enum red_primitive primitive, enum red_own_option option,
                                           bool is_given, struct red_error *error) {
    const struct own_option *own = &own_options[option];
    char nouns[128];
    if (!is_given || (own->primitives >> primitive & 1))
        return RED_OK;
    list_format(own->primitives, true, " and ", nouns, sizeof nouns);
    return red_fail(error, RED_E_INPUT, "--%s is for %s, and not for --primitive %s: %s", own->name, nouns,
                    red_primitive_names[primitive], own->why);
}

/* ---- names --------------------------------------------------------------------------------------------- */

/* For --primitive, and for files that name it. */
enum red_primitive red_primitive_find(const char *name) {
    int primitive = 0;
    while (primitive < RED_PRIMITIVES_N && strcmp(red_primitive_names[primitive], name) != 0)
        primitive++;
    return (enum red_primitive)primitive;
}

/* For result files (results/run.c) and commands that do a check again (results/again.c). */
const char *red_primitive_stated_name(enum red_primitive primitive) {
    return red_primitive_is_default(primitive) ? "" : red_primitive_names[primitive];
}

/* What --primitive expects. */
void red_primitive_names_format(char *text, size_t text_bytes) {
    list_format(~0u, false, " or ", text, text_bytes);
}

/* "inclusive_sum, inclusive_min, ...": for messages that list them. */
void red_primitive_ops_format(enum red_primitive primitive, char *text, size_t text_bytes) {
    text[0] = '\0';
    for (size_t i = 0; i < red_ops_n; i++)
        if (red_ops[i].primitive == primitive)
            red_text_add(text, text_bytes, "%s%s", text[0] == '\0' ? "" : ", ", red_ops[i].name);
}

uint64_t red_primitive_types(enum red_primitive primitive) {
    uint64_t types = 0;
    for (size_t i = 0; i < red_dtypes_n; i++)
        types |= (uint64_t)red_select_matches(red_primitives[primitive].types, red_dtypes[i].name) << i;
    return types;
}

uint64_t red_primitive_ops(enum red_primitive primitive) {
    uint64_t ops = 0;
    for (size_t i = 0; i < red_ops_n; i++)
        ops |= (uint64_t)(red_ops[i].primitive == primitive) << i;
    return ops;
}
