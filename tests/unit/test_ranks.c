/* Runs over ranks: what is written is read as it was, nothing in it is believed, and efficiencies and shares
 * are those that a person computes. */
#include "tests/unit/testing.h"

#include <jansson.h>

#include "console/ranks_table.h"
#include "core/random.h"
#include "results/scalings.h"
#include "results/steadiness.h"
#include "tests/unit/made_ranks.h"
#include "tests/unit/texts.h"

enum { N = 1 << 20 };

static const char path[] = "ranks.json";

/* The text that a run is written as. Release with free. */
static char *written(const struct red_run *run) {
    struct red_error error;
    assert_ok(red_result_write_json(run, path, &error), &error);
    return file_text(path);
}

static enum red_status read_text(const char *text, struct red_result *result, struct red_error *error) {
    return red_result_read("x.json", text, strlen(text), NULL, result, error);
}

/* Cells of everything, by their places in the run. */
enum { REDUCE_1, REDUCE_4, REDUCE_WEAK, EXACT_1, EXACT_4, EXACT_WEAK, HOST_4 };
enum { ROOF_1, ROOF_4, ROOF_WEAK, ALONE_4, BARE_4 };

/* Two strategies' collectives, the host, roofs, collectives alone; one wrong. */
static struct red_run whole_run(void) {
    struct red_run run = made_ranks_run(4);
    add_made_cell(&run, RED_CELL_ROOF, "", N, 1, false, 8e-4);
    add_made_cell(&run, RED_CELL_ROOF, "", N, 4, false, 2e-4);
    add_made_cell(&run, RED_CELL_ROOF, "", 4 * N, 4, true, 8e-4);
    add_made_cell(&run, RED_CELL_OWN, "mpi_reduce", N, 1, false, 1e-3);
    add_made_cell(&run, RED_CELL_OWN, "mpi_reduce", N, 4, false, 2.5e-4);
    add_made_cell(&run, RED_CELL_OWN, "mpi_reduce", 4 * N, 4, true, 1.25e-3);
    add_made_cell(&run, RED_CELL_OWN, "exact", N, 1, false, 2e-3);
    add_made_cell(&run, RED_CELL_OWN, "exact", N, 4, false, 1e-3);
    make_cell_fail(add_made_cell(&run, RED_CELL_OWN, "exact", 4 * N, 4, true, 1), RED_STATE_WRONG,
                   "expected 1, got 2");
    add_made_host(&run, "mpi_reduce", N, 4, false, 5e-4);
    add_made_cell(&run, RED_CELL_ALONE, "mpi_reduce", 0, 4, false, 2e-6);
    const size_t verified[] = {REDUCE_1, REDUCE_4, REDUCE_WEAK, HOST_4};
    for (size_t i = 0; i < 4; i++)
        add_made_answers(&run.cells[verified[i]], 2, 0x4b5f3c00);
    struct red_cell *bare = add_made_cell(&run, RED_CELL_BARE, "", 0, 4, false, 1.5e-6);
    for (int part = RED_PART_DEVICE; part < RED_PARTS_N; part++) {
        free(bare->parts_s[part]);
        bare->parts_s[part] = NULL;
        bare->part_medians_s[part] = 0;
    }
    return run;
}

/* What is read and written again is what was read, but for the order of the cells, once. */
static void stays_the_same(char *text) {
    char *texts[3] = {text};
    for (int i = 0; i < 2; i++) {
        struct red_result result;
        struct red_error error;
        assert_ok(read_text(texts[i], &result, &error), &error);
        texts[i + 1] = written(&result.run);
        red_result_clear(&result);
    }
    assert_int_equal(strlen(texts[0]), strlen(texts[1]));
    assert_string_equal(texts[1], texts[2]);
    for (int i = 0; i < 3; i++)
        free(texts[i]);
}

static void what_is_read_is_what_was_written(void **state) {
    struct red_run run = whole_run();
    char *text = written(&run);
    assert_has(text,
               "\"over_ranks\": {\"mpi\":\"Open MPI v4.1.4, MPI 3.1\",\"split\":\"equal\",\"ranks\":[{");
    stays_the_same(text);
    red_run_clear(&run);
}

