/* Launches litmus tests and their mutants in turn, in stress that is drawn from the seed, and keeps the
 * stress in which mutants show most often (MC Mutants, section 4.2). */
#include "cl/litmus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/cl_private.h"
#include "cl/progress.h"
#include "core/clock.h"
#include "core/numbers.h"
#include "core/random.h"
#include "core/select.h"
#include "core/text.h"
#include "model/catalogue.h"

enum {
    GROUP_SIZE = 256,        /* LITMUS_LOCAL of the kernels */
    SLOTS = 1 << 22,         /* places of a word at most, so that four words take 128 MiB */
    INSTANCES_MAX = 1 << 19, /* of a launch */
    STEPPED_MIN = 1 << 4,    /* of one whose groups meet at each instance */
    STEPPED_MAX = 1 << 14,
    FIRST_INSTANCES = 1 << 14,
    SCRATCH_WORDS = 1 << 24, /* 64 MiB, what disturbs an H100's L2 most */
    SCRATCH_WORDS_CPU = 1 << 20,
    COUNTS = 1 + RED_LITMUS_MUTANTS_MAX,
    POOL_MAX = 24 /* environments that are remembered */
};

/* The least time of a test whose groups meet at each instance, until FIRST_INSTANCES have counted: so that
 * they do on a busy machine. */
static const double MEET_S = 1;

/* A launch that is to become longer, and one that is to become shorter. */
static const double SHORT_S = 0.01, LONG_S = 0.08;

/* A drawn environment, and how often mutants have shown in it. */
struct environment {
    struct red_litmus_parameters p;
    size_t groups_n, group_size;
    double weak, instances; /* of mutants */
};

/* The buffers of a test. */
enum { WORDS, REGISTERS, SCRATCH, MEETING, PARAMETERS, SEEN, BUFFERS_N };

struct litmus {
    struct red_device *device;
    const struct red_litmus_test *test;
    bool stepped;
    cl_uint launch_instances; /* at most */
    cl_uint meet_polls;       /* of groups that meet at each instance */
    uint64_t random;
    cl_kernel kernels[COUNTS + 1]; /* of the test, of its mutants, and the one that counts */
    cl_mem buffers[BUFFERS_N];
    struct environment pool[POOL_MAX];
    unsigned pool_n;
    uint64_t met_n; /* launches whose groups wait for each other, and have all met */
};

static uint32_t draw(uint64_t *random, uint32_t least, uint32_t most) {
    return least + (uint32_t)(red_random(random) % (most - least + 1));
}

/* An odd number from 3 on that has no factor in common with n: i * it modulo n visits all. */
static cl_uint draw_coprime(uint64_t *random, cl_uint n) {
    for (;;) {
        const cl_uint factor = draw(random, 1, 1023) * 2 + 1;
        cl_uint a = n, b = factor;
        while (b != 0) {
            const cl_uint rest = a % b;
            a = b, b = rest;
        }
        if (a == 1)
            return factor;
    }
}

/* ---- environments -------------------------------------------------------------------------------------- */

/* Draws the stress of a launch of groups of many items. */
static void draw_wide(struct litmus *litmus, struct environment *environment) {
    static const cl_uint strides[] = {1, 2, 8, 32, 64};
    static const cl_uint waves[] = {1, 1, 2, 4, 8};
    static const cl_uint masks[] = {(1 << 16) - 1, (1 << 20) - 1, SCRATCH_WORDS - 1};
    uint64_t *random = &litmus->random;
    struct red_litmus_parameters *p = &environment->p;
    const bool publishes = red_litmus_is_publication(litmus->test);
    const cl_uint units = litmus->device->info.shape.compute_units;
    const cl_uint size = (cl_uint)red_lesser(litmus->device->info.shape.group_size_max, GROUP_SIZE);
    p->stride = strides[draw(random, 0, 4)];
    cl_uint groups = units * waves[draw(random, 0, 4)];
    const cl_uint instances_max = (cl_uint)red_lesser(SLOTS / p->stride, litmus->launch_instances);
    p->rounds = !publishes ? 1 : instances_max / size < 8 ? 4 : 16;
    const cl_uint each = size * p->rounds / (publishes ? 2 : 1);
    groups = groups * each > instances_max ? instances_max / each : groups;
    groups = groups < 8 ? 8 : groups & ~1u;
    p->groups = groups;
    p->instances = groups * each;
    p->distance = draw(random, 1, groups / 2 - 3);
    p->shift = draw(random, 1, size / 4);
    p->reverse = draw(random, 0, 1);
    p->preload = p->stride > 1 && draw(random, 0, 1);
    p->in_step = draw(random, 0, 1);
    p->meet_polls = 1024;
    p->polls = 256;
    p->scratch_mask = masks[draw(random, 0, 2)];
    p->pattern = draw(random, 0, 3);
    p->seed = (cl_uint)red_random(random);
    p->turns = 64 << draw(random, 0, 3);
    environment->group_size = size;
    environment->groups_n = groups + (draw(random, 0, 1) ? units * draw(random, 1, 2) : 0);
    p->spread = draw_coprime(random, (cl_uint)environment->groups_n);
}

