/* Launches litmus tests and their mutants in turn, in stress that is drawn from the seed, and keeps the
 * stress in which mutants show most often (MC Mutants, section 4.2). */
#include "cl/litmus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/private.h"
#include "core/clock.h"
#include "core/numbers.h"
#include "core/random.h"
#include "core/text.h"
#include "model/catalogue.h"

enum {
    GROUP_SIZE = 256,        /* LITMUS_LOCAL of the kernels */
    SLOTS = 1 << 22,         /* places of a word at most, so that four words take 128 MiB */
    INSTANCES_MAX = 1 << 19, /* of a launch */
    STEPPED_MAX = 1 << 15,   /* of one whose groups meet at each instance */
    SCRATCH_WORDS = 1 << 24, /* 64 MiB, what disturbs an H100's L2 most */
    SCRATCH_WORDS_CPU = 1 << 20,
    COUNTS = 1 + RED_LITMUS_MUTANTS_MAX,
    POOL_MAX = 24 /* environments that are remembered */
};

/* The least time of a test whose groups meet at each instance, so that they do on a busy machine. */
static const double MEET_S = 0.5;

/* A drawn environment, and how often mutants have shown in it. */
struct environment {
    cl_uint p[RED_LITMUS_PARAMETERS_N];
    size_t groups_n, group_size;
    double weak, instances; /* of mutants */
};

struct litmus {
    struct red_device *device;
    const struct red_litmus_test *test, *tests; /* the one that runs; those that may be built with it */
    size_t tests_n;
    bool stepped;
    cl_kernel variants[COUNTS], count;
    cl_mem words, registers, scratch, meeting, parameters, counts;
    uint64_t random;
    cl_uint launch_instances; /* at most */
    struct environment pool[POOL_MAX];
    unsigned pool_n;
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
    cl_uint *p = environment->p;
    const bool publishes = red_litmus_is_publication(litmus->test);
    const size_t size_max = litmus->device->info.shape.group_size_max;
    const cl_uint units = litmus->device->info.shape.compute_units;
    environment->group_size = red_lesser(size_max, GROUP_SIZE);
    p[RED_LITMUS_P_STRIDE] = strides[draw(random, 0, 4)];
    cl_uint groups = units * waves[draw(random, 0, 4)];
    p[RED_LITMUS_P_ROUNDS] = publishes ? 16 : 1;
    const cl_uint instances_max =
        (cl_uint)red_lesser(SLOTS / p[RED_LITMUS_P_STRIDE], litmus->launch_instances);
    if (publishes && instances_max / environment->group_size < 8)
        p[RED_LITMUS_P_ROUNDS] = 4;
    const cl_uint each = (cl_uint)environment->group_size * p[RED_LITMUS_P_ROUNDS] / (publishes ? 2 : 1);
    groups = groups * each > instances_max ? instances_max / each : groups;
    groups = groups < 8 ? 8 : groups & ~1u;
    p[RED_LITMUS_P_GROUPS] = groups;
    p[RED_LITMUS_P_INSTANCES] = groups * each;
    p[RED_LITMUS_P_DISTANCE] = draw(random, 1, groups / 2 - 3 > 0 ? groups / 2 - 3 : 1);
    p[RED_LITMUS_P_SHIFT] = draw(random, 1, (cl_uint)environment->group_size / 4);
    p[RED_LITMUS_P_REVERSE] = draw(random, 0, 1);
    p[RED_LITMUS_P_PRELOAD] = p[RED_LITMUS_P_STRIDE] > 1 && draw(random, 0, 1);
    p[RED_LITMUS_P_IN_STEP] = draw(random, 0, 1);
    p[RED_LITMUS_P_MEET_POLLS] = 1024;
    p[RED_LITMUS_P_POLLS] = 256;
    p[RED_LITMUS_P_SCRATCH_MASK] = masks[draw(random, 0, 2)];
    p[RED_LITMUS_P_PATTERN] = draw(random, 0, 3);
    p[RED_LITMUS_P_SEED] = (cl_uint)red_random(random);
    p[RED_LITMUS_P_TURNS] = 64 << draw(random, 0, 3);
    environment->groups_n = groups + (draw(random, 0, 1) ? units * draw(random, 1, 2) : 0);
    p[RED_LITMUS_P_SPREAD] = draw_coprime(random, (cl_uint)environment->groups_n);
}

