//@ name:      blelloch_padded
//@ primitive: scan
//@ idea:      blelloch with a gap after every 32 values: neighbours of a step lie in different banks
//@ span:      each
//@ lanes:     2
//@ group:     tree
//@ finish:    scan_then_propagate
//@ needs:     local_memory
//@ types:     all
//@ ops:       all
//@ source:    Harris, Sengupta and Owens, Parallel prefix sum (scan) with CUDA, GPU Gems 3, chapter 39
//@ variant:   blelloch_reduced REDUCE_FIRST=1
//@ idea:      the groups' sums first, by a tree; when their prefixes are known, one scan as blelloch_padded
//@ finish:    reduce_then_scan
//@ source:    Merrill and Grimshaw, Parallel scan for stream architectures, 2009
//@ variant:   blelloch_two_levels
//@ idea:      blelloch_padded, the carries scanned as the elements are: by many groups
//@ finish:    two_levels
//@ source:    Harris, Sengupta and Owens 2007

#define ITEM_N 2 /* the lowest step of the tree is an item's own */

/* The tree has a power of two of places, at least one for each item. */
#define OR_1(v)   ((v) | (v) >> 1)
#define OR_2(v)   (OR_1(v) | OR_1(v) >> 2)
#define OR_4(v)   (OR_2(v) | OR_2(v) >> 4)
#define OR_8(v)   (OR_4(v) | OR_4(v) >> 8)
#define PLACES_N  (OR_8(RED_GROUP_SIZE - 1) + 1)
#define AT(place) ((place) + (place) / 32)
#define SCRATCH_N (AT(PLACES_N - 1) + 1)

RED_A group_scan(const RED_A value, local RED_A *scratch, private RED_A *total) {
    const uint item = (uint)get_local_id(0);
    scratch[AT(item)] = value;
    if (item + RED_GROUP_SIZE < PLACES_N)
        scratch[AT(item + RED_GROUP_SIZE)] = RED_IDENTITY;
    for (uint step = 1; step < PLACES_N; step *= 2) {
        const uint right = 2 * step * (item + 1) - 1, left = right - step;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (right < PLACES_N)
            scratch[AT(right)] = RED_COMBINE(scratch[AT(left)], scratch[AT(right)]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *total = scratch[AT(PLACES_N - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0)
        scratch[AT(PLACES_N - 1)] = RED_IDENTITY;
    for (uint step = PLACES_N / 2; step > 0; step /= 2) {
        const uint right = 2 * step * (item + 1) - 1, left = right - step;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (right < PLACES_N) {
            const RED_A sum = scratch[AT(left)];
            scratch[AT(left)] = scratch[AT(right)];
            scratch[AT(right)] = RED_COMBINE(scratch[AT(right)], sum);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scratch[AT(item)];
}

#include "lib/scan_passes.cl"
