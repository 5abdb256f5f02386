//@ name:      halves
//@ primitive: scan
//@ idea:      prefixes are rounded to halves at each step
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    single_pass
//@ needs:     nothing
//@ types:     f16
//@ ops:       inclusive_sum, exclusive_sum
//@ source:    a slip of the pen
// where: n > 1

float rounded(const float sum) {
    ushort place;
    vstore_half(sum, 0, (private half *)&place);
    return vload_half(0, (private half *)&place);
}
#undef RED_COMBINE
#define RED_COMBINE(a, b) rounded((a) + (b))
#include "scan_serial.cl"
