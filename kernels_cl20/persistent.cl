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

/* The question holds addresses, so that every call may be about another array, or the same one changed. */
#define PATIENCE    (1 << 13)
#define STATE       ((volatile global atomic_uint *)(answer + 1))
#define SCOPE       memory_scope_all_svm_devices
#define LOOK()      atomic_load_explicit(STATE, memory_order_acquire, SCOPE)
#define HAND_OVER() atomic_store_explicit(STATE, ANSWERED, memory_order_release, SCOPE)
#define ASKED_FOR   ((volatile global const ulong *)(answer + 2))
#define ARRAY(i)    ((global const RED_T *)ASKED_FOR[i])
#define QUESTION    ASKED_FOR[2]

/* What was found, which is `from` where the exchange came about. */
uint move(volatile global atomic_uint *state, uint from, const uint to) {
    atomic_compare_exchange_strong_explicit(state, &from, to, memory_order_acq_rel, memory_order_acquire,
                                            SCOPE);
    return from;
}
#define MOVE(from, to) move(STATE, (from), (to))
#include "persistent_mapped.cl"
