/* The host a run was made on. */
#ifndef CLREDUCE_RESULTS_HOST_H
#define CLREDUCE_RESULTS_HOST_H

#include <stdbool.h>
#include <stddef.h>

enum { RED_SETTINGS_MAX = 32 };

struct red_host {
    char name[128], processor[128], system[256], compiler[128];
    unsigned cores_n; /* that this process may use */
    double memory_gib;
    double load;     /* of the last minute */
    bool kept_awake; /* processors do not sleep (red_awake_begin) */
    struct red_setting {
        char name[48], value[192];
    } environment[RED_SETTINGS_MAX]; /* from outside, that change how drivers and OpenMP work */
    size_t environment_n;
};

/* All but kept_awake. Call it before the work that is to be recorded. */
void red_host_find(struct red_host *host);

/* All data caches of the processors together, in bytes; 0 if that is not known. */
double red_host_cache_bytes(void);

#endif
