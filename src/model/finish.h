/* Finishes: who turns partial results into one value, or into the prefixes of a scan (`finish:` of a
 * manifest). A finish is one row here, with all that the program knows of it, and one red_finish_<name> in
 * cl/finish_*.c, which says what is launched and read. */
#ifndef CLREDUCE_MODEL_FINISH_H
#define CLREDUCE_MODEL_FINISH_H

#include "model/types.h"

/* Additions behind the groups' own, of G groups, one after the other in the worst case (oracle/truth.c). */
enum red_finish_chain {
    RED_CHAIN_NONE,   /* a single group */
    RED_CHAIN_HOST,   /* G - 1, in double */
    RED_CHAIN_GROUPS, /* G - 1, in the accumulator's type */
    RED_CHAIN_PASSES, /* a group's, and its lanes', in every further pass */
    RED_CHAIN_ATOMIC  /* one for each value that is handed in, of groups or items */
};

enum {
    RED_FINISH_EMITTED = 1 << 0,   /* emit's template has its host side */
    RED_FINISH_PASSES = 1 << 1,    /* launches until one value is left: each must leave fewer than it reads */
    RED_FINISH_PARTIALS = 1 << 2,  /* the kernel runs over partial results, too */
    RED_FINISH_ATOMIC = 1 << 3,    /* into one accumulator, which an atomic operation must hold */
    RED_FINISH_ITEMS = 1 << 4,     /* items may hand in values of their own, group none */
    RED_FINISH_FLAG = 1 << 5,      /* one flag stands beside the value, which must be a word */
    RED_FINISH_WAITS = 1 << 6,     /* a launch waits between calls */
    RED_FINISH_ONE_GROUP = 1 << 7, /* several would have to run at once, which OpenCL does not promise */
    RED_FINISH_EXACT = 1 << 8,     /* the host gets sums without rounding, and rounds once */
    RED_FINISH_ORDERS = 1 << 9,    /* groups of a launch read what others of it wrote */
    RED_FINISH_PRIMITIVE_BIT = 16  /* from here on the primitive that alone has it, and has no other */
};
#define RED_FINISH_OF(primitive) (RED_PRIMITIVE_##primitive << RED_FINISH_PRIMITIVE_BIT)

#define RED_SPAN_BIT(id) (1u << RED_STRATEGY_##id)

/* X(id, name, spans, wants, chain, burden, traits)
 *   spans   that it is for, 0: all, and `wants`: these in words, with the reason
 *   burden  how much there is to get right: of strategies that are as fast, recommend takes the lesser
 *   traits  bits of RED_FINISH_..., and of a primitive other than reductions RED_FINISH_OF it */
