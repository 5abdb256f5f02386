#include "tests/unit/testing.h"

#include <sys/wait.h>

#include "core/select.h"
#include "results/tuned.h"
#include "tests/unit/catalogue.h"
#include "tests/unit/texts.h"

static const struct red_device_info device = {
    .platform = "a platform", .name = "a \"device\"", .driver = "1.2", .shape = {.compute_units = 2}};

static struct red_tuned_key key_of(const struct red_device_info *info, const char *strategy, uint64_t n) {
    struct red_tuned_key key;
    assert_int_equal(red_tuned_key_make(info, red_catalogue_find(catalogue, strategy), red_dtype_find("f32"),
                                        red_op_find("sum"), n, &key, NULL),
                     RED_OK);
    return key;
}

static struct red_tuned_entry entry_of(const char *strategy, uint64_t n) {
    return (struct red_tuned_entry){.key = key_of(&device, strategy, n),
                                    .n = n,
                                    .tuning = {.group_size = 1, .groups_n = 4, .width = 16, .loads = 2},
                                    .time_s = 1e-5,
                                    .default_s = 1.5e-5,
                                    .found = "2026-01-31T12:00:00Z"};
}

static void put(struct red_tuned *tuned, const struct red_tuned_entry *entry) {
    assert_int_equal(red_tuned_put_and_drop_stale(tuned, entry, NULL), RED_OK);
}

/* What is read of what was written. */
static struct red_tuned written_and_read(const char *path, struct red_tuned *tuned) {
    struct red_tuned again;
    struct red_error error;
    assert_ok(red_tuned_save(path, tuned, &error), &error);
    assert_ok(red_tuned_load(path, &again, &error), &error);
    red_tuned_clear(tuned);
    return again;
}

static void bands_hold_every_n_once(void **state) {
    static const uint64_t last[] = {1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 26};
    assert_int_equal(red_tuning_band_of(0), 0);
    for (unsigned band = 0; band < 5; band++) {
        assert_int_equal(red_tuning_band_of(last[band]), band);
        assert_int_equal(red_tuning_band_of(last[band] + 1), band + 1);
    }
    assert_int_equal(red_tuning_band_of(UINT64_MAX), RED_TUNING_BANDS_N - 1);
    assert_string_equal(red_tuning_band_text(1).text, "to 2^14");
    assert_string_equal(red_tuning_band_text(5).text, "above 2^26");
}

static void what_was_kept_is_found_again(void **state) {
    struct red_tuned tuned = {.n = 0};
    struct red_tuned_entry chunk = entry_of("chunk", 1000), tree = entry_of("tree", 1 << 20);
    tree.tuning = (struct red_tuning){.group_size = 64};
    tree.is_default = true;
    put(&tuned, &chunk);
    put(&tuned, &tree);
    struct red_tuned again = written_and_read("kept/a/tuned.json", &tuned); /* makes the folders */
    assert_int_equal(again.n, 2);
    const struct red_tuned_entry *found = red_tuned_find(&again, &chunk.key);
    assert_non_null(found);
    assert_int_equal(red_tuning_compare(&found->tuning, &chunk.tuning), 0);
    assert_true(found->n == 1000 && !found->is_default && found->time_s == 1e-5 &&
                found->default_s == 1.5e-5);
    assert_string_equal(found->found, chunk.found);
    found = red_tuned_find(&again, &tree.key);
    assert_true(found != NULL && found->is_default && found->tuning.width == 0);
    red_tuned_clear(&again);
    remove("kept/a/tuned.json");
    rmdir("kept/a");
    rmdir("kept");
}

/* The key is compared byte by byte with what the driver says at the next run. */
static void what_a_driver_says_stays_as_it_is(void **state) {
    struct red_device_info odd = device;
    struct red_tuned tuned = {.n = 0};
    struct red_tuned_entry entry = entry_of("chunk", 1000);
    odd.driver[0] = '\0';
    snprintf(odd.name, sizeof odd.name, "a\tdevice\x01");
    entry.key = key_of(&odd, "chunk", 1000);
    put(&tuned, &entry);
    struct red_tuned again = written_and_read("odd.json", &tuned);
    assert_non_null(red_tuned_find(&again, &entry.key));
    red_tuned_clear(&again);
}

