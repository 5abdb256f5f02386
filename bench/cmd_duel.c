/* The verb `duel`: base against head, live. */
#include <stdlib.h>

#include "bench/duel.h"
#include "bench/duel_show.h"
#include "bench/self_test.h"
#include "record/duel_file.h"
#include "record/file.h"
#include "record/verdict.h"

/* The verdicts follow from the samples once more. */
static enum red_status replay(const char *path, struct red_duel *duel, struct red_error *error) {
    enum red_status status = red_duel_load(path, duel, error);
    return status == RED_OK ? red_duel_judge(duel, NULL, error) : status;
}

enum red_status red_cmd_duel(const struct red_options *given, struct red_error *error) {
    struct red_options options;
    if (given->self_test != NULL)
        return red_self_test(given, error);
    struct red_duel *duel = calloc(1, sizeof *duel);
    enum red_status status = duel ? red_duel_complete(given, &options, error)
                                  : red_fail(error, RED_E_MEMORY, "no memory for a duel");
    if (status == RED_OK && options.output != NULL)
        status = red_file_check_writable(options.output, error);
    bool replays = options.replay != NULL;
    if (status == RED_OK && replays)
        status = replay(options.replay, duel, error);
    else if (status == RED_OK)
        status = red_duel_fight(&options, duel, error);
    if (status == RED_OK && options.output != NULL)
        status = red_duel_write(duel, options.output, error);
    if (status == RED_OK)
        status = red_duel_show(duel, options.format, NULL, error);
    if (status == RED_OK)
        status = red_duel_verdict(duel, error);
    if (duel != NULL)
        red_duel_clear(duel);
    free(duel);
    if (given->n.n == 0)
        red_sizes_clear(&options.n);
    return status;
}
