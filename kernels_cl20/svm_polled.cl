//@ name:   svm_polled
//@ idea:   the last group sets a flag in shared virtual memory, on which the host spins: it waits for no command
//@ span:   chunk
//@ lanes:  16x4
//@ group:  tree
//@ finish: svm_polled
//@ needs:  local_memory, c11_device_scope, c11_acq_rel, svm_polled
//@ types:  all
//@ ops:    all
//@ source: OpenCL 2.0 section 3.3.3 (fine-grained SVM with atomics) and OpenCL C 2.0 section 6.13.11
//@ counterpart: chunk

/* What stands before the release is seen by the host that acquires the flag. */
#define WHEN_DONE(counter)                                                                                   \
    atomic_store_explicit((volatile global atomic_uint *)(counter) + 1, 1u, memory_order_release,            \
                          memory_scope_all_svm_devices)
#define ITEM_SHARE red_item_chunk
#include "last_group_c11.cl"
