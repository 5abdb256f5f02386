//@ name:   svm_polled
//@ idea:   polled_chunk by shared virtual memory with atomics: the legal form
//@ span:   chunk
//@ lanes:  16x4
//@ group:  tree
//@ finish: polled
//@ needs:  local_memory, c11_device_scope, c11_acq_rel, svm_polled
//@ types:  all
//@ ops:    all
//@ source: OpenCL 2.0 section 3.3.3 (fine-grained SVM with atomics) and OpenCL C 2.0 section 6.13.11
//@ counterpart: polled_chunk

/* What stands before the release is seen by the host that acquires the flag. */
#define HAND_OVER(value)                                                                                     \
    (*(global RED_A *)red_answer = (value),                                                                  \
     atomic_store_explicit((volatile global atomic_uint *)red_answer + 2, 1u, memory_order_release,          \
                           memory_scope_all_svm_devices))
#define ITEM_SHARE red_item_chunk
#define PARAMETERS                                                                                           \
    RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER
#include "last_group_c11.cl"
