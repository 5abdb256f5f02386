/* What is known of a device without opening it: what its driver says, its id, and which names select it
 * (--device). Calls no OpenCL, so the program uses it outside of workers. */
#ifndef CLREDUCE_MODEL_DEVICE_INFO_H
#define CLREDUCE_MODEL_DEVICE_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "model/geometry.h"

/* What the driver says of itself; strings are cut to fit and hold printable ASCII only. */
struct red_device_info {
    char id[32]; /* short and unique here: "pocl", "intel", "nvidia.1" */
    char platform[128];
    char platform_version[128];
    char name[128];
    char vendor[128];
    char version[128];   /* of OpenCL */
    char c_versions[64]; /* of OpenCL C: "1.2 3.0" */
    char driver[128];
    unsigned api_version;             /* 12: OpenCL 1.2; the smaller of the platform's and the device's */
    struct red_geometry_limits shape; /* group_size_max: the device's */
    uint64_t local_memory_bytes;
    uint64_t global_memory_bytes;
    uint64_t allocation_bytes_max;
    uint64_t event_clock_ns;           /* resolution of event times, as the driver says */
    bool denormals_f32, denormals_f64; /* the driver claims to keep them (CL_FP_DENORM) */
};

/* Room for the platforms that offer no device, a line for each (red_device_list_no_device_lines). */
enum { RED_NO_DEVICE_LINES_BYTES = 2048 };

/* Fills id from the platform's name: "nvidia", or its first word in lower case. */
void red_device_id_set(struct red_device_info *info);

/* Numbers those that share an id: "nvidia.0", "nvidia.1"; a single one keeps its id. */
void red_device_ids_make_unique(struct red_device_info *infos, size_t n);

/* Whether both have one name and one driver, in one version: what was found on one is so on the other. */
bool red_device_info_is_same_model(const struct red_device_info *a, const struct red_device_info *b);

/* Whether --device selects the device, where a word that is an id of one of `infos` means that id alone: one
 * of the comma-separated patterns (NULL: all) is its id, or a glob or part of its platform, version or device
 * name. A pattern that is an id, a glob of ids, or what ids have before their number ("nvidia" for nvidia.0
 * and nvidia.1) means only those. */
bool red_device_info_is_selected(const struct red_device_info *infos, size_t n,
                                 const struct red_device_info *info, const char *patterns);

/* Finds the first chosen_max devices that --device selects, each once, in the order of the patterns; those of
 * one pattern, or of NULL, in that of `infos`. Fills `chosen` with their places there; how many. */
size_t red_device_info_select(const struct red_device_info *infos, size_t n, const char *patterns,
                              size_t *chosen, size_t chosen_max);

/* Refuses a pattern (NULL: there is none) that selects no device, nor the host where `with_host` allows it:
 * what is not there must not be left out in silence. Errors: RED_E_INPUT with what there is. */
enum red_status red_device_info_check_patterns(const struct red_device_info *infos, size_t n,
                                               const char *patterns, bool with_host, struct red_error *error);

/* The smaller of "OpenCL 3.0 ..." and "OpenCL 1.2 ...", as 12: what may be called (OpenCL 3.0 API, section
 * 4.1: a platform's version is that of its API, and may be below or above a device's). A string without a
 * version counts for nothing; 10 if there is none at all. */
unsigned red_api_version(const char *platform_version, const char *device_version);

/* Refuses a device below OpenCL 1.2, whose cells are `unsupported`. Errors: RED_E_UNSUPPORTED. */
enum red_status red_device_info_check_version(const struct red_device_info *info, struct red_error *error);

/* Whether the driver is known to compile anew in every process: only then are binaries worth keeping. */
bool red_device_compiles_anew(const struct red_device_info *info);

#endif
