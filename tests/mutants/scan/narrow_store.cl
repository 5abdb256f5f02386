//@ name:      narrow_store
//@ primitive: scan
//@ idea:      answers lose the sign of bytes where they are stored
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    single_pass
//@ needs:     nothing
//@ types:     i8
//@ ops:       inclusive_sum, inclusive_min
//@ source:    a slip of the pen
// where: n > 0

#undef RED_STORE
#define RED_STORE(i, a) out[i] = (RED_R)(uchar)(a)
#include "scan_serial.cl"
