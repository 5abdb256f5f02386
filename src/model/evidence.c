/* Writes evidence as the line that `verify`, `bench` and `duel` show of a wrong result. */
#include "model/evidence.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/text.h"

#define RED_FAULT_NAME(id, name) name,
const char *const red_fault_names[RED_FAULTS_N] = {RED_FAULTS(RED_FAULT_NAME)};

/* For the line below, and for a wrong result of a timed call (worker/prepared.c). */
void red_place_format(uint64_t place, unsigned bins_n, char *text, size_t text_bytes) {
    if (bins_n > 0 && place >= bins_n)
        snprintf(text, text_bytes, " out of range");
    else
        snprintf(text, text_bytes, " %s %" PRIu64, bins_n > 0 ? "in bin" : "at", place);
}

/* Writes an answer of the evidence: "3", or of places "3 at 17". */
static void answer_format(const struct red_evidence *evidence, const struct red_answer_text *answer,
                          char *text, size_t text_bytes) {
    char place[40] = "";
    if (evidence->has_place && (evidence->bins_n == 0 || answer == &evidence->expected))
        red_place_format(answer->place, evidence->bins_n, place, sizeof place);
    snprintf(text, text_bytes, "%s%s", answer->value, place);
}

void red_evidence_format(const struct red_evidence *evidence, char *text, size_t text_bytes) {
    static const char *const expected_words[RED_FAULTS_N] = {
        [RED_FAULT_INPUT] = "its input unchanged",
        [RED_FAULT_OUT] = "no store behind the end of out",
        [RED_FAULT_BEHIND] = "no store behind the one counter",
        [RED_FAULT_COUNTER] = "counter left at 0",
        [RED_FAULT_BITS] = "the bits of the calls before",
    };
    static const char *const got_words[RED_FAULTS_N] = {[RED_FAULT_INPUT] = "it overwritten",
                                                        [RED_FAULT_OUT] = "one",
                                                        [RED_FAULT_BEHIND] = "one",
                                                        [RED_FAULT_BITS] = "others"};
    char expected[128] = "", got[96] = "";
    text[0] = '\0';
    if (evidence->fault == RED_FAULT_NONE)
        return;
    if (evidence->fault == RED_FAULT_ANSWER) {
        answer_format(evidence, &evidence->expected, expected, sizeof expected);
        answer_format(evidence, &evidence->got, got, sizeof got);
        if (evidence->low[0] != '\0')
            red_text_add(expected, sizeof expected, " +- %.3g", evidence->bound);
    } else {
        snprintf(expected, sizeof expected, "%s", expected_words[evidence->fault]);
        snprintf(got, sizeof got, "%s", got_words[evidence->fault] ? got_words[evidence->fault] : "");
        if (evidence->fault == RED_FAULT_COUNTER)
            snprintf(got, sizeof got, "%" PRIu64, evidence->counter);
    }
    red_text_add(text, text_bytes, "data=%s", evidence->data);
    if (evidence->segments_n > 0)
        red_text_add(text, text_bytes, ", segment %" PRIu64 " of %" PRIu64, evidence->segment,
                     evidence->segments_n);
    red_text_add(text, text_bytes, ": expected %s, got %s (%s)", expected, got, evidence->run);
}
