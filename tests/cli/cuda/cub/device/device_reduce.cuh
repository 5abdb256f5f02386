/* CUB's sum on the host: in eight accumulators, so that it is rounded as a device might. FAKE_CUB=wrong makes
 * it larger by one, as it does with a scan's last element and a histogram's first bin. */
#ifndef TESTS_CLI_CUDA_DEVICE_REDUCE_CUH
#define TESTS_CLI_CUDA_DEVICE_REDUCE_CUH

#include <type_traits>

#include "cuda.hpp"

namespace cub {
static inline int fault() {
    const char *fake = getenv("FAKE_CUB");
    return fake != nullptr && strcmp(fake, "wrong") == 0;
}

/* Integers wrap. */
template <typename T>
using accumulator = typename std::conditional<std::is_integral<T>::value, uint32_t, T>::type;

struct DeviceReduce {
    template <typename T, typename N>
    static cudaError_t Sum(void *room, size_t &room_bytes, const T *x, T *out, N n, cudaStream_t) {
        if (room == nullptr) {
            room_bytes = 8 * sizeof(T);
            return cudaSuccess;
        }
        enqueue_or_keep([=] {
            accumulator<T> sums[8] = {0}, sum = 0;
            for (N i = 0; i < n; i++)
                sums[i % 8] += (accumulator<T>)x[i];
            for (accumulator<T> part : sums)
                sum += part;
            *out = (T)(sum + (accumulator<T>)fault());
        });
        return cudaSuccess;
    }
};
} // namespace cub

#endif
