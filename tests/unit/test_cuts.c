#include "tests/unit/testing.h"

#include "core/random.h"
#include "ranks/team.h"

/* Where an array is cut into pieces for ranks. Seeds differ from run to run: SEED=N does the same again. */
static uint64_t drawn;

static int draw_seed(void **state) {
    drawn = seed_of_run();
    return 0;
}
#define SET_UP    draw_seed
#define TEAR_DOWN NULL

enum { PIECES_MAX = 16 };

static void check_whole(const uint64_t *firsts, size_t pieces_n, uint64_t n) {
    assert_int_equal(firsts[0], 0);
    assert_true(firsts[pieces_n] == n);
    for (size_t i = 0; i < pieces_n; i++)
        assert_true(firsts[i] <= firsts[i + 1]);
}

static void equal_pieces_differ_by_one_element_at_most(void **state) {
    for (int round = 0; round < 2000; round++) {
        const size_t pieces_n = 1 + red_random(&drawn) % PIECES_MAX;
        const uint64_t n = red_random(&drawn) >> (1 + red_random(&drawn) % 63);
        double weights[PIECES_MAX];
        uint64_t firsts[PIECES_MAX + 1];
        for (size_t i = 0; i < pieces_n; i++)
            weights[i] = round % 2 == 0 ? 0 : 3e9;
        red_pieces_cut(n, weights, pieces_n, firsts);
        check_whole(firsts, pieces_n, n);
        for (size_t i = 0; i < pieces_n; i++)
            assert_in_range(firsts[i + 1] - firsts[i], n / pieces_n, n / pieces_n + 1);
    }
}

/* Four ranks of one device and one of another, which read at rates drawn about 1e12 and 3e11 bytes per
 * second. */
static void ranks_alike_have_equal_weights_unless_one_is_slower_by_a_tenth(void **state) {
    enum { ALIKE = 4, ALL };
    for (int round = 0; round < 200; round++) {
        struct red_rank ranks[ALL] = {{.device_name = ""}};
        double weights[ALL], fastest = 0;
        const size_t slow = red_random(&drawn) % ALIKE;
        for (size_t i = 0; i < ALL; i++) {
            struct red_rank *rank = &ranks[i];
            snprintf(rank->device_name, sizeof rank->device_name, i < ALIKE ? "one" : "other");
            rank->cores_n = 16;
            rank->roof_bytes_per_s = (i < ALIKE ? 1e12 : 3e11) + 1e8 * (double)(red_random(&drawn) % 900);
            if (i == slow && round % 2 == 1)
                rank->roof_bytes_per_s *= 0.7;
            fastest = i < ALIKE && rank->roof_bytes_per_s > fastest ? rank->roof_bytes_per_s : fastest;
        }
        red_weights_of_roofs(ranks, ALL, weights);
        for (size_t i = 0; i < ALL; i++) {
            const bool own = i == ALIKE || (i == slow && round % 2 == 1);
            assert_true(weights[i] == (own ? ranks[i].roof_bytes_per_s : fastest));
        }
        ranks[0].cores_n = 8; /* no longer alike, whatever it reads */
        red_weights_of_roofs(ranks, ALL, weights);
        assert_true(weights[0] == ranks[0].roof_bytes_per_s);
    }
}

static void long_arrays_are_cut_by_their_weights(void **state) {
    const uint64_t longest = INT64_MAX, n[] = {longest, longest - 1, longest / 3, (UINT64_C(1) << 32) + 17};
    const double weights[] = {1, 3, 0, 4};
    for (size_t k = 0; k < sizeof n / sizeof n[0]; k++) {
        uint64_t firsts[5];
        red_pieces_cut(n[k], weights, 4, firsts);
        check_whole(firsts, 4, n[k]);
        assert_true(firsts[1] == n[k] / 8);
        assert_true(firsts[2] == n[k] / 2 && firsts[3] == firsts[2]);
    }
}

static void no_weight_is_no_element_and_few_elements_are_all_there(void **state) {
    for (int round = 0; round < 2000; round++) {
        const size_t pieces_n = 2 + red_random(&drawn) % (PIECES_MAX - 1),
                     heavy = red_random(&drawn) % pieces_n;
        const uint64_t n = red_random(&drawn) % (2 * pieces_n);
        double weights[PIECES_MAX];
        uint64_t firsts[PIECES_MAX + 1];
        for (size_t i = 0; i < pieces_n; i++)
            weights[i] = i == heavy ? 1 : (double)(red_random(&drawn) % 3);
        red_pieces_cut(n, weights, pieces_n, firsts);
        check_whole(firsts, pieces_n, n);
        for (size_t i = 0; i < pieces_n; i++)
            assert_true(weights[i] > 0 || firsts[i] == firsts[i + 1]);
    }
}
