#include "nccl.h"

#include <atomic>
#include <cstdio>
#include <string>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

enum { RANKS_MAX = 16 };

struct met {
    std::atomic<int> arrived, turn;
    float values[RANKS_MAX];
};
struct ncclComm {
    int rank, ranks;
    met *where;
    bool has_answered;
    float first;
};

static void wait_for_all(const ncclComm *comm) {
    const int now = comm->where->turn;
    if (++comm->where->arrived == comm->ranks) {
        comm->where->arrived = 0;
        ++comm->where->turn;
    }
    while (comm->where->turn == now)
        sched_yield();
}

const char *ncclGetErrorString(ncclResult_t) {
    return "unhandled system error";
}
ncclResult_t ncclGetVersion(int *version) {
    *version = 12345;
    return ncclSuccess;
}
ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
    static int made;
    snprintf(id->name, sizeof id->name, "/dev/shm/clreduce-fake-nccl-%d-%d", (int)getpid(), made++);
    return ncclSuccess;
}
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank) {
    const int file = open(id.name, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof(met)) != 0)
        return ncclSystemError;
    void *where = mmap(nullptr, sizeof(met), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    *comm = new ncclComm{rank, ranks, (met *)where, false, 0};
    wait_for_all(*comm);
    unlink(id.name);
    return ncclSuccess;
}
ncclResult_t ncclAllReduce(const void *from, void *to, size_t, int, int, ncclComm_t comm, cudaStream_t) {
    const char *text = getenv("FAKE_NCCL");
    const std::string fault = text ? text : "";
    enqueue_or_keep([=] {
        float sum = 0;
        comm->where->values[comm->rank] = *(const float *)from;
        wait_for_all(comm);
        for (int r = 0; r < comm->ranks - (fault == "drops" && comm->ranks > 1); r++)
            sum += comm->where->values[r];
        wait_for_all(comm);
        if (!comm->has_answered)
            comm->first = sum;
        comm->has_answered = true;
        if (fault != "silent")
            *(float *)to = fault == "stays" ? comm->first : sum;
    });
    return ncclSuccess;
}
