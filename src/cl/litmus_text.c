/* Makes the kernels of a litmus test from its events. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/litmus.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/catalogue.h"

static const char *const c11_orders[RED_LITMUS_ORDERS_N] = {[RED_LITMUS_RLX] = "memory_order_relaxed",
                                                            [RED_LITMUS_ACQ] = "memory_order_acquire",
                                                            [RED_LITMUS_REL] = "memory_order_release",
                                                            [RED_LITMUS_AR] = "memory_order_acq_rel",
                                                            [RED_LITMUS_SC] = "memory_order_seq_cst"};
static const char *const c11_scopes[] = {"", "memory_scope_work_group", "memory_scope_device",
                                         "memory_scope_all_svm_devices"};
static const char *const flags[] = {"0", "CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE",
                                    "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"};

/* The members of struct red_litmus_parameters in their order. */
enum { PARAMETERS_N = sizeof(struct red_litmus_parameters) / sizeof(uint32_t) };
static const char *const parameters[PARAMETERS_N] = {
    "INSTANCES",  "GROUPS", "STRIDE", "DISTANCE", "SHIFT",    "REVERSE",      "PRELOAD",  "IN_STEP",
    "MEET_POLLS", "ROUNDS", "POLLS",  "SPREAD",   "TURNS",    "SCRATCH_MASK", "PATTERN",  "SEED",
    "BASE_0",     "BASE_1", "BASE_2", "BASE_3",   "FACTOR_0", "FACTOR_1",     "FACTOR_2", "FACTOR_3"};

/* ---- events -------------------------------------------------------------------------------------------- */

/* Whether it gives a register a value. */
static bool reads(const struct red_litmus_event *event) {
    return event->kind == 'R' || event->kind == 'X';
}

static const char *type_of(const struct red_litmus_word *word) {
    return word->is_64 ? "ulong" : "uint";
}

/* "((volatile global atomic_uint *)word_x)", for an access of that order. */
static struct red_short_text place_text(const struct red_litmus_test *test,
                                        const struct red_litmus_event *event) {
    const struct red_litmus_word *word = &test->words[event->word];
    struct red_short_text made;
    snprintf(made.text, sizeof made.text, "((%s%s %s%s *)word_%c)",
             event->order == RED_LITMUS_PLAIN ? "" : "volatile ", word->is_local ? "local" : "global",
             event->scope != RED_LITMUS_NO_SCOPE ? "atomic_" : "", type_of(word), word->name);
    return made;
}

static void put_atomic_c11(FILE *out, const struct red_litmus_test *test,
                           const struct red_litmus_event *event, const char *place) {
    fprintf(out, "atomic_%s_explicit(%s",
            event->kind == 'W'   ? "store"
            : event->kind == 'R' ? "load"
            : event->adds        ? "fetch_add"
                                 : "exchange",
            place);
    if (event->kind != 'R')
        fprintf(out, ", (%s)%" PRIu64 "u", type_of(&test->words[event->word]), event->value);
    fprintf(out, ", %s, %s)", c11_orders[event->order], c11_scopes[event->scope]);
}

/* OpenCL 1.x's atomics of 64 bits are of an extension, and have another name. */
static void put_access(FILE *out, const struct red_litmus_test *test, const struct red_litmus_event *event) {
    const struct red_short_text place = place_text(test, event);
    if (event->kind != 'W')
        fprintf(out, "r[%u] = ", event->reg);
    if (event->scope != RED_LITMUS_NO_SCOPE)
        put_atomic_c11(out, test, event, place.text);
    else if (event->order != RED_LITMUS_PLAIN && event->order != RED_LITMUS_VOLATILE)
        fprintf(out, "%s_%s(%s, %" PRIu64 "u)", test->words[event->word].is_64 ? "atom" : "atomic",
                event->order != RED_LITMUS_XCHG ? "add" : "xchg", place.text, event->value);
    else if (event->kind == 'W')
        fprintf(out, "*%s = %" PRIu64 "u", place.text, event->value);
    else
        fprintf(out, "*%s", place.text);
}

static void put_fence(FILE *out, const struct red_litmus_event *event) {
    static const char *const names[RED_LITMUS_ORDERS_N] = {[RED_LITMUS_MEM] = "mem_fence",
                                                           [RED_LITMUS_WRITE] = "write_mem_fence",
                                                           [RED_LITMUS_READ] = "read_mem_fence"};
    if (event->scope == RED_LITMUS_NO_SCOPE)
        fprintf(out, "%s(%s)", names[event->order], flags[event->flags]);
    else
        fprintf(out, "atomic_work_item_fence(%s, %s, %s)", flags[event->flags], c11_orders[event->order],
                c11_scopes[event->scope]);
}