/* The same of groups of one item that meet at each instance. */
static void draw_stepped(struct litmus *litmus, struct environment *environment) {
    static const cl_uint strides[] = {1, 16, 17, 32, 64};
    struct red_litmus_parameters *p = &environment->p;
    p->stride = strides[draw(&litmus->random, 0, 4)];
    p->instances = litmus->launch_instances;
    p->distance = draw(&litmus->random, 0, 15);
    p->shift = draw(&litmus->random, 0, 7);
    p->meet_polls = litmus->meet_polls;
    environment->groups_n = litmus->test->items_n;
    environment->group_size = 1;
}

static void draw_environment(struct litmus *litmus, struct environment *environment) {
    *environment = (struct environment){.weak = 0};
    if (litmus->stepped)
        draw_stepped(litmus, environment);
    else
        draw_wide(litmus, environment);
    struct red_litmus_parameters *p = &environment->p;
    for (cl_uint w = 0; w < RED_LITMUS_WORDS_MAX; w++) {
        p->base[w] = w * (SLOTS + 64);
        p->factor[w] = w == 0 || litmus->stepped ? 1 : draw_coprime(&litmus->random, p->instances);
    }
    if (litmus->test->family == RED_LITMUS_PUBLISH)
        p->factor[1] = 1; /* of the flag one is used of a group's many: any will do */
}

/* The best environment so far, or in every other round a new one, which takes the place of the worst. */
static struct environment *next_environment(struct litmus *litmus) {
    struct environment *best = &litmus->pool[0], *worst = best;
    for (unsigned i = 0; i < litmus->pool_n; i++) {
        struct environment *other = &litmus->pool[i];
        if (other->weak * best->instances > best->weak * other->instances)
            best = other;
        if (other->weak * worst->instances < worst->weak * other->instances)
            worst = other;
    }
    if (litmus->pool_n > 0 && best->weak > 0 && draw(&litmus->random, 0, 1) == 0)
        return best;
    struct environment *place = litmus->pool_n < POOL_MAX ? &litmus->pool[litmus->pool_n++] : worst;
    draw_environment(litmus, place);
    return place;
}

/* ---- launches ------------------------------------------------------------------------------------------ */

/* Makes all buffers, filled with zeros. */
static enum red_status make_buffers(struct litmus *litmus, struct red_error *error) {
    const size_t instances_max = litmus->stepped ? STEPPED_MAX : INSTANCES_MAX;
    const size_t bytes[BUFFERS_N] = {
        [WORDS] = litmus->test->words_n * (SLOTS + 64) * sizeof(cl_ulong),
        [REGISTERS] = RED_LITMUS_REGISTERS_MAX * instances_max * sizeof(cl_ulong),
        [SCRATCH] = (litmus->stepped ? SCRATCH_WORDS_CPU : SCRATCH_WORDS) * sizeof(cl_uint),
        [MEETING] = 2 * sizeof(cl_uint),
        [PARAMETERS] = sizeof(struct red_litmus_parameters),
        [SEEN] = COUNTS * sizeof(cl_uint)};
    const cl_uint zero = 0;
    cl_int code = CL_SUCCESS;
    for (size_t b = 0; b < BUFFERS_N && code == CL_SUCCESS; b++) {
        litmus->buffers[b] =
            clCreateBuffer(litmus->device->context, CL_MEM_READ_WRITE, bytes[b], NULL, &code);
        if (code == CL_SUCCESS)
            code = clEnqueueFillBuffer(litmus->device->queue, litmus->buffers[b], &zero, sizeof zero, 0,
                                       bytes[b], 0, NULL, NULL);
    }
    return red_cl_check(code, "buffers of a litmus test", error);
}

