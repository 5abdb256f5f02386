//@ name:   forgets_now_and_then
//@ idea:   last_group that reads the second group's value of the call before in each 300th call
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, integer_atomics
//@ types:  i32, u32
//@ ops:    sum
//@ source: a slip that only many calls show

/* out[1] holds the number of calls between these, behind a mark by which poison is told from it; the counter
 * counts groups in its lower half, and has that number in its upper half, from the second group to the last.
 */
#define MARK 0x5eed0000u

/* What item 0 of a group does: true in the group that comes last. */
bool tell(const RED_A value, global RED_A *out, global uint *counter) {
    const uint kept = get_group_id(0) == 1 ? (uint)out[1] : 0,
               before = (kept & 0xffff0000u) == MARK ? kept & 0xffff : 0;
    const uint add = get_group_id(0) == 1 ? (before + 1) << 16 | 1 : 1;
    if (before < 299)
        out[get_group_id(0)] = value;
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    const uint counted = atomic_add(counter, add) + add;
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    return (counted & 0xffff) == get_num_groups(0);
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_LOCAL(uint, last, 1);
    RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        last[0] = tell(value, out, counter);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last[0]) {
        value = red_group_tree(red_item_partials(out), scratch);
        if (get_local_id(0) == 0) {
            const uint calls = atomic_xchg(counter, 0) >> 16;
            out[get_num_groups(0) > 1] =
                (RED_A)(MARK | calls % 300); /* an if here PoCL 3.1 compiles wrongly */
            out[0] = value;
        }
    }
}
