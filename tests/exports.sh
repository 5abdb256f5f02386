#!/usr/bin/env bash
# The result file against its schema and its own samples; Google Benchmark's JSON through Google's own compare.py.
#   tests/exports.sh CLREDUCE
set -u
clreduce=$1
root=$(cd "$(dirname "$0")/.." && pwd)
compare=/usr/share/benchmark/compare.py
python=/usr/bin/python3
"$python" -c 'import jsonschema, numpy, scipy' 2>/dev/null && [ -e "$compare" ] ||
    { echo "skipped: needs python3-jsonschema, python3-numpy, python3-scipy and libbenchmark-tools"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$clreduce" bench --strategy chunk,tree,wg_reduce,cmpxchg_item --op 'sum,dot' --type 'f32,i32' --n 1,1000,2^20 \
    --time-per-cell 2ms --output "$work/r.json" --gbench-out "$work/g.json" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
"$python" "$root/tests/check_exports.py" "$work/r.json" "$work/g.json" "$root/results/result.schema.json" || exit 1
for committed in "$root"/results/*.json; do
    case $committed in *.schema.json) continue ;; esac
    "$python" "$root/tests/check_exports.py" "$committed" - "$root/results/result.schema.json" || exit 1
done
if ! "$python" "$compare" benchmarks "$work/g.json" "$work/g.json" >"$work/compared" 2>&1; then
    echo "FAIL  compare.py does not read the file"
    tail -n 5 "$work/compared"
    exit 1
fi
grep -q 'host/openmp/sum/f32' "$work/compared" || { echo "FAIL  compare.py shows no rows"; exit 1; }
echo "ok    compare.py reads $(grep -c '/n:' "$work/compared") rows"
