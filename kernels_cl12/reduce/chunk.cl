//@ name:   chunk
//@ idea:   one contiguous piece per work-item, several vector accumulators: the CPU's shape
//@ span:   chunk
//@ lanes:  16x4
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: the static schedule of an OpenMP loop, OpenMP 5.0 section 2.9.2
//@ variant: svm_chunk
//@ idea:   chunk's partial results in shared virtual memory: on a CPU a read command can cost as much as a launch
//@ finish: svm
//@ needs:  local_memory, svm
//@ source: OpenCL 2.0 section 5.6
//@ counterpart: chunk

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
#define RED_TAKE(a, b)               RED_COMBINE(a, b)
#define RED_INPUT                    global const RED_T *restrict red_x
#define RED_ARGS                     red_x
#define RED_LOAD(i)                  red_x[i]
#define RED_VEC(w)                   RED_PASTE(RED_T, 4)
#define RED_LOAD_VECTOR(i)           ((global const RED_VEC(4) *)red_x)[i]
#define RED_FOLD(w, v)               (((v).s0 + (v).s1) + ((v).s2 + (v).s3))
#define RED_EACH_LOAD(DO)            DO(0) DO(1) DO(2) DO(3)
#define RED_ALL_LOADS(sums)          ((sums[0] + sums[1]) + (sums[2] + sums[3]))
#define RED_LOCAL(type, name, count) local type name[count]
#endif

#if RED_PLACE
#define item_range red_item_range /* lib/extremes.cl */
#else
/* Half of the loads go to either half of a range: a prefetcher follows two streams further than one. */
#define STREAMS  (RED_LOADS > 1 ? 2 : 1)
#define START(j) sums[j] = RED_IDENTITY;
#define NEXT(j)                                                                                              \
    next = RED_LOAD_VECTOR(i + j % STREAMS * stream_n + j / STREAMS);                                        \
    sums[j] = RED_TAKE(sums[j], next);
RED_A item_range(RED_INPUT, const ulong begin, const ulong end) {
    const ulong turn = RED_LOADS / STREAMS, stream_n = (end - begin) / (RED_WIDTH * RED_LOADS) * turn;
    RED_VEC(RED_WIDTH) sums[RED_LOADS], next;
    RED_EACH_LOAD(START)
    for (ulong i = begin / RED_WIDTH; i < begin / RED_WIDTH + stream_n; i += turn) {
        RED_EACH_LOAD(NEXT)
    }
    ulong i = begin + RED_WIDTH * STREAMS * stream_n;
    for (; i + RED_WIDTH <= end; i += RED_WIDTH)
        sums[0] = RED_COMBINE(sums[0], RED_LOAD_VECTOR(i / RED_WIDTH));
    RED_A value = RED_FOLD(RED_WIDTH, RED_ALL_LOADS(sums));
    for (; i < end; i++)
        value = RED_COMBINE(value, RED_LOAD(i));
    return value;
}
#endif

/* Each step folds the upper half of the group's values onto the lower, for any group size. The barrier stands
 * at the loop's head, so every store is seen before the next step reads it. Item 0 has the result. */
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

/* Whole blocks of 64 elements or of all lanes: vector loads are aligned, the last piece has the tail. */
RED_A item_chunk(RED_INPUT, const ulong n) {
    const ulong block_n = RED_WIDTH * RED_LOADS < 64 ? 64 : RED_WIDTH * RED_LOADS;
    const ulong pieces_n = get_global_size(0);
    const ulong piece_n = ((n + block_n - 1) / block_n + pieces_n - 1) / pieces_n * block_n;
    const ulong begin = min(n, piece_n * get_global_id(0));
    return item_range(RED_ARGS, begin, min(n, begin + piece_n));
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = group_tree(item_chunk(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
