#include "tests/unit/testing.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "core/random.h"
#include "emit/reproduction.h"
#include "model/catalogue.h"
#include "model/primitive.h"
#include "tests/unit/made_input.h"

enum { LINES_MAX = 150, CHANGES_N = 16 /* of a check */, FILE_N = 1 << 16 /* elements in a file */ };

/* What can be wrong with a check, with a buffer that the host program looks at. */
static const struct {
    enum red_status fault;
    enum red_fault evidence;
} faults[] = {{RED_E_WRONG, RED_FAULT_ANSWER}, {RED_E_WRONG, RED_FAULT_OUT},
              {RED_E_WRONG, RED_FAULT_INPUT},  {RED_E_WRONG, RED_FAULT_BEHIND},
              {RED_E_CRASHED, RED_FAULT_NONE}, {RED_E_TIMED_OUT, RED_FAULT_NONE},
              {RED_E_DEVICE, RED_FAULT_NONE},  {RED_E_BUILD, RED_FAULT_NONE}};
enum { FAULTS_N = sizeof faults / sizeof faults[0] };

static uint64_t drawn; /* of red_random */

/* A kind of data that the operation and the type have; of sums and counts the one that changes between calls.
 */
static struct red_data_kind drawn_data_kind(const struct red_op *op, const struct red_dtype *dtype,
                                            uint64_t n, bool changes) {
    struct red_data_kind kind = red_exact_data_kind(op, dtype, n, 0);
    if (!red_op_picks(op) && changes)
        return kind;
    do
        kind.pattern = (enum red_pattern)(red_random(&drawn) % RED_PATTERNS_N);
    while (!red_pattern_fits(kind.pattern, op, dtype));
    return kind;
}

static size_t lines_of(const char *path) {
    size_t lines_n = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int c; (c = fgetc(file)) != EOF;)
        lines_n += c == '\n';
    fclose(file);
    return lines_n;
}

/* Writes the host program of a fault, or with a `refusal` must not; false where the strategy has none. */
static bool written(const struct red_strategy *strategy, const struct red_op *op,
                    const struct red_dtype *dtype, size_t f, uint64_t n, const char *refusal) {
    static struct red_reproduction_change changes[CHANGES_N];
    static const struct red_device_info cpu = {
        .id = "cpu.1", .platform = "A platform", .driver = "1", .shape = {2, true, 4096}};
    const bool is_segmented = red_strategy_is_segmented(strategy);
    const uint64_t segments_n = is_segmented ? 3 : 1;
    const struct red_tuning tuning = {.width = 0};
    struct red_error error;
    struct red_input input;
    struct red_reproduction made = {.strategy = strategy,
                                    .input = &input,
                                    .info = &cpu,
                                    .n = n,
                                    .segments_n = segments_n,
                                    .standard = "CL3.0",
                                    .fault = faults[f].fault,
                                    .patience_s = 120,
                                    .evidence = {.fault = faults[f].evidence, .run = "run 1"},
                                    .high = {.bits = red_op_result_dtype(op, dtype)->is_float},
                                    .right_text = "0",
                                    .found = "0",
                                    .command = "clreduce verify",
                                    .checks = "",
                                    .calls_n = 100,
                                    .needs_file = n == FILE_N};
    made.in_place = red_primitives[op->primitive].in_place && red_random(&drawn) % 4 == 0;
    made.poison_local = faults[f].evidence == RED_FAULT_ANSWER && red_random(&drawn) % 2 == 0;
    if (red_strategy_check_type_and_op(strategy, dtype, op, &error) != RED_OK ||
        red_reproduction_check(strategy, &error) != RED_OK ||
        red_geometry_choose_segments(strategy, op, dtype, &cpu.shape, &tuning, n, segments_n, &made.geometry,
                                     &error) != RED_OK)
        return false;
    const bool changing =
        faults[f].evidence == RED_FAULT_ANSWER && !is_segmented && red_random(&drawn) % 2 == 0;
    input = made_segments(op, dtype, drawn_data_kind(op, dtype, n, changing), n, segments_n, 1);
    if (changing && input.arrays_n == 1) {
        for (unsigned i = 0; i < CHANGES_N; i++)
            changes[i] = (struct red_reproduction_change){.call = 1 + i, .at = i};
        made.changes = changes;
        made.changes_n = CHANGES_N;
    }
    assert_told("a folder", red_reproduction_write(&made, "reproduction", true, &error), &error, refusal);
    red_input_clear(&input);
    return true;
}