static void put_barrier(FILE *out, const struct red_litmus_event *event) {
    if (event->scope == RED_LITMUS_NO_SCOPE)
        fprintf(out, "    barrier(%s);\n", flags[event->flags]);
    else
        fprintf(out, "    work_group_barrier(%s, %s);\n", flags[event->flags], c11_scopes[event->scope]);
}

/* A statement for an event that is no barrier. */
static void put_event(FILE *out, const struct red_litmus_test *test, const struct red_litmus_event *event) {
    fputs("        ", out);
    if (event->is_guarded)
        fprintf(out, "if (r[%u] == %" PRIu64 "u) ", event->guard_reg, event->guard_value);
    if (event->kind == 'F')
        put_fence(out, event);
    else
        put_access(out, test, event);
    fputs(";\n", out);
}

/* ---- items --------------------------------------------------------------------------------------------- */

/* Pointers to the words of instance `i`; in local memory those of the group's own instances. */
static void put_words(FILE *out, const struct red_litmus_test *test) {
    for (unsigned w = 0; w < test->words_n; w++) {
        const struct red_litmus_word *word = &test->words[w];
        if (word->is_local)
            fprintf(out,
                    "        local UNIT *word_%c = local_words + %u * LITMUS_LOCAL + i %% "
                    "(uint)get_local_size(0);\n",
                    word->name, w);
        else
            fprintf(out,
                    "        global UNIT *word_%c = words + BASE_%u + SCRAMBLE(i, FACTOR_%u) * STRIDE;\n",
                    word->name, w, w);
    }
}

/* The part of an item's events between barriers; it gives the first event behind it. */
static unsigned put_segment(FILE *out, const struct red_litmus_test *test,
                            const struct red_litmus_events *events, unsigned item, unsigned from) {
    unsigned e = from;
    for (; e < events->n[item] && events->at[item][e].kind != 'B'; e++)
        put_event(out, test, &events->at[item][e]);
    return e;
}

/* The registers that an item has read, where the kernel that counts finds them. */
static void put_registers(FILE *out, const struct red_litmus_events *events, unsigned item, const char *i) {
    for (unsigned e = 0; e < events->n[item]; e++) {
        const struct red_litmus_event *event = &events->at[item][e];
        if (reads(event))
            fprintf(out, "    registers[%u * INSTANCES + %s] = r[%u];\n", event->reg, i, event->reg);
    }
}

#define REGISTERS "    UNIT r[8] = {7, 7, 7, 7, 7, 7, 7, 7};\n"

/* Groups of items: each item has every role, of another instance each, so that nothing diverges. */
static void put_items(FILE *out, const struct red_litmus_test *test, const struct red_litmus_events *events) {
    unsigned next[RED_LITMUS_ITEMS_MAX] = {0};
    fputs(
        "    local UNIT local_words[4 * LITMUS_LOCAL];\n    const uint group = litmus_group(p);\n"
        "    if (group >= GROUPS) {\n        litmus_disturb(scratch, p);\n        return;\n    }\n" REGISTERS
        "    for (uint w = 0; w < 4; w++)\n        local_words[w * LITMUS_LOCAL + get_local_id(0)] = 0;\n"
        "    UNIT sum = 0;\n",
        out);
    for (unsigned item = 0; item < test->items_n; item++) {
        char distance[24] = "0";
        if (test->place[item] != test->place[0])
            snprintf(distance, sizeof distance, "DISTANCE + %u", test->place[item] - 1);
        fprintf(out,
                "    const uint i%u = litmus_instance(p, group, %s, %u * SHIFT);\n"
                "    if (PRELOAD) {\n        const uint i = i%u;\n",
                item, distance, item, item);
        for (unsigned w = 0; w < test->words_n; w++)
            if (!test->words[w].is_local) /* of the word's line; what is there nobody writes */
                fprintf(out, "        sum += words[BASE_%u + SCRAMBLE(i, FACTOR_%u) * STRIDE + 1];\n", w, w);
        fputs("    }\n", out);
    }
    fputs("    if (sum != 0)\n        scratch[0] = 1;\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
          "    litmus_meet(meeting, target, p);\n",
          out);
    const struct red_litmus_event *barrier;
    do {
        barrier = NULL;
        fprintf(out,
                "    for (uint turn = 0; turn < %u; turn++)\n        switch (REVERSE ? %u - turn : turn) {\n",
                test->items_n, test->items_n - 1);
        for (unsigned item = 0; item < test->items_n; item++) {
            fprintf(out, "    case %u: {\n        const uint i = i%u;\n", item, item);
            put_words(out, test);
            next[item] = put_segment(out, test, events, item, next[item]);
            if (next[item] < events->n[item])
                barrier = &events->at[item][next[item]++];
            fputs("    } break;\n", out);
        }
        fputs("    }\n", out);
        if (barrier != NULL)
            put_barrier(out, barrier);
    } while (barrier != NULL);
    for (unsigned item = 0; item < test->items_n; item++) {
        char i[16];
        snprintf(i, sizeof i, "i%u", item);
        put_registers(out, events, item, i);
    }
    fputs("}\n", out);
}

