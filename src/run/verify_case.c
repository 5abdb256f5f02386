/* Verifying a case on one data set, and which data sets there are: a wrong result is never timed, in whatever
 * verb.
 */
#include "run/verify_case.h"

enum red_status red_case_verify(struct red_client *client, const struct red_case *wanted, bool timed_only,
                                double expected_s, struct red_verification *verification,
                                struct red_error *error) {
    enum red_status status = red_client_verify(client, wanted, timed_only, expected_s, verification, error);
    if (status != RED_OK)
        *verification = (struct red_verification){.right = false};
    else if (!verification->right)
        status = red_fail(error, RED_E_WRONG, "%s", verification->evidence);
    return status;
}

/* The first key is always taken; the others begin at one that the seed draws. */
static unsigned other_key(uint64_t seed, unsigned keys_n, unsigned taken_n, unsigned i) {
    const unsigned others_n = keys_n - 1, stride = others_n / (taken_n - 1);
    return 1 + ((unsigned)(seed % others_n) + (i - 1) * stride) % others_n;
}

unsigned red_case_data_sets(const struct red_selection *selection, const struct red_op *op,
                            const struct red_dtype *dtype, uint64_t n,
                            struct red_probe sets[RED_DATA_SETS_MAX + 1]) {
    const unsigned most = selection->data_sets ? selection->data_sets : RED_DATA_SETS_MAX,
                   keys_n = red_key_probes_n(op, dtype, n), taken_n = keys_n < most ? keys_n : most;
    for (unsigned i = 0; i < taken_n; i++)
        sets[i] = red_key_probe(op, dtype, n, i == 0 ? 0 : other_key(selection->seed, keys_n, taken_n, i));
    sets[taken_n] = (struct red_probe){RED_PATTERN_UNIFORM, 0};
    return taken_n + 1;
}
