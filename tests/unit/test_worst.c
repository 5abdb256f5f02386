#include "tests/unit/testing.h"

#include <unistd.h>

#include "reproduce/reproduce.h"
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

static void reproduce_takes_the_first_of_the_worst(void **state) {
    struct red_verify_check checks[] = {
        {.at.n = 1, .state = RED_STATE_UNSUPPORTED}, {.at.n = 2, .state = RED_STATE_KNOWN_BUG},
        {.at.n = 3, .state = RED_STATE_CRASHED},     {.at.n = 4, .state = RED_STATE_WRONG},
        {.at.n = 5, .state = RED_STATE_WRONG},       {.at.n = 6, .state = RED_STATE_FAILED}};
    struct red_run_device devices[] = {{.info = {.id = "a"}}, {.info = {.id = "b"}}};
    struct red_verify_device checked[] = {{.checks = checks, .checks_n = 3},
                                          {.checks = checks, .checks_n = 6}};
    const struct red_verify_file file = {.result.run = {.devices = devices, .devices_n = 2},
                                         .devices = checked};
    static const struct {
        const char *devices;
        size_t from; /* the checks before are right */
        uint64_t n;  /* of what is taken; 0: nothing */
        const char *device;
    } rows[] = {{NULL, 0, 4, "b"}, {"a", 0, 3, "a"}, {"a,b", 5, 6, "b"}, {"a", 3, 0, ""}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct red_selection selection = {.device = rows[i].devices};
        const char *device = "";
        for (size_t c = 0; c < rows[i].from; c++)
            checks[c].state = RED_STATE_PASS;
        const struct red_verify_check *taken = red_reproduce_choose_check(&file, &selection, &device);
        assert_int_equal(taken != NULL ? taken->at.n : 0, rows[i].n);
        assert_string_equal(device, rows[i].device);
    }
}

/* Of those that give a run its exit status. */
static void states_stand_as_their_statuses_do(void **state) {
    for (int a = 0; a < RED_STATES_N; a++)
        for (int b = 0; b < RED_STATES_N; b++) {
            const enum red_status of_a = red_state_status((enum red_state)a),
                                  of_b = red_state_status((enum red_state)b);
            if (red_status_is_worse(of_a, of_b) && !red_state_is_worse((enum red_state)a, (enum red_state)b))
                fail_msg("%s and %s", red_state_name((enum red_state)a), red_state_name((enum red_state)b));
        }
}

/* As documents have it (docs/verbs.md): 2, then 5, 4, 1, 3. */
static void statuses_stand_as_their_exit_statuses_do(void **state) {
    static const int exits[] = {2, 5, 4, 1, 3, 77, 0};
    enum { EXITS_N = sizeof exits / sizeof exits[0] };
    static const enum red_status of_exits[EXITS_N][3] = {{RED_E_WRONG},
                                                         {RED_E_CRASHED, RED_E_TIMED_OUT, RED_E_DEVICE},
                                                         {RED_E_BUILD, RED_E_INPUT, RED_E_MEMORY},
                                                         {RED_E_SLOWER},
                                                         {RED_E_UNDECIDED},
                                                         {RED_E_NO_DEVICE},
                                                         {RED_OK}};
    for (size_t a = 0; a < EXITS_N; a++)
        for (size_t i = 0; i < 3 && (i == 0 || of_exits[a][i] != RED_OK); i++) {
            assert_int_equal(red_exit_status_of(of_exits[a][i]), exits[a]);
            for (size_t b = 0; b < a; b++)
                assert_true(red_status_is_worse(of_exits[b][0], of_exits[a][i]));
        }
    assert_true(red_status_is_worse(RED_E_NO_DEVICE, RED_E_INTERRUPTED)); /* docs/ranks.md */
    assert_true(red_status_is_worse(RED_E_UNSUPPORTED, RED_OK));
}

