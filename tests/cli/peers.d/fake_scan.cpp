//@ name:    cells
//@ library: A scan in C++ for tests
//@ scans:   right loses_one idles
// Scans on the host behind bench/libraries/adapters/peer.hpp, which must find the mistakes.
#include "peer.hpp"

std::string peer::version() {
    return "cells 1.0";
}

peer::call peer::make(const device &on, const std::string &function, cl_mem x, size_t n, cl_mem out) {
    const cl_command_queue queue = on.queue;
    const auto calls = std::make_shared<int>(0);
    return [=] {
        std::vector<float> values(n);
        double sum = 0;
        if (function == "idles" && (*calls)++ > 0) // the results of the first call are gone
            return 0.0;
        check(
            clEnqueueReadBuffer(queue, x, CL_TRUE, 0, n * sizeof(float), values.data(), 0, nullptr, nullptr),
            "reading");
        for (size_t i = 0; i < n; i++) {
            sum += i == 700 && function == "loses_one" ? 0 : values[i];
            values[i] = float(sum);
        }
        check(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, n * sizeof(float), values.data(), 0, nullptr,
                                   nullptr),
              "writing");
        return 0.0;
    };
}
