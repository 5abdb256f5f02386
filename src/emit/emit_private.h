/* What the files of src/emit share: filling in templates, a kernel's text of its parts, and names. */
#ifndef CLREDUCE_EMIT_PRIVATE_H
#define CLREDUCE_EMIT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/status.h"
#include "emit/emit.h"
#include "emit/reproduction.h"
#include "model/catalogue.h"
#include "model/input.h"

/* ---- templates -------------------------------------------------------------------------------------------
 * A template is a file with blanks to be filled in (src/emit/template.c). */

/* A value by its key. A key that is not there, and one of an empty value, is false. */
struct red_blank {
    const char *key, *value;
};

/* Writes the template: @KEY@ becomes its value; what stands between a line "@if KEY" and "@else" or "@end"
 * stays if the key is true ("@if !KEY": if it is not), what stands behind "@else" otherwise. They may be
 * nested. A line "@include PART" becomes that part, filled in. Errors: RED_E_INPUT for a key between @ signs
 * that is not there, which is a mistake in the template. */
enum red_status red_template_write(const char *template, const struct red_blank *blanks, size_t blanks_n,
                                   FILE *out, struct red_error *error);

/* The templates, embedded when the program is built, and what they include. */
extern const char red_emit_host_h[], red_emit_reduce_c[], red_emit_reduce_test_c[], red_emit_steps_c[],
    red_emit_scan_test_c[], red_emit_histogram_test_c[], red_emit_CMakeLists_txt[], red_emit_reproduce_c[];
extern const char red_emit_source_head_c[], red_emit_source_making_c[], red_emit_source_order_c[],
    red_emit_source_follow_both_c[], red_emit_source_clear_c[], red_emit_source_create_c[],
    red_emit_source_host_buffer_c[], red_emit_source_answer_c[], red_emit_source_place_c[],
    red_emit_test_head_c[], red_emit_test_element_c[], red_emit_test_device_c[], red_emit_test_steps_c[],
    red_emit_test_filling_c[], red_emit_test_main_c[];

/* ---- blanks ----------------------------------------------------------------------------------------------
 * What the blanks of templates are filled in with. */

enum { RED_BLANKS_MAX = 160, RED_BLANK_BYTES = 512 };

struct red_blanks {
    struct red_blank all[RED_BLANKS_MAX];
    char values[RED_BLANKS_MAX][RED_BLANK_BYTES];
    size_t n;
};

/* Adds a key with a value of any length, which stays the caller's. Of a key that is added twice the first
 * counts. */
void red_blanks_set_borrowed(struct red_blanks *blanks, const char *key, const char *value);

/* Adds a key with a formatted value, of which RED_BLANK_BYTES are kept. */
__attribute__((format(printf, 3, 4))) void red_blanks_set(struct red_blanks *blanks, const char *key,
                                                          const char *format, ...);

/* Adds a key for @if lines: "yes", or empty where it does not hold. */
void red_blanks_set_flag(struct red_blanks *blanks, const char *key, bool holds);

/* A text of a folder: what a red_file_writer fills in. */
struct red_filled {
    const char *template;
    const struct red_blanks *blanks;
};

/* C types by accumulator: its own, that in which the host folds, and the ends of its range. */
struct red_emit_accumulator {
    const char *c, *fold, *lowest, *highest;
};

/* Those of the operation and type. */
const struct red_emit_accumulator *red_emit_accumulator_of(const struct red_op *op,
                                                           const struct red_dtype *dtype);

/* Makes a text of the template, which the caller frees. Errors: those of red_template_write; RED_E_MEMORY. */
enum red_status red_template_make(const char *template, const struct red_blanks *blanks, char **text,
                                  struct red_error *error);

/* Sets the blanks of types: of elements, accumulators, the host's total, and where a total begins. */
void red_blanks_set_types(struct red_blanks *blanks, const struct red_op *op, const struct red_dtype *dtype);

/* Sets how the host folds `value` into its total, and how the test does with whole numbers. */
void red_blanks_set_fold(struct red_blanks *blanks, const struct red_op *op, const struct red_dtype *dtype,
                         const char *value);

/* Writes how C combines a and b, of an operation that does not pick: "a + b". */
void red_emit_combine_format(const struct red_op *op, const char *a, const char *b, char *text,
                             size_t text_bytes);

