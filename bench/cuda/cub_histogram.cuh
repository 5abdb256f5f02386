/* CUB's histogram of 256 even bins, all counts of every figure's last result judged. */
#ifndef CLREDUCE_BENCH_CUB_HISTOGRAM_CUH
#define CLREDUCE_BENCH_CUB_HISTOGRAM_CUH

#include <climits>

#include <cub/device/device_histogram.cuh>

#include "cub_output.cuh"
#include "cub_prefixes.cuh"
#include "cub_scan.cuh"

template <typename T> struct Histogram {
    T *x;
    unsigned *counts;
    void *room;
    size_t room_bytes;
};

/* Older releases count elements in int; newer ones take what they get, and are fastest with int. */
template <typename T, typename Level>
static cudaError_t histogram_of(const Histogram<T> &histogram, void *room, size_t &bytes, Level lower,
                                Level upper, uint64_t n, cudaStream_t stream) {
    return n <= INT_MAX ? cub::DeviceHistogram::HistogramEven(room, bytes, histogram.x, histogram.counts,
                                                              BINS + 1, lower, upper, (int)n, stream)
                        : cub::DeviceHistogram::HistogramEven(room, bytes, histogram.x, histogram.counts,
                                                              BINS + 1, lower, upper, (long long)n, stream);
}

template <typename T, typename Level>
static Call call_of(const Histogram<T> &histogram, Level lower, Level upper, uint64_t n) {
    return [=](cudaStream_t stream) {
        size_t bytes = histogram.room_bytes;
        CHECK(histogram_of(histogram, histogram.room, bytes, lower, upper, n, stream));
    };
}

/* CUB divides numbers of 64 bits, which takes much longer where they have more than 32: here elements are the
 * numbers of their bins, as favourable to it as can be, and the counts are the same. */
template <typename T>
static void time_values(const Timer &timer, Cell &cell, const Histogram<T> &histogram, Spread spread,
                        uint64_t seed, int units_n, const std::function<void()> &clear,
                        const std::function<Verdict()> &judge_last) {
    fill_bins<<<units_n * 16, 256>>>(histogram.x, cell.n, seed, spread);
    CHECK(cudaGetLastError());
    const Call call = call_of(histogram, 0, (int)BINS, cell.n);
    clear();
    CHECK(cudaDeviceSynchronize());
    Figure figure = time_stream(timer, call, warm_up_s(timer, call));
    CHECK(cudaDeviceSynchronize());
    figure.name = "stream_by_value";
    take(cell, figure, judge_last());
}

template <typename T>
static Cell time_histogram(const Timer &timer, const char *type, const Histogram<T> &histogram, uint64_t n,
                           Spread spread, uint64_t seed, int units_n) {
    Cell cell{"count", type, spread_names[spread], n, {}, {}};
    fill_samples<<<units_n * 16, 256>>>(histogram.x, n, seed, spread);
    CHECK(cudaGetLastError());
    const std::vector<uint64_t> expected = counts_find<T>(n, seed, spread);
    CHECK(cudaDeviceSynchronize());
    const typename Bins<T>::Level lower = Bins<T>::lower, upper = Bins<T>::upper;
    const Call call = call_of(histogram, lower, upper, n);
    const std::function<void()> clear = [&] {
        CHECK(cudaMemset(histogram.counts, 0xff, BINS * sizeof *histogram.counts));
    };
    const std::function<Verdict()> judge_last = [&] {
        unsigned got[BINS];
        CHECK(cudaMemcpy(got, histogram.counts, sizeof got, cudaMemcpyDeviceToHost));
        return judge_counts(got, expected);
    };
    time_device(timer, cell, call, clear, judge_last);
    time_answers(timer, cell, call, clear, judge_last);
    if (sizeof(T) > 1)
        time_values(timer, cell, histogram, spread, seed, units_n, clear, judge_last);
    return cell;
}

template <typename T>
static void time_histograms(const Timer &timer, const char *type, const std::vector<uint64_t> &sizes, void *x,
                            int units_n, Run &run) {
    Histogram<T> histogram{(T *)x, nullptr, nullptr, 0};
    CHECK(cudaMalloc((void **)&histogram.counts, BINS * sizeof *histogram.counts));
    for (uint64_t n : sizes) {
        size_t bytes = 0;
        CHECK(histogram_of(histogram, nullptr, bytes, Bins<T>::lower + 0, Bins<T>::upper + 0, n, 0));
        histogram.room_bytes = std::max(histogram.room_bytes, bytes);
    }
    CHECK(cudaMalloc(&histogram.room, histogram.room_bytes));
    for (uint64_t n : sizes)
        for (int spread = 0; spread < SPREADS_N; spread++) {
            run.cells.push_back(time_histogram(timer, type, histogram, n, (Spread)spread, run.seed, units_n));
            tell(run.cells.back());
        }
    CHECK(cudaFree(histogram.room));
    CHECK(cudaFree(histogram.counts));
}

#endif
