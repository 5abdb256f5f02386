//@ name:      boost
//@ library:   Boost.Compute
//@ functions: reduce accumulate
//@ scans:     inclusive_scan
//@ apt:       libboost-dev
#include "peer.hpp"

#include <boost/compute/algorithm/accumulate.hpp>
#include <boost/compute/algorithm/inclusive_scan.hpp>
#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>
#include <boost/version.hpp>

namespace compute = boost::compute;

std::string peer::version() {
    return "Boost " BOOST_LIB_VERSION;
}

peer::call peer::make(const device &on, const std::string &function, cl_mem x, size_t n, cl_mem out) {
    const compute::command_queue queue(on.queue);
    const auto first = compute::make_buffer_iterator<float>(compute::buffer(x), 0),
               last = first + std::ptrdiff_t(n);
    if (function == "inclusive_scan") {
        const auto result = compute::make_buffer_iterator<float>(compute::buffer(out), 0);
        return [=] {
            compute::command_queue q = queue;
            compute::inclusive_scan(first, last, result, compute::plus<float>(), q);
            q.finish();
            return 0.0;
        };
    }
    if (function == "accumulate")
        return [=] {
            compute::command_queue q = queue;
            return compute::accumulate(first, last, 0.0f, compute::plus<float>(), q);
        };
    return [=] {
        compute::command_queue q = queue;
        float sum = 0;
        compute::reduce(first, last, &sum, compute::plus<float>(), q);
        return sum;
    };
}