/* Whether elements are of 16 bits, which C has as uint16_t; the type of elements in C. */
bool red_emit_is_half(const struct red_dtype *dtype);
const char *red_emit_c_type(const struct red_dtype *dtype);

/* Writes the rows of the table `needs` in NAME.c, of what a device may lack, for these bits (RED_NEED_...),
 * one a line; "" where every device has all of them. */
void red_emit_needs_format(red_set needs, char *text, size_t text_bytes);

/* Whether a condition (#if, #ifdef, #elif) in the text of a kernel file asks for a macro that a driver may
 * define, and that nobody without a driver can decide: its name. */
bool red_emit_asks_driver(const char *text, char *name, size_t name_bytes);

/* ---- primitives -------------------------------------------------------------------------------------------
 * What is written of each primitive alone: red_emit_of_<name>, in <name>.c. */

struct red_launch_list;
struct red_emit_hooks {
    const char *source, *test; /* templates of NAME.c and NAME_test.c */
    /* Makes the kernel's text, which is the caller's to free, and sets the blanks of the primitive's
     * templates; `build` is of the first launch. Errors: those of red_emit_compose. */
    enum red_status (*make_kernel)(const struct red_emission *emission, const struct red_build_spec *build,
                                   struct red_blanks *blanks, char **kernel, struct red_error *error);
    /* The rest where results stay on the device: the launches of its finishes, which end with one that has no
     * words; what groups leave; and of the host program of `reproduce` the launches, NULL of reductions,
     * whose finishes list them, and how a loop finds what is right. */
    const struct red_step *steps;
    const struct red_part_words *parts; /* NULL: groups leave nothing */
    void (*list)(const struct red_reproduction *r, struct red_launch_list *list);
    void (*set_answer)(struct red_blanks *blanks, const struct red_reproduction *r);
    bool has_no_lines; /* for its data: data_lines.c would take a dozen for each */
    const struct red_reproduction_hooks *reproduction; /* NULL: as of all whose results stay on the device */
};
#define RED_EMIT_OF(id, name) extern const struct red_emit_hooks red_emit_of_##name;
RED_PRIMITIVES(RED_EMIT_OF)
#undef RED_EMIT_OF
const struct red_emit_hooks *red_emit_hooks_of(enum red_primitive primitive);

/* Where results stay on the device (steps.c): what all such primitives have in common. */
enum red_status red_emit_steps(const struct red_emission *emission, const struct red_build_spec *build,
                               struct red_blanks *blanks, char **kernel, struct red_error *error);

/* A launch of a finish whose results stay on the device: which text it has, and what its kernel is called
 * and said to do. */
struct red_step {
    enum red_finish_kind finish;
    unsigned pass;
    bool over_carries;  /* of a scan's first level: its carries are of the second */
    const char *kernel; /* NULL: the host does it */
    const char *what;   /* NULL: behind the last */
};

/* What groups leave for the launch behind: what NAME.c calls it, as an argument of kernels, too, how it
 * speaks of it and of that launch, and how many bytes it has with those of an accumulator; and of the state
 * its bytes, whether these depend on n, and what is said of it. */
struct red_part_words {
    const char *name, *argument, *words, *alone, *alone_words, *alone_groups, *bytes, *state_bytes,
        *state_words;
    bool sizes_state;
};

/* RED_STEP_PARTS: the pass over what groups have left, carries or copies. */
enum { RED_STEPS_MAX = 8, RED_STEP_PARTS = 1 };

/* The launches of the strategy's finish in their order, *n of them. */
const struct red_step *red_steps_of(const struct red_strategy *strategy, size_t *n);

/* The launches with the kernels that have been made of them. */
struct red_made_steps {
    const struct red_step *rows;
    size_t n;
    const char *kernels[RED_STEPS_MAX]; /* names; launches of the same text share one */
    unsigned used[RED_STEPS_MAX]; /* which of x, n, out, what groups leave, and state it takes, as bits */
};

/* Makes one program text with the kernels of all launches of the strategy; `build` is of the first. *kernel,
 * NULL before, is the caller's to free. Errors: those of red_emit_compose and red_emit_head. */
enum red_status red_steps_make(const struct red_build_spec *build, struct red_made_steps *steps,
                               char **kernel, struct red_error *error);

/* ---- parts -----------------------------------------------------------------------------------------------
 * A program text is split into its parts (parts.c). */

