#define _GNU_SOURCE /* strchrnul */
/* Builds the commands that a reader is told to paste: verify calls red_again_command for its own checks, and
 * results/verify_file.c for those of a file, so that both are the same. */
#include "results/again.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "model/bins.h"
#include "model/primitive.h"

#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

enum { SECONDS_MAX = 1000000000, LANES_MAX = 1024 };

/* ---- fields -------------------------------------------------------------------------------------------- */

bool red_again_is_device(const char *text) {
    return isalnum((unsigned char)text[0]) && text[strspn(text, WORD ".-")] == '\0';
}

bool red_again_is_strategy(const char *text) {
    return text[0] != '\0' && text[strspn(text, WORD)] == '\0';
}

const char *red_again_primitive_words(const char *text) {
#define WORDS(id, name) " --primitive " #name,
    static const char *const words[] = {RED_PRIMITIVES(WORDS)};
#undef WORDS
    const enum red_primitive primitive = red_primitive_find(text);
    return primitive == RED_PRIMITIVES_N ? "" : words[primitive];
}

static bool is_seconds(double seconds) {
    return isfinite(seconds) && seconds >= 0 && seconds <= SECONDS_MAX;
}

/* The groups to ask for: those that the plan chose, where the strategy takes a number. */
static struct red_tuning tuning_of(const struct red_verify_check *check) {
    struct red_tuning tuning = check->at.asked;
    if (check->takes_groups && check->geometry.group_size > 0)
        tuning.groups_n = check->geometry.groups_n;
    return tuning;
}

/* The first field that does not fit its grammar, by its key in the file; NULL where all do. */
static const char *find_fault(const struct red_again_place *place, const struct red_verify_check *check) {
    const struct red_op *op = red_op_find(check->at.op->name);
    const struct red_tuning tuning = tuning_of(check);
    const bool has_bins = op != NULL && red_primitives[op->primitive].bins_n > 0;
    const struct {
        const char *key;
        bool is_valid;
    } fields[] = {
        {"device", red_again_is_device(place->device)},
        {"strategy", red_again_is_strategy(check->at.strategy->name)},
        {"op", op != NULL},
        {"type", red_dtype_find(check->at.dtype->name) != NULL},
        {"group_size", tuning.group_size > 0},
        {"groups", tuning.groups_n <= RED_GROUPS_MAX},
        {"width", (tuning.width > 0) == (tuning.loads > 0) && tuning.width <= LANES_MAX},
        {"loads", tuning.loads <= LANES_MAX},
        {"bins", (check->at.bins_n > 0) == has_bins && check->at.bins_n <= RED_BINS_MAX},
        {"time_per_cell_s", is_seconds(place->asked->time_per_cell_s)},
        {"patience_s", is_seconds(place->asked->patience_s)},
        {"stress_s", is_seconds(check->stress_s)},
        {"kernel",
         check->kernel == NULL || (check->kernel[0] != '\0' && !red_text_has_control(check->kernel))},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (!fields[i].is_valid)
            return fields[i].key;
    return NULL;
}

/* ---- the command --------------------------------------------------------------------------------------- */

static void command_print(const struct red_again_place *place, const struct red_verify_check *check,
                          FILE *out) {
    const struct red_verify_asked *asked = place->asked;
    const struct red_tuning tuning = tuning_of(check);
    char options[80];
    red_shell_quoted_print(out, "", place->program != NULL ? place->program : "clreduce");
    fputs(" verify", out);
    fputs(red_again_primitive_words(red_primitive_stated_name(check->at.op->primitive)), out);
    red_shell_quoted_print(out, " --device ", place->device);
    fprintf(out, " --strategy %s --op %s --type %s --n %" PRIu64 " --wg %zu", check->at.strategy->name,
            check->at.op->name, check->at.dtype->name, check->at.n, tuning.group_size);
    red_tuning_format(&tuning, (struct red_tuning_words){.groups = " --groups %s", .lanes = " --lanes %s"},
                      options, sizeof options);
    fputs(options, out);
    if (check->at.bins_n > 0)
        fprintf(out, " --bins %u", check->at.bins_n);
    if (asked->all)
        fputs(" --all", out);
    if (asked->despite_probes)
        fputs(" --despite-probes", out);
    if (check->data_seed != 1)
        fprintf(out, " --seed %" PRIu64, check->data_seed);
    if (asked->time_per_cell_s > 0)
        fprintf(out, " --time-per-cell %.9g", asked->time_per_cell_s);
    if (asked->patience_s > 0)
        fprintf(out, " --patience %.9g", asked->patience_s);
    if (check->stress_s > 0)
        fprintf(out, " --stress %.9g", check->stress_s);
    if (check->kernel != NULL)
        red_shell_quoted_print(out, " --kernel ", check->kernel);
}

char *red_again_command(const struct red_again_place *place, const struct red_verify_check *check) {
    const char *fault = find_fault(place, check);
    char *text = NULL;
    size_t text_n = 0;
    FILE *out = red_memstream_open(&text, &text_n);
    if (out == NULL)
        return NULL;
    if (fault == NULL) {
        command_print(place, check, out);
    } else {
        fprintf(out, "no command: %s", fault);
        if (place->path != NULL)
            red_shell_quoted_print(out, " of ", place->path);
        fputs(" is not valid", out);
    }
    return red_memstream_close(out, &text) ? text : NULL;
}

/* ---- commands that files state ------------------------------------------------------------------------- */

bool red_again_is_own_command(const char *text) {
    static const char plain[] = WORD "./-+,:@%=^ "; /* ^ as older files have it */
    static const char start[] = "clreduce ";
    if (strncmp(text, start, sizeof start - 1) != 0 || red_text_has_control(text))
        return false;
    for (const char *at = text; *at != '\0';) {
        if (strncmp(at, "$'", 2) == 0) { /* a \' within it would end it in shells that do not know it */
            for (at += 2; *at != '\0' && *at != '\''; at++)
                if (*at == '\\' && !isdigit((unsigned char)at[1]))
                    return false;
        } else if (*at == '\'') {
            at = strchrnul(at + 1, '\'');
        } else if (strncmp(at, "\\'", 2) == 0) { /* between two parts in quotes */
            at++;
        } else if (strchr(plain, *at) == NULL) {
            return false;
        }
        if (*at++ == '\0')
            return false;
    }
    return true;
}
