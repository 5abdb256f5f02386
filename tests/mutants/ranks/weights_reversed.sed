# file: src/ranks/team.c
# fault: one rank cuts by the weights in reverse order
s/red_pieces_cut(spec->n, team->weights,/double turned[64]; for (int i = 0; i < team->ranks_n; i++) turned[i] = team->weights[team->comm.rank == 1 ? team->ranks_n - 1 - i : i]; red_pieces_cut(spec->n, turned,/
