/* The array lies on the host: a buffer over it, no copy on a CPU. host_array PLATFORM */
#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include "device.h"
#include "reduce_sum_f32.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 20, CALLS = 3 };

int main(int count, char **arguments) {
    struct device device;
    cl_int code = CL_SUCCESS;
    char *message = NULL;
    void *memory = NULL;
    float sum = 0;
    if (count != 2 || !device_open(arguments[1], &device) ||
        posix_memalign(&memory, 4096, N * sizeof(float)) != 0)
        return 77;
    float *array = memory;
    cl_command_queue queue = clCreateCommandQueueWithProperties(device.context, device.id, NULL, &code);
    struct reduce_sum_f32 *reduction = reduce_sum_f32_create(device.context, device.id, NULL, &message);
    if (code != CL_SUCCESS || reduction == NULL) {
        fprintf(stderr, "%s\n", message != NULL ? message : "no queue");
        return 1;
    }
    /* begin of the example */
    cl_mem x = clCreateBuffer(device.context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, N * sizeof(float),
                              array, &code);
    for (int call = 0; call < CALLS && code == CL_SUCCESS; call++) {
        /* The host writes to its array only while it is mapped. */
        float *mapped = clEnqueueMapBuffer(queue, x, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0,
                                           N * sizeof(float), 0, NULL, NULL, &code);
        if (code != CL_SUCCESS)
            break;
        for (int i = 0; i < N; i++)
            mapped[i] = (float)call;
        clEnqueueUnmapMemObject(queue, x, mapped, 0, NULL, NULL);
        code = reduce_sum_f32_run(reduction, queue, x, N, &sum);
    }
    /* end of the example */
    printf("%s: %g, expected %g\n", code == CL_SUCCESS ? "done" : reduce_sum_f32_message(reduction),
           (double)sum, (double)N * (CALLS - 1));
    reduce_sum_f32_destroy(reduction);
    clReleaseMemObject(x);
    clReleaseCommandQueue(queue);
    clReleaseContext(device.context);
    free(memory);
    return code != CL_SUCCESS || sum != (float)N * (CALLS - 1);
}
