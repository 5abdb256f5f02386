#define _GNU_SOURCE /* getloadavg, sched_getaffinity */
#include "results/host.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static void processor_find(char *text, size_t text_bytes) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(text, text_bytes, "unknown");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && value != NULL) {
            value += 1 + strspn(value + 1, " ");
            snprintf(text, text_bytes, "%.*s", (int)strcspn(value, "\n"), value);
            break;
        }
    }
    if (file != NULL)
        fclose(file);
}

static void environment_find(struct red_host *host) {
    static const char *const names[] = {
        "POCL_AFFINITY",
        "POCL_MAX_PTHREAD_COUNT",
        "POCL_DEVICES",
        "POCL_MEMORY_LIMIT",
        "CL_CONFIG_CPU_TARGET_ARCH",
        "CL_CONFIG_CPU_TBB_NUM_WORKERS",
        "CL_CONFIG_USE_TRAPPING",
        "DPCPP_CPU_NUM_CUS",
        "DPCPP_CPU_PLACES",
        "DPCPP_CPU_CU_AFFINITY",
        "DPCPP_CPU_SCHEDULE",
        "SYCL_CPU_PLACES",
        "SYCL_CPU_CU_AFFINITY",
        "SYCL_CPU_SCHEDULE",
        "OMP_NUM_THREADS",
        "OMP_PROC_BIND",
        "OMP_PLACES",
        "OMP_WAIT_POLICY",
    };
    _Static_assert(sizeof names / sizeof names[0] <= RED_SETTINGS_MAX, "there is room for all");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct red_setting *setting = &host->environment[host->environment_n];
        const char *value = getenv(names[i]);
        if (value == NULL)
            continue;
        snprintf(setting->name, sizeof setting->name, "%s", names[i]);
        snprintf(setting->value, sizeof setting->value, "%s", value);
        host->environment_n++;
    }
}

void red_host_find(struct red_host *host) {
    *host = (struct red_host){.cores_n = 1};
    struct utsname names;
    if (uname(&names) == 0) {
        snprintf(host->name, sizeof host->name, "%.100s", names.nodename);
        snprintf(host->system, sizeof host->system, "%.60s %.60s %.60s", names.sysname, names.release,
                 names.machine);
    }
    processor_find(host->processor, sizeof host->processor);
    snprintf(host->compiler, sizeof host->compiler, "%.100s", __VERSION__);
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0)
        host->cores_n = (unsigned)CPU_COUNT(&cores);
    host->memory_gib = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE) / (1 << 30);
    if (getloadavg(&host->load, 1) != 1)
        host->load = 0;
    environment_find(host);
}

/* The first line of a file of a processor's cache, without its end. */
static bool cache_read(unsigned cpu, unsigned index, const char *name, char *text, int text_bytes) {
    char path[128];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cache/index%u/%s", cpu, index, name);
    FILE *file = fopen(path, "r");
    bool read = file != NULL && fgets(text, text_bytes, file) != NULL;
    if (file != NULL)
        fclose(file);
    if (read)
        text[strcspn(text, "\n")] = '\0';
    return read;
}

/* A cache that processors share counts for the first of them; one that is switched off has none. */
double red_host_cache_bytes(void) {
    enum { INDICES_MAX = 8 };
    const long cpus_n = sysconf(_SC_NPROCESSORS_CONF);
    double all = 0;
    char type[32], size[32], shared[512];
    for (unsigned cpu = 0; cpu < cpus_n; cpu++)
        for (unsigned i = 0; i < INDICES_MAX && cache_read(cpu, i, "type", type, sizeof type); i++)
            if (strcmp(type, "Instruction") != 0 && cache_read(cpu, i, "size", size, sizeof size) &&
                cache_read(cpu, i, "shared_cpu_list", shared, sizeof shared) &&
                strtoul(shared, NULL, 10) == cpu)
                all += 1024 * strtod(size, NULL);
    return all;
}
