# file: src/ranks/team.c
# fault: places are moved to where the next rank's piece begins
s/red_partial_move_places(data->op, data->dtype, partial, call->piece->first);/red_partial_move_places(data->op, data->dtype, partial, call->piece->first + call->piece->n);/
