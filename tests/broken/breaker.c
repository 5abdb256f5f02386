/* An OpenCL driver that breaks where it is told to: PoCL, found by the loader through an .icd file as any
 * other driver is, with three of its functions replaced. BREAKER_DRIVER=library   the driver that answers
 * else BREAKER_HOW=crash@place  or exit@place, hang@place; a place is clGetPlatformIDs, clGetDeviceIDs or
 * clBuildProgram BREAKER_LOG=file         gets a line "PID place" for each of these calls, and one "PID
 * loaded" */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef void *get_address(const char *name);
typedef cl_int(CL_API_CALL *get_platforms)(cl_uint entries_n, cl_platform_id *platforms,
                                           cl_uint *platforms_n);

void *clGetExtensionFunctionAddress(const char *name);

static get_address *address_of;
static get_platforms platforms_of;
static cl_icd_dispatch real; /* what the driver has where ours stands */

/* One write per line, so that lines of several processes do not mix. */
static void tell(const char *place) {
    const char *path = getenv("BREAKER_LOG");
    char line[64];
    int file = path != NULL ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    int length = snprintf(line, sizeof line, "%ld %s\n", (long)getpid(), place);
    if (file >= 0 && write(file, line, (size_t)length) != length)
        abort();
    if (file >= 0)
        close(file);
}

static void reach(const char *place) {
    const char *how = getenv("BREAKER_HOW");
    tell(place);
    if (how == NULL || strchr(how, '@') == NULL || strcmp(strchr(how, '@') + 1, place) != 0)
        return;
    if (strncmp(how, "crash", 5) == 0)
        *(volatile int *)NULL = 0;
    if (strncmp(how, "exit", 4) == 0)
        _exit(0);
    for (;;)
        pause();
}

static cl_int CL_API_CALL get_devices(cl_platform_id platform, cl_device_type type, cl_uint entries_n,
                                      cl_device_id *devices, cl_uint *devices_n) {
    reach("clGetDeviceIDs");
    return real.clGetDeviceIDs(platform, type, entries_n, devices, devices_n);
}

static cl_int CL_API_CALL build(cl_program program, cl_uint devices_n, const cl_device_id *devices,
                                const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                                void *data) {
    reach("clBuildProgram");
    return real.clBuildProgram(program, devices_n, devices, options, notify, data);
}

/* All objects of a driver have one table of its functions: ours take their places in it. */
static void replace(cl_platform_id platform) {
    cl_icd_dispatch *table = *(cl_icd_dispatch **)(void *)platform;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)table & ~(page - 1);
    if (real.clBuildProgram != NULL)
        return;
    real = *table;
    if (mprotect((void *)first, (uintptr_t)table + sizeof *table - first, PROT_READ | PROT_WRITE) != 0)
        abort();
    table->clGetDeviceIDs = get_devices;
    table->clBuildProgram = build;
}

static cl_int CL_API_CALL platforms(cl_uint entries_n, cl_platform_id *found, cl_uint *found_n) {
    reach("clGetPlatformIDs");
    cl_int code = platforms_of(entries_n, found, found_n);
    if (code == CL_SUCCESS && entries_n > 0 && found != NULL)
        replace(found[0]);
    return code;
}

static void *function_of(void *library, const char *name) {
    void *function = library != NULL ? dlsym(library, name) : NULL;
    if (function == NULL)
        fprintf(stderr, "breaker: %s\n", dlerror());
    return function;
}

void *clGetExtensionFunctionAddress(const char *name) {
    if (address_of == NULL) {
        void *function =
            function_of(dlopen(getenv("BREAKER_DRIVER"), RTLD_NOW), "clGetExtensionFunctionAddress");
        tell("loaded");
        memcpy(&address_of, &function, sizeof function);
    }
    void *answer = address_of != NULL ? address_of(name) : NULL;
    if (strcmp(name, "clIcdGetPlatformIDsKHR") != 0 || answer == NULL)
        return answer;
    const get_platforms ours = platforms;
    memcpy(&platforms_of, &answer, sizeof answer);
    memcpy(&answer, &ours, sizeof ours);
    return answer;
}
