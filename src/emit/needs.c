/* What an emitted program looks at where a device's compiler fails: each need of a strategy as a row of its
 * table `needs` (reduce.c.in). emit.c asks for the rows; the user sees them in NAME.c, and their words in the
 * message of NAME_create. */
#include <string.h>

#include "core/text.h"
#include "emit/emit_private.h"

#define EXTENSION(what, name)          what "\", \"" name "\", 0, 0, 0"
#define BITS(what, query, bits, major) what "\", NULL, " query ", " bits ", " major
#define ATOMICS(what, bit)             BITS(what, "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES", bit, "2")
#define COLLECTIVES                                                                                          \
    BITS("work_group_ functions", "CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT", "~0u", "2")
#define SUB_GROUPS      "sub-groups\", \"cl_khr_subgroups\", CL_DEVICE_MAX_NUM_SUB_GROUPS, ~0u, 0"
#define SHUFFLE         EXTENSION("shuffles of a sub-group", "cl_khr_subgroup_shuffle")
#define UNIFORM         EXTENSION("arithmetic of a work-group", "cl_khr_work_group_uniform_arithmetic")
#define ATOMICS_64      EXTENSION("64-bit atomics", "cl_khr_int64_base_atomics")
#define ATOMICS_64_MORE EXTENSION("64-bit atomics", "cl_khr_int64_extended_atomics")
#define FLOAT_ATOMICS   EXTENSION("atomics of floats", "cl_ext_float_atomics")

/* Rows without their first `{"` and last `}`. What has none is in every device, is asked otherwise (shared
 * memory, local memory), or tells itself when the program runs. */
static const char *const rows[RED_NEEDS_N] = {
    [RED_NEED_INDEX_FP16] = EXTENSION("arithmetic of halves", "cl_khr_fp16"),
    [RED_NEED_INDEX_FP64] = BITS("doubles", "CL_DEVICE_DOUBLE_FP_CONFIG", "~0u", "0"),
    [RED_NEED_INDEX_CAS64] = ATOMICS_64,
    [RED_NEED_INDEX_XCHG64] = ATOMICS_64,
    [RED_NEED_INDEX_ATOMIC64] = ATOMICS_64_MORE,
    RED_NEED_FORMS(COLLECTIVES, COLLECTIVES),
    RED_NEED_FORMS(UNIFORM, UNIFORM),
    RED_NEED_FORMS(SCANS, COLLECTIVES),
    RED_NEED_FORMS(EXCLUSIVE_SCANS, COLLECTIVES),
    RED_NEED_FORMS(SUB_GROUPS, SUB_GROUPS),
    RED_NEED_FORMS(SUB_GROUP_SCANS, SUB_GROUPS),
    RED_NEED_FORMS(SUB_GROUP_EXCLUSIVE_SCANS, SUB_GROUPS),
    RED_NEED_FORMS(SHUFFLE, SHUFFLE),
    [RED_NEED_INDEX_BALLOTS] = EXTENSION("ballots of a sub-group", "cl_khr_subgroup_ballot"),
    [RED_NEED_INDEX_C11_DEVICE32] = ATOMICS("atomics across the device", "CL_DEVICE_ATOMIC_SCOPE_DEVICE"),
    [RED_NEED_INDEX_C11_DEVICE64] = ATOMICS_64_MORE,
    [RED_NEED_INDEX_C11_WORK_GROUP] = ATOMICS("atomics of a work-group", "CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP"),
    [RED_NEED_INDEX_C11_ALL_DEVICES] =
        ATOMICS("atomics across devices", "CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES"),
    [RED_NEED_INDEX_C11_ACQ_REL] =
        ATOMICS("atomics that acquire and release", "CL_DEVICE_ATOMIC_ORDER_ACQ_REL"),
    [RED_NEED_INDEX_C11_SEQ_CST] =
        ATOMICS("sequentially consistent atomics", "CL_DEVICE_ATOMIC_ORDER_SEQ_CST"),
    [RED_NEED_INDEX_FLOAT_ATOMICS32] = FLOAT_ATOMICS,
    [RED_NEED_INDEX_FLOAT_ATOMICS64] = FLOAT_ATOMICS,
    [RED_NEED_INDEX_PROGRAM_SCOPE] =
        BITS("variables of a program", "CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE", "~0u", "0"),
    [RED_NEED_INDEX_GENERIC_SPACE] =
        BITS("generic address space", "CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT", "~0u", "2"),
    [RED_NEED_INDEX_INTEGER_DOT] = EXTENSION("dot products of integers", "cl_khr_integer_dot_product"),
};

/* Writes the rows, one a line, each of them once. */
void red_emit_needs_format(red_set needs, char *text, size_t text_bytes) {
    text[0] = '\0';
    for (size_t i = 0; i < RED_NEEDS_N; i++)
        if ((needs >> i & 1) != 0 && rows[i] != NULL && strstr(text, rows[i]) == NULL)
            red_text_add(text, text_bytes, "    {\"%s},\n", rows[i]);
}
