//@ name:   cmpxchg_group
//@ idea:   private sums, a tree per group, then one atomic_cmpxchg per group
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, compare_and_swap
//@ types:  all
//@ ops:    all
//@ source: OpenCL 1.2 section 6.12.11; cmpxchg_item without the contention
//@ variant: atomic_group COMBINE_INTO=RED_ATOMIC
//@ idea:   private sums, a tree per group, then one atomic_add (min, max) per group
//@ needs:  local_memory, integer_atomics
//@ source: OpenCL 1.2 section 6.12.11

/* Alone, without a host's choice: a sum of floats. */
#ifndef RED_T
#define RED_T float
#endif
#ifndef RED_GROUP_SIZE
#define RED_GROUP_SIZE 256
#endif
#ifndef RED_LOAD
#define RED_WIDTH                      4
#define RED_LOADS                      4
#define RED_PASTE_(a, b)               a##b
#define RED_PASTE(a, b)                RED_PASTE_(a, b)
#define RED_KERNEL                     kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void
#define RED_A                          RED_T
#define RED_WORD                       uint
#define RED_IDENTITY                   0
#define RED_COMBINE(a, b)              ((a) + (b))
#define RED_INPUT                      global const RED_T *restrict red_x
#define RED_ARGS                       red_x
#define RED_LOAD(i)                    red_x[i]
#define RED_VEC(w)                     RED_PASTE(RED_T, 4)
#define RED_LOAD_VECTOR(i)             ((global const RED_VEC(4) *)red_x)[i]
#define RED_FOLD(w, v)                 (((v).s0 + (v).s1) + ((v).s2 + (v).s3))
#define RED_EACH_LOAD(DO)              DO(0) DO(1) DO(2) DO(3)
#define RED_ALL_LOADS(sums)            ((sums[0] + sums[1]) + (sums[2] + sums[3]))
#define RED_LOCAL(type, name, count)   local type name[count]
#define RED_AS_WORD(value)             as_uint(value)
#define RED_FROM_WORD(word)            as_float(word)
#define RED_CMPXCHG(pointer, old, new) atomic_cmpxchg(pointer, old, new)
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

/* The first guess is the identity, with which the accumulator starts; every later one is what the atomic
 * found, so no access is ever plain. Words are compared as integers: of -0.0 or NaN the loop does not spin.
 */
#ifndef COMBINE_INTO
#define COMBINE_INTO cmpxchg_combine
void cmpxchg_combine(global RED_A *out, const RED_A value) {
    volatile global RED_WORD *word = (volatile global RED_WORD *)out;
    RED_WORD guess = RED_AS_WORD(RED_IDENTITY);
    for (;;) {
        const RED_A combined = RED_COMBINE(RED_FROM_WORD(guess), value);
        const RED_WORD found = RED_CMPXCHG(word, guess, RED_AS_WORD(combined));
        if (found == guess)
            return;
        guess = found;
    }
}
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = group_tree(item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        COMBINE_INTO(out, value);
}
