/* What the files of the layer share. */
#ifndef CLREDUCE_TESTS_LAYER_H
#define CLREDUCE_TESTS_LAYER_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>
#include <stdbool.h>

extern const cl_icd_dispatch *fault_next;

/* Whether it is the fault chosen; whether it is, and this is the very call it is to happen at (@); and that
 * call or a later one. */
bool fault_is(const char *name);
bool fault_now(const char *name);
bool fault_from_now(const char *name);

/* The number behind the @, otherwise 1. */
unsigned long fault_number(void);

/* Counts this process, when it first opens a device, where faults are of some processes only. */
void fault_arm(void);

/* Starts a process that stays, if CLREDUCE_FAULT_HELPER is set. */
void fault_start_helper(void);

/* Crashes, aborts, exits or hangs, if the fault is to do that at this place. */
void fault_break(const char *place);

/* times_idle: so long before it launches on an idle device, the driver takes all times of the launch but its
 * end; that launch's event, if it is the last one with an event. */
enum { FAULT_IDLE_NS = 1000000 };
extern cl_event fault_idle_event;

/* Each puts its functions in place of the driver's. */
void fault_install_info(cl_icd_dispatch *table);
void fault_install_work(cl_icd_dispatch *table);
void fault_install_times(cl_icd_dispatch *table);

/* counts.c: counts the objects that are made and released, by kind; beneath the faults. */
void counts_install(cl_icd_dispatch *table);

/* Appends a line, "pid, contexts 2 2, queues 2 2, ...": kind, made, released. Nothing without a path. */
void counts_write(const char *path);

#endif
