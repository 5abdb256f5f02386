# file: src/ranks/team.c
# fault: the elements of the whole array are counted in 32 bits
s/&collective->to, n)/\&collective->to, (uint32_t)n)/
