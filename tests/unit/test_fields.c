/* Structs as JSON and back, by their tables (results/fields.c), in files and in messages. */
#include "tests/unit/testing.h"

#include <jansson.h>

#include "bench/shim.h"
#include "core/file.h"
#include "results/json.h"
#include "worker/client.h"
#include "worker/protocol.h"

/* A struct that is written, its bytes, and a place for what is read. */
struct sent {
    const char *name;
    const struct red_field *fields; /* NULL: a case, which has functions of its own */
    const void *made;
    void *read;
    size_t bytes;
};

/* What a reader finds that knows beforehand what both sides know. */
static bool is_read(const struct sent *sent, const json_t *json) {
    struct red_batches *batches = sent->read;
    memset(sent->read, 0, sent->bytes);
    if (sent->fields == NULL)
        return red_protocol_read_case(json, NULL, sent->read, NULL) == RED_OK;
    if (sent->fields == red_protocol_batches_fields)
        batches->n = ((const struct red_batches *)sent->made)->n;
    return red_protocol_read(json, sent->fields, sent->read);
}

static json_t *message_of(const struct sent *sent, const void *from) {
    return sent->fields == NULL ? red_protocol_case(from) : red_fields_json(sent->fields, from);
}

/* What cannot be that member: another type than it has. */
static json_t *odd_value(const json_t *value) {
    return json_is_object(value) || json_is_array(value) ? json_integer(7) : json_pack("{s:i}", "odd", 1);
}

/* Every member that is missing, or of another type, is refused, in objects and lists, too. */
static void refuses_changes(const struct sent *sent, const json_t *whole, json_t *part, size_t *changed_n) {
    json_t *members = json_is_object(part) ? json_copy(part) : json_array(), *value;
    const char *key;
    size_t i;
    json_array_foreach(part, i, value) refuses_changes(sent, whole, value, changed_n);
    json_object_foreach(members, key, value) {
        refuses_changes(sent, whole, value, changed_n);
        json_object_set_new(part, key, odd_value(value));
        if (is_read(sent, whole))
            fail_msg("%s: %s may be of any type", sent->name, key);
        json_object_del(part, key);
        if (is_read(sent, whole))
            fail_msg("%s: %s may be missing", sent->name, key);
        json_object_set(part, key, value);
        *changed_n += 2;
    }
    json_decref(members);
}

/* What is sent. */
static const struct red_geometry geometry = {.group_size = 64, .groups_n = 3, .item_n = 5, .lanes = 2};
static const struct red_tuning tuning = {.group_size = 256, .width = 4, .loads = 2};
static const struct red_device_info info = {
    .id = "d.0", .name = "a\x1b\n\"", .shape = {.is_cpu = true}, .global_memory_bytes = UINT64_C(1) << 40};
static const struct red_evidence evidence = {.fault = RED_FAULT_ANSWER,
                                             .has_place = true,
                                             .expected = {"1", 2},
                                             .got = {"nan", UINT64_MAX},
                                             .bound = INFINITY,
                                             .counter = UINT64_MAX,
                                             .segments_n = 4,
                                             .run = "run 1"};
static const struct red_verification right = {.right = true, .error = NAN};
static const struct red_capability capability = {
    .behaves = RED_YES, .forms_n = 2, .forms = {{.reason = "no"}, {.sizes = {.asked = 3, .right = 1}}}};
static const struct red_profile profile = {
    .runs = {{1e-6, INFINITY}, 2},
    .launches = {{{{1, 2}, 2}, {{3, 4}, 2}}, {{{5, 6}, 2}, {{7, 8}, 2}}},
    .launches_n = 2};
static const struct red_batches batches = {.n = 2, .stamps_ns = {1, UINT64_C(1) << 60, 3}};
static const struct red_ready ready = {.shortest_s = 1, .geometry = {.group_size = 1}, .standard = "CL1.2"};

/* And what it is read into. */
static union {
    struct red_geometry geometry;
    struct red_device_info info;
    struct red_verification verification;
    struct red_capability capability;
    struct red_profile profile;
    struct red_batches batches;
    struct red_ready ready;
    struct red_clock_sample samples[RED_CLOCK_SAMPLES_N];
    struct red_case spec;
} received;

