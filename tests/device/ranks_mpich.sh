#!/usr/bin/env bash
# verify --ranks with MPICH beside another MPI: the module is built by mpicc.mpich, and the ranks are started by mpiexec.mpich. Its
# persistent collectives are those of MPI 4, and its own MPI_MIN and MPI_MAX took unsigned integers for signed ones.
#   tests/device/ranks_mpich.sh CLREDUCE [SEED]
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/check.sh"
for tool in mpicc.mpich mpiexec.mpich; do
    command -v $tool >/dev/null || { echo "skipped: no $tool (Debian: apt-get install mpich libmpich-dev)" && exit 77; }
done
seeded "${2:-$RANDOM}"
cp "$clreduce" .
judge "the module is built by mpicc.mpich" mpicc.mpich -O2 -std=c11 -Wall -Wextra -Werror -fPIC -shared -I"$root/src" -I"$root" \
    "$root/src/ranks/mpi.c" -o clreduce_mpi.so
for ranks in 2 3; do
    check "$ranks ranks of MPICH" 0 'right, 0 wrong' mpiexec.mpich -n "$ranks" ./clreduce verify --ranks --seed "$RANDOM" \
        --expect "$root/tests/expect"
done
check "persistent collectives of MPI 4" 0 '^persistent +sum of f32 +2 ' mpiexec.mpich -n 2 ./clreduce bench --ranks --n 1001 --collective persistent \
    --strategy chunk --time-per-cell 0.005 --data-sets 1
exit $failed
