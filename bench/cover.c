#include "bench/cover.h"

#include <stdlib.h>
#include <string.h>

#include "model/random.h"

enum { TRIES = 40 };

/* The states of a pair. */
enum { OPEN, COVERED, IMPOSSIBLE };

/* A pair is (factor, level) x (factor, level); its state stands at [a][b] with a < b as slots. */
struct pairs {
    const struct red_cover_plan *plan;
    size_t first_slot[RED_FACTORS_MAX]; /* of a factor's level 0 */
    size_t slots_n;
    unsigned char *covered; /* slots_n * slots_n */
    uint64_t random;
};

static size_t draw(struct pairs *pairs, size_t n) {
    return (size_t)(red_random(&pairs->random) % n);
}

static unsigned char *pair_at(struct pairs *pairs, size_t f, size_t level_f, size_t g, size_t level_g) {
    size_t a = pairs->first_slot[f] + level_f, b = pairs->first_slot[g] + level_g;
    return &pairs->covered[f < g ? a * pairs->slots_n + b : b * pairs->slots_n + a];
}

/* How many uncovered pairs the level would cover with the levels that are already set (255: not set). */
static size_t gain(struct pairs *pairs, const unsigned char *row, size_t f, size_t level) {
    size_t n = 0;
    for (size_t g = 0; g < pairs->plan->factors_n; g++)
        if (g != f && row[g] != 255)
            n += *pair_at(pairs, f, level, g, row[g]) == OPEN;
    return n;
}

static void complete_factor(struct pairs *pairs, unsigned char *row, size_t f, bool greedily) {
    size_t levels_n = pairs->plan->levels_n[f], best = draw(pairs, levels_n), best_gain = 0;
    for (size_t i = 0; greedily && i < levels_n; i++) {
        size_t level = (best + i) % levels_n, level_gain = gain(pairs, row, f, level);
        if (level_gain > best_gain) {
            best_gain = level_gain;
            row[f] = (unsigned char)level;
        }
    }
    if (best_gain == 0)
        row[f] = (unsigned char)best;
}

/* Tries every completion of the pair in turn: only then is it impossible. */
static bool search(const struct pairs *pairs, unsigned char *row, size_t f, size_t g) {
    const struct red_cover_plan *plan = pairs->plan;
    for (size_t h = 0; h < plan->factors_n; h++)
        row[h] = h == f || h == g ? row[h] : 0;
    for (;;) {
        if (plan->valid(plan->context, row))
            return true;
        size_t h = 0;
        while (h < plan->factors_n && (h == f || h == g || row[h] + 1u == plan->levels_n[h])) {
            row[h] = h == f || h == g ? row[h] : 0;
            h++;
        }
        if (h == plan->factors_n)
            return false;
        row[h]++;
    }
}

static void complete_rest(struct pairs *pairs, unsigned char *row, bool greedily) {
    size_t start = draw(pairs, pairs->plan->factors_n);
    for (size_t i = 0; i < pairs->plan->factors_n; i++) {
        size_t h = (start + i) % pairs->plan->factors_n;
        if (row[h] == 255)
            complete_factor(pairs, row, h, greedily);
    }
}

/* Takes the shared factors of the earlier row, from a random one on, that has the levels that are set and
 * covers most with them; later attempts take the first that comes. False if no row has them. */
static bool share(struct pairs *pairs, const struct red_cover *cover, unsigned char *row, bool greedily) {
    const unsigned char *best = NULL;
    size_t best_gain = 0, start = cover->rows_n > 0 ? draw(pairs, cover->rows_n) : 0;
    for (size_t i = 0; i < cover->rows_n; i++) {
        const unsigned char *other = cover->rows[(start + i) % cover->rows_n];
        size_t other_gain = 0;
        bool fits = true;
        for (size_t h = 0; h < pairs->plan->shared_n && fits; h++) {
            fits = row[h] == 255 || row[h] == other[h];
            other_gain += row[h] == 255 ? gain(pairs, row, h, other[h]) : 0;
        }
        if (fits && (best == NULL || (greedily && other_gain > best_gain))) {
            best = other;
            best_gain = other_gain;
        }
    }
    for (size_t h = 0; h < pairs->plan->shared_n && best != NULL; h++)
        row[h] = best[h];
    return best != NULL;
}

/* Completes a pair to a valid row; the later tries leave what is shared, then greed for chance, and the last
 * one is exhaustive. */
