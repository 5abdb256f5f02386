# file: src/ranks/mpi.c
# fault: signed extremes are compared as if they were unsigned
s/\[RED_ACCUMULATOR_i64\] = MPI_INT64_T/[RED_ACCUMULATOR_i64] = MPI_UINT64_T/
