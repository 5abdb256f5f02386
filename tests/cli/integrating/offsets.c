/* A scan in place, between commands of the same queue. offsets PLATFORM */
#include "device.h"
#include "scan_exclusive_sum_u32.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 100000 };

int main(int count, char **arguments) {
    struct device device;
    cl_int code = CL_SUCCESS;
    char *message = NULL;
    uint32_t *counts = calloc(ROWS, sizeof *counts), *offsets = calloc(ROWS, sizeof *offsets), begin = 0;
    int wrong = 0;
    if (count != 2 || counts == NULL || offsets == NULL || !device_open(arguments[1], &device))
        return 77;
    cl_command_queue queue = clCreateCommandQueueWithProperties(device.context, device.id, NULL, &code);
    for (uint32_t i = 0; i < ROWS; i++)
        counts[i] = i % 7;
    const size_t bytes = ROWS * sizeof *counts;
    /* begin of the example */
    struct scan_exclusive_sum_u32 *scan =
        scan_exclusive_sum_u32_create(device.context, device.id, ROWS, NULL, &message);
    cl_mem rows = clCreateBuffer(device.context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code == CL_SUCCESS)
        code = clEnqueueWriteBuffer(queue, rows, CL_FALSE, 0, bytes, counts, 0, NULL, NULL);
    if (code == CL_SUCCESS && scan != NULL) /* how many entries a row has becomes where it begins */
        code = scan_exclusive_sum_u32_enqueue(scan, queue, rows, rows, ROWS, 0, NULL, NULL);
    /* ... kernels in the same queue find it in `rows` ... */
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(queue, rows, CL_TRUE, 0, bytes, offsets, 0, NULL, NULL);
    /* end of the example */
    for (uint32_t i = 0; i < ROWS; begin += counts[i++])
        wrong += offsets[i] != begin;
    printf("%s: %d wrong\n",
           scan == NULL         ? message
           : code == CL_SUCCESS ? "done"
                                : scan_exclusive_sum_u32_message(scan),
           wrong);
    scan_exclusive_sum_u32_destroy(scan);
    clReleaseMemObject(rows);
    clReleaseCommandQueue(queue);
    clReleaseContext(device.context);
    free(message);
    free(counts);
    free(offsets);
    return code != CL_SUCCESS || wrong > 0;
}
