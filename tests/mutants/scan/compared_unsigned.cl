//@ name:      compared_unsigned
//@ primitive: scan
//@ idea:      integers are compared as unsigned ones
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    single_pass
//@ needs:     nothing
//@ types:     i32
//@ ops:       inclusive_min
//@ source:    a slip of the pen
// where: n > 0

#undef RED_COMBINE
#define RED_COMBINE(a, b) ((uint)(a) < (uint)(b) ? (a) : (b))
#include "scan_serial.cl"