/* One definition, macro, comment or other directive at the top level of a program text. */
struct red_part {
    const char *at;
    size_t n;
    char name[64]; /* of a function, type, variable or macro; "" for others */
    bool is_comment, is_kernel, is_used;
};

enum { RED_PARTS_MAX = 1024 };

/* Splits the text, which stays as it is, and to which the parts point; what has no room in RED_PARTS_MAX is
 * dropped. What has no name is used, but for comments. Returns their number. */
size_t red_parts_split(const char *text, struct red_part *parts);

/* How many parameters the kernel of that name has; 0 if the text has none, or none with parameters. */
unsigned red_emit_parameters_n(const char *text, const char *kernel);

/* Whether names and numbers are made of it: a letter, a digit, or '_'. */
bool red_is_word_char(char c);

/* Bytes of the word that begins here; 0 if none does. */
size_t red_word_bytes(const char *at);

/* Whether the word stands in the text as a word of its own, and not as a member. */
bool red_has_word(const char *text, size_t n, const char *word);

/* What closes the parenthesis, bracket or brace at `open`; NULL if nothing does. */
const char *red_find_closing(const char *open);

/* Bytes of the comment that begins here; 0 if none does. */
size_t red_comment_bytes(const char *at);

/* Bytes of a line, which a backslash or a comment may continue. */
size_t red_line_bytes(const char *at);

/* ---- macros ----------------------------------------------------------------------------------------------
 * The macros of a program text (macros.c). */

enum { RED_MACRO_PARAMETERS_MAX = 8 };

struct red_macro {
    char name[64], parameters[RED_MACRO_PARAMETERS_MAX][32];
    int parameters_n;               /* -1 without parentheses */
    char *body;                     /* owned: without comments */
    bool is_defined;                /* not by then undefined, or defined again */
    bool is_redefined;              /* the text defines it twice, and not alike */
    bool is_judged, is_written_out; /* whether it is known, and whether it only stands for other words */
};

/* All of a text; zeros are none. */
struct red_macros {
    struct red_macro *all; /* owned */
    size_t n;
    bool has_failed; /* there was no memory */
};

/* Adds the macro whose name is at `at`, behind #define, up to `end`. */
void red_macros_define(struct red_macros *macros, const char *at, const char *end);

void red_macros_undefine(struct red_macros *macros, const char *name, size_t n);

/* The macro of that name of n characters; NULL if there is none. */
const struct red_macro *red_macros_find(const struct red_macros *macros, const char *name, size_t n);

/* Releases all that the table owns. */
void red_macros_clear(struct red_macros *macros);

/* Makes the text with macros that only stand for other words written out, or with all. The caller frees it.
 * NULL without memory, as the table then says. */
char *red_macros_make_text(struct red_macros *macros, bool all, const char *at, size_t n);

/* ---- composing -------------------------------------------------------------------------------------------
 * A strategy's program text for people: its own parts (compose.c). */

/* Makes the text of a launch: conditions are decided, as if all extensions were there, what the kernel does
 * not reach is dropped, and macros that only stand for other words are written out. *made is the caller's to
 * free. Errors: those of red_source_text; RED_E_INPUT if conditions or macros cannot be resolved;
 * RED_E_MEMORY. */
enum red_status red_emit_compose(const struct red_build_spec *build, char **made, struct red_error *error);

/* The value of an expression of numbers, where a name is 0, and defined(NAME) asks for a macro; false if it
 * is none. */
bool red_expression_read(const struct red_macros *macros, const char *text, long long *value);

/* ---- names -----------------------------------------------------------------------------------------------
 * What the functions and types of program texts for people are called (names.c). */

/* Adds a second program text to `text`, which is replaced, below a line with `title`, unless that is NULL.
 * Parts that are the same in both occur once; other functions and types of the second, where the first has
 * their names, get names that end in `suffix`. Errors: RED_E_MEMORY. */
enum red_status red_emit_join(char **text, const char *second, const char *suffix, const char *title,
                              struct red_error *error);

/* Takes the prefix of this project's names from them, where the text has no such name yet. `text` is
 * replaced. Errors: RED_E_MEMORY. */
enum red_status red_emit_drop_prefix(char **text, struct red_error *error);

/* Gives the text's kernel this name, `what` in front of it as a comment ("": none), and of its parameters
 * those that its body uses: bit i of *used is set for parameter i. `text` is replaced. Errors: RED_E_INPUT
 * where there is no kernel; RED_E_MEMORY. */
