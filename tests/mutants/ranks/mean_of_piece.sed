# file: src/ranks/measure.c
# fault: a mean is divided by the elements of rank 0's piece
s/timing->call->piece->whole_n/timing->call->piece->n/
