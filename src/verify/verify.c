/* `verify`: one device after the other, then the verdict; with --soak again and again in the same workers. */
#include "verify/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/interrupt.h"
#include "verify/device.h"

/* Seconds per check. */
enum { LIMIT_S = 10 };

enum red_status red_verify_session(struct red_session *session, const struct red_verify_options *options,
                                   const struct red_output *output, double share_s, FILE *out,
                                   struct red_error *error) {
    struct red_verify *verify = calloc(1, sizeof *verify);
    if (verify == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for verifying");
    verify->session = session;
    verify->options = options;
    verify->output = output;
    verify->out = out;
    const double given_s = session->selection->time_per_cell_s;
    verify->limit_s = given_s > 0 ? given_s : fmin(LIMIT_S, share_s);
    verify->share_s = given_s > 0 || session->selection->all ? INFINITY : share_s;
    verify->start_s = red_clock_s();
    enum red_status written = RED_OK;
    struct red_error found = {.text = ""};
    enum red_status status = output ? red_outcomes_open(session, output, &verify->outcomes, error) : RED_OK;
    if (status != RED_OK) { /* what another run has written stays */
        free(verify);
        return status;
    }
    for (size_t d = 0; d < session->devices_n && status == RED_OK && !red_verify_is_over(verify); d++)
        status = red_device_verify(verify, d, error);
    bool complete = status == RED_OK && !red_interrupted();
    if (output != NULL && verify->announced_n > 0)
        written = red_tally_write_table(verify, status == RED_OK ? error : NULL);
    status = status == RED_OK ? written : status;
    /* Wrong beats everything, failures on the way included. */
    enum red_status judged = red_tally_verdict(verify, &found);
    bool in_file = output != NULL && verify->announced_n > 0 && output->path != NULL;
    if (status == RED_OK && red_interrupted())
        status = red_fail(error, RED_E_INTERRUPTED, "interrupted; what was found until then stands %s%s",
                          in_file ? "in " : "above", in_file ? output->path : "");
    if (judged == RED_E_WRONG || (status == RED_OK && judged != RED_OK))
        status = red_fail(error, judged, "%s", found.text);
    if (red_outcomes_close(verify->outcomes, !complete || written != RED_OK))
        fprintf(stderr, "the same command with --resume goes on from here\n");
    free(verify);
    return status;
}

/* ---- soak ------------------------------------------------------------------------------------------------
 */

enum { ROUNDS_MIN = 3 };

/* Drivers keep something of every program that was released: Intel's runtime and PoCL 3.1 some tens of KiB,
 * as tests/bare.c shows. A forgotten array, or a program that was not released, is far more. */
static const double KEPT_MAX = 256 << 10, MIB = 1 << 20;

/* What a worker has after it let go of everything. */
struct memory_use {
    double bytes;
    uint64_t programs_n;
};

/* From the second round on, since the first one loads what the driver loads. */
static enum red_status check_growth(const char *id, const struct memory_use *second,
                                    const struct memory_use *last, FILE *out, struct red_error *error) {
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

static void measure_memory(const struct red_session *session, unsigned round, FILE *out,
                           struct memory_use *uses) {
    fprintf(out, "soak: round %u:", round);
    for (size_t d = 0; d < session->devices_n; d++) {
        uses[d].programs_n = red_client_release_programs(session->devices[d]);
        uses[d].bytes = red_client_memory_bytes(session->devices[d]);
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
        measure_memory(session, round, out, round <= 2 ? second : last);
        selection.seed++;
    }
    fprintf(out, "soak: %u rounds in %.0f s\n", round, red_clock_s() - start_s);
    for (size_t d = 0; d < session->devices_n && status == RED_OK && round >= ROUNDS_MIN; d++)
        status = check_growth(red_client_info(session->devices[d])->id, &second[d], &last[d], out, error);
    return status;
}
