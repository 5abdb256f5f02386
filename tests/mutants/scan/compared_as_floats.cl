//@ name:      compared_as_floats
//@ primitive: scan
//@ idea:      doubles are compared as floats
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    single_pass
//@ needs:     nothing
//@ types:     f64
//@ ops:       inclusive_max, exclusive_max
//@ source:    a slip of the pen
// where: n > 0

#undef RED_COMBINE
#define RED_COMBINE(a, b) ((float)(a) >= (float)(b) ? (a) : (b))
#include "scan_serial.cl"
