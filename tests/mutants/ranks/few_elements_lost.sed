# file: src/ranks/team.c
# fault: of fewer elements than ranks the first one is dropped
s/firsts\[team->comm\.rank + 1\] - piece->first;/& if (spec->n < (uint64_t)team->ranks_n \&\& piece->first == 0) piece->n = own.n = 0;/
