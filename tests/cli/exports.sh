#!/usr/bin/env bash
# The result file against its schema and its own samples; Google Benchmark's JSON against the result file, and through
# Google's own compare.py; results/history.py over result files.
#   tests/cli/exports.sh CLREDUCE quick [SEED]  two of the kinds of files, which the seed draws, of fewer cells, on one driver
#   tests/cli/exports.sh CLREDUCE [SEED|all]    one of the kinds of files, which the seed draws, or all
set -u
clreduce=$(realpath "$1")
share=${2:-} part=
[ "$share" != quick ] || part=quick share=${3:-}
. "$(dirname "$0")/../tools/check.sh"
schema=$root/results/result.schema.json
compare=/usr/share/benchmark/compare.py
python=/usr/bin/python3
if ! "$python" -c 'import jsonschema, numpy, scipy' 2>/dev/null || [ ! -e "$compare" ]; then
    echo "skipped: needs python3-jsonschema, python3-numpy, python3-scipy and libbenchmark-tools"
    exit 77
fi
"$clreduce" verify --strategy serial --type i32 --op sum --n 1 >out 2>&1
case $? in
0) ;;
77) echo "skipped: $(tail -n 1 out)" && exit 77 ;;
*) cat out && exit 1 ;;
esac

few=()
ops=sum,dot
several=1
if [ -n "$part" ]; then
    several=2
    few=(--device "$(sed -n '/^device /{n;s/ .*//p}' out | head -n 1)")
    ops=sum
fi

# measure NAME OPTION...: NAME.json, which agrees with itself, and NAME.google-benchmark, which agrees with that. A cell is in $state, if
# that is set.
measure() {
    "$clreduce" bench "${few[@]}" "${@:2}" --output "$1.json" --export "google-benchmark=$1.google-benchmark" >out 2>&1 ||
        { cat out; exit 1; }
    "$python" "$root/tests/cli/check_exports.py" "$schema" ${state:+"state=$state"} "$1.json" || exit 1
    "$python" "$root/tests/cli/check_formats.py" "$1.json" "$1" google-benchmark || exit 1
}

timed() {
    measure several --strategy chunk,tree,wg_reduce,cmpxchg_item --op "$ops" --type f32,i32 --n 1,1000,2^20 --time-per-cell 2ms
    # No machine adds four million times to one accumulator in 2 ms; one element takes less, on a busy machine, too.
    state=over-budget measure slow --strategy cmpxchg_item --n 1,2^22 --time-per-cell 2ms
    check "compare.py reads the files" 0 'host/openmp/sum/f32' \
        "$python" "$compare" benchmarks several.google-benchmark slow.google-benchmark
    judge "and finds cells that both have" test "$(grep -c '/n:' out)" -ge 2
}

recorded() {
    measure recorded --strategy tree_two,command_buffer --n 2^16 --time-per-cell 50ms
    judge "there is a cell of recorded launches" grep -qE '"strategy": *"command_buffer"' recorded.json
}

accurate() {
    # A serial chain of 2^25 additions has no bound, a tree of them has. A call may take two seconds there, which a busy machine may expect of
    # it; of verify it may take as long as it takes.
    measure accurate --strategy serial,tree --n 10 --accuracy
    judge "both strategies have answers" holds accurate.json '{a["strategy"] for a in accuracy if a["state"] == "pass"} == {"serial", "tree"}'
    judge "the bounds of sums of 2^25 ones" holds accurate.json 'all((a["bound"] is None) == (a["strategy"] == "serial") for a in accuracy
        if a["data"] == "ones" and a["state"] == "pass")'
    holds accurate.json '{a["state"] for a in accuracy if a["data"] == "ones"} == {"pass"}' 2>/dev/null ||
        echo "not checked: some of these bounds: over budget on this machine"
    "$clreduce" verify "${few[@]}" --strategy serial,tree --type f32 --op sum --accuracy --time-per-cell 100 --format json >numerics.json 2>out
    judge "verify ends" test $? = 0
    judge "and where nothing is over budget" holds numerics.json '{(a["strategy"], a["bound"] == "") for a in r
        if a["data"] == "ones" and a["state"] == "pass"} == {("serial", True), ("tree", False)}'
}

