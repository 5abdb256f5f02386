/* The file of bench --ranks: what is written is read as it was, nothing in it is believed, and efficiencies
 * and shares are those that a person computes. */
#include "tests/unit/testing.h"

#include "console/ranks_table.h"
#include "core/random.h"
#include "results/ranks.h"
#include "tests/unit/made_ranks.h"
#include "tests/unit/texts.h"

enum { N = 1 << 20 };

static const char path[] = "ranks.json";

/* The text that a run is written as. Release with free. */
static char *written(const struct red_ranks_run *run) {
    struct red_error error;
    assert_ok(red_ranks_run_write(run, path, &error), &error);
    return file_text(path);
}

static enum red_status read_text(const char *text, struct red_ranks_run *run, struct red_error *error) {
    return red_ranks_run_read("x.json", text, strlen(text), run, error);
}

/* Rows of everything: two strategies' collectives, the host, roofs, collectives alone; one wrong. */
static struct red_ranks_run whole_run(void) {
    struct red_ranks_run run = made_ranks_run(4);
    add_made_row(&run, RED_RANKS_ROOF, "", N, 1, false, 8e-4);
    add_made_row(&run, RED_RANKS_ROOF, "", N, 4, false, 2e-4);
    add_made_row(&run, RED_RANKS_ROOF, "", 4 * N, 4, true, 8e-4);
    add_made_row(&run, RED_RANKS_STRATEGY, "mpi_reduce", N, 1, false, 1e-3);
    add_made_row(&run, RED_RANKS_STRATEGY, "mpi_reduce", N, 4, false, 2.5e-4);
    add_made_row(&run, RED_RANKS_STRATEGY, "mpi_reduce", 4 * N, 4, true, 1.25e-3);
    add_made_row(&run, RED_RANKS_STRATEGY, "exact", N, 1, false, 2e-3);
    add_made_row(&run, RED_RANKS_STRATEGY, "exact", N, 4, false, 1e-3);
    make_row_fail(add_made_row(&run, RED_RANKS_STRATEGY, "exact", 4 * N, 4, true, 1), RED_STATE_WRONG,
                  "expected 1, got 2");
    add_made_row(&run, RED_RANKS_HOST, "mpi_reduce", N, 4, false, 5e-4);
    add_made_row(&run, RED_RANKS_ALONE, "mpi_reduce", 0, 4, false, 2e-6);
    const size_t verified[] = {3, 4, 5, 9};
    for (size_t i = 0; i < 4; i++)
        add_made_answers(&run.rows[verified[i]], 2, 0x4b5f3c00);
    struct red_ranks_row *bare = add_made_row(&run, RED_RANKS_BARE, "", 0, 4, false, 1.5e-6);
    bare->op[0] = bare->type[0] = '\0';
    for (size_t part = RED_PART_DEVICE; part < RED_PARTS_N; part++) {
        free(bare->samples_s[part]);
        bare->samples_s[part] = NULL;
        bare->medians_s[part] = 0;
    }
    return run;
}

/* What is read and written again is what was read. */
static void stays_the_same(char *text) {
    struct red_ranks_run run;
    struct red_error error;
    assert_ok(read_text(text, &run, &error), &error);
    char *second = written(&run);
    red_ranks_run_clear(&run);
    assert_string_equal(text, second);
    free(second);
    free(text);
}

static void what_is_read_is_what_was_written(void **state) {
    struct red_ranks_run run = whole_run();
    snprintf(run.host.environment[0].name, sizeof run.host.environment[0].name, "POCL_AFFINITY");
    snprintf(run.host.environment[0].value, sizeof run.host.environment[0].value, "1");
    run.host.environment_n = 1;
    run.version[0] = '\0'; /* this program's */
    char *text = written(&run);
    assert_has(text, "\"POCL_AFFINITY\":\"1\"");
    assert_has(text, "\"suite_version\": \"" CLREDUCE_VERSION "\"");
    stays_the_same(text);
    red_ranks_run_clear(&run);
}

