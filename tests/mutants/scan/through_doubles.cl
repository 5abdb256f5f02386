//@ name:      through_doubles
//@ primitive: scan
//@ idea:      integers of 64 bits are added as doubles
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    single_pass
//@ needs:     nothing
//@ types:     i64
//@ ops:       inclusive_sum
//@ source:    a slip of the pen
// where: n > 0

#undef RED_COMBINE
#define RED_COMBINE(a, b) ((RED_A)((double)(a) + (double)(b)))
#include "scan_serial.cl"
