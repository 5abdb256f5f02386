/* The data of clreduce once more, made on a CUDA device, and the exact sums of it, made on the host. */
#ifndef CLREDUCE_BENCH_CUB_DATA_CUH
#define CLREDUCE_BENCH_CUB_DATA_CUH

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

/* The finaliser of SplitMix64. */
static __host__ __device__ uint64_t mix_bits(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The hash of src/model/input.c, of which the elements of all types are made. */
static __host__ __device__ uint64_t element_hash(uint64_t i, uint64_t seed) {
    return mix_bits(i * UINT64_C(0x9e3779b97f4a7c15) + seed * UINT64_C(0xd1342543de82ef95) + 1);
}

/* Uniform on [0, 1): a multiple of 2^-24, so that a sum of units is exact. Integers: random, odd. */
static __host__ __device__ uint32_t element_units(uint64_t h) {
    return (uint32_t)(h >> 40);
}
static __device__ void element_put(float *x, uint64_t h) {
    *x = (float)element_units(h) * 0x1p-24f;
}
static __device__ void element_put(int32_t *x, uint64_t h) {
    *x = (int32_t)(uint32_t)(h | 1);
}

/* Elements first to first + n - 1 of the array. */
template <typename T> static __global__ void fill(T *x, uint64_t first, uint64_t n, uint64_t seed) {
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n;
         i += (uint64_t)gridDim.x * blockDim.x)
        element_put(&x[i], element_hash(first + i, seed));
}

/* The sums over the first n elements: of the units of f32, and of the values of i32. */
struct Sums {
    uint64_t units = 0, integers = 0;
};

static inline Sums sums_between(uint64_t begin, uint64_t end, uint64_t seed) {
    Sums sums;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t h = element_hash(i, seed);
        sums.units += element_units(h);
        sums.integers += h | 1;
    }
    return sums;
}

/* Exact sums of every prefix that is asked for; all cores of the host work. Sizes ascend. */
static inline std::vector<Sums> sums_find(const std::vector<uint64_t> &sizes, uint64_t seed) {
    std::vector<Sums> sums;
    Sums total;
    uint64_t done = 0;
    for (uint64_t n : sizes) {
        const uint64_t cores = std::max(1u, std::thread::hardware_concurrency());
        const uint64_t piece = (n - done) / cores + 1;
        std::vector<Sums> parts(cores);
        std::vector<std::thread> workers;
        for (uint64_t c = 0; c < cores; c++)
            workers.emplace_back([&parts, c, done, piece, n, seed] {
                parts[c] =
                    sums_between(std::min(n, done + c * piece), std::min(n, done + (c + 1) * piece), seed);
            });
        for (std::thread &worker : workers)
            worker.join();
        for (const Sums &part : parts) {
            total.units += part.units;
            total.integers += part.integers;
        }
        sums.push_back(total);
        done = n;
    }
    return sums;
}

struct Verdict {
    bool right;
    double got, expected, error, bound;
};

static inline Verdict judge(int32_t got, const Sums &sums, uint64_t, int) {
    const int32_t expected = (int32_t)(uint32_t)sums.integers;
    const double error = fabs((double)got - (double)expected);
    return {got == expected, (double)got, (double)expected, error, 0};
}

/* gamma_h times the sum (Higham 2002, chapter 4), all terms being positive, and one rounding. No chain of
 * CUB's additions is longer than h: its grid covers every multiprocessor with at least 128 items, and what
 * they leave is folded by fewer than 256 more. */
static inline Verdict judge(float got, const Sums &sums, uint64_t n, int units_n) {
    const double u = 0x1p-24, h = (double)n / (128.0 * units_n) + 256;
    const long double exact = (long double)sums.units * 0x1p-24L;
    const double error = (double)fabsl((long double)got - exact);
    const double bound = (h * u / (1 - h * u) + u) * (double)exact;
    return {error <= bound, got, (double)exact, error, bound};
}

#endif
