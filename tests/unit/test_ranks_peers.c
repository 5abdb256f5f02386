/* Another program's cells beside those of bench --ranks: whose they may stand beside, one cell of the samples
 * of two files, and the sentence about them. */
#include "tests/unit/testing.h"

#include "console/ranks_table.h"
#include "results/scalings.h"
#include "tests/unit/made_ranks.h"

enum { N = 1 << 20 };

/* Two ranks' cells of another program: of one rank, which is as long as the R-th of weak scaling, and of two.
 */
static struct red_result peer_result(double times) {
    struct red_result peer = {.path = "nccl.json", .run = made_ranks_run(2)};
    struct red_run *run = &peer.run;
    add_made_cell(run, RED_CELL_PEER, "nccl", N, 1, false, 2e-3 * times);
    struct red_cell *two = add_made_cell(run, RED_CELL_PEER, "nccl", N, 2, false, 1e-3 * times);
    add_made_cell(run, RED_CELL_PEER, "nccl_graph", N, 2, false, 0.75e-3 * times);
    add_made_cell(run, RED_CELL_ALONE, "nccl", 0, 2, false, 7e-6 * times);
    free(two->parts_s[RED_PART_DEVICE]);
    two->parts_s[RED_PART_DEVICE] = NULL;
    run->over_ranks.mpi[0] = '\0';
    return peer;
}

/* Our cells over two ranks, of strong and of weak scaling. */
static struct red_run run_of_two(void) {
    struct red_run run = made_ranks_run(2);
    add_made_cell(&run, RED_CELL_ROOF, "", N, 2, false, 0.4e-3);
    add_made_cell(&run, RED_CELL_OWN, "exact", N, 1, false, 1e-3);
    add_made_cell(&run, RED_CELL_OWN, "exact", N, 2, false, 0.5e-3);
    add_made_cell(&run, RED_CELL_OWN, "exact", 2 * N, 2, true, 1e-3);
    add_made_cell(&run, RED_CELL_ALONE, "nccl", 0, 2, false,
                  2e-6); /* a name of the peer's, and not its cell */
    return run;
}

static void only_cells_of_a_peer_make_its_file(void **state) {
    struct red_run run = run_of_two();
    struct red_result peer = peer_result(1);
    assert_true(red_run_is_of_peer(&peer.run));
    assert_false(red_run_is_of_peer(&run));
    assert_true(red_ranks_run_fits_peer(&run, &peer.run));
    assert_false(red_ranks_run_fits_peer(&peer.run, &peer.run));
    snprintf(run.over_ranks.ranks[1].device_name, sizeof run.over_ranks.ranks[1].device_name, "another");
    assert_false(red_ranks_run_fits_peer(&run, &peer.run));
    peer.run.over_ranks.ranks_n = 1;
    assert_true(red_ranks_run_fits_peer(&run, &peer.run));
    run.over_ranks.ranks_n = 0;
    assert_false(red_ranks_run_fits_peer(&run, &peer.run));
    peer.run.beside[0].kind = RED_CELL_ROOF;
    assert_false(red_run_is_of_peer(&peer.run));
    peer.run.beside[0].kind = RED_CELL_ALONE;
    peer.run.cells[2].kind = RED_CELL_OWN;
    assert_false(red_run_is_of_peer(&peer.run));
    peer.run.cells[2].kind = RED_CELL_PEER;
    peer.run.cells_n = 0;
    assert_false(red_run_is_of_peer(&peer.run));
    peer.run.cells_n = 3;
    red_result_clear(&peer);
    red_run_clear(&run);
}

