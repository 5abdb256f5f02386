/* A queue out of order, events, and several sizes with one object. later PLATFORM */
#include "device.h"
#include "reduce_sum_f32.h"

#include <stdio.h>
#include <stdlib.h>

enum { N_MAX = 1 << 20 };

int main(int count, char **arguments) {
    const cl_queue_properties out_of_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                                0};
    struct device device;
    cl_int code = CL_SUCCESS;
    char *message = NULL;
    int wrong = 0;
    if (count != 2 || !device_open(arguments[1], &device))
        return 77;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(device.context, device.id, out_of_order, &code);
    if (code == CL_INVALID_QUEUE_PROPERTIES) {
        fprintf(stderr, "skipped: the device has no queue out of order\n");
        return 77;
    }
    struct reduce_sum_f32 *reduction = reduce_sum_f32_create(device.context, device.id, NULL, &message);
    float *array = malloc(N_MAX * sizeof *array);
    cl_mem x = clCreateBuffer(device.context, CL_MEM_READ_ONLY, N_MAX * sizeof *array, NULL, &code);
    if (reduction == NULL || array == NULL || code != CL_SUCCESS) {
        fprintf(stderr, "%s\n", message != NULL ? message : "no memory");
        return 1;
    }
    for (int i = 0; i < N_MAX; i++)
        array[i] = 1;
    /* begin of the example */
    for (uint64_t n = 1; n <= N_MAX && code == CL_SUCCESS; n *= 2) { /* one object, any n in any order */
        cl_event written = NULL, done = NULL;
        float sum = 0;
        code = clEnqueueWriteBuffer(queue, x, CL_FALSE, 0, n * sizeof *array, array, 0, NULL, &written);
        if (code == CL_SUCCESS)
            code = reduce_sum_f32_enqueue(reduction, queue, x, n, 1, &written, &done);
        /* ... the host does other things; `done` may stand in wait lists of what overwrites x ... */
        if (code == CL_SUCCESS)
            code =
                reduce_sum_f32_fetch(reduction, &sum); /* waits, and brings the work-groups' sums together */
        if (code == CL_SUCCESS)
            clReleaseEvent(done);
        clReleaseEvent(written);
        wrong += sum != (float)n;
    }
    /* end of the example */
    printf("%s: %d wrong\n", code == CL_SUCCESS ? "done" : reduce_sum_f32_message(reduction), wrong);
    reduce_sum_f32_destroy(reduction);
    clReleaseMemObject(x);
    clReleaseCommandQueue(queue);
    clReleaseContext(device.context);
    free(array);
    return code != CL_SUCCESS || wrong > 0;
}
