#include "bench/grid.h"

/* Each group size comes with a number of groups and lanes, so that these cost no program more. Those that are
 * a default somewhere (1, 32, 256) come with the other defaults, as what is timed does. On a CPU the default
 * is a single group up to n = 2^15: few groups show there what goes wrong between them. 128 lanes are more
 * than the smallest block of kernels_cl12/chunk.cl. */
static const struct red_tuning usual_tunings[] = {
    {.group_size = 1},
    {.group_size = 7, .groups_n = 5, .width = 16, .loads = 8},
    {.group_size = 32},
    {.group_size = 64, .groups_n = 12, .width = 2, .loads = 8},
    {.group_size = 100, .groups_n = 2, .width = 8, .loads = 1},
    {.group_size = 256},
    {.group_size = 0, .groups_n = 4, .width = 1, .loads = 2}, /* the device's largest */
};
enum { USUAL_N = sizeof usual_tunings / sizeof usual_tunings[0] };

/* A usual tuning, but for what was asked for. */
static struct red_tuning usual_with(const struct red_options *options, const struct red_tuning *usual,
                                    const struct red_tuning *asked, size_t group_size_max) {
    struct red_tuning tuning = *usual;
    if (tuning.group_size == 0)
        tuning.group_size = group_size_max;
    if (options->groups.n > 0)
        tuning.groups_n = asked->groups_n;
    if (options->lanes_n > 0) {
        tuning.width = asked->width;
        tuning.loads = asked->loads;
    }
    return tuning;
}

enum red_status red_grid_make(const struct red_options *options, size_t group_size_max,
                              struct red_tuning tunings[RED_LEVELS_MAX], size_t *tunings_n,
                              struct red_error *error) {
    size_t asked_n = red_options_tunings_n(options), usual_n = options->wg.n > 0 ? 1 : USUAL_N;
    *tunings_n = 0;
    if (asked_n > RED_LEVELS_MAX / usual_n)
        return red_fail(error, RED_E_INPUT,
                        "--wg, --groups, --lanes: verify takes at most %zu combinations, not %zu",
                        RED_LEVELS_MAX / usual_n, asked_n);
    for (size_t i = 0; i < asked_n; i++) {
        const struct red_tuning asked = red_options_tuning(options, i);
        if (options->wg.n > 0)
            tunings[(*tunings_n)++] = asked;
        for (size_t u = 0; options->wg.n == 0 && u < USUAL_N; u++)
            if (usual_tunings[u].group_size < group_size_max)
                tunings[(*tunings_n)++] = usual_with(options, &usual_tunings[u], &asked, group_size_max);
    }
    return RED_OK;
}

struct red_tuning red_grid_tuning(const struct red_options *options, const struct red_tuning *tuning,
                                  const struct red_strategy *strategy) {
    struct red_tuning fitting = *tuning;
    if (options->lanes_n == 0 && strategy->width == 0)
        fitting.width = fitting.loads = 0;
    if (options->groups.n == 0 && !red_geometry_takes_groups(strategy))
        fitting.groups_n = 0;
    return fitting;
}