/* Launches a variant, and then counts what it has left. */
static cl_int launch(struct litmus *litmus, const struct environment *environment, cl_uint v) {
    const cl_uint *groups = &environment->p.groups;
    const cl_uint zero = 0; /* PoCL's CUDA back end fills with no pattern of 8 bytes */
    cl_command_queue queue = litmus->device->queue;
#define BUFFER(which)                                                                                        \
    { sizeof(cl_mem), &litmus->buffers[which] }
    const struct red_cl_argument arguments[] = {BUFFER(WORDS),      BUFFER(REGISTERS),
                                                BUFFER(SCRATCH),    BUFFER(MEETING),
                                                BUFFER(PARAMETERS), {sizeof *groups, groups}};
    const struct red_cl_argument of_count[] = {
        BUFFER(WORDS), BUFFER(REGISTERS), BUFFER(SEEN), BUFFER(PARAMETERS), {sizeof v, &v}};
#undef BUFFER
    const size_t size = environment->group_size,
                 count_groups_n = litmus->stepped ? 64 : red_ceil_div(environment->p.instances, size);
    cl_int code = clEnqueueFillBuffer(queue, litmus->buffers[MEETING], &zero, sizeof zero, 0, 2 * sizeof zero,
                                      0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = red_cl_launch_with(queue, litmus->kernels[v], arguments, 6, environment->groups_n, size, NULL);
    if (code == CL_SUCCESS)
        code = red_cl_launch_with(queue, litmus->kernels[1 + litmus->test->mutants_n], of_count, 5,
                                  count_groups_n, size, NULL);
    return code;
}

/* Whether the launch counts. Groups of one item that have not met at each instance have not played all roles:
 * what they leave counts for nothing. */
static cl_int read_meeting(struct litmus *litmus, const struct environment *environment, bool *is_whole) {
    cl_uint met[2] = {0, 0};
    *is_whole = !litmus->stepped;
    if (!litmus->stepped && !environment->p.in_step)
        return CL_SUCCESS;
    const cl_int code = red_cl_read(litmus->device->queue, litmus->buffers[MEETING], 0, met, sizeof met);
    const bool all_met = met[1] == (litmus->stepped ? environment->groups_n : environment->p.groups);
    *is_whole = *is_whole || all_met;
    litmus->met_n += all_met;
    return code;
}

/* Launches all variants once in an environment, and adds what was seen: of mutants where the test's own
 * launch counts, too. *have_met: every launch counts. */
static enum red_status run_round(struct litmus *litmus, double begun_s, struct red_litmus_outcome *outcome,
                                 bool *have_met, struct red_error *error) {
    struct environment *environment = next_environment(litmus);
    cl_uint counts[COUNTS] = {0};
    bool is_whole[COUNTS] = {false};
    const cl_mem *buffers = litmus->buffers;
    cl_command_queue queue = litmus->device->queue;
    cl_int code = red_cl_write(queue, buffers[PARAMETERS], 0, &environment->p, sizeof environment->p);
    if (code == CL_SUCCESS)
        code = red_cl_write(queue, buffers[SEEN], 0, counts, sizeof counts);
    for (unsigned v = 0; v < outcome->variants_n && code == CL_SUCCESS; v++) {
        code = launch(litmus, environment, v);
        if (code == CL_SUCCESS)
            code = read_meeting(litmus, environment, &is_whole[v]);
    }
    if (code == CL_SUCCESS)
        code = red_cl_read(queue, buffers[SEEN], 0, counts, sizeof counts);
    const double took_s = red_clock_s() - begun_s;
    *have_met = true;
    for (unsigned v = 0; v < outcome->variants_n && code == CL_SUCCESS; v++) {
        struct red_litmus_seen *seen = &outcome->of[v];
        const bool counts_here = is_whole[v] && is_whole[0];
        const uint64_t instances = counts_here ? environment->p.instances : 0,
                       weak = counts_here ? counts[v] : 0;
        *have_met = *have_met && is_whole[v];
        seen->instances += instances;
        seen->weak += weak;
        if (weak > 0 && seen->first_s <= 0)
            seen->first_s = took_s;
        environment->instances += v > 0 ? (double)instances : 0;
        environment->weak += v > 0 ? (double)weak : 0;
    }
    return red_cl_check(code, "a litmus test", error);
}

/* Lets launches become longer until one takes some 5 to 40 ms: a device may be a thousand times slower than
 * another one. Where groups did not meet, or a launch took long, another process may have had a processor:
 * shorter ones are more often done before that happens. */
static void adapt(struct litmus *litmus, double launch_s, bool have_met) {
    const cl_uint before = litmus->launch_instances;
    if (!litmus->stepped && launch_s < SHORT_S / 2 && before < INSTANCES_MAX)
        litmus->launch_instances = 4 * before;
    else if (litmus->stepped && have_met && launch_s < SHORT_S && before < STEPPED_MAX)
        litmus->launch_instances = 4 * before;
    else if (litmus->stepped && (!have_met || launch_s > LONG_S) && before > STEPPED_MIN)
        litmus->launch_instances = before / 4;
    if (litmus->launch_instances != before)
        litmus->pool_n = 0;
}

/* Whether there is time for one more round. Where other processes have the processors, a test whose groups
 * are to meet has MEET_S for its first instances, and where none has met by then, no more. */
static bool has_time(const struct litmus *litmus, const struct red_litmus_outcome *outcome, double passed_s,
                     double budget_s) {
    const bool are_few = litmus->stepped && outcome->of[0].instances < FIRST_INSTANCES;
    if (litmus->stepped && litmus->met_n == 0)
        return passed_s < MEET_S;
    return passed_s < (are_few ? fmax(budget_s, MEET_S) : budget_s);
}

/* Runs rounds until the budget is over, or the test has shown a weak outcome. The first does not count: some
 * drivers compile then. */
static enum red_status run_rounds(struct litmus *litmus, double budget_s, struct red_litmus_outcome *outcome,
                                  struct red_error *error) {
    struct red_litmus_outcome uncounted = *outcome;
    bool have_met;
    enum red_status status = run_round(litmus, red_clock_s(), &uncounted, &have_met, error);
    litmus->met_n = 0;
    const double begun_s = red_clock_s();
    for (double now_s = begun_s; status == RED_OK && outcome->of[0].weak == 0 &&
                                 has_time(litmus, outcome, now_s - begun_s, budget_s);) {
        status = run_round(litmus, begun_s, outcome, &have_met, error);
        const double round_s = red_clock_s() - now_s;
        now_s += round_s;
        adapt(litmus, round_s / outcome->variants_n, have_met);
    }
    if (status == RED_OK && litmus->stepped && litmus->met_n == 0)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "groups did not meet: is the device busy, or an interpreter?");
    outcome->took_s = red_clock_s() - begun_s;
    return status;
}

