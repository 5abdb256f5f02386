//@ name:   persistent_joined_svm
//@ idea:   persistent_joined in shared virtual memory: the legal form
//@ span:   chunk
//@ lanes:  16x4
//@ group:  none
//@ finish: joined
//@ needs:  c11_acq_rel, svm_polled, svm_system
//@ types:  all
//@ ops:    all
//@ source: as persistent_joined; OpenCL 2.0 section 3.3.3 (fine-grained system SVM with atomics)
//@ counterpart: persistent_joined

#define SCOPE             memory_scope_all_svm_devices
#define WORD(word)        ((volatile global atomic_uint *)answer + (word))
#define LOOK(word)        atomic_load_explicit(WORD(word), memory_order_acquire, SCOPE)
#define TAKE(found, next) take(WORD(UNTAKEN), (found), (next))
#define DONE(asked)       atomic_store_explicit(WORD(ANSWERED), (asked), memory_order_release, SCOPE)
#define LEAVE()           atomic_store_explicit(WORD(LEFT), LOOK(LAUNCH), memory_order_release, SCOPE)

bool take(volatile global atomic_uint *word, uint found, const uint next) {
    return atomic_compare_exchange_strong_explicit(word, &found, next, memory_order_acq_rel,
                                                   memory_order_acquire, SCOPE);
}

/* The question holds addresses: every call may be about another array, or the same one changed. */
#define ARRAY(i) ((global const RED_T *)((volatile global const ulong *)answer)[4 + (i)])
#include "persistent_joined.cl"
