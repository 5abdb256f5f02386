#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC */
#include "core/awake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char latency_file[] = "/dev/cpu_dma_latency";

/* Without a driver idle processors are halted, whatever latency was asked for. */
static bool has_idle_driver(void) {
    char name[64] = "none";
    FILE *file = fopen("/sys/devices/system/cpu/cpuidle/current_driver", "r");
    if (file == NULL)
        return false;
    bool has = fgets(name, sizeof name, file) != NULL && strncmp(name, "none", 4) != 0;
    fclose(file);
    return has;
}

enum red_status red_awake_begin(int *held, struct red_error *error) {
    const int32_t longest_us = 0;
    *held = -1;
    if (!has_idle_driver())
        return red_fail(
            error, RED_E_INPUT,
            "--awake: this system has no cpuidle driver (Linux), and so cannot keep processors from "
            "sleeping; leave it out");
    *held = open(latency_file, O_WRONLY | O_CLOEXEC);
    if (*held >= 0 && write(*held, &longest_us, sizeof longest_us) == sizeof longest_us)
        return RED_OK;
    enum red_status status = red_fail(
        error, RED_E_INPUT, "--awake: %s cannot be written (%s); run as root on Linux, or leave it out",
        latency_file, strerror(errno));
    red_awake_end(*held);
    *held = -1;
    return status;
}

void red_awake_end(int held) {
    if (held >= 0)
        close(held);
}
