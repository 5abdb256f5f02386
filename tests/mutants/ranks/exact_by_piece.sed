# file: src/ranks/collective.c
# fault: an exact mean is not divided
s/const double parts_n = .*;/const double parts_n = 1;/
