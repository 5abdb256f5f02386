# file: src/ranks/team.c
# fault: an element before each piece but the first is nobody's
s/firsts\[team->comm\.rank + 1\] - piece->first;/& if (piece->first > 0 \&\& piece->n > 0) { piece->first = ++own.first; piece->n = --own.n; }/
