// The judge of CUB's scans and histograms (bench/cuda/cub_prefixes.cuh), with kernels as plain functions of one
// thread: right results pass, and each planted fault is found where it is. The data is clreduce's own.
//     cub_prefixes PEER_DATA
#include <stdint.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

// What CUDA has, for a grid of as many blocks of one thread as there are pieces.
#define __host__
#define __device__
#define __global__
struct uint4 {
    uint32_t x, y, z, w;
};
static struct { unsigned x; } blockIdx, blockDim = {1}, threadIdx, gridDim = {1};
static void atomicAdd(unsigned long long *to, unsigned long long value) {
    *to += value;
}
static void atomicMin(unsigned long long *to, unsigned long long value) {
    *to = std::min(*to, value);
}

#include "cub_prefixes.cuh"
#include "tests/unit/folder.h"

static int failures;

#define EXPECT(condition, ...)                                                                               \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            failures++;                                                                                      \
            printf("%s:%d: %s: ", __FILE__, __LINE__, #condition);                                           \
            printf(__VA_ARGS__);                                                                             \
            printf("\n");                                                                                    \
        }                                                                                                    \
    } while (0)

static void launch(uint64_t n, const std::function<void()> &kernel) {
    for (blockIdx.x = 0; blockIdx.x < (n + PIECE - 1) / PIECE + 1; blockIdx.x++)
        kernel();
    blockIdx.x = 0;
}

template <typename T> static std::vector<uint64_t> prefixes_of(uint64_t n, uint64_t seed, Data data) {
    std::vector<uint64_t> sums((n + PIECE - 1) / PIECE);
    launch(n, [&] { sum_pieces<T>(sums.data(), n, seed, data); });
    sums_to_prefixes(sums);
    return sums;
}

template <typename T> static std::vector<T> elements_of(uint64_t n, uint64_t seed, Data data) {
    std::vector<T> x(n);
    data == WALK ? fill_walk(x.data(), n, seed) : fill(x.data(), 0, n, seed);
    return x;
}

