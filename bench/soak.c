#include "bench/soak.h"

#include "bench/interrupt.h"
#include "bench/verifying.h"
#include "model/clock.h"

enum { ROUNDS_MIN = 3 };
static const double GROWTH_MAX = 1.1, GROWTH_BYTES = 64 << 20, MIB = 1 << 20;

static enum red_status check_growth(const struct red_session *session, const double *before_bytes,
                                    const double *now_bytes, unsigned round, struct red_error *error) {
    for (size_t d = 0; d < session->devices_n; d++)
        if (now_bytes[d] > GROWTH_MAX * before_bytes[d] && now_bytes[d] > before_bytes[d] + GROWTH_BYTES)
            return red_fail(
                error, RED_E_DEVICE,
                "the worker of %s grew from %.0f MiB after round 2 to %.0f MiB after round %u: the driver "
                "leaks, or this program does",
                red_remote_info(session->devices[d])->id, before_bytes[d] / MIB, now_bytes[d] / MIB, round);
    return RED_OK;
}

static void weigh(const struct red_session *session, unsigned round, FILE *out, double *bytes) {
    fprintf(out, "soak: round %u:", round);
    for (size_t d = 0; d < session->devices_n; d++) {
        red_remote_forget(session->devices[d]);
        bytes[d] = red_remote_memory_bytes(session->devices[d]);
        fprintf(out, "%s the worker of %s has %.0f MiB", d > 0 ? "," : "",
                red_remote_info(session->devices[d])->id, bytes[d] / MIB);
    }
    fputc('\n', out);
    fflush(out);
}

enum red_status red_soak_session(const struct red_session *session, FILE *out, struct red_error *error) {
    struct red_options options = *session->options;
    struct red_session again = *session;
    double second_bytes[RED_DEVICES_MAX] = {0}, bytes[RED_DEVICES_MAX], start_s = red_clock_s();
    enum red_status status = RED_OK;
    unsigned round = 0;
    again.options = &options;
    while (status == RED_OK && !red_interrupted() &&
           (round < ROUNDS_MIN || red_clock_s() - start_s < options.soak_s)) {
        status = red_verify_session(&again, out, round == 0, error);
        round++;
        weigh(session, round, out, round <= 2 ? second_bytes : bytes);
        options.seed++;
    }
    fprintf(out, "soak: %u rounds in %.0f s\n", round, red_clock_s() - start_s);
    return status == RED_OK && round >= ROUNDS_MIN ? check_growth(session, second_bytes, bytes, round, error)
                                                   : status;
}
