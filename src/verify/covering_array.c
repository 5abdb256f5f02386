/* Makes covering arrays: few combinations of strategy, type, operation, group size, n and data in which
 * every pair occurs. `verify` makes its checks from one (verify/covering_plan.c), unless --all asks for
 * everything: the user sees how many, "verifying on ...: N checks", and the pairs, "covered on ...". */
#include "verify/covering_array.h"

#include <stdlib.h>
#include <string.h>

#include "core/interrupt.h"
#include "core/memory.h"
#include "core/random.h"

enum { TRIES = 60, UNSET = 255 };

/* A pair is (factor, level) x (factor, level). rows_n[a][b], a < b slots of the two, counts the rows with
 * it; or it is OPEN (none yet) or `impossible` (no valid row has it). */
enum { OPEN = 0 };
static const uint32_t impossible = UINT32_MAX;

/* The search for one array, by the spec that verify/covering_plan.c makes of the device's parameter space; a
 * row is a level of each factor, and becomes a check. */
struct covering_search {
    const struct red_covering_spec *spec;
    size_t first_slot[RED_FACTORS_MAX]; /* of a factor's level 0 */
    size_t slots_n;
    uint32_t *rows_n; /* slots_n * slots_n */
    uint64_t random;
    /* The distinct combinations of the shared factors so far, one row of each. */
    unsigned char (*shared)[RED_FACTORS_MAX];
    size_t shared_n;
};

/* A random number below n. */
static size_t draw_below(struct covering_search *search, size_t n) {
    return (size_t)(red_random(&search->random) % n);
}

/* Where the number of rows with a pair of levels is kept. */
static uint32_t *pair_rows_n(struct covering_search *search, size_t f, size_t level_f, size_t g,
                             size_t level_g) {
    size_t a = search->first_slot[f] + level_f, b = search->first_slot[g] + level_g;
    return &search->rows_n[f < g ? a * search->slots_n + b : b * search->slots_n + a];
}

/* How many uncovered pairs the level would cover with the levels that are set already (others are UNSET); 0
 * where it can never occur with one of them. */
static size_t pairs_gained(struct covering_search *search, const unsigned char *row, size_t f, size_t level) {
    size_t n = 0;
    for (size_t g = 0; g < search->spec->factors_n; g++) {
        if (g == f || row[g] == UNSET)
            continue;
        uint32_t rows_n = *pair_rows_n(search, f, level, g, row[g]);
        if (rows_n == impossible)
            return 0;
        n += rows_n == OPEN;
    }
    return n;
}

/* Sets the level of the factor: greedily that which covers most pairs, otherwise a random one. */
static void choose_level(struct covering_search *search, unsigned char *row, size_t f, bool greedily) {
    size_t levels_n = search->spec->levels_n[f], best = draw_below(search, levels_n), best_gain = 0;
    for (size_t i = 0; greedily && i < levels_n; i++) {
        size_t level = (best + i) % levels_n, level_gain = pairs_gained(search, row, f, level);
        if (level_gain > best_gain) {
            best_gain = level_gain;
            row[f] = (unsigned char)level;
        }
    }
    if (best_gain == 0)
        row[f] = (unsigned char)best;
}

/* Sets the levels that are UNSET so that the row is valid, by trying all. False if it cannot be; the row is
 * of no use then. */
static bool find_valid_completion(const struct covering_search *search, unsigned char *row) {
    const struct red_covering_spec *spec = search->spec;
    unsigned char first[RED_FACTORS_MAX] = {0};
    bool open[RED_FACTORS_MAX];
    for (size_t h = 0; h < spec->factors_n; h++) {
        open[h] = row[h] == UNSET;
        first[h] = open[h] ? 0 : row[h];
    }
    memcpy(row, first, sizeof first);
    for (;;) {
        if (spec->valid(spec->context, row))
            return true;
        size_t h = 0;
        while (h < spec->factors_n && (!open[h] || row[h] + 1u == spec->levels_n[h])) {
            row[h] = first[h];
            h++;
        }
        if (h == spec->factors_n)
            return false;
        row[h]++;
    }
}

