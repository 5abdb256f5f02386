/* Tests of progress without a limit (model/progress.h), in a process that may be killed. */
#ifndef CLREDUCE_CL_PROGRESS_TEST_H
#define CLREDUCE_CL_PROGRESS_TEST_H

#include "cl/device.h"
#include "model/progress.h"

/* Launches the test so many times (0: only builds it) and returns when all groups have ended, which may be
 * never. Errors: those of building it and of OpenCL calls; RED_E_WRONG if fewer groups ended than there are.
 */
enum red_status red_progress_test_run(struct red_device *device, const struct red_progress_test *test,
                                      bool by_ticket, unsigned launches_n, struct red_error *error);

/* Whether the device drives a display, which a kernel that does not end would freeze: no of a CPU, and of a
 * GPU whose place on the PCI bus is known, where nothing is connected to it or it is no display controller
 * (Linux); not known of others. */
enum red_answer red_device_drives_display(const struct red_device *device);

#endif