/* Groups of one item, each of which has one role. */
static void put_stepped(FILE *out, const struct red_litmus_test *test,
                        const struct red_litmus_events *events) {
    fprintf(out,
            "    for (uint i = 0; i < INSTANCES; i++) {\n" REGISTERS
            "        const uint role = (uint)get_group_id(0), pause = (i * SHIFT + role * DISTANCE) & 15;\n"
            "        if (!litmus_step(meeting, (i + 1) * %u, pause, p))\n            return;\n"
            "        switch (role) {\n",
            test->items_n);
    for (unsigned item = 0; item < test->items_n; item++) {
        fprintf(out, "    case %u: {\n", item);
        put_words(out, test);
        put_segment(out, test, events, item, 0);
        put_registers(out, events, item, "i");
        fputs("    } break;\n", out);
    }
    fputs("        }\n    }\n    atomic_inc(meeting + 1);\n}\n", out);
}

/* ---- publications -------------------------------------------------------------------------------------- */

/* The events of group 0 or 1. What item 0 reads the group gets at the first barrier behind it, and item 0
 * reads a flag again until it is not 0. */
static void put_group(FILE *out, const struct red_litmus_test *test, const struct red_litmus_events *events,
                      unsigned group) {
    const struct red_litmus_event *handed = NULL;
    for (unsigned e = 0; e < events->n[group]; e++) {
        const struct red_litmus_event *event = &events->at[group][e];
        const bool is_by_one = event->role == 'o', is_handed = is_by_one && reads(event),
                   is_polled = is_handed && group == 1;
        if (event->kind == 'B') {
            if (handed != NULL)
                fprintf(out, "    if (get_local_id(0) == 0)\n        handed[0] = r[%u];\n", handed->reg);
            put_barrier(out, event);
            if (handed != NULL)
                fprintf(out, "    r[%u] = handed[0];\n", handed->reg);
            handed = NULL;
            continue;
        }
        if (is_by_one)
            fputs("    if (get_local_id(0) == 0) {\n", out);
        if (is_polled)
            fputs("    uint polls = 0;\n    do {\n", out);
        put_event(out, test, event);
        if (is_polled)
            fprintf(out, "    } while (r[%u] == 0 && ++polls < POLLS);\n", event->reg);
        if (is_by_one)
            fputs("    }\n", out);
        handed = is_handed ? event : handed;
    }
}

/* Half of the groups send and half receive, round after round with other words. */
static void put_publication(FILE *out, const struct red_litmus_test *test,
                            const struct red_litmus_events *events) {
    fputs("    local UNIT handed[1];\n    const uint group = litmus_group(p), group_size = "
          "(uint)get_local_size(0);\n"
          "    if (group >= GROUPS) {\n        litmus_disturb(scratch, p);\n        return;\n    }\n"
          "    const uint pairs = GROUPS / 2;\n    const bool sends = group < pairs;\n"
          "    const uint pair = sends ? group : (group - pairs + DISTANCE) % pairs;\n"
          "    UNIT sum = 0;\n    litmus_meet(meeting, target, p);\n"
          "    for (uint round = 0; round < ROUNDS; round++) {\n" REGISTERS
          "    const uint first = (round * pairs + pair) * group_size;\n"
          "    const uint i = first + ((uint)get_local_id(0) + (sends ? 0 : SHIFT)) % group_size;\n",
          out);
    for (unsigned w = 0; w < test->words_n; w++)
        fprintf(out, "    global UNIT *word_%c = words + BASE_%u + SCRAMBLE(%s, FACTOR_%u) * STRIDE;\n",
                test->words[w].name, w, w == 0 ? "i" : "first", w);
    fputs("    if (PRELOAD)\n        sum += word_x[1];\n    if (sends) {\n", out);
    put_group(out, test, events, 0);
    fputs("    } else {\n", out);
    put_group(out, test, events, 1);
    put_registers(out, events, 1, "i");
    fputs("    }\n    barrier(CLK_LOCAL_MEM_FENCE);\n    }\n    if (sum != 0)\n        scratch[0] = 1;\n}\n",
          out);
}

/* ---- the program --------------------------------------------------------------------------------------- */

