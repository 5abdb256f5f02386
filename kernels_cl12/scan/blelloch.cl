//@ name:      blelloch
//@ primitive: scan
//@ idea:      sums up a tree, prefixes down again: 2n additions, where hillis_steele has n log n
//@ span:      each
//@ lanes:     2
//@ group:     tree
//@ finish:    scan_then_propagate
//@ needs:     local_memory
//@ types:     all
//@ ops:       all
//@ source:    Blelloch, Prefix sums and their applications, 1990

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

/* The tree has a power of two of places, at least one for each item: sums go up, then prefixes down. */
#define OR_4(v)  ((v) | (v) >> 1 | (v) >> 2 | (v) >> 3)
#define OR_16(v) (OR_4(v) | OR_4(v) >> 4 | OR_4(v) >> 8 | OR_4(v) >> 12)
#define PLACES_N (OR_16(RED_GROUP_SIZE - 1) + 1)

RED_A group_scan(const RED_A value, local RED_A *scratch, private RED_A *total) {
    const uint item = (uint)get_local_id(0);
    scratch[item] = value;
    if (item + RED_GROUP_SIZE < PLACES_N)
        scratch[item + RED_GROUP_SIZE] = RED_IDENTITY;
    for (uint step = 1; step < PLACES_N; step *= 2) {
        const uint right = 2 * step * (item + 1) - 1, left = right - step;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (right < PLACES_N)
            scratch[right] = RED_COMBINE(scratch[left], scratch[right]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *total = scratch[PLACES_N - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0)
        scratch[PLACES_N - 1] = RED_IDENTITY;
    for (uint step = PLACES_N / 2; step > 0; step /= 2) {
        const uint right = 2 * step * (item + 1) - 1, left = right - step;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (right < PLACES_N) {
            const RED_A sum = scratch[left];
            scratch[left] = scratch[right];
            scratch[right] = RED_COMBINE(scratch[right], sum);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scratch[item];
}

/* RED_PASS 0: each group scans its elements, and leaves their combination in `carries`. 1: one group makes of
 * those the carries, exclusive prefixes. 2: each group combines its carry with its answers. */
#if RED_PASS == 0
RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    RED_LOCAL(RED_A, scratch, PLACES_N);
    const ulong i = 2 * get_global_id(0);
    const RED_A first = i < n ? RED_LOAD(i) : RED_IDENTITY;
    const RED_A second = i + 1 < n ? RED_LOAD(i + 1) : RED_IDENTITY;
    RED_A total;
    const RED_A before = group_scan(RED_COMBINE(first, second), scratch, &total);
    const RED_A between = RED_COMBINE(before, first);
    if (i < n)
        RED_STORE(i, RED_EXCLUSIVE ? before : between);
    if (i + 1 < n)
        RED_STORE(i + 1, RED_EXCLUSIVE ? between : RED_COMBINE(between, second));
    if (get_local_id(0) == 0)
        carries[get_group_id(0)] = total;
}
#elif RED_PASS == 1
RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    RED_LOCAL(RED_A, scratch, PLACES_N);
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
    const ulong first = 2 * RED_GROUP_SIZE * (ulong)get_group_id(0), end = min(n, first + 2 * RED_GROUP_SIZE);
    for (ulong i = first + get_local_id(0); i < end; i += RED_GROUP_SIZE)
        RED_STORE(i, RED_COMBINE(carry, RED_RESULT(i)));
}
#endif