static void medians_are_those_of_the_samples(void **state) {
    struct red_ranks_run run = whole_run(), copy;
    struct red_error error;
    char *text = written(&run);
    assert_ok(read_text(text, &copy, &error), &error);
    assert_int_equal(copy.rows_n, run.rows_n);
    for (size_t r = 0; r < run.rows_n; r++) {
        assert_near(copy.rows[r].time.low, run.rows[r].time.low, 1e-12);
        for (size_t part = 0; part < RED_PARTS_N; part++)
            assert_near(copy.rows[r].medians_s[part], run.rows[r].medians_s[part], 1e-12);
    }
    assert_near(copy.rows[4].medians_s[RED_PART_DEVICE], 0.875 * 2.5e-4, 1e-12);
    assert_null(copy.rows[11].samples_s[RED_PART_DEVICE]);
    assert_int_equal(copy.rows[4].answers_n, 2);
    assert_int_equal(copy.rows[4].answers[0], 0x4b5f3c00);
    assert_int_equal(copy.rows[0].answers_n, 0);
    free(text);
    red_ranks_run_clear(&copy);
    red_ranks_run_clear(&run);
}

/* By hand: strong 1 ms / (4 x 0.25 ms), weak 1 ms / 1.25 ms (one rank has the row of strong scaling);
 * roofs 0.2 ms / 0.25 ms and 0.8 ms / 1.25 ms. */
static void efficiency_and_share_of_the_roof(void **state) {
    struct red_ranks_run run = whole_run();
    assert_near(red_ranks_row_efficiency(&run, &run.rows[4]), 1, 1e-9);
    assert_near(red_ranks_row_roof_share(&run, &run.rows[4]), 0.8, 1e-9);
    assert_near(red_ranks_row_efficiency(&run, &run.rows[5]), 0.8, 1e-9);
    assert_near(red_ranks_row_roof_share(&run, &run.rows[5]), 0.64, 1e-9);
    const double median = run.rows[5].time.median;
    run.rows[5].time.median = median * 0.64 / 1.49;
    assert_near(red_ranks_row_roof_share(&run, &run.rows[5]), 1.49, 1e-9);
    run.rows[5].time.median = median * 0.64 / 31.91; /* which cannot be */
    assert_near(red_ranks_row_roof_share(&run, &run.rows[5]), 0, 0);
    run.rows[5].time.median = median;
    assert_near(red_ranks_row_efficiency(&run, &run.rows[7]), 0.5, 1e-9);
    assert_near(red_ranks_row_efficiency(&run, &run.rows[3]), 1, 1e-9);
    assert_ptr_equal(red_ranks_row_of_one(&run, &run.rows[7]), &run.rows[6]);
    assert_near(red_ranks_row_efficiency(&run, &run.rows[8]), 0, 0); /* wrong */
    assert_near(red_ranks_row_efficiency(&run, &run.rows[9]), 0, 0); /* none with one rank */
    make_row_fail(&run.rows[3], RED_STATE_CRASHED, "crashed");
    assert_near(red_ranks_row_efficiency(&run, &run.rows[4]), 0, 0);
    make_row_fail(&run.rows[1], RED_STATE_CRASHED, "crashed");
    assert_near(red_ranks_row_roof_share(&run, &run.rows[4]), 0, 0);
    red_ranks_run_clear(&run);
}

static void rows_beside(void **state) {
    struct red_ranks_run run = whole_run();
    assert_ptr_equal(red_ranks_row_beside(&run, &run.rows[4], RED_RANKS_HOST), &run.rows[9]);
    assert_ptr_equal(red_ranks_row_beside(&run, &run.rows[7], RED_RANKS_HOST), &run.rows[9]);
    assert_ptr_equal(red_ranks_row_beside(&run, &run.rows[4], RED_RANKS_ALONE), &run.rows[10]);
    assert_null(red_ranks_row_beside(&run, &run.rows[7], RED_RANKS_ALONE));
    assert_ptr_equal(red_ranks_row_beside(&run, &run.rows[5], RED_RANKS_ROOF), &run.rows[2]);
    assert_ptr_equal(red_ranks_row_beside(&run, &run.rows[10], RED_RANKS_BARE), &run.rows[11]);
    assert_null(red_ranks_row_beside(&run, &run.rows[3], RED_RANKS_BARE));
    snprintf(run.rows[4].type, sizeof run.rows[4].type, "f64");
    assert_null(red_ranks_row_beside(&run, &run.rows[4], RED_RANKS_ROOF));
    red_ranks_run_clear(&run);
}

