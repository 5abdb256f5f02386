#!/usr/bin/env bash
# What other programs make of the files of --export: of cells as nobody would name or measure them, of a real run, and of
# runs in which cells fail. The readers are Debian packages, and where there is none to be had, a schema (tests/cli/schemas).
#   tests/cli/readers.sh CLREDUCE UNIT_EXPORT LAYER
set -u
. "$(dirname "$0")/../../bench/setup/help.sh"
clreduce=$(realpath "$1")
unit_export=$(realpath "$2")
layer=$(realpath "$3")
. "$(dirname "$0")/../tools/check.sh"
compare=/usr/share/benchmark/compare.py
python=/usr/bin/python3
status=0

skip() {
    echo "skipped: $*"
    status=77
}

fail() {
    echo "FAIL  $1"
    [ $# -lt 2 ] || tail -n 30 "$2"
    exit 1
}

has() {
    "$python" -c "import $1" 2>/dev/null
}

# ---- the readers that are here ----

kinds=(annotations)
if has jsonschema; then kinds+=(github-action-benchmark); else skip "github-action-benchmark: needs python3-jsonschema"; fi
if has junitparser && command -v xmllint >/dev/null; then
    kinds+=(junit)
else
    skip "junit: needs python3-junitparser and libxml2-utils"
fi
if command -v cmark-gfm >/dev/null; then kinds+=(markdown); else skip "markdown: needs cmark-gfm"; fi
if [ -e "$compare" ] && has numpy && has scipy; then
    kinds+=(google-benchmark)
else
    skip "google-benchmark: needs libbenchmark-tools, python3-numpy and python3-scipy"
fi

# agree TRUTH PREFIX: what each reader finds is what there was.
agree() {
    "$python" "$root/tests/cli/check_formats.py" "$1" "$2" "${kinds[@]}" >out 2>&1 || fail "$2.*" out
    ok "$2: $(grep -c '^ok' out) formats: $(sed -n '1s/.*: //p' out)"
}

# exports PREFIX: the options that write every format.
exports=()
exports() {
    local kind
    exports=()
    for kind in "${kinds[@]}"; do exports+=(--export "$kind=$1.$kind"); done
}

# ---- cells as nobody would name or measure them ----

"$unit_export" . >out 2>&1 || fail "test_export" out
agree base.truth base
agree head.truth head
case " ${kinds[*]} " in *" google-benchmark "*)
    "$python" "$compare" --no-color -d compared.json benchmarks base.google-benchmark head.google-benchmark >out 2>&1 ||
        fail "compare.py" out
    # The second cell is slower, the third has crashed: it says nothing of that, so the exit status must.
    "$python" - <<'PYTHON' || fail "compare.py has other rows"
import json
rows = {row["name"].removesuffix("/real_time"): row for row in json.load(open("compared.json")) if row["name"] != "OVERALL_GEOMEAN"}
truth = {cell["name"] for cell in json.load(open("head.truth")) if cell["time_s"] is not None}
assert set(rows) == truth, set(rows) ^ truth
assert all(m["time"] > 1 for m in rows["pocl/tree/sum/f32/n:8192"]["measurements"])
assert all(m["time"] == 0 for m in rows["pocl/tree/sum/f32/n:4096"]["measurements"])
print("ok    compare.py reads", len(rows), "cells, finds the slower one, and no crashed one")
PYTHON
    ;;
esac

# ---- real runs ----

# measure PREFIX STATUS OPTION...: PREFIX.json and a file of each format.
measure() {
    local prefix=$1 wanted=$2 got
    shift 2
    exports "$prefix"
    "$clreduce" bench "$@" --output "$prefix.json" "${exports[@]}" >table 2>err </dev/null
    got=$?
    [ $got = "$wanted" ] || fail "exit status $got instead of $wanted: bench $*" err
}

devices=host
"$clreduce" verify --device pocl --strategy serial --type i32 --op sum --n 1 >out 2>&1 && devices=pocl
strategies=(--strategy "tree,wg_reduce,cmpxchg_item")
[ "$devices" = pocl ] || strategies=()
# No machine adds four million times to one accumulator in 1 ms.
measure real 0 --device $devices "${strategies[@]}" --op sum,max --type f32,i32 --n 1000,2^22 --time-per-cell 1ms
agree real.json real
if [ "$devices" = pocl ] && [ -e /etc/OpenCL/vendors/pocl.icd ]; then
    mkdir drivers
    ln -s /etc/OpenCL/vendors/pocl.icd drivers/
    failing=(--strategy "serial,tree" --n 2^10 --data-sets 2 --time-per-cell 5ms)
    export OCL_ICD_VENDORS=$work/drivers/
    # A crash, a wrong result, and a kernel of ours that is not built: which is an error for who asks for exports.
    while read -r fault wanted; do
        OPENCL_LAYERS=$layer CLREDUCE_FAULT=$fault measure failing "$wanted" "${failing[@]}"
        agree failing.json failing
        for kind in "${kinds[@]}"; do
            case $kind in *-benchmark) ;; *) continue ;; esac
            grep -qE "failing.$kind leaves out what should be there: [12] of 4 cells have no time" err || fail "$fault is not told" err
        done
        rm failing.*
    done <<EOF
crash_launch@60 5
wrong_group@300 2
build_fails@3 4
EOF
    unset OCL_ICD_VENDORS
else
    skip "runs in which cells fail: they need the device pocl"
fi
exit $status
