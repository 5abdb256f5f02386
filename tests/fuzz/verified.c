/* Files of verify of strangers: read or refused in one sentence, and what is read makes sense. */
#include "fuzz.h"

#include "results/verify_file.h"

static void check_must_make_sense(const struct red_verify_check *check) {
    const struct red_evidence *evidence = &check->evidence;
    assert(check->state != RED_STATE_PASS && check->state != RED_STATE_PENDING &&
           check->state < RED_STATES_N);
    assert(evidence->fault < RED_FAULTS_N && check->segments_n > 0);
    assert(evidence->fault == RED_FAULT_NONE || evidence->expected.value[0] != '\0');
    assert(check->at.asked.width <= 1024 && check->geometry.width <= 1024);
    must_be_plain(check->at.strategy->name);
    must_be_plain(check->at.op->name);
    must_be_plain(check->at.dtype->name);
    must_be_plain(check->at.data);
    must_be_plain(evidence->run);
    if (check->reason != NULL)
        must_be_plain(check->reason);
    if (check->again != NULL)
        must_be_plain(check->again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    struct red_verify_file file;
    struct red_error error = {.text = ""};
    enum red_status status = red_verify_file_read("x.json", (const char *)data, n, &file, &error);
    assert(status == RED_OK || (status == RED_E_INPUT && error.text[0] != '\0'));
    must_be_plain(error.text);
    for (size_t d = 0; status == RED_OK && d < file.result.run.devices_n; d++) {
        must_be_plain(file.result.run.devices[d].info.id);
        for (size_t i = 0; i < file.devices[d].checks_n; i++)
            check_must_make_sense(&file.devices[d].checks[i]);
        for (size_t s = 0; s < file.devices[d].strategies_n; s++)
            for (size_t i = 0; red_verify_strategy_reason(&file.devices[d].strategies[s], i) != NULL; i++)
                must_be_plain(red_verify_strategy_reason(&file.devices[d].strategies[s], i));
    }
    if (status == RED_OK)
        assert(red_file_write("/dev/null", red_verify_file_print, &file, &error) == RED_OK);
    red_verify_file_clear(&file);
    return 0;
}
