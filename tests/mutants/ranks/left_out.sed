# file: src/ranks/team.c
# fault: the fold of what was gathered leaves out the last rank
s/i < collective->comm->size &&/i < collective->comm->size - 1 \&\&/