static void a_scaling_has_its_lines_and_ranks(void **state) {
    struct red_ranks_run run = whole_run();
    struct red_scaling scaling;
    size_t at = 0, line_at = 0;
    assert_true(red_scaling_next(&run, &at, &scaling));
    assert_false(scaling.weak);
    assert_int_equal(scaling.n, N);
    assert_int_equal(red_scaling_ranks_n_above(&scaling, 0), 1);
    assert_int_equal(red_scaling_ranks_n_above(&scaling, 1), 4);
    assert_int_equal(red_scaling_ranks_n_above(&scaling, 4), 0);
    const size_t lines[] = {0, 3, 6, 9};
    for (size_t i = 0; i < 4; i++)
        assert_ptr_equal(red_scaling_next_line(&scaling, &line_at), &run.rows[lines[i]]);
    assert_null(red_scaling_next_line(&scaling, &line_at));
    assert_ptr_equal(red_scaling_row(&scaling, &run.rows[6], 4), &run.rows[7]);
    assert_ptr_equal(red_scaling_fastest(&scaling, RED_RANKS_STRATEGY, 4), &run.rows[4]);
    assert_true(red_scaling_next(&run, &at, &scaling)); /* the other one, with the same row of one rank */
    assert_true(scaling.weak);
    assert_int_equal(scaling.n, N);
    assert_ptr_equal(red_scaling_row(&scaling, &run.rows[5], 1), &run.rows[3]);
    assert_ptr_equal(red_scaling_row(&scaling, &run.rows[5], 4), &run.rows[5]);
    assert_null(red_scaling_row(&scaling, &run.rows[9], 1));
    assert_false(red_scaling_next(&run, &at, &scaling));
    red_ranks_run_clear(&run);
}

/* What is printed of a run. Release with free. */
static char *printed(const struct red_ranks_run *run) {
    FILE *out = fopen("printed.txt", "wb");
    assert_non_null(out);
    red_ranks_run_print(run, out);
    assert_int_equal(fclose(out), 0);
    return file_text("printed.txt");
}

/* What the scaling, the first of the run, says of the bits of the row's line. */
static enum red_ranks_bits bits_of(const struct red_ranks_run *run, const struct red_ranks_row *row) {
    struct red_scaling scaling;
    size_t at = 0;
    assert_true(red_scaling_next(run, &at, &scaling));
    return red_scaling_bits(&scaling, row);
}

static void bits_are_compared_over_numbers_of_ranks(void **state) {
    struct red_ranks_run run = made_ranks_run(4);
    for (unsigned ranks_n = 1; ranks_n <= 4; ranks_n *= 2)
        add_made_row(&run, RED_RANKS_STRATEGY, "exact", N, ranks_n, false, 1e-3);
    assert_int_equal(bits_of(&run, &run.rows[0]), RED_BITS_UNKNOWN);
    add_made_answers(&run.rows[2], 3, 7);
    add_made_row(&run, RED_RANKS_STRATEGY, "mpi_reduce", N, 1, false, 1e-3); /* of another line */
    add_made_answers(&run.rows[3], 3, 9);
    assert_int_equal(bits_of(&run, &run.rows[0]), RED_BITS_UNKNOWN);
    add_made_answers(&run.rows[0], 3, 7);
    assert_int_equal(bits_of(&run, &run.rows[2]), RED_BITS_SAME);
    add_made_answers(&run.rows[1], 3, 7);
    assert_int_equal(bits_of(&run, &run.rows[1]), RED_BITS_SAME);
    run.rows[1].answers[2] ^= 1ULL << 63;
    assert_int_equal(bits_of(&run, &run.rows[0]), RED_BITS_DIFFER);
    run.rows[1].answers_n = 2;
    assert_int_equal(bits_of(&run, &run.rows[0]), RED_BITS_UNKNOWN);
    assert_int_equal(bits_of(&run, &run.rows[3]), RED_BITS_UNKNOWN);
    red_ranks_run_clear(&run);
}

/* With R ranks the array of weak scaling is another; with one rank it is that of strong scaling, once more.
 */
static void bits_of_weak_scaling_are_unknown(void **state) {
    struct red_ranks_run run = made_ranks_run(2);
    add_made_answers(add_made_row(&run, RED_RANKS_STRATEGY, "exact", N, 1, true, 1e-3), 3, 7);
    add_made_answers(add_made_row(&run, RED_RANKS_STRATEGY, "exact", 2 * N, 2, true, 1e-3), 3, 7);
    assert_int_equal(bits_of(&run, &run.rows[0]), RED_BITS_UNKNOWN);
    run.rows[0].weak = false;
    add_made_answers(add_made_row(&run, RED_RANKS_STRATEGY, "exact", N, 1, true, 1e-3), 3, 7);
    assert_int_equal(bits_of(&run, &run.rows[0]), RED_BITS_UNKNOWN);
    run.rows[2].answers[0] = 8;
    assert_int_equal(bits_of(&run, &run.rows[0]), RED_BITS_DIFFER);
    red_ranks_run_clear(&run);
}

