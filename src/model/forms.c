#include "model/forms.h"

#include <string.h>

enum { WIDTHS_N = 4 };

/* Sums of integers are unsigned (model/accumulator.h). */
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

/* What only moves values has one form for each width. */
static const struct red_form_kind moves[WIDTHS_N] = {
    {"", "", "u32", false}, {"", "", "u64", false}, {"", "", "f32", false}, {"", "", "f64", false}};

static const struct red_form_kind single = {"", "", NULL, false};

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

/* The number of forms where none is this one. */
static size_t find_form(enum red_need_index need, const struct red_op *op, const struct red_dtype *dtype,
                        bool of_infinities) {
    size_t n = family_of(need) < FAMILIES_N ? red_forms_n(need) : 0, form = 0;
    for (; form < n; form++) {
        const struct red_form_kind *kind = red_form_kind(need, form);
        if (kind->of_infinities == of_infinities && strcmp(kind->suffix, op->suffix) == 0 &&
            strcmp(kind->type, red_op_accumulator(op, dtype)->name) == 0)
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