/* Of each table of a message: what is read is what was written, and nothing may be missing. */
static void in_a_message_all_members_are_there(void **state) {
    const struct red_case spec = {.data = {.op = red_op_find("sum"), .dtype = red_dtype_find("f32"), .n = 7},
                                  .n = 7,
                                  .keep = true,
                                  .tuning = tuning};
    static const struct red_gbench_time time = {.real_s = 1, .cpu_s = 2};
    static const struct red_clock_sample samples[RED_CLOCK_SAMPLES_N];
#define SENT(fields, of)                                                                                     \
    { #of, fields, &(of), &received, sizeof(of) }
    const struct sent all[] = {SENT(red_geometry_fields, geometry),
                               SENT(red_tuning_fields, tuning),
                               SENT(red_device_info_fields, info),
                               SENT(red_evidence_fields, evidence),
                               SENT(red_protocol_verification_fields, right),
                               SENT(red_protocol_capability_fields, capability),
                               SENT(red_protocol_profile_fields, profile),
                               SENT(red_protocol_batches_fields, batches),
                               SENT(red_protocol_ready_fields, ready),
                               SENT(red_protocol_batch_fields, time),
                               SENT(red_protocol_clock_samples_fields, samples),
                               SENT(NULL, spec)};
    size_t changed_n = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        json_t *json = message_of(&all[i], all[i].made);
        assert_non_null(json);
        if (!is_read(&all[i], json))
            fail_msg("%s is not read", all[i].name);
        json_t *again = message_of(&all[i], all[i].read);
        if (!json_equal(json, again))
            fail_msg("%s is not what was written", all[i].name);
        refuses_changes(&all[i], json, json, &changed_n);
        json_decref(json);
        json_decref(again);
    }
    print_message("%zu changed messages\n", changed_n);
    assert_true(changed_n >= 500);
}

/* What a message does not tell is not what was there before: a worker's answers are read into memory that
 * nobody has cleared. */
static void what_is_not_told_is_zero(void **state) {
    static const struct red_evidence sum = {
        .fault = RED_FAULT_ANSWER, .expected = {"3", 0}, .got = {"4", 0}, .run = "run 2"};
    struct red_evidence found;
    json_t *json = red_fields_json(red_evidence_fields, &sum);
    memset(&found, 1, sizeof found);
    assert_true(red_protocol_read(json, red_evidence_fields, &found));
    assert_false(found.has_place);
    assert_true(found.expected.place == 0 && found.got.place == 0 && found.segment == 0);
    assert_string_equal(found.got.value, "4");
    json_decref(json);
    const struct red_evidence none = {.run = ""};
    json = red_fields_json(red_evidence_fields, &none);
    memset(&found, 1, sizeof found);
    assert_true(red_protocol_read(json, red_evidence_fields, &found));
    assert_int_equal(found.fault, RED_FAULT_NONE);
    assert_true(!found.has_place && found.expected.value[0] == '\0' && found.got.value[0] == '\0');
    json_decref(json);
}

/* As it was sent in a message; of a file what moves a terminal's cursor is blank. */
static void texts_of_files_are_printable(void **state) {
    struct red_device_info found;
    struct red_error error = {.text = ""};
    struct red_reader file = {.path = "x", .error = &error};
    json_t *json = json_pack("{s:s, s:s}", "id", "d", "name", "a\x1b[2J");
    red_fields_read(&file, json, red_device_info_fields, &found);
    assert_int_equal(file.status, RED_E_INPUT); /* flags must be there in files, too */
    assert_string_equal(found.name, "a [2J");
    struct red_reader message = {.path = "x", .error = &error, .is_message = true};
    red_fields_read(&message, json, red_device_info_fields, &found);
    assert_string_equal(found.name, "a\x1b[2J");
    json_decref(json);
}

struct piece {
    unsigned n;
    double share;
};
struct whole {
    char name[8];
    struct piece *pieces;
    size_t pieces_n;
    double fixed[3];
    uint64_t ends[4];
    size_t gaps_n;
    enum red_fault fault;
};
static const struct red_field piece_fields[] = {
    {RED_FIELD(struct piece, "n", WHOLE, n)},
    {RED_FIELD(struct piece, "share", FROM_ZERO, share), .most = 1},
    {.key = NULL}};
static const struct red_field whole_fields[] = {
    {RED_FIELD(struct whole, "name", NAME, name)},
    {RED_FIELD(struct whole, "pieces", LIST, pieces), .members = piece_fields, .max = 3,
     RED_OWNED(struct whole, pieces), RED_COUNT(struct whole, pieces_n), .of.lines = true},
    {RED_FIELD(struct whole, "fixed", REALS, fixed), RED_ELEMENTS(struct whole, fixed)},
    {RED_FIELD(struct whole, "ends", WHOLES, ends), RED_ELEMENTS(struct whole, ends),
     RED_COUNT(struct whole, gaps_n), .of.more = 1, .of.least = 2},
    {RED_FIELD(struct whole, "fault", NAMED, fault), RED_NAMES(red_fault_names)},
    {.key = NULL}};
