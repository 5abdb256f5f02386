# file: src/ranks/team.c
# fault: gather_in_order folds from the last rank on
# ranks: 3
s/&collective->all\[i\]/\&collective->all[collective->comm->size - i]/
