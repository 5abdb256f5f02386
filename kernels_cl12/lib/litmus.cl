/* What the kernels of litmus tests share, which cl/litmus_text.c makes of events. It stands behind macros for
 * the parameters of a launch, words of `p`: GROUPS, STRIDE, ... (cl/litmus.h says what each is), and behind
 * lib/disturb.cl. */
/* 2^19 instances and factors below 2^11 at most: 32 bits hold the product. */
#define SCRAMBLE(i, factor) ((i) * (factor) % INSTANCES)

/* Which of the testing groups this one is, in a drawn order; those from GROUPS on disturb memory. */
uint litmus_group(constant uint *p) {
    return (uint)get_group_id(0) * SPREAD % (uint)get_num_groups(0);
}

/* The instance whose role an item plays that stands `groups` groups and `items` items behind it. */
uint litmus_instance(constant uint *p, const uint group, const uint groups, const uint items) {
    const uint group_size = (uint)get_local_size(0);
    return (group + GROUPS - groups % GROUPS) % GROUPS * group_size +
           ((uint)get_local_id(0) + items) % group_size;
}

/* What the groups from GROUPS on do. */
void litmus_disturb(global uint *scratch, constant uint *p) {
    disturb_memory(scratch, SCRATCH_MASK, TURNS, PATTERN, SEED);
}

/* Item 0 of each testing group waits for those of the others, with a limit: groups that run one after
 * another go on without. meeting[0] counts them, meeting[1] those that have seen all. */
void litmus_meet(volatile global uint *meeting, const uint target, constant uint *p) {
    if (IN_STEP) {
        if (get_local_id(0) == 0) {
            atomic_inc(meeting);
            uint polls = 0;
            while (atomic_or(meeting, 0) < target && polls < MEET_POLLS)
                polls++;
            if (polls < MEET_POLLS)
                atomic_inc(meeting + 1);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* The same for groups of one item that meet at each instance, and add to meeting[1] at their end: false where another has not come in time, since
 * its processor is taken. At the first meeting, when it may not have begun, there is 16 times as much. The
 * pause draws them apart by a few steps. */
bool litmus_step(volatile global uint *meeting, const uint target, const uint pause, constant uint *p) {
    const uint limit = target > get_num_groups(0) ? MEET_POLLS : 16 * MEET_POLLS;
    atomic_inc(meeting);
    for (uint polls = 0; *meeting < target; polls++)
        if (polls == limit)
            return false;
    for (volatile uint i = 0; i < pause; i++)
        ;
    return true;
}
