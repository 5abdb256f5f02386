# file: src/ranks/mpi.c
# fault: the last rank has the value, and rank 0 reports what it has
s/^\( *\)MPI_Reduce(asked->from, asked->to, (int)asked->n, made->type, made->op, 0, made->comm);/\1{ int size; MPI_Comm_size(made->comm, \&size); MPI_Reduce(asked->from, asked->to, (int)asked->n, made->type, made->op, size - 1, made->comm); }/
