/* Preloaded (LD_PRELOAD), it spoils the clock of a process, one fault at a time:
 *   CLREDUCE_CLOCK=fault@n   from the n-th reading of CLOCK_MONOTONIC on; empty: none
 *     jump, back       10 s later, or earlier
 *     stands, turns    it stands still, or runs backwards
 *     fast, slow       it gains, or loses, a tenth
 *     coarse           it steps by 4 ms
 *     glitch           that one reading is 10 s later
 *     sleep, sleeps    the system was suspended for 10 s (CLOCK_BOOTTIME), or is for 1 s again and again
 * tests/device/duel_faults.py tells what must come of each. */
#define _GNU_SOURCE /* syscall, CLOCK_BOOTTIME */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const int64_t SECOND_NS = 1000000000;
static atomic_ullong readings, sleeps;
static _Atomic int64_t begin_ns;

static int64_t read_ns(clockid_t clock) {
    struct timespec now = {0};
    syscall(SYS_clock_gettime, clock, &now);
    return now.tv_sec * SECOND_NS + now.tv_nsec;
}

static bool is(const char *fault, const char *name) {
    return strncmp(fault, name, strlen(name)) == 0 && fault[strlen(name)] == '@';
}

/* What a fault makes of the clock that had reached begin_ns when it began. */
static int64_t spoilt_ns(const char *fault, int64_t now_ns) {
    int64_t begun_ns = begin_ns, since_ns = now_ns - begun_ns;
    if (is(fault, "jump"))
        return now_ns + 10 * SECOND_NS;
    if (is(fault, "back"))
        return now_ns - 10 * SECOND_NS;
    if (is(fault, "stands"))
        return begun_ns;
    if (is(fault, "turns"))
        return begun_ns - since_ns;
    if (is(fault, "fast"))
        return now_ns + since_ns / 10;
    if (is(fault, "slow"))
        return now_ns - since_ns / 10;
    if (is(fault, "coarse"))
        return now_ns / 4000000 * 4000000;
    return now_ns;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    const char *fault = getenv("CLREDUCE_CLOCK"), *at = fault != NULL ? strchr(fault, '@') : NULL;
    int64_t now_ns = read_ns(clock);
    unsigned long long n = at != NULL ? strtoull(at + 1, NULL, 10) : 0;
    if (n > 0 && clock == CLOCK_MONOTONIC) {
        unsigned long long reading = atomic_fetch_add(&readings, 1) + 1;
        if (reading == n)
            begin_ns = now_ns;
        if (reading == n && is(fault, "glitch"))
            now_ns += 10 * SECOND_NS;
        if (reading >= n && begin_ns != 0)
            now_ns = spoilt_ns(fault, now_ns);
    }
    if (n > 0 && clock == CLOCK_BOOTTIME && readings >= n) {
        if (is(fault, "sleep"))
            now_ns += 10 * SECOND_NS;
        if (is(fault, "sleeps"))
            now_ns += (int64_t)atomic_fetch_add(&sleeps, 1) * SECOND_NS;
    }
    *time = (struct timespec){.tv_sec = now_ns / SECOND_NS, .tv_nsec = now_ns % SECOND_NS};
    return 0;
}
