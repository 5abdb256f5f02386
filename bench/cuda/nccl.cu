/* What CUDA makes of one array of f32 over the GPUs of a host: CUB's sum of each GPU's piece, then NCCL's
 * all-reduce of the one value. Prints form, n, ranks, weak, calls per sample, samples in seconds, of which
 * bench/cuda/gpus makes a result file over ranks: mpirun -n 2 build/nccl SHARED SEED SECONDS_PER_CELL N..., SHARED being a
 * new file in /dev/shm. Elements, launcher and clock are those of bench --ranks; a call ends when the last
 * rank sees the value; each is checked. `nccl` copies it to the host and waits for the stream, `nccl_polled`
 * has NCCL write it to the host's memory and looks there, `nccl_graph` launches the latter as a graph. n = 0
 * is the all-reduce alone. Exit status: 0; 2 a wrong result; 4 bad usage; 5 a call failed. */
#define PROGRAM "nccl"
#include <atomic>

#include <cub/device/device_reduce.cuh>
#include <fcntl.h>
#include <nccl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cub_data.cuh"
#include "cub_timing.cuh"

enum { RANKS_MAX = 16, TEAMS_MAX = 8, FORMS = 3, SAMPLES = 18, CALLS_MAX = 512, UNTIMED = 3 };
static const char *const forms[FORMS] = {"nccl", "nccl_polled", "nccl_graph"};

static void check(ncclResult_t code, const char *call) {
    if (code != ncclSuccess)
        fail(5, std::string(call) + ": " + ncclGetErrorString(code));
}

struct alignas(128) Barrier { /* a cache line of its own: other teams spin at theirs */
    std::atomic<int> arrived, turn;
    void wait(int ranks) {
        const int now = turn;
        if (++arrived == ranks) {
            arrived = 0;
            ++turn;
        }
        while (turn == now) {
        }
    }
};

/* What the processes share, among it when each began and ended a call. */
static struct Shared {
    Barrier barriers[TEAMS_MAX];
    ncclUniqueId ids[TEAMS_MAX];
    double begin_s[RANKS_MAX][CALLS_MAX], end_s[RANKS_MAX][CALLS_MAX];
} * shared;
static int rank; /* this process */

/* The first so many ranks, and what this one has of their array. */
struct Team {
    int ranks;
    Barrier *barrier;
    ncclComm_t comm;
    cudaStream_t stream;
    uint64_t n, piece_n, calls; /* n: of the whole array; 0: the all-reduce alone, of a 1 from each rank */
    float expected, bound;
    float *x, *sums, *host; /* sums: this rank's, and that of all */
    void *room;
    size_t room_bytes;
    cudaGraphExec_t graph;
};

static void reduce(Team &t) {
    CHECK(t.piece_n <= INT32_MAX
              ? cub::DeviceReduce::Sum(t.room, t.room_bytes, t.x, t.sums, (int)t.piece_n, t.stream)
              : cub::DeviceReduce::Sum(t.room, t.room_bytes, t.x, t.sums, (long long)t.piece_n, t.stream));
}

static void enqueue(Team &t, float *to) {
    if (t.n > 0)
        reduce(t);
    CHECK(ncclAllReduce(t.sums, to, 1, ncclFloat, ncclSum, t.comm, t.stream));
}

/* Looks at the host's memory, as `polled_stride` does, and now and then whether the device has failed. */
static void wait_for_value(const Team &t) {
    for (unsigned looks = 1; std::isnan(*(volatile float *)t.host); looks++)
        if (looks % (1 << 20) == 0 && cudaStreamQuery(t.stream) != cudaErrorNotReady)
            return CHECK(cudaStreamSynchronize(t.stream));
}

static void call_once(Team &t, int form, uint64_t i) {
    *t.host = NAN;
    t.barrier->wait(t.ranks);
    shared->begin_s[rank][i] = clock_s();
    form == 2 ? CHECK(cudaGraphLaunch(t.graph, t.stream)) : enqueue(t, form == 0 ? t.sums + 1 : t.host);
    if (form == 0)
        CHECK(cudaMemcpyAsync(t.host, t.sums + 1, sizeof(float), cudaMemcpyDeviceToHost, t.stream));
    form == 0 ? CHECK(cudaStreamSynchronize(t.stream)) : wait_for_value(t);
    shared->end_s[rank][i] = clock_s();
    if (!(fabsf(*t.host - t.expected) <= t.bound))
        fail(2, "wrong: " + std::to_string(*t.host) + " instead of " + std::to_string(t.expected) +
                    ", n = " + std::to_string(t.n));
}

/* The mean of a batch's calls, each from the first rank's begin to the last one's end. */
static double time_batch(Team &t, int form) {
    double sum_s = 0;
    for (uint64_t i = 0; i < UNTIMED + t.calls; i++)
        call_once(t, form, i < UNTIMED ? 0 : i - UNTIMED);
    t.barrier->wait(t.ranks);
    for (uint64_t i = 0; i < t.calls; i++) {
        double begin_s = INFINITY, end_s = 0;
        for (int r = 0; r < t.ranks; r++) {
            begin_s = std::min(begin_s, shared->begin_s[r][i]);
            end_s = std::max(end_s, shared->end_s[r][i]);
        }
        sum_s += end_s - begin_s;
    }
    t.barrier->wait(t.ranks);
    return sum_s / (double)t.calls;
}

