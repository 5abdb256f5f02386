# file: src/ranks/team.c
# fault: places are moved twice
s/red_partial_move_places(data->op, data->dtype, partial, call->piece->first);/& &/
