# file: src/ranks/mpi.c
# fault: of equal keys of pairs the later place wins
s/a\[i\]\.index < b\[i\]\.index/a[i].index > b[i].index/
