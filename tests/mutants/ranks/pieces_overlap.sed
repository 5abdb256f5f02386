# file: src/ranks/team.c
# fault: all pieces but the last have the next one's first element, too
s/firsts\[team->comm\.rank + 1\] - piece->first;/& if (team->comm.rank + 1 < team->ranks_n \&\& piece->n > 0 \&\& piece->first + piece->n < spec->n) piece->n = ++own.n;/
