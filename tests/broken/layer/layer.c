/* An OpenCL layer (ocl-icd's OPENCL_LAYERS) that makes a good driver bad, one fault at a time.
 *   CLREDUCE_FAULT=name      the fault; name@3 makes it happen at the 3rd of the calls it is about
 *   CLREDUCE_FAULT_FROM=3    only from the 3rd process on that opens a device, CLREDUCE_FAULT_UNTIL=3 only
 *                            before it; CLREDUCE_FAULT_FILE=file counts them
 *   CLREDUCE_FAULT_HELPER=group      a process that opens a device starts another, which stays; "session":
 *                            in a session of its own
 *   CLREDUCE_FAULT_KILL=lost with the layer preloaded, too: what kill is told to kill stays, as what is in a
 *                            call that the kernel does not interrupt
 *   CLREDUCE_COUNTS=file     appends, when the process ends, how many objects of each kind were made and
 * released tests/device/faults.py tells which faults there are and what must come of each. */
#define _GNU_SOURCE              /* syscall */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "layer.h"

const cl_icd_dispatch *fault_next; /* the driver's functions */
static cl_icd_dispatch mine;
static char fault_name[64];
static unsigned long fault_at = 1;
static atomic_ulong fault_calls;
static bool fault_armed = true;

bool fault_is(const char *name) {
    return fault_armed && strcmp(fault_name, name) == 0;
}

bool fault_now(const char *name) {
    return fault_is(name) && atomic_fetch_add(&fault_calls, 1) + 1 == fault_at;
}

bool fault_from_now(const char *name) {
    return fault_is(name) && atomic_fetch_add(&fault_calls, 1) + 1 >= fault_at;
}

unsigned long fault_number(void) {
    return fault_at;
}

/* The n-th process is the one that adds the n-th byte to the file. */
void fault_arm(void) {
    static bool counted;
    const char *from = getenv("CLREDUCE_FAULT_FROM"), *until = getenv("CLREDUCE_FAULT_UNTIL");
    FILE *file =
        counted || (from == NULL && until == NULL) ? NULL : fopen(getenv("CLREDUCE_FAULT_FILE"), "a");
    if (file == NULL)
        return;
    counted = true;
    fputc('.', file);
    fflush(file);
    long number = ftell(file);
    fault_armed = (from == NULL || number >= strtol(from, NULL, 10)) &&
                  (until == NULL || number < strtol(until, NULL, 10));
    fclose(file);
}

/* What drivers start: a process that has all their files open, heeds no signal that it can ignore, and never
 * ends; "session": that has left its parent's group and is nobody's child. */
void fault_start_helper(void) {
    const char *how = getenv("CLREDUCE_FAULT_HELPER");
    if (how == NULL || fork() != 0)
        return;
    if (strcmp(how, "session") == 0 && (setsid() < 0 || fork() != 0))
        _exit(0);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    for (;;)
        pause();
}

/* In place of the library's, where the layer is preloaded. A process may still end its own group. */
int kill(pid_t pid, int number) {
    const bool is_lost = number == SIGKILL && pid != 0 && getenv("CLREDUCE_FAULT_KILL") != NULL;
    return is_lost ? 0 : (int)syscall(SYS_kill, pid, number);
}

/* What drivers do when they break: "crash_build", "hang_build", and so on at every place. */
void fault_break(const char *place) {
    static const char *const ways[] = {"crash", "abort", "exit", "hang", "flood"};
    if (!fault_armed || strchr(fault_name, '_') == NULL || strcmp(strchr(fault_name, '_') + 1, place) != 0)
        return;
    for (unsigned way = 0; way < 5; way++) {
        size_t length = strlen(ways[way]);
        if (strncmp(fault_name, ways[way], length) != 0 || fault_name[length] != '_' ||
            !fault_now(fault_name))
            continue;
        fprintf(stderr, "fake driver: %s in %s\n", ways[way], place);
        fflush(stderr);
        if (way == 0)
            *(volatile int *)NULL = 0;
        if (way == 1)
            abort();
        if (way == 2)
            exit(0);
        for (;;)
            if (way == 3)
                pause();
            else
                printf("fake driver: it prints, and prints, and never stops to print\n");
    }
}

__attribute__((destructor)) static void unload(void) {
    fault_break("unload");
    counts_write(getenv("CLREDUCE_COUNTS"));
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t room, void *value, size_t *needed) {
    static const char name[] = "clreduce faults";
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void *from = what == CL_LAYER_API_VERSION ? (const void *)&version : name;
    size_t bytes = what == CL_LAYER_API_VERSION ? sizeof version : sizeof name;
    if (value != NULL && room >= bytes)
        memcpy(value, from, bytes);
    if (needed != NULL)
        *needed = bytes;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries_n, const cl_icd_dispatch *target,
                                            cl_uint *entries_n_ret, const cl_icd_dispatch **layer) {
    const char *fault = getenv("CLREDUCE_FAULT");
    if (entries_n > sizeof mine / sizeof(void *))
        entries_n = sizeof mine / sizeof(void *);
    fault_next = target;
    memcpy(&mine, target, entries_n * sizeof(void *));
    snprintf(fault_name, sizeof fault_name, "%.*s", fault ? (int)strcspn(fault, "@") : 0, fault ? fault : "");
    if (fault != NULL && strchr(fault, '@') != NULL)
        fault_at = strtoul(strchr(fault, '@') + 1, NULL, 10);
    fault_armed = getenv("CLREDUCE_FAULT_FROM") == NULL && getenv("CLREDUCE_FAULT_UNTIL") == NULL;
    fault_break("load");
    counts_install(&mine);
    fault_install_info(&mine);
    fault_install_work(&mine);
    fault_install_times(&mine);
    *entries_n_ret = entries_n;
    *layer = &mine;
    return CL_SUCCESS;
}
