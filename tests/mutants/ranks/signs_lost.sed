# file: src/ranks/mpi.c
# fault: signed extremes are compared as if they were unsigned
s/OWN(verb, i64, int64_t, combine)/OWN(verb, i64, uint64_t, combine)/