static bool complete(struct pairs *pairs, const struct red_cover *cover, unsigned char *row, size_t f,
                     size_t g) {
    const unsigned char level_f = row[f], level_g = row[g];
    for (int attempt = 0; attempt < TRIES; attempt++) {
        memset(row, 255, RED_FACTORS_MAX);
        row[f] = level_f;
        row[g] = level_g;
        if (attempt < TRIES / 2 && !share(pairs, cover, row, attempt < TRIES / 4))
            attempt = TRIES / 2;
        complete_rest(pairs, row, attempt < TRIES * 3 / 4);
        if (pairs->plan->valid(pairs->plan->context, row))
            return true;
    }
    row[f] = level_f;
    row[g] = level_g;
    return search(pairs, row, f, g);
}

static void mark(struct pairs *pairs, const unsigned char *row) {
    for (size_t f = 0; f < pairs->plan->factors_n; f++)
        for (size_t g = f + 1; g < pairs->plan->factors_n; g++)
            *pair_at(pairs, f, row[f], g, row[g]) = COVERED;
}

static size_t count(const struct pairs *pairs, unsigned char state) {
    size_t n = 0;
    for (size_t i = 0; i < pairs->slots_n * pairs->slots_n; i++)
        n += pairs->covered[i] == state;
    return n;
}

static bool append(struct red_cover *cover, const unsigned char *row) {
    if ((cover->rows_n & (cover->rows_n - 1)) == 0) {
        void *grown = realloc(cover->rows, (cover->rows_n ? 2 * cover->rows_n : 1) * sizeof *cover->rows);
        if (grown == NULL)
            return false;
        cover->rows = grown;
    }
    memcpy(cover->rows[cover->rows_n++], row, RED_FACTORS_MAX);
    return true;
}

/* Covers all pairs of two factors. */
static bool cover_factors(struct pairs *pairs, struct red_cover *cover, size_t f, size_t g) {
    for (size_t i = 0; i < pairs->plan->levels_n[f]; i++) {
        for (size_t j = 0; j < pairs->plan->levels_n[g]; j++) {
            unsigned char row[RED_FACTORS_MAX];
            if (*pair_at(pairs, f, i, g, j) != OPEN)
                continue;
            row[f] = (unsigned char)i;
            row[g] = (unsigned char)j;
            if (!complete(pairs, cover, row, f, g)) {
                *pair_at(pairs, f, i, g, j) = IMPOSSIBLE;
                continue;
            }
            mark(pairs, row);
            if (!append(cover, row))
                return false;
        }
    }
    return true;
}

static bool pairs_make(const struct red_cover_plan *plan, struct pairs *pairs) {
    *pairs = (struct pairs){.plan = plan, .random = plan->seed};
    for (size_t f = 0; f < plan->factors_n; f++) {
        pairs->first_slot[f] = pairs->slots_n;
        pairs->slots_n += plan->levels_n[f];
    }
    pairs->covered = calloc(pairs->slots_n * pairs->slots_n + 1, 1);
    return pairs->covered != NULL;
}

bool red_cover_count(const struct red_cover_plan *plan, const unsigned char (*rows)[RED_FACTORS_MAX],
                     size_t rows_n, size_t *pairs_n) {
    struct pairs pairs;
    if (!pairs_make(plan, &pairs))
        return false;
    for (size_t i = 0; i < rows_n; i++)
        mark(&pairs, rows[i]);
    *pairs_n = count(&pairs, COVERED);
    free(pairs.covered);
    return true;
}

enum red_status red_cover_make(const struct red_cover_plan *plan, struct red_cover *cover,
                               struct red_error *error) {
    struct pairs pairs;
    *cover = (struct red_cover){.rows_n = 0};
    bool done = pairs_make(plan, &pairs);
    for (size_t f = 0; f < plan->factors_n; f++)
        for (size_t g = f + 1; g < plan->factors_n && done; g++)
            done = cover_factors(&pairs, cover, f, g);
    if (done) {
        cover->pairs_n = count(&pairs, COVERED);
        cover->impossible_n = count(&pairs, IMPOSSIBLE);
    }
    free(pairs.covered);
    if (done)
        return RED_OK;
    red_cover_clear(cover);
    return red_fail(error, RED_E_MEMORY, "no memory for a covering choice");
}

void red_cover_clear(struct red_cover *cover) {
    free(cover->rows);
    *cover = (struct red_cover){.rows_n = 0};
}