static const struct red_file_kind kind = {.what = "file of pieces",
                                          .name_key = "file",
                                          .name = "pieces",
                                          .name_words = "a file of pieces",
                                          .version_key = "schema",
                                          .version = 1,
                                          .program_key = "version",
                                          .fields = whole_fields,
                                          .arrays = {"pieces"},
                                          .digits = 9,
                                          .end = "]"};

static const char written[] =
    "{\"file\": \"pieces\",\n\"schema\": 1,\n\"version\": \"" CLREDUCE_VERSION "\",\n"
    "\"name\": \"a\",\n\"pieces\": [\n{\"n\":1,\"share\":0.5},\n{\"n\":2,\"share\":0.25}],\n"
    "\"fixed\": [1.0,\"inf\",3.0],\n\"ends\": [7,8,9],\n\"fault\": \"out\"}\n";

static enum red_status print_whole(const void *what, FILE *out, struct red_error *error) {
    return red_file_kind_print(&kind, what, out, error);
}

static void a_file_of_lines_is_written_as_it_was_read(void **state) {
    struct whole whole = {.pieces_n = 0};
    struct red_error error = {.text = ""};
    char *again;
    size_t n;
    assert_ok(red_file_kind_read(&kind, "x", written, strlen(written), &whole, NULL, &error), &error);
    assert_true(whole.pieces_n == 2 && whole.pieces[1].n == 2 && whole.fixed[1] > 1e300);
    assert_true(whole.gaps_n == 2 && whole.ends[2] == 9 && whole.fault == RED_FAULT_OUT);
    assert_ok(red_file_write("pieces.json", print_whole, &whole, &error), &error);
    assert_ok(red_file_read("pieces.json", "file", 4096, &again, &n, &error), &error);
    assert_string_equal(again, written);
    free(again);
    free(whole.pieces);
}

static void errors_name_the_place(void **state) {
    static const char *const spoilt[][3] = {
        {"\"pieces\",", "\"others\",", "x: file: expected \"pieces\": a file of pieces"},
        {"\"schema\": 1", "\"schema\": 2", "x: schema: expected 1; another clreduce, which called itself "},
        {"\"name\": \"a\"", "\"name\": \"\"", "x: name: expected a name"},
        {"\"n\":2", "\"n\":-2", "x: pieces[1].n: expected a whole number from 0"},
        {"0.25", "1.5", "x: pieces[1].share: expected a number from 0, and at most 1"},
        {"{\"n\":1,", "{\"n\":1,\"share\":0},{\"n\":1,\"share\":0},{\"n\":1,",
         "x: pieces: expected fewer entries"},
        {"\"inf\",3.0", "3.0", "x: fixed: expected 3 elements"},
        {"[7,8,9]", "[7]", "x: ends: expected an array of 2 to 4 elements"},
        {"[7,8,9]", "[7,8,-9]", "x: ends: expected whole numbers from 0"},
        {"\"out\"", "\"inside\"", "x: fault: expected none, input, out"}};
    for (size_t i = 0; i < sizeof spoilt / sizeof spoilt[0]; i++) {
        struct whole whole = {.pieces_n = 0};
        struct red_error error = {.text = ""};
        const char *at = strstr(written, spoilt[i][0]);
        char text[sizeof written + 128];
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - written), written, spoilt[i][1],
                 at + strlen(spoilt[i][0]));
        assert_told(spoilt[i][1], red_file_kind_read(&kind, "x", text, strlen(text), &whole, NULL, &error),
                    &error, spoilt[i][2]);
        free(whole.pieces);
    }
}

/* As a driver may tell of its memory: JSON has no such number, and the device must not be lost for it. */
static void a_number_beyond_those_of_json_is_the_largest(void **state) {
    const struct red_device_info made = {
        .id = "x", .global_memory_bytes = UINT64_MAX, .local_memory_bytes = 7};
    struct red_device_info read = {.id = ""};
    json_t *json = red_fields_json(red_device_info_fields, &made);
    assert_non_null(json);
    assert_true(red_protocol_read(json, red_device_info_fields, &read));
    assert_true(read.global_memory_bytes == INT64_MAX && read.local_memory_bytes == 7);
    json_decref(json);
}
