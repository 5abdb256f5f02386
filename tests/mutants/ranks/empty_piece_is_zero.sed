# file: src/ranks/team.c
# fault: a rank without an element brings a 0
s/red_partial_set_identity(data->op, data->dtype, partial);/memset(partial, 0, sizeof *partial);/