/* Whatever differs, nothing is found. */
static void only_the_same_is_found(void **state) {
    struct red_tuned tuned = {.n = 0};
    struct red_tuned_entry entry = entry_of("chunk", 1000);
    put(&tuned, &entry);
    struct red_device_info other = device;
    strcpy(other.driver, "1.3");
    struct red_tuned_key key = key_of(&other, "chunk", 1000);
    assert_null(red_tuned_find(&tuned, &key));
    other = device;
    other.shape.compute_units = 4;
    key = key_of(&other, "chunk", 1000);
    assert_null(red_tuned_find(&tuned, &key));
    key = key_of(&device, "chunk", 1 << 14); /* another band */
    assert_null(red_tuned_find(&tuned, &key));
    key = key_of(&device, "chunk", 1024);
    assert_non_null(red_tuned_find(&tuned, &key));
    key.text[3] ^= 1;
    assert_null(red_tuned_find(&tuned, &key));
    red_tuned_clear(&tuned);
}

static void a_new_driver_or_text_drops_the_old(void **state) {
    struct red_tuned tuned = {.n = 0};
    struct red_tuned_entry entry = entry_of("chunk", 1000), other = entry_of("tree", 1000);
    put(&tuned, &entry);
    put(&tuned, &other);
    entry.time_s = 2e-5; /* takes its place */
    put(&tuned, &entry);
    assert_int_equal(tuned.n, 2);
    entry = entry_of("chunk", 1 << 20);
    put(&tuned, &entry);
    assert_int_equal(tuned.n, 3);
    entry = entry_of("chunk", 1000);
    entry.key.compute_units = 4; /* a device with other processors is another one */
    put(&tuned, &entry);
    assert_int_equal(tuned.n, 4);
    entry = entry_of("chunk", 1000);
    strcpy(entry.key.driver, "1.3"); /* both bands of the old driver go */
    put(&tuned, &entry);
    assert_int_equal(tuned.n, 3);
    strcpy(entry.key.text, "0123456789abcdef");
    put(&tuned, &entry);
    assert_int_equal(tuned.n, 3);
    assert_non_null(red_tuned_find(&tuned, &other.key));
    red_tuned_clear(&tuned);
}

static void the_hash_is_of_the_text_alone(void **state) {
    struct red_strategy tree = *red_catalogue_find(catalogue, "tree");
    const struct red_dtype *f32 = red_dtype_find("f32");
    const struct red_op *sum = red_op_find("sum");
    char a[RED_SOURCE_HASH_BYTES], b[RED_SOURCE_HASH_BYTES], text[4096];
    assert_int_equal(red_source_hash(&tree, f32, sum, a, NULL), RED_OK);
    assert_int_equal(strlen(a), 16);
    tree.path = "elsewhere/tree.cl";
    assert_int_equal(red_source_hash(&tree, f32, sum, b, NULL), RED_OK);
    assert_string_equal(a, b);
    snprintf(text, sizeof text, "%s\n// a comment\n", tree.text);
    tree.text = text;
    assert_int_equal(red_source_hash(&tree, f32, sum, b, NULL), RED_OK);
    assert_string_not_equal(a, b);
    /* An included text counts, too: these differ in their manifest and in what they include. */
    assert_int_equal(red_source_hash(red_catalogue_find(catalogue, "tree_two"), f32, sum, a, NULL), RED_OK);
    assert_int_equal(
        red_source_hash(red_catalogue_find(catalogue, "tree_two"), red_dtype_find("f64"), sum, b, NULL),
        RED_OK);
    assert_string_not_equal(a, b);
}

static void a_broken_file_is_an_empty_one(void **state) {
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"{\"schema\": 1, \"tuned\": [", "is no JSON"},
        {"[]", "of this version"},
        {"{\"schema\": 2, \"tuned\": []}", "of this version"},
        {"{\"schema\": 1}", "of this version"},
        {"{\"schema\": 1, \"tuned\": [{}]}", "tuned[0].platform: expected a text"},
    };
    struct red_tuned tuned;
    struct red_error error;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        put_file("broken.json", rows[i].text);
        assert_told(rows[i].text, red_tuned_load("broken.json", &tuned, &error), &error, rows[i].message);
        assert_int_equal(tuned.n, 0);
    }
    remove("broken.json");
    assert_int_equal(red_tuned_load("broken.json", &tuned, &error), RED_OK); /* nothing was tuned yet */
    assert_int_equal(tuned.n, 0);
}