/* The same of groups of one item that meet at each instance. */
static void draw_stepped(struct litmus *litmus, struct environment *environment) {
    static const cl_uint strides[] = {1, 16, 17, 32, 64};
    cl_uint *p = environment->p;
    p[RED_LITMUS_P_STRIDE] = strides[draw(&litmus->random, 0, 4)];
    p[RED_LITMUS_P_INSTANCES] = litmus->launch_instances;
    p[RED_LITMUS_P_DISTANCE] = draw(&litmus->random, 0, 15);
    p[RED_LITMUS_P_SHIFT] = draw(&litmus->random, 0, 7);
    environment->groups_n = litmus->test->items_n;
    environment->group_size = 1;
}

static void draw_environment(struct litmus *litmus, struct environment *environment) {
    *environment = (struct environment){.weak = 0};
    if (litmus->stepped)
        draw_stepped(litmus, environment);
    else
        draw_wide(litmus, environment);
    cl_uint *p = environment->p;
    for (cl_uint w = 0; w < RED_LITMUS_WORDS_MAX; w++) {
        p[RED_LITMUS_P_BASE_0 + w] = w * (SLOTS + 64);
        p[RED_LITMUS_P_FACTOR_0 + w] =
            w == 0 || litmus->stepped ? 1 : draw_coprime(&litmus->random, p[RED_LITMUS_P_INSTANCES]);
    }
    if (litmus->test->family == RED_LITMUS_PUBLISH)
        p[RED_LITMUS_P_FACTOR_0 + 1] = 1; /* of the flag one is used of a group's many: any will do */
}

/* The best environment so far, or in every other round a new one, which takes the place of the worst. */
static struct environment *next_environment(struct litmus *litmus, unsigned *drawn_n) {
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
    ++*drawn_n;
    return place;
}

/* ---- launches ------------------------------------------------------------------------------------------ */

static cl_int make_buffers(struct litmus *litmus) {
    cl_int code = CL_SUCCESS;
    const size_t scratch_words = litmus->stepped ? SCRATCH_WORDS_CPU : SCRATCH_WORDS;
    const size_t instances_max = litmus->stepped ? STEPPED_MAX : INSTANCES_MAX;
    const size_t unit = sizeof(cl_ulong), words_n = litmus->test->words_n;
    const struct {
        cl_mem *buffer;
        size_t bytes;
    } buffers[] = {{&litmus->words, words_n * (SLOTS + 64) * unit},
                   {&litmus->registers, RED_LITMUS_REGISTERS_MAX * instances_max * unit},
                   {&litmus->scratch, scratch_words * sizeof(cl_uint)},
                   {&litmus->meeting, 2 * sizeof(cl_uint)},
                   {&litmus->parameters, RED_LITMUS_PARAMETERS_N * sizeof(cl_uint)},
                   {&litmus->counts, COUNTS * sizeof(cl_uint)}};
    const cl_uint zero = 0;
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0] && code == CL_SUCCESS; i++) {
        *buffers[i].buffer =
            clCreateBuffer(litmus->device->context, CL_MEM_READ_WRITE, buffers[i].bytes, NULL, &code);
        if (code == CL_SUCCESS)
            code = clEnqueueFillBuffer(litmus->device->queue, *buffers[i].buffer, &zero, sizeof zero, 0,
                                       buffers[i].bytes, 0, NULL, NULL);
    }
    return code;
}