/* The cell of the run that was read which is as this one. */
static const struct red_cell *same_cell(const struct red_run *run, const struct red_cell *cell) {
    for (size_t i = 0; i < run->cells_n + run->beside_n; i++) {
        const struct red_cell *found = red_run_any_cell(run, i);
        if (found->kind == cell->kind && red_at_is_same(&found->at, &cell->at, RED_AT_ALL))
            return found;
    }
    fail_msg("a cell is lost");
    return NULL;
}

static void medians_are_those_of_the_samples(void **state) {
    struct red_run run = whole_run();
    struct red_result result;
    struct red_error error;
    char *text = written(&run);
    assert_ok(read_text(text, &result, &error), &error);
    assert_int_equal(result.run.cells_n, run.cells_n);
    assert_int_equal(result.run.beside_n, run.beside_n);
    for (size_t i = 0; i < run.cells_n + run.beside_n; i++) {
        const struct red_cell *of = red_run_any_cell(&run, i), *copy = same_cell(&result.run, of);
        assert_near(copy->time.low, of->time.low, 1e-12);
        assert_int_equal(copy->answers_n, of->answers_n);
        for (size_t part = 0; part < RED_PARTS_N; part++)
            assert_near(copy->part_medians_s[part], of->part_medians_s[part], 1e-12);
    }
    const struct red_cell *cell = same_cell(&result.run, &run.cells[REDUCE_4]);
    assert_near(cell->part_medians_s[RED_PART_DEVICE], 0.875 * 2.5e-4, 1e-12);
    assert_null(same_cell(&result.run, &run.beside[BARE_4])->parts_s[RED_PART_DEVICE]);
    assert_int_equal(cell->answers_n, 2);
    assert_int_equal(cell->answers[0], 0x4b5f3c00);
    free(text);
    red_result_clear(&result);
    red_run_clear(&run);
}

/* By hand: strong 1 ms / (4 x 0.25 ms), weak 1 ms / 1.25 ms (one rank has the cell of strong scaling);
 * roofs 0.2 ms / 0.25 ms and 0.8 ms / 1.25 ms. */
static void efficiency_and_share_of_the_roof(void **state) {
    struct red_run run = whole_run();
    struct red_cell *cells = run.cells;
    struct red_ranks_pivot pivot = made_pivot(&run);
    assert_near(red_ranks_efficiency(&pivot, &cells[REDUCE_4]), 1, 1e-9);
    assert_near(red_ranks_roof_share(&pivot, &cells[REDUCE_4]), 0.8, 1e-9);
    assert_near(red_ranks_efficiency(&pivot, &cells[REDUCE_WEAK]), 0.8, 1e-9);
    assert_near(red_ranks_roof_share(&pivot, &cells[REDUCE_WEAK]), 0.64, 1e-9);
    const double median = cells[REDUCE_WEAK].time.median;
    cells[REDUCE_WEAK].time.median = median * 0.64 / 1.49;
    assert_near(red_ranks_roof_share(&pivot, &cells[REDUCE_WEAK]), 1.49, 1e-9);
    cells[REDUCE_WEAK].time.median = median * 0.64 / 31.91; /* which cannot be */
    assert_near(red_ranks_roof_share(&pivot, &cells[REDUCE_WEAK]), 0, 0);
    cells[REDUCE_WEAK].time.median = median;
    assert_near(red_ranks_efficiency(&pivot, &cells[EXACT_4]), 0.5, 1e-9);
    assert_near(red_ranks_efficiency(&pivot, &cells[REDUCE_1]), 1, 1e-9);
    assert_ptr_equal(red_ranks_cell_of_one(&pivot, &cells[EXACT_4]), &cells[EXACT_1]);
    assert_near(red_ranks_efficiency(&pivot, &cells[EXACT_WEAK]), 0, 0); /* wrong */
    assert_near(red_ranks_efficiency(&pivot, &cells[HOST_4]), 0, 0);     /* none with one rank */
    make_cell_fail(&cells[REDUCE_1], RED_STATE_CRASHED, "crashed");
    assert_near(red_ranks_efficiency(&pivot, &cells[REDUCE_4]), 0, 0);
    make_cell_fail(&run.beside[ROOF_4], RED_STATE_CRASHED, "crashed");
    assert_near(red_ranks_roof_share(&pivot, &cells[REDUCE_4]), 0, 0);
    red_ranks_pivot_clear(&pivot);
    red_run_clear(&run);
}

