# file: src/ranks/team.c
# fault: the last rank's piece ends an element early
s/firsts\[team->comm\.rank + 1\] - piece->first;/& if (team->comm.rank + 1 == team->ranks_n \&\& piece->n > 1) piece->n = --own.n;/
