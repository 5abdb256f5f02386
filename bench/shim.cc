#include "bench/shim.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
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

struct Entry {
    red_gbench_call call;
    void *context;
};

// Hands each batch to the sink and keeps its row. What failed goes nowhere: a file with a zero in it would
// read as an endless improvement.
class Collector : public benchmark::BenchmarkReporter {
  public:
    Collector(std::vector<Run> &rows, red_gbench_sink sink, void *context)
        : rows_(rows), sink_(sink), context_(context) {}

    bool ReportContext(const Context &) override {
        return true;
    }

    void ReportRuns(const std::vector<Run> &runs) override {
        for (const Run &run : runs) {
            if (failed(run, 0) || run.run_type != Run::RT_Iteration || run.iterations <= 0)
                continue;
            double seconds = run.real_accumulated_time / static_cast<double>(run.iterations);
            if (!std::isfinite(seconds) || seconds <= 0)
                continue;
            rows_.push_back(run);
            // These differ from run to run, and rows are compared by name.
            rows_.back().run_name.iterations.clear();
            rows_.back().run_name.repetitions.clear();
            sink_(context_, static_cast<size_t>(std::strtoull(run.report_label.c_str(), nullptr, 10)),
                  seconds);
            rows_.back().report_label.clear();
        }
    }

  private:
    std::vector<Run> &rows_;
    red_gbench_sink sink_;
    void *context_;
};

void run_batch(benchmark::State &state, const Entry &entry, size_t index) {
    const auto calls = static_cast<uint64_t>(state.max_iterations);
    for (uint64_t i = 0; i < red_gbench_untimed(calls); i++) {
        if (entry.call(entry.context) != 0) {
            state.SkipWithError("the call failed");
            break;
        }
    }
    for (auto _ : state) {
        if (entry.call(entry.context) != 0) {
            state.SkipWithError("the call failed");
            break;
        }
    }
    state.SetLabel(std::to_string(index));
}

} // namespace

struct red_gbench {
    size_t added = 0;
    std::vector<Run> rows;
};

// All that matters is said here, since Google Benchmark also takes options from environment variables, and a
// filter there would leave cells without times. It keeps pointers into these texts.
static char arguments[][64] = {
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

struct red_gbench *red_gbench_create(void) try {
    std::vector<char *> pointers;
    for (auto &argument : arguments)
        pointers.push_back(argument);
    int pointers_n = static_cast<int>(pointers.size());
    pointers.push_back(nullptr);
    benchmark::Initialize(&pointers_n, pointers.data());
    return new red_gbench;
} catch (...) {
    return nullptr;
}

void red_gbench_destroy(struct red_gbench *bench) {
    benchmark::ClearRegisteredBenchmarks();
    delete bench;
}

int red_gbench_add(struct red_gbench *bench, const char *name, red_gbench_call call, void *context,
                   uint64_t calls) try {
    const size_t index = bench->added++;
    const Entry entry = {call, context};
    benchmark::RegisterBenchmark(name,
                                 [entry, index](benchmark::State &state) { run_batch(state, entry, index); })
        ->Iterations(static_cast<benchmark::IterationCount>(calls))
        ->Unit(benchmark::kMicrosecond)
        ->UseRealTime();
    return 0;
} catch (...) {
    return -1;
}

int red_gbench_run(struct red_gbench *bench, red_gbench_sink sink, void *context) try {
    Collector collector(bench->rows, sink, context);
    benchmark::RunSpecifiedBenchmarks(&collector);
    benchmark::ClearRegisteredBenchmarks();
    bench->added = 0;
    return 0;
} catch (...) {
    return -1;
}

void red_gbench_drop(struct red_gbench *bench, const char *name) {
    auto dropped = [name](const Run &row) { return row.run_name.function_name == name; };
    bench->rows.erase(std::remove_if(bench->rows.begin(), bench->rows.end(), dropped), bench->rows.end());
}

// Batches of one name are its repetitions, whichever run they came from.
static std::vector<Run> numbered(const std::vector<Run> &rows) {
    std::map<std::string, int64_t> families, counts;
    std::vector<Run> result(rows);
    for (Run &row : result) {
        const std::string &name = row.run_name.function_name;
        row.family_index = families.emplace(name, static_cast<int64_t>(families.size())).first->second;
        row.repetition_index = counts[name]++;
    }
    for (Run &row : result)
        row.repetitions = counts[row.run_name.function_name];
    return result;
}

char *red_gbench_json(const struct red_gbench *bench) try {
    std::ostringstream out;
    benchmark::JSONReporter reporter;
    reporter.SetOutputStream(&out);
    reporter.SetErrorStream(&out);
    reporter.ReportContext(benchmark::BenchmarkReporter::Context());
    if (!bench->rows.empty())
        reporter.ReportRuns(numbered(bench->rows));
    reporter.Finalize();
    const std::string text = out.str();
    char *copy = static_cast<char *>(std::malloc(text.size() + 1));
    if (copy != nullptr)
        std::memcpy(copy, text.c_str(), text.size() + 1);
    return copy;
} catch (...) {
    return nullptr;
}
