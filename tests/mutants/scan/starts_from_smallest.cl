//@ name:      starts_from_smallest
//@ primitive: scan
//@ idea:      a maximum starts from the smallest normal value, in place of the least
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    single_pass
//@ needs:     nothing
//@ types:     f32
//@ ops:       inclusive_max
//@ source:    NVIDIA's work_group_scan_exclusive_max
// where: n > 0

#undef RED_IDENTITY
#define RED_IDENTITY ((RED_A)1.17549435e-38f)
#include "scan_serial.cl"
