/* The head at other n than its cells': as `verify` does, but briefly. */
#include <math.h>
#include <stdio.h>

#include "core/interrupt.h"
#include "core/random.h"
#include "gate/loop_private.h"

/* Numbers of elements at which kernels are lost: few, one or two elements beside whole groups and whole
 * rounds of vectors, every remainder modulo 64, and some at random. */
enum {
    REMAINDERS = 64,
    WHOLES = 3,
    RANDOM = 6,
    UNITS = 3,
    SIZES_MAX = 4 + REMAINDERS + UNITS * WHOLES * 3 + RANDOM
};

/* No cell's n need be as small; large ones would take long. */
static const uint64_t REMAINDERS_FROM_MAX = 1 << 14;

static size_t list_sizes(const struct red_duel_cell *cell, uint64_t *random, uint64_t sizes[SIZES_MAX]) {
    const struct red_geometry *geometry = &cell->geometry[RED_HEAD];
    const uint64_t width = geometry->width > 0 ? geometry->width : 1;
    const uint64_t units[UNITS] = {geometry->group_size, geometry->group_size * width,
                                   geometry->group_size * geometry->lanes};
    uint64_t from = cell->n < REMAINDERS_FROM_MAX ? cell->n : REMAINDERS_FROM_MAX;
    size_t n = 0;
    for (uint64_t few = 0; few < 4; few++)
        sizes[n++] = few;
    for (uint64_t i = 1; i <= REMAINDERS; i++)
        sizes[n++] = from + i;
    for (size_t u = 0; u < UNITS; u++)
        for (uint64_t whole = 1; whole <= WHOLES; whole++)
            for (uint64_t i = 0; i < 3; i++)
                sizes[n++] = units[u] * whole + i - (units[u] > 0);
    for (unsigned i = 0; i < RANDOM; i++)
        sizes[n++] = 1 + red_random(random) % 65536;
    return n;
}

/* The data that shows most: of sums each element that is lost or doubled, of extremes one that wins, at the
 * very end and anywhere. */
static unsigned list_probes(const struct red_duel_cell *cell, struct red_probe probes[2]) {
    bool sums = cell->op->wants == RED_WANTS_ALL;
    probes[0] = (struct red_probe){sums ? RED_PATTERN_WEIGHTS : RED_PATTERN_CLOSE_BELOW, 0};
    probes[1] = (struct red_probe){RED_PATTERN_CLOSE_ABOVE, 0};
    return sums ? 1 : 2;
}

static enum red_status verify_at(const struct red_bout *bout, size_t c, enum red_who who, uint64_t n,
                                 struct red_probe probe, struct red_error *error) {
    const struct red_duel_cell *cell = &bout->duel->cells[c];
    const struct red_geometry *geometry = &cell->geometry[RED_HEAD];
    const double expected_s =
        RED_VERIFY_CALLS * cell->call_s[who] * fmax(1, (double)n / fmax(1, (double)cell->n));
    struct red_verification verification;
    struct red_case job = red_bout_job(bout, c, who, probe);
    job.data.n = job.n = n;
    job.keep = false;
    job.tuning.group_size = geometry->group_size; /* the program that is timed */
    enum red_status status = red_op_check_n(cell->op, cell->dtype, n, error);
    if (status == RED_OK)
        status = red_remote_verify(bout->duelists[who].remotes[cell->device], &job, false, expected_s,
                                   &verification, error);
    if (status == RED_OK && !verification.right)
        status = red_fail(error, RED_E_WRONG, "%s", verification.evidence);
    return status;
}

/* What cannot run at this n, or is told in other ways, says nothing about the head. */
static bool is_trouble(enum red_status status) {
    return status == RED_E_WRONG || status == RED_E_CRASHED || status == RED_E_TIMED_OUT ||
           status == RED_E_DEVICE || status == RED_E_BUILD;
}

/* Where the base fails as well, that is told: a driver may be to blame. */
static enum red_status check_at(const struct red_bout *bout, size_t c, uint64_t n, struct red_probe probe,
                                struct red_error *error) {
    struct red_error found = {.text = ""}, beside = {.text = ""};
    enum red_status status = verify_at(bout, c, RED_HEAD, n, probe, &found);
    if (!is_trouble(status))
        return RED_OK;
    bool both = is_trouble(verify_at(bout, c, RED_BASE, n, probe, &beside));
    return red_fail(error, status, "beside the cell's own n, at n = %llu: %.300s%s", (unsigned long long)n,
                    found.text, both ? " (and the base fails there, too)" : "");
}

enum red_status red_bout_beyond(const struct red_bout *bout, size_t c, struct red_error *error) {
    const struct red_duel_cell *cell = &bout->duel->cells[c];
    uint64_t sizes[SIZES_MAX], random = bout->duel->seed;
    size_t sizes_n = list_sizes(cell, &random, sizes);
    struct red_probe probes[2];
    unsigned probes_n = list_probes(cell, probes);
    enum red_status status = RED_OK;
    for (size_t i = 0; i < sizes_n * probes_n && status == RED_OK && !red_interrupted(); i++)
        status = check_at(bout, c, sizes[i / probes_n], probes[i % probes_n], error);
    return status;
}
