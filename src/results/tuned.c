#define _GNU_SOURCE /* mkdir, flock, O_DIRECTORY */
/* Reads and writes the file of `bench --tune`; `bench --tuned` and `strategies --tuned` use it. */
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

enum { SCHEMA = 1 };

/* ---- keys ------------------------------------------------------------------------------------------------
 */

enum red_status red_tuned_key_make(const struct red_device_info *device, const struct red_strategy *strategy,
                                   const struct red_dtype *dtype, const struct red_op *op, uint64_t n,
                                   struct red_tuned_key *key, struct red_error *error) {
    *key = (struct red_tuned_key){.compute_units = device->shape.compute_units, .band = red_band_of(n)};
    snprintf(key->platform, sizeof key->platform, "%s", device->platform);
    snprintf(key->device, sizeof key->device, "%s", device->name);
    snprintf(key->driver, sizeof key->driver, "%s", device->driver);
    snprintf(key->strategy, sizeof key->strategy, "%s", strategy->name);
    snprintf(key->op, sizeof key->op, "%s", op->name);
    snprintf(key->type, sizeof key->type, "%s", dtype->name);
    return red_source_hash(strategy, dtype, op, key->text, error);
}

/* An order of devices, strategies, operations and types, whatever the driver and the text. */
static int subject_compare(const struct red_tuned_key *a, const struct red_tuned_key *b) {
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

static int by_key(const void *a, const void *b) {
    const struct red_tuned_key *x = &((const struct red_tuned_entry *)a)->key;
    const struct red_tuned_key *y = &((const struct red_tuned_entry *)b)->key;
    int order = subject_compare(x, y);
    return order ? order : (x->band > y->band) - (x->band < y->band);
}

static bool same_state(const struct red_tuned_key *a, const struct red_tuned_key *b) {
    return strcmp(a->driver, b->driver) == 0 && strcmp(a->text, b->text) == 0;
}

static bool same_key(const struct red_tuned_key *a, const struct red_tuned_key *b) {
    return subject_compare(a, b) == 0 && same_state(a, b) && a->band == b->band;
}

const struct red_tuned_entry *red_tuned_find(const struct red_tuned *tuned, const struct red_tuned_key *key) {
    for (size_t i = 0; i < tuned->n; i++)
        if (same_key(&tuned->entries[i].key, key))
            return &tuned->entries[i];
    return NULL;
}

enum red_status red_tuned_put(struct red_tuned *tuned, const struct red_tuned_entry *entry,
                              struct red_error *error) {
    struct red_tuned_entry *grown = realloc(tuned->entries, (tuned->n + 1) * sizeof *grown);
    size_t kept_n = 0;
    if (grown == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for tuned geometries");
    tuned->entries = grown;
    for (size_t i = 0; i < tuned->n; i++) {
        const struct red_tuned_key *key = &grown[i].key;
        if (subject_compare(key, &entry->key) != 0 ||
            (same_state(key, &entry->key) && key->band != entry->key.band))
            grown[kept_n++] = grown[i];
    }
    grown[kept_n] = *entry;
    tuned->n = kept_n + 1;
    qsort(grown, tuned->n, sizeof *grown, by_key);
    return RED_OK;
}

void red_tuned_clear(struct red_tuned *tuned) {
    free(tuned->entries);
    *tuned = (struct red_tuned){.n = 0};
}

/* ---- where -----------------------------------------------------------------------------------------------
 */

/* The specification of the folders has relative paths ignored (XDG Base Directory Specification 0.8). */
static const char *folder_from(const char *name) {
    const char *folder = getenv(name);
    return folder != NULL && folder[0] == '/' ? folder : NULL;
}

enum red_status red_tuned_path(char path[RED_PATH_BYTES], struct red_error *error) {
    const char *file = getenv("CLREDUCE_CACHE");
    const char *cache = folder_from("XDG_CACHE_HOME"), *home = folder_from("HOME");
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

/* Every folder on the way to the file; what cannot be made shows when the file is opened. */
static void folders_make(const char *path) {
    char folder[RED_PATH_BYTES];
    for (const char *at = strchr(path + 1, '/'); path[0] != '\0' && at != NULL; at = strchr(at + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(at - path), path);
        (void)mkdir(folder, 0700);
    }
}

/* ---- reading ---------------------------------------------------------------------------------------------
 */

static bool text_read(const json_t *object, const char *name, char *text, size_t text_bytes) {
    const char *value = json_string_value(json_object_get(object, name));
    return value != NULL && snprintf(text, text_bytes, "%s", value) < (int)text_bytes;
}

/* A whole number from 0 to max. */
static bool number_read(const json_t *object, const char *name, uint64_t max, uint64_t *number) {
    const json_t *value = json_object_get(object, name);
    json_int_t found = json_integer_value(value);
    *number = (uint64_t)found;
    return json_is_integer(value) && found >= 0 && (uint64_t)found <= max;
}

static bool seconds_read(const json_t *object, const char *name, double *seconds) {
    const json_t *value = json_object_get(object, name);
    *seconds = json_number_value(value);
    return json_is_number(value) && *seconds > 0;
}

static bool lanes_read(const json_t *object, struct red_tuning *tuning) {
    const json_t *lanes = json_object_get(object, "lanes");
    return json_is_null(lanes) || (json_is_string(lanes) &&
                                   red_lanes_read(json_string_value(lanes), &tuning->width, &tuning->loads));
}

static bool entry_read(const json_t *object, struct red_tuned_entry *entry) {
    struct red_tuned_key *key = &entry->key;
    uint64_t compute_units, group_size, band;
    const json_t *is_default = json_object_get(object, "default");
    bool read = text_read(object, "platform", key->platform, sizeof key->platform) &&
                text_read(object, "device", key->device, sizeof key->device) &&
                text_read(object, "driver", key->driver, sizeof key->driver) &&
                number_read(object, "compute_units", UINT32_MAX, &compute_units) &&
                text_read(object, "strategy", key->strategy, sizeof key->strategy) &&
                text_read(object, "text", key->text, sizeof key->text) &&
                text_read(object, "op", key->op, sizeof key->op) &&
                text_read(object, "type", key->type, sizeof key->type) &&
                number_read(object, "band", RED_BANDS_N - 1, &band) &&
                number_read(object, "n", INT64_MAX, &entry->n) &&
                number_read(object, "group_size", 1 << 20, &group_size) &&
                number_read(object, "groups", RED_GROUPS_MAX, &entry->tuning.groups_n) &&
                lanes_read(object, &entry->tuning) && json_is_boolean(is_default) &&
                seconds_read(object, "time_s", &entry->time_s) &&
                seconds_read(object, "default_s", &entry->default_s) &&
                text_read(object, "found", entry->found, sizeof entry->found);
    if (!read)
        return false;
    key->compute_units = (unsigned)compute_units;
    key->band = (unsigned)band;
    entry->tuning.group_size = (size_t)group_size;
    entry->is_default = json_is_true(is_default);
    return true;
}

static enum red_status entries_read(const char *path, const json_t *json, struct red_tuned *tuned,
                                    struct red_error *error) {
    const json_t *entries = json_object_get(json, "tuned");
    uint64_t schema;
    enum red_status status = RED_OK;
    if (!number_read(json, "schema", SCHEMA, &schema) || schema != SCHEMA || !json_is_array(entries))
        return red_fail(error, RED_E_INPUT, "%s is no file of tuned geometries of this version", path);
    for (size_t i = 0; i < json_array_size(entries) && status == RED_OK; i++) {
        struct red_tuned_entry entry = {.n = 0};
        status = entry_read(json_array_get(entries, i), &entry)
                     ? red_tuned_put(tuned, &entry, error)
                     : red_fail(error, RED_E_INPUT, "%s: tuned geometry %zu is malformed", path, i + 1);
    }
    return status;
}

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

/* ---- writing ---------------------------------------------------------------------------------------------
 */

static json_t *lanes_json(const struct red_tuning *tuning) {
    char text[16];
    red_lanes_print(tuning, text, sizeof text);
    return tuning->width > 0 ? json_string(text) : json_null();
}

static json_t *entry_json(const struct red_tuned_entry *entry) {
    const struct red_tuned_key *key = &entry->key;
    return json_pack("{s:s, s:s, s:s, s:I, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:o, s:b, s:f, s:f, s:s}",
                     "platform", key->platform, "device", key->device, "driver", key->driver, "compute_units",
                     (json_int_t)key->compute_units, "strategy", key->strategy, "text", key->text, "op",
                     key->op, "type", key->type, "band", (json_int_t)key->band, "n", (json_int_t)entry->n,
                     "group_size", (json_int_t)entry->tuning.group_size, "groups",
                     (json_int_t)entry->tuning.groups_n, "lanes", lanes_json(&entry->tuning), "default",
                     (int)entry->is_default, "time_s", entry->time_s, "default_s", entry->default_s, "found",
                     entry->found);
}

/* Reports an error of core/file.h with another way out: CLREDUCE_CACHE. */
static enum red_status cannot_keep(const struct red_error *found, struct red_error *error) {
    return red_fail(error, found->status, "%.*s; set CLREDUCE_CACHE to a file that can be written",
                    (int)strcspn(found->text, ";"), found->text);
}

enum red_status red_tuned_save(const char *path, const struct red_tuned *tuned, struct red_error *error) {
    struct red_file file;
    struct red_error found = {.text = ""};
    json_t *entries = json_array();
    for (size_t i = 0; i < tuned->n; i++)
        json_array_append_new(entries, entry_json(&tuned->entries[i]));
    bool whole = json_array_size(entries) == tuned->n;
    json_t *json = json_pack("{s:i, s:o}", "schema", SCHEMA, "tuned", entries);
    if (json == NULL || !whole) {
        json_decref(json);
        return red_fail(error, RED_E_MEMORY, "no memory for the file of tuned geometries");
    }
    folders_make(path);
    enum red_status status = red_file_open(path, &file, &found);
    if (status == RED_OK) {
        bool dumped = json_dumpf(json, file.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0;
        fputc('\n', file.stream);
        if (dumped || ferror(file.stream)) {
            status = red_file_commit(&file, &found); /* which knows why writing failed */
        } else {
            red_file_abandon(&file);
            status = red_fail(&found, RED_E_MEMORY, "no memory to write %s", path);
        }
    }
    json_decref(json);
    return status == RED_OK ? RED_OK : cannot_keep(&found, error);
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

enum red_status red_tuned_keep(const char *path, const struct red_tuned_entry *entries, size_t n,
                               struct red_tuned *tuned, struct red_error *error) {
    struct red_tuned all = {.n = 0};
    struct red_error found = {.text = ""};
    folders_make(path);
    int lock = lock_folder(path);
    enum red_status status = red_tuned_load(path, &all, &found);
    if (status != RED_OK)
        status = red_fail(error, status,
                          "%.3000s: it is left alone; set CLREDUCE_CACHE to another file, or remove it",
                          found.text);
    for (size_t i = 0; i < n && status == RED_OK; i++)
        status = red_tuned_put(&all, &entries[i], error);
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
