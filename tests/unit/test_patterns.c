#include "tests/unit/testing.h"

#include "core/random.h"
#include "verify/patterns.h"

/* What was told, sentence by sentence. */
struct told {
    char sentences[4][768];
    size_t n;
};

static void keep(void *context, const char *sentence) {
    struct told *told = context;
    snprintf(told->sentences[told->n++], sizeof told->sentences[0], "%s", sentence);
}

static struct told patterns_of(struct red_facts *facts) {
    struct told told = {.n = 0};
    red_facts_tell_patterns(facts, keep, &told);
    red_facts_clear(facts);
    return told;
}

typedef bool is_wrong(const struct red_fact *fact);

static size_t type_of(const char *name) {
    size_t t = 0;
    while (strcmp(red_dtypes[t].name, name) != 0)
        t++;
    return t;
}

/* Checks like those of `verify`: each program takes some n, drawn from the seed, and all data. */
static struct red_facts checks(is_wrong *wrong, uint64_t seed) {
    static const unsigned sizes[] = {1, 7, 32, 64, 100, 127, 128, 129, 256, 8192},
                          all_bins[] = {1, 7, 256, 257, 4096};
    static const char *const types[] = {"i32", "u32", "f32", "f64"};
    static const enum red_pattern data[] = {RED_PATTERN_EDGES, RED_PATTERN_ZIPF, RED_PATTERN_ENDS};
    static const uint64_t usual[] = {1, 2, 31, 63, 64, 65, 127, 128, 129, 1000, 4097, 65537};
    struct red_facts facts = {.n = 0};
    uint64_t random = seed;
    for (size_t i = 0; i < 10 * 4 * 12 * 3; i++) {
        const size_t size = i % 10, type = i / 10 % 4, at = i / 40 % 12;
        struct red_fact fact = {.n = i % 3 ? usual[at] : red_random(&random) % 1000,
                                .groups_n = 1,
                                .group_size = sizes[size],
                                .lanes = 4,
                                .bins_n = all_bins[(size + type + seed) % 5],
                                .type = (unsigned char)type_of(types[type]),
                                .data = (unsigned char)data[i / 480]};
        fact.wrong = wrong(&fact);
        red_facts_add(&facts, &fact);
    }
    return facts;
}

static struct told told_of(is_wrong *wrong, uint64_t seed) {
    struct red_facts facts = checks(wrong, seed);
    return patterns_of(&facts);
}

static bool remainder_1(const struct red_fact *fact) {
    return fact->n % 64 == 1;
}
static bool group_128(const struct red_fact *fact) {
    return fact->group_size == 128 && fact->n > 0;
}
static bool of_257_bins(const struct red_fact *fact) {
    return fact->bins_n == 257;
}
static bool many_bins(const struct red_fact *fact) {
    return fact->bins_n >= 257;
}
static bool floats_at_small_n(const struct red_fact *fact) {
    return red_dtypes[fact->type].is_float && fact->n > 0 && fact->n < 64;
}
static bool doubles_in_large_groups(const struct red_fact *fact) {
    return fact->type == type_of("f64") && fact->group_size > 128;
}
static bool no_power(const struct red_fact *fact) {
    return (fact->group_size & (fact->group_size - 1)) != 0;
}
static bool group_128_or_remainder_1(const struct red_fact *fact) {
    return group_128(fact) || remainder_1(fact);
}
static bool none(const struct red_fact *fact) {
    return false;
}
static bool all(const struct red_fact *fact) {
    return true;
}

