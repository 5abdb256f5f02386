/* Files of duels of strangers: read or refused in one sentence, judged in time, and written as they were. */
#define _GNU_SOURCE /* memfd_create */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gate/duel.h"

/* What a terminal takes for a command: C0 and C1 controls, DEL. */
static void must_be_plain(const char *text) {
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++)
        if (*at < ' ' || *at == 0x7f || (*at == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f))
            abort();
}

/* Verdicts come from where they must come from. */
static void check_cell(const struct red_duel *duel, const struct red_duel_cell *cell, enum red_next next) {
    const struct red_finding *finding = &cell->finding;
    enum red_duel_verdict verdict = red_verdict_of_code(finding->code);
    must_be_plain(cell->name);
    must_be_plain(cell->reason[RED_HEAD]);
    if (cell->device >= duel->devices_n || cell->op == NULL || cell->dtype == NULL)
        abort();
    if (!(finding->p >= 0 && finding->p <= 1 && finding->low <= finding->ratio &&
          finding->ratio <= finding->high))
        abort();
    if ((verdict == RED_SLOWER || verdict == RED_FASTER) &&
        (!finding->nominated || finding->stage != 2 || !(finding->p <= finding->level) ||
         (verdict == RED_SLOWER) != (finding->ratio > 1) || next != RED_NEXT_NONE ||
         2 * finding->dropped_n[RED_DROP_NONE] < finding->blocks_n))
        abort();
    if (next == RED_NEXT_STAGE_2 && !finding->nominated)
        abort();
}

static void judge(struct red_duel *duel) {
    enum red_next *next = calloc(duel->cells_n + 1, sizeof *next);
    if (next == NULL || red_duel_judge(duel, next, NULL) != RED_OK)
        abort();
    for (size_t c = 0; c < duel->cells_n; c++)
        check_cell(duel, &duel->cells[c], next[c]);
    free(next);
}

/* What is written, of text_n bytes. Release with free. */
static char *written(const struct red_duel *duel, size_t *text_n) {
    char path[32];
    int memory = memfd_create("duel", 0);
    snprintf(path, sizeof path, "/dev/fd/%d", memory);
    if (memory < 0 || red_duel_write(duel, path, NULL) != RED_OK)
        abort();
    off_t end = lseek(memory, 0, SEEK_END);
    char *text = malloc((size_t)end + 1);
    if (text == NULL || pread(memory, text, (size_t)end, 0) != end)
        abort();
    close(memory);
    *text_n = (size_t)end;
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    static struct red_duel duel, copy;
    struct red_error error = {.text = ""};
    enum red_status status = red_duel_read("x.json", (const char *)data, n, &duel, &error);
    must_be_plain(error.text);
    if (status != RED_OK && (status != RED_E_INPUT || strncmp(error.text, "x.json", 6) != 0))
        abort();
    if (status != RED_OK)
        return 0;
    size_t first_n, second_n;
    judge(&duel);
    char *first = written(&duel, &first_n);
    if (red_duel_read("copy.json", first, first_n, &copy, NULL) != RED_OK)
        abort();
    judge(&copy);
    char *second = written(&copy, &second_n);
    if (first_n != second_n || memcmp(first, second, first_n) != 0)
        abort();
    free(first);
    free(second);
    red_duel_clear(&duel);
    red_duel_clear(&copy);
    return 0;
}
