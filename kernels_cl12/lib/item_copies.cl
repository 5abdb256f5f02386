/* A private copy of the counts for each item, which the group adds up bin by bin. Who includes this has
 * defined GROUP_REDUCE(value), the sum of the group's values for item 0; `scratch` has a place for each item.
 */
#define COUNTS                                                                                               \
  private                                                                                                    \
    RED_A *counts
#define COUNT(bin) counts[bin]++
/* count_stride */
#include "lib/count_stride.cl"

void item_copies(RED_INPUT, const ulong n, local RED_A *scratch, global RED_A *copy) {
    RED_A counts[RED_COUNTS_N];
    for (uint bin = 0; bin < RED_COUNTS_N; bin++)
        counts[bin] = 0;
    count_stride(RED_ARGS, n, counts);
    for (uint bin = 0; bin < RED_COUNTS_N; bin++) {
        const RED_A count = GROUP_REDUCE(counts[bin]);
        if (get_local_id(0) == 0)
            copy[bin] = count;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
