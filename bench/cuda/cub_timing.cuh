/* Clocks for what runs on a CUDA device: five ways to time one call, each with its own meaning. */
#ifndef CLREDUCE_BENCH_CUB_TIMING_CUH
#define CLREDUCE_BENCH_CUB_TIMING_CUH

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

/* PROGRAM is what messages begin with. */
static inline void fail(int status, const std::string &text) {
    fprintf(stderr, PROGRAM ": %s\n", text.c_str());
    exit(status);
}

#define CHECK(call) check(call, #call)
static inline void check(cudaError_t code, const char *call) {
    if (code != cudaSuccess)
        fail(5, std::string(call) + ": " + cudaGetErrorString(code));
}

/* What one way of timing gave. */
struct Figure {
    std::string name;
    uint64_t calls; /* per sample */
    std::vector<double> samples_s;
    explicit Figure(const char *given) : name(given), calls(1) {}
};

static inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const size_t n = values.size();
    return n == 0 ? NAN : (values[(n - 1) / 2] + values[n / 2]) / 2;
}

static inline double clock_s() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/* One call of what is timed, enqueued on the stream. */
typedef std::function<void(cudaStream_t)> Call;

struct Timer {
    cudaStream_t stream; /* of its own: the default stream cannot be captured */
    cudaEvent_t start, end;
    double budget_s;
};

/* Keeps the stream busy until everything behind it is enqueued. Always ends by itself. */
static __global__ void wait_clocks(long long clocks) {
    const long long start = clock64();
    while (clock64() - start < clocks) {
    }
}
enum { WAIT_CLOCKS = 100000 }; /* about 50 us */
static const double wait_s = 60e-6;

static inline double elapsed_s(const Timer &timer) {
    float ms;
    CHECK(cudaEventSynchronize(timer.end));
    CHECK(cudaEventElapsedTime(&ms, timer.start, timer.end));
    return 1e-3 * ms;
}

/* As clreduce plans its batches: up to 18 samples in the budget, at least 6. */
static inline unsigned samples_for(double sample_s, double budget_s, unsigned most) {
    return (unsigned)std::min<double>(most, std::max(6.0, floor(budget_s / sample_s)));
}
static inline uint64_t calls_for(double call_s, double budget_s) {
    return (uint64_t)std::max(1.0, floor(budget_s / 18 / call_s));
}

/* isolated: events around one call; everything waits behind a kernel that spins, so that no launch cost of
 * the host's is in it. Holds what lies between the kernels of a call; resolution 0.5 us or better. */
static inline Figure time_isolated(const Timer &timer, const Call &call, double call_s) {
    Figure figure("isolated");
    const unsigned samples_n = samples_for(call_s + wait_s, timer.budget_s, 101);
    for (unsigned i = 0; i < samples_n; i++) {
        wait_clocks<<<1, 1, 0, timer.stream>>>(WAIT_CLOCKS);
        CHECK(cudaEventRecord(timer.start, timer.stream));
        call(timer.stream);
        CHECK(cudaEventRecord(timer.end, timer.stream));
        figure.samples_s.push_back(elapsed_s(timer));
    }
    return figure;
}

/* stream: events around a batch of calls, one enqueued after the other: a throughput. Small ones are as slow
 * as the host launches them. */
static inline Figure time_stream(const Timer &timer, const Call &call, double call_s) {
    Figure figure("stream");
    figure.calls = calls_for(call_s, timer.budget_s);
    const unsigned samples_n = samples_for(call_s * (double)figure.calls, timer.budget_s, 18);
    for (unsigned i = 0; i < samples_n; i++) {
        CHECK(cudaEventRecord(timer.start, timer.stream));
        for (uint64_t c = 0; c < figure.calls; c++)
            call(timer.stream);
        CHECK(cudaEventRecord(timer.end, timer.stream));
        figure.samples_s.push_back(elapsed_s(timer) / (double)figure.calls);
    }
    return figure;
}

/* graph: the same batch recorded as a graph, which the device runs without the host: a throughput, and the
 * least a call can take beside others. */
static inline Figure time_graph(const Timer &timer, const Call &call, double call_s) {
    Figure figure("graph");
    cudaGraph_t graph;
    cudaGraphExec_t runnable;
    figure.calls = std::min<uint64_t>(200, std::max<uint64_t>(2, calls_for(call_s, timer.budget_s)));
    CHECK(cudaStreamBeginCapture(timer.stream, cudaStreamCaptureModeThreadLocal));
    for (uint64_t c = 0; c < figure.calls; c++)
        call(timer.stream);
    CHECK(cudaStreamEndCapture(timer.stream, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&runnable, graph, 0));
    CHECK(cudaGraphLaunch(runnable, timer.stream));
    CHECK(cudaStreamSynchronize(timer.stream));
    const unsigned samples_n = samples_for(call_s * (double)figure.calls, timer.budget_s, 18);
    for (unsigned i = 0; i < samples_n; i++) {
        wait_clocks<<<1, 1, 0, timer.stream>>>(WAIT_CLOCKS);
        CHECK(cudaEventRecord(timer.start, timer.stream));
        CHECK(cudaGraphLaunch(runnable, timer.stream));
        CHECK(cudaEventRecord(timer.end, timer.stream));
        figure.samples_s.push_back(elapsed_s(timer) / (double)figure.calls);
    }
    CHECK(cudaGraphExecDestroy(runnable));
    CHECK(cudaGraphDestroy(graph));
    return figure;
}

/* The host's clock over batches of whole calls, each of which ends with the value in a host variable. */
static inline Figure time_answer(const Timer &timer, const char *name, const std::function<void()> &answer) {
    Figure figure(name);
    double call_s = INFINITY;
    for (int i = 0; i < 5; i++) {
        const double start_s = clock_s();
        answer();
        call_s = std::min(call_s, clock_s() - start_s);
    }
    figure.calls = calls_for(call_s, timer.budget_s);
    const unsigned samples_n = samples_for(call_s * (double)figure.calls, timer.budget_s, 18);
    for (unsigned i = 0; i < samples_n; i++) {
        const double start_s = clock_s();
        for (uint64_t c = 0; c < figure.calls; c++)
            answer();
        figure.samples_s.push_back((clock_s() - start_s) / (double)figure.calls);
    }
    return figure;
}

/* Calls until it is warm, and finds about what a call takes. */
static inline double warm_up_s(const Timer &timer, const Call &call) {
    Timer brief = timer;
    brief.budget_s = 6 * wait_s;
    for (int i = 0; i < 3; i++)
        call(timer.stream);
    return median(time_isolated(brief, call, 0).samples_s);
}

#endif
