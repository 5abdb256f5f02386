//@ name:      boost
//@ library:   Boost.Compute
//@ functions: reduce accumulate
//@ apt:       libboost-dev
#include "peer.hpp"

#include <boost/compute/algorithm/accumulate.hpp>
#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>
#include <boost/version.hpp>

namespace compute = boost::compute;

std::string peer::version() {
    return "Boost " BOOST_LIB_VERSION;
}

peer::call peer::make(const device &on, const std::string &function, cl_mem x, size_t n) {
    const compute::command_queue queue(on.queue);
    const auto first = compute::make_buffer_iterator<float>(compute::buffer(x), 0),
               last = first + std::ptrdiff_t(n);
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
