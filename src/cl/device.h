/* OpenCL devices of this machine: the list, what each can do, and one opened for work. Workers
 * and `once` ask here; the program itself asks workers, since a driver may crash or hang. */
#ifndef CLREDUCE_CL_DEVICE_H
#define CLREDUCE_CL_DEVICE_H

#include <stdint.h>

#include "model/capability.h"
#include "model/device_info.h"
#include "model/geometry.h"

struct red_device_list;

/* Lists the devices of every platform, up to 64. An empty list is no error. Release with _destroy.
 * Errors: RED_E_MEMORY. A platform that fails is left out. */
enum red_status red_device_list_create(struct red_device_list **list, struct red_error *error);
void red_device_list_destroy(struct red_device_list *list);
size_t red_device_list_n(const struct red_device_list *list);

/* Text with a line for each platform that offers no device, with what its driver said and, if it is known,
 * what it lacks: "no device: rusticl: clGetDeviceIDs says CL_DEVICE_NOT_FOUND (-1); ...". Empty if there is
 * none. The user reads it on standard error, unless --device was given and selects one. */
const char *red_device_list_no_device_lines(const struct red_device_list *list);
const struct red_device_info *red_device_list_info(const struct red_device_list *list, size_t i);

/* Finds the devices that --device means, as red_device_info_select does. */
size_t red_device_list_select(const struct red_device_list *list, const char *patterns, size_t *chosen,
                              size_t chosen_max);

/* Whether every one of the patterns (NULL: none) selects a device. Errors: RED_E_INPUT with what there is. */
enum red_status red_device_list_check_patterns(const struct red_device_list *list, const char *patterns,
                                               struct red_error *error);

struct red_device;

/* Opens a device: context, a queue for time to answer and another with profiling, where also waits what waits
 * for calls. Release with _close, after everything made on it. Errors: RED_E_DEVICE, RED_E_MEMORY. */
enum red_status red_device_open(const struct red_device_list *list, size_t i, struct red_device **device,
                                struct red_error *error);
void red_device_close(struct red_device *device);

const struct red_device_info *red_device_info(const struct red_device *device);

/* Releases the programs that plans left behind: the next plan compiles its own anew. No plan of the device
 * may be there. */
void red_device_release_programs(struct red_device *device);

/* From now on a program leaves its binary in this folder, where the next process finds it. No option leads
 * here: a duel starts many processes of one side and gives them this folder (gate/side.c), which it removes.
 * The user sees a quicker duel. A path of more than 511 bytes has no effect. */
void red_device_set_binary_folder(struct red_device *device, const char *folder);

/* How many different programs it was asked to build since it was opened: those that do not build, those whose
 * binary was found, and those that it let go of among them. `verify` divides the memory that a driver keeps
 * by it. */
uint64_t red_device_builds_n(const struct red_device *device);

/* What is known of the device; what is not is probed in the caller's process when it is asked for. A caller
 * who knows answers, from a process that may crash, puts them here first. */
struct red_capabilities *red_device_capabilities(struct red_device *device);

#endif
