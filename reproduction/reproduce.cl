/* The sum of i32 by the strategy wg_scan_last on cpu.1, driver 1, fails.
 * Written by clreduce 0.1.0; macros are resolved.
 * It is free to use for any purpose, and without warranty of any kind (0BSD). */

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void reduce(global const int *restrict in_x, const ulong n,
    global uint *restrict out, global uint *restrict counter) {
    const ulong i = get_global_id(0);
    const uint scanned = work_group_scan_inclusive_add(i < n ? (uint)in_x[i] : (uint)0);
    if (get_local_id(0) == 256 - 1)
        out[get_group_id(0)] = scanned;
}
