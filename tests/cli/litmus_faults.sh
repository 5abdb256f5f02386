#!/usr/bin/env bash
# Planted drivers and litmus tests, on PoCL: what a strategy stands on is refused where it is seen broken; a test that its driver does not
# build, or whose compiling kills it, falls out of its family's program alone.
#   litmus_faults.sh CLREDUCE LAYER [SEED]
set -u
# shellcheck source=tests/tools/check.sh
. "$(dirname "$0")/../tools/check.sh"
cd "$OLDPWD" || exit 1
clreduce=$(realpath "$1")
layer=$(realpath "$2")
seed=${3:-$RANDOM}
echo "seed $seed"
cd "$work" || exit 1

# What a strategy stands on is asked before it runs, and what was seen is the reason.
scan() {
    OPENCL_LAYERS=$layer CLREDUCE_FAULT=$1 "$clreduce" verify --device pocl --primitive scan --strategy look_back \
        --n 1000 --wg 64 --type i32 --op inclusive_sum --seed "$seed" "${@:2}"
}
check "a driver that stores words of 64 bits in halves: look_back is refused, with what was seen" 77 \
    'no word_publication: word64_volatile: [0-9.e+]+ of [0-9.e+]+, first after' scan torn_words
check "the same kernel runs despite the probe" 0 'look_back' scan torn_words --despite-probes
check "a driver whose volatile loads are stale: look_back is refused" 77 \
    'no volatile_between_groups: of [0-9]+ waits by volatile loads for a lower ticket [0-9]+ not answered' scan stale_volatile
# Tests of a family are built in one program, from which one that its driver does not build falls out alone.
# answers_of TESTS FAULT: "TEST ANSWER" each, and how many programs were made.
answers_of() {
    rm -f counts
    OPENCL_LAYERS=$layer CLREDUCE_FAULT=$2 CLREDUCE_COUNTS=$work/counts \
        "$clreduce" litmus --device pocl --seed "$seed" --test "$1" --budget 5 --format csv >some.csv 2>out
    sed 1d some.csv | cut -d, -f2,8 | tr , ' '
    grep -o 'programs [0-9]*' counts | awk '{ n += $2 } END { print n }' >programs
}
family=sb_rel_acq,sb_rlx,sb_sc
answers_of sb_sc '' >one
one=$(cat programs)
answers_of "$family" '' >three
judge "programs are counted" test "${one:-0}" -gt 0
judge "the tests of a family are one program" test "$(wc -l <three) $(cat programs)" = "3 $one"
for fault in no_exchange crash_exchange; do
    answers_of "$family,sb_exchange_acq_rel" "$fault" >four
    judge "with $fault one test of its family fails" test "$(grep ' failed$' four)" = "sb_exchange_acq_rel failed"
    judge "and the others do not" test "$(grep -cE ' (seen|not-seen|not-observable)$' four)" = 3
done
judge "a driver whose fences are empty is found by sb_fence_sc" grep -qxE 'sb_fence_sc (broken|finding)' \
    <<<"$(answers_of sb_fence_sc empty_fence)"
exit "$failed"
