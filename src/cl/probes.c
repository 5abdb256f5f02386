#include "cl/probes.h"

#define HEAD "kernel void probe(global const uint *in, global uint *out) {\n"
#define HEAD_WIDE                                                                                            \
    "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"                                          \
    "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n" HEAD
/* The group's own sum, by its first item. */
#define GROUP_SUM                                                                                            \
    "    if (get_local_id(0) == 0) {\n"                                                                      \
    "        uint sum = 0;\n"                                                                                \
    "        for (uint i = 0; i < get_local_size(0); i++)\n"                                                 \
    "            sum += in[get_global_id(0) + i];\n"
#define GROUP_SUMS GROUP_SUM "        out[get_group_id(0)] = sum;\n    }\n}\n"
#define C11(type, order)                                                                                     \
    "    atomic_fetch_add_explicit((volatile global atomic_" type " *)out, (" type                           \
    ")in[get_global_id(0)],\n"                                                                               \
    "                              " order ", memory_scope_device);\n}\n"

/* All items add; the one that comes last sets the flag. */
#define LAST_RAISES_FLAG                                                                                     \
    "    volatile global atomic_uint *word = (volatile global atomic_uint *)out;\n"                          \
    "    atomic_fetch_add_explicit(word, in[get_global_id(0)], memory_order_relaxed,\n"                      \
    "                              memory_scope_device);\n"                                                  \
    "    if (atomic_fetch_add_explicit(word + 1, 1u, memory_order_acq_rel, memory_scope_device) + 1 ==\n"    \
    "        get_global_size(0)) {\n"                                                                        \
    "        atomic_store_explicit(word + 1, 0u, memory_order_relaxed, memory_scope_device);\n"              \
    "        atomic_store_explicit(word + 2, 1u, memory_order_release, memory_scope_all_svm_devices);\n"     \
    "    }\n}\n"

