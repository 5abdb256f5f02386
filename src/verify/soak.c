/* `verify --soak SECONDS`: verifies again and again in the same workers, each round with another seed, and
 * prints what memory they keep. One that grows by more than drivers keep of each program ends it with an
 * error. cli/cmd_verify.c opens the session and calls red_verify_soak. */
#include <inttypes.h>
#include <stdio.h>

#include "core/clock.h"
#include "core/interrupt.h"
#include "run/session.h"
#include "verify/verify.h"

enum { ROUNDS_MIN = 3 };

/* Drivers keep something of every program that was released: Intel's runtime and PoCL 3.1 some tens of KiB,
 * as tests/broken/bare.c shows. A forgotten array, or a program that was not released, is far more. */
static const double KEPT_MAX = 256 << 10, MIB = 1 << 20;

/* The memory of a worker after it has released all programs and data. */
struct memory_use {
    double bytes;
    uint64_t programs_n;
};

/* Prints by how much the worker of this device has grown since the second round: in the first one drivers
 * load what they need. */
static enum red_status print_and_check_growth(const char *id, const struct memory_use *second,
                                              const struct memory_use *last, FILE *out,
                                              struct red_error *error) {
    if (last->programs_n <= second->programs_n)
        return red_fail(error, RED_E_DEVICE,
                        "the worker of %s did not last: it crashed, hung or was replaced", id);
    const uint64_t programs_n = last->programs_n - second->programs_n;
    const double kept = (last->bytes - second->bytes) / (double)programs_n;
    fprintf(out,
            "soak: the worker of %s keeps %.0f KiB per program, from %.0f to %.0f MiB in %" PRIu64
            " programs\n",
            id, kept / 1024, second->bytes / MIB, last->bytes / MIB, programs_n);
    if (kept <= KEPT_MAX)
        return RED_OK;
    return red_fail(error, RED_E_DEVICE,
                    "the worker of %s keeps %.0f KiB per program: the driver leaks, or this program does", id,
                    kept / 1024);
}

/* Has the workers release all after a round of --soak; prints, and gives in `uses`, what memory they have. */
static void release_and_print_memory(const struct red_session *session, unsigned round, FILE *out,
                                     struct memory_use *uses) {
    fprintf(out, "soak: round %u:", round);
    for (size_t d = 0; d < session->devices_n; d++) {
        uses[d].programs_n = red_client_release_and_count_programs(session->devices[d]);
        uses[d].bytes = red_client_worker_memory_bytes(session->devices[d]);
        fprintf(out, "%s the worker of %s has %.0f MiB after %" PRIu64 " programs", d > 0 ? "," : "",
                red_client_info(session->devices[d])->id, uses[d].bytes / MIB, uses[d].programs_n);
    }
    fputc('\n', out);
    fflush(out);
}

enum red_status red_verify_soak(const struct red_session *session, const struct red_verify_options *options,
                                const struct red_output *output, FILE *out, struct red_error *error) {
    struct red_selection selection = *session->selection;
    struct red_session again = *session;
    struct memory_use second[RED_DEVICES_MAX], last[RED_DEVICES_MAX];
    double start_s = red_clock_s();
    enum red_status status = RED_OK;
    unsigned round = 0;
    again.selection = &selection;
    while (status == RED_OK && !red_interrupted() &&
           (round < ROUNDS_MIN || red_clock_s() - start_s < options->soak_s)) {
        status =
            red_verify_session(&again, options, round == 0 ? output : NULL, RED_VERIFY_SHARE_S, out, error);
        round++;
        release_and_print_memory(session, round, out, round <= 2 ? second : last);
        selection.seed++;
    }
    fprintf(out, "soak: %u rounds in %.0f s\n", round, red_clock_s() - start_s);
    for (size_t d = 0; d < session->devices_n && status == RED_OK && round >= ROUNDS_MIN; d++)
        status = print_and_check_growth(red_client_info(session->devices[d])->id, &second[d], &last[d], out,
                                        error);
    return status;
}
