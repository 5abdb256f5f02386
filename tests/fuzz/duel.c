/* Files of duels of strangers: read or refused in one sentence, judged in time, and written as they were. */
#include "fuzz.h"

#include <sys/mman.h>

#include "gate/duel.h"

/* Verdicts come from where they must come from. */
static void check_cell(const struct red_duel *duel, const struct red_duel_cell *cell, enum red_next next) {
    const struct red_finding *finding = &cell->finding;
    enum red_duel_verdict verdict = red_verdict_of_code(finding->code);
    must_be_plain(cell->name);
    must_be_plain(cell->reason[RED_HEAD]);
    assert(cell->device < duel->devices_n && cell->at.op != NULL && cell->at.dtype != NULL);
    assert(finding->p >= 0 && finding->p <= 1);
    assert(finding->low <= finding->ratio && finding->ratio <= finding->high);
    assert(next != RED_NEXT_STAGE_2 || finding->nominated);
    if (verdict != RED_SLOWER && verdict != RED_FASTER)
        return;
    assert(finding->nominated && finding->stage == 2 && finding->p <= finding->level);
    assert((verdict == RED_SLOWER) == (finding->ratio > 1) && next == RED_NEXT_NONE);
    assert(2 * finding->dropped_n[RED_DROP_NONE] >= finding->blocks_n);
}

static void judge(struct red_duel *duel) {
    enum red_next *next = calloc(duel->cells_n + 1, sizeof *next);
    assert(next != NULL && red_duel_judge(duel, next, NULL) == RED_OK);
    for (size_t c = 0; c < duel->cells_n; c++)
        check_cell(duel, &duel->cells[c], next[c]);
    free(next);
}

/* What is written, of text_n bytes. Release with free. */
static char *written(const struct red_duel *duel, size_t *text_n) {
    char path[32];
    int memory = memfd_create("duel", 0);
    snprintf(path, sizeof path, "/dev/fd/%d", memory);
    assert(memory >= 0 && red_duel_write(duel, path, NULL) == RED_OK);
    off_t end = lseek(memory, 0, SEEK_END);
    char *text = malloc((size_t)end + 1);
    assert(text != NULL && pread(memory, text, (size_t)end, 0) == end);
    close(memory);
    *text_n = (size_t)end;
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    static struct red_duel duel, copy;
    struct red_error error = {.text = ""};
    enum red_status status = red_duel_read("x.json", (const char *)data, n, &duel, &error);
    must_be_plain(error.text);
    assert(status == RED_OK || (status == RED_E_INPUT && strncmp(error.text, "x.json", 6) == 0));
    if (status != RED_OK)
        return 0;
    size_t first_n, second_n;
    judge(&duel);
    char *first = written(&duel, &first_n);
    assert(red_duel_read("copy.json", first, first_n, &copy, NULL) == RED_OK);
    judge(&copy);
    char *second = written(&copy, &second_n);
    assert(first_n == second_n && memcmp(first, second, first_n) == 0);
    free(first);
    free(second);
    red_duel_clear(&duel);
    red_duel_clear(&copy);
    return 0;
}