static float sum_of(float a, float b) {
    return a + b;
}
static int32_t sum_of(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

template <typename T> static std::vector<T> scan_of(const std::vector<T> &x) {
    std::vector<T> out(x.size());
    T sum = 0;
    for (size_t i = 0; i < x.size(); i++)
        out[i] = sum = sum_of(sum, x[i]);
    return out;
}

template <typename T> static Faults faults_of(const std::vector<T> &out, uint64_t seed, Data data) {
    const uint64_t n = out.size();
    const std::vector<uint64_t> before = prefixes_of<T>(n, seed, data);
    Faults faults = {0, ~0ull};
    launch(n, [&] { judge_pieces(out.data(), n, seed, data, before.data(), &faults); });
    const uint64_t i = faults.wrong_n > 0 ? faults.first : n - 1;
    EXPECT(judge_at(out[i], i, seed, data, before).right == (faults.wrong_n == 0), "element %llu",
           (unsigned long long)i);
    return faults;
}

template <typename T> static void check_right_scans(const char *type) {
    for (Data data : {UNIFORM, WALK})
        for (uint64_t n : {1, 2, 4095, 4096, 4097, 3 * 4096, 100001})
            for (uint64_t seed : {1, 2, 77}) {
                const Faults faults = faults_of(scan_of(elements_of<T>(n, seed, data)), seed, data);
                EXPECT(faults.wrong_n == 0, "%s, data %d, n = %llu, seed %llu: first %llu", type, data,
                       (unsigned long long)n, (unsigned long long)seed, faults.first);
            }
}

// From element `at` on something is missing, doubled or of before.
template <typename T> static void check_faults(const char *type, Data data, uint64_t at) {
    const uint64_t n = 50000, seed = at + 5;
    std::vector<T> x = elements_of<T>(n, seed, data);
    while (x[at] == 0) // a step of 0 may be lost
        at++;
    const std::vector<T> right = scan_of(x);
    const auto expect_first = [&](const std::vector<T> &out, const char *fault) {
        const Faults faults = faults_of(out, seed, data);
        EXPECT(faults.first == at, "%s, data %d, %s at %llu: found at %llu", type, data, fault,
               (unsigned long long)at, faults.first);
    };
    std::vector<T> changed = x;
    changed[at] = 0;
    expect_first(scan_of(changed), "lost element");
    changed[at] = sum_of(x[at], x[at]);
    expect_first(scan_of(changed), "doubled element");
    std::vector<T> out = right;
    memset(&out[at], 0xff, sizeof out[at]);
    expect_first(out, "nothing written");
    out = right;
    out[at] = at > 0 ? right[at - 1] : 0;
    expect_first(out, "exclusive element");
    out = scan_of(std::vector<T>(x.begin() + (long)at, x.end()));
    out.insert(out.begin(), right.begin(), right.begin() + (long)at);
    if (at > 0 && right[at - 1] != 0)
        expect_first(out, "carry lost");
}

// Writes n elements of clreduce to data.bin and reads them.
template <typename T>
static std::vector<T> data_of(const std::string &peer_data, uint64_t seed, uint64_t n,
                              const std::string &kind) {
    std::vector<T> x(n);
    const std::string command = "'" + peer_data + "' " + std::to_string(seed) + " " + std::to_string(n) +
                                " data.bin " + kind + " >data.txt 2>&1";
    EXPECT(system(command.c_str()) == 0, "%s", command.c_str());
    FILE *file = fopen("data.bin", "rb");
    EXPECT(file != nullptr && fread(x.data(), sizeof(T), n, file) == n, "data.bin");
    if (file != nullptr)
        fclose(file);
    return x;
}

// Bins by a comparison with each edge.
template <typename T> static std::vector<uint32_t> plain_counts(const std::vector<T> &x) {
    const uint64_t lower = sizeof(T) == 1 ? 0 : 1u << 29, width = sizeof(T) == 1 ? 1 : 1u << 23;
    std::vector<uint32_t> counts(BINS);
    for (T value : x)
        for (uint64_t bin = 0; bin < BINS; bin++)
            counts[bin] += value >= lower + bin * width && value < lower + (bin + 1) * width;
    return counts;
}

template <typename T>
static void check_samples_of(const std::string &peer_data, const char *type, Spread spread, uint64_t n,
                             uint64_t seed) {
    const char *name = spread_names[spread];
    std::vector<T> x(n);
    fill_samples(x.data(), n, seed, spread);
    EXPECT(x == data_of<T>(peer_data, seed, n, std::string("histogram ") + type + " '" + name + "'"),
           "the elements of %s, %s, n = %llu, seed %llu", type, name, (unsigned long long)n,
           (unsigned long long)seed);
    const std::vector<uint64_t> expected = counts_find<T>(n, seed, spread);
    std::vector<uint32_t> counts = plain_counts(x);
    EXPECT(judge_counts(counts.data(), expected).right, "%s, %s, n = %llu", type, name,
           (unsigned long long)n);
    std::vector<uint32_t> of_bins(BINS + 1);
    fill_bins(x.data(), n, seed, spread);
    for (T bin : x)
        of_bins[bin]++;
    EXPECT(judge_counts(of_bins.data(), expected).right, "bins of %s, %s, n = %llu", type, name,
           (unsigned long long)n);
    for (int bin : {0, 77, BINS - 1}) {
        counts[bin]++;
        EXPECT(!judge_counts(counts.data(), expected).right, "%s, %s, n = %llu, bin %d", type, name,
               (unsigned long long)n, bin);
        counts[bin]--;
    }
}

static void check_samples(const std::string &peer_data) {
    for (int spread = 0; spread < SPREADS_N; spread++)
        for (uint64_t n : {1, 255, 256, 4097, 30001}) {
            check_samples_of<uint32_t>(peer_data, "u32", (Spread)spread, n, 3 + n);
            check_samples_of<uint8_t>(peer_data, "u8", (Spread)spread, n, 4 + n);
        }
}

template <int LOADS> static void check_copy() {
    for (size_t n : {1, 7, 8, 9, 1000}) {
        std::vector<uint4> x(n), out(n);
        for (size_t i = 0; i < n; i++)
            x[i] = {(uint32_t)i, 1, 2, ~(uint32_t)i};
        copy_only<LOADS>(x.data(), n, out.data());
        EXPECT(memcmp(x.data(), out.data(), n * sizeof x[0]) == 0, "%d loads, n = %zu", LOADS, n);
    }
}

static void check_data(const std::string &peer_data) {
    EXPECT(data_of<float>(peer_data, 9, 5000, "reduce") == elements_of<float>(5000, 9, UNIFORM),
           "the elements of f32");
}

int main(int argc, char **argv) {
    if (argc != 2)
        return 4;
    char folder[FOLDER_BYTES];
    enter_folder(nullptr, folder);
    check_data(argv[1]);
    check_right_scans<float>("f32");
    check_right_scans<int32_t>("i32");
    for (uint64_t at : {0, 1, 4095, 4096, 12345, 40960, 49990}) {
        check_faults<float>("f32", WALK, at);
        check_faults<int32_t>("i32", WALK, at);
        check_faults<int32_t>("i32", UNIFORM, at);
    }
    check_samples(argv[1]);
    check_copy<1>();
    check_copy<4>();
    check_copy<8>();
    remove_folder(folder);
    printf("%d faults\n", failures);
    return failures > 0;
}