/* Why this device cannot show the test, whatever it does; NULL: it may. */
static const char *why_not(const struct red_device *device, const struct red_litmus_test *test) {
    const bool is_cpu = device->info.shape.is_cpu;
    bool shares_group = red_litmus_is_publication(test);
    for (unsigned i = 0; i < test->items_n; i++)
        for (unsigned k = 0; k < i; k++)
            shares_group = shares_group || test->place[i] == test->place[k];
    if (is_cpu && shares_group)
        return "a CPU's driver runs the items of a group one after another";
    if (is_cpu && device->info.shape.compute_units < test->items_n)
        return "there are fewer processors than groups";
    return NULL;
}

/* Makes the kernels of the test, from one program with those of the tests that may be built with it
 * (red_litmus_run): the text is the same for each of these, so that cl/program.c builds it once. */
static enum red_status make_kernels(struct litmus *litmus, const struct red_litmus_test *tests,
                                    size_t tests_n, const char *beside, struct red_error *error) {
    const struct red_litmus_test *test = litmus->test, *together[RED_LITMUS_TESTS_MAX];
    const enum red_c_standard standard = !test->is_20                                             ? RED_CL12
                                         : strstr(litmus->device->info.c_versions, "3.0") != NULL ? RED_CL30
                                                                                                  : RED_CL20;
    char *text = NULL, name[sizeof test->name + 16];
    size_t together_n = 0;
    for (const struct red_litmus_test *other = tests; other < tests + tests_n; other++)
        if (other == test ||
            (red_select_matches(beside, other->name) && red_litmus_shares_program(test, other) &&
             why_not(litmus->device, other) == NULL))
            together[together_n++] = other;
    enum red_status status = red_litmus_text(together, together_n, litmus->stepped, &text, error);
    for (unsigned k = 0; k <= 1 + test->mutants_n && status == RED_OK; k++) {
        snprintf(name, sizeof name, k <= test->mutants_n ? "%s_v%u" : "%s_count", test->name, k);
        status =
            red_kernel_make(litmus->device, test->name, text, standard, name, &litmus->kernels[k], error);
    }
    free(text);
    return status;
}

