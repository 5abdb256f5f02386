/* The numbers to beat: what CUB makes of the same sums, scans and histograms on the same GPU. Built and run
 * by hand where there is a CUDA toolkit (11.8 or later), which brings CUB; bench/cuda/cub sets its figures
 * beside clreduce's. nvcc -O3 -std=c++17 -arch=native -o build/cub bench/cuda/cub.cu The data is clreduce's:
 * the same hash of index and seed, the same elements. Every figure's last result is checked: sums against an
 * exact one made on the host, scans at every element, histograms in every bin. The output is described in
 * results/formats.md#beside-cub. Exit status: 0; 2 a wrong result; 4 bad usage; 5 a CUDA call failed; 77 no
 * CUDA device. */
#define PROGRAM "cub"
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <set>

#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>

#include "cub_data.cuh"
#include "cub_histogram.cuh"
#include "cub_output.cuh"
#include "cub_scan.cuh"
#include "cub_timing.cuh"

/* ---- options ------------------------------------------------------------------------------------------- */

struct Options {
    std::vector<uint64_t> n;
    std::string types, output, figures;
    Run run; /* primitive, seed, budget, device and command are filled */
};

/* 1000, 2^20, 2^20+1, 2^20-1; moves `text` behind it. */
static uint64_t parse_number(const char *&text) {
    char *end;
    uint64_t value = strtoull(text, &end, 10);
    if (end == text || *text == '-')
        fail(4, std::string("--n: expected a size such as 1000 or 2^20+1, got '") + text + "'");
    text = end;
    if (*text == '^') {
        unsigned long power = strtoul(text + 1, &end, 10);
        if (end == text + 1 || value != 2 || power > 40)
            fail(4, std::string("--n: expected a power of 2 up to 2^40, got '2") + text + "'");
        value = UINT64_C(1) << power;
        text = end;
        if (*text == '+' || (*text == '-' && text[1] != '\0')) {
            long long offset = strtoll(text, &end, 10);
            value += (uint64_t)offset;
            text = end;
        }
    }
    return value;
}