/* Launches a variant, and then counts what it has left. */
static cl_int launch(struct litmus *litmus, const struct environment *environment, unsigned v) {
    const cl_uint slot = v, groups = environment->p[RED_LITMUS_P_GROUPS];
    const cl_uint meeting[2] = {0, 0};
    cl_command_queue queue = litmus->device->queue;
    const struct red_cl_argument arguments[] = {
        {sizeof(cl_mem), &litmus->words},      {sizeof(cl_mem), &litmus->registers},
        {sizeof(cl_mem), &litmus->scratch},    {sizeof(cl_mem), &litmus->meeting},
        {sizeof(cl_mem), &litmus->parameters}, {sizeof groups, &groups}};
    const struct red_cl_argument of_count[] = {{sizeof(cl_mem), &litmus->words},
                                               {sizeof(cl_mem), &litmus->registers},
                                               {sizeof(cl_mem), &litmus->counts},
                                               {sizeof(cl_mem), &litmus->parameters},
                                               {sizeof slot, &slot}};
    cl_int code = clEnqueueFillBuffer(queue, litmus->meeting, meeting, sizeof meeting, 0, sizeof meeting, 0,
                                      NULL, NULL);
    const size_t group_size = environment->group_size, instances = environment->p[RED_LITMUS_P_INSTANCES];
    if (code == CL_SUCCESS)
        code = red_cl_launch_with(queue, litmus->variants[v], arguments, 6, environment->groups_n, group_size,
                                  NULL);
    if (code == CL_SUCCESS)
        code =
            red_cl_launch_with(queue, litmus->count, of_count, 5,
                               litmus->stepped ? 64 : red_ceil_div(instances, group_size), group_size, NULL);
    return code;
}

/* Whether all groups of the launch have met, which is asked of those that wait for each other. */
static cl_int read_meeting(struct litmus *litmus, const struct environment *environment,
                           struct red_litmus_outcome *outcome, bool *all_met) {
    cl_uint met[2] = {0, 0};
    *all_met = false;
    if (!litmus->stepped && !environment->p[RED_LITMUS_P_IN_STEP])
        return CL_SUCCESS;
    const cl_int code = red_cl_read(litmus->device->queue, litmus->meeting, 0, met, sizeof met);
    *all_met =
        met[1] == (litmus->stepped ? environment->groups_n : (size_t)environment->p[RED_LITMUS_P_GROUPS]);
    outcome->launches_n++;
    outcome->met_n += *all_met;
    return code;
}

/* Launches all variants once in the environment, and adds what was seen. Groups of one item that have not met
 * at each instance have not played all roles: what they leave counts for nothing. */
static enum red_status run_round(struct litmus *litmus, struct environment *environment, double begun_s,
                                 struct red_litmus_outcome *outcome, struct red_error *error) {
    cl_uint counts[COUNTS] = {0};
    bool is_whole[COUNTS] = {false}, all_met = false;
    cl_command_queue queue = litmus->device->queue;
    cl_int code = red_cl_write(queue, litmus->parameters, 0, environment->p, sizeof environment->p);
    if (code == CL_SUCCESS)
        code = red_cl_write(queue, litmus->counts, 0, counts, sizeof counts);
    for (unsigned v = 0; v < outcome->variants_n && code == CL_SUCCESS; v++) {
        code = launch(litmus, environment, v);
        if (code == CL_SUCCESS)
            code = read_meeting(litmus, environment, outcome, &all_met);
        is_whole[v] = all_met || !litmus->stepped;
    }
    if (code == CL_SUCCESS)
        code = red_cl_read(queue, litmus->counts, 0, counts, sizeof counts);
    const double took_s = red_clock_s() - begun_s;
    for (unsigned v = 0; v < outcome->variants_n && code == CL_SUCCESS; v++) {
        if (!is_whole[v])
            continue;
        outcome->of[v].instances += environment->p[RED_LITMUS_P_INSTANCES];
        outcome->of[v].weak += counts[v];
        if (counts[v] > 0 && outcome->of[v].first_s <= 0)
            outcome->of[v].first_s = took_s;
        if (v > 0) {
            environment->weak += counts[v];
            environment->instances += environment->p[RED_LITMUS_P_INSTANCES];
        }
    }
    return red_cl_check(code, "a litmus test", error);
}