/* Makes kernels and buffers; litmus_clear releases them, after an error, too. */
static enum red_status prepare(struct litmus *litmus, const struct red_litmus_test *tests, size_t tests_n,
                               const char *beside, struct red_error *error) {
    const enum red_status status = make_kernels(litmus, tests, tests_n, beside, error);
    return status == RED_OK ? make_buffers(litmus, error) : status;
}

static void litmus_clear(struct litmus *litmus) {
    for (unsigned k = 0; k < COUNTS + 1; k++)
        red_cl_release_kernel(litmus->kernels[k]);
    red_cl_release_buffers(litmus->buffers, BUFFERS_N);
}

const char *red_litmus_why_not_here(const struct red_device_info *info, const struct red_litmus_test *test) {
#if defined(__x86_64__) || defined(__i386__)
    const bool is_shown =
        test->family == RED_LITMUS_SB || test->family == RED_LITMUS_R || test->family == RED_LITMUS_ATOMICITY;
    return info->shape.is_cpu && !is_shown ? "x86 lets no access pass another but a load a store before it"
                                           : NULL;
#else
    (void)info, (void)test;
    return NULL;
#endif
}

enum red_status red_litmus_run(struct red_device *device, const struct red_litmus_test *tests, size_t tests_n,
                               const struct red_litmus_test *test, const char *beside, uint64_t seed,
                               double budget_s, struct red_litmus_outcome *outcome, struct red_error *error) {
    struct litmus litmus = {.device = device,
                            .test = test,
                            .stepped = device->info.shape.is_cpu,
                            .random = red_hash_text(RED_HASH ^ seed, test->name),
                            .launch_instances = device->info.shape.is_cpu ? STEPPED_MIN : 1 << 13};
    *outcome = (struct red_litmus_outcome){.variants_n = 1 + test->mutants_n};
    if (why_not(device, test) != NULL)
        return red_fail(error, RED_E_UNSUPPORTED, "%s", why_not(device, test));
    enum red_status status = prepare(&litmus, tests, tests_n, beside, error);
    if (status == RED_OK && litmus.stepped)
        status = red_progress_calibrate(device, &litmus.meet_polls, error);
    litmus.meet_polls = litmus.meet_polls / 4 + 1; /* loads, which take less time than atomics: some ms */
    if (status == RED_OK)
        status = run_rounds(&litmus, budget_s, outcome, error);
    red_cl_wait(device->queue, CL_SUCCESS);
    litmus_clear(&litmus);
    return status;
}

/* ---- what was seen ------------------------------------------------------------------------------------- */

unsigned red_litmus_best_mutant(const struct red_litmus_outcome *outcome) {
    unsigned best = 0;
    for (unsigned v = 1; v < outcome->variants_n; v++)
        if (outcome->of[v].weak > (best > 0 ? outcome->of[best].weak : 0))
            best = v;
    return best;
}

struct red_short_text red_litmus_seen_text(const struct red_litmus_seen *seen) {
    struct red_short_text made;
    snprintf(made.text, sizeof made.text, seen->weak < 100000 ? "%.0f of %.2g" : "%.3g of %.2g",
             (double)seen->weak, (double)seen->instances);
    return made;
}

