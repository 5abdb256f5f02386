/* One side of a duel, base or head: a program, perhaps of another build, its environment, its kernel file and
 * its devices, each with a worker process. */
#ifndef CLREDUCE_GATE_SIDE_H
#define CLREDUCE_GATE_SIDE_H

#include "core/scratch.h"
#include "gate/duel.h"
#include "model/catalogue.h"
#include "run/selection.h"
#include "worker/client.h"

enum { RED_ENVIRONMENT_MAX = 16 };

/* Options that only `duel` has. Arrays of two: base, head; NULL where the option is not given. */
struct red_duel_options {
    const char *side_program[2], *side_kernel[2], *side_device[2];
    const char *environment[2][RED_ENVIRONMENT_MAX]; /* NAME=VALUE */
    size_t environment_n[2];
    const char *profile, *policy;
    const char *replay; /* duel file to judge again */
    bool required;      /* --require: UNDECIDED and UNTRUSTED fail */
};

struct red_duel_side {
    char path[4096];          /* of its program */
    char version[32];         /* as the program prints it */
    const char *arguments[5]; /* to start a worker with */
    char **environment;       /* owned; NULL: inherited */
    struct red_client_program program;
    struct red_scratch binaries;       /* compiled kernels of drivers that cache none */
    struct red_catalogue *catalogue;   /* owned; this program's strategies and the kernel file */
    const struct red_strategy *kernel; /* of the kernel file; NULL: none was given */
    json_t *strategies;                /* owned; names that its program listed */
    struct red_device_info infos[RED_CLIENTS_MAX];
    size_t infos_n;
    struct red_client
        *clients[RED_DUEL_DEVICES_MAX]; /* owned; clients of its workers, in the order of matched devices */
    size_t clients_n;
};

/* Finds the program, the kernel file and the devices of a side. Release with _close. Errors: RED_E_INPUT for
 * a path that is not a program, a program that is not clreduce or speaks another protocol
 * (RED_PROTOCOL_VERSION), and an invalid kernel file; RED_E_NO_DEVICE; those of red_client_list. */
enum red_status red_duel_side_open(const struct red_selection *selection,
                                   const struct red_duel_options *options, enum red_who who,
                                   struct red_duel_side *side, struct red_error *error);
void red_duel_side_close(struct red_duel_side *side);

/* The name of the i-th strategy that the side's program has; NULL after the last. */
const char *red_duel_side_strategy(const struct red_duel_side *side, size_t i);

/* Matches the selected devices of base and head by their ids, or with --base-device or --head-device in their
 * order, and makes a client for each. Errors: RED_E_INPUT where only one side has a device. */
enum red_status red_duel_sides_match(const struct red_selection *selection,
                                     const struct red_duel_options *options,
                                     struct red_duel_side sides[RED_WHO_N], struct red_error *error);

/* Ends the two worker processes of a device and starts new ones, that of the side `first` before the other.
 * Errors: those of starting a worker, of the side *failed. */
enum red_status red_duel_sides_restart(struct red_duel_side sides[RED_WHO_N], size_t device,
                                       enum red_who first, enum red_who *failed, struct red_error *error);

#endif
