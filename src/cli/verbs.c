#include "cli/verbs.h"

extern const struct red_verb red_verb_devices;
extern const struct red_verb red_verb_strategies;
extern const struct red_verb red_verb_verify;
extern const struct red_verb red_verb_bench;
extern const struct red_verb red_verb_compare;
extern const struct red_verb red_verb_report;
extern const struct red_verb red_verb_recommend;
extern const struct red_verb red_verb_emit;
extern const struct red_verb red_verb_duel;
extern const struct red_verb red_verb_once;
extern const struct red_verb red_verb_manual;
extern const struct red_verb red_verb_worker;

const struct red_verb *const red_verbs[] = {
    &red_verb_devices, &red_verb_strategies, &red_verb_verify,    &red_verb_bench,
    &red_verb_compare, &red_verb_report,     &red_verb_recommend, &red_verb_emit,
    &red_verb_duel,    &red_verb_once,       &red_verb_manual,    &red_verb_worker,
};
const size_t red_verbs_n = sizeof red_verbs / sizeof red_verbs[0];
