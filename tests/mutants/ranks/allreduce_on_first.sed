# file: src/ranks/mpi.c
# fault: the value of an allreduce is right on rank 0 alone
s/MPI_Allreduce(asked->from, asked->to, (int)asked->n, made->type, made->op, made->comm);/MPI_Reduce(asked->from, asked->to, (int)asked->n, made->type, made->op, 0, made->comm);/
