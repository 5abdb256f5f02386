//@ name:   digits_lowest_lost
//@ idea:   the lowest digit is never stored
//@ span:   stride
//@ lanes:  1
//@ group:  tree
//@ finish: words
//@ needs:  local_memory
//@ types:  f32, f64
//@ ops:    sum, mean
//@ source: a slip of the pen
// where: n > 0

#include "lib/digits.cl"

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(long, scratch, RED_BATCH * RED_GROUP_SIZE);
    long digits[RED_LIMBS];
    ulong met = 0;
    for (int i = 0; i < RED_LIMBS; i++)
        digits[i] = 0;
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        RED_DIGITS_TAKE(i);
    red_digits_carry(digits);
    digits[0] = 0;
    digits[RED_DIGITS] = (long)met;
    red_group_words(digits, scratch, (global long *)out);
}
