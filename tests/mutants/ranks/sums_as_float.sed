# file: src/ranks/team.c
# fault: sums of floats travel in single precision
s/    collective->from = \*mine;/& if (collective->dtype->is_float \&\& collective->op->does == RED_ADDS) collective->from.f64 = (float)mine->f64;/
