/* What scans and histograms must leave, found piece by piece on the device from the hash alone, and the judge
 * of every element. Nothing here is launched, so that a compiler without CUDA takes it (tests/unit). */
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

/* Of the results that were looked at. */
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

static const char *const spread_names[] = {"uniform", "one", "half", "sorted"};
enum { SPREADS_N = 4 };

/* The sample of index i, which is its bin: uniform; all in one bin; half of them in one; sorted. */
static __host__ __device__ uint32_t sample_of(int spread, uint64_t i, uint64_t n, uint64_t seed) {
    const uint64_t h = element_hash(i, seed);
    const uint32_t one = 77;
    if (spread == 3)
        return (uint32_t)(i * BINS / n);
    return spread == 1 || (spread == 2 && (h & 1)) ? one : (uint32_t)(h >> 56);
}

template <typename T> static __global__ void fill_samples(T *x, uint64_t n, uint64_t seed, int spread) {
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n;
         i += (uint64_t)gridDim.x * blockDim.x)
        x[i] = (T)sample_of(spread, i, n, seed);
}

/* Counts the samples of a piece from the hash; neighbours of one bin together. */
static __global__ void count_pieces(unsigned long long *counts, uint64_t n, uint64_t seed, int spread) {
    const uint64_t piece = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
    unsigned long long run = 0;
    uint32_t of = 0;
    for (uint64_t i = piece * PIECE; i < n && i < (piece + 1) * PIECE; i++) {
        const uint32_t bin = sample_of(spread, i, n, seed);
        if (bin != of && run > 0)
            atomicAdd(&counts[of], run);
        run = bin == of ? run + 1 : 1;
        of = bin;
    }
    if (run > 0)
        atomicAdd(&counts[of], run);
}

/* The first wrong bin, or the last one. */
static Verdict judge_counts(const uint32_t *got, const unsigned long long *expected) {
    int bin = 0;
    while (bin < BINS - 1 && got[bin] == expected[bin])
        bin++;
    const double error = fabs((double)got[bin] - (double)expected[bin]);
    return {error == 0, (double)got[bin], (double)expected[bin], error, 0};
}

#endif