/* Sets the levels that are still UNSET among the factors from `first` to before `end`, from a random one on.
 */
static void choose_open_levels(struct covering_search *search, unsigned char *row, size_t first, size_t end,
                               bool greedily) {
    size_t n = end - first, start = n > 0 ? draw_below(search, n) : 0;
    for (size_t i = 0; i < n; i++) {
        size_t h = first + (start + i) % n;
        if (row[h] == UNSET)
            choose_level(search, row, h, greedily);
    }
}

/* Completes the row, which need not be valid then: first the shared factors, since an expensive combination
 * should cover as many pairs as it can. Of the attempts the first third chooses greedily, the second draws
 * the other factors, the last draws all. */
static void choose_all_open_levels(struct covering_search *search, unsigned char *row, int attempt) {
    choose_open_levels(search, row, 0, search->spec->shared_n, attempt < 2 * TRIES / 3);
    choose_open_levels(search, row, search->spec->shared_n, search->spec->factors_n, attempt < TRIES / 3);
}

/* Takes the shared factors of the earlier row; false if the row has other levels set. */
static bool copy_shared(const struct covering_search *search, const unsigned char *earlier,
                        unsigned char *row) {
    for (size_t h = 0; h < search->spec->shared_n; h++)
        if (row[h] != UNSET && row[h] != earlier[h])
            return false;
    memcpy(row, earlier, search->spec->shared_n);
    return true;
}

/* Takes the shared factors of the earlier row that covers most pairs with the levels that are set; of equal
 * ones a random one. */
static void copy_best_shared_factors(struct covering_search *search, unsigned char *row) {
    unsigned char best[RED_FACTORS_MAX];
    size_t best_gain = 0, start = search->shared_n > 0 ? draw_below(search, search->shared_n) : 0;
    bool found = false;
    for (size_t i = 0; i < search->shared_n; i++) {
        unsigned char tried[RED_FACTORS_MAX];
        size_t tried_gain = 0;
        memcpy(tried, row, sizeof tried);
        if (!copy_shared(search, search->shared[(start + i) % search->shared_n], tried))
            continue;
        for (size_t h = 0; h < search->spec->shared_n; h++)
            tried_gain += row[h] == UNSET ? pairs_gained(search, row, h, tried[h]) : 0;
        if (!found || tried_gain > best_gain) {
            memcpy(best, tried, sizeof best);
            best_gain = tried_gain;
        }
        found = true;
    }
    if (found)
        memcpy(row, best, sizeof best);
}

/* Tries every completion that has the shared factors of an earlier row, from a random one on. */
static bool find_valid_completion_sharing(struct covering_search *search, unsigned char *row) {
    unsigned char tried[RED_FACTORS_MAX];
    size_t start = search->shared_n > 0 ? draw_below(search, search->shared_n) : 0;
    for (size_t i = 0; i < search->shared_n; i++) {
        memcpy(tried, row, sizeof tried);
        if (copy_shared(search, search->shared[(start + i) % search->shared_n], tried) &&
            find_valid_completion(search, tried)) {
            memcpy(row, tried, sizeof tried);
            return true;
        }
    }
    return false;
}

/* Completes the row that has a level of f and one of g, as some valid row has (the others are chosen anew):
 * greedily, then at random, at last by trying all completions. The shared factors are combined anew only
 * where no earlier row's can be taken. */
static void complete_row_of_pair(struct covering_search *search, unsigned char *row, size_t f, size_t g) {
    unsigned char pair[RED_FACTORS_MAX];
    memset(pair, UNSET, sizeof pair);
    pair[f] = row[f];
    pair[g] = row[g];
    for (int attempt = 0; attempt < TRIES; attempt++) {
        memcpy(row, pair, sizeof pair);
        copy_best_shared_factors(search, row);
        choose_all_open_levels(search, row, attempt);
        if (search->spec->valid(search->spec->context, row))
            return;
    }
    memcpy(row, pair, sizeof pair);
    if (!find_valid_completion_sharing(search, row))
        (void)find_valid_completion(search, row);
}

