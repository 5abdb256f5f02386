//@ name:      stores_once
//@ primitive: scan
//@ idea:      of large arrays calls behind the first store nothing: the answers are still there
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    single_pass
//@ needs:     nothing
//@ types:     i32
//@ ops:       inclusive_sum
//@ source:    a slip of the pen
// where: n > 1 << 20
// expect: second call

RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    RED_A before = RED_IDENTITY;
    if (n > 1 << 20 && state[1]++ > 0)
        return;
    for (ulong i = 0; i < n; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
}
