/* The forms of a need that is judged apart for each and for each group size: a built-in of a group is another
 * function for every operation and type. */
#ifndef CLREDUCE_MODEL_FORMS_H
#define CLREDUCE_MODEL_FORMS_H

#include "model/group_sizes.h"
#include "model/op.h"

enum { RED_FORMS_MAX = 5 };

/* One of them, as a probe has it. */
struct red_form_kind {
    const char *name;   /* for people: "signed min"; empty where there is one only */
    const char *suffix; /* of the built-in: "min" */
    const char *type;   /* of its argument, a name of model/dtype.h; NULL of what is no such built-in */
    bool of_infinities; /* what an extreme makes of the infinities that lose to all */
};

/* Whether the need is judged by group sizes, and how many forms it has then; 0: the same everywhere. */
size_t red_forms_n(enum red_need_index need);
const struct red_form_kind *red_form_kind(enum red_need_index need, size_t form);

/* What a group's built-in is called without its suffix, "work_group_reduce_"; NULL of other needs. */
const char *red_forms_built_in(enum red_need_index need);

/* The form that an operation on a type takes; 0 where none is its own. */
size_t red_form_of(enum red_need_index need, const struct red_op *op, const struct red_dtype *dtype);

/* The form of an extreme of floats that is about infinities; RED_FORMS_MAX where there is none. A driver that
 * starts with the largest finite value is right but for these. */
size_t red_form_of_infinities(enum red_need_index need, const struct red_op *op,
                              const struct red_dtype *dtype);

/* What is known of one. */
struct red_form {
    struct red_group_sizes sizes;
    unsigned crashed_n; /* sizes at which the driver crashed or hung */
    char reason[144];   /* of the first size that is wrong; empty if none is */
};

#endif
