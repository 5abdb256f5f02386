//@ name:   last_group
//@ idea:   the group that finishes last adds all partial results; works here, not promised by 1.x
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, integer_atomics, write_read_fence
//@ types:  all
//@ ops:    all
//@ source: CUDA sample threadFenceReduction; OpenCL 1.2 section 6.12.9 orders memory within a work-group only

/* Alone, without a host's choice: a sum of floats. */
#ifndef RED_T
#define RED_T float
#endif
#ifndef RED_GROUP_SIZE
#define RED_GROUP_SIZE 256
#endif
#ifndef RED_LOAD
#define RED_WIDTH                    4
#define RED_LOADS                    4
#define RED_PASTE_(a, b)             a##b
#define RED_PASTE(a, b)              RED_PASTE_(a, b)
#define RED_KERNEL                   kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void
#define RED_A                        RED_T
#define RED_IDENTITY                 0
#define RED_COMBINE(a, b)            ((a) + (b))
#define RED_INPUT                    global const RED_T *restrict red_x
#define RED_ARGS                     red_x
#define RED_LOAD(i)                  red_x[i]
#define RED_VEC(w)                   RED_PASTE(RED_T, 4)
#define RED_LOAD_VECTOR(i)           ((global const RED_VEC(4) *)red_x)[i]
#define RED_FOLD(w, v)               (((v).s0 + (v).s1) + ((v).s2 + (v).s3))
#define RED_EACH_LOAD(DO)            DO(0) DO(1) DO(2) DO(3)
#define RED_ALL_LOADS(sums)          ((sums[0] + sums[1]) + (sums[2] + sums[3]))
#define RED_LOCAL(type, name, count) local type name[count]
#define RED_READ(a, i)               a[i]
#endif

#if RED_PLACE
#define item_stride red_item_stride /* lib/extremes.cl */
#else
/* An item's share of a grid stride: all loads of a turn, also of the last one, stand before their use. */
RED_A item_stride(RED_INPUT, const ulong n) {
    const ulong vectors_n = n / RED_WIDTH, stride = get_global_size(0);
    RED_VEC(RED_WIDTH) all = RED_IDENTITY, loads[RED_LOADS];
#define TURN_LOAD(j) loads[j] = RED_LOAD_VECTOR(i + j * stride);
#define LAST_LOAD(j) loads[j] = RED_LOAD_VECTOR(i + j * stride < vectors_n ? i + j * stride : i);
#define LAST_DROP(j)                                                                                         \
    if (i + j * stride >= vectors_n)                                                                         \
        loads[j] = RED_IDENTITY;
    ulong i = get_global_id(0);
    for (; i + (RED_LOADS - 1) * stride < vectors_n; i += RED_LOADS * stride) {
        RED_EACH_LOAD(TURN_LOAD)
        all = RED_COMBINE(all, RED_ALL_LOADS(loads));
    }
    if (i < vectors_n) {
        RED_EACH_LOAD(LAST_LOAD)
        RED_EACH_LOAD(LAST_DROP)
        all = RED_COMBINE(all, RED_ALL_LOADS(loads));
    }
    RED_A value = RED_FOLD(RED_WIDTH, all);
    for (ulong tail = RED_WIDTH * vectors_n + get_global_id(0); tail < n; tail += stride)
        value = RED_COMBINE(value, RED_LOAD(tail));
    return value;
}
#endif

/* Each step folds the upper half of the group's values onto the lower. Item 0 has the result. */
RED_A group_tree(const RED_A value, local RED_A *scratch) {
    const uint item = (uint)get_local_id(0);
    scratch[item] = value;
    for (uint width = RED_GROUP_SIZE; width > 1; width = (width + 1) / 2) {
        const uint half_width = (width + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item + half_width < width)
            scratch[item] = RED_COMBINE(scratch[item], scratch[item + half_width]);
    }
    return scratch[item];
}

/* An item's share of what all groups have left in `out`, four loads in flight. volatile: others wrote it. */
RED_A item_partials(volatile global RED_A *out) {
    const uint partials_n = (uint)get_num_groups(0);
    RED_A value = RED_IDENTITY;
    for (uint i = (uint)get_local_id(0); i < partials_n; i += 4 * RED_GROUP_SIZE) {
        const uint j = i + RED_GROUP_SIZE, k = j + RED_GROUP_SIZE, l = k + RED_GROUP_SIZE;
        const RED_A first = RED_READ(out, i), second = RED_READ(out, j < partials_n ? j : i);
        const RED_A third = RED_READ(out, k < partials_n ? k : i);
        const RED_A fourth = RED_READ(out, l < partials_n ? l : i);
        value = RED_COMBINE(value, first);
        value = RED_COMBINE(value, j < partials_n ? second : RED_IDENTITY);
        value = RED_COMBINE(value, k < partials_n ? third : RED_IDENTITY);
        value = RED_COMBINE(value, l < partials_n ? fourth : RED_IDENTITY);
    }
    return value;
}

/* Groups see value and counter in this order by what drivers do; OpenCL 1.x promises them nothing. */
RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_LOCAL(uint, last, 1);
    RED_A value = group_tree(item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0) {
        out[get_group_id(0)] = value;
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        last[0] = atomic_inc(counter) + 1 == get_num_groups(0);
        if (last[0]) {
            atomic_and(counter, 0);
            read_mem_fence(CLK_GLOBAL_MEM_FENCE);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last[0]) {
        value = group_tree(item_partials(out), scratch);
        if (get_local_id(0) == 0)
            out[0] = value;
    }
}
