//@ name:      carry_in_first_call_alone
//@ primitive: scan
//@ idea:      the second half is handed its carry in the first call alone
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    single_pass
//@ needs:     nothing
//@ types:     all
//@ ops:       all
//@ source:    a slip of the pen
// where: n > 1
// expect: second call

RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    RED_A before = RED_IDENTITY;
    for (ulong i = 0; i < n; i++) {
        if (i == n / 2 && state[1]++ > 0)
            before = RED_IDENTITY;
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
}
