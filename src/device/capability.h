/* What a device can do: three answers for each need, under each OpenCL C standard. */
#ifndef CLREDUCE_DEVICE_CAPABILITY_H
#define CLREDUCE_DEVICE_CAPABILITY_H

#include "model/strategy.h"

struct red_device;

enum red_c_standard { RED_CL12, RED_CL20, RED_CL30, RED_C_STANDARDS_N };

/* The value of -cl-std: "CL1.2". */
const char *red_c_standard_name(enum red_c_standard standard);

enum red_answer { RED_UNKNOWN, RED_NO, RED_YES, RED_ANSWERS_N };

struct red_capability {
    enum red_answer advertised; /* the driver's query says so (OpenCL 3.0 API, section 4.2) */
    enum red_answer builds;     /* a probe kernel compiles and links */
    enum red_answer behaves;    /* the probe gives right results over several group sizes; exact integers */
    char reason[160];           /* why not, in one line; empty where it behaves */
};

/* The three answers for one need under one standard. The probe runs at the first call and its answers are
 * kept. */
const struct red_capability *red_capability_get(struct red_device *device, enum red_need_index need,
                                                enum red_c_standard standard);

/* The answers under the standard where the need fares best: what a table of devices shows. */
const struct red_capability *red_capability_best(struct red_device *device, enum red_need_index need);

/* Asks for all that red_capability_best may want: of the devices at the same time; of one that is a CPU,
 * which compiles with one thread, several questions at a time, of another one after the other, since a probe
 * may hang it. Does nothing for devices whose probes run in this process. */
void red_capabilities_ask(struct red_device *const *devices, size_t devices_n);

/* One word for a table: "yes", "no", "yes, unsaid" (works, though not advertised), "no, claimed" (advertised,
 * but does not build or is wrong). */
const char *red_capability_word(const struct red_capability *capability);

/* Decides whether a strategy can run for a type and an operation, and under which standard: every need must
 * behave there. 1.x strategies use CL1.2; 2.x strategies CL2.0 or CL3.0, one that the driver lists before one
 * that it does not. Errors: RED_E_UNSUPPORTED with the need and the reason, or for a device below OpenCL 1.2.
 */
enum red_status red_capability_decide(struct red_device *device, const struct red_strategy *strategy,
                                      const struct red_dtype *dtype, const struct red_op *op,
                                      enum red_c_standard *standard, struct red_error *error);

#endif
