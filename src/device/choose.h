/* Device ids, the choice of devices by name, and which devices can be worked with. No OpenCL. */
#ifndef CLREDUCE_DEVICE_CHOOSE_H
#define CLREDUCE_DEVICE_CHOOSE_H

#include "device/device.h"

/* Fills id from the platform's name: "nvidia", or its first word in lower case. */
void red_device_id_find(struct red_device_info *info);

/* Numbers those that share an id: "nvidia.0", "nvidia.1". */
void red_device_ids_number(struct red_device_info *infos, size_t n);

/* red_device_list_selected over an array. */
bool red_device_info_selected(const struct red_device_info *infos, size_t n, size_t i, const char *patterns);

/* Whether every one of the patterns (NULL: none) selects a device, or is the host where `host` allows it:
 * what is not there must not be left out in silence. Errors: RED_E_INPUT with what there is. */
enum red_status red_device_info_check_patterns(const struct red_device_info *infos, size_t n,
                                               const char *patterns, bool host, struct red_error *error);

/* The smaller of "OpenCL 3.0 ..." and "OpenCL 1.2 ...", as 12: what may be called (OpenCL 3.0 API, section
 * 4.1: a platform's version is that of its API, and may be below or above a device's). A string without a
 * version counts for nothing; 10 if there is none at all. */
unsigned red_api_version(const char *platform_version, const char *device_version);

/* Errors: RED_E_UNSUPPORTED for a device below OpenCL 1.2. */
enum red_status red_device_info_check(const struct red_device_info *info, struct red_error *error);

#endif
