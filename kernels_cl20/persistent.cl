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

#include "mailbox_svm.cl"
#include "persistent_mapped.cl"
