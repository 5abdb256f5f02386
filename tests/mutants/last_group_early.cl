//@ name:   last_group_early
//@ idea:   the group before the last takes itself for the last
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, integer_atomics
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: several

bool is_last_group_here(global uint *counter, local uint *last) {
    if (get_local_id(0) == 0) {
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        last[0] = atomic_inc(counter) + 1 == max(1u, (uint)get_num_groups(0) - 1);
        if (last[0])
            atomic_xchg(counter, 0);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return last[0];
}

#define IS_LAST_GROUP is_last_group_here
#include "last_group.cl"