/* Makes this rank's piece, its graph, and the right answer with judge()'s bound, of 64 multiprocessors. */
static void prepare(Team &t, uint64_t n, uint64_t seed, double cell_s) {
    const uint64_t first = n / t.ranks * rank;
    const Verdict right = judge(0.0F, sums_find({n}, seed)[0], n / t.ranks, 64);
    const float one = 1;
    cudaGraph_t graph;
    t.n = n;
    t.expected = n > 0 ? (float)right.expected : (float)t.ranks;
    t.bound = (float)right.bound;
    t.piece_n = rank + 1 < t.ranks ? n / t.ranks : n - first;
    fill<<<2048, 256>>>(t.x, first, t.piece_n, seed);
    CHECK(cudaMemcpy(t.sums, &one, sizeof one, cudaMemcpyHostToDevice));
    enqueue(t, t.host); /* NCCL connects at its first call */
    CHECK(cudaStreamSynchronize(t.stream));
    CHECK(cudaStreamBeginCapture(t.stream, cudaStreamCaptureModeThreadLocal));
    enqueue(t, t.host);
    CHECK(cudaStreamEndCapture(t.stream, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&t.graph, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    const double about_s = 20e-6 + 2e-12 * (double)n / t.ranks; /* the same on all ranks */
    t.calls = (uint64_t)std::min<double>(CALLS_MAX, 1 + cell_s / SAMPLES / about_s);
}

/* Measures all teams and forms in turns; rank 0 prints a line for each. */
static void measure(std::vector<Team> &teams, uint64_t n, bool weak, uint64_t seed, double cell_s) {
    std::vector<double> samples_s[TEAMS_MAX][FORMS];
    for (Team &t : teams)
        prepare(t, weak ? n * t.ranks : n, seed, cell_s);
    for (int turn = 0; turn < SAMPLES * FORMS; turn++)
        for (size_t i = 0; i < teams.size(); i++)
            samples_s[i][turn % FORMS].push_back(time_batch(teams[i], turn % FORMS));
    for (size_t i = 0; i < teams.size(); i++) {
        for (int form = 0; form < FORMS && rank == 0; form++) {
            const Team &t = teams[i];
            printf("%s,%llu,%d,%d,%d", forms[form], (unsigned long long)t.n, t.ranks, weak, (int)t.calls);
            for (double sample_s : samples_s[i][form])
                printf(",%.7g", sample_s);
            puts("");
        }
        CHECK(cudaGraphExecDestroy(teams[i].graph));
    }
}

/* Joins the first so many ranks, with room for the longest piece. */
static Team join(int number, int ranks, uint64_t most) {
    Team t{ranks, &shared->barriers[number]};
    if (rank == 0)
        CHECK(ncclGetUniqueId(&shared->ids[number]));
    t.barrier->wait(ranks);
    CHECK(ncclCommInitRank(&t.comm, ranks, shared->ids[number], rank));
    CHECK(cudaStreamCreate(&t.stream));
    CHECK(cudaMalloc((void **)&t.x, (most + 1) * sizeof(float)));
    CHECK(cudaMalloc((void **)&t.sums, 2 * sizeof(float)));
    CHECK(cudaHostAlloc((void **)&t.host, sizeof(float), cudaHostAllocDefault));
    t.piece_n = most;
    reduce(t); /* says how much room it needs */
    CHECK(cudaMalloc(&t.room, t.room_bytes));
    return t;
}

static int launched(const char *ompi, const char *pmi) {
    const char *text = getenv(ompi) ? getenv(ompi) : getenv(pmi);
    return text != nullptr ? atoi(text) : -1;
}

int main(int argc, char **argv) {
    std::vector<uint64_t> sizes{0};
    std::vector<Team> teams;
    rank = launched("OMPI_COMM_WORLD_RANK", "PMI_RANK");
    const int all = launched("OMPI_COMM_WORLD_SIZE", "PMI_SIZE"),
              file = argc > 4 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
    if (rank < 0 || all > RANKS_MAX || file < 0 || ftruncate(file, sizeof *shared) != 0)
        fail(4, "usage: mpirun -n RANKS nccl SHARED SEED SECONDS_PER_CELL N..., of at most 16 ranks");
    shared = (Shared *)mmap(nullptr, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    for (int i = 4; i < argc; i++)
        sizes.push_back(strtoull(argv[i], nullptr, 10));
    CHECK(cudaSetDevice(rank));
    for (int number = 0, n = 0; n < all; number++) {
        n = std::min(all, number == 0 ? 1 : 2 * n);
        if (rank < n)
            teams.push_back(join(number, n, *std::max_element(sizes.begin(), sizes.end())));
    }
    for (uint64_t n : sizes)
        for (int weak = 0; weak < (n > 0 ? 2 : 1); weak++)
            measure(teams, n, weak, strtoull(argv[2], nullptr, 10), atof(argv[3]));
    return 0;
}
