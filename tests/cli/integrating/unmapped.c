/* A call that waits for the caller does not make the caller wait, though the memory of the call before is
 * still being unmapped, behind a command that waits, too. unmapped PLATFORM */
#include "device.h"
#include "reduce_sum_i64.h"

#include <stdio.h>

enum { N = 1000 };

int main(int count, char **arguments) {
    struct device device;
    cl_long array[N], sums[2] = {0, 0};
    cl_int code = CL_SUCCESS;
    if (count != 2 || !device_open(arguments[1], &device))
        return 77;
    for (int i = 0; i < N; i++)
        array[i] = 1;
    cl_command_queue queue = clCreateCommandQueueWithProperties(device.context, device.id, NULL, &code);
    cl_event may_go_on = clCreateUserEvent(device.context, &code);
    cl_mem x =
        clCreateBuffer(device.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof array, array, &code);
    struct reduce_sum_i64 *reduction = reduce_sum_i64_create(device.context, device.id, NULL, NULL);
    if (reduction == NULL || code != CL_SUCCESS)
        return 1;
    code = reduce_sum_i64_enqueue(reduction, queue, x, N, 0, NULL, NULL);
    array[0] = 2;
    if (code == CL_SUCCESS)
        code = clEnqueueWriteBuffer(queue, x, CL_FALSE, 0, sizeof array, array, 1, &may_go_on, NULL);
    if (code == CL_SUCCESS)
        code = reduce_sum_i64_fetch(reduction, &sums[0]);
    if (code == CL_SUCCESS)
        code = reduce_sum_i64_enqueue(reduction, queue, x, N, 1, &may_go_on, NULL);
    clSetUserEventStatus(may_go_on, CL_COMPLETE);
    if (code == CL_SUCCESS)
        code = reduce_sum_i64_fetch(reduction, &sums[1]);
    printf("code %d, sums %lld and %lld\n", (int)code, (long long)sums[0], (long long)sums[1]);
    reduce_sum_i64_destroy(reduction);
    clReleaseMemObject(x);
    clReleaseEvent(may_go_on);
    clReleaseCommandQueue(queue);
    clReleaseContext(device.context);
    return code != CL_SUCCESS || sums[0] != N || sums[1] != N + 1;
}
