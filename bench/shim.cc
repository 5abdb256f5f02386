#include "bench/shim.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Run = benchmark::BenchmarkReporter::Run;

// Version 1.8 renamed the mark of a failed run.
template <typename T> auto failed(const T &run, int) -> decltype(run.error_occurred) {
    return run.error_occurred;
}
template <typename T> auto failed(const T &run, long) -> decltype(run.skipped, bool()) {
    return static_cast<int>(run.skipped) != 0;
}

// All that matters is said here, since Google Benchmark also takes options from environment variables, and a
// filter there would leave cells without times. It keeps pointers into these texts.
char arguments[][64] = {
    "clreduce",
    "--benchmark_enable_random_interleaving=false", // the order is the caller's
    "--benchmark_repetitions=1",
    "--benchmark_format=console",
    "--benchmark_out_format=json",
    "--benchmark_filter=.",
    "--benchmark_list_tests=false",
    "--benchmark_report_aggregates_only=false",
    "--benchmark_display_aggregates_only=false",
    "--benchmark_dry_run=false",
    "--benchmark_min_warmup_time=0",
    "--benchmark_perf_counters=",
    "--benchmark_out=",
};

void initialize_once() {
    static const bool done = [] {
        std::vector<char *> pointers;
        for (auto &argument : arguments)
            pointers.push_back(argument);
        int pointers_n = static_cast<int>(pointers.size());
        pointers.push_back(nullptr);
        benchmark::Initialize(&pointers_n, pointers.data());
        return true;
    }();
    static_cast<void>(done);
}

// Keeps the times of the one batch. What failed has none: a zero would read as an endless improvement.
class Collector : public benchmark::BenchmarkReporter {
  public:
    explicit Collector(red_gbench_time &time) : time_(time) {}

    bool ReportContext(const Context &) override {
        return true;
    }

    void ReportRuns(const std::vector<Run> &runs) override {
        for (const Run &run : runs) {
            if (failed(run, 0) || run.run_type != Run::RT_Iteration || run.iterations <= 0)
                continue;
            const auto calls = static_cast<double>(run.iterations);
            time_ = {run.real_accumulated_time / calls, run.cpu_accumulated_time / calls};
        }
    }

  private:
    red_gbench_time &time_;
};

void run_batch(benchmark::State &state, red_gbench_call call, void *context) {
    const auto calls = static_cast<uint64_t>(state.max_iterations);
    for (uint64_t i = 0; i < red_gbench_untimed(calls); i++) {
        if (call(context) != 0) {
            state.SkipWithError("the call failed");
            break;
        }
    }
    for (auto _ : state) {
        if (call(context) != 0) {
            state.SkipWithError("the call failed");
            break;
        }
    }
}

} // namespace

int red_gbench_batch(red_gbench_call call, void *context, uint64_t calls, struct red_gbench_time *time) try {
    *time = {0, 0};
    initialize_once();
    benchmark::RegisterBenchmark(
        "batch", [call, context](benchmark::State &state) { run_batch(state, call, context); })
        ->Iterations(static_cast<benchmark::IterationCount>(calls))
        ->UseRealTime();
    Collector collector(*time);
    benchmark::RunSpecifiedBenchmarks(&collector);
    benchmark::ClearRegisteredBenchmarks();
    return std::isfinite(time->real_s) && time->real_s > 0 ? 0 : -1;
} catch (...) {
    return -1;
}

char *red_gbench_json(const struct red_gbench_row *rows, size_t rows_n) try {
    std::map<std::string, int64_t> families, counts;
    std::vector<Run> runs(rows_n);
    initialize_once();
    for (size_t i = 0; i < rows_n; i++) {
        Run &run = runs[i];
        run.run_name.function_name = rows[i].name;
        run.run_name.time_type = "real_time";
        run.iterations = static_cast<benchmark::IterationCount>(rows[i].calls);
        run.time_unit = benchmark::kMicrosecond;
        run.real_accumulated_time = rows[i].time.real_s * static_cast<double>(rows[i].calls);
        run.cpu_accumulated_time = rows[i].time.cpu_s * static_cast<double>(rows[i].calls);
        run.family_index =
            families.emplace(rows[i].name, static_cast<int64_t>(families.size())).first->second;
        run.per_family_instance_index = 0; // compare.py sorts by it
        run.repetition_index = counts[rows[i].name]++;
    }
    for (Run &run : runs)
        run.repetitions = counts[run.run_name.function_name];
    std::ostringstream out;
    benchmark::JSONReporter reporter;
    reporter.SetOutputStream(&out);
    reporter.SetErrorStream(&out);
    reporter.ReportContext(benchmark::BenchmarkReporter::Context());
    if (!runs.empty())
        reporter.ReportRuns(runs);
    reporter.Finalize();
    const std::string text = out.str();
    char *copy = static_cast<char *>(std::malloc(text.size() + 1));
    if (copy != nullptr)
        std::memcpy(copy, text.c_str(), text.size() + 1);
    return copy;
} catch (...) {
    return nullptr;
}
