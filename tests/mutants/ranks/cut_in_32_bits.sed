# file: src/ranks/team.c
# fault: pieces are cut of n modulo 2^32
s/(wide)n \* before/(wide)(uint32_t)n * before/
