/* What a strategy or a type may need of a device. One row of RED_NEEDS is one capability: manifests name it
 * in `needs:`, the device room asks for it, builds a probe and runs it. */
#ifndef CLREDUCE_MODEL_NEED_H
#define CLREDUCE_MODEL_NEED_H

/* identifier, name in a manifest and in tables */
#define RED_NEEDS(X)                                                                                         \
    X(LOCAL_MEMORY, "local_memory")                                                                          \
    X(FP64, "fp64")                                                                                          \
    X(CAS32, "compare_and_swap")                                                                             \
    X(CAS64, "compare_and_swap_64")                                                                          \
    X(COLLECTIVES, "collectives")                                                                            \
    X(C11_DEVICE, "c11_device_scope")

enum red_need_index {
#define RED_NEED_INDEX(id, name) RED_NEED_INDEX_##id,
    RED_NEEDS(RED_NEED_INDEX)
#undef RED_NEED_INDEX
        RED_NEEDS_N
};

/* Bits of a set of needs. */
enum red_need {
#define RED_NEED_BIT(id, name) RED_NEED_##id = 1u << RED_NEED_INDEX_##id,
    RED_NEEDS(RED_NEED_BIT)
#undef RED_NEED_BIT
};

#endif
