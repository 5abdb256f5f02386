//@ name:      sums_of_32_bits
//@ primitive: scan
//@ idea:      sums of bytes wrap at 32 bits
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    single_pass
//@ needs:     nothing
//@ types:     u8
//@ ops:       inclusive_sum, exclusive_sum
//@ source:    a slip of the pen
// where: n > 1 << 24

#undef RED_COMBINE
#define RED_COMBINE(a, b) ((ulong)(uint)((a) + (b)))
#include "scan_serial.cl"