static void the_screen_has_bits_of_sums_of_floats(void **state) {
    static const char title[] = "strategy  collective    total  device  imbalance  the collective  bits\n",
                      means[] = "bits: whether 1, 2 and 4 ranks gave the same bits in all data sets.\n";
    struct red_ranks_run run = made_ranks_run(4);
    for (unsigned ranks_n = 1; ranks_n <= 4; ranks_n *= 2) {
        add_made_answers(add_made_row(&run, RED_RANKS_STRATEGY, "exact", N, ranks_n, false, 1e-3), 3, 7);
        add_made_answers(add_made_row(&run, RED_RANKS_STRATEGY, "mpi_reduce", N, ranks_n, false, 1e-3), 3,
                         ranks_n);
    }
    add_made_row(&run, RED_RANKS_HOST, "mpi_reduce", N, 4, false, 1e-3);
    char *text = printed(&run);
    assert_has(text, title);
    assert_has(text, " 62.5 us         62.5 us  same\n");
    assert_has(text, " 62.5 us         62.5 us  differ\n");
    assert_has(text, " 62.5 us         62.5 us  -\n");
    assert_has(text, means);
    free(text);
    for (size_t r = 0; r < run.rows_n; r++)
        snprintf(run.rows[r].op, sizeof run.rows[r].op, "max");
    text = printed(&run);
    assert_has(text, "the collective\n");
    assert_null(strstr(text, "bits"));
    free(text);
    red_ranks_run_clear(&run);
}

static const struct {
    const char *from, *to, *told;
} nonsense[] = {
    {"clreduce-ranks", "clreduce-verify", "x.json: schema: expected \"clreduce-ranks\""},
    {"\"schema_version\": 2", "\"schema_version\": 3", "schema_version: expected 1 or 2"},
    {"\"schema_version\": 2", "\"schema_version\": 0", "schema_version: expected 1 or 2"},
    {"\"suite_version\": \"0.1.0\"", "\"suite_version\": null", "suite_version: expected a text"},
    {"\"seed\": 9223372036854775807", "\"seed\": 1e9", "seed: expected a whole number"},
    {"\"wall_s\": 12.5", "\"wall_s\": -1", "wall_s: expected a number from 0"},
    {"\"split\": \"equal\"", "\"split\": \"even\"", "split: expected \"equal\" or \"roof\""},
    {"\"host\": {", "\"host\": 3, \"hosts\": {", "host: expected an object"},
    {"\"ranks\": [", "\"ranks\": 7, \"more\": [", "ranks: expected an array"},
    {"\"rows\": [", "\"rows\": {}, \"more\": [", "rows: expected an array"},
    {"\"host\":\"box\"", "\"host\":null", "ranks[0].host: expected a text"},
    {"\"device\":\"pocl\"", "\"device\":1", "ranks[0].device: expected a text"},
    {"\"node\":1", "\"node\":-1", "ranks[2].node: expected a whole number"},
    {"\"node\":1", "\"node\":4294967296", "ranks[2].node: expected a smaller number"},
    {"\"roof_bytes_per_s\":1e10", "\"roof_bytes_per_s\":-1", "ranks[0].roof_bytes_per_s: expected"},
    {"\"kind\":\"roof\"", "\"kind\":\"ceiling\"",
     "rows[0].kind: expected strategy, host, peer, roof, alone, bare"},
    {"\"kind\":\"roof\"", "\"kind\":\"alone\"", "rows[0].collective: expected a name"},
    {"\"kind\":\"roof\"", "\"kind\":\"host\"", "rows[0].strategy: expected a name"},
    {"\"strategy\":\"chunk\"", "\"strategy\":\"\"", "rows[3].strategy: expected a name"},
    {"\"collective\":\"mpi_reduce\"", "\"collective\":null", "rows[3].collective: expected a name"},
    {"\"op\":\"sum\"", "\"op\":null", "rows[0].op: expected a name"},
    {"\"type\":\"f32\"", "\"type\":null", "rows[0].type: expected a name"},
    {"\"n\":1048576", "\"n\":-1", "rows[0].n: expected a whole number"},
    {"\"ranks\":1", "\"ranks\":0", "rows[0].ranks: expected a whole number from 1"},
    {"\"ranks\":4", "\"ranks\":5", "rows[1].ranks: expected as many as the file has"},
    {"\"weak\":false", "\"weak\":0", "rows[0].weak: expected true or false"},
    {"\"state\":\"pass\"", "\"state\":\"fine\"", "rows[0].state: expected"},
    {"\"state\":\"pass\"", "\"state\":\"wrong\"", "rows[0].samples_s: expected times where"},
    {"\"state\":\"wrong\"", "\"state\":\"pass\"", "rows[8].samples_s: expected times where"},
    {"\"samples_s\":{", "\"samples_s\":1, \"x\": {", "rows[0].samples_s: expected an object"},
    {"\"total\":{", "\"total\":[],\"x\":{", "rows[0].samples_s.total: expected an array of one or more"},
    {"\"device\":{\"about\"", "\"device\":[1],\"x\":{\"about\"",
     "samples_s.device: expected as many numbers as the total has"},
    {"\"device\":{", "\"device\":1,\"y\":{", "samples_s.device: expected as many numbers"},
    {"\"total\":{\"about\":", "\"total\":{\"about\":-", "samples_s.total: expected about: a number above 0"},
    {"\"total\":{\"about\"", "\"total\":{\"x\"", "samples_s.total: expected about: a number above 0"},
    {"\"off\":[0,", "\"off\":[-10000,", "samples_s.total: expected numbers from 1e-12"},
    {"\"off\":[0,", "\"off\":[\"1\",", "samples_s.total: expected numbers from 1e-12"},
    {"\"total\":{\"about\":", "\"total\":{\"about\":1e10,\"x\":",
     "samples_s.total: expected numbers from 1e-12"},
    {"\"device\":{\"about\":", "\"device\":{\"about\":1e10,\"x\":",
     "samples_s.device: expected numbers from -1e+09"},
    {"\"answers\":[", "\"answers\":{}, \"x\": [", "rows[3].answers: expected an array"},
    {"\"4b5f3c00\"", "\"4B5F3C00\"", "rows[3].answers: expected up to 16 hexadecimal digits"},
    {"\"4b5f3c00\"", "\"04b5f3c00\"", "rows[3].answers: expected up to 16 hexadecimal digits"},
    {"\"4b5f3c00\"", "\"123456789abcdef01\"", "rows[3].answers: expected up to 16 hexadecimal digits"},
    {"\"4b5f3c00\"", "\"\"", "rows[3].answers: expected up to 16 hexadecimal digits"},
    {"\"4b5f3c00\"", "\"-1\"", "rows[3].answers: expected up to 16 hexadecimal digits"},
    {"\"4b5f3c00\"", "7", "rows[3].answers: expected up to 16 hexadecimal digits"},
    {"\"4b5f3c00\"", "1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9",
     "rows[3].answers: expected fewer entries"},
    {"\"rows\": [", "\"rows\": [3, ", "rows[0].kind: expected"},
    {"\"seed\"", "\"schema\": 1, \"seed\"",
     "x.json is no file of bench --ranks: line 7: duplicate object key"},
};

