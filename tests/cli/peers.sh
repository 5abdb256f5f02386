#!/usr/bin/env bash
# bench/libraries/peers: a library's mistakes are named and not ranked, what is missing is skipped with its reason, bad usage ends
# with status 4. No library is needed: those of tests/cli/peers.d play some.
#   tests/cli/peers.sh CLREDUCE [all]    all: `devices` probes all that the driver can do, half a minute; otherwise something stands in for it, and
#                                        shares the compiled kernels of other tests
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/check.sh"
peers=$root/bench/libraries/peers

program=$clreduce
if [ "${2:-}" != all ]; then
    mkdir beside && ln -s "$(dirname "$clreduce")"/* beside/ && rm beside/clreduce
    # shellcheck disable=SC2016 # the stand-in's own
    printf '#!/usr/bin/env bash\nreal=%q\n%s\n%s\n' "$clreduce" "${POCL_CACHE_DIR:+export POCL_CACHE_DIR=${POCL_CACHE_DIR@Q}}" 'set -o pipefail; [ "$1" = devices ] || exec "$real" "$@"
"$real" bench --device pocl --strategy serial --type i32 --n 1 --time-per-cell 1ms --format json |
    python3 -c "import json, sys; print(json.dumps([dict(d, device=d[\"name\"]) for d in json.load(sys.stdin)[\"devices\"]]))"' >beside/clreduce
    chmod +x beside/clreduce
    program=$work/beside/clreduce
fi

# prints PATTERN: an extended regular expression, in what the race printed.
prints() {
    grep -Eq -- "$1" out
}

# ends STATUS TEXT OPTION...: the status, and the text in what is printed.
ends() {
    "$peers" --clreduce "$program" --no-install "${@:3}" >out 2>&1 </dev/null
    [ $? = "$1" ] && grep -qF -- "$2" out
}

judge "unknown option" ends 4 "--quik" --quik
judge "unknown library" ends 4 "'bost' is not there; expected some of babelstream" --peers bost
judge "sizes" ends 4 "no list of sizes" --n 2^x
judge "unknown primitive" ends 4 "--primitive: 'sort' is not valid; expected reduce, scan or histogram" --primitive sort
judge "strategies of another primitive" ends 4 "'tree' matches none; build/clreduce strategies --primitive scan lists them" \
    --primitive scan --strategies tree --devices pocl --peers none --n 1024
judge "no elements" ends 4 "0 is not valid" --n 0,5
judge "rounds" ends 4 "expected 1 or more" --rounds 0
judge "a source folder without the sources" ends 4 "holds no vexcl/vexcl.hpp" --vexcl "$work"
judge "a folder of adapters that is not there" ends 4 "is no folder" --adapters "$work/nowhere"
judge "a file that cannot be written" ends 4 "cannot be written" --output "$work/nowhere/x.json"
judge "another program" ends 4 "is not there; bench/run builds it" --clreduce "$work/nothing"
mkdir bad
echo '//@ nmae: x' >bad/x.cpp
judge "a manifest's unknown key" ends 4 "x.cpp:1: unknown key 'nmae'" --adapters bad
printf '//@ name: x\n//@ library: X\n' >bad/x.cpp
judge "an adapter that races nothing" ends 4 "x.cpp: the manifest lacks functions or scans or histograms" --adapters bad
cat >interrupted <<'PROGRAM'
#!/bin/sh
for output; do :; done
echo '{"suite": {"name": "clreduce", "version": "0"}, "host": {"environment": {}}, "devices": [{"id": "pocl", "kind": "cpu"}],
    "cells": [{"device": "pocl", "strategy": "chunk", "n": 1024, "state": "pending", "time_to_answer": null}]}' >"$output"
PROGRAM
chmod +x interrupted
has_no_reason() {
    PYTHONPATH=$root/bench/libraries python3 -B - <<'PYTHON'
import pathlib
from types import SimpleNamespace
from race.programs import Ours
race = SimpleNamespace(work=pathlib.Path.cwd(), primitive=SimpleNamespace(name="reduce", op="sum", type="f32", options=()), sizes=[1024], seed=1,
                       time_per_cell=1)
ours = Ours("./interrupted", "chunk", race)
assert ours.measure({"id": "pocl"}, True) == {} and ours.states == {("chunk", 1024): ("pending", "no reason is told")}, ours.states
PYTHON
}
judge "a cell that was not reached, for which files tell no reason" has_no_reason
OCL_ICD_VENDORS=$work/nowhere judge "no device" ends 77 "no OpenCL device found" --clreduce "$clreduce" --n 1024

"$peers" --clreduce "$program" --no-install --quick --devices pocl --adapters "$root/tests/cli/peers.d" \
    --peers fake,vexcl,babelstream --strategies chunk,persistent_mapped --n 1024,2^14 --rounds 1 --time-per-cell 0.05 --output r.json \
    >out 2>err </dev/null
status=$?
if [ $status != 0 ] && grep -q "unknown device 'pocl'" err; then
    echo "skipped on a device: there is no device pocl on this machine"
    [ $failed = 0 ] && exit 77
    exit 1
fi
judge "the race ends well" [ $status = 0 ]
judge "who races" prints '^racing: A library for tests: right, '
judge "who is skipped, and why" prints '^skipped: VexCL: no package holds it; name its source folder: --vexcl FOLDER$'
judge "a row of times" prints '^2\^10 +[0-9.]+  fake\.[a-z]+ +[0-9.]+  chunk +[0-9.]+ \([0-9.]+-[0-9.]+\) +[0-9.]+ +[0-9.]+  (chunk|persistent_mapped) '
judge "only the right one is ranked at 2^14" prints '^2\^14 .* fake\.right .* chunk '
judge "a lost element is named" prints 'fake\.loses_last: wrong at 2\^10: got 1023 instead of 1024'
judge "a result that turns wrong is named" prints 'fake\.wanders: wrong at 2\^14: got '
judge "a refusal is named" prints 'fake\.refuses: failed at every n: this sum is refused'
judge "a crash is named, and costs its cell alone" prints 'fake\.dies: crashed at 2\^14: ended with status 9'
judge "demands are judged" prints '^the best peer, at every n +1\.00 +[0-9.]+ at 2\^1[04] +[0-9.]+ at 2\^1[04] +(met|MISSED|unclear)'
judge "what a launch takes" prints '^a launch alone \(best that launches, n = 1\): [0-9.]+ us'
judge "what waits between calls is set against OpenMP alone" prints '^persistent_mapped: a launch waits between calls, .* not set against peers'
judge "OpenMP and a launch are set against ours" prints '^OpenMP and a launch, n >= 2\^18 +1\.05 +- +- +not measured'
judge "what was not measured is no success" prints '^OpenMP, n = 2\^18 +1\.30 +- +- +not measured'
judge "the wrong are not ranked" sh -c "! grep -Eq '^2\^.*fake\.(loses_last|wanders|refuses)' out"
has_right_data() {
    python3 - <<'PYTHON'
import json
run = json.load(open("r.json"))
device = run["devices"][0]
rows = {(c["row"], c["n"]): c for c in device["cells"]}
assert set(rows) >= {("openmp", 1024), ("chunk", 1 << 14), ("fake.right", 1024), ("fake.dies", 1024)}, sorted(rows)
assert all(c["median_s"] is None for key, c in rows.items() if key[0] == "fake.wanders")
assert all(len(c["rounds_s"]) == 1 for key, c in rows.items() if key[0] in ("chunk", "openmp", "fake.right"))
assert {d["verdict"] for d in device["demands"]} <= {"met", "MISSED", "unclear", "not measured"} and device["demands"]
assert {c["n"] for c in device["cells"]} == {1024, 1 << 14} and 1e-7 < device["launch_s"] < 1
assert isinstance(run["host"]["environment"], dict)
assert set(run["skipped"]) == {"vexcl", "babelstream"} and run["versions"]["fake"] == "fake 1.0"
PYTHON
}
judge "the file holds every round" has_right_data
[ $failed = 0 ] || cat out err

# Scans: those of the adapters are compared at every element, by what the adapters share.
"$peers" --clreduce "$program" --no-install --quick --devices pocl --adapters "$root/tests/cli/peers.d" --primitive scan \
    --peers numbers,cells,fake,clblast --strategies scan_serial --n 1024,2^14 --rounds 1 --time-per-cell 0.05 --output s.json \
    >out 2>err </dev/null
judge "a race of scans ends well" [ $? = 0 ]
judge "what is raced" prints '^inclusive sums of f32, time to answer in us'
judge "who has no scan" prints '^skipped: CLBlast: it has no scan$'
judge "a row of times of scans" prints '^2\^14 +[0-9.]+  (cells|numbers)\.right +[0-9.]+  scan_serial +[0-9.]+ \([0-9.]+-[0-9.]+\) +[0-9.]+ +[0-9.]+  scan_serial '
judge "a lost element of a scan is named" prints 'cells\.loses_one: wrong at every n: element 700 is 700 instead of 701'
judge "a scan that left its work undone is named" prints 'cells\.idles: wrong at every n: element 0 is -?nan instead of '
judge "the geometric means" prints '^geometric means over these n: ours/peer [0-9.]+, ours/host [0-9.]+$'
judge "demands on scans are judged" prints '^the best peer, geometric mean +0\.50 +[0-9.]+ +[0-9.]+ +(met|MISSED|unclear)'
judge "what was not measured of the host is no success" prints '^the best host row, n >= 2\^20 +1\.05 +- +- +not measured'
if grep -q 'skipped: A scan for tests: ' out; then
    echo "not checked: scans of adapters in Python need numpy"
else
    judge "a scan that truncates is named" prints 'numbers\.truncates: wrong at every n: element 1 is 1 instead of 1\.'
    judge "a scan that forgets is named" prints 'numbers\.forgets: wrong at every n: element 0 is nan instead of '
    judge "a wrong first element is named" prints 'numbers\.wanders: wrong at every n: element 0 is 7 instead of '
fi
judge "the file says what was raced" python3 -c 'import json; r = json.load(open("s.json")); assert r["primitive"] == "scan"; assert "openmp" in r["devices"][0]["hosts"]'
[ $failed = 0 ] || cat out err
exit $failed
