/* Fleet files: what ranks have written comes back as the runs that it was, and no half of one is written. */
#include "tests/unit/testing.h"

#include "core/random.h"
#include "results/fleet_file.h"
#include "results/loaded.h"
#include "tests/unit/catalogue.h"
#include "tests/unit/texts.h"

static const char *const stored[] = {RESULTS "/regret/advice-1.json", RESULTS "/regret/advice-2.json",
                                     RESULTS "/cpu-2-cores.json"};
enum { STORED_N = 3 };

static void what_was_written_comes_back(void **state) {
    struct red_error error = {.text = ""};
    for (size_t n = 1; n <= STORED_N; n++) {
        char *texts[STORED_N];
        size_t lengths[STORED_N];
        struct red_loaded_files loaded, alone;
        const char *path = "fleet.json";
        for (size_t i = 0; i < n; i++) {
            texts[i] = file_text(stored[i]);
            lengths[i] = strlen(texts[i]);
        }
        assert_ok(red_fleet_write(path, (const char *const *)texts, lengths, n, &error), &error);
        assert_ok(red_loaded_files_load(&path, 1, catalogue, false, &loaded, stderr, &error), &error);
        assert_ok(red_loaded_files_load(stored, n, catalogue, false, &alone, stderr, &error), &error);
        assert_int_equal(loaded.results_n, n);
        for (size_t i = 0; i < n; i++) {
            char name[32];
            snprintf(name, sizeof name, "fleet.json[%zu]", i);
            assert_string_equal(loaded.results[i].path, name);
            assert_int_equal(loaded.results[i].run.cells_n, alone.results[i].run.cells_n);
            assert_string_equal(loaded.results[i].run.started, alone.results[i].run.started);
            free(texts[i]);
        }
        red_loaded_files_clear(&loaded);
        red_loaded_files_clear(&alone);
    }
}

static void what_is_no_whole_file_is_refused(void **state) {
    static const char *const bad[] = {"", " ", "{", "[1,2", "1", "{} {}", "{},", "{\"a\": \"}", "null"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *texts[] = {"{}", bad[i]};
        const size_t lengths[] = {2, strlen(bad[i])};
        struct red_error error = {.text = ""};
        assert_int_equal(red_fleet_write("refused.json", texts, lengths, 2, &error), RED_E_INPUT);
        assert_has(error.text, "text 1 of its runs");
        assert_int_equal(access("refused.json", F_OK), -1);
    }
}

static void blanks_and_marks_around_texts_are_left_out(void **state) {
    static const char *const texts[] = {"\xef\xbb\xbf{\"a\": [1]}\n", " [2] \r\n"};
    const size_t lengths[] = {strlen(texts[0]), strlen(texts[1])};
    struct red_error error = {.text = ""};
    assert_ok(red_fleet_write("blanks.json", texts, lengths, 2, &error), &error);
    assert_file_holds("blanks.json", "{\"schema\": 1, \"fleet\": [\n{\"a\": [1]},\n [2]\n]}\n");
}

/* A value of JSON with brackets, quotation marks and commas wherever they may be. */
static json_t *random_value(uint64_t *seed, unsigned depth) {
    static const char *const words[] = {"]", "}\"", "\\", "a,b", "[{\"", ""};
    const uint64_t kind = red_random(seed) % (depth > 0 ? 4 : 2);
    json_t *made = kind == 2 ? json_array() : json_object();
    if (kind < 2) {
        json_decref(made);
        return kind == 0 ? json_string(words[red_random(seed) % 6]) : json_integer((json_int_t)kind);
    }
    for (uint64_t n = red_random(seed) % 4; n > 0; n--) {
        if (kind == 2)
            json_array_append_new(made, random_value(seed, depth - 1));
        else
            json_object_set_new(made, words[red_random(seed) % 6], random_value(seed, depth - 1));
    }
    return made;
}

static void runs_are_found_whatever_they_hold(void **state) {
    uint64_t seed = seed_of_run();
    for (unsigned round = 0; round < 300; round++) {
        const uint64_t again = seed;
        json_t *array = json_array(), *root = json_object();
        const struct red_file_kind *const kinds[] = {&red_fleet_kind};
        struct red_parsed parsed;
        struct red_error error = {.text = ""};
        size_t n = 0, found_n = 0;
        for (uint64_t left = red_random(&seed) % 5; left > 0; left--) {
            json_t *run = json_object();
            json_object_set_new(run, "[\"]", random_value(&seed, 4));
            json_array_append_new(array, run);
        }
        json_object_set_new(root, "schema", json_integer(1));
        json_object_set(root, RED_FLEET_ARRAY, array);
        char *text = json_dumps(root, round % 2 == 0 ? JSON_INDENT(1) : JSON_COMPACT);
        assert_ok(red_parsed_open("x", "fleet file", text, strlen(text), kinds, 1, &parsed, &error), &error);
        struct red_large_array *runs = red_fleet_runs(&parsed);
        for (const char *at; (at = red_large_array_next_text(runs, &parsed.reader, &n)) != NULL; found_n++) {
            json_t *run = json_loadb(at, n, 0, NULL);
            if (!json_equal(run, json_array_get(array, found_n)))
                fail_msg("seed %llu: run %zu of %s", (unsigned long long)again, found_n, text);
            json_decref(run);
        }
        assert_int_equal(parsed.reader.status, RED_OK);
        red_parsed_close(&parsed);
        assert_int_equal(found_n, json_array_size(array));
        free(text);
        json_decref(array);
        json_decref(root);
    }
}

/* Somebody else's file may have a member of that name. */
static void what_has_no_list_of_runs_is_no_fleet_file(void **state) {
    static const struct {
        const char *text;
        bool is_fleet;
    } made[] = {{"{\"schema\": 1, \"fleet\": []}", true},
                {"{\"schema\": 1, \"fleet\": {\"a\": [1]}}", false},
                {"{\"schema\": 1, \"fleet\": 7}", false},
                {"{\"schema\": \"1\", \"fleet\": []}", false}};
    const struct red_file_kind *const kinds[] = {&red_fleet_kind};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        struct red_parsed parsed;
        struct red_error error = {.text = ""};
        assert_ok(
            red_parsed_open("x", "fleet file", made[i].text, strlen(made[i].text), kinds, 1, &parsed, &error),
            &error);
        if (red_parsed_is(&parsed, &red_fleet_kind) != made[i].is_fleet)
            fail_msg("%s", made[i].text);
        red_parsed_close(&parsed);
    }
}
