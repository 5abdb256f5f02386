# file: src/ranks/team.c
# fault: an exact mean is not divided
s/red_exact_round(&sum, .*, result);/red_exact_round(\&sum, 1, result);/
