// Two emitted files in one program of C++, whose errors become exceptions. both PLATFORM
#ifdef TURNED // any order of the headers is right
#include "max_few.h"
#include "sum_many.h"
#else
#include "max_few.h"
#include "sum_many.h"
#endif
#include "device.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

// begin of the example
struct sum_deleter {
    void operator()(sum_many *sum) const {
        sum_many_destroy(sum);
    }
};

std::unique_ptr<sum_many, sum_deleter> make_sum(cl_context context, cl_device_id device) {
    char *message = nullptr;
    cl_int code = CL_SUCCESS;
    std::unique_ptr<sum_many, sum_deleter> sum(sum_many_create(context, device, &code, &message));
    const std::string text = message != nullptr ? message : "no memory"; // with the compiler's whole log
    std::free(message);
    if (!sum) // CL_INVALID_DEVICE: the device lacks what the kernel needs, and another strategy may do
        throw std::runtime_error(text);
    return sum;
}

float sum_of(sum_many *sum, cl_command_queue queue, cl_mem x, std::uint64_t n) {
    float result = 0;
    if (sum_many_run(sum, queue, x, n, &result) != CL_SUCCESS)
        throw std::runtime_error(sum_many_message(sum)); // "clFlush: CL_OUT_OF_RESOURCES (-5)"
    return result;
}
// end of the example

static int run(const device &on) {
    cl_int code = CL_SUCCESS;
    const std::vector<float> array(100000, 2.0f);
    auto sum = make_sum(on.context, on.id);
    max_few *max = max_few_create(on.context, on.id, nullptr, nullptr);
    cl_command_queue queue = clCreateCommandQueueWithProperties(on.context, on.id, nullptr, &code);
    cl_mem x = clCreateBuffer(on.context, CL_MEM_READ_ONLY, array.size() * sizeof(float), nullptr, &code);
    float greatest = 0;
    code = clEnqueueWriteBuffer(queue, x, CL_TRUE, 0, array.size() * sizeof(float), array.data(), 0, nullptr,
                                nullptr);
    const float total = sum_of(sum.get(), queue, x, array.size());
    const cl_int refused = max_few_run(max, queue, x, 0, &greatest);
    std::printf("of nothing: %s\n", max_few_message(max));
    code = max_few_run(max, queue, x, array.size(), &greatest);
    bool told = false;
    try {
        sum_of(sum.get(), queue, nullptr, 1);
    } catch (const std::runtime_error &error) {
        std::printf("no array: %s\n", error.what());
        told = true;
    }
    std::printf("sum %g, max %g\n", static_cast<double>(total), static_cast<double>(greatest));
    max_few_destroy(max);
    clReleaseMemObject(x);
    clReleaseCommandQueue(queue);
    return code != CL_SUCCESS || refused != CL_INVALID_VALUE || !told || total != 200000.0f ||
           greatest != 2.0f;
}

int main(int count, char **arguments) {
    device on = {};
    if (count != 2 || !device_open(arguments[1], &on))
        return 77;
    const int failed = run(on);
    clReleaseContext(on.context);
    return failed;
}
