/* NCCL's all-reduce of one float between processes of a host, by a file in memory that the unique id names.
 * The variable FAKE_NCCL makes it wrong: `drops` leaves out the last rank, `stays` answers with its first
 * answer, `silent` with none. */
#ifndef TESTS_CLI_CUDA_NCCL_H
#define TESTS_CLI_CUDA_NCCL_H

#include "cuda.hpp"

enum ncclResult_t { ncclSuccess, ncclSystemError };
enum { ncclFloat, ncclSum };
struct ncclUniqueId {
    char name[128];
};
typedef struct ncclComm *ncclComm_t;

extern "C" {
const char *ncclGetErrorString(ncclResult_t code);
ncclResult_t ncclGetVersion(int *version);
ncclResult_t ncclGetUniqueId(ncclUniqueId *id);
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank);
ncclResult_t ncclAllReduce(const void *from, void *to, size_t n, int type, int op, ncclComm_t comm,
                           cudaStream_t stream);
}

#endif
