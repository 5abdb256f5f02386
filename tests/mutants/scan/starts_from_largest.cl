//@ name:      starts_from_largest
//@ primitive: scan
//@ idea:      an extreme starts from the largest finite value, which loses to an infinity
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    single_pass
//@ needs:     nothing
//@ types:     f32
//@ ops:       inclusive_min, inclusive_max
//@ source:    a slip of the pen
// where: n > 0

#undef RED_IDENTITY
#define RED_IDENTITY ((RED_A)(RED_EXTREME == 1 ? MAXFLOAT : -MAXFLOAT))
#include "scan_serial.cl"