static void what_makes_no_sense_is_refused(void **state) {
    struct red_ranks_run run = whole_run();
    char *text = written(&run);
    red_ranks_run_clear(&run);
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        struct red_error error = {.text = ""};
        char *odd = replaced(text, nonsense[i].from, nonsense[i].to);
        assert_told(nonsense[i].to, read_text(odd, &run, &error), &error, nonsense[i].told);
        assert_null(run.rows);
        free(odd);
    }
    free(text);
}

/* Files of older programs have the seconds themselves. */
static void samples_may_be_seconds(void **state) {
    struct red_ranks_run run = whole_run();
    struct red_error error = {.text = ""};
    char *text = written(&run),
         *older = replaced(text, "\"total\":{", "\"total\":[0.001, 0.002, 0.003], \"x\":{");
    red_ranks_run_clear(&run);
    assert_ok(read_text(older, &run, &error), &error);
    assert_true(run.rows[0].samples_s[RED_PART_TOTAL][2] == 0.003 && run.rows[0].time.median == 0.002);
    red_ranks_run_clear(&run);
    free(older);
    free(text);
}

static void a_file_that_was_cut_is_refused(void **state) {
    struct red_ranks_run run = whole_run();
    char *text = written(&run);
    red_ranks_run_clear(&run);
    for (size_t cut = 0; cut + 2 < strlen(text); cut += 97) {
        struct red_error error = {.text = ""};
        assert_told("the file, cut", red_ranks_run_read("x.json", text, cut, &run, &error), &error,
                    "x.json is no file of bench --ranks: line ");
    }
    free(text);
}