static void cells_beside(void **state) {
    struct red_run run = whole_run();
    struct red_ranks_pivot pivot = made_pivot(&run);
    assert_ptr_equal(red_ranks_bare_beside(&pivot, &run.beside[ALONE_4]), &run.beside[BARE_4]);
    assert_null(red_ranks_bare_beside(&pivot, &run.cells[REDUCE_1]));
    run.cells[REDUCE_4].at.dtype = red_dtype_find("f64");
    assert_near(red_ranks_roof_share(&pivot, &run.cells[REDUCE_4]), 0, 0); /* none of that type */
    red_ranks_pivot_clear(&pivot);
    red_run_clear(&run);
}

static void a_scaling_has_its_lines_and_ranks(void **state) {
    struct red_run run = whole_run();
    struct red_ranks_pivot pivot = made_pivot(&run);
    struct red_scaling scaling;
    size_t at = 0, line_at = 0;
    assert_true(red_scaling_next(&pivot, &at, &scaling));
    assert_false(scaling.weak);
    assert_int_equal(scaling.n, N);
    assert_int_equal(red_scaling_ranks_n_above(&scaling, 0), 1);
    assert_int_equal(red_scaling_ranks_n_above(&scaling, 1), 4);
    assert_int_equal(red_scaling_ranks_n_above(&scaling, 4), 0);
    assert_ptr_equal(red_scaling_next_line(&scaling, &line_at), &run.beside[ROOF_1]);
    const size_t lines[] = {REDUCE_1, EXACT_1, HOST_4};
    for (size_t i = 0; i < 3; i++)
        assert_ptr_equal(red_scaling_next_line(&scaling, &line_at), &run.cells[lines[i]]);
    assert_null(red_scaling_next_line(&scaling, &line_at));
    assert_ptr_equal(red_scaling_cell(&scaling, &run.cells[EXACT_1], 4), &run.cells[EXACT_4]);
    assert_ptr_equal(red_scaling_fastest(&scaling, 4), &run.cells[REDUCE_4]);
    run.cells[REDUCE_4].banned = true;
    assert_ptr_equal(red_scaling_fastest(&scaling, 4), &run.cells[EXACT_4]);
    assert_true(red_scaling_next(&pivot, &at, &scaling)); /* the other one, with the same cell of one rank */
    assert_true(scaling.weak);
    assert_int_equal(scaling.n, N);
    assert_ptr_equal(red_scaling_cell(&scaling, &run.cells[REDUCE_WEAK], 1), &run.cells[REDUCE_1]);
    assert_ptr_equal(red_scaling_cell(&scaling, &run.cells[REDUCE_WEAK], 4), &run.cells[REDUCE_WEAK]);
    assert_null(red_scaling_cell(&scaling, &run.cells[HOST_4], 1));
    assert_false(red_scaling_next(&pivot, &at, &scaling));
    red_ranks_pivot_clear(&pivot);
    red_run_clear(&run);
}

/* What is printed of a run. Release with free. */
static char *printed(const struct red_run *run) {
    struct red_ranks_pivot pivot = made_pivot(run);
    FILE *out = fopen("printed.txt", "wb");
    assert_non_null(out);
    red_ranks_pivot_print(&pivot, out);
    assert_int_equal(fclose(out), 0);
    red_ranks_pivot_clear(&pivot);
    return file_text("printed.txt");
}

/* What the scaling, the first of the run, says of the bits of the cell's line. */
static enum red_ranks_bits bits_of(const struct red_run *run, const struct red_cell *cell) {
    struct red_ranks_pivot pivot = made_pivot(run);
    struct red_scaling scaling;
    size_t at = 0;
    assert_true(red_scaling_next(&pivot, &at, &scaling));
    const enum red_ranks_bits bits = red_scaling_bits(&scaling, cell);
    red_ranks_pivot_clear(&pivot);
    return bits;
}