/* Removes the folder; -1 where it holds anything that reproduce does not write. */
static int folder_removed(void) {
    static const char *const names[] = {"cl", "c", "data"};
    char path[64];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "reproduction/reproduce.%s", names[i]);
        remove(path);
    }
    remove("reproduction/README.txt");
    return rmdir("reproduction");
}

/* docs/reproducing.md promises at most 150 lines. Of each strategy two faults, with an operation and a type
 * each, are drawn: a seed that fails is in the first line printed. */
static void no_host_program_is_too_long(void **state) {
    enum { DRAWN_N = 2 };
    static const uint64_t sizes[] = {0, 1, 70, 2503};
    struct red_catalogue *catalogue = NULL;
    struct red_error error;
    size_t longest = 0, written_n[RED_PRIMITIVES_N] = {0};
    drawn = seed_of_run();
    assert_ok(red_catalogue_create(&catalogue, &error), &error);
    for (size_t i = 0; i < red_catalogue_n(catalogue) * DRAWN_N; i++) {
        const struct red_strategy *strategy = red_catalogue_get(catalogue, i % red_catalogue_n(catalogue));
        const struct red_op *op;
        do
            op = &red_ops[red_random(&drawn) % red_ops_n];
        while (op->primitive != strategy->primitive);
        const struct red_dtype *dtype = &red_dtypes[red_random(&drawn) % red_dtypes_n];
        const size_t f = red_random(&drawn) % FAULTS_N;
        const uint64_t n = sizes[red_random(&drawn) % 4];
        if (strategy->standard == RED_STANDARD_HOST || !written(strategy, op, dtype, f, n, NULL))
            continue;
        const size_t lines_n = lines_of("reproduction/reproduce.c");
        if (lines_n > LINES_MAX)
            print_error("%zu lines: %s, %s of %s, fault %zu\n", lines_n, strategy->name, op->name,
                        dtype->name, f);
        longest = lines_n > longest ? lines_n : longest;
        written_n[op->primitive]++;
    }
    red_catalogue_destroy(catalogue);
    for (int p = 0; p < RED_PRIMITIVES_N; p++) {
        print_message("%zu of %s written\n", written_n[p], red_primitives[p].nouns);
        assert_in_range(written_n[p], 1, SIZE_MAX);
    }
    print_message("longest %zu\n", longest);
    assert_in_range(longest, 100, LINES_MAX);
    assert_int_equal(folder_removed(), 0);
}

/* A disk that takes the kernel and the host program, and not the elements. */
static void a_folder_is_whole_or_not_there(void **state) {
    struct red_catalogue *catalogue = NULL;
    struct red_error error;
    struct stat seen;
    struct rlimit whole, scant;
    const struct red_op *op = red_op_find("sum");
    const struct red_dtype *dtype = red_dtype_find("i32");
    folder_removed();
    assert_ok(red_catalogue_create(&catalogue, &error), &error);
    const struct red_strategy *strategy = red_catalogue_find(catalogue, "serial");
    assert_true(written(strategy, op, dtype, 0, FILE_N, NULL));
    assert_int_equal(stat("reproduction/reproduce.data", &seen), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &whole), 0);
    scant = (struct rlimit){(rlim_t)seen.st_size - 1, whole.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    for (int there = 0; there < 2; there++) {
        if (there == 0)
            assert_int_equal(folder_removed(), 0);
        else
            assert_int_equal(mkdir("reproduction", 0777), 0);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &scant), 0);
        written(strategy, op, dtype, 0, FILE_N, "reproduce.data: File too large");
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &whole), 0);
        assert_int_equal(stat("reproduction", &seen), there == 0 ? -1 : 0);
    }
    assert_int_equal(rmdir("reproduction"), 0);
    red_catalogue_destroy(catalogue);
}
