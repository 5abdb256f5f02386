//@ name:      prefixes_alone
//@ primitive: scan
//@ idea:      one item, by vectors of four and one by one; each result read back is what the next one begins with
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    single_pass
//@ needs:     nothing
//@ types:     all
//@ ops:       all
//@ source:    the contract

#if !RED_SCAN
#error "this is a scan"
#endif

RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    RED_A before = RED_IDENTITY;
    ulong i = 0;
    for (; i + 4 <= n; i += 4) {
        const RED_VEC(4) x = RED_LOAD_VEC(4, i / 4);
        const RED_A a = RED_COMBINE(before, x.s0), b = RED_COMBINE(a, x.s1), c = RED_COMBINE(b, x.s2);
        const RED_A d = RED_COMBINE(c, x.s3);
#if RED_EXCLUSIVE
        RED_STORE_VEC(4, i / 4, ((RED_VEC(4))(before, a, b, c)));
        before = d;
#else
        RED_STORE_VEC(4, i / 4, ((RED_VEC(4))(a, b, c, d)));
        before = RED_RESULT(i + 3);
#endif
    }
    for (; i < n; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
}
