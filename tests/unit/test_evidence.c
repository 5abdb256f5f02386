#include "tests/unit/testing.h"

#include <jansson.h>

#include "oracle/truth.h"
#include "results/verify_file.h"
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
    assert_string_equal(text, "probe=part 0 of 2: expected 3, got 4 (run 2)");
    evidence.has_place = true;
    evidence.segment = 5;
    evidence.segments_n = 9;
    red_evidence_format(&evidence, text, sizeof text);
    assert_string_equal(text, "probe=part 0 of 2, segment 5 of 9: expected 3 at 1, got 4 at 2 (run 2)");
    evidence.segments_n = 0;
    evidence.bins_n = 2;
    red_evidence_format(&evidence, text, sizeof text);
    assert_string_equal(text, "probe=part 0 of 2: expected 3 in bin 1, got 4 (run 2)");
    evidence.bins_n = 1;
    red_evidence_format(&evidence, text, sizeof text);
    assert_string_equal(text, "probe=part 0 of 2: expected 3 out of range, got 4 (run 2)");
    evidence.fault = RED_FAULT_COUNTER;
    red_evidence_format(&evidence, text, sizeof text);
    assert_has(text, "expected counter left at 0, got 7");
    evidence.fault = RED_FAULT_INPUT;
    red_evidence_format(&evidence, text, sizeof text);
    assert_has(text, "expected its input unchanged, got it overwritten");
    evidence.fault = RED_FAULT_NONE;
    red_evidence_format(&evidence, text, sizeof text);
    assert_string_equal(text, "");
}

static void a_file_comes_back_as_it_was(void **state) {
    struct red_verify_file file, read;
    struct red_error error = {.text = ""};
    const struct red_verify_check made = {
        .strategy = "tree",
        .op = "argmin",
        .type = "u64",
        .shape = "segments",
        .n = UINT64_C(1) << 40,
        .segments_n = 9,
        .asked = {.group_size = 64, .width = 4, .loads = 2},
        .geometry = {.group_size = 64, .groups_n = 3, .item_n = 5, .lanes = 8, .width = 4, .loads = 2},
        .data = "least",
        .data_seed = INT64_MAX,
        .state = RED_STATE_KNOWN_BUG,
        .evidence = {.fault = RED_FAULT_ANSWER,
                     .has_place = true,
                     .expected = {"18446744073709551615", 1},
                     .got = {"18446744073709551614", UINT64_C(1) << 50},
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
    strcpy(file.devices[0].strategies[0].name, "tree");
    strcpy(file.devices[0].strategies[1].name, "chunk");
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
    assert_true(back->evidence.segment == 8 && back->evidence.segments_n == 9 && back->n == made.n);
    assert_true(back->state == made.state && back->evidence.fault == RED_FAULT_ANSWER);
    assert_true(red_tuning_compare(&back->asked, &made.asked) == 0 && back->geometry.groups_n == 3);
    assert_string_equal(back->reason, made.reason);
    assert_true(back->again == NULL ||
                strncmp(back->again, "clreduce verify --device ", 25) == 0); /* not that of the file */
    assert_null(back->kernel);
    assert_true(json_equal(read.devices[0].strategies[0].wrong_patterns,
                           file.devices[0].strategies[0].wrong_patterns));
    assert_null(read.devices[0].strategies[1].wrong_patterns); /* as in older files */
    red_verify_file_clear(&file);
    red_verify_file_clear(&read);
}
