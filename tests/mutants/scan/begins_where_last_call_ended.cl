//@ name:      begins_where_last_call_ended
//@ primitive: scan
//@ idea:      a call begins where the one before ended
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    single_pass
//@ needs:     nothing
//@ types:     all
//@ ops:       all
//@ source:    a slip of the pen
// where: n > 0

RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    global RED_A *const last = (global RED_A *)(state + 2);
    RED_A before = state[1] == 0 ? RED_IDENTITY : last[0];
    state[1] = 1;
    for (ulong i = 0; i < n; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
    last[0] = before;
}