/* As clreduce's --n: numbers, A..B for doubling, A..B:xK. */
static std::vector<uint64_t> parse_sizes(const char *text) {
    std::vector<uint64_t> sizes;
    for (;;) {
        uint64_t first = parse_number(text), last = first, factor = 2;
        if (strncmp(text, "..", 2) == 0) {
            last = parse_number(text += 2);
            if (strncmp(text, ":x", 2) == 0)
                factor = parse_number(text += 2);
        }
        if (first < 1 || last > UINT64_C(1) << 36 || factor < 2 || (*text != ',' && *text != '\0'))
            fail(4,
                 std::string("--n: sizes are 1 to 2^36, written 1000,2^20 or 2^10..2^30:x4; stopped at '") +
                     text + "'");
        for (uint64_t n = first; n <= last; n *= factor)
            sizes.push_back(n);
        if (*text++ == '\0')
            break;
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

static void usage(FILE *to) {
    fputs("Usage: cub [--primitive reduce|scan|histogram] [--n SIZES] [--type TYPES] [--time-per-figure "
          "SECONDS]\n"
          "           [--seed NUMBER] [--device INDEX] [--output FILE] [--figures FILE]\n"
          "Times CUB and the roof, a kernel that only reads or copies; writes a result file.\n"
          "  --primitive        DeviceReduce::Sum (default), DeviceScan::InclusiveSum or\n"
          "                     DeviceHistogram::HistogramEven of 256 bins\n"
          "  --type             default f32,i32; of histograms u32,u8\n"
          "  --n                sizes as clreduce takes them; default 2^10..2^30\n"
          "  --time-per-figure  budget of one figure of one type and size; default 0.05\n"
          "  --device           index of the CUDA device; default 0\n"
          "  --output           where the result file goes; default: the standard output\n"
          "  --figures          where a CSV of other clocks and of the roof goes; default: nowhere\n",
          to);
}

/* The types that CUB's times of a primitive are taken of; all of them by default. */
static const struct {
    const char *primitive, *types;
} type_lists[] = {{"reduce", "f32,i32"}, {"scan", "f32,i32"}, {"histogram", "u32,u8"}};

static bool has_type(const std::string &types, const std::string &type) {
    return ("," + types + ",").find("," + type + ",") != std::string::npos;
}

static void check_types(Options &options) {
    std::string known;
    for (const auto &list : type_lists)
        if (options.run.primitive == list.primitive)
            known = list.types;
    if (known.empty())
        fail(4,
             "--primitive: '" + options.run.primitive + "' is not valid; expected reduce, scan or histogram");
    if (options.types.empty())
        options.types = known;
    for (size_t begin = 0, end; begin <= options.types.size(); begin = end + 1) {
        end = std::min(options.types.find(',', begin), options.types.size());
        if (!has_type(known, options.types.substr(begin, end - begin)))
            fail(4, "--type: '" + options.types + "' is not valid; expected some of " + known);
    }
}

/* As clreduce's --seed: what a file can keep. */
static uint64_t parse_seed(const char *text) {
    char *end;
    errno = 0;
    const unsigned long long seed = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || seed > INT64_MAX)
        fail(4, std::string("--seed: '") + text + "' is not valid; expected a whole number up to 2^63 - 1");
    return seed;
}

static Options parse_options(int argc, char **argv) {
    Options options;
    const char *sizes = "2^10..2^30";
    for (int i = 0; i < argc; i++)
        options.run.command += (i ? " " : "") + std::string(argv[i]);
    for (int i = 1; i < argc; i++) {
        const std::string name = argv[i];
        if (name == "--help") {
            usage(stdout);
            exit(0);
        }
        if (i + 1 == argc)
            fail(4, name + " needs a value, or is unknown; see --help");
        const char *value = argv[++i];
        if (name == "--n")
            sizes = value;
        else if (name == "--primitive")
            options.run.primitive = value;
        else if (name == "--type")
            options.types = value;
        else if (name == "--time-per-figure")
            options.run.budget_s = strtod(value, nullptr);
        else if (name == "--seed")
            options.run.seed = parse_seed(value);
        else if (name == "--device")
            options.run.device = atoi(value);
        else if (name == "--output")
            options.output = value;
        else if (name == "--figures")
            options.figures = value;
        else
            fail(4, "unknown option " + name + "; see --help");
    }
    check_types(options);
    if (!(options.run.budget_s >= 1e-3 && options.run.budget_s <= 60))
        fail(4, "--time-per-figure: expected 0.001 to 60 seconds");
    options.n = parse_sizes(sizes);
    return options;
}

/* ---- cells --------------------------------------------------------------------------------------------- */

template <typename T> struct Problem {
    const T *x;
    T *out, *mapped, *mapped_on_device;
    void *room;
    size_t room_bytes;
};

template <typename T, typename N>
static cudaError_t sum_of(void *room, size_t &room_bytes, const T *x, T *out, N n, cudaStream_t stream) {
    return cub::DeviceReduce::Sum(room, room_bytes, x, out, n, stream);
}

/* Older releases count elements in int; newer ones take what they get, and are fastest with int. */
template <typename T> static void sum(const Problem<T> &problem, T *out, uint64_t n, cudaStream_t stream) {
    size_t bytes = problem.room_bytes;
    CHECK(n <= INT_MAX ? sum_of(problem.room, bytes, problem.x, out, (int)n, stream)
                       : sum_of(problem.room, bytes, problem.x, out, (long long)n, stream));
}

template <typename T>
static Cell time_cell(const Timer &timer, const char *type, const Problem<T> &problem, uint64_t n,
                      const Sums &sums, int units_n) {
    Cell cell{"sum", type, "", n, {}, {}};
    const Call call = [&](cudaStream_t stream) { sum(problem, problem.out, n, stream); };
    time_device(
        timer, cell, call, [&] { CHECK(cudaMemset(problem.out, 0xff, sizeof(T))); },
        [&] {
            T got;
            CHECK(cudaMemcpy(&got, problem.out, sizeof(T), cudaMemcpyDeviceToHost));
            return judge(got, sums, n, units_n);
        });
    T value;
    memset(&value, 0xff, sizeof value);
    const Figure copied = time_answer(timer, "cub", [&] {
        sum(problem, problem.out, n, 0);
        CHECK(cudaMemcpy(&value, problem.out, sizeof(T), cudaMemcpyDeviceToHost));
    });
    take(cell, copied, judge(value, sums, n, units_n));
    memset(problem.mapped, 0xff, sizeof(T));
    const Figure mapped = time_answer(timer, "cub_mapped", [&] {
        sum(problem, problem.mapped_on_device, n, 0);
        CHECK(cudaStreamSynchronize(0));
        value = *(volatile T *)problem.mapped;
    });
    take(cell, mapped, judge(value, sums, n, units_n));
    return cell;
}

template <typename T>
static void time_type(const Timer &timer, const Options &options, const char *type, void *x,
                      const std::vector<Sums> &sums, int units_n, std::vector<Cell> &cells) {
    Problem<T> problem{(const T *)x, nullptr, nullptr, nullptr, nullptr, 0};
    fill<<<units_n * 16, 256>>>((T *)x, 0, options.n.back(), options.run.seed);
    CHECK(cudaGetLastError());
    CHECK(cudaMalloc((void **)&problem.out, sizeof(T)));
    CHECK(cudaHostAlloc((void **)&problem.mapped, sizeof(T), cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer((void **)&problem.mapped_on_device, problem.mapped, 0));
    for (uint64_t n : options.n) {
        size_t bytes = 0;
        CHECK(n <= INT_MAX ? sum_of<T>(nullptr, bytes, problem.x, problem.out, (int)n, 0)
                           : sum_of<T>(nullptr, bytes, problem.x, problem.out, (long long)n, 0));
        problem.room_bytes = std::max(problem.room_bytes, bytes);
    }
    CHECK(cudaMalloc(&problem.room, problem.room_bytes));
    for (size_t i = 0; i < options.n.size(); i++) {
        cells.push_back(time_cell<T>(timer, type, problem, options.n[i], sums[i], units_n));
        tell(cells.back());
    }
    CHECK(cudaFree(problem.room));
    CHECK(cudaFreeHost(problem.mapped));
    CHECK(cudaFree(problem.out));
}

/* ---- floors and the roof ------------------------------------------------------------------------------- */

static __global__ void empty_kernel() {}

/* Reads 16 bytes at a time, LOADS of them in flight, and stores in the one case that no compiler can rule
 * out. */
template <int LOADS>
static __global__ void read_only(const uint4 *x, uint64_t vectors_n, uint32_t magic, uint32_t *out) {
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
    uint32_t seen = 0;
    for (; i + (LOADS - 1) * step < vectors_n; i += LOADS * step) {
        uint4 v[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            v[k] = __ldg(&x[i + k * step]);
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            seen |= v[k].x | v[k].y | v[k].z | v[k].w;
    }
    for (; i < vectors_n; i += step) {
        const uint4 v = __ldg(&x[i]);
        seen |= v.x | v.y | v.z | v.w;
    }
    if (seen == magic)
        *out = magic;
}

/* Every form that may be the fastest, one figure each. */
static void time_reads(const Timer &timer, const void *x, uint64_t bytes, int units_n, uint32_t *out,
                       std::vector<Roof> &reads) {
    static void (*const kernels[])(const uint4 *, uint64_t, uint32_t,
                                   uint32_t *) = {read_only<4>, read_only<8>, read_only<16>};
    static const int loads[] = {4, 8, 16}, blocks[] = {256, 512}, per_unit[] = {8, 16, 32};
    for (int k = 0; k < 3; k++)
        for (int block : blocks)
            for (int count : per_unit) {
                const Call call = [&](cudaStream_t stream) {
                    kernels[k]<<<units_n * count, block, 0, stream>>>((const uint4 *)x, bytes / 16,
                                                                      0x5eed1e55, out);
                };
                const double call_s = warm_up_s(timer, call);
                CHECK(cudaGetLastError());
                reads.push_back(
                    {"kernel", bytes, loads[k], block, count, time_isolated(timer, call, call_s)});
            }
}

/* What the ruler itself shows: nothing, and a kernel that does nothing. */
static std::vector<Figure> time_floors(const Timer &timer) {
    const Call nothing = [](cudaStream_t) {};
    const Call empty = [](cudaStream_t stream) { empty_kernel<<<1, 1, 0, stream>>>(); };
    warm_up_s(timer, empty);
    std::vector<Figure> floors = {time_isolated(timer, nothing, 0), time_isolated(timer, empty, 0),
                                  time_graph(timer, empty, 2e-6)};
    floors[0].name = "isolated_nothing";
    floors[1].name = "isolated_empty_kernel";
    floors[2].name = "graph_empty_kernel";
    return floors;
}

/* ---- the run ------------------------------------------------------------------------------------------- */

/* 2^26 elements are several times the L2 cache of today's devices; of histograms 2^24 of bytes lie in it. */
enum { ROOF_N_MIN = 1 << 26, ROOF_N_MIN_OF_HISTOGRAMS = 1 << 24 };

/* Waiting must not cost a wake-up; whether it does stands in the result. Before the device is touched. */
static void open_device(int device) {
    int devices_n = 0;
    if (cudaGetDeviceCount(&devices_n) != cudaSuccess || device < 0 || device >= devices_n)
        fail(77, "no CUDA device " + std::to_string(device));
    if (device == 0)
        CHECK(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
    CHECK(cudaSetDevice(device));
}

static Timer timer_create(double budget_s) {
    Timer timer{nullptr, nullptr, nullptr, budget_s};
    CHECK(cudaStreamCreateWithFlags(&timer.stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&timer.start));
    CHECK(cudaEventCreate(&timer.end));
    return timer;
}

/* A device that idled runs at a fraction of its clock. */
static void wake_up(void *x, uint64_t n, int units_n) {
    const double start_s = clock_s();
    while (clock_s() - start_s < 0.3) {
        fill<<<units_n * 16, 256>>>((float *)x, 0, n, 0);
        CHECK(cudaDeviceSynchronize());
    }
}

static void time_sums(const Timer &timer, const Options &options, void *x, const std::vector<Sums> &sums,
                      int units_n, Run &run) {
    if (has_type(options.types, "f32"))
        time_type<float>(timer, options, "f32", x, sums, units_n, run.cells);
    if (has_type(options.types, "i32"))
        time_type<int32_t>(timer, options, "i32", x, sums, units_n, run.cells);
}

static void time_all_scans(const Timer &timer, const Options &options, void *x, int units_n, Run &run) {
    void *out;
    if (cudaMalloc(&out, 4 * options.n.back()) != cudaSuccess)
        fail(4, "no memory on the device for the results of n = " + std::to_string(options.n.back()));
    if (has_type(options.types, "f32"))
        time_scans<float>(timer, "f32", options.n, x, out, units_n, run);
    if (has_type(options.types, "i32"))
        time_scans<int32_t>(timer, "i32", options.n, x, out, units_n, run);
    Timer brief = timer;
    brief.budget_s /= 3; /* there are 25 forms */
    for (uint64_t n : options.n)
        if (n >= ROOF_N_MIN)
            time_copies(brief, x, out, 4 * n / 16 * 16, units_n, run.copies);
    CHECK(cudaFree(out));
}

static void time_all_histograms(const Timer &timer, const Options &options, void *x, int units_n, Run &run) {
    if (has_type(options.types, "u32"))
        time_histograms<uint32_t>(timer, "u32", options.n, x, units_n, run);
    if (has_type(options.types, "u8"))
        time_histograms<uint8_t>(timer, "u8", options.n, x, units_n, run);
}

/* The sizes of what is read, of each once. */
static std::set<uint64_t> roof_bytes(const Options &options) {
    std::set<uint64_t> bytes;
    const bool counts = options.run.primitive == "histogram";
    for (uint64_t n : options.n)
        for (uint64_t size : {1, 4})
            if (n >= (counts ? ROOF_N_MIN_OF_HISTOGRAMS : ROOF_N_MIN) &&
                (!counts ? size == 4 : has_type(options.types, size == 1 ? "u8" : "u32")))
                bytes.insert(size * n / 16 * 16);
    return bytes;
}

static void time_all(const Options &options, Run &run) {
    int units_n;
    void *x;
    uint32_t *out;
    CHECK(cudaDeviceGetAttribute(&units_n, cudaDevAttrMultiProcessorCount, run.device));
    if (cudaMalloc(&x, 4 * options.n.back()) != cudaSuccess)
        fail(4, "no memory on the device for n = " + std::to_string(options.n.back()));
    CHECK(cudaMalloc((void **)&out, sizeof *out));
    std::vector<Sums> sums; /* they take the host a while: before the device is woken up */
    if (options.run.primitive == "reduce")
        sums = sums_find(options.n, run.seed);
    Timer timer = timer_create(run.budget_s);
    wake_up(x, options.n.back(), units_n);
    run.floors = time_floors(timer);
    if (options.run.primitive == "reduce")
        time_sums(timer, options, x, sums, units_n, run);
    else if (options.run.primitive == "scan")
        time_all_scans(timer, options, x, units_n, run);
    else
        time_all_histograms(timer, options, x, units_n, run);
    timer.budget_s /= 3; /* there are 18 forms */
    if (options.run.primitive != "scan")
        for (uint64_t bytes : roof_bytes(options))
            time_reads(timer, x, bytes, units_n, out, run.reads);
}

static FILE *open_to_write(const std::string &path) {
    FILE *to = fopen(path.c_str(), "w");
    if (to == nullptr)
        fail(4, "cannot write " + path);
    return to;
}

int main(int argc, char **argv) {
    const Options options = parse_options(argc, argv);
    Run run = options.run;
    char started[32];
    const time_t now = time(nullptr);
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    run.started = started;
    if (options.n.back() > INT_MAX && CUB_VERSION < 200200)
        fail(4, "this release of CUB counts up to 2^31 - 1 elements; choose a smaller --n");
    FILE *to = options.output.empty() ? stdout : open_to_write(options.output);
    FILE *figures = options.figures.empty() ? nullptr : open_to_write(options.figures);
    open_device(run.device);
    time_all(options, run);
    run_write(to, run);
    if (figures != nullptr)
        figures_write(figures, run);
    if (fflush(nullptr) != 0 || ferror(to) || (figures != nullptr && ferror(figures)))
        fail(4, "cannot write the result");
    for (const Cell &cell : run.cells)
        if (!cell.verdict.right)
            return 2;
    return 0;
}
