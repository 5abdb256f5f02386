/* As much of CUDA as bench/cuda/nccl.cu and cub.cu need, on the host, for tests: memory is the host's, a kernel
 * is a function that one thread runs, a stream does at once what it is given, and a graph keeps it. */
#ifndef TESTS_CLI_CUDA_HPP
#define TESTS_CLI_CUDA_HPP

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#define __host__
#define __device__
#define __global__

static struct { unsigned x; } blockIdx, threadIdx, blockDim = {1}, gridDim = {1};
static inline long long clock64() {
    static long long clocks;
    return clocks += 1000000;
}

enum cudaError_t { cudaSuccess, cudaErrorNoDevice, cudaErrorNotReady };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum { cudaStreamCaptureModeThreadLocal, cudaHostAllocDefault, cudaHostAllocMapped, cudaStreamNonBlocking };
enum { cudaDeviceScheduleSpin = 1, cudaDeviceScheduleMask = 7, cudaDevAttrMultiProcessorCount = 16 };
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 7
#define __CUDACC_VER_BUILD__ 1
typedef std::vector<std::function<void()>> *cudaGraph_t;
typedef cudaGraph_t cudaGraphExec_t;
typedef struct fake_stream *cudaStream_t;
typedef struct fake_event *cudaEvent_t;
struct cudaDeviceProp {
    char name[64];
    int major, minor, multiProcessorCount, maxThreadsPerBlock;
    size_t totalGlobalMem, sharedMemPerBlock;
};
struct cudaFuncAttributes {
    int binaryVersion;
};
struct uint4 {
    uint32_t x, y, z, w;
};

/* What is captured, or NULL. */
inline cudaGraph_t &captured() {
    static cudaGraph_t graph;
    return graph;
}
static inline void enqueue_or_keep(const std::function<void()> &work) {
    if (captured() != nullptr)
        captured()->push_back(work);
    else
        work();
}

static inline const char *cudaGetErrorString(cudaError_t) {
    return "no CUDA-capable device is detected";
}
static inline cudaError_t cudaGetDeviceCount(int *n) {
    const char *devices = getenv("FAKE_CUDA_DEVICES");
    *n = devices ? atoi(devices) : 8;
    return cudaSuccess;
}
static inline cudaError_t cudaSetDevice(int device) {
    int n;
    return cudaGetDeviceCount(&n) == cudaSuccess && device < n ? cudaSuccess : cudaErrorNoDevice;
}
/* A name that JSON has to escape. */
static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *made, int) {
    *made = {"A \"GPU\" \\", 9, 0, 2, 1024, size_t(1) << 37, 49152};
    return cudaSuccess;
}
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *made, const void *) {
    made->binaryVersion = 90;
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceGetAttribute(int *value, int, int) {
    *value = 2;
    return cudaSuccess;
}
static inline cudaError_t cudaSetDeviceFlags(unsigned) {
    return cudaSuccess;
}
static inline cudaError_t cudaGetDeviceFlags(unsigned *flags) {
    *flags = cudaDeviceScheduleSpin;
    return cudaSuccess;
}
static inline cudaError_t cudaDriverGetVersion(int *version) {
    *version = 13010;
    return cudaSuccess;
}
static inline cudaError_t cudaRuntimeGetVersion(int *version) {
    *version = 13000;
    return cudaSuccess;
}
static inline cudaError_t cudaGetLastError() {
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceSynchronize() {
    return cudaSuccess;
}
template <typename T> static inline T __ldg(const T *from) {
    return *from;
}
static inline void atomicAdd(unsigned long long *to, unsigned long long value) {
    *to += value;
}
static inline void atomicMin(unsigned long long *to, unsigned long long value) {
    *to = value < *to ? value : *to;
}
static inline cudaError_t cudaMalloc(void **to, size_t bytes) {
    *to = malloc(bytes);
    return cudaSuccess;
}
static inline cudaError_t cudaHostAlloc(void **to, size_t bytes, int) {
    return cudaMalloc(to, bytes);
}
static inline cudaError_t cudaHostGetDevicePointer(void **to, void *from, int) {
    *to = from;
    return cudaSuccess;
}
static inline cudaError_t cudaFree(void *memory) {
    free(memory);
    return cudaSuccess;
}
static inline cudaError_t cudaFreeHost(void *memory) {
    return cudaFree(memory);
}
static inline cudaError_t cudaMemset(void *to, int value, size_t bytes) {
    memset(to, value, bytes);
    return cudaSuccess;
}
static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
    memcpy(to, from, bytes);
    return cudaSuccess;
}
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                                          cudaStream_t) {
    enqueue_or_keep([=] { memcpy(to, from, bytes); });
    return cudaSuccess;
}
static inline cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    *stream = 0;
    return cudaSuccess;
}
static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, int) {
    return cudaStreamCreate(stream);
}
static inline cudaError_t cudaStreamQuery(cudaStream_t) {
    return cudaSuccess;
}
static inline cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return cudaSuccess;
}
static inline cudaError_t cudaStreamBeginCapture(cudaStream_t, int) {
    captured() = new std::vector<std::function<void()>>;
    return cudaSuccess;
}
static inline cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *graph) {
    *graph = captured();
    captured() = nullptr;
    return cudaSuccess;
}
static inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *made, cudaGraph_t graph, int) {
    *made = new std::vector<std::function<void()>>(*graph);
    return cudaSuccess;
}
static inline cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t) {
    for (const std::function<void()> &work : *graph)
        work();
    return cudaSuccess;
}
static inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graph;
    return cudaSuccess;
}
static inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
    delete graph;
    return cudaSuccess;
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event) {
    *event = nullptr;
    return cudaSuccess;
}
static inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
    return cudaSuccess;
}
static inline cudaError_t cudaEventSynchronize(cudaEvent_t) {
    return cudaSuccess;
}
static inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t) {
    *ms = 1;
    return cudaSuccess;
}

#endif
