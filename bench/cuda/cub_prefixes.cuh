/* What scans and histograms must leave, found from the hash alone, piece by piece on the device or by the
 * host, and the judge of every element. Nothing here is launched, so that a compiler without CUDA takes it
 * (tests/unit). */
#ifndef CLREDUCE_BENCH_CUB_PREFIXES_CUH
#define CLREDUCE_BENCH_CUB_PREFIXES_CUH

#include "cub_data.cuh"

/* Elements of a piece: one thread's. */
enum { PIECE = 4096 };

/* Uniform, as clreduce times it; steps of -1, 0 and 1, whose sums are exact in every type: an element that is
 * lost, doubled or moved shifts all that follow. */
enum Data { UNIFORM, WALK };

static __host__ __device__ int walk_step(uint64_t h) {
    return (int)(h % 3) - 1;
}

/* What element i adds to the exact sum, modulo 2^64: units of 2^-24 of f32, the value of i32. */
static __host__ __device__ uint64_t element_term(float, uint64_t h, Data data) {
    return data == WALK ? (uint64_t)walk_step(h) << 24 : element_units(h);
}
static __host__ __device__ uint64_t element_term(int32_t, uint64_t h, Data data) {
    return data == WALK ? (uint64_t)walk_step(h) : h | 1;
}

template <typename T> static __global__ void fill_walk(T *x, uint64_t n, uint64_t seed) {
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n;
         i += (uint64_t)gridDim.x * blockDim.x)
        x[i] = (T)walk_step(element_hash(i, seed));
}

/* Whether one element of a scan is right, its error and its bound. */
struct Judged {
    double got, expected, error, bound;
};

static __host__ __device__ Judged judge_element(int32_t got, uint64_t sum, uint64_t, Data) {
    const int32_t expected = (int32_t)(uint32_t)sum;
    return {(double)got, (double)expected, fabs((double)got - (double)expected), 0};
}

/* Of positive terms, gamma_h times the sum (Higham 2002, chapter 4) and one rounding. No chain of CUB's
 * additions that reaches element i is longer than h: a tile has at least 512 elements, each tile adds what is
 * before it, and within a tile fewer than 256 additions meet. */
static __host__ __device__ Judged judge_element(float got, uint64_t units, uint64_t i, Data data) {
    const double u = 0x1p-24, h = (double)i / 512 + 256, exact = (double)(int64_t)units * 0x1p-24;
    const double bound = data == WALK ? 0 : (h * u / (1 - h * u) + u) * exact;
    return {got, exact, fabs(got - exact), bound};
}

/* What is wrong of the results that were looked at. */
struct Faults {
    unsigned long long wrong_n, first; /* ~0: none */
};

/* The sum of a piece's terms, modulo 2^64. */
template <typename T>
static __host__ __device__ uint64_t piece_sum(uint64_t piece, uint64_t n, uint64_t seed, Data data) {
    uint64_t sum = 0;
    for (uint64_t i = piece * PIECE; i < n && i < (piece + 1) * PIECE; i++)
        sum += element_term(T(), element_hash(i, seed), data);
    return sum;
}

/* Goes through a piece of an inclusive scan; `before` is the sum of all elements before it. */
template <typename T>
static __host__ __device__ Faults piece_judge(const T *out, uint64_t piece, uint64_t n, uint64_t seed,
                                              Data data, uint64_t before) {
    Faults faults = {0, ~0ull};
    for (uint64_t i = piece * PIECE; i < n && i < (piece + 1) * PIECE; i++) {
        before += element_term(T(), element_hash(i, seed), data);
        const Judged judged = judge_element(out[i], before, i, data);
        if (judged.error <= judged.bound) /* not so of NaN */
            continue;
        if (faults.wrong_n++ == 0)
            faults.first = i;
    }
    return faults;
}

template <typename T>
static __global__ void sum_pieces(uint64_t *sums, uint64_t n, uint64_t seed, Data data) {
    const uint64_t piece = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
    if (piece * PIECE < n)
        sums[piece] = piece_sum<T>(piece, n, seed, data);
}

/* before[p]: the sum of all elements before piece p. */
template <typename T>
static __global__ void judge_pieces(const T *out, uint64_t n, uint64_t seed, Data data,
                                    const uint64_t *before, Faults *faults) {
    const uint64_t piece = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
    if (piece * PIECE >= n)
        return;
    const Faults found = piece_judge(out, piece, n, seed, data, before[piece]);
    if (found.wrong_n > 0) {
        atomicAdd(&faults->wrong_n, found.wrong_n);
        atomicMin(&faults->first, found.first);
    }
}

/* In place: of each piece's sum the sum of those before it. */
static void sums_to_prefixes(std::vector<uint64_t> &sums) {
    uint64_t before = 0;
    for (uint64_t &sum : sums) {
        const uint64_t own = sum;
        sum = before;
        before += own;
    }
}

/* The judgement on element i of a scan, its value being `got`. */
template <typename T>
static Verdict judge_at(T got, uint64_t i, uint64_t seed, Data data, const std::vector<uint64_t> &before) {
    uint64_t sum = before[i / PIECE];
    for (uint64_t k = i / PIECE * PIECE; k <= i; k++)
        sum += element_term(T(), element_hash(k, seed), data);
    const Judged judged = judge_element(got, sum, i, data);
    return {judged.error <= judged.bound, judged.got, judged.expected, judged.error, judged.bound};
}

/* ---- copies -------------------------------------------------------------------------------------------- */