/* How many registers the test and its mutants read. */
static unsigned registers_of(const struct red_litmus_test *test) {
    unsigned n = 0;
    for (unsigned v = 0; v <= test->mutants_n; v++)
        for (unsigned item = 0; item < test->items_n; item++)
            for (unsigned e = 0; e < red_litmus_variant(test, v)->n[item]; e++) {
                const struct red_litmus_event *event = &red_litmus_variant(test, v)->at[item][e];
                if (reads(event) && event->reg >= n)
                    n = event->reg + 1;
            }
    return n;
}

/* Counts weak outcomes, and leaves all words and registers as they were before. */
static void put_count(FILE *out, const struct red_litmus_test *test) {
    fprintf(out,
            "kernel void %s_count(global UNIT *words, global UNIT *registers, volatile global uint *counts,\n"
            "              constant uint *p, const uint slot) {\n"
            "    for (uint i = (uint)get_global_id(0); i < INSTANCES; i += (uint)get_global_size(0)) {\n"
            "        UNIT r[8];\n",
            test->name);
    const unsigned registers_n = registers_of(test);
    for (unsigned r = 0; r < registers_n; r++)
        fprintf(out, "        r[%u] = registers[%u * INSTANCES + i];\n", r, r);
    for (unsigned w = 0; w < test->words_n; w++)
        fprintf(out,
                "        global UNIT *at_%c = words + BASE_%u + SCRAMBLE(i, FACTOR_%u) * STRIDE;\n"
                "        const UNIT word_%c = *at_%c;\n        *at_%c = 0;\n",
                test->words[w].name, w, w, test->words[w].name, test->words[w].name, test->words[w].name);
    fputs("        if (true", out);
    for (unsigned c = 0; c < test->weak_n; c++) {
        const struct red_litmus_condition *condition = &test->weak[c];
        if (condition->is_word)
            fprintf(out, " && word_%c", test->words[condition->left].name);
        else
            fprintf(out, " && r[%u]", condition->left);
        fputs(condition->operator== '=' ? " == " : condition->operator== '!' ? " != " : " > ", out);
        fprintf(out, condition->is_register ? "r[%" PRIu64 "]" : "%" PRIu64 "u", condition->right);
    }
    fputs(")\n            atomic_inc(counts + slot);\n", out);
    for (unsigned r = 0; r < registers_n; r++)
        fprintf(out, "        registers[%u * INSTANCES + i] = %d;\n", r, RED_LITMUS_UNREAD);
    fputs("    }\n}\n", out);
}

static bool has_64(const struct red_litmus_test *test) {
    bool has = false;
    for (unsigned w = 0; w < test->words_n; w++)
        has = has || test->words[w].is_64;
    return has;
}

bool red_litmus_shares_program(const struct red_litmus_test *left, const struct red_litmus_test *right) {
    const red_set rare = RED_NEED(C11_ALL_DEVICES);
    return left->family == right->family && left->is_20 == right->is_20 && has_64(left) == has_64(right) &&
           (red_litmus_needs(left) & rare) == (red_litmus_needs(right) & rare);
}

static void put_test(FILE *out, const struct red_litmus_test *test, bool stepped) {
    fprintf(out, "\n/* %s: %s */\n", test->name, test->idea);
    for (unsigned v = 0; v <= test->mutants_n; v++) {
        const struct red_litmus_events *events = red_litmus_variant(test, v);
        fprintf(out,
                "kernel void %s_v%u(global UNIT *words, global UNIT *registers, global uint *scratch,\n"
                "              volatile global uint *meeting, constant uint *p, const uint target) {\n",
                test->name, v);
        if (red_litmus_is_publication(test))
            put_publication(out, test, events);
        else if (stepped)
            put_stepped(out, test, events);
        else
            put_items(out, test, events);
    }
    put_count(out, test);
}

enum red_status red_litmus_text(const struct red_litmus_test *const *tests, size_t tests_n, bool stepped,
                                char **text, struct red_error *error) {
    const bool is_64 = has_64(tests[0]);
    size_t bytes = 0;
    FILE *out = red_memstream_open(text, &bytes);
    if (out == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the kernels of %s", tests[0]->name);
    if (is_64)
        fputs("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n", out);
    fprintf(out, "#define UNIT %s\n#define LITMUS_LOCAL 256\n", is_64 ? "ulong" : "uint");
    for (size_t i = 0; i < PARAMETERS_N; i++)
        fprintf(out, "#define %s p[%zu]\n", parameters[i], i);
    fputs(red_embedded_find("lib/disturb.cl")->text, out);
    fputs(red_embedded_find("lib/litmus.cl")->text, out);
    for (size_t t = 0; t < tests_n; t++)
        put_test(out, tests[t], stepped);
    return red_memstream_close(out, text)
               ? RED_OK
               : red_fail(error, RED_E_MEMORY, "no memory for the kernels of %s", tests[0]->name);
}
