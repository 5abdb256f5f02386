# file: src/ranks/team.c
# fault: a persistent collective sends what it sent first
s/    collective->from = \*mine;/& static struct red_partial kept; static const struct red_collective *of; if (of != collective) kept = *mine; of = collective; if (collective->row->persistent) collective->from = kept;/
