/* One side of a duel: a program, perhaps of another build, with its environment and its kernel file, and its
 * devices. */
#ifndef CLREDUCE_GATE_SIDE_H
#define CLREDUCE_GATE_SIDE_H

#include "core/scratch.h"
#include "gate/duel.h"
#include "model/catalogue.h"
#include "run/selection.h"
#include "worker/client.h"

enum { RED_ENVIRONMENT_MAX = 16 };

/* What a duel alone can be asked for; of two sides, base first: NULL where nothing was given. */
struct red_duel_options {
    const char *side_program[2], *side_kernel[2], *side_device[2];
    const char *environment[2][RED_ENVIRONMENT_MAX]; /* NAME=VALUE */
    size_t environment_n[2];
    const char *profile, *policy;
    const char *replay; /* file of a duel to judge again */
    bool required;      /* no answer is a failure */
};

struct red_duelist {
    char path[4096];          /* of its program */
    char version[32];         /* that it says it is of */
    const char *arguments[5]; /* of its workers */
    char **environment;       /* owned; NULL: that of this program */
    struct red_remote_program program;
    struct red_scratch binaries;       /* for what a driver does not keep */
    struct red_catalogue *catalogue;   /* owned; what this program knows, and the side's kernel file */
    const struct red_strategy *kernel; /* from that file; NULL: none was given */
    json_t *strategies;                /* owned; the names of those that its program knows */
    struct red_device_info infos[RED_REMOTES_MAX];
    size_t infos_n;
    struct red_remote *remotes[RED_DUEL_DEVICES_MAX]; /* owned; one of each pair */
    size_t remotes_n;
};

/* Finds a side's program, kernel and devices. Release with _close. Errors: RED_E_INPUT for a path that is no
 * program or no clreduce, one of another version (RED_WIRE_PROTOCOL) or a kernel file that is none;
 * RED_E_NO_DEVICE; those of red_remote_list. */
enum red_status red_duelist_open(const struct red_selection *selection,
                                 const struct red_duel_options *options, enum red_who side,
                                 struct red_duelist *duelist, struct red_error *error);
void red_duelist_close(struct red_duelist *duelist);

/* The name of the i-th strategy that the side's program knows; NULL after the last. */
const char *red_duelist_strategy(const struct red_duelist *duelist, size_t i);

/* Pairs the selected devices: by their ids, or with --base-device or --head-device in their order. Errors:
 * RED_E_INPUT where one is on one side only. */
enum red_status red_duelists_pair(const struct red_selection *selection,
                                  const struct red_duel_options *options,
                                  struct red_duelist duelists[RED_WHO_N], struct red_error *error);

/* Fresh processes for a pair, of which `first` is started first. Errors: those of starting and opening, of
 * the side *failed. */
enum red_status red_duelists_launch(struct red_duelist duelists[RED_WHO_N], size_t device, enum red_who first,
                                    enum red_who *failed, struct red_error *error);

#endif