committed() {
    local committed all=()
    for committed in "$root"/results/*.json "$root"/results/*/{clreduce-?-f32,all-1,advice-1}.json; do
        # instructions.json is what bench/counts counted.
        case $committed in *.schema.json | */instructions.json | */gate.json | *-ranks.json | *'*'*) ;; *) all+=("$committed") ;; esac
    done
    "$python" "$root/tests/cli/check_exports.py" "$schema" "${all[@]}" || exit 1
    fits_schema "$root/results/epyc-2-cores-ranks.json" result
    fits_schema "$root/results/h200-ranks/ranks.json" result
    fits_schema "$root/results/h200-ranks/nccl-1.json" result
    python3 -c 'import json, sys
for i, run in enumerate(json.load(open(sys.argv[1]))["fleet"]):
    json.dump(run, open(f"each-{i}.json", "w"))' "$root/results/h200-ranks/each.json"
    fits_schema each-0.json result
    fits_schema each-1.json result
}

# A history over result files: two cells of a run, and of a later one in which the first has crashed.
histories() {
    edited "$root/results/cpu-2-cores.json" 'r["cells"] = [cell(strategy=name) for name in ("chunk", "tree")]' >old.json
    edited old.json 'r["started"] = "2026-12-01T00:00:00Z"; fail(first, "crashed")' >new.json
    check "a history" 0 '^date,version,processor,device,strategy,op,type,n,' env -i PATH=/usr/bin:/bin "$root/results/history.py" old.json new.json
    cp out all.csv
    judge "has a row for each cell, file by file" holds all.csv '[row["date"][:10] for row in rows] == ["2026-11-22"] * 2 + ["2026-12-01"] * 2'
    judge "a cell that crashed has no time, and says so" holds all.csv \
        '[(row["state"], row["median_s"] == "") for row in rows] == [("pass", False)] * 2 + [("crashed", True), ("pass", False)]'
    judge "with the medians and intervals of its files" python3 - <<'PYTHON'
import csv, json
cells = [cell for name in ("old", "new") for cell in json.load(open(f"{name}.json"))["cells"]]
for cell, row in zip(cells, csv.DictReader(open("all.csv")), strict=True):
    assert all(row[key] == str(cell[key]) for key in ("device", "strategy", "op", "type", "n", "state")), row
    if cell["state"] == "pass":
        assert all(float(row[key]) == cell["time_to_answer"][key] for key in ("median_s", "low_s", "high_s")), row
PYTHON
    check "globs choose" 0 . "$root/results/history.py" --strategy 'nosuch,tr*' --n '1048576' old.json new.json
    cp out some.csv
    judge "these cells alone" holds some.csv '[row["strategy"] for row in rows] == ["tree"] * 2'
    check "a power is a size" 0 . "$root/results/history.py" --strategy tree --n '2^10,2^20' old.json
    cp out power.csv
    judge "as files have it" holds power.csv '[row["n"] for row in rows] == ["1048576"]'
    edited old.json 'first["asked"] = {"group_size": 64, "groups": 8, "width": 16, "loads": 4}; r["cells"][1]["asked"] = {"width": 4, "loads": 2}' >asked.json
    check "geometries that were asked for" 0 . "$root/results/history.py" asked.json
    cp out asked.csv
    judge "are words as in the CSV of bench" holds asked.csv '[row["asked"] for row in rows] == [":64:g8:16x4", ":4x2"]'
    check "a fleet file" 0 . "$root/results/history.py" --strategy tree_two --n 2^20 "$root/results/h200-ranks/each.json"
    cp out fleet.csv
    judge "has rows of each of its runs" holds fleet.csv '[row["device"] for row in rows] == ["nvidia.0", "nvidia.1"]'
    echo '[1]' >list.json
    check "files beside one that is none" 1 'nosuch.json is no result file' "$root/results/history.py" --strategy tree old.json nosuch.json list.json new.json
    grep -v '^results/history.py: ' out >beside.csv
    judge "have their rows" holds beside.csv '[row["date"][:10] for row in rows] == ["2026-11-22", "2026-12-01"]'
    check "what no file has" 1 'old.json has no such cell' "$root/results/history.py" --strategy nosuch old.json
    check "what is no result file" 1 'nosuch.json is no result file' "$root/results/history.py" nosuch.json
}

sections "$share" "$several" timed recorded accurate committed histories
exit $failed
