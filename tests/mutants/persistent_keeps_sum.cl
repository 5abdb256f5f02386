//@ name:   persistent_keeps_sum
//@ idea:   the second answer of a launch begins with the first
//@ span:   one
//@ lanes:  16x4
//@ group:  none
//@ finish: persistent
//@ needs:  integer_atomics, host_visible_buffer
//@ types:  i32, f32
//@ ops:    sum
//@ source: a variable of the launch that should be one of the call
// where: n > 0
// expect: \(run 2, second call\)

#define VALUE ((volatile global RED_A *)answer)
#define STATE ((volatile global uint *)(answer + 1))

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER) {
    RED_A value = RED_IDENTITY;
    for (uint looks = 0;; looks++) {
        const uint state = *STATE;
        if (state == 2) {
            value = RED_COMBINE(value, red_item_range(RED_ARGS, 0, n));
            *VALUE = value;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            *STATE = 3;
            looks = 0;
        } else if (looks >= 65536 && atomic_cmpxchg(STATE, state, state == 1 ? 0 : 4) == state)
            return;
    }
}