static void a_strangers_file_is_left_alone(void **state) {
    static const char *const texts[] = {"{\"schema\": 1, \"cells\": []}", "int main(void) {}\n", "{"};
    const struct red_tuned_entry entry = entry_of("chunk", 1000);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct red_tuned tuned = {.n = 0};
        struct red_error error;
        put_file("broken.json", texts[i]);
        assert_told(texts[i], red_tuned_add_to_file("broken.json", &entry, 1, &tuned, &error), &error,
                    "it is left alone; set CLREDUCE_CACHE to another file");
        assert_file_holds("broken.json", texts[i]);
    }
}

/* Processes that tune at the same time. */
static void nobodys_entry_is_lost(void **state) {
    enum { PROCESSES_N = 4, ENTRIES_N = 25 };
    struct red_tuned_entry entry = entry_of("chunk", 1000);
    struct red_tuned tuned = {.n = 0};
    put_file("broken.json", ""); /* what mktemp makes */
    for (int process = 0; process < PROCESSES_N; process++) {
        if (fork() != 0)
            continue;
        int failed = 0;
        for (int i = 0; i < ENTRIES_N; i++) {
            snprintf(entry.key.strategy, sizeof entry.key.strategy, "s_%d_%d", process, i);
            failed |= red_tuned_add_to_file("broken.json", &entry, 1, &tuned, NULL) != RED_OK;
        }
        _exit(failed);
    }
    for (int process = 0; process < PROCESSES_N; process++) {
        int ended = 1;
        assert_true(wait(&ended) > 0);
        assert_int_equal(ended, 0);
    }
    assert_int_equal(red_tuned_load("broken.json", &tuned, NULL), RED_OK);
    assert_int_equal(tuned.n, PROCESSES_N * ENTRIES_N);
    red_tuned_clear(&tuned);
}

/* A value that no kernel can be compiled for must not reach one. */
static void a_spoilt_value_is_refused(void **state) {
    static const char *const changes[][2] = {
        {"\"16x2\"", "\"16x3\""},
        {"\"16x2\"", "16"},
        {"\"band\":0", "\"band\":6"},
        {"\"groups\":4", "\"groups\":-4"},
        {"\"time_s\":", "\"time_s\":-"},
        {"\"n\":1000", "\"n\":1.5"},
        {"\"chunk\"", "\"a_name_that_is_cut_to_fit_would_be_the_name_of_some_other_strategy_and_its_text\""},
    };
    struct red_tuned tuned = {.n = 0};
    const struct red_tuned_entry entry = entry_of("chunk", 1000);
    struct red_error error;
    put(&tuned, &entry);
    assert_int_equal(red_tuned_save("broken.json", &tuned, NULL), RED_OK);
    red_tuned_clear(&tuned);
    char *good = file_text("broken.json");
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char *bad = replaced(good, changes[i][0], changes[i][1]);
        put_file("broken.json", bad);
        assert_int_equal(red_tuned_load("broken.json", &tuned, &error), RED_E_INPUT);
        free(bad);
    }
    free(good);
}

static void what_cannot_be_kept_says_so(void **state) {
    const struct red_tuned tuned = {.n = 0};
    struct red_error error;
    assert_told("/proc/none", red_tuned_save("/proc/none/tuned.json", &tuned, &error), &error,
                "cannot write /proc/none/tuned.json: ");
    assert_has(error.text, "; set CLREDUCE_CACHE to");
    assert_null(strstr(error.text, "--output"));
}

static void the_place_follows_the_environment(void **state) {
    char path[RED_PATH_BYTES];
    setenv("HOME", "/home/a", 1);
    setenv("XDG_CACHE_HOME", "/cache", 1);
    setenv("CLREDUCE_CACHE", "mine.json", 1);
    assert_int_equal(red_tuned_path(path, NULL), RED_OK);
    assert_string_equal(path, "mine.json");
    setenv("CLREDUCE_CACHE", "", 1);
    assert_int_equal(red_tuned_path(path, NULL), RED_OK);
    assert_string_equal(path, "/cache/clreduce/tuned.json");
    setenv("XDG_CACHE_HOME", "relative", 1);
    assert_int_equal(red_tuned_path(path, NULL), RED_OK);
    assert_string_equal(path, "/home/a/.cache/clreduce/tuned.json");
    unsetenv("HOME");
    struct red_error error;
    assert_told("no HOME", red_tuned_path(path, &error), &error, "set CLREDUCE_CACHE");
}
