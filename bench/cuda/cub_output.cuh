/* What was measured: the times to answer as a result file of another program (results/formats.md), all other
 * figures as CSV. */
#ifndef CLREDUCE_BENCH_CUB_OUTPUT_CUH
#define CLREDUCE_BENCH_CUB_OUTPUT_CUH

#include <fstream>
#include <thread>

#include <cub/version.cuh>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cub_data.cuh"
#include "cub_prefixes.cuh"
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
    std::string started, command, primitive = "reduce";
    double start_s = clock_s();
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
    for (const auto &time : {time_isolated, time_graph, time_stream}) {
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
    const Figure figure = time_answer(timer, "cub", [&] {
        call(0);
        CHECK(cudaStreamSynchronize(0));
    });
    take(cell, figure, judge_last());
}

static void tell(const Cell &cell) {
    fprintf(stderr, "cub: %s of %s%s%s, n = %llu: %.2f us on the device, %.2f us to answer\n",
            cell.op.c_str(), cell.type.c_str(), cell.data.empty() ? "" : ", ", cell.data.c_str(),
            (unsigned long long)cell.n, 1e6 * median(cell.figures[0].samples_s),
            1e6 * median(cell.figures[3].samples_s));
}

static std::string quoted(const std::string &text) {
    std::string result = "\"";
    for (unsigned char c : text) {
        char escape[8];
        bool plain = c >= 0x20 && c <= 0x7e && c != '"' && c != '\\'; /* a path may be no UTF-8 */
        snprintf(escape, sizeof escape, plain ? "%c" : "\\u%04x", c);
        result += escape;
    }
    return result + "\"";
}

/* ---- the result file ----------------------------------------------------------------------------------- */

/* The median and its interval follow from the samples. */
static void time_write(FILE *to, const Figure &figure) {
    fprintf(to, "{\"calls_per_sample\": %llu,\n   \"samples_s\": [", (unsigned long long)figure.calls);
    for (size_t i = 0; i < figure.samples_s.size(); i++)
        fprintf(to, "%s%.7g", i ? ", " : "", figure.samples_s[i]);
    fputs("]}", to);
}

/* JSON has neither NaN nor infinity. */
static std::string number(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.9g", value);
    return std::isfinite(value) ? text : "null";
}

static const Figure *figure_of(const Cell &cell, const char *name) {
    for (const Figure &figure : cell.figures)
        if (figure.name == name)
            return &figure;
    return nullptr;
}

/* The ways in which an answer comes: figures that are strategies of the file. */
static const char *const ways[] = {"cub", "cub_mapped"};

/* Right or wrong all its figures are. */
static void judged_write(FILE *to, const Cell &cell, const Figure &figure) {
    const Verdict &verdict = cell.verdict;
    if (!verdict.right) {
        fprintf(to, "\"state\": \"wrong\", \"reason\": \"expected %.17g +- %.3g, got %.10g\",\n",
                verdict.expected, verdict.bound, verdict.got);
        fputs("  \"time_to_answer\": null}", to);
        return;
    }
    fputs("\"state\": \"pass\",\n  \"time_to_answer\": ", to);
    time_write(to, figure);
    const Figure *device = figure_of(cell, "isolated"), *batch = figure_of(cell, "stream");
    if (figure.name == "cub" && device != nullptr && batch != nullptr)
        fprintf(to, ",\n  \"device_time_s\": %.9g, \"back_to_back_s\": %.9g", median(device->samples_s),
                median(batch->samples_s));
    fprintf(to, ",\n  \"accuracy\": {\"data_sets\": 1, \"error\": %s, \"bound\": %s}}",
            number(verdict.error).c_str(), number(verdict.bound).c_str());
}

/* Writes a cell for each way in which the answer comes. */
static void cell_write(FILE *to, const Cell &cell, bool &first) {
    for (const char *way : ways) {
        const Figure *figure = figure_of(cell, way);
        if (figure == nullptr)
            continue;
        fprintf(to, "%s {\"device\": \"cuda\", \"strategy\": \"%s\", \"op\": \"%s\", \"type\": \"%s\",\n",
                first ? "\n" : ",\n", way, cell.op.c_str(), cell.type.c_str());
        fputs("  \"shape\": \"array\", \"kind\": \"peer\", \"asked\": {},\n", to);
        fputs("  \"geometry\": {\"group_size\": 0, \"groups\": 0, \"elements_per_item\": 0}, ", to);
        if (cell.op == "count")
            fprintf(to, "\"bins\": %d, ", BINS);
        if (!cell.data.empty() && cell.data != "uniform")
            fprintf(to, "\"data\": \"%s\", ", cell.data.c_str());
        fprintf(to, "\"n\": %llu, ", (unsigned long long)cell.n);
        judged_write(to, cell, *figure);
        first = false;
    }
}

/* The first processor's name, as Linux tells it. */
static std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.compare(0, 10, "model name") == 0)
            return line.substr(std::min(line.size(), line.find(':') + 2));
    return "unknown";
}

/* That this process may use. */
static unsigned cores_n() {
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? (unsigned)CPU_COUNT(&cores)
                                                           : std::thread::hardware_concurrency();
}