struct red_short_text red_litmus_outcome_text(const struct red_litmus_test *test,
                                              const struct red_litmus_outcome *outcome) {
    const struct red_litmus_seen *own = &outcome->of[0];
    const unsigned best = red_litmus_best_mutant(outcome);
    struct red_short_text made = red_litmus_seen_text(own);
    if (own->weak > 0)
        red_text_add(made.text, sizeof made.text, ", first after %.2g ms", 1e3 * own->first_s);
    if (best > 0)
        red_text_add(made.text, sizeof made.text, "; %s: %s", test->mutants[best - 1].name,
                     red_litmus_seen_text(&outcome->of[best]).text);
    else if (own->weak == 0)
        red_text_add(made.text, sizeof made.text, "; no mutant was seen either");
    return made;
}

/* ---- the stress itself --------------------------------------------------------------------------------- */

/* How many distinct words the groups that disturb are to write, by the sequence of lib/disturb.cl; `seen` has
 * a 0 for each word. */
static uint64_t words_asked(const struct environment *environment, cl_uint *seen) {
    const struct red_litmus_parameters *p = &environment->p;
    uint64_t n = 0;
    for (size_t group = 0; group < environment->groups_n; group++) {
        if (group * (uint64_t)p->spread % environment->groups_n < p->groups)
            continue;
        for (size_t item = 0; item < environment->group_size; item++) {
            uint32_t at = (uint32_t)(group * environment->group_size + item) * 2654435761u ^ p->seed;
            for (cl_uint access = 0; access < 2 * p->turns; access++) {
                at = at * 1664525u + 1013904223u;
                const uint32_t i = at >> 8 & p->scratch_mask;
                if (p->pattern >> (access & 1) & 1)
                    n += !seen[i], seen[i] = 1;
            }
        }
    }
    return n;
}

/* Launches the test in a drawn environment that disturbs and meets, and looks at the scratch. `words` has a 0
 * for each of SCRATCH_WORDS_CPU. */
static enum red_status measure_stress(struct litmus *litmus, cl_uint *words, struct red_litmus_stress *stress,
                                      struct red_error *error) {
    struct environment environment;
    struct red_litmus_parameters *p = &environment.p;
    cl_uint met[2] = {0, 0};
    cl_command_queue queue = litmus->device->queue;
    do
        draw_environment(litmus, &environment);
    while (environment.groups_n <= p->groups || p->pattern == 0);
    p->in_step = 1;
    p->meet_polls = 1 << 20;
    p->scratch_mask &= SCRATCH_WORDS_CPU - 1;
    const size_t words_n = (size_t)p->scratch_mask + 1;
    stress->groups_n = p->groups;
    stress->words_asked = words_asked(&environment, words);
    cl_int code = red_cl_write(queue, litmus->buffers[PARAMETERS], 0, p, sizeof *p);
    if (code == CL_SUCCESS)
        code = launch(litmus, &environment, 0);
    if (code == CL_SUCCESS)
        code = red_cl_read(queue, litmus->buffers[SCRATCH], 0, words, words_n * sizeof *words);
    if (code == CL_SUCCESS)
        code = red_cl_read(queue, litmus->buffers[MEETING], 0, met, sizeof met);
    for (size_t i = 0; i < words_n && code == CL_SUCCESS; i++)
        stress->words_written += words[i] != 0;
    stress->groups_met_n = met[1];
    return red_cl_check(code, "the stress of litmus tests", error);
}

enum red_status red_litmus_check_stress(struct red_device *device, uint64_t seed,
                                        struct red_litmus_stress *stress, struct red_error *error) {
    struct red_litmus_test *tests = NULL;
    size_t tests_n = 0;
    *stress = (struct red_litmus_stress){.words_asked = 0};
    cl_uint *words = calloc(SCRATCH_WORDS_CPU, sizeof *words);
    enum red_status status = words != NULL
                                 ? red_litmus_list(&tests, &tests_n, error)
                                 : red_fail(error, RED_E_MEMORY, "no memory for the stress of litmus tests");
    if (status == RED_OK) {
        struct litmus litmus = {
            .device = device, .test = tests, .random = RED_HASH ^ seed, .launch_instances = INSTANCES_MAX};
        status = prepare(&litmus, tests, 1, NULL, error);
        if (status == RED_OK)
            status = measure_stress(&litmus, words, stress, error);
        litmus_clear(&litmus);
    }
    free(words);
    free(tests);
    return status;
}
