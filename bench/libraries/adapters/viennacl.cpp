//@ name:      viennacl
//@ library:   ViennaCL
//@ functions: sum norm_1
//@ scans:     inclusive_scan
//@ apt:       libviennacl-dev
// norm_1 adds absolute values: the same sum, since none of the data is negative.
#define VIENNACL_WITH_OPENCL
#include "peer.hpp"

#include <viennacl/linalg/norm_1.hpp>
#include <viennacl/linalg/sum.hpp>
#include <viennacl/linalg/vector_operations.hpp>
#include <viennacl/ocl/backend.hpp>
#include <viennacl/vector.hpp>
#include <viennacl/version.hpp>

std::string peer::version() {
    return "ViennaCL " + std::to_string(VIENNACL_MAJOR_VERSION) + "." +
           std::to_string(VIENNACL_MINOR_VERSION) + "." + std::to_string(VIENNACL_PATCH_VERSION);
}

peer::call peer::make(const device &on, const std::string &function, cl_mem x, size_t n, cl_mem out) {
    static bool ready = false;
    if (!ready)
        viennacl::ocl::setup_context(0, on.context, on.id, on.queue);
    ready = true;
    const auto vector = std::make_shared<viennacl::vector<float>>(x, n);
    if (function == "inclusive_scan") {
        const auto results = std::make_shared<viennacl::vector<float>>(out, n);
        return [=] {
            viennacl::linalg::inclusive_scan(*vector, *results);
            viennacl::backend::finish();
            return 0.0;
        };
    }
    if (function == "norm_1")
        return [=] {
            float sum = viennacl::linalg::norm_1(*vector);
            return sum;
        };
    return [=] {
        float sum = viennacl::linalg::sum(*vector);
        return sum;
    };
}
