/* The second launch of finish joined_copies: an item adds up RED_JOIN_N bins of all n copies, sixteen loads
 * in flight. */
#define JOIN_LOADS 16
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    const ulong first = RED_JOIN_N * get_global_id(0), end = min((ulong)RED_COUNTS_N, first + RED_JOIN_N);
    for (ulong bin = first; bin < end; bin++) {
        RED_A count = 0, loads[JOIN_LOADS];
        ulong i = 0;
        for (; i + JOIN_LOADS <= n; i += JOIN_LOADS) {
            for (uint k = 0; k < JOIN_LOADS; k++)
                loads[k] = copies[(i + k) * RED_COUNTS_N + bin];
            for (uint k = 0; k < JOIN_LOADS; k++)
                count += loads[k];
        }
        for (; i < n; i++)
            count += copies[i * RED_COUNTS_N + bin];
        out[bin] = count;
    }
}
