//@ name:   polled_words_group_lost
//@ idea:   the last group adds up the words of all groups but one
//@ span:   stride
//@ lanes:  1
//@ group:  tree
//@ finish: polled_words
//@ needs:  local_memory, integer_atomics, host_visible_buffer
//@ types:  f16, f32
//@ ops:    sum, mean
//@ source: a slip of the pen
// where: n > wg

#include "lib/digits.cl"

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_ANSWER) {
    RED_LOCAL(long, scratch, RED_BATCH * RED_GROUP_SIZE);
    RED_LOCAL(uint, last, 1);
    long digits[RED_LIMBS];
    ulong met = 0;
    for (int i = 0; i < RED_LIMBS; i++)
        digits[i] = 0;
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        RED_DIGITS_TAKE(i);
    red_digits_carry(digits);
    digits[RED_DIGITS] = (long)met;
    red_group_words(digits, scratch, (global long *)out);
    if (get_local_id(0) == 0) {
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        last[0] = atomic_inc(counter) + 1 == get_num_groups(0);
        read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (last[0] && get_local_id(0) == 0) {
        atomic_xchg(counter, 0);
        for (uint word = 0; word < RED_WORDS; word++) {
            long sum = 0;
            for (ulong group = 0; group < max((ulong)get_num_groups(0) - 1, 1UL); group++)
                sum += ((global long *)out)[RED_WORDS * group + word];
            ((volatile global uint4 *)red_answer)[word] = (uint4)(as_uint2(sum), 1, 0);
        }
    }
}
