# file: src/ranks/mpi.c
# fault: signed extremes are compared as if they were unsigned
s/^KEEP(i64, int64_t)/KEEP(i64, uint64_t)/
