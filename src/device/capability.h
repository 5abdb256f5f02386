/* What a device can do: three answers for each need, under each OpenCL C standard. */
#ifndef CLREDUCE_DEVICE_CAPABILITY_H
#define CLREDUCE_DEVICE_CAPABILITY_H

#include "model/strategy.h"

struct red_device_info;

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

/* Finds the three answers for one need under one standard. */
typedef void red_capability_ask(void *context, enum red_need_index need, enum red_c_standard standard,
                                struct red_capability *capability);

/* What is known of one device. */
struct red_capabilities {
    struct red_capability of[RED_NEEDS_N][RED_C_STANDARDS_N];
    bool known[RED_NEEDS_N][RED_C_STANDARDS_N];
    red_capability_ask *ask; /* finds out what is not known, at the first question */
    void *context;           /* of ask; borrowed */
};

/* The three answers for one need under one standard. */
const struct red_capability *red_capability_get(struct red_capabilities *capabilities,
                                                enum red_need_index need, enum red_c_standard standard);

/* The answers under the standard where the need fares best: what a table of devices shows. */
const struct red_capability *red_capability_best(struct red_capabilities *capabilities,
                                                 enum red_need_index need);

/* The best of the answers that are known already; NULL where nobody has asked. */
const struct red_capability *red_capability_known(const struct red_capabilities *capabilities,
                                                  enum red_need_index need);

/* The first standard that red_capability_best would have to ask for; RED_C_STANDARDS_N if all it needs is
 * known. */
enum red_c_standard red_capability_unknown(const struct red_capabilities *capabilities,
                                           enum red_need_index need);

/* The three answers, and what of them does not agree: "yes yes yes", "no yes yes ! says no, works", "yes yes
 * no ! says yes, wrong", "yes no no ! says yes, does not build", "yes ? no ! says yes, no answer" (the probe
 * crashed or hung), "? no no". */
void red_capability_print(const struct red_capability *capability, char *text, size_t text_bytes);

/* The same for a narrow table: what does not agree, or whether it behaves. */
const char *red_capability_word(const struct red_capability *capability);

/* Decides whether a strategy can run for a type and an operation, and under which standard: every need must
 * behave there. 1.x strategies use CL1.2; 2.x strategies CL2.0 or CL3.0, one that the driver lists before one
 * that it does not. Errors: RED_E_UNSUPPORTED with the need and the reason, or for a device below OpenCL 1.2.
 */
enum red_status red_capability_decide(const struct red_device_info *info,
                                      struct red_capabilities *capabilities,
                                      const struct red_strategy *strategy, const struct red_dtype *dtype,
                                      const struct red_op *op, enum red_c_standard *standard,
                                      struct red_error *error);

#endif
