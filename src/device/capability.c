#include "device/capability.h"

#include <stdio.h>
#include <string.h>

#include "device/choose.h"
#include "device/private.h"
#include "device/probe.h"
#include "device/prober.h"
#include "oracle/reference.h"

const char *red_c_standard_name(enum red_c_standard standard) {
    static const char *const names[] = {[RED_CL12] = "CL1.2", [RED_CL20] = "CL2.0", [RED_CL30] = "CL3.0"};
    return names[standard];
}

static const struct red_capability *ask(struct red_device *device, size_t prober, enum red_need_index need,
                                        enum red_c_standard standard) {
    struct red_capability *capability = &device->capabilities[need][standard];
    if (!device->probed[need][standard]) {
        red_prober_ask(device->probers[prober], device, need, standard, capability);
        capability->advertised = red_probe_advertised(device, need);
        device->probed[need][standard] = true;
    }
    return capability;
}

static const struct red_capability *ask_best(struct red_device *device, size_t prober,
                                             enum red_need_index need) {
    const struct red_capability *best = ask(device, prober, need, RED_CL12);
    for (int standard = RED_CL20; standard < RED_C_STANDARDS_N && best->behaves != RED_YES; standard++) {
        const struct red_capability *other = ask(device, prober, need, (enum red_c_standard)standard);
        if (other->behaves == RED_YES || (other->builds == RED_YES && best->builds != RED_YES))
            best = other;
    }
    return best;
}

const struct red_capability *red_capability_get(struct red_device *device, enum red_need_index need,
                                                enum red_c_standard standard) {
    return ask(device, 0, need, standard);
}

const struct red_capability *red_capability_best(struct red_device *device, enum red_need_index need) {
    return ask_best(device, 0, need);
}

/* Prober p of a device takes the needs p, p + probers_n, ... Each need has its own slots, so threads share
 * nothing. */
void red_capabilities_ask(struct red_device *const *devices, size_t devices_n) {
    size_t turns_n = devices_n * RED_PROBERS_MAX;
    if (turns_n == 0)
        return;
#pragma omp parallel for schedule(static, 1) num_threads((int)turns_n)
    for (size_t turn = 0; turn < turns_n; turn++) {
        struct red_device *device = devices[turn / RED_PROBERS_MAX];
        size_t prober = turn % RED_PROBERS_MAX;
        size_t probers_n =
            device->info.shape.is_cpu && device->info.shape.compute_units > 1 ? RED_PROBERS_MAX : 1;
        for (size_t need = prober; need < RED_NEEDS_N && prober < probers_n && device->probers[0];
             need += probers_n)
            (void)ask_best(device, prober, (enum red_need_index)need);
    }
    red_reference_rest();
}

const char *red_capability_word(const struct red_capability *capability) {
    if (capability->behaves == RED_YES)
        return capability->advertised == RED_NO ? "yes, unsaid" : "yes";
    return capability->advertised == RED_YES ? "no, claimed" : "no";
}

static bool is_listed(const struct red_device *device, enum red_c_standard standard) {
    return strstr(device->info.c_versions, red_c_standard_name(standard) + 2) != NULL;
}

/* The first of the needs that does not behave, or RED_NEEDS_N. */
static unsigned first_missing(struct red_device *device, unsigned needs, enum red_c_standard standard) {
    unsigned need = 0;
    while (need < RED_NEEDS_N &&
           (!(needs & (1u << need)) ||
            red_capability_get(device, (enum red_need_index)need, standard)->behaves == RED_YES))
        need++;
    return need;
}

enum red_status red_capability_decide(struct red_device *device, const struct red_strategy *strategy,
                                      const struct red_dtype *dtype, const struct red_op *op,
                                      enum red_c_standard *standard, struct red_error *error) {
    static const enum red_c_standard for_12[] = {RED_CL12}, for_20[] = {RED_CL20, RED_CL30};
    bool is_20 = strategy->standard == RED_STANDARD_CL20;
    const enum red_c_standard *candidates = is_20 ? for_20 : for_12;
    size_t candidates_n = is_20 ? 2 : 1;
    unsigned needs = red_strategy_needs(strategy, dtype, op), missing = RED_NEEDS_N;
    enum red_c_standard missing_in = candidates[0];
    enum red_status status = red_device_info_check(&device->info, error);
    if (status != RED_OK)
        return status;
    for (int listed = 1; listed >= 0; listed--) {
        for (size_t i = 0; i < candidates_n; i++) {
            if (is_listed(device, candidates[i]) != (bool)listed)
                continue;
            unsigned first = first_missing(device, needs, candidates[i]);
            if (first == RED_NEEDS_N) {
                *standard = candidates[i];
                return RED_OK;
            }
            if (missing == RED_NEEDS_N) {
                missing = first;
                missing_in = candidates[i];
            }
        }
    }
    char name[64];
    red_needs_print(1u << missing, name, sizeof name);
    return red_fail(error, RED_E_UNSUPPORTED, "no %s: %s", name,
                    red_capability_get(device, (enum red_need_index)missing, missing_in)->reason);
}
