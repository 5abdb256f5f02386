# file: src/ranks/team.c
# fault: places count from the piece's begin
s/red_partial_move_places(data->op, data->dtype, partial, call->piece->first);//
