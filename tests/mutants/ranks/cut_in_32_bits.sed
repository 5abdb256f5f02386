# file: src/ranks/pieces.c
# fault: pieces are cut of n modulo 2^32
s/(wide)n \* before/(wide)(uint32_t)n * before/
