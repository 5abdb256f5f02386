#include "bench/shim.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
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

// ---- a program of benchmarks

namespace {

// Shows nothing.
class Silent : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context &) override {
        return true;
    }
    void ReportRuns(const std::vector<Run> &) override {}
};

// By name, why a benchmark failed.
using Failures = std::map<std::string, std::string>;

template <typename T> auto fail(T &run, const std::string &why, int) -> decltype(run.error_message, void()) {
    run.error_occurred = true;
    run.error_message = why;
}
template <typename T> auto fail(T &run, const std::string &why, long) -> decltype(run.skip_message, void()) {
    run.skipped = static_cast<decltype(run.skipped)>(2); // SkippedWithError
    run.skip_message = why;
}

// Hands everything on. What failed once has no time in any repetition, and none in JSON: the library writes
// zeros there, which its compare.py takes for an endless improvement, and at a row without times compare.py
// ends by an exception. It passes over aggregates that have none, as has the error of a fit; their names end
// with their kind, so that nothing is compared with them.
class WithoutFailed : public benchmark::BenchmarkReporter {
  public:
    WithoutFailed(benchmark::BenchmarkReporter *inner, const Failures &failures)
        : inner_(inner), failures_(failures) {}

    bool ReportContext(const Context &context) override {
        inner_->SetOutputStream(&GetOutputStream());
        inner_->SetErrorStream(&GetErrorStream());
        return inner_->ReportContext(context);
    }

    void ReportRuns(const std::vector<Run> &runs) override {
        const bool is_json = dynamic_cast<benchmark::JSONReporter *>(inner_.get()) != nullptr;
        std::vector<Run> marked;
        for (Run run : runs) {
            const auto found = failures_.find(run.run_name.function_name);
            // One row where only aggregates are shown.
            if (found != failures_.end() && run.run_type == Run::RT_Aggregate && run.aggregate_name != "mean")
                continue;
            if (found != failures_.end()) {
                fail(run, found->second, 0);
                run.counters.clear();
                run.real_accumulated_time = run.cpu_accumulated_time = 0;
            }
            if (found != failures_.end() && is_json) {
                run.run_type = Run::RT_Aggregate;
                run.aggregate_name = "error";
                run.report_rms = true;
            }
            marked.push_back(run);
        }
        if (!marked.empty())
            inner_->ReportRuns(marked);
    }

    void Finalize() override {
        inner_->Finalize();
    }

  private:
    std::unique_ptr<benchmark::BenchmarkReporter> inner_;
    const Failures &failures_;
};

const char *value_of(int argc, char **argv, const std::string &option, const char *variable) {
    const char *value = std::getenv(variable);
    for (int i = 1; i < argc; i++)
        if (std::string(argv[i]).compare(0, option.size(), option) == 0)
            value = argv[i] + option.size();
    return value == nullptr ? "" : value;
}

void run_and_clear(benchmark::BenchmarkReporter &display, const Failures &failures, int has_json_file) {
    WithoutFailed file(new benchmark::JSONReporter, failures);
    benchmark::RunSpecifiedBenchmarks(&display, has_json_file ? &file : nullptr);
    benchmark::ClearRegisteredBenchmarks();
}

// What is known to fail takes no time. What fails in between goes on to its end without a call, since the
// library ends the program where repetitions have other numbers of iterations; a long time ends its search
// for that number.
void run_batches(benchmark::State &state, const red_gbench_benchmark &benchmark, Failures &failures) {
    static const double ENDLESS_S = 1e9;
    const auto calls = static_cast<benchmark::IterationCount>(benchmark.calls);
    const char *error = benchmark.error;
    if (error != nullptr) {
        state.SkipWithError(error);
        failures[benchmark.name] = error;
    }
    for (int begins = 1; state.KeepRunningBatch(calls); begins = 0) {
        double call_s = 0;
        if (error == nullptr) {
            error = benchmark.time_batch(benchmark.context, begins, &call_s);
            if (error != nullptr)
                failures[benchmark.name] = error;
        }
        state.SetIterationTime(error == nullptr ? call_s * static_cast<double>(calls) : ENDLESS_S);
    }
    const auto calls_n = static_cast<double>(state.iterations());
    state.SetBytesProcessed(static_cast<int64_t>(calls_n * benchmark.bytes));
    state.SetItemsProcessed(static_cast<int64_t>(calls_n * benchmark.items));
}

} // namespace

int red_gbench_initialize(int *argc, char **argv, int *has_json_file) {
    const std::string format = value_of(*argc, argv, "--benchmark_out_format=", "BENCHMARK_OUT_FORMAT");
    // The library does not tell what it was given.
    *has_json_file = value_of(*argc, argv, "--benchmark_out=", "BENCHMARK_OUT")[0] != '\0' &&
                     (format.empty() || format == "json");
    benchmark::Initialize(argc, argv);
    return benchmark::ReportUnrecognizedArguments(*argc, argv) ? -1 : 0;
}

int red_gbench_choose(const struct red_gbench_benchmark *benchmarks, size_t benchmarks_n, int has_json_file,
                      int *chosen) try {
    Failures failures;
    for (size_t i = 0; i < benchmarks_n; i++) {
        chosen[i] = 0;
        benchmark::RegisterBenchmark(benchmarks[i].name, [&, i](benchmark::State &state) {
            chosen[i] = 1;
            state.SkipWithError("not verified yet");
            failures[benchmarks[i].name] = "not verified yet";
        })->UseManualTime();
    }
    Silent display; // for --benchmark_list_tests the library itself prints
    run_and_clear(display, failures, has_json_file);
    std::cout.flush();
    return 0;
} catch (...) {
    return -1;
}

void red_gbench_add_context(const char *key, const char *text) {
    benchmark::AddCustomContext(key, text);
}

int red_gbench_run(const struct red_gbench_benchmark *benchmarks, size_t benchmarks_n,
                   int has_json_file) try {
    Failures failures;
    for (size_t i = 0; i < benchmarks_n; i++)
        benchmark::RegisterBenchmark(
            benchmarks[i].name,
            [&, i](benchmark::State &state) { run_batches(state, benchmarks[i], failures); })
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond);
    WithoutFailed display(benchmark::CreateDefaultDisplayReporter(), failures);
    run_and_clear(display, failures, has_json_file);
    return 0;
} catch (...) {
    return -1;
}
