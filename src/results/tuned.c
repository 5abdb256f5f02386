#define _GNU_SOURCE /* mkdir, flock, O_DIRECTORY */
/* Reads and writes the file of `bench --tune`; `bench --tuned` and `strategies --tuned` use it. Keys and
 * entries are made by run/autotune.c; `path` is that of red_tuned_path. Seen as the table of
 * `strategies --tuned`, and as the geometry of cells of bench (JSON "tuned": true). */
#include "results/tuned.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/select.h"
#include "results/json.h"

enum { SCHEMA = 1 };

/* ---- keys ---------------------------------------------------------------------------------------------- */

/* Called by run/autotune.c for a geometry to keep, and for each cell of bench. */
enum red_status red_tuned_key_make(const struct red_device_info *device, const struct red_strategy *strategy,
                                   const struct red_dtype *dtype, const struct red_op *op, uint64_t n,
                                   struct red_tuned_key *key, struct red_error *error) {
    *key =
        (struct red_tuned_key){.compute_units = device->shape.compute_units, .band = red_tuning_band_of(n)};
    snprintf(key->platform, sizeof key->platform, "%s", device->platform);
    snprintf(key->device, sizeof key->device, "%s", device->name);
    snprintf(key->driver, sizeof key->driver, "%s", device->driver);
    snprintf(key->strategy, sizeof key->strategy, "%s", strategy->name);
    snprintf(key->op, sizeof key->op, "%s", op->name);
    snprintf(key->type, sizeof key->type, "%s", dtype->name);
    return red_source_hash(strategy, dtype, op, key->text, error);
}

/* An order of devices, strategies, operations and types, whatever the driver and the text. */
static int compare_subjects(const struct red_tuned_key *a, const struct red_tuned_key *b) {
    int order = strcmp(a->platform, b->platform);
    if (order == 0)
        order = strcmp(a->device, b->device);
    if (order == 0)
        order = (a->compute_units > b->compute_units) - (a->compute_units < b->compute_units);
    if (order == 0)
        order = strcmp(a->strategy, b->strategy);
    if (order == 0)
        order = strcmp(a->op, b->op);
    return order ? order : strcmp(a->type, b->type);
}

/* For qsort: the order of struct red_tuned, and so of the rows of `strategies --tuned`; driver and text do
 * not count. */
static int by_subject_and_band(const void *a, const void *b) {
    const struct red_tuned_key *x = &((const struct red_tuned_entry *)a)->key;
    const struct red_tuned_key *y = &((const struct red_tuned_entry *)b)->key;
    int order = compare_subjects(x, y);
    return order ? order : (x->band > y->band) - (x->band < y->band);
}

static bool has_same_driver_and_text(const struct red_tuned_key *a, const struct red_tuned_key *b) {
    return strcmp(a->driver, b->driver) == 0 && strcmp(a->text, b->text) == 0;
}

static bool is_same_key(const struct red_tuned_key *a, const struct red_tuned_key *b) {
    return compare_subjects(a, b) == 0 && has_same_driver_and_text(a, b) && a->band == b->band;
}

/* Asked by run/autotune.c for each cell of bench: the entry's geometry becomes the cell's. */
const struct red_tuned_entry *red_tuned_find(const struct red_tuned *tuned, const struct red_tuned_key *key) {
    for (size_t i = 0; i < tuned->n; i++)
        if (is_same_key(&tuned->entries[i].key, key))
            return &tuned->entries[i];
    return NULL;
}

