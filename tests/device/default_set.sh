#!/usr/bin/env bash
# What bench races by default: on a CPU ten strategies, on another device what is known to be fastest there in the place of one of them;
# and what an interrupted run shows of them.
#   tests/device/default_set.sh CLREDUCE LAYER    LAYER is the library made of tests/broken/layer, which has a driver claim that it is of a GPU
set -u
clreduce=$(realpath "$1") layer=$(realpath "$2")
. "$(dirname "$0")/../tools/device.sh"
need_device "$clreduce" intel
quick=(bench --device intel --n '2^10' --data-sets 1 --time-per-cell 20ms)

ours="{c['strategy'] for c in cells if c['device'] != 'host'}"
check "a CPU races ten" 0 '^serial ' "$clreduce" "${quick[@]}" --output cpu.json
judge "which are those of the documents" holds cpu.json "$ours == set('serial tree chunk grid_stride_vec cmpxchg_item cmpxchg_group svm_chunk wg_reduce wg_reduce_stride wg_reduce_atomic'.split())"
export OPENCL_LAYERS=$layer CLREDUCE_FAULT=claims_gpu
check "a GPU, too" 0 '^polled_stride ' "$clreduce" "${quick[@]}" --output gpu.json
judge "polled_stride in the place of serial" holds gpu.json "$ours == set('polled_stride tree chunk grid_stride_vec cmpxchg_item cmpxchg_group svm_chunk wg_reduce wg_reduce_stride wg_reduce_atomic'.split())"
judge "it was right, and timed" holds gpu.json "all(c['state'] == 'pass' for c in cells if c['strategy'] == 'polled_stride')"
check "what is named is what is raced" 0 '^serial ' "$clreduce" "${quick[@]}" --strategy 'serial,tree' --output named.json
judge "and nothing else" holds named.json "$ours == {'serial', 'tree'}"
export CLREDUCE_FAULT=wrong_group
check "what is wrong in two tables" 2 '^DO NOT USE on intel: serial gave WRONG results' "$clreduce" bench --device intel --n '2^10' --strategy serial --type i32,f32 --time-per-cell 20ms
judge "is told once" [ "$(grep -c 'DO NOT USE' out)" = 1 ]
judge "and nothing that may be used was timed" grep -q 'nothing that may be used was timed' <(tr '\n' ' ' <out)
unset OPENCL_LAYERS CLREDUCE_FAULT

# Interrupted while it verifies, when the first cells are verified.
"$clreduce" bench --device intel --strategy 'serial,tree' --n '2^10..2^20:x2' --output part.json >out 2>&1 </dev/null &
pid=$!
for _ in $(seq 1200); do
    ! grep -qs '"state": *"pass"' part.json.* || break
    sleep 0.05
done
kill -INT $pid
wait $pid
judge "an interrupted run ends as one" [ $? = 130 ]
judge "its cells are pending, with a reason" holds part.json "all(c['state'] in ('pending', 'over-budget') and c['reason'] for c in cells)"
judge "those that are verified, too" holds part.json "any('not measured: interrupted; what was verified is right' in c['reason'] for c in cells)"
judge "the table says pend" grep -qE '^serial +pend' out
judge "and why" grep -qF 'not measured: interrupted' out
judge "no ? stands for it" sh -c '! grep -qE "^(serial|tree) .* \? " out'
exit $failed