static void only_its_own_text_is_taken(void **state) {
    static const char *const others[] = {"",
                                         "{}",
                                         "[]",
                                         "{\"schema\": 1, \"suite\": \"clreduce-ranks\"}",
                                         "{\"schema\": \"clreduce-ranks\"",
                                         "clreduce-ranks"};
    struct red_error error = {.text = ""};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_ok(red_ranks_run_refuse_text("x.json", others[i], strlen(others[i]), "a duel", &error),
                  &error);
    }
    static const char own[] = "{\"rows\": [], \"schema\": \"clreduce-ranks\"}";
    assert_told(own, red_ranks_run_refuse_text("x.json", own, strlen(own), "a duel", &error), &error,
                "x.json is a file of clreduce bench --ranks, which times one array over many ranks: clreduce "
                "report shows it; expected a duel");
}

/* A number from 0 to below `below`. */
static uint64_t drawn(uint64_t *random, uint64_t below) {
    return red_random(random) % below;
}

/* A row that any program might have made. */
static void add_drawn_row(struct red_ranks_run *run, uint64_t *random) {
    static const char *const collectives[] = {"mpi_reduce", "mpi_allreduce", "exact", "\xc3\xa9 \"x\""};
    const enum red_ranks_kind kind = (enum red_ranks_kind)drawn(random, RED_RANKS_KINDS_N);
    const unsigned ranks_n = 1 + (unsigned)drawn(random, run->ranks_n);
    const bool weak = drawn(random, 2) == 1;
    struct red_ranks_row *row =
        add_made_row(run, kind, collectives[drawn(random, 4)],
                     (weak ? ranks_n : 1) * (red_random(random) >> (3 + drawn(random, 61)) >> 4), ranks_n,
                     weak, 1e-6 * (double)(1 + drawn(random, 1000000)));
    add_made_answers(row, (size_t)drawn(random, RED_RANKS_ANSWERS_MAX + 1),
                     red_random(random) >> drawn(random, 64));
    if (drawn(random, 4) == 0)
        make_row_fail(row, (enum red_state)(2 + drawn(random, RED_STATES_N - 2)), "\xff no UTF-8\n");
    for (size_t part = RED_PART_DEVICE; part < RED_PARTS_N && row->samples_n > 0; part++)
        row->samples_s[part][1] *= drawn(random, 2) == 0 ? -1 : 0;
}

/* Whether any row is the same with one rank, by looking at all. */
static bool has_row_of_one(const struct red_ranks_run *run, const struct red_ranks_row *row) {
    for (size_t i = 0; i < run->rows_n; i++) {
        const struct red_ranks_row *one = &run->rows[i];
        if (one->ranks_n == 1 && one->samples_n > 0 && one->kind == row->kind &&
            strcmp(one->collective, row->collective) == 0 &&
            one->n == (row->weak ? row->n / row->ranks_n : row->n))
            return true;
    }
    return false;
}

/* Efficiency and share of all rows are finite; a scaling has each row of an array in one line at least. */
static void stays_sane(const struct red_ranks_run *run) {
    struct red_scaling scaling;
    size_t lines_n = 0, arrays_n = 0;
    for (size_t r = 0; r < run->rows_n; r++) {
        assert_true(isfinite(red_ranks_row_efficiency(run, &run->rows[r])));
        assert_true(isfinite(red_ranks_row_roof_share(run, &run->rows[r])));
        arrays_n += run->rows[r].kind < RED_RANKS_ALONE;
        if (run->rows[r].kind < RED_RANKS_ALONE)
            assert_true((red_ranks_row_of_one(run, &run->rows[r]) != NULL) ==
                        has_row_of_one(run, &run->rows[r]));
    }
    for (size_t at = 0; red_scaling_next(run, &at, &scaling);) {
        const struct red_ranks_row *line;
        for (size_t line_at = 0; (line = red_scaling_next_line(&scaling, &line_at)) != NULL; lines_n++)
            assert_string_equal(red_scaling_row(&scaling, line, line->ranks_n)->collective, line->collective);
    }
    assert_true((lines_n > 0) == (arrays_n > 0));
}

static void runs_by_chance(void **state) {
    const uint64_t seed = seed_of_run();
    uint64_t random = seed;
    for (int i = 0; i < 200; i++) {
        struct red_ranks_run run = made_ranks_run(1 + drawn(&random, 9));
        for (uint64_t rows_n = drawn(&random, MADE_ROWS_MAX); run.rows_n < rows_n;)
            add_drawn_row(&run, &random);
        stays_sane(&run);
        char *first = written(&run);
        struct red_ranks_run copy;
        struct red_error error;
        assert_ok(read_text(first, &copy, &error), &error);
        stays_sane(&copy);
        red_ranks_run_clear(&copy);
        free(first);
        first = written(&run);
        red_ranks_run_clear(&run);
        assert_ok(read_text(first, &copy, &error), &error);
        free(first);
        stays_the_same(written(&copy)); /* what was no UTF-8 is repaired, once */
        red_ranks_run_clear(&copy);
    }
}

