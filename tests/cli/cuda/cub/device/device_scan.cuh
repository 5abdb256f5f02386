/* CUB's inclusive scan on the host. */
#include "cub/device/device_reduce.cuh"

namespace cub {
struct DeviceScan {
    template <typename T, typename N>
    static cudaError_t InclusiveSum(void *room, size_t &room_bytes, const T *x, T *out, N n,
                                    cudaStream_t = nullptr) {
        if (room == nullptr) {
            room_bytes = 1;
            return cudaSuccess;
        }
        enqueue_or_keep([=] {
            accumulator<T> sum = 0;
            for (N i = 0; i < n; i++)
                out[i] = (T)(sum += (accumulator<T>)x[i]);
            out[n - 1] = (T)(sum + (accumulator<T>)fault());
        });
        return cudaSuccess;
    }
};
} // namespace cub