const struct red_probe_kernel red_probe_kernels[RED_NEEDS_N] = {
    [RED_NEED_INDEX_LOCAL_MEMORY] = {RED_PROBE_PER_GROUP, RED_PROBE_PLAIN,
                                     HEAD "    local uint all[128];\n"
                                          "    all[get_local_id(0)] = in[get_global_id(0)];\n"
                                          "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                          "    if (get_local_id(0) == 0) {\n"
                                          "        uint sum = 0;\n"
                                          "        for (uint i = 0; i < get_local_size(0); i++)\n"
                                          "            sum += all[i];\n"
                                          "        out[get_group_id(0)] = sum;\n"
                                          "    }\n}\n"},
    [RED_NEED_INDEX_ASYNC_COPY] = {RED_PROBE_PER_GROUP, RED_PROBE_PLAIN,
                                   HEAD "    local uint all[128];\n"
                                        "    const size_t size = get_local_size(0);\n"
                                        "    event_t copied = async_work_group_copy(\n"
                                        "        all, in + size * get_group_id(0), size, 0);\n"
                                        "    wait_group_events(1, &copied);\n"
                                        "    if (get_local_id(0) == 0) {\n"
                                        "        uint sum = 0;\n"
                                        "        for (uint i = 0; i < size; i++)\n"
                                        "            sum += all[i];\n"
                                        "        out[get_group_id(0)] = sum;\n"
                                        "    }\n}\n"},
    /* Integers of 11 bits, stored as halves behind the sums and loaded again. */
    [RED_NEED_INDEX_HALF_LOADS] =
        {RED_PROBE_PER_GROUP, RED_PROBE_PLAIN,
         HEAD "    if (get_local_id(0) == 0) {\n"
              "        const uint at = 5 + (uint)get_group_id(0);\n"
              "        uint sum = 0;\n"
              "        for (uint i = 0; i < get_local_size(0); i++) {\n"
              "            const uint value = in[get_global_id(0) + i];\n"
              "            vstore_half((float)(value & 0x7ff), 2 * at, (global half *)out);\n"
              "            sum += (value & ~0x7ffu) + (uint)vload_half(2 * at, (global const half *)out);\n"
              "            sum += (uint)vload_half2(at, (global const half *)out).y;\n"
              "        }\n"
              "        out[at] = 0;\n"
              "        out[get_group_id(0)] = sum;\n"
              "    }\n}\n"},
    /* Sums of small integers, exact in a half up to 2048. */
    [RED_NEED_INDEX_FP16] = {RED_PROBE_PER_GROUP, RED_PROBE_PLAIN,
                             "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" HEAD GROUP_SUM
                             "        half all = (half)0.0f;\n"
                             "        uint small = 0;\n"
                             "        for (uint i = 0; i < get_local_size(0); i++) {\n"
                             "            all += (half)(float)(in[get_global_id(0) + i] & 7);\n"
                             "            small += in[get_global_id(0) + i] & 7;\n"
                             "        }\n"
                             "        out[get_group_id(0)] = sum + (uint)(float)all - small;\n"
                             "    }\n}\n"},
    [RED_NEED_INDEX_FP64] = {RED_PROBE_PER_GROUP, RED_PROBE_PLAIN,
                             HEAD "    if (get_local_id(0) == 0) {\n"
                                  "        double sum = 4503599627370496.0;\n"
                                  "        for (uint i = 0; i < get_local_size(0); i++)\n"
                                  "            sum += (double)in[get_global_id(0) + i];\n"
                                  "        out[get_group_id(0)] = (uint)(sum - 4503599627370496.0);\n"
                                  "    }\n}\n"},
    [RED_NEED_INDEX_CAS32] = {RED_PROBE_TOTAL, RED_PROBE_PLAIN,
                              HEAD
                              "    uint seen = 0, found;\n"
                              "    while ((found = atomic_cmpxchg((volatile global uint *)out, seen,\n"
                              "                                   seen + in[get_global_id(0)])) != seen)\n"
                              "        seen = found;\n}\n"},
    [RED_NEED_INDEX_CAS64] = {RED_PROBE_TOTAL_WIDE, RED_PROBE_PLAIN,
                              HEAD_WIDE
                              "    ulong seen = 0xffffffff, found;\n"
                              "    while ((found = atom_cmpxchg((volatile global ulong *)out, seen,\n"
                              "                                 seen + in[get_global_id(0)])) != seen)\n"
                              "        seen = found;\n}\n"},
    [RED_NEED_INDEX_XCHG32] =
        {RED_PROBE_TOTAL, RED_PROBE_PLAIN,
         HEAD "    uint carry = in[get_global_id(0)];\n"
              "    while (carry != 0)\n"
              "        carry = atomic_xchg((volatile global uint *)out,\n"
              "                            atomic_xchg((volatile global uint *)out, 0) + carry);\n"
              "}\n"},
    [RED_NEED_INDEX_XCHG64] =
        {RED_PROBE_TOTAL_WIDE, RED_PROBE_PLAIN,
         HEAD_WIDE "    ulong carry = in[get_global_id(0)];\n"
                   "    while (carry != 0)\n"
                   "        carry = atom_xchg((volatile global ulong *)out,\n"
                   "                          atom_xchg((volatile global ulong *)out, 0) + carry);\n}\n"},
    [RED_NEED_INDEX_ATOMIC32] = {RED_PROBE_TOTAL, RED_PROBE_PLAIN,
                                 HEAD
                                 "    atomic_add((volatile global uint *)out, in[get_global_id(0)]);\n}\n"},
    [RED_NEED_INDEX_ATOMIC64] =
        {RED_PROBE_TOTAL_WIDE, RED_PROBE_PLAIN,
         HEAD_WIDE "    atom_add((volatile global ulong *)out, (ulong)in[get_global_id(0)]);\n"
                   "    atom_max((volatile global ulong *)out, (ulong)in[get_global_id(0)]);\n}\n"},
    [RED_NEED_INDEX_C11_WORK_GROUP] = {RED_PROBE_PER_GROUP, RED_PROBE_PLAIN,
                                       HEAD
                                       "    local atomic_uint total;\n"
                                       "    if (get_local_id(0) == 0)\n"
                                       "        atomic_init(&total, 0u);\n"
                                       "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                       "    atomic_fetch_add_explicit(&total, in[get_global_id(0)],\n"
                                       "        memory_order_relaxed, memory_scope_work_group);\n"
                                       "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                       "    if (get_local_id(0) == 0)\n"
                                       "        out[get_group_id(0)] = atomic_load_explicit(&total,\n"
                                       "            memory_order_relaxed, memory_scope_work_group);\n}\n"},
    [RED_NEED_INDEX_C11_DEVICE32] = {RED_PROBE_TOTAL, RED_PROBE_PLAIN,
                                     HEAD C11("uint", "memory_order_relaxed")},
    [RED_NEED_INDEX_C11_DEVICE64] = {RED_PROBE_TOTAL_WIDE, RED_PROBE_PLAIN,
                                     HEAD_WIDE C11("ulong", "memory_order_relaxed")},
    [RED_NEED_INDEX_C11_ALL_DEVICES] =
        {RED_PROBE_TOTAL, RED_PROBE_PLAIN,
         HEAD "    atomic_fetch_add_explicit((volatile global atomic_uint *)out, in[get_global_id(0)],\n"
              "                              memory_order_relaxed, memory_scope_all_svm_devices);\n}\n"},
    /* Groups leave their sums; the last one adds them up, which it may since the counter orders them. */
    [RED_NEED_INDEX_C11_ACQ_REL] =
        {RED_PROBE_TOTAL, RED_PROBE_PLAIN,
         HEAD GROUP_SUM
         "        out[4 + get_group_id(0)] = sum;\n"
         "        if (atomic_fetch_add_explicit((volatile global atomic_uint *)out + 9, 1u,\n"
         "                memory_order_acq_rel, memory_scope_device) == get_num_groups(0) - 1) {\n"
         "            uint total = 0;\n"
         "            for (uint g = 0; g < get_num_groups(0); g++) {\n"
         "                total += out[4 + g];\n"
         "                out[4 + g] = 0;\n"
         "            }\n"
         "            out[0] = total;\n"
         "            out[9] = 0;\n"
         "        }\n    }\n}\n"},
    [RED_NEED_INDEX_C11_SEQ_CST] = {RED_PROBE_TOTAL, RED_PROBE_PLAIN,
                                    HEAD C11("uint", "memory_order_seq_cst")},
    [RED_NEED_INDEX_FLOAT_ATOMICS32] =
        {RED_PROBE_TOTAL_FLOAT, RED_PROBE_PLAIN,
         HEAD
         "    atomic_fetch_add_explicit((volatile global atomic_float *)out,\n"
         "        (float)(in[get_global_id(0)] & 0xff), memory_order_relaxed, memory_scope_device);\n}\n"},
    [RED_NEED_INDEX_FLOAT_ATOMICS64] =
        {RED_PROBE_TOTAL_DOUBLE, RED_PROBE_PLAIN,
         HEAD_WIDE
         "    atomic_fetch_add_explicit((volatile global atomic_double *)out,\n"
         "        (double)(in[get_global_id(0)] & 0xff), memory_order_relaxed, memory_scope_device);\n}\n"},
    [RED_NEED_INDEX_SVM] = {RED_PROBE_PER_GROUP, RED_PROBE_SVM, HEAD GROUP_SUMS},
    [RED_NEED_INDEX_SVM_FINE] = {RED_PROBE_PER_GROUP, RED_PROBE_SVM_FINE, HEAD GROUP_SUMS},
    /* One item adds all up, and hands sum and flag over in one store. */
    [RED_NEED_INDEX_HOST_VISIBLE] = {RED_PROBE_TOTAL, RED_PROBE_HOST_POLLED,
                                     HEAD "    uint sum = 0;\n"
                                          "    if (get_global_id(0) != 0)\n"
                                          "        return;\n"
                                          "    for (uint i = 0; i < get_global_size(0); i++)\n"
                                          "        sum += in[i];\n"
                                          "    *(global uint4 *)out = (uint4)(sum, 0, 1, 0);\n}\n"},
    [RED_NEED_INDEX_SVM_POLLED] = {RED_PROBE_TOTAL, RED_PROBE_SVM_POLLED, HEAD LAST_RAISES_FLAG},
    [RED_NEED_INDEX_SVM_SYSTEM] = {RED_PROBE_TOTAL, RED_PROBE_SVM_SYSTEM, HEAD LAST_RAISES_FLAG},
    /* One item enqueues one item per group, which starts when this kernel has ended. */
    [RED_NEED_INDEX_DEVICE_ENQUEUE] = {RED_PROBE_PER_GROUP, RED_PROBE_DEVICE_QUEUE,
                                       HEAD
                                       "    const uint size = (uint)get_local_size(0);\n"
                                       "    void (^sums)(void) = ^{\n"
                                       "        uint sum = 0;\n"
                                       "        for (uint i = 0; i < size; i++)\n"
                                       "            sum += in[get_global_id(0) * size + i];\n"
                                       "        out[get_global_id(0)] = sum;\n"
                                       "    };\n"
                                       "    if (get_global_id(0) == 0 && enqueue_kernel(get_default_queue(), "
                                       "CLK_ENQUEUE_FLAGS_WAIT_KERNEL,\n"
                                       "            ndrange_1D(get_num_groups(0)), sums) != CLK_SUCCESS)\n"
                                       "        out[0] = 0xffffffff;\n}\n"},
    [RED_NEED_INDEX_PROGRAM_SCOPE] =
        {RED_PROBE_TOTAL, RED_PROBE_PLAIN,
         "global uint kept[2];\n" HEAD
         "    atomic_add((volatile global uint *)&kept[0], in[get_global_id(0)]);\n"
         "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
         "    if (atomic_inc((volatile global uint *)&kept[1]) == get_global_size(0) - 1) {\n"
         "        out[0] = atomic_xchg((volatile global uint *)&kept[0], 0);\n"
         "        kept[1] = 0;\n"
         "    }\n}\n"},
    [RED_NEED_INDEX_GENERIC_SPACE] = {RED_PROBE_PER_GROUP, RED_PROBE_PLAIN,
                                      "uint first_of(const uint *any) {\n    return *any;\n}\n" HEAD
                                      "    local uint all[128];\n"
                                      "    all[get_local_id(0)] = first_of(in + get_global_id(0));\n"
                                      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                      "    if (get_local_id(0) == 0) {\n"
                                      "        uint sum = 0;\n"
                                      "        for (uint i = 0; i < get_local_size(0); i++)\n"
                                      "            sum += first_of(all + i);\n"
                                      "        out[get_group_id(0)] = sum;\n"
                                      "    }\n}\n"},
    [RED_NEED_INDEX_NON_UNIFORM] = {RED_PROBE_PER_GROUP, RED_PROBE_RAGGED, HEAD GROUP_SUMS},
    /* Exactly as many packets are read as were written: one driver's pipes are of no use after a read that
     * found nothing. */
    [RED_NEED_INDEX_PIPES] =
        {RED_PROBE_TOTAL, RED_PROBE_PIPE,
         "kernel void probe(global const uint *in, write_only pipe uint through) {\n"
         "    const uint value = in[get_global_id(0)];\n"
         "    write_pipe(through, &value);\n}\n"
         "kernel void drain(global uint *out, read_only pipe uint through, uint packets_n) {\n"
         "    uint value, sum = 0;\n"
         "    for (uint i = 0; i < packets_n; i++)\n"
         "        if (read_pipe(through, &value) == 0)\n"
         "            sum += value;\n"
         "    out[0] = sum;\n}\n"},
    [RED_NEED_INDEX_COMMAND_BUFFER] = {RED_PROBE_PER_GROUP, RED_PROBE_COMMAND_BUFFER, HEAD GROUP_SUMS},
    [RED_NEED_INDEX_INTEGER_DOT] = {RED_PROBE_PER_GROUP, RED_PROBE_PLAIN,
                                    HEAD GROUP_SUM
                                    "        uint again = 0;\n"
                                    "        for (uint i = 0; i < get_local_size(0); i++) {\n"
                                    "            const uint value = in[get_global_id(0) + i];\n"
                                    "            const uchar4 bytes = as_uchar4(value);\n"
                                    "            again += dot(bytes, (uchar4)(1, 0, 0, 0)) +\n"
                                    "                     (dot(bytes, (uchar4)(0, 1, 0, 0)) << 8) +\n"
                                    "                     (dot(bytes, (uchar4)(0, 0, 1, 0)) << 16) +\n"
                                    "                     (dot(bytes, (uchar4)(0, 0, 0, 1)) << 24);\n"
                                    "        }\n"
                                    "        out[get_group_id(0)] = again == sum ? sum : ~sum;\n"
                                    "    }\n}\n"},
};
