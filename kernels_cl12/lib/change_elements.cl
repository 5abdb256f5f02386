/* The launch of --shape changed: stores the elements of an array, which have another seed than those before.
 */
RED_KERNEL change(RED_INPUT, const ulong n, global RED_T *restrict array) {
    const ulong i = get_global_id(0);
    if (i < n)
#if RED_T_KIND == 2 && RED_T_BITS == 16
        vstore_half(RED_ELEMENT_(red_x, i), i, array);
#else
        array[i] = (RED_T)RED_ELEMENT_(red_x, i);
#endif
}
