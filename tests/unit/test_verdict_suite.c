/* The verdicts of a duel over many cells: Holm's correction by hand, and how often a whole suite is wrong. */
#include "tests/unit/testing.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "gate/duel.h"
#include "tests/unit/made_duel.h"

enum { CELLS_MAX = 16 };
static const double SPREAD = 0.01;

static void judge(struct red_duel *duel, enum red_next *next) {
    assert_true(duel->cells_n <= CELLS_MAX);
    assert_int_equal(red_duel_judge(duel, next, NULL), RED_OK);
}

/* ---- Holm's correction --------------------------------------------------------------------------------- */

/* One-sided p of Student's t with 5 degrees, in closed form (Abramowitz and Stegun 26.7.3). */
static double p_of_t5(double t) {
    const double pi = 3.14159265358979323846;
    double theta = atan(t / sqrt(5)), cosine = cos(theta);
    return 0.5 - (theta + sin(theta) * (cosine + 2 * cosine * cosine * cosine / 3)) / pi;
}

/* A nominated cell whose first look at stage 2 has this t against the margin of 2 %. */
static void add_look(struct red_duel_cell *cell, int direction, double t) {
    double mean = log(1.02) + t * SPREAD / sqrt(5);
    made_pairs(cell, 1, 5, direction * 0.045, SPREAD);
    made_pairs(cell, 2, 6, direction * mean, SPREAD);
}

struct looked {
    double t;
    enum red_verdict_code code;
    double level;
};

static void look_at(const char *what, const struct looked *cells, size_t cells_n, size_t faster_n) {
    struct red_duel *duel = made_duel(cells_n + faster_n);
    for (size_t c = 0; c < cells_n; c++)
        add_look(&duel->cells[c], 1, cells[c].t);
    for (size_t c = cells_n; c < duel->cells_n; c++)
        add_look(&duel->cells[c], -1, 1);
    judge(duel, NULL);
    for (size_t c = 0; c < cells_n; c++) {
        const struct red_finding *found = &duel->cells[c].finding;
        if (found->code != cells[c].code)
            fail_msg("%s: cell %zu is %s", what, c, red_verdict_code_name(found->code));
        assert_near(found->p, p_of_t5(cells[c].t), 1e-7);
        assert_near(found->level, cells[c].level, 1e-12);
    }
    made_duel_free(duel);
}

#define SLOWER RED_CODE_CONFIRMED_SLOWER
#define OPEN   RED_CODE_BUDGET

/* t of 5.893 is p = 0.001, 5.247 is 0.00166, 4.773 is 0.0025, 4.032 is 0.005. With alpha 0.01 and two looks
 * the smallest of three has to reach 0.00167, the next 0.0025, the last 0.005. */
static void shares_grow_as_hypotheses_fall(void **state) {
    static const double third = 0.005 / 3;
    look_at("alone", (const struct looked[]){{4.04, SLOWER, 0.005}}, 1, 0);
    look_at("just not", (const struct looked[]){{4.02, OPEN, 0.005}}, 1, 0);
    look_at("all three fall",
            (const struct looked[]){{4.04, SLOWER, 0.005}, {5.26, SLOWER, third}, {4.78, SLOWER, 0.0025}}, 3,
            0);
    look_at("the first does not",
            (const struct looked[]){{4.04, OPEN, third}, {5.23, OPEN, third}, {4.78, OPEN, third}}, 3, 0);
    look_at("the second does not",
            (const struct looked[]){{4.04, OPEN, 0.0025}, {5.26, SLOWER, third}, {4.76, OPEN, 0.0025}}, 3, 0);
    look_at("the third does not",
            (const struct looked[]){{4.02, OPEN, 0.005}, {5.26, SLOWER, third}, {4.78, SLOWER, 0.0025}}, 3,
            0);
    look_at("equal ones", (const struct looked[]){{4.78, SLOWER, 0.0025}, {4.78, SLOWER, 0.005}}, 2, 0);
    look_at("those that may be faster are hypotheses of their own",
            (const struct looked[]){{4.04, SLOWER, 0.005}}, 1, 3);
}

static void what_was_not_nominated_takes_no_share(void **state) {
    struct red_duel *duel = made_duel(4);
    add_look(&duel->cells[0], 1, 4.04);
    made_pairs(&duel->cells[1], 1, 5, 0, SPREAD);
    made_pairs(&duel->cells[2], 1, 4, 0.3, SPREAD); /* not yet */
    add_look(&duel->cells[3], 1, 1);
    duel->cells[3].state[RED_HEAD] = RED_STATE_UNSUPPORTED;
    judge(duel, NULL);
    assert_int_equal(duel->cells[0].finding.code, SLOWER);
    assert_near(duel->cells[1].finding.level, 0, 0);
    made_duel_free(duel);
}

