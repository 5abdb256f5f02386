# file: src/ranks/mpi.c
# fault: places are compared by the upper half of their word
/^static MPI_User_function/i static void keep_upper_half(void *from, void *into, int *n, MPI_Datatype *type) { const uint64_t *a = from; uint64_t *b = into; (void)type; for (int i = 0; i < *n; i++) b[i] = a[i] >> 32 < b[i] >> 32 ? a[i] : b[i]; }
s/keep_greatest_u64, keep_least_u64}/keep_greatest_u64, keep_upper_half}/
