#!/usr/bin/env bash
# bench/cuda/gpus on two drivers of this CPU: its files, what becomes of NCCL's figures (bench/cuda/nccl.cu, made for the host by tests/cli/cuda),
# and what it says where a step fails.
#   tests/cli/gpus.sh CLREDUCE [SEED]
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/device.sh"
seeded "${2:-$RANDOM}"
# shellcheck disable=SC2153 # seeded sets RANDOM
seed=$RANDOM
part=
command -v mpirun >/dev/null || { echo "skipped: there is no mpirun: it needs openmpi-bin" && exit 77; }
[ -e "${clreduce%/*}/clreduce_mpi.so" ] || { echo "skipped: clreduce was built without MPI" && exit 77; }
need_device "$clreduce" pocl
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 NCCL_HOME=$work/nccl
PATH=$root/tests/cli/cuda:$PATH
mkdir -p nccl/include nccl/lib
cp "$root"/tests/cli/cuda/nccl.h nccl/include
judge "a library that plays NCCL" "${CXX:-c++}" -std=c++17 -O2 -shared -fPIC -I "$root/tests/cli/cuda" -o nccl/lib/libnccl.so.2 "$root/tests/cli/cuda/nccl.cc"

# gpus FOLDER STATUS OPTION...: two ranks of one driver; what it says lies in FOLDER.log.
gpus() {
    "$root/bench/cuda/gpus" --clreduce "$clreduce" --device pocl --ranks 2 --n "$n" --each-n 2^10 --strategy chunk --each-strategy chunk --seed "$seed" \
        --time-per-cell 0.004 --output "$1" "${@:3}" >"$1.log" 2>&1 </dev/null
    local status=$?
    if [ $status = "$2" ]; then ok "$1: exit status $2"; else fail "$1" "exit status $status, not $2: $(tail -n 20 "$1.log")"; fi
}
n=$((1000 + RANDOM)),$((70000 + RANDOM))
gpus whole 0
for file in ranks.json nccl-1.json nccl-2.json each.json report.html; do
    judge "$file" test -s "whole/$file"
done
fits_schema whole/nccl-1.json result
fits_schema whole/nccl-2.json result
judge "NCCL's rows: each form with one and two ranks, strong and weak, and the all-reduce alone" python3 - whole "$n" "$root/results" <<'PYTHON'
import json, sys
sys.path.insert(0, sys.argv[3])
from run_file import rows_of
folder, sizes = sys.argv[1], [int(n) for n in sys.argv[2].split(",")]
file = json.load(open(f"{folder}/nccl-1.json"))
all_rows = rows_of(file)
rows = {(row["kind"], row["collective"], row["n"], row["ranks"], row["weak"]) for row in all_rows}
forms = "nccl", "nccl_polled", "nccl_graph"
assert rows == {("alone", form, 0, ranks, False) for form in forms for ranks in (1, 2)} | {
    ("peer", form, n * (ranks if weak else 1), ranks, weak) for form in forms for n in sizes for ranks in (1, 2) for weak in (False, True)}, rows
assert len(rows) == len(all_rows)
assert all(len(row["samples_s"]["total"]) == 18 and min(row["samples_s"]["total"]) > 0 for row in all_rows)
assert file["suite"]["version"] == "CUDA 13.7, NCCL 1.23.45" and all_rows[-1]["calls_per_sample"] >= 1
PYTHON
check "the page has both" 0 'cub with nccl, cub with nccl_polled, cub with nccl_graph are of another program' "$root/tests/tools/page_text.py" whole/report.html
check "the table of scaling has both" 0 '^\| weak \| .* [um]?s \| [0-9.]+ \|$' "$root/results/scaling.py" whole/ranks.json whole/nccl-1.json whole/nccl-2.json
check "no file is written over" 4 'whole has files already; name another folder' "$root/bench/cuda/gpus" --output whole
touch file
check "a file instead of a folder" 4 'cannot make the folder file: File exists' "$root/bench/cuda/gpus" --clreduce "$clreduce" --output file
check "no program" 4 'there is no program ./none' "$root/bench/cuda/gpus" --clreduce ./none --output new
check "a time" 4 'time-per-cell: nan is not valid; expected seconds' "$root/bench/cuda/gpus" --output new --time-per-cell nan
check "a size" 4 "'2\^x' is not valid" "$root/bench/cuda/gpus" --output new --n '2^x'

n=3000
FAKE_NCCL=drops gpus drops 2
check "a wrong result of NCCL's is told" 0 'nccl: wrong: [0-9.]+ instead of [0-9.]+, n = ' cat drops.log
judge "and keeps nothing else from being measured" test -s drops/report.html -a ! -e drops/nccl-1.json
# nccl ARGUMENT...: the program, with two ranks.
nccl() {
    rm -f met
    mpirun -q -n 2 --oversubscribe whole/nccl "$PWD/met" "$@"
}
FAKE_CUDA_DEVICES=1 check "fewer GPUs than ranks" 5 'nccl: cudaSetDevice.*no CUDA-capable device is detected' nccl 1 0.01 1000
FAKE_NCCL=stays check "an answer from before" 2 'nccl: wrong: 1.000000 instead of [0-9.]+, n = 1000' nccl 1 0.01 1000
FAKE_NCCL=silent check "no answer at all" 2 'nccl: wrong: .* instead of 1.000000, n = 0' nccl 1 0.01 1000
check "no mpirun" 4 'usage: mpirun -n RANKS nccl SHARED' whole/nccl met 1 0.01 1000
judge "the program has no more than 200 lines" test "$(wc -l <"$root/bench/cuda/nccl.cu")" -le 200
# One processor for two ranks, as threads of one core are: none can have a core of its own.
check "fewer cores than ranks" 0 'ranks: mpirun -n 2 --oversubscribe --bind-to none ' taskset -c "$(taskset -cp $$ | grep -o '[0-9]*$')" \
    "$root/bench/cuda/gpus" --clreduce "$clreduce" --device pocl --ranks 2 --n 1000 --each-n 1000 --strategy chunk --each-strategy chunk \
    --time-per-cell 0.002 --nccl no --output narrow
judge "without NCCL there are no files of it" test -e narrow/report.html -a ! -e narrow/nccl-1.json

# Ended while NCCL's ranks work: they end, too, and so does their file in memory.
"$root/bench/cuda/gpus" --clreduce "$clreduce" --device pocl --ranks 2 --nccl "$PWD/whole/nccl" --n 2^23 --time-per-cell 5 --output ended \
    >ended.log 2>&1 </dev/null &
ended=$!
shared=
for ((i = 0; i < 300 && ${#shared} == 0; i++)); do
    sleep 0.1
    shared=$(pgrep -af "^$PWD/whole/nccl /dev/shm/" | grep -o '/dev/shm/[^ ]*' | head -n 1)
done
kill -TERM $ended
wait $ended
judge "a signal ends it" test $? = 143
judge "NCCL's ranks had begun" test -n "$shared"
judge "their file in memory is gone" test ! -e "${shared%/*}/"
for ((i = 0; i < 100; i++)); do # mpirun kills them, and need not see them end
    pgrep -f "^$PWD/whole/nccl " >/dev/null || break
    sleep 0.1
done
judge "and so are they" test -z "$(pgrep -af "^$PWD/whole/nccl ")"
exit $failed
