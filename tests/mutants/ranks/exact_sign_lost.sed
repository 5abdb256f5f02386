# file: src/ranks/team.c
# fault: the word that has the sign of an exact sum does not travel
s/asked\.n = RED_EXACT_WORDS;/asked.n = RED_EXACT_LIMBS - 1;/
