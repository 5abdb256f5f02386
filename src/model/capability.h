/* Capabilities of a device: for each need and each OpenCL C standard whether the driver advertises it,
 * whether a probe builds, and whether it behaves. `devices` prints them; where a strategy lacks one its cell
 * is `unsupported`. */
#ifndef CLREDUCE_MODEL_CAPABILITY_H
#define CLREDUCE_MODEL_CAPABILITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/asked_sizes.h"
#include "model/strategy.h"
#include "model/types.h"

/* ---- forms of a need -------------------------------------------------------------------------------------
 * A built-in of a group is another function for every operation and type: its need is judged apart for each
 * form and each group size. */

enum { RED_FORMS_MAX = 5 };

/* One of them, as a probe has it. */
struct red_form_kind {
    const char *name;   /* for people: "signed min"; empty where there is one only */
    const char *suffix; /* of the built-in: "min" */
    const char *type;   /* of its argument, a name of model/types.h; NULL of what is no such built-in */
    bool of_infinities; /* what an extreme makes of the infinities that lose to all */
};

/* Whether the need is judged by group sizes, and how many forms it has then; 0: the same everywhere. */
size_t red_forms_n(enum red_need_index need);
/* What the form is; of a need that is no built-in one without a name. */
const struct red_form_kind *red_form_kind(enum red_need_index need, size_t form);

/* What a work-group's or sub-group's built-in is called without its suffix, "work_group_reduce_":
 * cl/group_probe.c makes kernels of it. NULL of other needs, which cl/probe.c probes with a sum. */
const char *red_need_built_in_prefix(enum red_need_index need);

/* The form that an operation on a type takes; 0 where none is its own. */
size_t red_form_of(enum red_need_index need, const struct red_op *op, const struct red_dtype *dtype);

/* The form of an extreme of floats that is about infinities; RED_FORMS_MAX where there is none. A driver that
 * starts with the largest finite value is right but for these. */
size_t red_form_of_infinities(enum red_need_index need, const struct red_op *op,
                              const struct red_dtype *dtype);

/* What probes found of one form, for which struct red_form_kind says what it is. */
struct red_form_findings {
    struct red_group_sizes sizes;
    unsigned crashed_n; /* sizes at which the driver crashed or hung */
    char reason[144];   /* of the first size that is wrong; empty if none is */
};

/* ---- the three answers --------------------------------------------------------------------------------- */

struct red_device_info;
struct red_capabilities;

enum red_c_standard { RED_CL12, RED_CL20, RED_CL30, RED_C_STANDARDS_N };

/* The value of -cl-std: "CL1.2". */
const char *red_c_standard_name(enum red_c_standard standard);

/* RED_UNSTEADY: asked the same several times, it was right sometimes. RED_PARTLY: of files and tables alone
 * (red_capability_told), right at some group sizes, operations or types, and wrong at others. */
enum red_answer { RED_UNKNOWN, RED_NO, RED_YES, RED_UNSTEADY, RED_PARTLY, RED_ANSWERS_N };

/* Room for a capability in words. */
enum { RED_CAPABILITY_TEXT_BYTES = 256 };

struct red_capability {
    enum red_answer advertised; /* the driver's query says so (OpenCL 3.0 API, section 4.2) */
    enum red_answer builds;     /* a probe kernel compiles and links */
    enum red_answer behaves;    /* the probe gives right results, of some form at some group size at least */
    char reason[160];           /* why not, in one line; empty where it behaves everywhere, but of progress
                                   and order between groups what was found */
    struct red_form_findings forms[RED_FORMS_MAX];
    size_t forms_n; /* 0: it behaves at every group size, or at none */
    struct red_repeats repeats;
    bool
        is_trusted; /* used whatever the probe gave (red_capability_trust), or though it could show nothing */
};

/* Whether it behaves, in every form at every group size that was asked, or is trusted. */
bool red_capability_is_whole(const struct red_capability *capability);

/* Whether it behaves, as files and tables tell it: what of the probe was wrong in part is RED_PARTLY there. A
 * strategy nevertheless runs where it behaves. */
enum red_answer red_capability_told(const struct red_capability *capability);

/* Whether it behaves in that form at that group size (0: at any), or is trusted. */
bool red_capability_behaves_at(const struct red_capability *capability, size_t form, size_t group_size);

