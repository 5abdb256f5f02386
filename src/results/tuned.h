/* Geometries that `bench --tune` found, kept from run to run in one small JSON file ($CLREDUCE_CACHE, or
 * clreduce/tuned.json in the cache folder). */
#ifndef CLREDUCE_RESULTS_TUNED_H
#define CLREDUCE_RESULTS_TUNED_H

#include "core/file.h"
#include "model/catalogue.h"
#include "model/device_info.h"

/* What a geometry was found for. Anything else (another driver, another kernel text, fewer processors) may
 * want another one. */
struct red_tuned_key {
    char platform[128], device[128], driver[128];
    unsigned compute_units;
    char strategy[32];
    char text[RED_SOURCE_HASH_BYTES]; /* red_source_hash */
    char op[8], type[8];
    unsigned band; /* red_tuning_band_of */
};

struct red_tuned_entry {
    struct red_tuned_key key;
    uint64_t n;               /* at which it was measured */
    struct red_tuning tuning; /* with nothing left open that the strategy lets choose */
    bool is_default;          /* nothing was faster: take the default, which may differ for another n */
    double time_s, default_s; /* medians of one interleaved measurement; equal for the default */
    char found[32];           /* UTC */
};

/* In the order of devices, strategies, operations, types and bands. */
struct red_tuned {
    struct red_tuned_entry *entries; /* owned */
    size_t n;
};

/* The key for a strategy, type, operation and n on a device. Errors: those of red_source_hash. */
enum red_status red_tuned_key_make(const struct red_device_info *device, const struct red_strategy *strategy,
                                   const struct red_dtype *dtype, const struct red_op *op, uint64_t n,
                                   struct red_tuned_key *key, struct red_error *error);

/* Where the file is: $CLREDUCE_CACHE; otherwise clreduce/tuned.json below $XDG_CACHE_HOME, or below
 * $HOME/.cache. Errors: RED_E_INPUT if none of them is set. */
enum red_status red_tuned_path(char path[RED_PATH_BYTES], struct red_error *error);

/* Reads the file; where there is none, or an empty one, nothing was tuned yet. Release with red_tuned_clear.
 * Errors: RED_E_INPUT if it cannot be read or is no such file, and then *tuned is empty. */
enum red_status red_tuned_load(const char *path, struct red_tuned *tuned, struct red_error *error);
void red_tuned_clear(struct red_tuned *tuned);

/* The entry of the key, or NULL. */
const struct red_tuned_entry *red_tuned_find(const struct red_tuned *tuned, const struct red_tuned_key *key);

/* Takes the place of the entry of its key. What the same device kept for the same strategy, type and
 * operation under another driver or text is dropped. Errors: RED_E_MEMORY. */
enum red_status red_tuned_put_and_drop_stale(struct red_tuned *tuned, const struct red_tuned_entry *entry,
                                             struct red_error *error);

/* Writes the file, whole or not at all, and the folder that it lies in. Errors: RED_E_INPUT, RED_E_MEMORY. */
enum red_status red_tuned_save(const char *path, const struct red_tuned *tuned, struct red_error *error);

/* Adds entries_n entries to the file, of which *tuned becomes the content: what other processes have kept
 * since it was read is kept, too, and two that add at the same time take turns (flock on the folder). Errors:
 * RED_E_INPUT for a file that is no such file, which stays as it is; RED_E_MEMORY. */
enum red_status red_tuned_add_to_file(const char *path, const struct red_tuned_entry *entries,
                                      size_t entries_n, struct red_tuned *tuned, struct red_error *error);

#endif
