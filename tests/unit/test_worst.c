#include "tests/unit/testing.h"

#include "results/run.h"

static void states_have_one_order(void **state) {
    size_t times[RED_STATES_N] = {0};
    for (size_t a = 0; a < RED_STATES_N; a++) {
        times[red_states_worst_first[a]]++;
        for (size_t b = 0; b < RED_STATES_N; b++)
            assert_int_equal(red_state_is_worse(red_states_worst_first[a], red_states_worst_first[b]), a < b);
    }
    for (size_t s = 0; s < RED_STATES_N; s++)
        assert_int_equal(times[s], 1);
    assert_int_equal(red_states_worst_first[0], RED_STATE_WRONG);
    assert_int_equal(red_states_worst_first[RED_STATES_N - 1], RED_STATE_PENDING);
}

static void what_went_wrong_counts_before_what_is_right_and_that_before_what_was_not_run(void **state) {
    for (int s = 0; s < RED_STATES_N; s++) {
        const bool is_not_run =
            s == RED_STATE_PENDING || s == RED_STATE_UNSUPPORTED || s == RED_STATE_OVER_BUDGET;
        assert_int_equal(red_state_is_worse(RED_STATE_PASS, (enum red_state)s), is_not_run);
        assert_true(red_state_status((enum red_state)s) == RED_OK || red_state_is_fault((enum red_state)s));
    }
}

static void the_worst_state_decides_the_exit_status(void **state) {
    size_t counts[RED_STATES_N] = {0};
    for (size_t i = RED_STATES_N; i-- > 0;) {
        const enum red_state worst = red_states_worst_first[i];
        counts[worst] = 1 + i;
        assert_int_equal(red_state_deciding_exit(counts),
                         red_state_status(worst) != RED_OK ? worst : RED_STATE_PASS);
    }
}
