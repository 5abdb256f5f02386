#!/usr/bin/env bash
# The result file against its schema and its own samples; Google Benchmark's JSON against the result file, and through
# Google's own compare.py.
#   tests/exports.sh CLREDUCE quick         all of it, of fewer cells, on one driver
#   tests/exports.sh CLREDUCE [SEED|all]    one of the kinds of files, which the seed draws, or all
# shellcheck disable=SC2317 # of what sections calls
set -u
clreduce=$1
share=${2:-}
root=$(cd "$(dirname "$0")/.." && pwd)
check=$root/tests/check_exports.py
# shellcheck source=tests/check.sh
. "$root/tests/check.sh"
schema=$root/results/result.schema.json
compare=/usr/share/benchmark/compare.py
python=/usr/bin/python3
if ! "$python" -c 'import jsonschema, numpy, scipy' 2>/dev/null || [ ! -e "$compare" ]; then
    echo "skipped: needs python3-jsonschema, python3-numpy, python3-scipy and libbenchmark-tools"
    exit 77
fi
"$clreduce" verify --strategy serial --type i32 --op sum --n 1 >"$work/out" 2>&1
case $? in
0) ;;
77) echo "skipped: $(tail -n 1 "$work/out")" && exit 77 ;;
*) cat "$work/out" && exit 1 ;;
esac

few=()
ops=sum,dot
if [ "$share" = quick ]; then
    few=(--device "$(sed -n '/^device /{n;s/ .*//p}' "$work/out" | head -n 1)")
    ops=sum
fi
# measure NAME OPTION...: NAME.json and NAME.gbench.json.
measure() {
    local name=$1
    shift
    "$clreduce" bench "${few[@]}" "$@" --output "$work/$name.json" --export "google-benchmark=$work/$name.gbench.json" >"$work/out" 2>&1 ||
        { cat "$work/out"; exit 1; }
}
timed() {
    measure several --strategy chunk,tree,wg_reduce,cmpxchg_item --op $ops --type f32,i32 --n 1,1000,2^20 --time-per-cell 2ms
    "$python" "$check" "$schema" "$work/several.json" "$work/several.gbench.json" || exit 1
    # No machine adds four million times to one accumulator in 0.1 ms.
    measure slow --strategy cmpxchg_item --n 1,2^22 --time-per-cell 0.1ms
    "$python" "$check" "$schema" "$work/slow.json" "$work/slow.gbench.json" over-budget || exit 1
    "$python" "$check" --names "$work/several.gbench.json" "$work/slow.gbench.json" || exit 1
    if ! "$python" "$compare" benchmarks "$work/several.gbench.json" "$work/slow.gbench.json" >"$work/compared" 2>&1; then
        echo "FAIL  compare.py does not read the files"
        tail -n 5 "$work/compared"
        exit 1
    fi
    grep -q 'host/openmp/sum/f32' "$work/compared" || { echo "FAIL  compare.py shows no rows"; exit 1; }
    echo "ok    compare.py reads $(grep -c '/n:' "$work/compared") rows"
}

recorded() {
    measure recorded --strategy tree_two,command_buffer --n 2^16 --time-per-cell 50ms
    "$python" "$check" "$schema" "$work/recorded.json" "$work/recorded.gbench.json" || exit 1
    grep -qE '"strategy": *"command_buffer"' "$work/recorded.json" || { echo "FAIL  no cell of recorded launches"; exit 1; }
}

accurate() {
    # A serial chain of 2^25 additions has no bound, a tree of them has.
    measure accurate --strategy serial,tree --n 10 --time-per-cell 1ms --accuracy
    "$python" "$check" "$schema" "$work/accurate.json" "$work/accurate.gbench.json" || exit 1
    "$python" - "$work/accurate.json" <<'PYTHON' || exit 1
import json, sys
ones = {(a["device"], a["strategy"]): a for a in json.load(open(sys.argv[1]))["accuracy"]
        if a["data"] == "ones" and a["state"] == "pass"}  # a busy machine may be over budget
assert {strategy for _, strategy in ones} == {"serial", "tree"} and all((a["bound"] is None) == (strategy == "serial") for (_, strategy), a in ones.items()), ones
print("ok    the bounds of", len(ones), "sums of 2^25 ones")
PYTHON
}

committed() {
    local committed
    for committed in "$root"/results/*.json "$root"/results/*/{clreduce-?-f32,all-1,group-sizes,advice-1,fresh-1}.json; do
        # instructions.json is what bench/counts counted.
        [ "$share" != quick ] || [ "$(basename "$committed")" = cpu-2-cores.json ] || continue
        case $committed in *.schema.json | */instructions.json | */gate.json | *'*'*) continue ;; esac
        "$python" "$check" "$schema" "$committed" || exit 1
    done
}

sections "${share/quick/all}" 1 timed recorded accurate committed