/* What was the same at a look keeps its share: it was one of the hypotheses. */
static void what_is_the_same_keeps_its_share(void **state) {
    struct red_duel *duel = made_duel(2);
    add_look(&duel->cells[0], 1, 4.04);
    made_pairs(&duel->cells[1], 1, 5, 0.02, SPREAD);
    made_pairs(&duel->cells[1], 2, 6, 0, 1e-3);
    judge(duel, NULL);
    assert_int_equal(duel->cells[0].finding.code, OPEN);
    assert_near(duel->cells[0].finding.level, 0.0025, 1e-12);
    assert_int_equal(duel->cells[1].finding.code, RED_CODE_WITHIN);
    assert_int_equal(duel->cells[1].finding.pairs_n, 6);
    made_pairs(&duel->cells[1], 2, 6, 0.3, 1e-3); /* too late: it was not asked for */
    judge(duel, NULL);
    assert_int_not_equal(duel->cells[1].finding.code, SLOWER);
    assert_int_equal(duel->cells[1].finding.pairs_n, 6);
    made_duel_free(duel);
}

/* What falls at the first look leaves its share to the others at the second. */
static void looks_share_alpha_and_rejections_stay(void **state) {
    struct red_duel *duel = made_duel(2);
    enum red_next next[CELLS_MAX];
    add_look(&duel->cells[0], 1, 6);
    made_pairs(&duel->cells[1], 1, 5, 0.045, SPREAD);
    made_pairs(&duel->cells[1], 2, 6, 0.0390, 0.02);
    judge(duel, next);
    assert_int_equal(duel->cells[0].finding.code, SLOWER);
    assert_int_equal(next[0], RED_NEXT_NONE);
    assert_int_equal(next[1], RED_NEXT_STAGE_2);
    assert_near(duel->cells[1].finding.level, 0.005, 1e-12);
    made_pairs(&duel->cells[1], 2, 6, 0.0390, 0.02);
    judge(duel, next);
    assert_int_equal(duel->cells[0].finding.code, SLOWER);
    assert_int_equal(duel->cells[1].finding.code, SLOWER);
    assert_int_equal(duel->cells[1].finding.pairs_n, 12);
    assert_near(duel->cells[1].finding.p, gsl_cdf_tdist_Q((0.0390 - log(1.02)) * sqrt(11) / 0.02, 11), 1e-7);
    for (unsigned looks_n = 1; looks_n <= 4; looks_n++) { /* alpha is for all looks together */
        duel->plan.looks_n = looks_n;
        judge(duel, next);
        assert_near(duel->cells[0].finding.level, 0.01 / looks_n / 2, 1e-12);
        assert_int_equal(duel->cells[1].finding.code == SLOWER, looks_n == 2);
    }
    made_duel_free(duel);
}

/* ---- error rates of whole suites ----------------------------------------------------------------------- */

/* Process pairs are drawn, and the suite goes on as a duel does: all cells that want stage 1, then those that
 * want stage 2. */

struct noise {
    const char *name;
    double sd;
    double degrees; /* of Student's t, whose tails are heavy; 0: normal */
    double slow;    /* so many of the processes are a third slower, on both sides */
};

static double draw_common(gsl_rng *random, const struct noise *noise) {
    if (!(noise->degrees > 0))
        return gsl_ran_gaussian(random, noise->sd);
    return noise->sd * gsl_ran_tdist(random, noise->degrees) / sqrt(noise->degrees / (noise->degrees - 2));
}

static double draw(gsl_rng *random, const struct noise *noise) {
    int slow = (gsl_rng_uniform(random) < noise->slow) - (gsl_rng_uniform(random) < noise->slow);
    return draw_common(random, noise) + slow * log(4. / 3);
}

static void measure(struct red_duel *duel, gsl_rng *random, const struct noise *noise, double truth) {
    enum red_next next[CELLS_MAX];
    for (bool any = true; any;) {
        judge(duel, next);
        any = false;
        for (unsigned stage = 1; stage <= 2 && !any; stage++)
            for (size_t c = 0; c < duel->cells_n; c++)
                if (next[c] == (stage == 1 ? RED_NEXT_STAGE_1 : RED_NEXT_STAGE_2)) {
                    made_pair(&duel->cells[c], stage, truth + draw(random, noise));
                    any = true;
                }
    }
}

/* In how many of so many suites any cell, or every one, is found slower. */
struct count {
    size_t any, all;
};

