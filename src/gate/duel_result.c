#include "gate/duel_result.h"

#include <stdlib.h>

const char *const red_who_names[RED_WHO_N] = {[RED_BASE] = "base", [RED_HEAD] = "head"};

const char *const red_control_names[RED_CONTROLS_N] = {
    [RED_CONTROL_SPIN] = "spin", [RED_CONTROL_SWEEP] = "sweep", [RED_CONTROL_CHAIN] = "chain"};

const char *const red_drop_names[RED_DROPS_N] = {
#define RED_DROP_NAME(id, name) [RED_DROP_##id] = name,
    RED_DROPS(RED_DROP_NAME)
#undef RED_DROP_NAME
};

const char *const red_verdict_names[RED_VERDICTS_N] = {
    [RED_UNTRUSTED] = "UNTRUSTED", [RED_SLOWER] = "SLOWER", [RED_UNDECIDED] = "UNDECIDED",
    [RED_FASTER] = "FASTER",       [RED_SAME] = "SAME",     [RED_WRONG] = "WRONG",
    [RED_FAILED] = "FAILED"};

static const struct {
    const char *name, *words;
    enum red_duel_verdict verdict;
} codes[RED_CODES_N] = {
#define RED_CODE_ROW(id, name, verdict, words) [RED_CODE_##id] = {name, words, RED_##verdict},
    RED_CODES(RED_CODE_ROW)
#undef RED_CODE_ROW
};

const char *red_code_name(enum red_code code) {
    return codes[code].name;
}

const char *red_code_words(enum red_code code) {
    return codes[code].words;
}

enum red_duel_verdict red_code_verdict(enum red_code code) {
    return codes[code].verdict;
}

enum red_status red_duel_add_series(struct red_duel_cell *cell, const struct red_series *series,
                                    struct red_error *error) {
    struct red_series *grown = realloc(cell->series, (cell->series_n + 1) * sizeof *grown);
    if (grown == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for another launch");
    cell->series = grown;
    cell->series[cell->series_n++] = *series;
    return RED_OK;
}

enum red_status red_series_add(struct red_series *series, const struct red_round *round,
                               struct red_error *error) {
    if (series->rounds_n == series->room) {
        size_t room = series->room ? 2 * series->room : 16;
        struct red_round *grown = realloc(series->rounds, room * sizeof *grown);
        if (grown == NULL)
            return red_fail(error, RED_E_MEMORY, "no memory for another round");
        series->rounds = grown;
        series->room = room;
    }
    series->rounds[series->rounds_n++] = *round;
    return RED_OK;
}

void red_duel_clear(struct red_duel *duel) {
    for (size_t c = 0; c < duel->cells_n; c++) {
        for (size_t i = 0; i < duel->cells[c].series_n; i++)
            free(duel->cells[c].series[i].rounds);
        free(duel->cells[c].series);
    }
    free(duel->cells);
    duel->cells = NULL;
    duel->cells_n = 0;
}
