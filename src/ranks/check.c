/* Checks what ranks make of their pieces, and what the collectives make of that (ranks/check.h). */
#include "ranks/check.h"

enum red_status red_check_own(struct red_piece *piece, const struct red_strategy *strategy,
                              struct red_error *error) {
    const struct red_team *team = piece->team;
    static const struct red_tuning by_default = {.group_size = 0};
    const struct red_case spec = red_case_make(&piece->dataset.spec, strategy, &by_default);
    struct red_verification verification;
    enum red_status status = RED_OK;
    red_watch_step(1e-7 * (double)piece->n, "%s is verified", strategy->name);
    if (piece->n > 0 && strategy->standard != RED_STANDARD_HOST) {
        status =
            red_dataset_verify(&piece->dataset, team->member->device, &spec, false, &verification, error);
        if (status == RED_OK && !verification.right) {
            char text[RED_EVIDENCE_BYTES];
            red_evidence_format(&verification.evidence, text, sizeof text);
            status = red_fail(error, RED_E_WRONG, "%s", text);
        }
    }
    return red_ranks_agree(team->member->ranks, &team->comm, status, error);
}

enum red_status red_check_call(struct red_piece_call *call, const struct red_collective_row *collective,
                               struct red_ranks_row *row, struct red_error *error) {
    const struct red_data_spec *data = &call->piece->dataset.spec;
    struct red_timing timing;
    enum red_status status =
        red_timing_make(call->piece->team, call, collective, data->op, data->dtype, row, &timing, error);
    if (status == RED_OK) {
        status = red_timing_check(&timing, &call->piece->whole, error);
        red_timing_clear(&timing);
    }
    return status;
}
