# file: src/ranks/team.c
# fault: the answer is that of the collective's call before
s/    collective->from = \*mine;/& static struct red_partial kept; static const struct red_collective *of; if (of == collective) collective->from = kept; kept = *mine; of = collective;/
