#include "device/forms.h"

#include <string.h>

enum { WIDTHS_N = 4 };

/* Sums of integers are unsigned (model/accumulator.h). */
static const struct red_form_kind kinds[WIDTHS_N][RED_FORMS_MAX] = {
    {{"add", "add", "u32"},
     {"signed min", "min", "i32"},
     {"signed max", "max", "i32"},
     {"unsigned min", "min", "u32"},
     {"unsigned max", "max", "u32"}},
    {{"add", "add", "u64"},
     {"signed min", "min", "i64"},
     {"signed max", "max", "i64"},
     {"unsigned min", "min", "u64"},
     {"unsigned max", "max", "u64"}},
    {{"add", "add", "f32"}, {"min", "min", "f32"}, {"max", "max", "f32"}},
    {{"add", "add", "f64"}, {"min", "min", "f64"}, {"max", "max", "f64"}},
};

/* What only moves values has one form for each width. */
static const struct red_form_kind moves[WIDTHS_N] = {
    {"", "", "u32"}, {"", "", "u64"}, {"", "", "f32"}, {"", "", "f64"}};

static const struct red_form_kind single = {"", "", NULL};

/* The rows of RED_NEEDS that come in four widths, from the narrowest on. */
static const struct {
    enum red_need_index first;
    const char *built_in;
    bool moves;
} families[] = {
    {RED_NEED_INDEX_COLLECTIVES32, "work_group_reduce_", false},
    {RED_NEED_INDEX_SCANS32, "work_group_scan_inclusive_", false},
    {RED_NEED_INDEX_SUB_GROUPS32, "sub_group_reduce_", false},
    {RED_NEED_INDEX_SHUFFLE32, "sub_group_shuffle", true},
};
enum { FAMILIES_N = sizeof families / sizeof families[0] };

/* The family, or FAMILIES_N. */
static size_t family_of(enum red_need_index need) {
    size_t f = 0;
    while (f < FAMILIES_N && (need < families[f].first || need >= families[f].first + WIDTHS_N))
        f++;
    return f;
}

size_t red_forms_n(enum red_need_index need) {
    size_t f = family_of(need), n = 0;
    if (f == FAMILIES_N)
        return need == RED_NEED_INDEX_LOCAL_MEMORY || need == RED_NEED_INDEX_ASYNC_COPY ||
               need == RED_NEED_INDEX_C11_WORK_GROUP || need == RED_NEED_INDEX_GENERIC_SPACE;
    if (families[f].moves)
        return 1;
    while (n < RED_FORMS_MAX && kinds[need - families[f].first][n].name != NULL)
        n++;
    return n;
}

const struct red_form_kind *red_form_kind(enum red_need_index need, size_t form) {
    size_t f = family_of(need);
    if (f == FAMILIES_N)
        return &single;
    return families[f].moves ? &moves[need - families[f].first] : &kinds[need - families[f].first][form];
}

const char *red_forms_built_in(enum red_need_index need) {
    size_t f = family_of(need);
    return f < FAMILIES_N ? families[f].built_in : NULL;
}

size_t red_form_of(enum red_need_index need, const struct red_op *op, const struct red_dtype *dtype) {
    size_t f = family_of(need), n = red_forms_n(need);
    for (size_t form = 0; f < FAMILIES_N && form < n; form++) {
        const struct red_form_kind *kind = red_form_kind(need, form);
        if (strcmp(kind->suffix, op->suffix) == 0 &&
            strcmp(kind->type, red_op_accumulator(op, dtype)->name) == 0)
            return form;
    }
    return 0;
}
