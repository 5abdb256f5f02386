/* Another program's rows beside those of bench --ranks: whose they may stand beside, one row of the samples
 * of two files, and the sentence about them. */
#include "tests/unit/testing.h"

#include "console/ranks_table.h"
#include "results/ranks.h"
#include "tests/unit/made_ranks.h"

enum { N = 1 << 20 };

/* Two ranks' rows of another program: of one rank, which is as long as the R-th of weak scaling, and of two.
 */
static struct red_ranks_run peer_run(double times) {
    struct red_ranks_run run = made_ranks_run(2);
    snprintf(run.path, sizeof run.path, "nccl.json");
    add_made_row(&run, RED_RANKS_PEER, "nccl", N, 1, false, 2e-3 * times);
    add_made_row(&run, RED_RANKS_PEER, "nccl", N, 2, false, 1e-3 * times);
    add_made_row(&run, RED_RANKS_PEER, "nccl_graph", N, 2, false, 0.75e-3 * times);
    add_made_row(&run, RED_RANKS_ALONE, "nccl", 0, 2, false, 7e-6 * times);
    free(run.rows[1].samples_s[RED_PART_DEVICE]);
    run.rows[1].samples_s[RED_PART_DEVICE] = NULL;
    run.mpi[0] = '\0';
    return run;
}

/* Our rows over two ranks, of strong and of weak scaling. */
static struct red_ranks_run run_of_two(void) {
    struct red_ranks_run run = made_ranks_run(2);
    add_made_row(&run, RED_RANKS_ROOF, "", N, 2, false, 0.4e-3);
    add_made_row(&run, RED_RANKS_STRATEGY, "exact", N, 1, false, 1e-3);
    add_made_row(&run, RED_RANKS_STRATEGY, "exact", N, 2, false, 0.5e-3);
    add_made_row(&run, RED_RANKS_STRATEGY, "exact", 2 * N, 2, true, 1e-3);
    add_made_row(&run, RED_RANKS_ALONE, "nccl", 0, 2, false,
                 2e-6); /* a name of the peer's, and not its row */
    return run;
}

static void only_rows_of_a_peer_make_its_file(void **state) {
    struct red_ranks_run run = run_of_two(), peer = peer_run(1);
    assert_true(red_ranks_run_is_of_peer(&peer));
    assert_false(red_ranks_run_is_of_peer(&run));
    assert_true(red_ranks_run_fits_peer(&run, &peer));
    assert_false(red_ranks_run_fits_peer(&peer, &peer));
    snprintf(run.ranks[1].device_name, sizeof run.ranks[1].device_name, "another");
    assert_false(red_ranks_run_fits_peer(&run, &peer));
    peer.ranks_n = 1;
    assert_true(red_ranks_run_fits_peer(&run, &peer));
    run.ranks_n = 0;
    assert_false(red_ranks_run_fits_peer(&run, &peer));
    peer.ranks_n = run.ranks_n = 2;
    peer.rows[0].kind = RED_RANKS_ROOF;
    assert_false(red_ranks_run_is_of_peer(&peer));
    peer.rows_n = 0;
    assert_false(red_ranks_run_is_of_peer(&peer));
    peer.rows_n = 4;
    red_ranks_run_clear(&peer);
    red_ranks_run_clear(&run);
}

/* Samples 1, 0.5, 1.5 ms and 3, 1.5, 4.5 ms: their median is 1.5 ms. */
static void a_peers_rows_stand_behind_the_runs(void **state) {
    struct red_ranks_run run = run_of_two();
    struct red_scaling scaling;
    struct red_error error;
    size_t at = 0;
    for (int i = 0; i < 2; i++) {
        struct red_ranks_run peer = peer_run(i == 0 ? 1 : 3);
        assert_ok(red_ranks_run_take_peer(&run, &peer, &error), &error);
        assert_null(peer.rows);
    }
    assert_int_equal(run.own_rows_n, 5);
    assert_int_equal(run.rows_n, 9);
    assert_int_equal(run.peers_n, 2);
    assert_string_equal(run.peers[1].path, "nccl.json");
    assert_string_equal(run.peers[1].driver, "3.1");
    assert_int_equal(run.rows[6].samples_n, 6);
    assert_near(run.rows[6].time.median, 1.5e-3, 1e-12);
    assert_near(run.rows[6].medians_s[RED_PART_DEVICE], 0, 0);
    assert_null(run.rows[6].samples_s[RED_PART_DEVICE]);
    assert_near(run.rows[5].medians_s[RED_PART_DEVICE], 0.875 * 3e-3, 1e-12);
    assert_int_equal(run.rows[4].samples_n, 3);
    assert_near(red_ranks_row_efficiency(&run, &run.rows[6]), 1, 1e-9);
    assert_near(red_ranks_row_roof_share(&run, &run.rows[6]), 0.4 / 1.5, 1e-9);
    assert_true(red_scaling_next(&run, &at, &scaling));
    assert_ptr_equal(red_scaling_fastest(&scaling, RED_RANKS_STRATEGY, 2), &run.rows[2]);
    assert_ptr_equal(red_scaling_fastest(&scaling, RED_RANKS_PEER, 2), &run.rows[7]);
    assert_true(isinf(red_scaling_time_of_fastest(&scaling, 2, 1))); /* of our lines there is one */
    assert_true(red_scaling_next(&run, &at, &scaling));
    assert_true(scaling.weak);
    assert_ptr_equal(red_scaling_row(&scaling, &run.rows[6], 1), &run.rows[5]);
    red_ranks_run_clear(&run);
}

/* A row that was not timed takes no samples, and gives none. */
static void a_peers_row_without_times_stands_alone(void **state) {
    struct red_ranks_run run = run_of_two();
    struct red_error error;
    for (int i = 0; i < 2; i++) {
        struct red_ranks_run peer = peer_run(1);
        make_row_fail(&peer.rows[2 * i], RED_STATE_WRONG, "wrong");
        assert_ok(red_ranks_run_take_peer(&run, &peer, &error), &error);
    }
    assert_int_equal(run.rows_n, 5 + 4 + 2);
    assert_int_equal(run.rows[5].state, RED_STATE_WRONG);
    assert_int_equal(run.rows[7].samples_n, 3);
    assert_int_equal(run.rows[10].state, RED_STATE_WRONG);
    red_ranks_run_clear(&run);
}

static void a_sentence_sets_a_peer_beside_ours(void **state) {
    static const struct {
        double times;
        const char *told;
    } cases[] = {{1, "; fastest: chunk with exact; chunk with nccl_graph takes 1.50 times as long."},
                 {0.5, "; fastest: chunk with exact; chunk with nccl_graph takes 0.75 of that time."}};
    for (size_t i = 0; i < 2; i++) {
        struct red_ranks_run run = run_of_two(), peer = peer_run(cases[i].times);
        struct red_scaling scaling;
        struct red_error error;
        char text[1024];
        size_t at = 0;
        assert_ok(red_ranks_run_take_peer(&run, &peer, &error), &error);
        assert_true(red_scaling_next(&run, &at, &scaling));
        red_scaling_sentence_format(&scaling, text, sizeof text);
        assert_has(text, cases[i].told);
        assert_true(red_scaling_next(&run, &at, &scaling)); /* weak: it has no row with two ranks */
        red_scaling_sentence_format(&scaling, text, sizeof text);
        assert_has(text, "; fastest: chunk with exact.");
        red_ranks_run_clear(&run);
    }
}
