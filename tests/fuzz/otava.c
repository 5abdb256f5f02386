/* Histories of strangers: refused in one sentence, or given a row; what comes of it is a history, to which
 * the next row can be added. */
#include "fuzz.h"

#include "export/suite.h"

/* The history with one more row, if it takes one. Release with free. */
static char *with_row(const char *old) {
    static const struct red_export_cell cells[] = {
        {.name = "a", .device = "d", .state = RED_STATE_PASS, .reason = "", .time_s = 1e-6},
        {.name = "b,\"c\"\n", .device = "d", .state = RED_STATE_PASS, .reason = "", .time_s = 2e-6}};
    const struct red_export export = {.started = "2026-11-22T11:27:44Z",
                                      .version = "1",
                                      .machine = "m, 2",
                                      .cells = cells,
                                      .cells_n = 2,
                                      .history = old};
    struct red_error error = {.text = ""};
    char *made = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&made, &bytes);
    assert(out != NULL);
    enum red_status status = red_export_write_otava(&export, out, &error);
    fclose(out);
    if (status == RED_OK) {
        assert(strncmp(made, old, strcspn(old, "\r\n\"")) == 0); /* what was there stays */
        return made;
    }
    assert(status == RED_E_INPUT && error.text[0] != '\0' && bytes == 0);
    free(made);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    char *old = text_of(data, n), *once = with_row(old), *twice = once ? with_row(once) : NULL;
    /* The second row adds itself alone. */
    assert(once == NULL || (twice != NULL && strncmp(once, twice, strlen(once)) == 0));
    free(twice);
    free(once);
    free(old);
    return 0;
}