/* Copies 16 bytes at a time, LOADS of them in flight. */
template <int LOADS> static __global__ void copy_only(const uint4 *x, uint64_t vectors_n, uint4 *out) {
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
    for (; i + (LOADS - 1) * step < vectors_n; i += LOADS * step) {
        uint4 v[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            v[k] = x[i + k * step];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            out[i + k * step] = v[k];
    }
    for (; i < vectors_n; i += step)
        out[i] = x[i];
}

/* ---- histograms ---------------------------------------------------------------------------------------- */

enum { BINS = 256 };

/* The data of clreduce (src/model/input_histogram.c), under its names. */
enum Spread { UNIFORM_BINS, ONE_BIN, HALF_IN_ONE, SORTED, SPREADS_N };
static const char *const spread_names[] = {"uniform", "one bin", "half in one", "sorted"};

/* And its bins (src/model/bins.h): bytes by value; of u32 the middle half of all values, so that 1 of 16
 * elements of uniform data is below or above. `outside` says whether there are any. */
template <typename T> struct Bins;
template <> struct Bins<uint8_t> {
    typedef int Level;
    static const Level lower = 0, upper = BINS;
    static const bool outside = false;
};
template <> struct Bins<uint32_t> {
    typedef unsigned Level;
    static const Level lower = 1u << 29, upper = (1u << 29) + (1u << 31);
    static const bool outside = true;
};

/* The bin that element i is drawn from; BINS: outside. */
static __host__ __device__ uint32_t drawn_bin(Spread spread, bool outside, uint64_t i, uint64_t n,
                                              uint64_t seed) {
    const uint64_t h = element_hash(i, seed);
    if (spread == SORTED)
        return (uint32_t)(i * BINS / n);
    if (spread == ONE_BIN || (spread == HALF_IN_ONE && (h >> 8 & 1)))
        return (uint32_t)(element_hash(0, seed) >> 56);
    return outside && h % 16 == 0 ? BINS : (uint32_t)(h >> 56);
}

/* A value of the bin by 32 random bits. Behind the last bin lies all that is outside, modulo 2^32. */
static __host__ __device__ void sample_put(uint8_t *x, uint32_t bin, uint32_t) {
    *x = (uint8_t)bin;
}
static __host__ __device__ void sample_put(uint32_t *x, uint32_t bin, uint32_t random) {
    const uint64_t range = UINT64_C(1) << 31, width = range / BINS;
    *x = (uint32_t)(Bins<uint32_t>::lower + bin * width + ((bin < BINS ? width : range) * random >> 32));
}

template <typename T>
static __host__ __device__ T sample_of(Spread spread, uint64_t i, uint64_t n, uint64_t seed) {
    T x;
    sample_put(&x, drawn_bin(spread, Bins<T>::outside, i, n, seed),
               (uint32_t)mix_bits(element_hash(i, seed)));
    return x;
}

template <typename T> static __global__ void fill_samples(T *x, uint64_t n, uint64_t seed, Spread spread) {
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n;
         i += (uint64_t)gridDim.x * blockDim.x)
        x[i] = sample_of<T>(spread, i, n, seed);
}

/* The number of the bin instead of a value; BINS: outside. */
template <typename T> static __global__ void fill_bins(T *x, uint64_t n, uint64_t seed, Spread spread) {
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n;
         i += (uint64_t)gridDim.x * blockDim.x)
        x[i] = (T)drawn_bin(spread, Bins<T>::outside, i, n, seed);
}

/* Counts into BINS even bins from the lower to the upper level, whose distance is a multiple of BINS;
 * what is not between them is in none. */
template <typename T>
static void count_between(uint64_t begin, uint64_t end, uint64_t n, uint64_t seed, Spread spread,
                          std::vector<uint64_t> &counts) {
    const int64_t lower = Bins<T>::lower, upper = Bins<T>::upper, width = (upper - lower) / BINS;
    for (uint64_t i = begin; i < end; i++) {
        const int64_t x = (int64_t)sample_of<T>(spread, i, n, seed);
        if (x >= lower && x < upper)
            counts[(size_t)((x - lower) / width)]++;
    }
}

/* What must come out, counted by all cores of the host. */
template <typename T> static std::vector<uint64_t> counts_find(uint64_t n, uint64_t seed, Spread spread) {
    const uint64_t cores = std::max(1u, std::thread::hardware_concurrency()), piece = n / cores + 1;
    std::vector<std::vector<uint64_t>> parts(cores, std::vector<uint64_t>(BINS));
    std::vector<std::thread> workers;
    for (uint64_t c = 0; c < cores; c++)
        workers.emplace_back([&parts, c, piece, n, seed, spread] {
            std::vector<uint64_t> own(BINS);
            count_between<T>(std::min(n, c * piece), std::min(n, (c + 1) * piece), n, seed, spread, own);
            parts[c] = own;
        });
    for (std::thread &worker : workers)
        worker.join();
    for (uint64_t c = 1; c < cores; c++)
        for (int bin = 0; bin < BINS; bin++)
            parts[0][bin] += parts[c][bin];
    return parts[0];
}

/* The first wrong bin, or the last one. */
static Verdict judge_counts(const uint32_t *got, const std::vector<uint64_t> &expected) {
    int bin = 0;
    while (bin < BINS - 1 && got[bin] == expected[bin])
        bin++;
    const double error = fabs((double)got[bin] - (double)expected[bin]);
    return {error == 0, (double)got[bin], (double)expected[bin], error, 0};
}

#endif
