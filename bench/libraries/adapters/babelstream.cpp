//@ name:      babelstream
//@ library:   BabelStream
//@ functions: dot
//@ source:    src/ocl/OCLStream.cpp
//@ include:   src src/ocl
// It has no sum. Its dot product of an array with itself reads each value once, as a sum does, and is the sum
// of x when the array holds the square roots of x.
#define CL_TARGET_OPENCL_VERSION 120
#include "peer.hpp"

#include <OCLStream.cpp>
#include <cmath>

namespace {

class stream : public OCLStream<float> {
  public:
    stream(const peer::device &on, cl_mem x, size_t n)
        : OCLStream<float>(BenchId::Dot, 1024, index_of(on), 0, 0, 0) {
        const peer::device own{on.platform, on.id, context(), queue()};
        data.reset(new peer::resident(own, n, [&](float *roots) {
            peer::check(
                clEnqueueReadBuffer(on.queue, x, CL_TRUE, 0, n * sizeof *roots, roots, 0, nullptr, nullptr),
                "reading the data");
            for (size_t i = 0; i < n; i++)
                roots[i] = std::sqrt(roots[i]);
        }));
        d_a = d_b = cl::Buffer(data->x, true);
        array_size = intptr_t(n);
    }

  private:
    // Its place in BabelStream's own list.
    static int index_of(const peer::device &on) {
        getDeviceList();
        for (size_t i = 0; i < devices.size(); i++)
            if (devices[i]() == on.id)
                return int(i);
        throw std::runtime_error("BabelStream does not list this device");
    }

    using OCLStream<float>::context;
    using OCLStream<float>::queue;
    std::unique_ptr<peer::resident> data;
};

} // namespace

std::string peer::version() {
    return "BabelStream";
}

peer::call peer::make(const device &on, const std::string &, cl_mem x, size_t n, cl_mem) {
    const auto dot = std::make_shared<stream>(on, x, n);
    return [=] { return dot->dot(); };
}
