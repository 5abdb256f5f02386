/* What a strategy or a type may need of a device. One row of RED_NEEDS is one capability: manifests name it
 * in `needs:`, src/cl asks the driver for it and has a probe for it, `devices` prints a line for it. */
#ifndef CLREDUCE_MODEL_NEED_H
#define CLREDUCE_MODEL_NEED_H

#include <stdint.h>

/* identifier, name in a manifest and in tables. A need that ends in 64 is what the one before it becomes for
 * an accumulator of 64 bits, one of a group's built-ins that ends in float or double what it becomes for
 * those; manifests name the one without. Which built-in each is stands in model/capability.c: scans are
 * work_group_scan_inclusive_<op>. */
#define RED_NEEDS(X)                                                                                         \
    X(LOCAL_MEMORY, "local_memory")                                                                          \
    X(ASYNC_COPY, "async_copy")                                                                              \
    X(HALF_LOADS, "half_loads")                                                                              \
    X(FP16, "half_arithmetic")                                                                               \
    X(FP64, "fp64")                                                                                          \
    X(CAS32, "compare_and_swap")                                                                             \
    X(CAS64, "compare_and_swap_64")                                                                          \
    X(XCHG32, "exchange")                                                                                    \
    X(XCHG64, "exchange_64")                                                                                 \
    X(ATOMIC32, "integer_atomics")                                                                           \
    X(ATOMIC64, "integer_atomics_64")                                                                        \
    X(COLLECTIVES32, "collectives")                                                                          \
    X(COLLECTIVES64, "collectives_64")                                                                       \
    X(COLLECTIVES_F32, "collectives_float")                                                                  \
    X(COLLECTIVES_F64, "collectives_double")                                                                 \
    X(SCANS32, "scans")                                                                                      \
    X(SCANS64, "scans_64")                                                                                   \
    X(SCANS_F32, "scans_float")                                                                              \
    X(SCANS_F64, "scans_double")                                                                             \
    X(EXCLUSIVE_SCANS32, "exclusive_scans")                                                                  \
    X(EXCLUSIVE_SCANS64, "exclusive_scans_64")                                                               \
    X(EXCLUSIVE_SCANS_F32, "exclusive_scans_float")                                                          \
    X(EXCLUSIVE_SCANS_F64, "exclusive_scans_double")                                                         \
    X(SUB_GROUPS32, "sub_groups")                                                                            \
    X(SUB_GROUPS64, "sub_groups_64")                                                                         \
    X(SUB_GROUPS_F32, "sub_groups_float")                                                                    \
    X(SUB_GROUPS_F64, "sub_groups_double")                                                                   \
    X(SUB_GROUP_SCANS32, "sub_group_scans")                                                                  \
    X(SUB_GROUP_SCANS64, "sub_group_scans_64")                                                               \
    X(SUB_GROUP_SCANS_F32, "sub_group_scans_float")                                                          \
    X(SUB_GROUP_SCANS_F64, "sub_group_scans_double")                                                         \
    X(SUB_GROUP_EXCLUSIVE_SCANS32, "sub_group_exclusive_scans")                                              \
    X(SUB_GROUP_EXCLUSIVE_SCANS64, "sub_group_exclusive_scans_64")                                           \
    X(SUB_GROUP_EXCLUSIVE_SCANS_F32, "sub_group_exclusive_scans_float")                                      \
    X(SUB_GROUP_EXCLUSIVE_SCANS_F64, "sub_group_exclusive_scans_double")                                     \
    X(SHUFFLE32, "sub_group_shuffle")                                                                        \
    X(SHUFFLE64, "sub_group_shuffle_64")                                                                     \
    X(SHUFFLE_F32, "sub_group_shuffle_float")                                                                \
    X(SHUFFLE_F64, "sub_group_shuffle_double")                                                               \
    X(BALLOTS, "sub_group_ballots")                                                                          \
    X(C11_WORK_GROUP, "c11_work_group_scope")                                                                \
    X(C11_DEVICE32, "c11_device_scope")                                                                      \
    X(C11_DEVICE64, "c11_device_scope_64")                                                                   \
    X(C11_ALL_DEVICES, "c11_all_devices_scope")                                                              \
    X(C11_ACQ_REL, "c11_acq_rel")                                                                            \
    X(C11_SEQ_CST, "c11_seq_cst")                                                                            \
    X(FLOAT_ATOMICS32, "float_atomics")                                                                      \
    X(FLOAT_ATOMICS64, "float_atomics_64")                                                                   \
    X(SVM, "svm")                                                                                            \
    X(SVM_FINE, "svm_fine_grained")                                                                          \
    X(HOST_VISIBLE, "host_visible_buffer")                                                                   \
    X(SVM_POLLED, "svm_polled")                                                                              \
    X(SVM_SYSTEM, "svm_system")                                                                              \
    X(DEVICE_ENQUEUE, "device_enqueue")                                                                      \
    X(PROGRAM_SCOPE, "program_scope")                                                                        \
    X(GENERIC_SPACE, "generic_address_space")                                                                \
    X(NON_UNIFORM, "non_uniform_groups")                                                                     \
    X(PIPES, "pipes")                                                                                        \
    X(COMMAND_BUFFER, "command_buffer")                                                                      \
    X(INTEGER_DOT, "integer_dot_product")

enum red_need_index {
#define RED_NEED_INDEX(id, name) RED_NEED_INDEX_##id,
    RED_NEEDS(RED_NEED_INDEX)
#undef RED_NEED_INDEX
        RED_NEEDS_N
};

/* The four rows of a group's built-ins in a table of all needs, which are alike. */
#define RED_NEED_FORMS(need, ...)                                                                            \
    [RED_NEED_INDEX_##need##32] = __VA_ARGS__, [RED_NEED_INDEX_##need##64] = __VA_ARGS__,                    \
    [RED_NEED_INDEX_##need##_F32] = __VA_ARGS__, [RED_NEED_INDEX_##need##_F64] = __VA_ARGS__

_Static_assert(RED_NEEDS_N <= 64, "a set of needs is a uint64_t");

/* Bits of a set of needs (64-bit enumerators: C23, and every compiler that builds this before it). */
enum red_need {
#define RED_NEED_BIT(id, name) RED_NEED_##id = UINT64_C(1) << RED_NEED_INDEX_##id,
    RED_NEEDS(RED_NEED_BIT)
#undef RED_NEED_BIT
};

#endif
