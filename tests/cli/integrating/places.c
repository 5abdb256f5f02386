/* A histogram whose counts a scan takes up in the same queue: where each byte's group begins in a sorted
 * array. places PLATFORM */
#include "device.h"
#include "histogram_count_u8.h"
#include "scan_exclusive_sum_u32.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 100000, COUNTS_N = histogram_count_u8_bins_n + 1 };

int main(int count, char **arguments) {
    struct device device;
    cl_int code = CL_SUCCESS;
    char *message = NULL;
    uint8_t *bytes = malloc(N);
    uint32_t places[COUNTS_N] = {0};
    int wrong = 0;
    if (count != 2 || bytes == NULL || !device_open(arguments[1], &device))
        return 77;
    cl_command_queue queue = clCreateCommandQueueWithProperties(device.context, device.id, NULL, &code);
    for (uint32_t i = 0; i < N; i++)
        bytes[i] = (uint8_t)(i % 250);
    cl_mem x = clCreateBuffer(device.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, N, bytes, &code);
    struct scan_exclusive_sum_u32 *scan =
        scan_exclusive_sum_u32_create(device.context, device.id, COUNTS_N, NULL, &message);
    /* begin of the example */
    struct histogram_count_u8 *histogram =
        histogram_count_u8_create(device.context, device.id, N, NULL, &message);
    cl_mem counts =
        clCreateBuffer(device.context, CL_MEM_READ_WRITE, COUNTS_N * sizeof(cl_uint), NULL, &code);
    if (code == CL_SUCCESS && histogram != NULL) /* how often there is each byte */
        code = histogram_count_u8_enqueue(histogram, queue, x, counts, N, 0, NULL, NULL);
    if (code == CL_SUCCESS && scan != NULL) /* becomes where it begins in a sorted array */
        code = scan_exclusive_sum_u32_enqueue(scan, queue, counts, counts, COUNTS_N, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(queue, counts, CL_TRUE, 0, sizeof places, places, 0, NULL, NULL);
    /* end of the example */
    for (uint32_t bin = 0; bin < COUNTS_N; bin++)
        wrong += places[bin] != (bin < 250 ? bin * (N / 250) : N);
    printf("%s: %d wrong\n", message != NULL ? message : code == CL_SUCCESS ? "done" : "failed", wrong);
    histogram_count_u8_destroy(histogram);
    scan_exclusive_sum_u32_destroy(scan);
    clReleaseMemObject(counts);
    clReleaseMemObject(x);
    clReleaseCommandQueue(queue);
    clReleaseContext(device.context);
    free(message);
    free(bytes);
    return code != CL_SUCCESS || wrong > 0;
}
