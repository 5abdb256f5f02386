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

#include "mailbox_svm.cl"
#include "persistent_joined.cl"
