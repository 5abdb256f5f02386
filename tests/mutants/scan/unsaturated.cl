//@ name:      unsaturated
//@ primitive: scan
//@ idea:      the first answer is the identity of wider accumulators, cut to its lowest bits
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    single_pass
//@ needs:     nothing
//@ types:     i8, u8
//@ ops:       exclusive_min, exclusive_max
//@ source:    a slip of the pen
// where: n > 0

#undef RED_TO_R
#define RED_TO_R(w) RED_OF(RED_PASTE(convert_, RED_R), w)
#include "scan_serial.cl"
