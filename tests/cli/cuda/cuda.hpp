/* As much of CUDA as bench/cuda/nccl.cu needs, on the host, for tests: memory is the host's, a kernel is a
 * function that one thread runs, a stream does at once what it is given, and a graph keeps it. */
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
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum { cudaStreamCaptureModeThreadLocal, cudaHostAllocDefault };
typedef std::vector<std::function<void()>> *cudaGraph_t;
typedef cudaGraph_t cudaGraphExec_t;
typedef int cudaStream_t;
typedef int cudaEvent_t;

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
static inline cudaError_t cudaSetDevice(int device) {
    const char *devices = getenv("FAKE_CUDA_DEVICES");
    return device < (devices ? atoi(devices) : 8) ? cudaSuccess : cudaErrorNoDevice;
}
static inline cudaError_t cudaMalloc(void **to, size_t bytes) {
    *to = malloc(bytes);
    return cudaSuccess;
}
static inline cudaError_t cudaHostAlloc(void **to, size_t bytes, int) {
    return cudaMalloc(to, bytes);
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