/* Samples 1, 0.9, 1.1 ms and 3, 2.7, 3.3 ms: their median is 1.9 ms. */
static void a_peers_cells_stand_behind_the_runs(void **state) {
    enum { ALONE = 5, ONE, TWO, GRAPH };
    struct red_run run = run_of_two();
    struct red_result peers[] = {peer_result(1), peer_result(3)};
    struct red_ranks_pivot pivot;
    struct red_scaling scaling;
    struct red_error error;
    size_t at = 0;
    assert_ok(red_ranks_pivot_make(&run, peers, 2, &pivot, &error), &error);
    assert_int_equal(pivot.own_n, 5);
    assert_int_equal(pivot.cells_n, 9);
    const struct red_cell *two = pivot.cells[TWO];
    assert_int_equal(two->samples_n, 6);
    assert_near(two->time.median, 1.9e-3, 1e-12);
    assert_near(two->part_medians_s[RED_PART_DEVICE], 0, 0);
    assert_null(two->parts_s[RED_PART_DEVICE]);
    assert_near(pivot.cells[ONE]->part_medians_s[RED_PART_DEVICE], 0.875 * 3.8e-3, 1e-12);
    assert_int_equal(peers[0].run.cells[1].samples_n, 3);
    assert_near(red_ranks_efficiency(&pivot, two), 1, 1e-9);
    assert_near(red_ranks_roof_share(&pivot, two), 0.4 / 1.9, 1e-9);
    assert_true(red_scaling_next(&pivot, &at, &scaling));
    assert_ptr_equal(red_scaling_fastest(&scaling, 2), &run.cells[1]);
    assert_ptr_equal(red_scaling_fastest_peer(&scaling, 2), pivot.cells[GRAPH]);
    assert_true(isinf(red_scaling_time_of_fastest(&scaling, 2, 1))); /* of our lines there is one */
    assert_true(red_scaling_next(&pivot, &at, &scaling));
    assert_true(scaling.weak);
    assert_ptr_equal(red_scaling_cell(&scaling, two, 1), pivot.cells[ONE]);
    red_ranks_pivot_clear(&pivot);
    red_result_clear(&peers[0]);
    red_result_clear(&peers[1]);
    red_run_clear(&run);
}

/* A cell that was not timed takes no samples, and gives none. */
static void a_peers_cell_without_times_stands_alone(void **state) {
    struct red_run run = run_of_two();
    struct red_result peers[] = {peer_result(1), peer_result(1)};
    struct red_ranks_pivot pivot;
    struct red_error error;
    make_cell_fail(&peers[0].run.cells[0], RED_STATE_WRONG, "wrong");
    make_cell_fail(&peers[1].run.cells[2], RED_STATE_WRONG, "wrong");
    assert_ok(red_ranks_pivot_make(&run, peers, 2, &pivot, &error), &error);
    assert_int_equal(pivot.cells_n, 5 + 4 + 2);
    assert_int_equal(pivot.cells[6]->state, RED_STATE_WRONG);
    assert_int_equal(pivot.cells[8]->samples_n, 3);
    assert_int_equal(pivot.cells[10]->state, RED_STATE_WRONG);
    red_ranks_pivot_clear(&pivot);
    red_result_clear(&peers[0]);
    red_result_clear(&peers[1]);
    red_run_clear(&run);
}

static void a_sentence_sets_a_peer_beside_ours(void **state) {
    static const struct {
        double times;
        const char *told;
    } cases[] = {{1, "; fastest: chunk with exact; chunk with nccl_graph takes 1.50 times as long."},
                 {0.5, "; fastest: chunk with exact; chunk with nccl_graph takes 0.75 of that time."}};
    for (size_t i = 0; i < 2; i++) {
        struct red_run run = run_of_two();
        struct red_result peer = peer_result(cases[i].times);
        struct red_ranks_pivot pivot;
        struct red_scaling scaling;
        struct red_error error;
        char text[1024];
        size_t at = 0;
        assert_ok(red_ranks_pivot_make(&run, &peer, 1, &pivot, &error), &error);
        assert_true(red_scaling_next(&pivot, &at, &scaling));
        red_scaling_sentence_format(&scaling, text, sizeof text);
        assert_has(text, cases[i].told);
        assert_true(red_scaling_next(&pivot, &at, &scaling)); /* weak: it has no cell with two ranks */
        red_scaling_sentence_format(&scaling, text, sizeof text);
        assert_has(text, "; fastest: chunk with exact.");
        red_ranks_pivot_clear(&pivot);
        red_result_clear(&peer);
        red_run_clear(&run);
    }
}
