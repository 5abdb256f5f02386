# file: src/ranks/team.c
# fault: the fold of what was gathered counts rank 0 twice
s/for (int i = 1; i < collective->comm->size/for (int i = 0; i < collective->comm->size/
