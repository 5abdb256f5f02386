#define _GNU_SOURCE /* sched_getaffinity */
/* What processors worked, and what this process and its children used of them. run/measure.c asks before and
 * after it times cells, and results/steadiness.c judges the difference. */
#include "core/processors.h"
#include "core/memory.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A process as /proc/PID/stat tells it. */
struct process_times {
    long pid, parent;
    double s; /* of it and of its children that have ended */
};

/* Reads /proc/PID/stat; false where the process has ended meanwhile. */
static bool read_process(const char *pid, struct process_times *process) {
    char path[64], line[1024];
    unsigned long user, system;
    long children_user, children_system;
    snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    FILE *file = fopen(path, "r");
    const bool has_line = file != NULL && fgets(line, sizeof line, file) != NULL;
    if (file != NULL)
        fclose(file);
    const char *after = has_line ? strrchr(line, ')') : NULL; /* names may hold blanks and brackets */
    if (after == NULL || sscanf(after, ") %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld",
                                &process->parent, &user, &system, &children_user, &children_system) != 5)
        return false;
    process->pid = strtol(pid, NULL, 10);
    process->s = ((double)user + (double)system + (double)children_user + (double)children_system) /
                 (double)sysconf(_SC_CLK_TCK);
    return true;
}

/* For qsort and bsearch. */
static int by_pid(const void *left, const void *right) {
    const long a = ((const struct process_times *)left)->pid, b = ((const struct process_times *)right)->pid;
    return (a > b) - (a < b);
}

/* Whether the process is a child of this one, or of one of its children, and so on; `all` are in the order of
 * by_pid. */
static bool is_descendant(const struct process_times *process, const struct process_times *all, size_t n) {
    for (size_t steps = 0; process != NULL && steps <= n; steps++) {
        if (process->parent == (long)getpid())
            return true;
        const struct process_times parent = {.pid = process->parent};
        process = bsearch(&parent, all, n, sizeof *all, by_pid);
    }
    return false;
}

/* Seconds of all processes below this one that have not ended. */
static double descendants_s(void) {
    struct process_times *processes = NULL;
    size_t n = 0;
    double s = 0;
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        if (!RED_GROW(processes, n, 1))
            break;
        n += read_process(entry->d_name, &processes[n]);
    }
    if (folder != NULL)
        closedir(folder);
    if (n > 0)
        qsort(processes, n, sizeof *processes, by_pid);
    for (size_t i = 0; i < n; i++)
        s += is_descendant(&processes[i], processes, n) ? processes[i].s : 0;
    free(processes);
    return s;
}

/* Seconds that a process, or those of its children that have ended and were waited for, used. */
static double used_s(int who) {
    struct rusage used;
    if (getrusage(who, &used) != 0)
        return 0;
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

void red_processor_times_find(struct red_processor_times *times) {
    char line[512];
    cpu_set_t processors;
    *times = (struct red_processor_times){.all_s = 0};
    FILE *file = sched_getaffinity(0, sizeof processors, &processors) == 0 ? fopen("/proc/stat", "r") : NULL;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned processor;
        /* user, nice, system, idle, waiting for a disk, two of interrupts, taken by the hypervisor */
        double ticks[8] = {0};
        if (sscanf(line, "cpu%u %lf %lf %lf %lf %lf %lf %lf %lf", &processor, &ticks[0], &ticks[1], &ticks[2],
                   &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7]) < 5 ||
            processor >= CPU_SETSIZE || !CPU_ISSET(processor, &processors))
            continue;
        for (size_t i = 0; i < 8; i++) {
            times->all_s += ticks[i] / (double)sysconf(_SC_CLK_TCK);
            times->busy_s += i == 3 || i == 4 ? 0 : ticks[i] / (double)sysconf(_SC_CLK_TCK);
        }
    }
    if (file != NULL)
        fclose(file);
    times->own_s = used_s(RUSAGE_SELF) + used_s(RUSAGE_CHILDREN) + descendants_s();
}

/* For the judgement of a run (results/steadiness.c), and for the warning before it (cli/cmd_bench.c). */
double red_processor_times_others_s(const struct red_processor_times *begin,
                                    const struct red_processor_times *end) {
    return fmin(end->all_s - begin->all_s,
                fmax(0, end->busy_s - begin->busy_s - (end->own_s - begin->own_s)));
}
