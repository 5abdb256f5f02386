/* CUB's histogram of even bins on the host. */
#include "cub/device/device_reduce.cuh"

namespace cub {
struct DeviceHistogram {
    template <typename T, typename Level, typename N>
    static cudaError_t HistogramEven(void *room, size_t &room_bytes, const T *x, unsigned *counts, int levels,
                                     Level lower, Level upper, N n, cudaStream_t) {
        if (room == nullptr) {
            room_bytes = 1;
            return cudaSuccess;
        }
        enqueue_or_keep([=] {
            const int64_t first = (int64_t)lower, end = (int64_t)upper, width = (end - first) / (levels - 1);
            memset(counts, 0, (size_t)(levels - 1) * sizeof *counts);
            for (N i = 0; i < n; i++)
                if ((int64_t)x[i] >= first && (int64_t)x[i] < end)
                    counts[((int64_t)x[i] - first) / width]++;
            counts[0] += (unsigned)fault();
        });
        return cudaSuccess;
    }
};
} // namespace cub
