# file: src/ranks/mpi.c
# fault: sums of 64 bits travel in 32
s/\[RED_ACCUMULATOR_u64\] = MPI_UINT64_T/[RED_ACCUMULATOR_u64] = MPI_UINT32_T/