static void host_write(FILE *to) {
    struct utsname names = {};
    cudaFuncAttributes built;
    unsigned flags;
    double load = 0;
    uname(&names);
    CHECK(cudaFuncGetAttributes(&built, (const void *)wait_clocks));
    CHECK(cudaGetDeviceFlags(&flags));
    if (getloadavg(&load, 1) != 1)
        load = 0;
    fprintf(to, " \"host\": {\"name\": %s, \"processor\": %s,\n", quoted(names.nodename).c_str(),
            quoted(processor_name()).c_str());
    fprintf(to, "  \"system\": %s, \"cores\": %u, \"memory_gib\": %.9g, \"load_1min\": %.3g,\n",
            quoted(std::string(names.sysname) + " " + names.release + " " + names.machine).c_str(), cores_n(),
            (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE) / (1 << 30), load);
    fprintf(to, "  \"compiler\": \"nvcc %d.%d.%d for sm_%d\",\n", __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__,
            __CUDACC_VER_BUILD__, built.binaryVersion);
    fprintf(to, "  \"environment\": {\"cudaDeviceScheduleSpin\": \"%s\"}},\n",
            (flags & cudaDeviceScheduleMask) == cudaDeviceScheduleSpin ? "yes" : "no");
}

/* "CUDA 13.0" of 13000. */
static std::string cuda_version(int version) {
    return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

static void device_write(FILE *to, const Run &run) {
    cudaDeviceProp device;
    int driver, runtime;
    CHECK(cudaGetDeviceProperties(&device, run.device));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    fputs(" \"devices\": [{\"id\": \"cuda\", \"kind\": \"gpu-or-accelerator\", ", to);
    fprintf(to, "\"name\": %s, \"compute_units\": %d,\n", quoted(device.name).c_str(),
            device.multiProcessorCount);
    fputs("  \"roof_bytes_per_s\": null, \"roof_bytes\": null, \"platform\": \"NVIDIA CUDA\", ", to);
    fprintf(to, "\"platform_version\": \"%s\",\n", cuda_version(runtime).c_str());
    fprintf(to, "  \"vendor\": \"NVIDIA Corporation\", \"version\": \"compute capability %d.%d\",\n",
            device.major, device.minor);
    fprintf(to, "  \"c_versions\": null, \"driver\": \"%s\", \"group_size_max\": %d,\n",
            cuda_version(driver).c_str(), device.maxThreadsPerBlock);
    fprintf(to, "  \"local_memory_bytes\": %zu, \"global_memory_bytes\": %zu,\n", device.sharedMemPerBlock,
            device.totalGlobalMem);
    fprintf(to, "  \"allocation_bytes_max\": %zu, \"event_times\": null,\n", device.totalGlobalMem);
    fputs("  \"event_floor_s\": null, \"capabilities\": {}}],\n", to);
}

/* The result file (results/formats.md) of what comes to the host, or may be used on the device. */
static void run_write(FILE *to, const Run &run) {
    bool first = true;
    fprintf(to, "{\"schema\": 2, \"suite\": {\"name\": \"CUB\", \"version\": \"%d.%d.%d\"},\n",
            CUB_VERSION / 100000, CUB_VERSION / 100 % 1000, CUB_VERSION % 100);
    fprintf(to, " \"started\": \"%s\", \"command\": %s,\n", run.started.c_str(),
            quoted(run.command.substr(0, 500)).c_str());
    if (run.primitive != "reduce")
        fprintf(to, " \"primitive\": \"%s\",\n", run.primitive.c_str());
    fprintf(to, " \"seed\": %llu, \"time_per_cell_s\": %.9g, \"clock_step_s\": null, \"wall_s\": %.3f,\n",
            (unsigned long long)run.seed, run.budget_s, clock_s() - run.start_s);
    host_write(to);
    device_write(to, run);
    fputs(" \"cells\": [", to);
    for (const Cell &cell : run.cells)
        cell_write(to, cell, first);
    fputs("]}\n", to);
}

/* ---- other figures -------------------------------------------------------------------------------------
 * What a result file has no place for, as CSV: other clocks, floors and forms of the roof. */

static void row_write(FILE *to, const std::string &figure, const std::string &of, const std::string &form,
                      const Figure &timed) {
    fprintf(to, "%s,%s,%s,%.9g\n", figure.c_str(), of.c_str(), form.c_str(), median(timed.samples_s));
}

static void roofs_write(FILE *to, const char *figure, const std::vector<Roof> &roofs) {
    for (const Roof &roof : roofs)
        row_write(to, figure, ",,," + std::to_string(roof.bytes),
                  roof.loads == 0
                      ? roof.way
                      : std::to_string(roof.loads) + " loads; " + std::to_string(roof.block) + " threads; " +
                            std::to_string(roof.blocks_per_unit) + " blocks per unit",
                  roof.figure);
}

static void figures_write(FILE *to, const Run &run) {
    fputs("figure,type,data,n,bytes,form,median_s\n", to);
    for (const Figure &floor : run.floors)
        row_write(to, floor.name, ",,,", "", floor);
    for (const Cell &cell : run.cells)
        for (const Figure &figure : cell.figures)
            if (cell.verdict.right && (figure.name == "graph" || figure.name == "stream_by_value"))
                row_write(to, figure.name, cell.type + "," + cell.data + "," + std::to_string(cell.n) + ",",
                          "", figure);
    roofs_write(to, "read", run.reads);
    roofs_write(to, "copy", run.copies);
}

#endif
