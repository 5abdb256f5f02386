//@ name:      clblast
//@ library:   CLBlast
//@ functions: sum asum
//@ apt:       libclblast-dev
//@ link:      -lclblast
// asum adds absolute values: the same sum, since none of the data is negative.
#include "peer.hpp"

#include <clblast.h>

std::string peer::version() {
    return "CLBlast";
}

peer::call peer::make(const device &on, const std::string &function, cl_mem x, size_t n, cl_mem) {
    cl_int code;
    cl_command_queue queue = on.queue;
    cl_mem result = clCreateBuffer(on.context, CL_MEM_READ_WRITE, sizeof(float), nullptr, &code);
    check(code, "clCreateBuffer");
    const auto routine = function == "asum" ? clblast::Asum<float> : clblast::Sum<float>;
    return [=] {
        cl_command_queue q = queue;
        float sum = 0;
        check(cl_int(routine(n, result, 0, x, 0, 1, &q, nullptr)), "CLBlast");
        check(clEnqueueReadBuffer(q, result, CL_TRUE, 0, sizeof sum, &sum, 0, nullptr, nullptr),
              "reading the sum");
        return sum;
    };
}
