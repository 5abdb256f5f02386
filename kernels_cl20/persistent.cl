//@ name:   persistent
//@ idea:   one launch answers many calls: its item waits in shared virtual memory for the next: the legal form
//@ span:   one
//@ lanes:  16x4
//@ group:  none
//@ finish: persistent
//@ needs:  c11_acq_rel, svm_polled, svm_system
//@ types:  all
//@ ops:    all
//@ source: as persistent_mapped; OpenCL 2.0 section 3.3.3 (fine-grained system SVM with atomics)
//@ counterpart: persistent_mapped

#define SCOPE      memory_scope_all_svm_devices
#define WORD(word) ((volatile global atomic_uint *)answer + (word))
#define LOOK(word) atomic_load_explicit(WORD(word), memory_order_acquire, SCOPE)
#define HAND_OVER(value, asked)                                                                              \
    (*(global RED_A *)answer = (value),                                                                      \
     atomic_store_explicit(WORD(ANSWERED), (asked), memory_order_release, SCOPE))
#define LEAVE() atomic_store_explicit(WORD(LEFT), LOOK(LAUNCH), memory_order_release, SCOPE)

/* The question holds addresses: every call may be about another array, or the same one changed. */
#define ARRAY(i) ((global const RED_T *)((volatile global const ulong *)answer)[4 + (i)])
#include "persistent_mapped.cl"
