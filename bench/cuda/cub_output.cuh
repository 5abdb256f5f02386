/* What was measured, as JSON; described in results/formats.md and results/cub.schema.json. */
#ifndef CLREDUCE_BENCH_CUB_OUTPUT_CUH
#define CLREDUCE_BENCH_CUB_OUTPUT_CUH

#include <cub/version.cuh>

#include "cub_data.cuh"
#include "cub_timing.cuh"

struct Cell {
    std::string op, type, data; /* data: of histograms, the spread */
    uint64_t n;
    std::vector<Figure> figures;
    Verdict verdict; /* the first wrong one, or the last */
};

/* One form of a kernel that only reads or copies, or the driver's copy. */
struct Roof {
    std::string way;
    uint64_t bytes; /* read */
    int loads, block, blocks_per_unit;
    Figure figure;
};

struct Run {
    std::string started, command;
    double budget_s = 0.05; /* of one figure of one cell */
    uint64_t seed = 1;
    int device = 0;
    std::vector<Figure> floors;
    std::vector<Cell> cells;
    std::vector<Roof> reads, copies;
};

/* Takes a figure and the judgement of what its last call left. */
static void take(Cell &cell, const Figure &figure, const Verdict &verdict) {
    if (cell.figures.empty() || cell.verdict.right)
        cell.verdict = verdict;
    if (!verdict.right)
        fprintf(stderr, "cub: WRONG: %s of %s, n = %llu, %s: expected %.10g +- %.3g, got %.10g\n",
                cell.op.c_str(), cell.type.c_str(), (unsigned long long)cell.n, figure.name.c_str(),
                verdict.expected, verdict.bound, verdict.got);
    cell.figures.push_back(figure);
}

/* The device's four figures of a call. `clear` sets the result to what no call leaves. */
static void time_device(const Timer &timer, Cell &cell, const Call &call, const std::function<void()> &clear,
                        const std::function<Verdict()> &judge_last) {
    const double call_s = warm_up_s(timer, call);
    for (const auto &time : {time_isolated, time_graph, time_stream, time_event}) {
        clear();
        CHECK(cudaDeviceSynchronize());
        const Figure figure = time(timer, call, call_s);
        CHECK(cudaDeviceSynchronize());
        take(cell, figure, judge_last());
    }
}

/* The host's clock from the launch until the device has finished, so that it may use the result. */
static void time_answers(const Timer &timer, Cell &cell, const Call &call, const std::function<void()> &clear,
                         const std::function<Verdict()> &judge_last) {
    clear();
    CHECK(cudaDeviceSynchronize());
    const Figure figure = time_answer(timer, "answer", [&] {
        call(0);
        CHECK(cudaStreamSynchronize(0));
    });
    take(cell, figure, judge_last());
}

static void tell(const Cell &cell) {
    fprintf(stderr, "cub: %s of %s%s%s, n = %llu: %.2f us on the device, %.2f us to answer\n",
            cell.op.c_str(), cell.type.c_str(), cell.data.empty() ? "" : ", ", cell.data.c_str(),
            (unsigned long long)cell.n, 1e6 * median(cell.figures[0].samples_s),
            1e6 * median(cell.figures[4].samples_s));
}

static std::string quoted(const std::string &text) {
    std::string result = "\"";
    for (unsigned char c : text) {
        char escape[8];
        bool plain = c >= 0x20 && c <= 0x7e && c != '"' && c != '\\';
        snprintf(escape, sizeof escape, plain ? "%c" : "\\u%04x", c);
        result += escape;
    }
    return result + "\"";
}

static void figure_write(FILE *to, const Figure &figure) {
    fprintf(to, "{\"name\": \"%s\", \"median_s\": %.9g, \"min_s\": %.9g, \"calls_per_sample\": %llu,\n",
            figure.name.c_str(), median(figure.samples_s), least(figure.samples_s),
            (unsigned long long)figure.calls);
    fputs("   \"samples_s\": [", to);
    for (size_t i = 0; i < figure.samples_s.size(); i++)
        fprintf(to, "%s%.7g", i ? ", " : "", figure.samples_s[i]);
    fputs("]}", to);
}

