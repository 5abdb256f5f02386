//@ name:   xchg_carry
//@ idea:   private sums, a tree per group, then atomic_xchg hands the sum from group to group
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, exchange
//@ types:  all
//@ ops:    all
//@ source: the float atomic of devices without compare-and-swap; OpenCL 1.2 section 6.12.11

/* Takes what is there, leaving the identity, and puts the sum of both back. Whatever it finds then came in
 * between and is carried on. In between the accumulator is the identity: only the end counts. */
void xchg_combine(global RED_A *out, RED_A carry) {
    volatile global RED_WORD *word = (volatile global RED_WORD *)out;
    const RED_WORD nothing = RED_AS_WORD(RED_IDENTITY);
    for (RED_WORD found = RED_AS_WORD(carry); found != nothing;) {
        const RED_WORD taken = RED_XCHG(word, nothing);
        found = RED_XCHG(word, RED_AS_WORD(RED_COMBINE(RED_FROM_WORD(taken), RED_FROM_WORD(found))));
    }
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        xchg_combine(out, value);
}
