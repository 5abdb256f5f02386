# file: src/ranks/team.c
# fault: n times a weight is counted in 64 bits
s/(wide)n \* before/n * before/