static void figures_write(FILE *to, const std::vector<Figure> &figures) {
    fputs("[", to);
    for (size_t i = 0; i < figures.size(); i++) {
        fputs(i ? ",\n  " : "\n  ", to);
        figure_write(to, figures[i]);
    }
    fputs("]", to);
}

static void device_write(FILE *to, int index) {
    cudaDeviceProp device;
    cudaFuncAttributes built;
    unsigned flags;
    int driver, runtime;
    CHECK(cudaGetDeviceProperties(&device, index));
    CHECK(cudaFuncGetAttributes(&built, (const void *)wait_clocks));
    CHECK(cudaGetDeviceFlags(&flags));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    fprintf(to, " \"device\": {\"name\": %s, \"compute_capability\": \"%d.%d\", \"compute_units\": %d,\n",
            quoted(device.name).c_str(), device.major, device.minor, device.multiProcessorCount);
    fprintf(to, "  \"memory_bytes\": %llu, \"l2_bytes\": %d},\n", (unsigned long long)device.totalGlobalMem,
            device.l2CacheSize);
    fprintf(to, " \"driver_version\": %d, \"runtime_version\": %d, \"cub_version\": %d,\n", driver, runtime,
            CUB_VERSION);
    fprintf(to, " \"compiler\": \"nvcc %d.%d.%d\", \"binary_version\": %d, \"host_spins\": %s,\n",
            __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__, built.binaryVersion,
            (flags & cudaDeviceScheduleMask) == cudaDeviceScheduleSpin ? "true" : "false");
}

static void cell_write(FILE *to, const Cell &cell) {
    fprintf(to, " {\"op\": \"%s\", \"type\": \"%s\", ", cell.op.c_str(), cell.type.c_str());
    if (!cell.data.empty())
        fprintf(to, "\"data\": \"%s\", ", cell.data.c_str());
    fprintf(to, "\"n\": %llu, \"right\": %s, \"expected\": %.17g,\n", (unsigned long long)cell.n,
            cell.verdict.right ? "true" : "false", cell.verdict.expected);
    fputs("  \"error\": ", to);
    if (std::isfinite(cell.verdict.error))
        fprintf(to, "%.9g", cell.verdict.error);
    else
        fputs("null", to); /* JSON has no NaN */
    fprintf(to, ", \"bound\": %.9g, \"figures\": ", cell.verdict.bound);
    figures_write(to, cell.figures);
    fputs("}", to);
}

static void roofs_write(FILE *to, const char *name, const std::vector<Roof> &roofs) {
    fprintf(to, ",\n \"%s\": [", name);
    for (size_t i = 0; i < roofs.size(); i++) {
        const Roof &roof = roofs[i];
        fprintf(to, "%s {\"way\": \"%s\", \"bytes\": %llu, \"loads\": %d, \"block\": %d, ", i ? ",\n" : "\n",
                roof.way.c_str(), (unsigned long long)roof.bytes, roof.loads, roof.block);
        fprintf(to, "\"blocks_per_unit\": %d,\n  \"figure\": ", roof.blocks_per_unit);
        figure_write(to, roof.figure);
        fputs("}", to);
    }
    fputs("]", to);
}

static void run_write(FILE *to, const Run &run) {
    fprintf(to, "{\"schema\": \"clreduce-cub 1\", \"started\": \"%s\", \"command\": %s,\n",
            run.started.c_str(), quoted(run.command).c_str());
    fprintf(to, " \"seed\": %llu, \"time_per_figure_s\": %.9g,\n", (unsigned long long)run.seed,
            run.budget_s);
    device_write(to, run.device);
    fputs(" \"floors\": ", to);
    figures_write(to, run.floors);
    fputs(",\n \"cells\": [", to);
    for (size_t i = 0; i < run.cells.size(); i++) {
        fputs(i ? ",\n" : "\n", to);
        cell_write(to, run.cells[i]);
    }
    fputs("]", to);
    roofs_write(to, "reads", run.reads);
    roofs_write(to, "copies", run.copies);
    fputs("}\n", to);
}

#endif