/* Whether a built-in that the strategy takes for an extreme of floats is right at a group size, but not of
 * infinities there; false of what is not known. */
bool red_capabilities_lose_infinities(const struct red_capabilities *capabilities,
                                      const struct red_strategy *strategy, const struct red_dtype *dtype,
                                      const struct red_op *op);

/* Records the answer of a form at the i-th size: right where the status is RED_OK. Keeps the first text of an
 * error; probes call it. */
void red_form_record(struct red_form_findings *form, unsigned size_i, enum red_status status,
                     const char *text);

/* Records that a worker process crashed or hung at the i-th size of a form (worker/client.c): that costs this
 * answer alone. Where the first two forms do not survive a size the others are not asked there, and who does
 * not survive the first two sizes is not asked for more: that counts as wrong. */
void red_capability_record_crash(struct red_capability *capability, size_t form, unsigned size_i,
                                 enum red_status status, const char *text);

/* Sets `behaves` and the reason from the forms and the repeats, after a probe. `ran`: nothing failed but what
 * the forms tell. Forms of infinities alone make nothing behave. What was trusted before could show nothing.
 * cl/probe.c calls it after each probe; worker/client.c for what was right before a driver crashed for good.
 */
void red_capability_judge(enum red_need_index need, struct red_capability *capability, bool ran);

/* Has what builds used everywhere, and so what the driver says that it has, where the probe ended before it
 * was known to build. What the probe found stays, for files. For --despite-probes. */
void red_capability_trust(struct red_capability *capability);

/* Where it behaves, in a few words: "from 3 on"; of forms that differ "any: add; multiples of 32: signed min,
 * signed max"; empty where forms say nothing, or all behave. */
void red_capability_sizes_format(enum red_need_index need, const struct red_capability *capability,
                                 char *text, size_t text_bytes);

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

/* The answers under the standard where the need fares best: what a table of devices shows. What is not known
 * is asked of the device first. */
const struct red_capability *red_capability_best_or_ask(struct red_capabilities *capabilities,
                                                        enum red_need_index need);

/* The best of the answers that are known already; NULL where nobody has asked. */
const struct red_capability *red_capability_best_known(const struct red_capabilities *capabilities,
                                                       enum red_need_index need);

/* The first standard that red_capability_best_or_ask would have to ask for; RED_C_STANDARDS_N if all it needs
 * is known. */
enum red_c_standard red_capability_next_unknown_standard(const struct red_capabilities *capabilities,
                                                         enum red_need_index need);

/* The three answers, and what of them does not agree: "yes yes yes", "no yes yes ! says no, works", "yes yes
 * no ! says yes, wrong", "yes no no ! says yes, does not build", "yes ? no ! says yes, no answer" (the probe
 * crashed or hung), "? no no", "? yes unsteady, right 61 of 64 times". Where it behaves at some group sizes
 * these follow: "yes yes from 3 on". */
void red_capability_format(enum red_need_index need, const struct red_capability *capability, char *text,
                           size_t text_bytes);

/* The same for a narrow table: what does not agree, as "says yes, wrong"; where all agrees whether it
 * behaves, as "yes". */
const char *red_capability_brief(const struct red_capability *capability);

/* Decides whether a strategy can run for a type and an operation with groups of this size (0: of any), and
 * under which standard: every need must behave there. 1.x strategies use CL1.2; 2.x strategies CL2.0 or
 * CL3.0, one that the driver lists before one that it does not. What is not known is asked of the device.
 * Errors: RED_E_UNSUPPORTED with the need and the reason, or for a device below OpenCL 1.2. */
enum red_status red_capability_choose_standard(const struct red_device_info *info,
                                               struct red_capabilities *capabilities,
                                               const struct red_strategy *strategy,
                                               const struct red_dtype *dtype, const struct red_op *op,
                                               size_t group_size, enum red_c_standard *standard,
                                               struct red_error *error);

/* The group size at which the strategy runs instead of this one: itself, else the largest below it, however
 * far, else the smallest above it that probes ask; 0 where there is none. Asks the device as
 * red_capability_choose_standard does. */
size_t red_capability_usable_group_size(const struct red_device_info *info,
                                        struct red_capabilities *capabilities,
                                        const struct red_strategy *strategy, const struct red_dtype *dtype,
                                        const struct red_op *op, size_t group_size);

#endif