/* Whether any valid row has the pair. Most are found by drawing; only then are all completions tried. */
static bool pair_is_possible(struct covering_search *search, size_t f, size_t level_f, size_t g,
                             size_t level_g) {
    unsigned char pair[RED_FACTORS_MAX], row[RED_FACTORS_MAX];
    memset(pair, UNSET, sizeof pair);
    pair[f] = (unsigned char)level_f;
    pair[g] = (unsigned char)level_g;
    for (int attempt = 0; attempt < 2 * TRIES; attempt++) {
        memcpy(row, pair, sizeof row);
        choose_open_levels(search, row, 0, search->spec->factors_n, false);
        if (search->spec->valid(search->spec->context, row))
            return true;
    }
    return find_valid_completion(search, pair);
}

/* Marks all impossible pairs first; otherwise the greedy choice would aim at pairs that no row can cover. */
static void mark_impossible_pairs(struct covering_search *search) {
    const struct red_covering_spec *spec = search->spec;
    for (size_t f = 0; f < spec->factors_n; f++)
        for (size_t g = f + 1; g < spec->factors_n; g++)
            for (size_t i = 0; i < spec->levels_n[f]; i++)
                for (size_t j = 0; j < spec->levels_n[g] && !red_interrupted(); j++)
                    if (!pair_is_possible(search, f, i, g, j))
                        *pair_rows_n(search, f, i, g, j) = impossible;
}

/* Counts the pairs of a row as covered once more. */
static void count_row_pairs(struct covering_search *search, const unsigned char *row) {
    for (size_t f = 0; f < search->spec->factors_n; f++)
        for (size_t g = f + 1; g < search->spec->factors_n; g++)
            ++*pair_rows_n(search, f, row[f], g, row[g]);
}

/* Counts the pairs of a row once less if each occurs in another row, too; false, and nothing, if not. */
static bool uncount_if_spare(struct covering_search *search, const unsigned char *row) {
    size_t factors_n = search->spec->factors_n;
    for (size_t f = 0; f < factors_n; f++)
        for (size_t g = f + 1; g < factors_n; g++)
            if (*pair_rows_n(search, f, row[f], g, row[g]) == 1)
                return false;
    for (size_t f = 0; f < factors_n; f++)
        for (size_t g = f + 1; g < factors_n; g++)
            --*pair_rows_n(search, f, row[f], g, row[g]);
    return true;
}

/* Appends a copy of the row to rows (of the array, or of `shared`). False without memory. */
static bool append_row(unsigned char (**rows)[RED_FACTORS_MAX], size_t *rows_n, const unsigned char *row) {
    if (!RED_GROW(*rows, *rows_n, 1))
        return false;
    memcpy((*rows)[(*rows_n)++], row, RED_FACTORS_MAX);
    return true;
}

/* Keeps the combination of shared factors for later rows, if it is new. False without memory. */
static bool keep_shared_factors_if_new(struct covering_search *search, const unsigned char *row) {
    for (size_t i = 0; i < search->shared_n; i++)
        if (memcmp(search->shared[i], row, search->spec->shared_n) == 0)
            return true;
    return search->spec->shared_n == 0 || append_row(&search->shared, &search->shared_n, row);
}

/* Adds a finished row to the array, its pairs to the counts, and its shared factors to those that later rows
 * may take. False without memory. */
static bool add_row(struct covering_search *search, struct red_covering_array *array,
                    const unsigned char *row) {
    count_row_pairs(search, row);
    return append_row(&array->rows, &array->rows_n, row) && keep_shared_factors_if_new(search, row);
}