static void the_screen_has_times_shares_parts_and_the_answer(void **state) {
    static const char *const lines[] = {
        "4 ranks, Open MPI v4.1.4, MPI 3.1; pieces of the same length\n",
        "\nbox   pocl    a device  3.1         4           1        40.0\n",
        "\nsum of f32, strong scaling, n = 2^20 in all\n"
        "strategy         collective   1 rank  roof      4 ranks  eff.  roof\n"
        "(reading alone)  -            800 us     -       200 us  1.00     -\n"
        "chunk            mpi_reduce  1.00 ms  0.80       250 us  1.00  0.80\n"
        "chunk            exact       2.00 ms  0.40  unsupported     -     -\n"
        "openmp           mpi_reduce        -     -       500 us     -  0.40\n",
        "\nparts of the time with 4 ranks\n"
        "strategy  collective   total  device  imbalance  the collective  bits\n"
        "chunk     mpi_reduce  250 us  219 us    15.6 us         15.6 us  same\n",
        "\nsum of f32, weak scaling, n = 2^20 for each rank\n"
        "strategy         collective   1 rank  roof  4 ranks  eff.  roof\n"
        "(reading alone)  -            800 us     -   800 us  1.00     -\n"
        "chunk            mpi_reduce  1.00 ms  0.80  1.25 ms  0.80  0.64\n",
        "\ncollectives alone\n"
        "collective  of          ranks    alone  over MPI_Reduce\n"
        "mpi_reduce  sum of f32      4  2.00 us         +0.50 us\n"
        "MPI_Reduce  8 bytes         4  1.50 us\n",
        "strategy  state        rows  first: collective  of             n  ranks\n"
        "chunk     unsupported     1  exact              sum of f32  2^20      4\n    no exact sum of it?\n"
        "chunk     wrong           2  exact              sum of f32  2^22      4\n    expected 1, got 2\n",
        "\nsum of f32, n = 2^20: 4 ranks are 4.00 times as fast as one (efficiency 1.00), at 0.80 of their\n"
        "roofs together; the collective takes 15.6 us (6.2 %), imbalance 6.2 %; fastest: chunk with\n"
        "mpi_reduce.\n",
        "\nsum of f32, n = 2^20 for each rank: 4 ranks reduce 4 times as much as one in 1.25 times its time\n"
        "(efficiency 0.80), at 0.64 of their roofs together; the collective takes 78.1 us (6.2 %), "
        "imbalance\n"
        "6.2 %; fastest: chunk with mpi_reduce.\n"};
    struct red_ranks_run run = whole_run();
    make_row_fail(&run.rows[7], RED_STATE_UNSUPPORTED, "no exact sum of it\x1b");
    make_row_fail(add_made_row(&run, RED_RANKS_STRATEGY, "exact", 4 * N, 4, true, 1), RED_STATE_WRONG,
                  "expected 1, got 2");
    char *text = printed(&run);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_has(text, lines[i]);
    free(text);
    red_ranks_run_clear(&run);
}

/* More than half of the rows with an interval as wide as their median, and the answers are none. */
static void times_that_cannot_be_compared_answer_nothing(void **state) {
    struct red_ranks_run run = whole_run();
    size_t timed_n = 0;
    for (size_t r = 0; r < run.rows_n; r++) {
        timed_n += run.rows[r].samples_n > 0;
        run.rows[r].time.low = run.rows[r].time.high = run.rows[r].time.median;
        run.rows[r].samples_n *= 3; /* only the number is asked for */
    }
    for (size_t r = 0, wide_n = 0; r < run.rows_n; r++) {
        if (run.rows[r].samples_n == 0)
            continue;
        run.rows[r].time.high = 2 * run.rows[r].time.median;
        char *text = printed(&run);
        assert_int_equal(strstr(text, "these times cannot be compared: ") != NULL, 2 * ++wide_n > timed_n);
        assert_int_equal(strstr(text, "times as fast as one") == NULL, 2 * wide_n > timed_n);
        free(text);
    }
    red_ranks_run_clear(&run);
}

