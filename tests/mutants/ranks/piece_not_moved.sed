# file: src/ranks/team.c
# fault: each piece begins where the array does
s/piece->first = own\.first = firsts\[team->comm\.rank\];/piece->first = firsts[team->comm.rank];/