#define RED_FINISHES(X)                                                                                      \
    /* the host reads all partial results and folds them */                                                  \
    X(HOST, host, 0, "", HOST, 0, RED_FINISH_EMITTED)                                                        \
    /* the same kernel runs over the partial results until one is left */                                    \
    X(PASSES, passes, RED_SPAN_BIT(EACH), "span 'each'", PASSES, 2,                                          \
      RED_FINISH_EMITTED | RED_FINISH_PASSES | RED_FINISH_PARTIALS)                                          \
    /* passes, and the host waits for the event of each launch before it enqueues the next */                \
    X(PASSES_WAITING, passes_waiting, RED_SPAN_BIT(EACH), "span 'each'", PASSES, 3,                          \
      RED_FINISH_PASSES | RED_FINISH_PARTIALS)                                                               \
    /* the same text runs as a second kernel of one group, which leaves one value */                         \
    X(TWO_KERNELS, two_kernels, RED_SPAN_BIT(STRIDE) | RED_SPAN_BIT(CHUNK),                                  \
      "span 'stride' or 'chunk': one group takes all", GROUPS, 1, RED_FINISH_EMITTED | RED_FINISH_PARTIALS)  \
    /* a launch stores the term of each element; the kernel runs over these; then as host */                 \
    X(STORED, stored, RED_SPAN_BIT(EACH) | RED_SPAN_BIT(SEGMENT),                                            \
      "span 'each' or 'segment': an item stores one term", HOST, 2, RED_FINISH_PARTIALS)                     \
    /* the same text runs twice over the elements, then as one group over what it left */                    \
    X(SWEEPS, sweeps, 0, "", GROUPS, 3, 0)                                                                   \
    /* groups leave the digits of exact sums of floats; the host adds them up and rounds once */             \
    X(WORDS, words, RED_SPAN_BIT(ONE) | RED_SPAN_BIT(EACH) | RED_SPAN_BIT(STRIDE) | RED_SPAN_BIT(CHUNK),     \
      "a span of one array: its host rounds one sum", NONE, 1, RED_FINISH_EXACT)                             \
    /* words, which the last group adds up; the host spins on a flag beside each, in memory it sees */       \
    X(POLLED_WORDS, polled_words, RED_SPAN_BIT(STRIDE) | RED_SPAN_BIT(CHUNK),                                \
      "span 'stride' or 'chunk': its last group adds up words", NONE, 8,                                     \
      RED_FINISH_EXACT | RED_FINISH_ORDERS)                                                                  \
    /* groups or items add to one accumulator that the host reads */                                         \
    X(ATOMIC, atomic, 0, "", ATOMIC, 4, RED_FINISH_EMITTED | RED_FINISH_ATOMIC | RED_FINISH_ITEMS)           \
    /* the group that comes last brings the partial results together in out[0] */                            \
    X(LAST_GROUP, last_group, 0, "", GROUPS, 5, RED_FINISH_EMITTED | RED_FINISH_ORDERS)                      \
    /* like host, but the partial results lie in shared virtual memory: no read command */                   \
    X(SVM, svm, 0, "", HOST, 6, RED_FINISH_EMITTED)                                                          \
    /* last_group, and the host spins on a flag beside the result, in memory it sees */                      \
    X(POLLED, polled, 0, "", GROUPS, 8, RED_FINISH_EMITTED | RED_FINISH_ORDERS)                              \
    /* one launch waits for call after call; host and kernel share a mailbox */                              \
    X(PERSISTENT, persistent, RED_SPAN_BIT(ONE) | RED_SPAN_BIT(STRIDE) | RED_SPAN_BIT(CHUNK),                \
      "span 'one', 'stride' or 'chunk': it has one group", NONE, 9,                                          \
      RED_FINISH_FLAG | RED_FINISH_WAITS | RED_FINISH_ONE_GROUP)                                             \
    /* the kernel enqueues what leaves the result in out[0] */                                               \
    X(DEVICE_ENQUEUE, device_enqueue, 0, "", GROUPS, 9, 0)                                                   \
    /* two_kernels, recorded once and replayed */                                                            \
    X(COMMAND_BUFFER, command_buffer, RED_SPAN_BIT(STRIDE) | RED_SPAN_BIT(CHUNK),                            \
      "span 'stride' or 'chunk': one group takes all", GROUPS, 8, RED_FINISH_PARTIALS)                       \
    /* one launch leaves all prefixes: groups hand carries on, or there is one item */                       \
    X(SINGLE_PASS, single_pass, 0, "", ATOMIC, 5,                                                            \
      RED_FINISH_EMITTED | RED_FINISH_OF(SCAN) | RED_FINISH_ITEMS | RED_FINISH_ORDERS)                       \
    /* groups scan their tiles; one scans the groups' sums; each is added to its tile: 4 n elements move */  \
    X(SCAN_THEN_PROPAGATE, scan_then_propagate, 0, "", ATOMIC, 2,                                            \
      RED_FINISH_EMITTED | RED_FINISH_OF(SCAN) | RED_FINISH_ITEMS)                                           \
    /* groups reduce their tiles; one scans the sums; groups scan their tiles behind them: 3 n */            \
    X(REDUCE_THEN_SCAN, reduce_then_scan, 0, "", ATOMIC, 1,                                                  \
      RED_FINISH_EMITTED | RED_FINISH_OF(SCAN) | RED_FINISH_ITEMS)                                           \
    /* the same, but the host scans the sums */                                                              \
    X(HOST_CARRIES, host_carries, 0, "", ATOMIC, 0,                                                          \
      RED_FINISH_EMITTED | RED_FINISH_OF(SCAN) | RED_FINISH_ITEMS)                                           \
    /* scan_then_propagate, of which the sums' own scan is one: the same text over the sums */               \
    X(TWO_LEVELS, two_levels, RED_SPAN_BIT(EACH), "span 'each': a group has a tile", ATOMIC, 3,              \
      RED_FINISH_EMITTED | RED_FINISH_OF(SCAN))                                                              \
    /* the counts are set to zero; groups or items add to them */                                            \
    X(ZEROED_COUNTS, zeroed_counts, 0, "", NONE, 1,                                                          \
      RED_FINISH_EMITTED | RED_FINISH_OF(HISTOGRAM) | RED_FINISH_ATOMIC | RED_FINISH_ITEMS)                  \
    /* each group or item leaves a copy of all counts; a second launch adds up the copies */                 \
    X(JOINED_COPIES, joined_copies, 0, "", NONE, 2,                                                          \
      RED_FINISH_EMITTED | RED_FINISH_OF(HISTOGRAM) | RED_FINISH_ITEMS)                                      \
    /* groups add to the state; the last one moves counts from it, or who adds last to each */               \
    X(ONE_LAUNCH_COUNTS, one_launch_counts, 0, "", NONE, 5,                                                  \
      RED_FINISH_EMITTED | RED_FINISH_OF(HISTOGRAM) | RED_FINISH_ATOMIC | RED_FINISH_ITEMS |                 \
          RED_FINISH_ORDERS)

#define RED_FINISH_ENUM(id, name, spans, wants, chain, burden, traits) RED_STRATEGY_##id,
enum red_finish_kind { RED_FINISHES(RED_FINISH_ENUM) RED_FINISHES_N };
#undef RED_FINISH_ENUM

struct red_finish {
    unsigned spans;    /* bits by enum red_span; 0: all */
    const char *wants; /* these in words; empty: all */
    enum red_finish_chain chain;
    int burden;
    unsigned traits;
};

extern const struct red_finish red_finish_rows[RED_FINISHES_N];
extern const char *const red_finish_names[RED_FINISHES_N];

#endif
