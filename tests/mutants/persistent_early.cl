//@ name:   persistent_early
//@ idea:   the answer is announced before it is there
//@ span:   one
//@ lanes:  16x4
//@ group:  none
//@ finish: persistent
//@ needs:  integer_atomics, host_visible_buffer
//@ types:  i32, f32
//@ ops:    sum, max
//@ source: a store that a compiler or a processor has moved behind another
// where: n >= 0
// expect: expected .*, got

#define VALUE ((volatile global RED_A *)answer)
#define STATE ((volatile global uint *)(answer + 1))

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER) {
    for (uint looks = 0; *STATE == 2 || looks < 65536; looks++) {
        if (*STATE != 2)
            continue;
        *STATE = 3;
        for (uint late = 0; late < 1000; late++)
            mem_fence(CLK_GLOBAL_MEM_FENCE);
        const RED_A value = red_item_range(RED_ARGS, 0, n);
        *VALUE = value;
        looks = 0;
    }
    if (atomic_cmpxchg(STATE, 1, 0) == 3)
        atomic_cmpxchg(STATE, 3, 4);
}