/* Numbers of ranks that have no room beside the others follow below; no line is wider than the screen. */
static void no_line_is_too_wide(void **state) {
    struct red_ranks_run run = made_ranks_run(40);
    for (unsigned ranks_n = 1; ranks_n <= 12; ranks_n++)
        add_made_row(&run, RED_RANKS_STRATEGY, "gather_in_order", N, ranks_n, false, 1e-3 / ranks_n);
    char *text = printed(&run);
    assert_has(text, "  12 ranks  eff.  roof\n");
    for (const char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        assert_in_range(strlen(line), 0, RED_SCREEN_WIDTH);
    free(text);
    red_ranks_run_clear(&run);
}

static void a_sentence_says_what_it_lacks(void **state) {
    struct red_ranks_run run = made_ranks_run(2);
    struct red_scaling scaling;
    char text[1024];
    size_t at = 0;
    add_made_row(&run, RED_RANKS_STRATEGY, "exact", N, 2, false, 1e-3);
    assert_true(red_scaling_next(&run, &at, &scaling));
    red_scaling_sentence_format(&scaling, text, sizeof text);
    assert_has(text, "n = 2^20: 2 ranks take 1.00 ms, and one rank has no time to compare with; the coll");
    free(run.rows[0].samples_s[RED_PART_COLLECTIVE]);
    run.rows[0].samples_s[RED_PART_COLLECTIVE] = NULL;
    red_scaling_sentence_format(&scaling, text, sizeof text);
    assert_has(text, "to compare with; fastest: chunk with exact.");
    add_made_row(&run, RED_RANKS_STRATEGY, "exact", 2 * N, 2, false, 1e-3);
    assert_false(red_scaling_is_largest(&scaling));
    make_row_fail(&run.rows[0], RED_STATE_WRONG, "wrong");
    red_scaling_sentence_format(&scaling, text, sizeof text);
    assert_string_equal(text, "");
    red_ranks_run_clear(&run);
}

/* Three numbers of ranks, nine collectives each, and MPI_Reduce: 30 rows are too many, 10 are not. */
static void many_collectives_are_shown_on_the_most_ranks(void **state) {
    struct red_ranks_run run = made_ranks_run(4);
    for (unsigned ranks_n = 1; ranks_n <= 4; ranks_n *= 2) {
        add_made_row(&run, RED_RANKS_BARE, "", 0, ranks_n, false, 1e-6);
        for (int c = 0; c < 9; c++)
            add_made_row(&run, RED_RANKS_ALONE, "exact", 0, ranks_n, false, 2e-6);
    }
    struct red_table *table = red_ranks_collectives_table(&run);
    assert_int_equal(red_table_rows_n(table), 10);
    assert_string_equal(red_table_value(table, 0, 2), "4");
    red_table_destroy(table);
    red_ranks_run_clear(&run);
}

/* Sixty lines, of which one has no time: the screen shows the forty fastest, and the roof. */
static void of_many_lines_the_fastest_are_shown(void **state) {
    struct red_ranks_run run = made_ranks_run(1);
    struct red_scaling scaling;
    size_t at = 0;
    add_made_row(&run, RED_RANKS_ROOF, "", N, 1, false, 1);
    for (int i = 59; i >= 0; i--) {
        char name[32];
        snprintf(name, sizeof name, "c%d", i);
        add_made_row(&run, RED_RANKS_STRATEGY, name, N, 1, false, 1e-3 * (1 + i));
    }
    make_row_fail(&run.rows[60], RED_STATE_WRONG, "wrong"); /* c0 */
    assert_true(red_scaling_next(&run, &at, &scaling));
    assert_near(red_scaling_time_of_fastest(&scaling, 1, 40), 41e-3, 1e-9);
    assert_true(isinf(red_scaling_time_of_fastest(&scaling, 1, 60)));
    char *text = printed(&run);
    assert_has(text, "\n41 of 61 lines are shown, those of the fastest with 1 rank; the file has all.\n");
    assert_has(text, "\nchunk            c40         41.0 ms  ");
    assert_null(strstr(text, "\nchunk            c41 "));
    assert_has(text, "\n(reading alone)  -            1.00 s ");
    free(text);
    red_ranks_run_clear(&run);
}

static void times_have_three_digits_and_a_unit(void **state) {
    static const struct {
        double seconds;
        const char *text;
    } times[] = {{0, "0 us"},           {4e-10, "0 us"},    {6e-8, "0.060 us"},
                 {-2.5e-6, "-2.50 us"}, {1.5e-4, "150 us"}, {9.996e-4, "1.00 ms"},
                 {0.0123, "12.3 ms"},   {0.9996, "1.00 s"}, {123.4, "123 s"}};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        assert_string_equal(red_time_text(times[i].seconds).text, times[i].text);
}