static void bits_are_compared_over_numbers_of_ranks(void **state) {
    struct red_run run = made_ranks_run(4);
    for (unsigned ranks_n = 1; ranks_n <= 4; ranks_n *= 2)
        add_made_cell(&run, RED_CELL_OWN, "exact", N, ranks_n, false, 1e-3);
    assert_int_equal(bits_of(&run, &run.cells[0]), RED_BITS_UNKNOWN);
    add_made_answers(&run.cells[2], 3, 7);
    add_made_cell(&run, RED_CELL_OWN, "mpi_reduce", N, 1, false, 1e-3); /* of another line */
    add_made_answers(&run.cells[3], 3, 9);
    assert_int_equal(bits_of(&run, &run.cells[0]), RED_BITS_UNKNOWN);
    add_made_answers(&run.cells[0], 3, 7);
    assert_int_equal(bits_of(&run, &run.cells[2]), RED_BITS_SAME);
    add_made_answers(&run.cells[1], 3, 7);
    assert_int_equal(bits_of(&run, &run.cells[1]), RED_BITS_SAME);
    run.cells[1].answers[2] ^= 1ULL << 63;
    assert_int_equal(bits_of(&run, &run.cells[0]), RED_BITS_DIFFER);
    run.cells[1].answers_n = 2;
    assert_int_equal(bits_of(&run, &run.cells[0]), RED_BITS_UNKNOWN);
    assert_int_equal(bits_of(&run, &run.cells[3]), RED_BITS_UNKNOWN);
    red_run_clear(&run);
}

/* With R ranks the array of weak scaling is another; with one rank it is that of strong scaling, once more.
 */
static void bits_of_weak_scaling_are_unknown(void **state) {
    struct red_run run = made_ranks_run(2);
    add_made_answers(add_made_cell(&run, RED_CELL_OWN, "exact", N, 1, true, 1e-3), 3, 7);
    add_made_answers(add_made_cell(&run, RED_CELL_OWN, "exact", 2 * N, 2, true, 1e-3), 3, 7);
    assert_int_equal(bits_of(&run, &run.cells[0]), RED_BITS_UNKNOWN);
    run.cells[0].at.scaling[0] = '\0';
    add_made_answers(add_made_cell(&run, RED_CELL_OWN, "exact", N, 1, true, 1e-3), 3, 7);
    assert_int_equal(bits_of(&run, &run.cells[0]), RED_BITS_UNKNOWN);
    run.cells[2].answers[0] = 8;
    assert_int_equal(bits_of(&run, &run.cells[0]), RED_BITS_DIFFER);
    red_run_clear(&run);
}

static void the_screen_has_bits_of_sums_of_floats(void **state) {
    static const char title[] = "strategy  collective    total  device  imbalance  the collective  bits\n",
                      means[] = "bits: whether 1, 2 and 4 ranks gave the same bits in all data sets.\n";
    struct red_run run = made_ranks_run(4);
    for (unsigned ranks_n = 1; ranks_n <= 4; ranks_n *= 2) {
        add_made_answers(add_made_cell(&run, RED_CELL_OWN, "exact", N, ranks_n, false, 1e-3), 3, 7);
        add_made_answers(add_made_cell(&run, RED_CELL_OWN, "mpi_reduce", N, ranks_n, false, 1e-3), 3,
                         ranks_n);
    }
    add_made_host(&run, "mpi_reduce", N, 4, false, 1e-3);
    char *text = printed(&run);
    assert_has(text, title);
    assert_has(text, " 62.5 us         62.5 us  same\n");
    assert_has(text, " 62.5 us         62.5 us  differ\n");
    assert_has(text, " 62.5 us         62.5 us  -\n");
    assert_has(text, means);
    free(text);
    for (size_t i = 0; i < run.cells_n; i++)
        run.cells[i].at.op = red_op_find("max");
    text = printed(&run);
    assert_has(text, "the collective\n");
    assert_null(strstr(text, "bits"));
    free(text);
    red_run_clear(&run);
}

