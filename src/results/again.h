/* Commands that a reader is told to paste, from what this run or a file says: each field is checked by the
 * grammar of what it names, free text stands in the shell's quotes, and a file's own text for a command is
 * never shown as one unless it is as the program writes it. */
#ifndef CLREDUCE_RESULTS_AGAIN_H
#define CLREDUCE_RESULTS_AGAIN_H

#include "results/verify_file.h"

/* Where a check was made. */
struct red_again_place {
    const char *program;                  /* the word by which the user calls it; NULL: clreduce */
    const char *device;                   /* its id */
    const char *path;                     /* of the file that says so, for the message; NULL: this run */
    const struct red_verify_asked *asked; /* of the run */
};

/* The command that makes the check again, with others of its n; or "no command: strategy of bad.json is not
 * valid", where a field does not fit its grammar. Owned by the caller; NULL without memory. */
char *red_again_command(const struct red_again_place *place, const struct red_verify_check *check);

/* Whether the text is as ids of devices are: letters, digits, and within it dots, hyphens and underscores. */
bool red_again_is_device(const char *text);

/* Whether the text is as names of strategies are: letters, digits and underscores. */
bool red_again_is_strategy(const char *text);

/* " --primitive scan"; "" where the text, which a file has for it, names no primitive. */
const char *red_again_primitive_words(const char *text);

/* Whether the text, which a file states as the command of its run, is a call of clreduce and of nothing else:
 * words with blanks between, each as red_shell_quoted_print writes it. */
bool red_again_is_own_command(const char *text);

#endif
