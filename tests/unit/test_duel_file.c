/* The file of a duel: what is written is read as it was, and nothing in it is believed. */
#include "tests/unit/testing.h"

#include "gate/duel.h"
#include "results/run.h"
#include "tests/unit/made_duel.h"
#include "tests/unit/texts.h"

/* The text that a duel is written as. Release with free. */
static char *written(const struct red_duel *duel) {
    static const char path[] = "a_duel.json";
    struct red_error error;
    assert_ok(red_duel_write(duel, path, &error), &error);
    return file_text(path);
}

static void name_cell(struct red_duel_cell *cell, const char *name, uint64_t n) {
    cell->at.op = red_op_find("sum");
    cell->at.dtype = red_dtype_find("f32");
    cell->at.n = n;
    snprintf(cell->name, sizeof cell->name, "%s", name);
    for (int who = 0; who < RED_WHO_N; who++)
        snprintf(cell->strategy[who], sizeof cell->strategy[who], "chunk");
}

/* A duel with something of everything: a decided cell with every kind of block, one that is open, one that
 * was never measured. */
static struct red_duel *whole_duel(void) {
    struct red_duel *duel = made_duel(3);
    struct red_block blocks[7];
    red_host_find(&duel->host);
    duel->seed = INT64_MAX;
    duel->plan.trim = 0.2;
    duel->wall_s = 3;
    duel->devices_n = 1;
    for (int who = 0; who < RED_WHO_N; who++)
        snprintf(duel->sides[who].devices[0].id, sizeof duel->sides[who].devices[0].id, "pocl");
    snprintf(duel->sides[RED_HEAD].program, sizeof duel->sides[RED_HEAD].program, "caf\xc3\xa9/clreduce");
    name_cell(&duel->cells[0], "pocl/chunk/sum/f32/n:4096", 4096);
    name_cell(&duel->cells[1], "pocl/chunk/sum/f32/n:0", 0);
    name_cell(&duel->cells[2], "pocl/chunk/sum/f32/n:1", 1);
    made_pairs(&duel->cells[0], 1, 5, 0.1, 0.01);
    made_pairs(&duel->cells[0], 2, 6, 0.1, 0.01);
    for (size_t r = 0; r < 7; r++)
        blocks[r] = made_block(0.01 * (double)r);
    blocks[1].drop = RED_DROP_CLOCK;
    blocks[2].drop = RED_DROP_SUSPENDED;
    blocks[3].first = RED_HEAD;
    blocks[4].workload_ns[RED_WORKLOAD_CHAIN][1] = 7; /* it failed before and after */
    blocks[5].workload_ns[RED_WORKLOAD_SPIN][0] = 0;
    blocks[6].batch_ns[RED_HEAD][1] = 0;
    made_add(&duel->cells[1], 1, blocks, 7);
    duel->cells[1].required = true;
    duel->cells[2].state[RED_HEAD] = RED_STATE_WRONG;
    snprintf(duel->cells[2].reason[RED_HEAD], sizeof duel->cells[2].reason[RED_HEAD],
             "\"expected\" 1, got 2");
    snprintf(duel->cells[2].quarantine, sizeof duel->cells[2].quarantine, "flaky");
    snprintf(duel->cells[2].until, sizeof duel->cells[2].until, "2026-12-31");
    duel->cells[2].spent_s = 0;
    duel->cells[0].spent_s = 3;
    assert_int_equal(red_duel_judge(duel, NULL, NULL), RED_OK);
    return duel;
}

static enum red_status read_text(const char *text, struct red_duel *duel, struct red_error *error) {
    return red_duel_read("x.json", text, strlen(text), duel, error);
}

/* What is read, judged again and written is what was read. */
static void stays_the_same(char *text) {
    struct red_duel *copy = calloc(1, sizeof *copy);
    struct red_error error;
    assert_non_null(copy);
    assert_ok(read_text(text, copy, &error), &error);
    assert_ok(red_duel_judge(copy, NULL, &error), &error);
    char *second = written(copy);
    made_duel_free(copy);
    assert_string_equal(text, second);
    free(second);
    free(text);
}

