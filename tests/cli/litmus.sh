#!/usr/bin/env bash
# The verb litmus on PoCL: each test is in the output once, what x86 shows is seen and what is forbidden is not, sums are possible; a
# planted driver whose fences are empty is found; what cannot be asked is refused.
#   litmus.sh CLREDUCE LAYER [SEED]
set -u
# shellcheck source=tests/tools/check.sh
. "$(dirname "$0")/../tools/check.sh"
cd "$OLDPWD" || exit 1
clreduce=$(realpath "$1")
layer=$(realpath "$2")
seed=${3:-$RANDOM}
echo "seed $seed"
cd "$work" || exit 1

"$clreduce" litmus --device pocl --seed "$seed" --budget 6 --format json --output all.json >out 2>&1
judge "litmus ends with 0 on a driver that keeps what OpenCL promises" test $? = 0
judge "every file is a row, and a row agrees with itself" python3 - all.json "$root" <<'PYTHON'
import glob, json, os, sys
rows = json.load(open(sys.argv[1]))
files = {os.path.basename(path)[:-7] for path in glob.glob(f"{sys.argv[2]}/kernels_cl*/litmus/*.litmus")}
names = [row["test"] for row in rows]
assert sorted(names) == sorted(files), set(names) ^ files
for row in rows:
    seen, twin, answer = row["weak"], row["mutant_weak"], row["answer"]
    assert seen <= row["instances"] and twin <= row["mutant_instances"], row
    assert answer not in ("broken", "finding", "failed"), row
    assert (answer == "seen") == (seen > 0), row
    assert (answer == "not-seen") == (seen == 0 and twin > 0), row
PYTHON

# answer_of TEST [FAULT]: of a driver with that fault of the layer's.
answer_of() {
    OPENCL_LAYERS=$layer CLREDUCE_FAULT=${2:-} POCL_CACHE_DIR=$work/cache \
        "$clreduce" litmus --device pocl --seed "$seed" --test "$1" --budget 15 --format csv >one.csv 2>out
    sed -n 2p one.csv | cut -d, -f8
}
judge "store buffering by relaxed atomics is seen on x86" test "$(answer_of sb_rlx)" = seen
judge "a driver whose fences are empty is found by sb_fence_sc" grep -qxE 'broken|finding' <<<"$(answer_of sb_fence_sc empty_fence)"
judge "a driver that takes seq_cst for relaxed is found by sb_sc" grep -qxE 'broken|finding' <<<"$(answer_of sb_sc relaxed_seq_cst)"

# Tests of a family are built in one program, from which one that its driver does not build falls out alone.
# answers_of TESTS FAULT: "TEST ANSWER" each, and how many programs were made.
answers_of() {
    rm -f counts
    OPENCL_LAYERS=$layer CLREDUCE_FAULT=$2 CLREDUCE_COUNTS=$work/counts POCL_CACHE_DIR=$work/cache \
        "$clreduce" litmus --device pocl --seed "$seed" --test "$1" --budget 3 --format csv >some.csv 2>out
    sed 1d some.csv | cut -d, -f2,8 | tr , ' '
    grep -o 'programs [0-9]*' counts | awk '{ n += $2 } END { print n }' >programs
}
family=sb_rel_acq,sb_rlx,sb_sc
answers_of sb_rlx '' >one
one=$(cat programs)
answers_of "$family" '' >three
judge "the tests of a family are one program" test "$(wc -l <three) $(cat programs)" = "3 $one"
for fault in no_exchange crash_exchange; do
    answers_of "$family,sb_exchange_acq_rel" "$fault" >four
    judge "with $fault one test of its family fails" test "$(grep ' failed$' four)" = "sb_exchange_acq_rel failed"
    judge "and the others do not" test "$(grep -cE ' (seen|not-seen|not-observable)$' four)" = 3
done

check "--source prints the kernel" 0 'atomic_store_explicit.*memory_order_release, memory_scope_device' "$clreduce" litmus --source mp_rel_acq
check "an unknown test is refused with the nearest name" 4 'mp_rel_acq' "$clreduce" litmus --test mp_rel_ac
exit "$failed"
