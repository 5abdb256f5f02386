//@ name:      hillis_steele
//@ primitive: scan
//@ idea:      each step an item adds what stands 1, 2, 4 ... items before it; the groups' carries in a third pass
//@ span:      each
//@ lanes:     1
//@ group:     tree
//@ finish:    scan_then_propagate
//@ needs:     local_memory
//@ types:     all
//@ ops:       all
//@ source:    Hillis and Steele, Data parallel algorithms, 1986
//@ variant:   hillis_steele_two_levels
//@ idea:      hillis_steele, the carries scanned as the elements are: by many groups
//@ finish:    two_levels
//@ source:    Harris, Sengupta and Owens, Parallel prefix sum (scan) with CUDA, GPU Gems 3, chapter 39

/* Alone, without a host's choice: the inclusive sums of floats; -DRED_PASS=1 and 2 for the launches behind
 * the first. */
#ifndef RED_T
#define RED_T float
#endif
#ifndef RED_GROUP_SIZE
#define RED_GROUP_SIZE 256
#endif
#ifndef RED_PASS
#define RED_PASS 0
#endif
#ifndef RED_LOAD
#define RED_KERNEL                   kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void
#define RED_A                        RED_T
#define RED_R                        RED_T
#define RED_EXCLUSIVE                0
#define RED_IDENTITY                 0
#define RED_COMBINE(a, b)            ((a) + (b))
#define RED_INPUT                    global const RED_T *red_x
#define RED_LOAD(i)                  red_x[i]
#define RED_LOCAL(type, name, count) local type name[count]
#define RED_STORE(i, a)              out[i] = (a)
#define RED_RESULT(i)                out[i]
#endif

/* An item gets the values of all items before it, combined, and `total` is those of all. Two buffers take
 * turns: who reads a step's values never meets who writes the next one's. */
RED_A group_scan(RED_A value, local RED_A *scratch, private RED_A *total) {
    const uint item = (uint)get_local_id(0);
    local RED_A *values = scratch;
    values[item] = value;
    for (uint step = 1; step < RED_GROUP_SIZE; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item >= step)
            value = RED_COMBINE(values[item - step], value);
        values = values == scratch ? scratch + RED_GROUP_SIZE : scratch;
        values[item] = value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *total = values[RED_GROUP_SIZE - 1];
    return item > 0 ? values[item - 1] : RED_IDENTITY;
}

/* RED_PASS 0: each group scans its elements, and leaves their combination in `carries`. 1: one group makes of
 * those the carries, exclusive prefixes. 2: each group combines its carry with its answers. */
#if RED_PASS == 0
RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    RED_LOCAL(RED_A, scratch, 2 * RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const RED_A value = i < n ? RED_LOAD(i) : RED_IDENTITY;
    RED_A total;
    const RED_A before = group_scan(value, scratch, &total);
    if (i < n)
        RED_STORE(i, RED_EXCLUSIVE ? before : RED_COMBINE(before, value));
    if (get_local_id(0) == 0)
        carries[get_group_id(0)] = total;
}
#elif RED_PASS == 1
RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    RED_LOCAL(RED_A, scratch, 2 * RED_GROUP_SIZE);
    RED_A turns = RED_IDENTITY, total;
    for (ulong first = 0; first < n; first += 8 * RED_GROUP_SIZE) {
        const ulong begin = min(n, first + 8 * get_local_id(0)), end = min(n, begin + 8);
        RED_A sum = RED_IDENTITY;
        for (ulong i = begin; i < end; i++)
            sum = RED_COMBINE(sum, carries[i]);
        RED_A before = RED_COMBINE(turns, group_scan(sum, scratch, &total));
        for (ulong i = begin; i < end; i++) {
            const RED_A carry = carries[i];
            carries[i] = before;
            before = RED_COMBINE(before, carry);
        }
        turns = RED_COMBINE(turns, total);
        barrier(CLK_LOCAL_MEM_FENCE); /* before the scratch is written again */
    }
}
#else
RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    const RED_A carry = carries[get_group_id(0)];
    const ulong i = get_global_id(0);
    if (i < n)
        RED_STORE(i, RED_COMBINE(carry, RED_RESULT(i)));
}
#endif
