/* Formats error messages, and maps a status to the exit status of the program. */
#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

const char red_version[] = CLREDUCE_VERSION;

/* `error` is printed by cli/main.c, sent by a worker as `failure`, or becomes the `reason` of a cell. */
enum red_status red_fail(struct red_error *error, enum red_status status, const char *format, ...) {
    if (error == NULL)
        return status;
    error->status = status;
    error->told = false;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    if (length >= (int)sizeof error->text)
        memcpy(error->text + sizeof error->text - 4, "...", 4);
    red_text_replace_control(error->text); /* names of files, and what stands in them, are anybody's */
    return status;
}

bool red_status_is_worse(enum red_status a, enum red_status b) {
    static const unsigned char weights[RED_STATUS_N] = {
        [RED_OK] = 0,          [RED_E_UNSUPPORTED] = 1, [RED_E_UNTRIED] = 2,   [RED_E_INTERRUPTED] = 3,
        [RED_E_PIPE] = 3,      [RED_E_NO_DEVICE] = 4,   [RED_E_UNDECIDED] = 5, [RED_E_SLOWER] = 6,
        [RED_E_INPUT] = 7,     [RED_E_MEMORY] = 7,      [RED_E_BUILD] = 7,     [RED_E_DEVICE] = 8,
        [RED_E_TIMED_OUT] = 9, [RED_E_CRASHED] = 10,    [RED_E_WRONG] = 11,
    };
    return weights[a] > weights[b];
}

bool red_finding_is_told(enum red_status found, enum red_status run) {
    return found == RED_E_WRONG || (found != RED_OK && run == RED_OK);
}

enum red_status red_verb_status_find(enum red_status run, enum red_status found, const char *found_text,
                                     enum red_status output, const char *output_text,
                                     struct red_error *error) {
    if (red_finding_is_told(found, run)) {
        if (run != RED_OK)
            fprintf(stderr, "%s\n", error->text);
        run = red_fail(error, found, "%s", found_text);
    }
    if (output != RED_OK && run != RED_OK)
        fprintf(stderr, "%s\n", output_text);
    else if (output != RED_OK)
        run = red_fail(error, output, "%s", output_text);
    return run;
}

/* For the message and the exit status of bench, once, duel, --each and --ranks. */
bool red_worst_add(struct red_worst *worst, enum red_status status, size_t at) {
    const bool is_told = red_status_is_worse(status, worst->status);
    worst->n += status != RED_OK;
    worst->alike_n = is_told ? 1 : worst->alike_n + (status != RED_OK && status == worst->status);
    worst->status = is_told ? status : worst->status;
    worst->at = is_told ? at : worst->at;
    return is_told;
}

/* cli/main.c exits with it. */
int red_exit_status_of(enum red_status status) {
    static const int exits[RED_STATUS_N] = {
        [RED_OK] = 0,        [RED_E_INPUT] = 4,        [RED_E_MEMORY] = 4,     [RED_E_BUILD] = 4,
        [RED_E_DEVICE] = 5,  [RED_E_UNSUPPORTED] = 77, [RED_E_NO_DEVICE] = 77, [RED_E_WRONG] = 2,
        [RED_E_CRASHED] = 5, [RED_E_TIMED_OUT] = 5,    [RED_E_UNTRIED] = 5,    [RED_E_INTERRUPTED] = 130,
        [RED_E_PIPE] = 141,  [RED_E_SLOWER] = 1,       [RED_E_UNDECIDED] = 3,
    };
    return exits[status];
}
