#include "gate/control.h"

#include <math.h>
#include <stdlib.h>

#include "core/clock.h"

/* Each is taken a few times, and the shortest counts: an interrupt is no change. */
enum { REPEATS = 3, SPIN_STEPS = 4000, SWEEP_WORDS = 1 << 15 /* 256 KiB */, CHAIN_STEPS_MIN = 1 << 12 };
static const double CHAIN_S = 0.0002;

/* As the chain of a device does (src/cl/clock_samples.c): each step waits for the one before. */
static uint64_t spin(const struct red_control_kit *kit) {
    uint32_t x = 2463534242u;
    (void)kit;
    for (int i = 0; i < SPIN_STEPS; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

static uint64_t sweep(const struct red_control_kit *kit) {
    uint64_t seen = 0;
    for (size_t i = 0; i < SWEEP_WORDS; i++)
        seen ^= kit->memory[i];
    return seen;
}

/* What the compiler cannot leave out. */
static volatile uint64_t sink;

static uint64_t shortest_ns(uint64_t (*work)(const struct red_control_kit *),
                            const struct red_control_kit *kit) {
    uint64_t least_ns = UINT64_MAX;
    for (int i = 0; i < REPEATS; i++) {
        uint64_t start_ns = red_clock_ns();
        sink = work(kit);
        uint64_t took_ns = red_clock_between_ns(start_ns, red_clock_ns());
        least_ns = took_ns < least_ns ? took_ns : least_ns;
    }
    return least_ns;
}

static uint64_t chain_ns(const struct red_control_kit *kit) {
    double took_s;
    return kit->gpu != NULL && red_remote_tick(kit->gpu, kit->chain_steps, &took_s, NULL) == RED_OK
               ? (uint64_t)(1e9 * took_s)
               : 0;
}

void red_controls_take(const struct red_control_kit *kit, struct red_round *round, size_t time) {
    round->control_ns[RED_CONTROL_SPIN][time] = shortest_ns(spin, kit);
    round->control_ns[RED_CONTROL_SWEEP][time] = shortest_ns(sweep, kit);
    round->control_ns[RED_CONTROL_CHAIN][time] = chain_ns(kit);
}

enum red_status red_control_kit_make(struct red_remote *gpu, struct red_control_kit *kit,
                                     struct red_error *error) {
    enum red_status status = RED_OK;
    double took_s = 0;
    *kit = (struct red_control_kit){.gpu = gpu, .chain_steps = CHAIN_STEPS_MIN};
    kit->memory = malloc(SWEEP_WORDS * sizeof *kit->memory);
    if (kit->memory == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the controls");
    for (size_t i = 0; i < SWEEP_WORDS; i++)
        kit->memory[i] = i;
    while (gpu != NULL && status == RED_OK && took_s < CHAIN_S && kit->chain_steps < 1u << 30) {
        kit->chain_steps *= 2;
        status = red_remote_tick(gpu, kit->chain_steps, &took_s, error);
    }
    if (status != RED_OK)
        red_control_kit_clear(kit);
    return status;
}

void red_control_kit_clear(struct red_control_kit *kit) {
    free(kit->memory);
    *kit = (struct red_control_kit){.memory = NULL};
}