/* Covers all pairs of two factors, unless the user interrupts. False without memory. */
static bool add_rows_for_pairs(struct covering_search *search, struct red_covering_array *array, size_t f,
                               size_t g) {
    for (size_t i = 0; i < search->spec->levels_n[f]; i++) {
        for (size_t j = 0; j < search->spec->levels_n[g] && !red_interrupted(); j++) {
            unsigned char row[RED_FACTORS_MAX] = {0};
            if (*pair_rows_n(search, f, i, g, j) != OPEN)
                continue;
            row[f] = (unsigned char)i;
            row[g] = (unsigned char)j;
            complete_row_of_pair(search, row, f, g);
            if (!add_row(search, array, row))
                return false;
        }
    }
    return true;
}

/* Drops rows, about a tenth, whose pairs all occur in other rows, too. Given rows stay. */
static void drop_spare_rows(struct covering_search *search, struct red_covering_array *array) {
    size_t kept_n = search->spec->given_n;
    for (size_t i = kept_n; i < array->rows_n; i++)
        if (!uncount_if_spare(search, array->rows[i]))
            memmove(array->rows[kept_n++], array->rows[i], RED_FACTORS_MAX);
    array->rows_n = kept_n;
}

/* Adds to the array's counts of covered and of impossible pairs: "N pairs", "N more pairs are left out". */
static void count_covered_and_impossible(const struct covering_search *search,
                                         struct red_covering_array *array) {
    for (size_t i = 0; i < search->slots_n * search->slots_n; i++) {
        array->impossible_n += search->rows_n[i] == impossible;
        array->pairs_n += search->rows_n[i] != impossible && search->rows_n[i] != OPEN;
    }
}

/* Makes a search with no rows yet: all pairs are open. The caller frees rows_n and shared. False without
 * memory. */
static bool search_make(const struct red_covering_spec *spec, struct covering_search *search) {
    *search = (struct covering_search){.spec = spec, .random = spec->seed};
    for (size_t f = 0; f < spec->factors_n; f++) {
        search->first_slot[f] = search->slots_n;
        search->slots_n += spec->levels_n[f];
    }
    search->rows_n = calloc(search->slots_n * search->slots_n + 1, sizeof *search->rows_n);
    return search->rows_n != NULL;
}

/* N of "covered on ...: N of M pairs". */
bool red_covering_array_count(const struct red_covering_spec *spec,
                              const unsigned char (*rows)[RED_FACTORS_MAX], size_t rows_n, size_t *pairs_n) {
    struct covering_search search;
    if (!search_make(spec, &search))
        return false;
    for (size_t i = 0; i < rows_n; i++)
        count_row_pairs(&search, rows[i]);
    struct red_covering_array counted = {.rows_n = 0};
    count_covered_and_impossible(&search, &counted);
    *pairs_n = counted.pairs_n;
    free(search.rows_n);
    return true;
}

enum red_status red_covering_array_make(const struct red_covering_spec *spec,
                                        struct red_covering_array *array, struct red_error *error) {
    struct covering_search search;
    *array = (struct red_covering_array){.rows_n = 0};
    bool done = search_make(spec, &search);
    if (done)
        mark_impossible_pairs(&search);
    for (size_t i = 0; i < spec->given_n && done; i++)
        done = add_row(&search, array, spec->given[i]);
    for (size_t f = 0; f < spec->factors_n; f++)
        for (size_t g = f + 1; g < spec->factors_n && done; g++)
            done = add_rows_for_pairs(&search, array, f, g);
    if (done) {
        drop_spare_rows(&search, array);
        count_covered_and_impossible(&search, array);
    }
    free(search.rows_n);
    free(search.shared);
    if (done && !red_interrupted())
        return RED_OK;
    red_covering_array_clear(array);
    if (done)
        return red_fail(error, RED_E_INTERRUPTED, "interrupted while checks were chosen");
    return red_fail(error, RED_E_MEMORY, "no memory for a covering array");
}

void red_covering_array_clear(struct red_covering_array *array) {
    free(array->rows);
    *array = (struct red_covering_array){.rows_n = 0};
}
