//@ name:      vexcl
//@ library:   VexCL
//@ functions: sum
//@ scans:     inclusive_scan
//@ source:    vexcl/vexcl.hpp
//@ apt:       libboost-dev
#define VEXCL_BACKEND_OPENCL
#include "peer.hpp"

#include <vexcl/vexcl.hpp>

std::string peer::version() {
    return "VexCL";
}

peer::call peer::make(const device &on, const std::string &function, cl_mem x, size_t n, cl_mem out) {
    static const vex::Context context({vex::backend::context(on.context, true)},
                                      {vex::backend::command_queue(on.queue, true)});
    static const vex::Reductor<float, vex::SUM> sum(context);
    const auto vector = std::make_shared<vex::vector<float>>(
        context.queue(0), vex::backend::device_vector<float>(cl::Buffer(x, true)), n);
    if (function == "inclusive_scan") {
        const auto results = std::make_shared<vex::vector<float>>(
            context.queue(0), vex::backend::device_vector<float>(cl::Buffer(out, true)), n);
        return [=] {
            vex::inclusive_scan(*vector, *results);
            context.finish();
            return 0.0;
        };
    }
    return [=] { return sum(*vector); };
}