static void what_is_read_is_what_was_written(void **state) {
    setenv("POCL_AFFINITY", "1", 1);
    setenv("OMP_PLACES", "a b", 1);
    struct red_duel *duel = whole_duel();
    char *first = written(duel);
    made_duel_free(duel);
    assert_has(first, "\"POCL_AFFINITY\":\"1\"");
    setenv("POCL_AFFINITY", "0", 1); /* nobody asks what it is now */
    unsetenv("OMP_PLACES");
    stays_the_same(first);
    unsetenv("POCL_AFFINITY");
}

/* An idle machine, and times that no clock shows. */
static void zeros_are_numbers(void **state) {
    struct red_duel *duel = whole_duel();
    duel->host.load = 0;
    duel->wall_s = 0;
    for (size_t r = 0; r < 5; r++)
        for (size_t time = 0; time < RED_WORKLOAD_TIMES_N; time++)
            duel->cells[0].pairs[0].blocks[r].workload_ns[RED_WORKLOAD_SPIN][time] = 0;
    char *first = written(duel);
    made_duel_free(duel);
    stays_the_same(first);
}

static const struct {
    const char *from, *to, *told;
} nonsense[] = {
    {"clreduce duel", "clreduce trials",
     "x.json: file: expected \"clreduce duel\": a file of clreduce duel --output"},
    {"\"schema\": 1", "\"schema\": 2",
     "schema: expected 1; another clreduce, which called itself 0.1.0, wrote this file"},
    {"\"launches\":5", "\"launches\":0", "launches: expected a whole number from 1"},
    {"\"launches\":5", "\"launches\":10001", "launches: expected a whole number from 1 to 1000"},
    {"\"looks\":2", "\"looks\":1001", "looks: expected"},
    {"\"batches\":3", "\"batches\":9", "batches: expected"},
    {"\"batches\":3", "\"batches\":2",
     "cells[0].launches[0].rounds[0].base_ns: expected as many whole numbers"},
    {"\"batches\":3", "\"batches\":4",
     "cells[0].launches[0].rounds[0].base_ns: expected as many whole numbers"},
    {"\"batches\":3", "\"batches\":null", "batches: expected"},
    {"\"alpha\":0.01", "\"alpha\":0", "alpha: expected"},
    {"\"alpha\":0.01", "\"alpha\":0.6", "alpha: expected"},
    {"\"trim\":0.2", "\"trim\":0.26", "trim: expected a number from 0, and at most 0.25"},
    {"\"trim\":0.2", "\"trim\":-0.1", "trim: expected"},
    {"\"nominate\":0.01", "\"nominate\":-1", "nominate: expected a number above 0"},
    {"\"spin\":0", "\"spin\":null,\"x\":0", "spin: expected a number above 0"},
    {"\"control_shift\":{", "\"control_shift\":[],\"x\":{", "control_shift: expected an object"},
    {"\"devices\":[{", "\"devices\":[{\"id\":\"a\"},{", "head.devices: expected as many as the base has"},
    {"\"id\":\"pocl\"", "\"id\":\"\"", "base.devices[0].id: expected a name"},
    {"\"seed\": 9223372036854775807", "\"seed\": 1e9", "seed: expected a whole number"},
    {"\"wall_s\": 3", "\"wall_s\": -3", "wall_s: expected a number from 0"},
    {"\"host\": ", "\"host\": 3, \"hosts\": ", "host: expected an object"},
    {"\"environment\":{", "\"environment\":{\"A\":1},\"x\":{", "x.json: host.A: expected a text"},
    {"\"cells\": [", "\"cells\": 7, \"more\": [", "cells: expected an array"},
    {"\"name\":\"pocl/chunk/sum/f32/n:4096\"", "\"name\":null", "cells[0].name: expected a text"},
    {"\"op\":\"sum\"", "\"op\":\"add\"", "cells[0].op: expected an operation"},
    {"\"type\":\"f32\"", "\"type\":\"f31\"", "cells[0].type: expected a type"},
    {"\"device\":0", "\"device\":1", "cells[0].device: expected the index of one of the devices"},
    {"\"margin\":0.02", "\"margin\":0", "cells[0].margin: expected"},
    {"\"margin\":0.02", "\"margin\":1.5", "cells[0].margin: expected a number above 0, and at most 1"},
    {"\"budget_s\":10", "\"budget_s\":-10", "cells[0].budget_s: expected"},
    {"\"budget_s\":10", "\"budget_s\":null, \"x\":10", "cells[0].budget_s: expected"},
    {"\"required\":false", "\"required\":0", "cells[0].required: expected true or false"},
    {"\"interrupted\": false", "\"interrupted\": null", "interrupted: expected true or false"},
    {"\"state\":\"pass\"", "\"state\":\"fine\"", "cells[0].base.state: expected"},
    {"\"strategy\":\"chunk\"", "\"strategy\":\"\"", "cells[0].base.strategy: expected a name"},
    {"\"stage\":1,", "", "cells[0].launches[0].stage: expected a whole number from 1 to 2"},
    {"\"stage\":1,\"l", "\"stage\":0,\"l", "cells[0].launches[0].stage: expected"},
    {"\"stage\":1,\"l", "\"stage\":3,\"l", "cells[0].launches[0].stage: expected"},
    {"\"stage\":1,\"launch\":0", "\"stage\":1,\"launch\":-1", "cells[0].launches[0].launch: expected"},
    {"\"stage\":1,\"launch\":0", "\"stage\":1,\"launch\":4294967297",
     "cells[0].launches[0].launch: expected"},
    {"\"first\":\"base\",\"rounds\"", "\"first\":\"BASE\",\"rounds\"",
     "cells[0].launches[0].first: expected base, head"},
    {"\"rounds\":[{", "\"rounds\":[3,{", "cells[0].launches[0].rounds[0].first: expected"},
    {"\"base_ns\":[", "\"base_ns\":[-1,", "base_ns: expected whole numbers from 0"},
    {"\"base_ns\":[1", "\"base_ns\":[-1", "base_ns: expected whole numbers from 0"},
    {"\"base_ns\":[1", "\"base_ns\":[1.5e9,1000000000],\"x\":[1", "base_ns: expected whole numbers from 0"},
    {"\"spin_ns\"", "\"spun_ns\"", "spin_ns: expected an array"},
    {"\"drop\":\"clock\"", "\"drop\":\"dropped\"", "cells[1].launches[0].rounds[1].drop: expected"},
    {"\"seed\"", "\"schema\": 1, \"seed\"", "x.json is no file of a duel: line 6: duplicate object key"},
};

static void what_makes_no_sense_is_refused(void **state) {
    struct red_duel *duel = whole_duel();
    char *text = written(duel);
    made_duel_free(duel);
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        struct red_duel *read = calloc(1, sizeof *read);
        struct red_error error = {.text = ""};
        char *odd = replaced(text, nonsense[i].from, nonsense[i].to);
        assert_told(nonsense[i].to, read_text(odd, read, &error), &error, nonsense[i].told);
        free(odd);
        made_duel_free(read);
    }
    free(text);
}

static void a_file_that_was_cut_is_refused(void **state) {
    struct red_duel *duel = whole_duel();
    char *text = written(duel);
    size_t n = strlen(text);
    made_duel_free(duel);
    for (size_t cut = 0; cut + 2 < n; cut += cut < 3000 ? 97 : 997) {
        struct red_duel *read = calloc(1, sizeof *read);
        struct red_error error = {.text = ""};
        assert_told("the file, cut", red_duel_read("x.json", text, cut, read, &error), &error,
                    "x.json is no file of a duel: line ");
        made_duel_free(read);
    }
    free(text);
}
