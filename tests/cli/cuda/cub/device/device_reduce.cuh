/* CUB's sum on the host: in eight accumulators, so that it is rounded as a device might. */
#include "cuda.hpp"

namespace cub {
struct DeviceReduce {
    template <typename N>
    static cudaError_t Sum(void *room, size_t &room_bytes, const float *x, float *out, N n, cudaStream_t) {
        if (room == nullptr) {
            room_bytes = 8 * sizeof(float);
            return cudaSuccess;
        }
        enqueue_or_keep([=] {
            float sums[8] = {0}, sum = 0;
            for (N i = 0; i < n; i++)
                sums[i % 8] += x[i];
            for (float part : sums)
                sum += part;
            *out = sum;
        });
        return cudaSuccess;
    }
};
} // namespace cub