/* Lets launches become longer until one takes some 5 to 10 ms: a device may be a thousand times slower than
 * another one. */
static void lengthen(struct litmus *litmus, double round_s, unsigned variants_n) {
    const cl_uint factor = litmus->stepped ? 2 : 4, most = litmus->stepped ? STEPPED_MAX : INSTANCES_MAX;
    if (round_s < 0.02 / factor * variants_n && litmus->launch_instances < most) {
        litmus->launch_instances *= factor;
        litmus->pool_n = 0;
    }
}

/* Whether there is time for one more round. Where other processes have the processors, groups that are to
 * meet get MEET_S at least. */
static bool has_time(const struct litmus *litmus, const struct red_litmus_outcome *outcome, double passed_s,
                     double budget_s) {
    const bool are_late = litmus->stepped && budget_s > 0 && outcome->met_n < outcome->variants_n;
    return passed_s < (are_late ? fmax(budget_s, MEET_S) : budget_s);
}

/* Runs rounds until the budget is over, or the test has shown a weak outcome. The first does not count: some
 * drivers compile then. */
static enum red_status run_rounds(struct litmus *litmus, double budget_s, struct red_litmus_outcome *outcome,
                                  struct red_error *error) {
    struct red_litmus_outcome uncounted = *outcome;
    enum red_status status = run_round(litmus, next_environment(litmus, &uncounted.environments_n),
                                       red_clock_s(), &uncounted, error);
    const double begun_s = red_clock_s();
    for (double now_s = begun_s; status == RED_OK && outcome->of[0].weak == 0 &&
                                 has_time(litmus, outcome, now_s - begun_s, budget_s);) {
        struct environment *environment = next_environment(litmus, &outcome->environments_n);
        status = run_round(litmus, environment, begun_s, outcome, error);
        const double round_s = red_clock_s() - now_s;
        now_s += round_s;
        lengthen(litmus, round_s, outcome->variants_n);
    }
    if (status == RED_OK && litmus->stepped && outcome->launches_n > 0 && outcome->met_n == 0)
        return red_fail(error, RED_E_UNSUPPORTED, "groups did not meet in its time: is the machine busy?");
    outcome->took_s = red_clock_s() - begun_s;
    return status;
}

