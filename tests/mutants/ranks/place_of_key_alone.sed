# file: src/ranks/mpi.c
# fault: places are compared by the upper half of their word
/^#define OWN_FUNCTIONS/i static void keep_upper_half(void *from, void *into, int *n, MPI_Datatype *type) { const uint64_t *a = from; uint64_t *b = into; (void)type; for (int i = 0; i < *n; i++) b[i] = a[i] >> 32 < b[i] >> 32 ? a[i] : b[i]; }
s/RED_ACCUMULATOR_u64. = OWN_FUNCTIONS(u64)/RED_ACCUMULATOR_u64] = {[RED_PICKS_LEAST] = keep_upper_half, [RED_PICKS_GREATEST] = keep_greatest_u64}/