static const struct {
    const char *from, *to, *told;
} nonsense[] = {
    {"\"split\":\"equal\"", "\"split\":\"even\"", "over_ranks.split: expected roof, equal"},
    {"\"split\":\"equal\"", "\"split\":null", "over_ranks.split: expected roof, equal"},
    {"\"over_ranks\": {", "\"over_ranks\": 7, \"more\": {", "over_ranks: expected an object"},
    {"\"over_ranks\": {", "\"more\": {", "cells[0].ranks: expected none without over_ranks"},
    {"\"ranks\":[", "\"ranks\":7, \"more\":[", "over_ranks.ranks: expected an array"},
    {"\"beside\": [", "\"beside\": {}, \"more\": [", "beside: expected an array"},
    {"\"host\":\"box\"", "\"host\":null", "over_ranks.ranks[0].host: expected a text"},
    {"\"device\":\"pocl\"", "\"device\":1", "over_ranks.ranks[0].device: expected a text"},
    {"\"node\":1", "\"node\":-1", "over_ranks.ranks[2].node: expected a whole number"},
    {"\"node\":1", "\"node\":4294967296", "over_ranks.ranks[2].node: expected a smaller number"},
    {"\"roof_bytes_per_s\":1e10", "\"roof_bytes_per_s\":-1",
     "over_ranks.ranks[0].roof_bytes_per_s: expected"},
    {"\"kind\":\"roof\"", "\"kind\":\"ceiling\"", "beside[0].kind: expected own, peer, roof, alone, bare"},
    {"\"kind\":\"roof\"", "\"kind\":\"alone\"", "beside[0].collective: expected a name where ranks combine"},
    {"\"kind\":\"roof\"", "\"kind\":\"peer\"", "beside[0].kind: expected one without a strategy"},
    {"\"kind\":\"roof\"", "\"x\":0", "beside[0].kind: expected one without a strategy"},
    {"\"strategy\":\"chunk\",\"op\"", "\"strategy\":\"chunk\",\"kind\":\"roof\",\"op\"",
     "cells[0].kind: expected one with a strategy"},
    {"\"strategy\":\"chunk\"", "\"strategy\":null", "cells[0].strategy: expected a text"},
    {"\"collective\":\"mpi_reduce\"", "\"collective\":null", "cells[0].collective: expected a name"},
    {"\"n\":1048576", "\"n\":-1", "cells[0].n: expected a whole number"},
    {"\"ranks\":1,", "\"ranks\":0,", "cells[0].ranks: expected a whole number from 1"},
    {"\"ranks\":1,", "", "cells[0].geometry: expected an object"},
    {"\"ranks\":4", "\"ranks\":5", "cells[1].ranks: expected as many as the file has"},
    {"\"ranks\":1,", "\"ranks\":1,\"scaling\":\"strong\",", "cells[0].scaling: expected \"weak\""},
    {"\"kind\":\"bare\"", "\"kind\":\"bare\",\"scaling\":\"weak\"", "beside[4].scaling: expected \"weak\""},
    {"\"state\":\"pass\"", "\"state\":\"wrong\"", "cells[0].time_to_answer: expected times where"},
    {"\"parts_s\":{", "\"parts_s\":1, \"x\": {", "cells[0].time_to_answer.parts_s: expected an object"},
    {"\"device\":{\"about\"", "\"device\":[1],\"x\":{\"about\"",
     "time_to_answer.parts_s.device: expected as many numbers as samples_s has"},
    {"\"device\":{\"about\":", "\"device\":{\"about\":1e10,\"x\":", "device: expected numbers from -1e+09"},
    {"\"answers\":[", "\"answers\":{}, \"x\": [", "cells[0].answers: expected an array"},
    {"\"4b5f3c00\"", "\"4B5F3C00\"", "cells[0].answers: expected up to 16 hexadecimal digits"},
    {"\"4b5f3c00\"", "\"04b5f3c00\"", "cells[0].answers: expected up to 16 hexadecimal digits"},
    {"\"4b5f3c00\"", "\"123456789abcdef01\"", "cells[0].answers: expected up to 16 hexadecimal digits"},
    {"\"4b5f3c00\"", "\"\"", "cells[0].answers: expected up to 16 hexadecimal digits"},
    {"\"4b5f3c00\"", "\"-1\"", "cells[0].answers: expected up to 16 hexadecimal digits"},
    {"\"4b5f3c00\"", "7", "cells[0].answers: expected up to 16 hexadecimal digits"},
    {"\"4b5f3c00\"", "1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9",
     "cells[0].answers: expected fewer entries"},
};

static void what_makes_no_sense_is_refused(void **state) {
    struct red_run run = whole_run();
    char *text = written(&run);
    red_run_clear(&run);
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        struct red_result result;
        struct red_error error = {.text = ""};
        char *odd = replaced(text, nonsense[i].from, nonsense[i].to);
        assert_told(nonsense[i].to, read_text(odd, &result, &error), &error, nonsense[i].told);
        assert_null(result.run.cells);
        free(odd);
    }
    free(text);
}

/* A cell of one device has none of what ranks have. */
static void without_ranks_there_are_no_parts_of_them(void **state) {
    struct red_run run = made_ranks_run(1);
    struct red_result result;
    struct red_error error;
    add_made_cell(&run, RED_CELL_OWN, "exact", N, 1, false, 1e-3);
    char *text = written(&run), *odd = replaced(text, "\"ranks\":1,\"collective\":\"exact\",", "");
    assert_told(odd, read_text(odd, &result, &error), &error,
                "x.json: cells[0].geometry: expected an object");
    free(odd);
    free(text);
    red_run_clear(&run);
}

