# file: src/model/exact.c
# fault: carries of added words are lost
s/^    memcpy(sum->limbs, words, sizeof sum->limbs);/& for (int i = 0; i < RED_EXACT_LIMBS - 1; i++) sum->limbs[i] \&= 0xffffffff;/
