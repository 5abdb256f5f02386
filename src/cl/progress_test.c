/* Launches a test of progress that may never end (kernels_cl12/lib/progress_test.cl), and finds out whether
 * that would freeze a display. worker/server.c calls both, for litmus/progress.c. */
#include "cl/progress_test.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/cl_private.h"
#include "model/catalogue.h"

/* As many as the tests of OOPSLA 2021 have: more than are in flight anywhere, and a multiple of 2 and 3. */
enum { GROUPS_N = 65532, ENDED = 1, WORDS_N = 2 + GROUPS_N };

/* Fills the state with zeros, launches, waits, and reads how many groups have ended. */
static enum red_status launch_once(struct red_device *device, cl_kernel kernel, cl_mem state,
                                   cl_uint zeros[WORDS_N], struct red_error *error) {
    cl_uint ended = 0;
    cl_int code = red_cl_write(device->queue, state, 0, zeros, WORDS_N * sizeof zeros[0]);
    if (code == CL_SUCCESS)
        code = red_cl_launch(device->queue, kernel, GROUPS_N, 1, NULL);
    if (code == CL_SUCCESS)
        code = red_cl_read(device->queue, state, ENDED * sizeof ended, &ended, sizeof ended);
    if (code == CL_SUCCESS && ended != GROUPS_N)
        return red_fail(error, RED_E_WRONG, "%u of %d groups have ended", ended, GROUPS_N);
    return red_cl_check(code, "progress_test", error);
}

enum red_status red_progress_test_run(struct red_device *device, const struct red_progress_test *test,
                                      bool by_ticket, unsigned launches_n, struct red_error *error) {
    const cl_uint ticket = by_ticket;
    cl_uint *zeros = calloc(WORDS_N, sizeof *zeros);
    cl_mem buffers[2] = {NULL, NULL};
    cl_kernel kernel = NULL;
    cl_int code = CL_SUCCESS;
    enum red_status status = zeros == NULL ? red_fail(error, RED_E_MEMORY, "no memory for a test") : RED_OK;
    if (status == RED_OK)
        status = red_kernel_make(device, "progress_test", red_embedded_find("progress_test.cl")->text,
                                 RED_CL12, "progress_test", &kernel, error);
    if (status != RED_OK)
        goto cleanup;
    buffers[0] = clCreateBuffer(device->context, CL_MEM_READ_WRITE, WORDS_N * sizeof *zeros, NULL, &code);
    if (code == CL_SUCCESS)
        buffers[1] = clCreateBuffer(device->context, CL_MEM_READ_ONLY, sizeof test->steps, NULL, &code);
    if (code == CL_SUCCESS)
        code = red_cl_write(device->queue, buffers[1], 0, test->steps, sizeof test->steps);
    const struct red_cl_argument arguments[] = {{sizeof buffers[0], &buffers[0]},
                                                {sizeof buffers[1], &buffers[1]},
                                                {sizeof test->roles_n, &test->roles_n},
                                                {sizeof ticket, &ticket}};
    if (code == CL_SUCCESS)
        code = red_cl_set_arguments(kernel, 0, arguments, 4);
    status = red_cl_check(code, "preparing progress_test", error);
    for (unsigned i = 0; i < launches_n && status == RED_OK; i++)
        status = launch_once(device, kernel, buffers[0], zeros, error);
cleanup:
    red_cl_release_buffers(buffers, 2);
    red_cl_release_kernel(kernel);
    free(zeros);
    return status;
}

/* ---- displays ------------------------------------------------------------------------------------------ */

/* Reads the first word of a file; empty if it cannot be read. */
static void read_word(const char *path, char word[32]) {
    FILE *file = fopen(path, "r");
    if (file == NULL || fscanf(file, "%31s", word) != 1)
        word[0] = '\0';
    if (file != NULL)
        fclose(file);
}

/* What the kernel says of a PCI device's connectors: yes if something is connected to one of them, no if
 * there are some, or the device is no VGA controller; unknown where its driver does not tell of connectors.
 */
static enum red_answer is_connected(const char *place) {
    char pattern[256], word[32];
    glob_t found;
    snprintf(pattern, sizeof pattern, "/sys/bus/pci/devices/%s/class", place);
    read_word(pattern, word);
    if (word[0] == '\0')
        return RED_UNKNOWN;
    enum red_answer answer = strncmp(word, "0x0300", 6) == 0 ? RED_UNKNOWN : RED_NO;
    snprintf(pattern, sizeof pattern, "/sys/bus/pci/devices/%s/drm/card*/card*-*/status", place);
    if (glob(pattern, 0, NULL, &found) != 0)
        return answer;
    answer = RED_NO;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        read_word(found.gl_pathv[i], word);
        answer = strcmp(word, "connected") == 0 ? RED_YES : answer;
    }
    globfree(&found);
    return answer;
}

enum red_answer red_device_drives_display(const struct red_device *device) {
    enum { PCI_BUS_INFO = 0x410F }; /* CL_DEVICE_PCI_BUS_INFO_KHR, which not all headers have */
    struct {
        cl_uint domain, bus, device, function;
    } pci;
    char place[64];
    cl_device_type type = CL_DEVICE_TYPE_GPU;
    if (clGetDeviceInfo(device->cl_device, CL_DEVICE_TYPE, sizeof type, &type, NULL) == CL_SUCCESS &&
        !(type & CL_DEVICE_TYPE_GPU))
        return RED_NO;
    if (clGetDeviceInfo(device->cl_device, PCI_BUS_INFO, sizeof pci, &pci, NULL) != CL_SUCCESS)
        return RED_UNKNOWN;
    snprintf(place, sizeof place, "%04x:%02x:%02x.%x", pci.domain, pci.bus, pci.device, pci.function);
    return is_connected(place);
}
