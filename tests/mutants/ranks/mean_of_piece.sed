# file: src/ranks/team.c
# fault: a mean is divided by the elements of the rank's own piece, if it has any
s/timing->call->piece->whole_n/(timing->call->piece->n > 0 ? timing->call->piece->n : timing->call->piece->whole_n)/
