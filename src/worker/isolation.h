/* Bad-driver isolation: a driver that cannot even be loaded would end every process that asks the loader for
 * devices. Each is loaded alone, and those that fail are left out by name. */
#ifndef CLREDUCE_WORKER_ISOLATION_H
#define CLREDUCE_WORKER_ISOLATION_H

#include "core/scratch.h"
#include "worker/client.h"

/* A folder of links to the .icd files of the good drivers; empty path: none was made. */
struct red_isolation {
    struct red_scratch folder;
    bool in_force; /* OCL_ICD_VENDORS is this folder */
    char *given;   /* what it was before; NULL: not set */
};

/* Loads each driver of the loader's folder ($OCL_ICD_VENDORS, or /etc/OpenCL/vendors) alone. If some can be
 * loaded and others not, names those on stderr and lets every later process see the good ones only
 * (OCL_ICD_VENDORS). Release with _clear, which puts back what that was. Errors: `found` where that does not
 * help; RED_E_INPUT where no folder can be made. */
enum red_status red_isolate_drivers(const struct red_client_program *program, const struct red_error *found,
                                    struct red_isolation *isolation, struct red_error *error);
void red_isolation_clear(struct red_isolation *isolation);

#endif
