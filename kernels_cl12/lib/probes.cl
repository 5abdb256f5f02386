/* Kernels that show what a device does, one for each need that is no built-in of a group. cl/probe.c builds
 * this file with PROBE_<need>; `clreduce devices` prints what came of it. Each adds up `in`, as the table of
 * cl/probe.c says: a sum per group in out[group], or the sum of all in out[0]. */

/* The group's first item adds up `element`, by i, and goes on with `sum`. */
#define IF_FIRST_OF_GROUP_SUM(element)                                                                       \
    if (get_local_id(0) == 0) {                                                                              \
        uint sum = 0;                                                                                        \
        for (uint i = 0; i < get_local_size(0); i++)                                                         \
            sum += element;
#define STORE_GROUP_SUM                                                                                      \
    out[get_group_id(0)] = sum;                                                                              \
    }
#define ATOMIC_ADD(type, value, order, scope)                                                                \
    atomic_fetch_add_explicit((volatile global atomic_##type *)out, (type)(value), memory_order_##order,     \
                              memory_scope_##scope)

#if defined PROBE_compare_and_swap_64 || defined PROBE_exchange_64 || defined PROBE_integer_atomics_64 ||    \
    defined PROBE_c11_device_scope_64 || defined PROBE_float_atomics_64
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif

#ifdef PROBE_pipes
/* Exactly as many packets are read as were written: one driver's pipes are of no use after a read that found
 * nothing. */
kernel void probe(global const uint *in, write_only pipe uint through) {
    const uint value = in[get_global_id(0)];
    write_pipe(through, &value);
}
kernel void drain(global uint *out, read_only pipe uint through, uint packets_n) {
    uint value, sum = 0;
    for (uint i = 0; i < packets_n; i++)
        if (read_pipe(through, &value) == 0)
            sum += value;
    out[0] = sum;
}
#else

#ifdef PROBE_half_arithmetic
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#ifdef PROBE_program_scope
global uint kept[2];
#endif
#ifdef PROBE_generic_address_space
uint first_of(const uint *any) {
    return *any;
}
#endif

#ifdef PROBE_local_argument
#define LOCAL_ARGUMENT , local uint *all
#else
#define LOCAL_ARGUMENT
#endif
kernel void probe(global const uint *in, global uint *out LOCAL_ARGUMENT) {
#if defined PROBE_svm || defined PROBE_svm_fine_grained || defined PROBE_non_uniform_groups ||               \
    defined PROBE_command_buffer
    IF_FIRST_OF_GROUP_SUM(in[get_global_id(0) + i])
    STORE_GROUP_SUM

#elif defined PROBE_local_memory
    local uint all[128];
    all[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    IF_FIRST_OF_GROUP_SUM(all[i])
    STORE_GROUP_SUM

#elif defined PROBE_local_argument
    all[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    IF_FIRST_OF_GROUP_SUM(all[i])
    STORE_GROUP_SUM

#elif defined PROBE_async_copy
    local uint all[128];
    const size_t size = get_local_size(0);
    event_t copied = async_work_group_copy(all, in + size * get_group_id(0), size, 0);
    wait_group_events(1, &copied);
    IF_FIRST_OF_GROUP_SUM(all[i])
    STORE_GROUP_SUM

#elif defined PROBE_generic_address_space
    local uint all[128];
    all[get_local_id(0)] = first_of(in + get_global_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    IF_FIRST_OF_GROUP_SUM(first_of(all + i))
    STORE_GROUP_SUM

#elif defined PROBE_half_loads
    /* Integers of 11 bits, stored as halves behind the sums and loaded again. */
    if (get_local_id(0) == 0) {
        const uint at = 5 + (uint)get_group_id(0);
        uint sum = 0;
        for (uint i = 0; i < get_local_size(0); i++) {
            const uint value = in[get_global_id(0) + i];
            vstore_half((float)(value & 0x7ff), 2 * at, (global half *)out);
            sum += (value & ~0x7ffu) + (uint)vload_half(2 * at, (global const half *)out);
            sum += (uint)vload_half2(at, (global const half *)out).y;
        }
        out[at] = 0;
        out[get_group_id(0)] = sum;
    }

#elif defined PROBE_half_arithmetic
    /* Sums of small integers, exact in a half up to 2048. */
    IF_FIRST_OF_GROUP_SUM(in[get_global_id(0) + i])
        half all = (half)0.0f;
        uint small = 0;
        for (uint i = 0; i < get_local_size(0); i++) {
            all += (half)(float)(in[get_global_id(0) + i] & 7);
            small += in[get_global_id(0) + i] & 7;
        }
        sum += (uint)(float)all - small;
    STORE_GROUP_SUM

#elif defined PROBE_fp64
    if (get_local_id(0) == 0) {
        double sum = 4503599627370496.0;
        for (uint i = 0; i < get_local_size(0); i++)
            sum += (double)in[get_global_id(0) + i];
        out[get_group_id(0)] = (uint)(sum - 4503599627370496.0);
    }

#elif defined PROBE_integer_dot_product
    IF_FIRST_OF_GROUP_SUM(in[get_global_id(0) + i])
        uint again = 0;
        for (uint i = 0; i < get_local_size(0); i++) {
            const uint value = in[get_global_id(0) + i];
            const uchar4 bytes = as_uchar4(value);
            again += dot(bytes, (uchar4)(1, 0, 0, 0)) + (dot(bytes, (uchar4)(0, 1, 0, 0)) << 8) +
                     (dot(bytes, (uchar4)(0, 0, 1, 0)) << 16) + (dot(bytes, (uchar4)(0, 0, 0, 1)) << 24);
        }
        sum = again == sum ? sum : ~sum;
    STORE_GROUP_SUM

#elif defined PROBE_compare_and_swap
    uint seen = 0, found;
    while ((found = atomic_cmpxchg((volatile global uint *)out, seen, seen + in[get_global_id(0)])) != seen)
        seen = found;

#elif defined PROBE_compare_and_swap_64
    ulong seen = 0xffffffff, found;
    while ((found = atom_cmpxchg((volatile global ulong *)out, seen, seen + in[get_global_id(0)])) != seen)
        seen = found;

#elif defined PROBE_exchange
    uint carry = in[get_global_id(0)];
    while (carry != 0)
        carry = atomic_xchg((volatile global uint *)out, atomic_xchg((volatile global uint *)out, 0) + carry);

#elif defined PROBE_exchange_64
    ulong carry = in[get_global_id(0)];
    if (get_local_id(0) % 2 == 1) { /* of the same extension */
        atom_add((volatile global ulong *)out, carry);
        carry = 0;
    }
    while (carry != 0)
        carry = atom_xchg((volatile global ulong *)out, atom_xchg((volatile global ulong *)out, 0) + carry);

#elif defined PROBE_integer_atomics
    atomic_add((volatile global uint *)out, in[get_global_id(0)]);

#elif defined PROBE_integer_atomics_64
    atom_add((volatile global ulong *)out, (ulong)in[get_global_id(0)]);
    atom_max((volatile global ulong *)out, (ulong)in[get_global_id(0)]);

#elif defined PROBE_c11_work_group_scope
    local atomic_uint total;
    if (get_local_id(0) == 0)
        atomic_init(&total, 0u);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&total, in[get_global_id(0)], memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = atomic_load_explicit(&total, memory_order_relaxed, memory_scope_work_group);

#elif defined PROBE_c11_device_scope
    ATOMIC_ADD(uint, in[get_global_id(0)], relaxed, device);

#elif defined PROBE_c11_device_scope_64
    ATOMIC_ADD(ulong, in[get_global_id(0)], relaxed, device);

#elif defined PROBE_c11_all_devices_scope
    ATOMIC_ADD(uint, in[get_global_id(0)], relaxed, all_svm_devices);

#elif defined PROBE_c11_acq_rel
    /* Groups leave their sums; the last one adds them up, which it may since the counter orders them. */
    IF_FIRST_OF_GROUP_SUM(in[get_global_id(0) + i])
        out[4 + get_group_id(0)] = sum;
        if (atomic_fetch_add_explicit((volatile global atomic_uint *)out + 9, 1u, memory_order_acq_rel,
                                      memory_scope_device) == get_num_groups(0) - 1) {
            uint total = 0;
            for (uint g = 0; g < get_num_groups(0); g++) {
                total += out[4 + g];
                out[4 + g] = 0;
            }
            out[0] = total;
            out[9] = 0;
        }
    }

#elif defined PROBE_c11_seq_cst
    ATOMIC_ADD(uint, in[get_global_id(0)], seq_cst, device);

#elif defined PROBE_float_atomics
    ATOMIC_ADD(float, in[get_global_id(0)] & 0xff, relaxed, device);

#elif defined PROBE_float_atomics_64
    ATOMIC_ADD(double, in[get_global_id(0)] & 0xff, relaxed, device);

#elif defined PROBE_host_visible_buffer
    /* One item adds all up, and hands sum and flag over in one store. */
    uint sum = 0;
    if (get_global_id(0) != 0)
        return;
    for (uint i = 0; i < get_global_size(0); i++)
        sum += in[i];
    *(global uint4 *)out = (uint4)(sum, 0, 1, 0);

#elif defined PROBE_svm_polled || defined PROBE_svm_system
    /* All items add; the one that comes last sets the flag. */
    volatile global atomic_uint *word = (volatile global atomic_uint *)out;
    atomic_fetch_add_explicit(word, in[get_global_id(0)], memory_order_relaxed, memory_scope_device);
    if (atomic_fetch_add_explicit(word + 1, 1u, memory_order_acq_rel, memory_scope_device) + 1 ==
        get_global_size(0)) {
        atomic_store_explicit(word + 1, 0u, memory_order_relaxed, memory_scope_device);
        atomic_store_explicit(word + 2, 1u, memory_order_release, memory_scope_all_svm_devices);
    }

#elif defined PROBE_device_enqueue
    /* One item enqueues one item per group, which starts when this kernel has ended. */
    const uint size = (uint)get_local_size(0);
    void (^sums)(void) = ^{
        uint sum = 0;
        for (uint i = 0; i < size; i++)
            sum += in[get_global_id(0) * size + i];
        out[get_global_id(0)] = sum;
    };
    if (get_global_id(0) == 0 && enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,
                                                ndrange_1D(get_num_groups(0)), sums) != CLK_SUCCESS)
        out[0] = 0xffffffff;

#elif defined PROBE_program_scope
    atomic_add((volatile global uint *)&kept[0], in[get_global_id(0)]);
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (atomic_inc((volatile global uint *)&kept[1]) == get_global_size(0) - 1) {
        read_mem_fence(CLK_GLOBAL_MEM_FENCE);
        out[0] = atomic_xchg((volatile global uint *)&kept[0], 0);
        kept[1] = 0;
    }
#endif
}
#endif