/* A number from 0 to below `below`. */
static uint64_t drawn(uint64_t *random, uint64_t below) {
    return red_random(random) % below;
}

/* A cell that any program might have made. */
static void add_drawn_cell(struct red_run *run, uint64_t *random) {
    static const char *const collectives[] = {"mpi_reduce", "mpi_allreduce", "exact", "\xc3\xa9 \"x\""};
    const enum red_cell_kind kind = (enum red_cell_kind)drawn(random, RED_CELL_KINDS_N);
    const unsigned ranks_n = 1 + (unsigned)drawn(random, run->over_ranks.ranks_n);
    const bool weak = drawn(random, 2) == 1 && kind < RED_CELL_ALONE;
    struct red_cell *cell =
        add_made_cell(run, kind, collectives[drawn(random, 4)],
                      (weak ? ranks_n : 1) * (red_random(random) >> (3 + drawn(random, 61)) >> 4), ranks_n,
                      weak, 1e-6 * (double)(1 + drawn(random, 1000000)));
    const size_t answers_n = (size_t)drawn(random, RED_ANSWERS_MAX + 1);
    if (kind == RED_CELL_OWN)
        add_made_answers(cell, answers_n, red_random(random) >> drawn(random, 64));
    if (drawn(random, 4) == 0)
        make_cell_fail(cell, (enum red_state)(2 + drawn(random, RED_STATES_N - 2)), "\xff no UTF-8\n");
    for (size_t part = RED_PART_DEVICE; part < RED_PARTS_N && cell->samples_n > 0; part++)
        cell->parts_s[part][1] *= drawn(random, 2) == 0 ? -1 : 0;
}

/* Whether any cell is the same with one rank, by looking at all. */
static bool has_cell_of_one(const struct red_ranks_pivot *pivot, const struct red_cell *cell) {
    const bool weak = cell->at.scaling[0] != '\0';
    for (size_t i = 0; i < pivot->cells_n; i++) {
        const struct red_cell *one = pivot->cells[i];
        if (one->at.ranks_n == 1 && one->samples_n > 0 && one->kind == cell->kind &&
            strcmp(one->at.collective, cell->at.collective) == 0 &&
            one->at.n == (weak ? cell->at.n / cell->at.ranks_n : cell->at.n))
            return true;
    }
    return false;
}

/* Efficiency and share of all cells are finite; a scaling has each cell of an array in one line at least. */
static void stays_sane(const struct red_run *run) {
    struct red_ranks_pivot pivot = made_pivot(run);
    struct red_scaling scaling;
    size_t lines_n = 0, arrays_n = 0;
    for (size_t i = 0; i < pivot.cells_n; i++) {
        const struct red_cell *cell = pivot.cells[i];
        assert_true(isfinite(red_ranks_efficiency(&pivot, cell)));
        assert_true(isfinite(red_ranks_roof_share(&pivot, cell)));
        arrays_n += cell->kind < RED_CELL_ALONE;
        if (cell->kind < RED_CELL_ALONE)
            assert_true((red_ranks_cell_of_one(&pivot, cell) != NULL) == has_cell_of_one(&pivot, cell));
    }
    for (size_t at = 0; red_scaling_next(&pivot, &at, &scaling);) {
        const struct red_cell *line;
        for (size_t line_at = 0; (line = red_scaling_next_line(&scaling, &line_at)) != NULL; lines_n++)
            assert_string_equal(red_scaling_cell(&scaling, line, line->at.ranks_n)->at.collective,
                                line->at.collective);
    }
    assert_true((lines_n > 0) == (arrays_n > 0));
    red_ranks_pivot_clear(&pivot);
}

static void runs_by_chance(void **state) {
    const uint64_t seed = seed_of_run();
    uint64_t random = seed;
    for (int i = 0; i < 200; i++) {
        struct red_run run = made_ranks_run(1 + drawn(&random, 9));
        const uint64_t cells_n = drawn(&random, MADE_CELLS_MAX);
        while (run.cells_n == 0 || run.cells_n + run.beside_n < cells_n) /* a file has a cell */
            add_drawn_cell(&run, &random);
        stays_sane(&run);
        char *first = written(&run);
        struct red_result copy;
        struct red_error error;
        assert_ok(read_text(first, &copy, &error), &error);
        stays_sane(&copy.run);
        free(first);
        stays_the_same(written(&copy.run)); /* what was no UTF-8 is repaired, once */
        red_result_clear(&copy);
        red_run_clear(&run);
    }
}

