/* What a strategy or a type may need of a device. One row of RED_NEEDS is one capability: manifests name it
 * in `needs:`, src/cl asks the driver for it and has a probe for it, `devices` prints a line for it. */
#ifndef CLREDUCE_MODEL_NEED_H
#define CLREDUCE_MODEL_NEED_H

/* identifier, name in a manifest and in tables. A need that ends in 64 is what the one before it becomes for
 * an accumulator of 64 bits, one of a group's built-ins that ends in float or double what it becomes for
 * those; manifests name the one without, and of 64 bits where the accumulator does not matter. Which built-in
 * each is stands in model/capability.c: scans are work_group_scan_inclusive_<op>, uniform arithmetic is
 * work_group_reduce_<op> of the extension cl_khr_work_group_uniform_arithmetic; manifests name collectives,
 * which become it by the operation. */
#define RED_NEEDS(X)                                                                                         \
    X(LOCAL_MEMORY, "local_memory")                                                                          \
    X(LOCAL_ARGUMENT, "local_argument")                                                                      \
    X(ASYNC_COPY, "async_copy")                                                                              \
    X(HALF_LOADS, "half_loads")                                                                              \
    X(FP16, "half_arithmetic")                                                                               \
    X(FP64, "fp64")                                                                                          \
    RED_NEED_WIDTH_ROWS(X, CAS, "compare_and_swap")                                                          \
    RED_NEED_WIDTH_ROWS(X, XCHG, "exchange")                                                                 \
    RED_NEED_WIDTH_ROWS(X, ATOMIC, "integer_atomics")                                                        \
    RED_NEED_FORM_ROWS(X, COLLECTIVES, "collectives")                                                        \
    RED_NEED_FORM_ROWS(X, UNIFORM, "uniform_arithmetic")                                                     \
    RED_NEED_FORM_ROWS(X, SCANS, "scans")                                                                    \
    RED_NEED_FORM_ROWS(X, EXCLUSIVE_SCANS, "exclusive_scans")                                                \
    RED_NEED_FORM_ROWS(X, SUB_GROUPS, "sub_groups")                                                          \
    RED_NEED_FORM_ROWS(X, SUB_GROUP_SCANS, "sub_group_scans")                                                \
    RED_NEED_FORM_ROWS(X, SUB_GROUP_EXCLUSIVE_SCANS, "sub_group_exclusive_scans")                            \
    RED_NEED_FORM_ROWS(X, SHUFFLE, "sub_group_shuffle")                                                      \
    X(BALLOTS, "sub_group_ballots")                                                                          \
    X(C11_WORK_GROUP, "c11_work_group_scope")                                                                \
    RED_NEED_WIDTH_ROWS(X, C11_DEVICE, "c11_device_scope")                                                   \
    X(C11_ALL_DEVICES, "c11_all_devices_scope")                                                              \
    X(C11_ACQ_REL, "c11_acq_rel")                                                                            \
    X(C11_SEQ_CST, "c11_seq_cst")                                                                            \
    RED_NEED_WIDTH_ROWS(X, FLOAT_ATOMICS, "float_atomics")                                                   \
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
    X(INTEGER_DOT, "integer_dot_product")                                                                    \
    /* those of progress stand together, and those of order: cl/progress.c and cl/order_probe.c count so */  \
    X(LOWER_PROGRESS, "lower_ticket_progress")                                                               \
    X(HIGHER_PROGRESS, "higher_ticket_progress")                                                             \
    X(RESIDENT_PROGRESS, "resident_progress")                                                                \
    X(VOLATILE_GROUPS, "volatile_between_groups")                                                            \
    X(WORD_PUBLICATION, "word_publication")                                                                  \
    X(DEVICE_MEM_FENCE, "device_mem_fence")                                                                  \
    X(WRITE_READ_FENCE, "write_read_fence")                                                                  \
    X(C11_DEVICE_ORDER, "c11_device_order")

/* A need of an accumulator of 32 bits and of 64; the built-ins of a group, of floats and of doubles, too. */
#define RED_NEED_WIDTH_ROWS(X, id, name)                                                                     \
    X(id##32, name)                                                                                          \
    X(id##64, name "_64")
#define RED_NEED_FORM_ROWS(X, id, name)                                                                      \
    RED_NEED_WIDTH_ROWS(X, id, name)                                                                         \
    X(id##_F32, name "_float")                                                                               \
    X(id##_F64, name "_double")

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

/* A set of up to 128 things by their bits: of needs, types or operations (GCC's and Clang's integer). */
__extension__ typedef unsigned __int128 red_set;
_Static_assert(RED_NEEDS_N <= 128, "a set of needs is a red_set");

/* The set of the one thing of this index; of the one need. */
#define RED_SET(index) ((red_set)1 << (index))
#define RED_NEED(id)   RED_SET(RED_NEED_INDEX_##id)

#endif