enum red_status red_emit_head(char **text, const char *name, const char *what, unsigned *used,
                              struct red_error *error);

/* Appends the text of a later launch to the kernel's, unless it is `first`, that of the first launch, and
 * gives the name of its kernel. `text` is replaced. */
enum red_status red_emit_add_pass(const struct red_build_spec *build, const char *first, char **text,
                                  const char **name, struct red_error *error);

/* ---- reproductions ---------------------------------------------------------------------------------------
 * Data sets in a few lines of C, for the host program of `reproduce` (data_lines.c). */

/* Makes the line that makes an element, "x[at] = ...;", or NULL where there is none, and the elements need a
 * file. The caller frees it. Errors: RED_E_MEMORY. */
enum red_status red_data_line_make(const struct red_input *input, char **line, struct red_error *error);

/* ---- launches --------------------------------------------------------------------------------------------
 * What the host program of `reproduce` launches and reads (launches.c). */

enum { RED_LISTED_LAUNCHES_MAX = 40, RED_LISTED_OUTS_MAX = 3 };

/* One launch: which program text, over what, how many elements and groups, and where to. */
struct red_listed_launch {
    unsigned pass;
    bool over_partials;
    uint64_t n, groups_n;
    unsigned from, to;  /* buffers of partial results; of a step that which it stores to, and the next one */
    const char *kernel; /* its name; NULL: the host stands in its place */
    unsigned used;      /* as in struct red_made_steps; of a reduction 1 if it takes a counter */
};

/* All that the host program does for a finish. */
struct red_launch_list {
    struct red_listed_launch rows[RED_LISTED_LAUNCHES_MAX];
    size_t n;
    uint64_t values_n[RED_LISTED_OUTS_MAX]; /* of each buffer that launches store to; 0: there is none */
    unsigned result;                        /* the buffer that is read, */
    uint64_t first, read_n;                 /* from its first value on so many */
    bool leaves_results; /* of the type of results, in the first buffer; otherwise of partial results */
    bool judges_one;     /* of results; otherwise the host program finds all of them */
    bool zeroes;         /* the first buffer is filled with zeros in front of the launches */
};

/* How many carries or copies so many groups leave: one each, or one for each item where items do not meet. */
uint64_t red_launches_parts_n(const struct red_reproduction *r);

/* Appends the launches of the finish where so many results stay on the device, each over sizes[its level] or,
 * of what groups leave, over the next level's, with groups_n[that level] groups. Where the order of additions
 * decides the last digits the wrong result alone is judged. */
void red_launches_add_steps(const struct red_reproduction *r, struct red_launch_list *list,
                            uint64_t results_n, const uint64_t *sizes, const uint64_t *groups_n,
                            const uint64_t *parts_groups_n);

/* Lists them for the finish of the reproduction, which red_reproduction_check has let pass. `list` is all
 * zeros before. */
void red_launches_list(const struct red_reproduction *reproduction, struct red_launch_list *list);

/* Whether a launch waits for the calls at a mailbox. */
bool red_launch_waits_for_calls(const struct red_reproduction *reproduction);

/* ---- primitives of reproductions -------------------------------------------------------------------------
 * What the host program of `reproduce` does of reductions, and where results stay on the device. */

struct red_reproduction_hooks {
    /* Makes the program text, which is the caller's to free, and sets the kernels of the launches. Errors:
     * those of red_emit_compose. */
    enum red_status (*make_kernel)(const struct red_build_spec *build, struct red_launch_list *list,
                                   char **kernel, struct red_error *error);
    /* Writes the call for a launch, without its semicolon. */
    void (*call_format)(const struct red_reproduction *r, const struct red_listed_launch *launch, char *text,
                        size_t text_bytes);
    /* Sets what is right, and how it is compared. */
    void (*set_answer)(struct red_blanks *blanks, const struct red_reproduction *r);
};
extern const struct red_reproduction_hooks red_reproduction_of_reductions, red_reproduction_of_results;

/* Sets the types of the results that are compared; halves are compared as floats. */
void red_blanks_set_result_types(struct red_blanks *blanks, const struct red_reproduction *r);

/* Sets how one value is judged: its text, and the comparison with the right one or with all that pass. */
void red_blanks_set_value(struct red_blanks *blanks, const struct red_reproduction *r);

/* A value of a type as a constant of C. */
void red_literal_format(const struct red_dtype *dtype, struct red_value value, char *text, size_t text_bytes);

#endif