/* A journal has cells with all digits. */
static void a_cell_of_a_journal_is_what_it_was(void **state) {
    struct red_catalogue *catalogue = NULL;
    struct red_run run = whole_run();
    struct red_error error;
    assert_ok(red_catalogue_create(&catalogue, &error), &error);
    for (size_t i = 0; i < run.cells_n + run.beside_n; i++) {
        const struct red_cell *cell = red_run_any_cell(&run, i);
        struct red_cell read;
        json_t *json = red_cell_json(&run, cell);
        assert_true(red_cell_read(json, &run, catalogue, &read));
        assert_true(read.kind == cell->kind && red_at_is_same(&read.at, &cell->at, RED_AT_ALL));
        assert_memory_equal(&read.time, &cell->time, sizeof read.time);
        assert_int_equal(read.answers_n, cell->answers_n);
        for (int part = 0; part < RED_PARTS_N && cell->samples_n > 0; part++) {
            const double *of = red_cell_part_s(cell, (enum red_time_part)part),
                         *again = red_cell_part_s(&read, (enum red_time_part)part);
            assert_true((of != NULL) == (again != NULL));
            assert_true(of == NULL || memcmp(of, again, cell->samples_n * sizeof *of) == 0);
        }
        red_cell_clear(&read);
        json_object_set_new(json, "ranks", json_integer(5));
        assert_false(red_cell_read(json, &run, catalogue, &read));
        json_object_set_new(json, "ranks", json_integer(cell->at.ranks_n));
        if (cell->at.strategy != NULL) {
            json_object_set_new(json, "strategy", json_string("unknown"));
            assert_false(red_cell_read(json, &run, catalogue, &read));
        }
        json_decref(json);
    }
    red_catalogue_destroy(catalogue);
    red_run_clear(&run);
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
    struct red_run run = whole_run();
    make_cell_fail(&run.cells[EXACT_4], RED_STATE_UNSUPPORTED, "no exact sum of it\x1b");
    make_cell_fail(add_made_cell(&run, RED_CELL_OWN, "exact", 4 * N, 4, true, 1), RED_STATE_WRONG,
                   "expected 1, got 2");
    char *text = printed(&run);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_has(text, lines[i]);
    assert_has(
        text,
        "\nDO NOT USE on pocl: chunk gave WRONG results: sum of f32 over 4 ranks, weak scaling at n = 2^22");
    assert_has(text, "1 more: expected 1, got 2.\n");
    free(text);
    red_run_clear(&run);
}

/* More than half of the cells on the device with an interval as wide as their median, and the answers are
 * none; each of these has a mark. */
static void times_that_cannot_be_compared_answer_nothing(void **state) {
    struct red_run run = whole_run();
    size_t timed_n = 0;
    for (size_t i = 0; i < run.cells_n; i++) {
        timed_n += run.cells[i].samples_n > 0 && run.cells[i].device == 1;
        run.cells[i].time.low = run.cells[i].time.high = run.cells[i].time.median;
    }
    for (size_t i = 0, wide_n = 0; i < run.cells_n; i++) {
        if (run.cells[i].samples_n == 0 || run.cells[i].device != 1)
            continue;
        run.cells[i].time.high = 2 * run.cells[i].time.median;
        red_run_judge_steadiness(&run);
        char *text = printed(&run);
        for (char *end = text; (end = strchr(end, '\n')) != NULL;) /* where a sentence is wrapped */
            *end = ' ';
        assert_int_equal(strstr(text, "these times cannot be compared: ") != NULL, 2 * ++wide_n > timed_n);
        assert_int_equal(strstr(text, "4.00 times as fast") == NULL, 2 * wide_n > timed_n);
        assert_has(text, "1.00 ms?");
        free(text);
    }
    red_run_clear(&run);
}

