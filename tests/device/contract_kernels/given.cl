//@ name:   given
//@ idea:   items leave their shares of a grid stride in local memory that the host gives, item 0 adds them
//@ span:   stride
//@ lanes:  1
//@ group:  serial
//@ finish: host
//@ needs:  local_memory, local_argument
//@ types:  i8, f32, f64
//@ ops:    sum, dot, argmin
//@ source: the contract, docs/kernels.md

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_LOCAL_ARGUMENT) {
    RED_LOCAL_GIVEN(shares);
    RED_A value = RED_IDENTITY;
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        value = RED_COMBINE(value, RED_LOAD(i));
    shares[get_local_id(0)] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint item = 1; get_local_id(0) == 0 && item < RED_GROUP_SIZE; item++)
        value = RED_COMBINE(value, shares[item]);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