static struct count suites(size_t suites_n, size_t cells_n, const struct red_duel_plan *plan,
                           const struct noise *noise, double truth) {
    struct count count = {0, 0};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(random);
    gsl_rng_set(random, 20260131);
    for (size_t i = 0; i < suites_n; i++) {
        struct red_duel *duel = made_duel(cells_n);
        size_t slower_n = 0;
        duel->plan = *plan;
        measure(duel, random, noise, truth);
        for (size_t c = 0; c < cells_n; c++)
            slower_n += duel->cells[c].finding.code == SLOWER;
        count.any += slower_n > 0;
        count.all += slower_n == cells_n;
        made_duel_free(duel);
    }
    gsl_rng_free(random);
    return count;
}

/* Those of gate/duel.c: the full plan has 24 and 6, the fast one 12 and 2. */
static struct red_duel_plan plan_of(unsigned pairs_max, unsigned looks_n) {
    struct red_duel_plan plan = made_plan();
    plan.pairs_n = 6;
    plan.pairs_max = pairs_max;
    plan.looks_n = looks_n;
    plan.look_pairs_n = 8;
    plan.trim = 0.2;
    return plan;
}

enum { CELLS = 8 };
static const struct noise noises[] = {{"normal, 0.5 %", 0.005, 0, 0},
                                      {"normal, 1.5 %", 0.015, 0, 0},
                                      {"normal, 5 %", 0.05, 0, 0},
                                      {"heavy tails, 0.5 %", 0.005, 3, 0},
                                      {"heavy tails, 1.5 %", 0.015, 3, 0},
                                      {"heavy tails, 5 %", 0.05, 3, 0},
                                      {"some slow processes, 0.5 %", 0.005, 0, 0.06}};
enum { SLOW_PROCESSES = sizeof noises / sizeof noises[0] - 1 };

/* Far too many for a share of alpha, which chance alone gives in one of 1000 tests. */
static void must_be_rare(const char *name, size_t any, size_t suites_n, double alpha) {
    if (any > 0 && gsl_cdf_binomial_Q((unsigned)any - 1, alpha, (unsigned)suites_n) < 0.001)
        fail_msg("%s: a false SLOWER in %zu of %zu suites", name, any, suites_n);
}

static void no_change_is_hardly_ever_slower(void **state) {
    const struct red_duel_plan plans[] = {made_plan(), plan_of(12, 2), plan_of(24, 6)};
    static const size_t suites_n[] = {500, 500, 100};
    for (size_t p = 0; p < 3; p++)
        for (size_t i = 0; i < sizeof noises / sizeof noises[0]; i++)
            must_be_rare(noises[i].name, suites(suites_n[p], CELLS, &plans[p], &noises[i], 0).any,
                         suites_n[p], plans[p].alpha);
}

/* The worst that is not slower by more than the margin. alpha is made large, so that few suites tell whether
 * it is kept: neither cells nor looks add up. Nor is it kept by finding nothing: noise that is not too large
 * uses most of it. */
static void not_even_at_the_margin(void **state) {
    enum { SUITES = 500 };
    struct red_duel_plan plans[] = {made_plan(), plan_of(12, 2)};
    for (size_t i = 0; i < 2 * sizeof noises / sizeof noises[0]; i++) {
        struct red_duel_plan *plan = &plans[i % 2];
        const struct noise *noise = &noises[i / 2];
        plan->alpha = 0.2;
        size_t any = suites(SUITES, CELLS, plan, noise, log(1.02)).any;
        must_be_rare(noise->name, any, SUITES, plan->alpha);
        if (!(noise->degrees > 0 || noise->slow > 0))
            assert_true(any > SUITES / 15);
    }
}

static void a_real_change_is_found(void **state) {
    enum { SUITES = 300 };
    struct red_duel_plan plans[] = {made_plan(), plan_of(24, 6)};
    for (size_t p = 0; p < 2; p++) {
        struct count found = suites(SUITES, 4, &plans[p], &noises[1], log(1.05));
        if (found.all < 0.97 * SUITES)
            fail_msg("all four cells in %zu of %d suites", found.all, SUITES);
    }
    /* Processes that are slow for all of their life hide nothing, since their process pairs are left out. */
    struct count trimmed = suites(SUITES, 1, &plans[1], &noises[SLOW_PROCESSES], log(1.05));
    plans[1].trim = 0;
    struct count whole = suites(SUITES, 1, &plans[1], &noises[SLOW_PROCESSES], log(1.05));
    if (trimmed.all < 0.95 * SUITES || whole.all > 0.7 * SUITES)
        fail_msg("trimmed %zu, whole %zu of %d suites", trimmed.all, whole.all, SUITES);
}
