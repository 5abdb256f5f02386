//@ name:      scan_serial
//@ primitive: scan
//@ idea:      one work-item combines element after element
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    single_pass
//@ needs:     nothing
//@ types:     all
//@ ops:       all
//@ source:    the definition of a scan; the slowest right answer

RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    RED_A before = RED_IDENTITY;
    for (ulong i = 0; i < n; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
}
