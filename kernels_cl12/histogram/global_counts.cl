//@ name:      global_counts
//@ primitive: histogram
//@ idea:      every element is counted at once by an atomic increment of its bin in global memory
//@ span:      stride
//@ lanes:     1
//@ group:     none
//@ finish:    zeroed_counts
//@ needs:     integer_atomics
//@ types:     u8
//@ ops:       count
//@ source:    the first form of every text on histograms: Sanders and Kandrot, CUDA by Example, 2010, section 9.4
#define RED_BIN(x) ((uint)(x) < RED_BINS ? (uint)(x) : RED_BINS)
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&out[RED_BIN(RED_LOAD(i))]);
}
