//@ name:   float_atomic_item
//@ idea:   every work-item adds by the native float atomic
//@ span:   each
//@ lanes:  1
//@ group:  none
//@ finish: atomic
//@ needs:  float_atomics
//@ types:  floats
//@ ops:    sum, dot, sumsq, mean
//@ source: OpenCL Extension Specification, cl_ext_float_atomics
//@ counterpart: cmpxchg_item

/* Native: the hardware adds, no loop. */
#include "c11_item.cl"
