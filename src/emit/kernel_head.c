/* The head of a kernel for people: a name that says what it does, and only the parameters that it uses.
 * scan.c calls it for each launch of a scan, whose kernels have one name and all parameters of the contract.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "emit/emit_private.h"

enum { WORD_BYTES = 64, MACROS_DEEP = 16 };

/* The text between the kernel's name and its body. */
struct kernel_head {
    const char *name, *open, *close, *end; /* the name, the parentheses, where the kernel ends */
    size_t name_n, parts_n;
    const struct red_part *parts; /* of the whole text */
};

/* Finds the head of the first kernel of the text; false if there is none. */
static bool find_head(const char *text, struct red_part *parts, struct kernel_head *head) {
    const size_t n = head->parts_n = red_parts_split(text, parts);
    size_t i = 0;
    head->parts = parts;
    while (i < n && !parts[i].is_kernel)
        i++;
    if (i == n)
        return false;
    head->name_n = strlen(parts[i].name);
    head->end = parts[i].at + parts[i].n;
    for (head->name = parts[i].at; head->name < head->end; head->name++)
        if (strncmp(head->name, parts[i].name, head->name_n) == 0 && head->name[head->name_n] == '(' &&
            head->name > parts[i].at && head->name[-1] == ' ') /* behind "void" */
            break;
    head->open = head->name + head->name_n;
    head->close = head->open < head->end ? strchr(head->open, ')') : NULL;
    return head->close != NULL && head->close < head->end;
}

/* Whether code has the word, or a macro that it uses; comments may say anything. */
static bool reaches_word(const struct kernel_head *head, const char *at, const char *end, const char *word,
                         unsigned depth) {
    for (; at < end; at++) {
        const size_t comment = red_comment_bytes(at), n = comment > 0 ? 0 : red_word_bytes(at);
        if (n > 0 && n == strlen(word) && strncmp(at, word, n) == 0)
            return true;
        for (size_t i = 0; n > 0 && i < head->parts_n && depth < MACROS_DEEP; i++) {
            const struct red_part *macro = &head->parts[i];
            const char *body = macro->at + strlen("#define ") + n;
            if (macro->at[0] == '#' && strlen(macro->name) == n && strncmp(macro->name, at, n) == 0 &&
                reaches_word(head, body, macro->at + macro->n, word, depth + 1))
                return true;
        }
        at += comment > 0 ? comment - 1 : n > 0 ? n - 1 : 0;
    }
    return false;
}

/* Whether the body has the parameter's name, its last word. */
static bool is_parameter_used(const struct kernel_head *head, const char *parameter, size_t n) {
    char word[WORD_BYTES];
    const char *end = parameter + n;
    while (end > parameter && !red_is_word_char(end[-1]))
        end--;
    const char *start = end;
    while (start > parameter && red_is_word_char(start[-1]))
        start--;
    snprintf(word, sizeof word, "%.*s", (int)(end - start), start);
    return reaches_word(head, head->close, head->end, word, 0);
}

/* Writes the parameters that are used; gives their bits. */
static unsigned put_used_parameters(FILE *out, const struct kernel_head *head) {
    unsigned used = 0, bit = 1;
    for (const char *at = head->open + 1; at < head->close; bit <<= 1) {
        at += strspn(at, " \n");
        const size_t n = strcspn(at, ",)");
        if (is_parameter_used(head, at, n)) {
            fprintf(out, "%s%.*s", used == 0 ? "" : ", ", (int)n, at);
            used |= bit;
        }
        at += n + 1;
    }
    return used;
}

enum red_status red_emit_head(char **text, const char *name, const char *what, unsigned *used,
                              struct red_error *error) {
    struct red_part *parts = calloc(RED_PARTS_MAX, sizeof *parts);
    struct kernel_head head;
    char *made = NULL;
    size_t bytes = 0;
    if (parts == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    const bool found = find_head(*text, parts, &head);
    FILE *out = found ? red_memstream_open(&made, &bytes) : NULL;
    if (out == NULL) {
        free(parts);
        return found ? red_fail(error, RED_E_MEMORY, "no memory for a kernel")
                     : red_fail(error, RED_E_INPUT, "the text has no kernel that could be named %s", name);
    }
    const char *line = head.name;
    while (line > *text && line[-1] != '\n')
        line--;
    fprintf(out, "%.*s", (int)(line - *text), *text);
    if (what[0] != '\0')
        fprintf(out, "%s/* %s */\n", line - *text > 1 && line[-1] == '\n' && line[-2] == '}' ? "\n" : "",
                what);
    fprintf(out, "%.*s%s(", (int)(head.name - line), line, name);
    *used = put_used_parameters(out, &head);
    fputs(head.close, out);
    free(parts);
    if (!red_memstream_close(out, &made))
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    free(*text);
    *text = made;
    return RED_OK;
}