/* Numbers of ranks that have no room beside the others follow below; no line is wider than the screen. */
static void no_line_is_too_wide(void **state) {
    struct red_run run = made_ranks_run(40);
    for (unsigned ranks_n = 1; ranks_n <= 12; ranks_n++)
        add_made_cell(&run, RED_CELL_OWN, "gather_in_order", N, ranks_n, false, 1e-3 / ranks_n);
    char *text = printed(&run);
    assert_has(text, "  12 ranks  eff.  roof\n");
    for (const char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        assert_in_range(strlen(line), 0, RED_SCREEN_WIDTH);
    free(text);
    red_run_clear(&run);
}

static void a_sentence_says_what_it_lacks(void **state) {
    struct red_run run = made_ranks_run(2);
    struct red_scaling scaling;
    char text[1024];
    size_t at = 0;
    add_made_cell(&run, RED_CELL_OWN, "exact", N, 2, false, 1e-3);
    struct red_ranks_pivot pivot = made_pivot(&run);
    assert_true(red_scaling_next(&pivot, &at, &scaling));
    red_scaling_sentence_format(&scaling, text, sizeof text);
    assert_has(text, "n = 2^20: 2 ranks take 1.00 ms, and one rank has no time to compare with; the coll");
    free(run.cells[0].parts_s[RED_PART_COLLECTIVE]);
    run.cells[0].parts_s[RED_PART_COLLECTIVE] = NULL;
    red_scaling_sentence_format(&scaling, text, sizeof text);
    assert_has(text, "to compare with; fastest: chunk with exact.");
    assert_true(red_scaling_is_largest(&scaling));
    red_ranks_pivot_clear(&pivot);
    add_made_cell(&run, RED_CELL_OWN, "exact", 2 * N, 2, false, 1e-3);
    pivot = made_pivot(&run);
    at = 0;
    assert_true(red_scaling_next(&pivot, &at, &scaling));
    assert_false(red_scaling_is_largest(&scaling));
    make_cell_fail(&run.cells[0], RED_STATE_WRONG, "wrong");
    red_scaling_sentence_format(&scaling, text, sizeof text);
    assert_string_equal(text, "");
    red_ranks_pivot_clear(&pivot);
    red_run_clear(&run);
}

/* Three numbers of ranks, nine collectives each, and MPI_Reduce: 30 rows are too many, 10 are not. */
static void many_collectives_are_shown_on_the_most_ranks(void **state) {
    struct red_run run = made_ranks_run(4);
    for (unsigned ranks_n = 1; ranks_n <= 4; ranks_n *= 2) {
        add_made_cell(&run, RED_CELL_BARE, "", 0, ranks_n, false, 1e-6);
        for (int c = 0; c < 9; c++)
            add_made_cell(&run, RED_CELL_ALONE, "exact", 0, ranks_n, false, 2e-6);
    }
    struct red_ranks_pivot pivot = made_pivot(&run);
    struct red_table *table = red_ranks_collectives_table(&pivot);
    assert_int_equal(red_table_rows_n(table), 10);
    assert_string_equal(red_table_value(table, 0, 2), "4");
    red_table_destroy(table);
    red_ranks_pivot_clear(&pivot);
    red_run_clear(&run);
}

/* Sixty lines, of which one has no time: the screen shows the forty fastest, and the roof. */
static void of_many_lines_the_fastest_are_shown(void **state) {
    struct red_run run = made_ranks_run(1);
    struct red_scaling scaling;
    size_t at = 0;
    add_made_cell(&run, RED_CELL_ROOF, "", N, 1, false, 1);
    for (int i = 59; i >= 0; i--) {
        char name[32];
        snprintf(name, sizeof name, "c%d", i);
        add_made_cell(&run, RED_CELL_OWN, name, N, 1, false, 1e-3 * (1 + i));
    }
    make_cell_fail(&run.cells[59], RED_STATE_WRONG, "wrong"); /* c0 */
    struct red_ranks_pivot pivot = made_pivot(&run);
    assert_true(red_scaling_next(&pivot, &at, &scaling));
    assert_near(red_scaling_time_of_fastest(&scaling, 1, 40), 41e-3, 1e-9);
    assert_true(isinf(red_scaling_time_of_fastest(&scaling, 1, 60)));
    red_ranks_pivot_clear(&pivot);
    char *text = printed(&run);
    assert_has(text, "\n41 of 61 lines are shown, those of the fastest with 1 rank; the file has all.\n");
    assert_has(text, "\nchunk            c40         41.0 ms  ");
    assert_null(strstr(text, "\nchunk            c41 "));
    assert_has(text, "\n(reading alone)  -            1.00 s ");
    free(text);
    red_run_clear(&run);
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