/* Called for each entry that is read, and for each that is added to the file. */
enum red_status red_tuned_put_and_drop_stale(struct red_tuned *tuned, const struct red_tuned_entry *entry,
                                             struct red_error *error) {
    struct red_tuned_entry *grown = realloc(tuned->entries, (tuned->n + 1) * sizeof *grown);
    size_t kept_n = 0;
    if (grown == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for tuned geometries");
    tuned->entries = grown;
    for (size_t i = 0; i < tuned->n; i++) {
        const struct red_tuned_key *key = &grown[i].key;
        if (compare_subjects(key, &entry->key) != 0 ||
            (has_same_driver_and_text(key, &entry->key) && key->band != entry->key.band))
            grown[kept_n++] = grown[i];
    }
    grown[kept_n] = *entry;
    tuned->n = kept_n + 1;
    qsort(grown, tuned->n, sizeof *grown, by_subject_and_band);
    return RED_OK;
}

void red_tuned_clear(struct red_tuned *tuned) {
    free(tuned->entries);
    *tuned = (struct red_tuned){.n = 0};
}

/* ---- where --------------------------------------------------------------------------------------------- */

/* The specification of the folders has relative paths ignored (XDG Base Directory Specification 0.8). */
static const char *folder_from_environment(const char *name) {
    const char *folder = getenv(name);
    return folder != NULL && folder[0] == '/' ? folder : NULL;
}

/* Also asked by cli/files.c, since no other output may overwrite that file. */
enum red_status red_tuned_path(char path[RED_PATH_BYTES], struct red_error *error) {
    const char *file = getenv("CLREDUCE_CACHE");
    const char *cache = folder_from_environment("XDG_CACHE_HOME"), *home = folder_from_environment("HOME");
    int length = -1;
    if (file != NULL && file[0] != '\0')
        length = snprintf(path, RED_PATH_BYTES, "%s", file);
    else if (cache != NULL)
        length = snprintf(path, RED_PATH_BYTES, "%s/clreduce/tuned.json", cache);
    else if (home != NULL)
        length = snprintf(path, RED_PATH_BYTES, "%s/.cache/clreduce/tuned.json", home);
    return length >= 0 && length < RED_PATH_BYTES
               ? RED_OK
               : red_fail(error, RED_E_INPUT,
                          "there is no place to keep tuned geometries in: set CLREDUCE_CACHE to a file");
}

/* Makes every folder on the way to the file; what cannot be made shows when the file is opened. */
static void make_folders(const char *path) {
    char folder[RED_PATH_BYTES];
    for (const char *at = strchr(path + 1, '/'); path[0] != '\0' && at != NULL; at = strchr(at + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(at - path), path);
        (void)mkdir(folder, 0700);
    }
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* Called through entry_fields: "lanes" is "4x2", or null. */
static json_t *lanes_json(const void *member) {
    const struct red_tuning *tuning = member;
    char text[16];
    red_lanes_format(tuning, text, sizeof text);
    return tuning->width > 0 ? json_string(text) : json_null();
}

static void lanes_read(struct red_reader *reader, const json_t *from, const char *key, void *member) {
    struct red_tuning *tuning = member;
    const json_t *lanes = json_object_get(from, key);
    if (!json_is_null(lanes) &&
        !(json_is_string(lanes) && red_lanes_read(json_string_value(lanes), &tuning->width, &tuning->loads)))
        red_reader_refuse(reader, key, "lanes such as 4x2, or null");
}

#define FIELD(key, kind, member) RED_FIELD(struct red_tuned_entry, key, kind, member)
/* Texts of keys are compared byte by byte with what the driver says, so none is cut or made printable. */
#define TEXT(key, member) FIELD(key, MESSAGE, member), .max = sizeof((struct red_tuned_entry *)0)->member - 1
static const struct red_field entry_fields[] = {
    {TEXT("platform", key.platform)},
    {TEXT("device", key.device)},
    {TEXT("driver", key.driver)},
    {FIELD("compute_units", BITS, key.compute_units)},
    {TEXT("strategy", key.strategy)},
    {TEXT("text", key.text)},
    {TEXT("op", key.op)},
    {TEXT("type", key.type)},
    {FIELD("band", BITS, key.band), .max = RED_TUNING_BANDS_N - 1},
    {FIELD("n", WHOLE, n)},
    {FIELD("group_size", BITS, tuning.group_size), .max = 1 << 20},
    {FIELD("groups", BITS, tuning.groups_n), .max = RED_GROUPS_MAX},
    {FIELD("lanes", OWN, tuning), .write = lanes_json, .read = lanes_read},
    {FIELD("default", FLAG, is_default)},
    {FIELD("time_s", ABOVE_ZERO, time_s)},
    {FIELD("default_s", ABOVE_ZERO, default_s)},
    {TEXT("found", found)},
    {.key = NULL}};

/* Puts every entry of the file, which the user may have changed, into *tuned. */
static enum red_status entries_read(const char *path, const json_t *json, struct red_tuned *tuned,
                                    struct red_error *error) {
    struct red_reader reader = {.path = path, .error = error};
    const json_t *entries = json_object_get(json, "tuned");
    if (json_integer_value(json_object_get(json, "schema")) != SCHEMA || !json_is_array(entries))
        return red_fail(error, RED_E_INPUT, "%s is no file of tuned geometries of this version", path);
    for (size_t i = 0; i < json_array_size(entries) && reader.status == RED_OK; i++) {
        struct red_tuned_entry entry = {.n = 0};
        snprintf(reader.where, sizeof reader.where, "tuned[%zu]", i);
        red_fields_read(&reader, json_array_get(entries, i), entry_fields, &entry);
        if (reader.status == RED_OK)
            reader.status = red_tuned_put_and_drop_stale(tuned, &entry, error);
    }
    return reader.status;
}

/* For bench --tuned, for strategies --tuned, and before adding to the file. */
enum red_status red_tuned_load(const char *path, struct red_tuned *tuned, struct red_error *error) {
    json_error_t broken;
    *tuned = (struct red_tuned){.n = 0};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return errno == ENOENT || errno == ENOTDIR
                   ? RED_OK
                   : red_fail(error, RED_E_INPUT, "cannot read %s: %s", path, strerror(errno));
    struct stat seen;
    bool is_empty = fstat(fileno(file), &seen) == 0 && S_ISREG(seen.st_mode) && seen.st_size == 0;
    json_t *json = is_empty ? NULL : json_loadf(file, JSON_REJECT_DUPLICATES, &broken);
    fclose(file);
    if (is_empty)
        return RED_OK;
    if (json == NULL)
        return red_fail(error, RED_E_INPUT, "%s is no JSON: line %d: %s", path, broken.line, broken.text);
    enum red_status status = entries_read(path, json, tuned, error);
    json_decref(json);
    if (status != RED_OK)
        red_tuned_clear(tuned);
    return status;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* Reports an error of core/file.h with another way out: CLREDUCE_CACHE. */
static enum red_status fail_to_keep(const struct red_error *found, struct red_error *error) {
    return red_fail(error, found->status, "%.*s; set CLREDUCE_CACHE to a file that can be written",
                    (int)strcspn(found->text, ";"), found->text);
}

/* Only red_tuned_add_to_file and tests call it. */
enum red_status red_tuned_save(const char *path, const struct red_tuned *tuned, struct red_error *error) {
    struct red_error found = {.text = ""};
    json_t *entries = json_array();
    for (size_t i = 0; i < tuned->n; i++)
        json_array_append_new(entries, red_fields_json(entry_fields, &tuned->entries[i]));
    bool whole = json_array_size(entries) == tuned->n;
    json_t *json = json_pack("{s:i, s:o}", "schema", SCHEMA, "tuned", entries);
    if (json == NULL || !whole) {
        json_decref(json);
        return red_fail(error, RED_E_MEMORY, "no memory for the file of tuned geometries");
    }
    make_folders(path);
    enum red_status status = red_json_write(json, path, 6, &found);
    json_decref(json);
    return status == RED_OK ? RED_OK : fail_to_keep(&found, error);
}

/* The folder of the file, locked if that can be done; otherwise two who add at once may lose entries. Or
 * -1. */
static int lock_folder(const char *path) {
    char folder[RED_PATH_BYTES];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (fd >= 0 && flock(fd, LOCK_EX) != 0 && errno == EINTR) {
    }
    return fd;
}

/* Called by run/autotune.c (bench --tune) before the search and after each band. */
enum red_status red_tuned_add_to_file(const char *path, const struct red_tuned_entry *entries,
                                      size_t entries_n, struct red_tuned *tuned, struct red_error *error) {
    struct red_tuned all = {.n = 0};
    struct red_error found = {.text = ""};
    make_folders(path);
    int lock = lock_folder(path);
    enum red_status status = red_tuned_load(path, &all, &found);
    if (status != RED_OK)
        status = red_fail(error, status,
                          "%.3000s: it is left alone; set CLREDUCE_CACHE to another file, or remove it",
                          found.text);
    for (size_t i = 0; i < entries_n && status == RED_OK; i++)
        status = red_tuned_put_and_drop_stale(&all, &entries[i], error);
    if (status == RED_OK)
        status = red_tuned_save(path, &all, error);
    if (lock >= 0)
        close(lock);
    if (status != RED_OK) {
        red_tuned_clear(&all);
        return status;
    }
    red_tuned_clear(tuned);
    *tuned = all;
    return RED_OK;
}
