//@ name:      starts_from_zero
//@ primitive: scan
//@ idea:      a minimum and a maximum start from 0
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    single_pass
//@ needs:     nothing
//@ types:     i8, i32, i64, f16, f32, f64
//@ ops:       inclusive_min, inclusive_max
//@ source:    a slip of the pen
// where: n > 0

#undef RED_IDENTITY
#define RED_IDENTITY ((RED_A)0)
#include "scan_serial.cl"
