#include "verify/soak.h"

#include <inttypes.h>

#include "core/clock.h"
#include "core/interrupt.h"
#include "verify/verifying.h"

enum { ROUNDS_MIN = 3 };

/* Drivers keep something of every program that was released: Intel's runtime and PoCL 3.1 some tens of KiB,
 * as tests/bare.c shows. A forgotten array, or a program that was not released, is far more. */
static const double KEPT_MAX = 256 << 10, MIB = 1 << 20;

/* What a worker has after it let go of everything. */
struct weight {
    double bytes;
    uint64_t programs_n;
};

/* From the second round on, since the first one loads what the driver loads. */
static enum red_status check_growth(const char *id, const struct weight *second, const struct weight *last,
                                    FILE *out, struct red_error *error) {
    if (last->programs_n <= second->programs_n)
        return red_fail(error, RED_E_DEVICE,
                        "the worker of %s did not last: it crashed, hung or was replaced", id);
    double kept = (last->bytes - second->bytes) / (double)(last->programs_n - second->programs_n);
    fprintf(out,
            "soak: the worker of %s keeps %.0f KiB per program, from %.0f to %.0f MiB in %" PRIu64
            " programs\n",
            id, kept / 1024, second->bytes / MIB, last->bytes / MIB, last->programs_n - second->programs_n);
    return kept <= KEPT_MAX
               ? RED_OK
               : red_fail(
                     error, RED_E_DEVICE,
                     "the worker of %s keeps %.0f KiB per program: the driver leaks, or this program does",
                     id, kept / 1024);
}

static void weigh(const struct red_session *session, unsigned round, FILE *out, struct weight *weights) {
    fprintf(out, "soak: round %u:", round);
    for (size_t d = 0; d < session->devices_n; d++) {
        weights[d].programs_n = red_remote_forget(session->devices[d]);
        weights[d].bytes = red_remote_memory_bytes(session->devices[d]);
        fprintf(out, "%s the worker of %s has %.0f MiB after %" PRIu64 " programs", d > 0 ? "," : "",
                red_remote_info(session->devices[d])->id, weights[d].bytes / MIB, weights[d].programs_n);
    }
    fputc('\n', out);
    fflush(out);
}

enum red_status red_soak_session(const struct red_session *session, FILE *out, struct red_error *error) {
    struct red_options options = *session->options;
    struct red_session again = *session;
    struct weight second[RED_DEVICES_MAX], last[RED_DEVICES_MAX];
    double start_s = red_clock_s();
    enum red_status status = RED_OK;
    unsigned round = 0;
    again.options = &options;
    while (status == RED_OK && !red_interrupted() &&
           (round < ROUNDS_MIN || red_clock_s() - start_s < options.soak_s)) {
        status = red_verify_session(&again, RED_VERIFY_SHARE_S, out, round == 0, error);
        round++;
        weigh(session, round, out, round <= 2 ? second : last);
        options.seed++;
    }
    fprintf(out, "soak: %u rounds in %.0f s\n", round, red_clock_s() - start_s);
    for (size_t d = 0; d < session->devices_n && status == RED_OK && round >= ROUNDS_MIN; d++)
        status = check_growth(red_remote_info(session->devices[d])->id, &second[d], &last[d], out, error);
    return status;
}