static void what_separates_wrong_from_right_is_told(void **state) {
    static const struct {
        is_wrong *wrong;
        const char *words;
    } rows[] = {
        {remainder_1, "have n mod 64 = 1; 0 of "},
        {group_128, "have group size 128; "},
        {of_257_bins, "have 257 bins; 0 of "},
        {many_bins, "have bins >= 257; 0 of "},
        {doubles_in_large_groups, "type f64"},
        {doubles_in_large_groups, "group size >= 129"},
        {floats_at_small_n, "n <= "},
        {no_power, "have a group size that is no power of two; 0 of "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            const struct told told = told_of(rows[i].wrong, seed);
            assert_int_equal(told.n, 1);
            if (strstr(told.sentences[0], rows[i].words) == NULL)
                fail_msg("seed %d: '%s' has no '%s'", (int)seed, told.sentences[0], rows[i].words);
            assert_memory_equal(told.sentences[0], "all ", 4);
        }
}

static void counts_are_those_of_the_checks(void **state) {
    struct red_facts facts = checks(group_128, 1);
    size_t wrong_n = 0, right_with_n = 0;
    char expected[128];
    for (size_t i = 0; i < facts.n; i++) {
        wrong_n += facts.all[i].wrong;
        right_with_n += !facts.all[i].wrong && facts.all[i].group_size == 128;
    }
    snprintf(expected, sizeof expected, "all %zu wrong checks have group size 128; %zu of %zu right ones do",
             wrong_n, right_with_n, facts.n - wrong_n);
    const struct told told = patterns_of(&facts);
    assert_int_equal(told.n, 1);
    assert_string_equal(told.sentences[0], expected);
}

/* Each cause gets a sentence; what both make wrong belongs to the first. */
static void two_causes_are_two_sentences(void **state) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const struct told told = told_of(group_128_or_remainder_1, seed);
        assert_int_equal(told.n, 2);
        assert_non_null(strstr(told.sentences[0], " wrong checks have "));
        for (size_t i = 0; i < 2; i++)
            assert_true(strstr(told.sentences[i], "group size 128") != NULL ||
                        strstr(told.sentences[i], "n mod ") != NULL ||
                        strstr(told.sentences[i], "n = ") != NULL);
    }
}

static void nothing_is_told_without_both_sides(void **state) {
    assert_int_equal(told_of(none, 1).n, 0);
    assert_int_equal(told_of(all, 1).n, 0);
    struct red_facts facts = {.n = 0};
    assert_int_equal(patterns_of(&facts).n, 0);
}

/* Two wrong checks have something in common always. */
static void few_wrong_checks_tell_nothing(void **state) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct red_facts facts = checks(none, seed);
        uint64_t random = seed;
        for (int i = 0; i < 2; i++)
            facts.all[red_random(&random) % facts.n].wrong = true;
        assert_int_equal(patterns_of(&facts).n, 0);
    }
}

/* Wrong checks at random: at most one run of twenty seems to have a pattern. */
static void chance_is_no_pattern(void **state) {
    for (unsigned wrong_n = 3; wrong_n <= 300; wrong_n *= 3) {
        size_t told_n = 0;
        for (uint64_t seed = 1; seed <= 200; seed++) {
            struct red_facts facts = checks(none, seed);
            uint64_t random = seed;
            for (unsigned i = 0; i < wrong_n; i++)
                facts.all[red_random(&random) % facts.n].wrong = true;
            told_n += patterns_of(&facts).n > 0;
        }
        if (told_n > 10)
            fail_msg("%zu of 200 runs with %u wrong checks at random have a pattern", told_n, wrong_n);
    }
}

/* A right check of 64 lengths is right for every remainder modulo 64. */
static void lengths_of_right_checks_count(void **state) {
    struct red_facts facts = checks(remainder_1, 3);
    for (size_t i = 0; i < facts.n; i++)
        facts.all[i].shorter_n = facts.all[i].wrong || facts.all[i].n < 200 ? 0 : 63;
    const struct told told = patterns_of(&facts);
    for (size_t i = 0; i < told.n; i++)
        assert_null(strstr(told.sentences[i], "n mod 64 = 1; 0 of"));
}

static void very_many_checks_take_a_moment(void **state) {
    struct red_facts facts = {.n = 0};
    uint64_t random = 1;
    for (size_t i = 0; i < 2 * (size_t)RED_FACTS_MAX; i++) {
        const struct red_fact fact = {.n = red_random(&random) % 100000,
                                      .groups_n = 1,
                                      .group_size = 1 + (uint32_t)(red_random(&random) % 128),
                                      .lanes = 1,
                                      .wrong = i % 3 == 0};
        red_facts_add(&facts, &fact);
    }
    assert_int_equal(facts.n, RED_FACTS_MAX);
    assert_int_equal(facts.left_out_n, RED_FACTS_MAX);
    const double start_s = (double)clock() / CLOCKS_PER_SEC;
    assert_int_equal(patterns_of(&facts).n, 0);
    assert_true((double)clock() / CLOCKS_PER_SEC - start_s < 20);
}
