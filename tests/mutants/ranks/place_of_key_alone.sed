# file: src/ranks/mpi.c
# fault: places are compared by the upper half of their word
s/b\[i\] = a\[i\] < b\[i\] ? a\[i\] : b\[i\];/b[i] = a[i] >> 32 < b[i] >> 32 ? a[i] : b[i];/
