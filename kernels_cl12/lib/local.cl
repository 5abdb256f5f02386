/* `RED_LOCAL(RED_A, name, count);` declares local memory at the top of the kernel. While a kernel is checked
 * it starts as what does most harm (NaN for a sum): what a kernel reads without having written it becomes
 * visible. */
#ifdef RED_POISON
void red_local_poison(local uchar *bytes, uint bytes_n) {
    for (uint i = get_local_id(0); i < bytes_n; i += RED_GROUP_SIZE)
        bytes[i] = RED_POISON;
    barrier(CLK_LOCAL_MEM_FENCE);
}
#define RED_LOCAL(type, name, count)                                                                         \
    local type name[count];                                                                                  \
    red_local_poison((local uchar *)name, (uint)sizeof(type) * (count))
#define RED_LOCAL_GIVEN(name)                                                                                \
    local RED_A *const name = red_given;                                                                     \
    red_local_poison((local uchar *)name, (uint)sizeof(RED_A) * RED_GROUP_SIZE)
#else
#define RED_LOCAL(type, name, count) local type name[count]
#define RED_LOCAL_GIVEN(name)        local RED_A *const name = red_given
#endif

/* Local memory that the host passes as an argument: `RED_LOCAL_ARGUMENT` is the last parameter of a kernel
 * that needs local_argument, an accumulator for each work-item. `RED_LOCAL_GIVEN(name);` names it at the top
 * of the kernel; while a kernel is checked it starts as what RED_LOCAL declares does. */
#define RED_LOCAL_ARGUMENT local RED_A *restrict red_given