static void the_first_of_the_worst_is_told(void **state) {
    static const struct {
        enum red_status status;
        bool is_told;
        size_t at, alike_n, n; /* from then on */
    } rows[] = {
        {RED_OK, false, 0, 0, 0},          {RED_E_BUILD, true, 1, 1, 1},  {RED_E_INPUT, false, 1, 1, 2},
        {RED_E_BUILD, false, 1, 2, 3},     {RED_E_WRONG, true, 4, 1, 4},  {RED_E_CRASHED, false, 4, 1, 5},
        {RED_E_TIMED_OUT, false, 4, 1, 6}, {RED_E_WRONG, false, 4, 2, 7}, {RED_OK, false, 4, 2, 7},
    };
    struct red_worst worst = {.status = RED_OK};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(red_worst_add(&worst, rows[i].status, i), rows[i].is_told);
        assert_int_equal(worst.at, rows[i].at);
        assert_int_equal(worst.alike_n, rows[i].alike_n);
        assert_int_equal(worst.n, rows[i].n);
        assert_int_equal(worst.status, rows[worst.at].status);
    }
}

static void a_wrong_result_is_told_however_the_run_ended(void **state) {
    static const struct {
        enum red_status found, run;
        bool is_told;
    } rows[] = {{RED_OK, RED_OK, false},
                {RED_OK, RED_E_INPUT, false},
                {RED_E_WRONG, RED_OK, true},
                {RED_E_WRONG, RED_E_INTERRUPTED, true},
                {RED_E_WRONG, RED_E_INPUT, true},
                {RED_E_CRASHED, RED_OK, true},
                {RED_E_CRASHED, RED_E_INTERRUPTED, false},
                {RED_E_BUILD, RED_E_INPUT, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(red_finding_is_told(rows[i].found, rows[i].run), rows[i].is_told);
}

/* Calls it, and reads what it prints to the standard error. */
static void call_and_catch(enum red_status *run, enum red_status found, enum red_status output,
                           struct red_error *error, char *printed, size_t printed_bytes) {
    FILE *file = tmpfile();
    const int kept = dup(STDERR_FILENO);
    assert_true(file != NULL && kept >= 0);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    *run = red_verb_status_find(*run, found, "found", output, "output", error);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    printed[fread(printed, 1, printed_bytes - 1, file)] = '\0';
    fclose(file);
}

/* An output that failed changes neither what is told nor its text, unless nothing else went wrong; and no
 * text is lost or told twice. */
static void one_of_three_decides_with_its_text(void **state) {
    static const struct {
        enum red_status run, found, output, status;
        const char *text, *printed;
    } rows[] = {{RED_OK, RED_OK, RED_OK, RED_OK, "", ""},
                {RED_E_INTERRUPTED, RED_OK, RED_OK, RED_E_INTERRUPTED, "run", ""},
                {RED_E_INTERRUPTED, RED_E_WRONG, RED_OK, RED_E_WRONG, "found", "run\n"},
                {RED_E_INTERRUPTED, RED_E_CRASHED, RED_E_INPUT, RED_E_INTERRUPTED, "run", "output\n"},
                {RED_OK, RED_E_CRASHED, RED_E_INPUT, RED_E_CRASHED, "found", "output\n"},
                {RED_E_DEVICE, RED_E_WRONG, RED_E_INPUT, RED_E_WRONG, "found", "run\noutput\n"},
                {RED_OK, RED_OK, RED_E_INPUT, RED_E_INPUT, "output", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_error error = {.text = ""};
        enum red_status status = rows[i].run;
        char printed[64];
        if (status != RED_OK)
            (void)red_fail(&error, status, "run");
        call_and_catch(&status, rows[i].found, rows[i].output, &error, printed, sizeof printed);
        assert_int_equal(status, rows[i].status);
        assert_string_equal(error.text, rows[i].text);
        assert_string_equal(printed, rows[i].printed);
    }
}