/* The standard by which tests of 2.x are compiled. */
static enum red_c_standard standard_of(const struct red_device *device, const struct red_litmus_test *test) {
    return !test->is_20 ? RED_CL12 : strstr(device->info.c_versions, "3.0") != NULL ? RED_CL30 : RED_CL20;
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

/* Makes the kernels of the test, from one program with those of the tests that may be built with it: the text
 * is the same for each of these, so that cl/program.c builds it once. */
static enum red_status make_kernels(struct litmus *litmus, struct red_error *error) {
    const struct red_litmus_test *test = litmus->test, *together[RED_LITMUS_TESTS_MAX];
    char *text = NULL, name[sizeof test->name + 16];
    size_t together_n = 0;
    for (size_t i = 0; i < litmus->tests_n; i++)
        if (&litmus->tests[i] == test || (red_litmus_shares_program(test, &litmus->tests[i]) &&
                                          why_not(litmus->device, &litmus->tests[i]) == NULL))
            together[together_n++] = &litmus->tests[i];
    enum red_status status = red_litmus_text(together, together_n, litmus->stepped, &text, error);
    const enum red_c_standard standard = standard_of(litmus->device, test);
    for (unsigned v = 0; v <= test->mutants_n && status == RED_OK; v++) {
        snprintf(name, sizeof name, "%s_v%u", test->name, v);
        status =
            red_kernel_make(litmus->device, test->name, text, standard, name, &litmus->variants[v], error);
    }
    snprintf(name, sizeof name, "%s_count", test->name);
    if (status == RED_OK)
        status = red_kernel_make(litmus->device, test->name, text, standard, name, &litmus->count, error);
    free(text);
    return status;
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

static void litmus_clear(struct litmus *litmus) {
    for (unsigned v = 0; v < COUNTS; v++)
        red_cl_release_kernel(litmus->variants[v]);
    red_cl_release_kernel(litmus->count);
    const cl_mem buffers[] = {litmus->words,   litmus->registers,  litmus->scratch,
                              litmus->meeting, litmus->parameters, litmus->counts};
    red_cl_release_buffers(buffers, sizeof buffers / sizeof buffers[0]);
}

enum red_status red_litmus_run(struct red_device *device, const struct red_litmus_test *tests, size_t tests_n,
                               size_t asked, uint64_t seed, double budget_s,
                               struct red_litmus_outcome *outcome, struct red_error *error) {
    const struct red_litmus_test *test = &tests[asked];
    *outcome = (struct red_litmus_outcome){.variants_n = 1 + test->mutants_n};
    if (why_not(device, test) != NULL)
        return red_fail(error, RED_E_UNSUPPORTED, "%s", why_not(device, test));
    struct litmus *litmus = calloc(1, sizeof *litmus);
    if (litmus == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a litmus test");
    *litmus = (struct litmus){.device = device,
                              .test = test,
                              .tests = tests,
                              .tests_n = tests_n,
                              .stepped = device->info.shape.is_cpu,
                              .random = red_hash_text(RED_HASH ^ seed, test->name),
                              .launch_instances = device->info.shape.is_cpu ? 1 << 10 : 1 << 13};
    enum red_status status = make_kernels(litmus, error);
    if (status == RED_OK)
        status = red_cl_check(make_buffers(litmus), "buffers of a litmus test", error);
    if (status == RED_OK)
        status = run_rounds(litmus, budget_s, outcome, error);
    red_cl_wait(device->queue, CL_SUCCESS);
    litmus_clear(litmus);
    free(litmus);
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

void red_litmus_seen_format(const struct red_litmus_seen *seen, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, seen->weak < 100000 ? "%.0f of %.2g" : "%.3g of %.2g", (double)seen->weak,
             (double)seen->instances);
}

void red_litmus_outcome_format(const struct red_litmus_test *test, const struct red_litmus_outcome *outcome,
                               char *text, size_t text_bytes) {
    const struct red_litmus_seen *own = &outcome->of[0];
    const unsigned best = red_litmus_best_mutant(outcome);
    red_litmus_seen_format(own, text, text_bytes);
    if (own->weak > 0)
        red_text_add(text, text_bytes, ", first after %.2g ms", 1e3 * own->first_s);
    if (best > 0) {
        char seen[32];
        red_litmus_seen_format(&outcome->of[best], seen, sizeof seen);
        red_text_add(text, text_bytes, "; %s: %s", test->mutants[best - 1].name, seen);
    } else if (own->weak == 0) {
        red_text_add(text, text_bytes, "; no mutant was seen either");
    }
}

/* ---- the stress itself --------------------------------------------------------------------------------- */

/* How many distinct words the groups that disturb are to write, by the sequence of lib/disturb.cl. `seen` has
 * a byte for each word. */
static uint64_t words_asked(const struct environment *environment, size_t testing_n, unsigned char *seen) {
    const cl_uint *p = environment->p;
    uint64_t n = 0;
    for (size_t group = 0; group < environment->groups_n; group++) {
        if (group * (uint64_t)p[RED_LITMUS_P_SPREAD] % environment->groups_n < testing_n)
            continue;
        for (size_t item = 0; item < environment->group_size; item++) {
            uint32_t at =
                (uint32_t)(group * environment->group_size + item) * 2654435761u ^ p[RED_LITMUS_P_SEED];
            for (cl_uint access = 0; access < 2 * p[RED_LITMUS_P_TURNS]; access++) {
                at = at * 1664525u + 1013904223u;
                const uint32_t i = at >> 8 & p[RED_LITMUS_P_SCRATCH_MASK];
                if (p[RED_LITMUS_P_PATTERN] >> (access & 1) & 1)
                    n += !seen[i], seen[i] = 1;
            }
        }
    }
    return n;
}

/* Launches the first test between groups in a drawn environment that disturbs and meets, and looks at the
 * scratch. */
static enum red_status measure_stress(struct litmus *litmus, unsigned char *seen, cl_uint *scratch,
                                      struct red_litmus_stress *stress, struct red_error *error) {
    struct environment environment;
    cl_uint met[2] = {0, 0};
    enum red_status status = make_kernels(litmus, error);
    if (status == RED_OK)
        status = red_cl_check(make_buffers(litmus), "buffers of a litmus test", error);
    if (status != RED_OK)
        return status;
    do
        draw_environment(litmus, &environment);
    while (environment.groups_n <= environment.p[RED_LITMUS_P_GROUPS] ||
           environment.p[RED_LITMUS_P_PATTERN] == 0);
    environment.p[RED_LITMUS_P_IN_STEP] = 1;
    environment.p[RED_LITMUS_P_MEET_POLLS] = 1 << 20;
    environment.p[RED_LITMUS_P_SCRATCH_MASK] &= SCRATCH_WORDS_CPU - 1;
    const size_t words_n = (size_t)environment.p[RED_LITMUS_P_SCRATCH_MASK] + 1;
    stress->groups_n = environment.p[RED_LITMUS_P_GROUPS];
    stress->words_asked = words_asked(&environment, environment.p[RED_LITMUS_P_GROUPS], seen);
    cl_int code =
        red_cl_write(litmus->device->queue, litmus->parameters, 0, environment.p, sizeof environment.p);
    if (code == CL_SUCCESS)
        code = launch(litmus, &environment, 0);
    if (code == CL_SUCCESS)
        code = red_cl_read(litmus->device->queue, litmus->scratch, 0, scratch, words_n * sizeof *scratch);
    if (code == CL_SUCCESS)
        code = red_cl_read(litmus->device->queue, litmus->meeting, 0, met, sizeof met);
    for (size_t i = 0; i < words_n && code == CL_SUCCESS; i++)
        stress->words_written += scratch[i] != 0;
    stress->groups_met_n = met[1];
    return red_cl_check(code, "the stress of litmus tests", error);
}

enum red_status red_litmus_check_stress(struct red_device *device, uint64_t seed,
                                        struct red_litmus_stress *stress, struct red_error *error) {
    struct red_litmus_test *tests = NULL;
    size_t tests_n = 0;
    *stress = (struct red_litmus_stress){.words_asked = 0};
    struct litmus *litmus = calloc(1, sizeof *litmus);
    unsigned char *seen = calloc(SCRATCH_WORDS_CPU, 1);
    cl_uint *scratch = calloc(SCRATCH_WORDS_CPU, sizeof *scratch);
    enum red_status status = litmus != NULL && seen != NULL && scratch != NULL
                                 ? red_litmus_list(&tests, &tests_n, error)
                                 : red_fail(error, RED_E_MEMORY, "no memory for the stress of litmus tests");
    if (status == RED_OK) {
        *litmus = (struct litmus){.device = device,
                                  .test = tests,
                                  .tests = tests,
                                  .tests_n = 1,
                                  .random = RED_HASH ^ seed,
                                  .launch_instances = INSTANCES_MAX};
        status = measure_stress(litmus, seen, scratch, stress, error);
        litmus_clear(litmus);
    }
    free(scratch);
    free(seen);
    free(litmus);
    free(tests);
    return status;
}
