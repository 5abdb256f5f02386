/* Litmus tests of the memory model: a file of kernels_cl12/litmus or kernels_cl20/litmus says by events what
 * each work-item does, which outcome is weak, and whether OpenCL forbids it (docs/memory-model.md has the
 * format). Kernels are made from the events (cl/litmus_text.c), and the oracle judges them
 * (tests/litmus/oracle.py). */
#ifndef CLREDUCE_MODEL_LITMUS_H
#define CLREDUCE_MODEL_LITMUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "model/need.h"

enum {
    RED_LITMUS_ITEMS_MAX = 4,
    RED_LITMUS_EVENTS_MAX = 8,
    RED_LITMUS_WORDS_MAX = 4,
    RED_LITMUS_REGISTERS_MAX = 8,
    RED_LITMUS_WEAK_MAX = 6,
    RED_LITMUS_MUTANTS_MAX = 8,
    RED_LITMUS_TESTS_MAX = 160,
    RED_LITMUS_UNREAD = 7, /* the value of a register that was never read */
};

enum red_litmus_family {
    RED_LITMUS_MP,
    RED_LITMUS_SB,
    RED_LITMUS_LB,
    RED_LITMUS_S,
    RED_LITMUS_R,
    RED_LITMUS_2W,
    RED_LITMUS_CO,
    RED_LITMUS_ATOMICITY,
    RED_LITMUS_WRC,
    RED_LITMUS_ISA2,
    RED_LITMUS_IRIW,
    RED_LITMUS_PUBLISH,
    RED_LITMUS_FAMILIES_N
};
extern const char *const red_litmus_family_names[RED_LITMUS_FAMILIES_N];

/* Orders of accesses and fences; those before RLX are of OpenCL 1.x, and have no scope. */
enum red_litmus_order {
    RED_LITMUS_NO_ORDER, /* of a barrier */
    RED_LITMUS_PLAIN,
    RED_LITMUS_VOLATILE,
    RED_LITMUS_XCHG,  /* atomic_xchg */
    RED_LITMUS_OR,    /* a load by atomic_or(p, 0) */
    RED_LITMUS_ADD,   /* atomic_add */
    RED_LITMUS_MEM,   /* mem_fence */
    RED_LITMUS_WRITE, /* write_mem_fence */
    RED_LITMUS_READ,  /* read_mem_fence */
    RED_LITMUS_RLX,
    RED_LITMUS_ACQ,
    RED_LITMUS_REL,
    RED_LITMUS_AR,
    RED_LITMUS_SC,
    RED_LITMUS_ORDERS_N
};
enum red_litmus_scope { RED_LITMUS_NO_SCOPE, RED_LITMUS_WG, RED_LITMUS_DEV, RED_LITMUS_ALL };
enum { RED_LITMUS_GLOBAL = 1, RED_LITMUS_LOCAL = 2 }; /* flags of fences and barriers */

struct red_litmus_event {
    char kind; /* 'W' store, 'R' load, 'X' read-modify-write, 'F' fence, 'B' barrier */
    enum red_litmus_order order;
    enum red_litmus_scope scope;
    unsigned flags;  /* of F and B: RED_LITMUS_GLOBAL | RED_LITMUS_LOCAL */
    unsigned word;   /* of W, R and X: its index */
    uint64_t value;  /* that W and X store, or X adds */
    bool adds;       /* X adds its value, 1 */
    unsigned reg;    /* of R and X: the register that gets the value found */
    bool is_guarded; /* it happens only if guard_reg has guard_value */
    unsigned guard_reg;
    uint64_t guard_value;
    char role; /* of a publication: 'a' by all items of the group, 'o' by item 0 alone */
};

/* The events of the items, or of the two groups of a publication. */
struct red_litmus_events {
    struct red_litmus_event at[RED_LITMUS_ITEMS_MAX][RED_LITMUS_EVENTS_MAX];
    unsigned n[RED_LITMUS_ITEMS_MAX];
};

struct red_litmus_word {
    char name;
    bool is_local;
    bool is_64;
};

/* A part of the weak outcome: a register or the final value of a word, against a number or a register. */
struct red_litmus_condition {
    bool is_word; /* what stands on the left */
    unsigned left;
    char operator;    /* '=', '!' (not equal) or '>' */
    bool is_register; /* what stands on the right */
    uint64_t right;
};

enum red_litmus_verdict {
    RED_LITMUS_FORBIDDEN,
    RED_LITMUS_ALLOWED,
    RED_LITMUS_NOTHING, /* nothing promised: a race */
    RED_LITMUS_VERDICTS_N
};
extern const char *const red_litmus_verdict_names[RED_LITMUS_VERDICTS_N];

struct red_litmus_mutant {
    char name[24];
    struct red_litmus_events events;
};

struct red_litmus_test {
    char name[32], counterpart[32], idea[104], section[64];
    char unsettled[160]; /* why its verdict is not settled; empty: it is */
    enum red_litmus_family family;
    bool is_20; /* of kernels_cl20 */
    struct red_litmus_word words[RED_LITMUS_WORDS_MAX];
    unsigned words_n;
    unsigned items_n;                     /* of a publication 2: the groups */
    unsigned place[RED_LITMUS_ITEMS_MAX]; /* the group of each item */
    struct red_litmus_events events;
    struct red_litmus_condition weak[RED_LITMUS_WEAK_MAX];
    unsigned weak_n;
    enum red_litmus_verdict verdict, verdict_31; /* up to OpenCL 3.0, and from 3.1 */
    struct red_litmus_mutant mutants[RED_LITMUS_MUTANTS_MAX];
    unsigned mutants_n;
    const char *path; /* borrowed */
};

/* Reads a test; it borrows the path. Errors: RED_E_INPUT as "path:line: ...". */
enum red_status red_litmus_read(const char *path, const char *text, struct red_litmus_test *test,
                                struct red_error *error);

/* All tests that are embedded, by family and then as their folders have them. Release with free. Errors:
 * RED_E_MEMORY, RED_E_INPUT. */
enum red_status red_litmus_list(struct red_litmus_test **tests, size_t *tests_n, struct red_error *error);

/* The one of this name (or NULL); NULL where there is none. */
const struct red_litmus_test *red_litmus_by_name(const struct red_litmus_test *tests, size_t tests_n,
                                                 const char *name);

/* Whether it is of the family publish, whose events are of groups. */
bool red_litmus_is_publication(const struct red_litmus_test *test);

/* The events of variant v: 0 the test itself, from 1 on its mutants. */
const struct red_litmus_events *red_litmus_variant(const struct red_litmus_test *test, unsigned v);

/* What a device must advertise so that a weak outcome of the test is a fault of its driver, as a set
 * of needs: the orders and scopes of its C11 atomics, its fences, and 64-bit atomics. */
red_set red_litmus_needs(const struct red_litmus_test *test);

#endif
