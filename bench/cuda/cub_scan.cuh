/* CUB's inclusive scan, every element of every figure's last result judged, and its roof: copies. */
#ifndef CLREDUCE_BENCH_CUB_SCAN_CUH
#define CLREDUCE_BENCH_CUB_SCAN_CUH

#include <climits>

#include <cub/device/device_scan.cuh>

#include "cub_output.cuh"
#include "cub_prefixes.cuh"

template <typename T> struct Scan {
    T *x, *out;
    void *room;
    size_t room_bytes;
    uint64_t seed;
    int units_n;
    std::vector<uint64_t> before[2]; /* by Data: of each piece the sum of what is before it */
    uint64_t *before_on_device[2];
    Faults *faults;
};

/* Older releases count elements in int; newer ones take what they get, and are fastest with int. */
template <typename T> static void scan_call(const Scan<T> &scan, uint64_t n, cudaStream_t stream) {
    size_t bytes = scan.room_bytes;
    CHECK(n <= INT_MAX
              ? cub::DeviceScan::InclusiveSum(scan.room, bytes, scan.x, scan.out, (int)n, stream)
              : cub::DeviceScan::InclusiveSum(scan.room, bytes, scan.x, scan.out, (long long)n, stream));
}

static unsigned piece_blocks(uint64_t n) {
    return (unsigned)((n + PIECE - 1) / PIECE + 127) / 128;
}

/* Finds those of the largest n; smaller ones take the first of the same pieces. */
template <typename T> static void find_prefixes(Scan<T> &scan, uint64_t n) {
    for (Data data : {UNIFORM, WALK}) {
        std::vector<uint64_t> &before = scan.before[data];
        before.resize((n + PIECE - 1) / PIECE);
        const size_t bytes = before.size() * sizeof before[0];
        CHECK(cudaMalloc((void **)&scan.before_on_device[data], bytes));
        sum_pieces<T><<<piece_blocks(n), 128>>>(scan.before_on_device[data], n, scan.seed, data);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(before.data(), scan.before_on_device[data], bytes, cudaMemcpyDeviceToHost));
        sums_to_prefixes(before);
        CHECK(cudaMemcpy(scan.before_on_device[data], before.data(), bytes, cudaMemcpyHostToDevice));
    }
}

/* The first wrong element of the n results, or the last one. */
template <typename T> static Verdict judge_results(const Scan<T> &scan, uint64_t n, Data data) {
    Faults faults = {0, ~0ull};
    T got;
    CHECK(cudaMemcpy(scan.faults, &faults, sizeof faults, cudaMemcpyHostToDevice));
    judge_pieces<T>
        <<<piece_blocks(n), 128>>>(scan.out, n, scan.seed, data, scan.before_on_device[data], scan.faults);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&faults, scan.faults, sizeof faults, cudaMemcpyDeviceToHost));
    const uint64_t i = faults.wrong_n > 0 ? faults.first : n - 1;
    CHECK(cudaMemcpy(&got, scan.out + i, sizeof got, cudaMemcpyDeviceToHost));
    if (faults.wrong_n > 0)
        fprintf(stderr, "cub: %llu of %llu elements are wrong, the first is %llu\n", faults.wrong_n,
                (unsigned long long)n, (unsigned long long)i);
    return judge_at(got, i, scan.seed, data, scan.before[data]);
}

template <typename T> static Cell time_scan(const Timer &timer, const char *type, Scan<T> &scan, uint64_t n) {
    Cell cell{"inclusive_sum", type, "", n, {}, {}};
    const Call call = [&](cudaStream_t stream) { scan_call(scan, n, stream); };
    const std::function<void()> clear = [&] { CHECK(cudaMemset(scan.out, 0xff, n * sizeof(T))); };
    fill_walk<<<scan.units_n * 16, 256>>>(scan.x, n, scan.seed);
    CHECK(cudaGetLastError());
    clear();
    call(0);
    const Verdict exact = judge_results(scan, n, WALK);
    fill<<<scan.units_n * 16, 256>>>(scan.x, 0, n, scan.seed);
    time_device(timer, cell, call, clear, [&] { return judge_results(scan, n, UNIFORM); });
    time_answers(timer, cell, call, clear, [&] { return judge_results(scan, n, UNIFORM); });
    if (!exact.right)
        cell.verdict = exact;
    return cell;
}

template <typename T>
static void time_scans(const Timer &timer, const char *type, const std::vector<uint64_t> &sizes, void *x,
                       void *out, int units_n, Run &run) {
    Scan<T> scan{(T *)x, (T *)out, nullptr, 0, run.seed, units_n, {}, {}, nullptr};
    for (uint64_t n : sizes) {
        scan.room = nullptr;
        size_t bytes = 0;
        CHECK(n <= INT_MAX ? cub::DeviceScan::InclusiveSum(nullptr, bytes, scan.x, scan.out, (int)n)
                           : cub::DeviceScan::InclusiveSum(nullptr, bytes, scan.x, scan.out, (long long)n));
        scan.room_bytes = std::max(scan.room_bytes, bytes);
    }
    CHECK(cudaMalloc(&scan.room, scan.room_bytes));
    CHECK(cudaMalloc((void **)&scan.faults, sizeof *scan.faults));
    find_prefixes(scan, sizes.back());
    for (uint64_t n : sizes) {
        run.cells.push_back(time_scan(timer, type, scan, n));
        tell(run.cells.back());
    }
    for (uint64_t *before : scan.before_on_device)
        CHECK(cudaFree(before));
    CHECK(cudaFree(scan.faults));
    CHECK(cudaFree(scan.room));
}

/* The driver's copy, and every form of a kernel that may be faster; 0 blocks per unit: as many as there is
 * work. */
static void time_copies(const Timer &timer, const void *x, void *out, uint64_t bytes, int units_n,
                        std::vector<Roof> &copies) {
    static void (*const kernels[])(const uint4 *, uint64_t, uint4 *) = {copy_only<1>, copy_only<2>,
                                                                        copy_only<4>, copy_only<8>};
    static const int loads[] = {1, 2, 4, 8}, blocks[] = {256, 512}, per_unit[] = {0, 8, 16};
    const Call memcpy_call = [&](cudaStream_t stream) {
        CHECK(cudaMemcpyAsync(out, x, bytes, cudaMemcpyDeviceToDevice, stream));
    };
    const double memcpy_s = warm_up_s(timer, memcpy_call);
    copies.push_back({"cudaMemcpy", bytes, 0, 0, 0, time_isolated(timer, memcpy_call, memcpy_s)});
    for (int k = 0; k < 4; k++)
        for (int block : blocks)
            for (int count : per_unit) {
                const uint64_t items = (uint64_t)block * loads[k];
                const unsigned grid =
                    count > 0 ? (unsigned)(units_n * count) : (unsigned)((bytes / 16 + items - 1) / items);
                const Call call = [&](cudaStream_t stream) {
                    kernels[k]<<<grid, block, 0, stream>>>((const uint4 *)x, bytes / 16, (uint4 *)out);
                };
                const double call_s = warm_up_s(timer, call);
                CHECK(cudaGetLastError());
                copies.push_back(
                    {"kernel", bytes, loads[k], block, count, time_isolated(timer, call, call_s)});
            }
}

#endif
