#!/usr/bin/env bash
# bench/schedulers/reframe.py in ReFrame itself, with its own system and scheduler: figures of merit, and what must fail.
#   tests/cli/reframe.sh CLREDUCE LAYER [all]
# ReFrame comes from PyPI into build/reframe, as tests/cli/reframe.txt pins it.
set -u
. "$(dirname "$0")/../../bench/setup/help.sh"
clreduce=$(realpath "$1")
layer=$(realpath "$2")
share=${3:-}
part=LAYER
. "$(dirname "$0")/../tools/device.sh"
# shellcheck source=bench/setup/setup.sh
. "$root/bench/setup/setup.sh"
need_device "$clreduce" pocl
if ! make_venv "$root/build/reframe" "$root/tests/cli/reframe.txt"; then
    echo "skipped: ReFrame cannot be had from PyPI: $(tail -n 1 "$root/build/reframe.log")"
    exit 77
fi
export RFM_COLORIZE=no TMPDIR=$work

# reframe OPTION...: of this program on PoCL, with few small cells.
reframe() {
    "$root/build/reframe/bin/reframe" -c "$root/bench/schedulers/reframe.py" --prefix="$work" -r -S clreduce.program="$clreduce" \
        -S clreduce.device=pocl -S clreduce.strategy=serial -S "clreduce.options=--time-per-cell 50ms --data-sets 1" "$@"
}
cell=pocl/serial/sum/f32/n=1000

# Of a system that is known one test is as it was, and one is slower; of any other the figures are told.
references() {
    echo "{\"generic\": {\"$cell time\": [1, null, 1e9, \"us\"]}}" >met.json
    echo "{\"generic:default\": {\"$cell time\": [1e-3, null, 0.1, \"us\"]}, \"*\": {}}" >missed.json
    echo "{\"elsewhere\": {\"$cell time\": [1e-3, null, 0.1, \"us\"]}}" >unknown.json
    check "references met, missed and of another system" 1 "Ran 3/3 test case.* \(1 failure" \
        reframe -S clreduce.n=1000 -P clreduce.references="$work/met.json,$work/missed.json,$work/unknown.json"
    mv out told
    judge "one is met" grep -qE "^P: $cell time: [0-9.]+ us \(r:1, l:None, u:1000000000" told
    judge "one is missed, by its time" grep -qE "Reason: performance error: failed to meet reference\(s\): $cell time=[0-9.]+ us, expected 0.001" told
    judge "elsewhere it is told" grep -qE "^P: $cell time: [0-9.]+ us$" told
    judge "and no cell is wrong" grep -qE '^P: wrong: 0 cells' told
}

# A cell that is wrong, by a driver that skips a work-group.
wrong() {
    OPENCL_LAYERS=$layer CLREDUCE_FAULT=wrong_group@3 \
        check "a wrong result" 1 'Reason: sanity error: clreduce ended with status 2: .*wrong' reframe -S clreduce.n=1000
}

# What has a reference must be measured.
untimed() {
    echo '{"*": {"pocl/serial/sum/f32/n=4194304 time": [1, null, 1e9, "us"]}}' >every.json
    check "a cell without the figure that it has a reference of" 1 \
        'Reason: sanity error: a reference, but no figure: pocl/serial/sum/f32/n=4194304 time: over-budget' \
        reframe -S clreduce.n=1,2^22 -S clreduce.references="$work/every.json" -S "clreduce.options=--time-per-cell 1ms --data-sets 1"
}

# One array over ranks, by the mpirun that ReFrame has.
ranks() {
    if [ ! -e "${clreduce%/*}/clreduce_mpi.so" ] || ! command -v mpirun >/dev/null; then
        echo "skipped in part: no mpirun, or a clreduce that was built without MPI"
        return
    fi
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 check "a test for each number of ranks" 0 'Ran 2/2 test case.*\(0 failure' \
        reframe -S clreduce.n=1000 -P clreduce.ranks=1,2 -S clreduce.collective=exact
    judge "one rank has its figures" grep -qE '^P: pocl/serial/sum/f32/n=1000/ranks=1/exact time: [0-9.]+ us$' out
    judge "two have theirs" grep -qE '^P: pocl/serial/sum/f32/n=1000/ranks=2/exact roof: [0-9.]+ %$' out
}

# Each reference that is shipped is what results/SYSTEM.json says, as bench/schedulers/reframe.py reads it.
shipped() {
    "$root/build/reframe/bin/python" - "$root" >out 2>&1 <<'PYTHON'
import importlib.util
import json
import sys
root, file = sys.argv[1], "bench/schedulers/reframe.py"
spec = importlib.util.spec_from_file_location("clreduce_test", f"{root}/{file}")
module = sys.modules["clreduce_test"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
for system, references in json.load(open(f"{root}/bench/schedulers/reframe_references.json")).items():
    told = module.told_of(module.figures_of(json.load(open(f"{root}/results/{system}.json"))))
    for name, (value, _, _, unit) in references.items():
        assert told[name] == (value, unit), (name, told[name], value, unit)
print("as they are")
PYTHON
    judge "the references of bench are those of results" grep -qx 'as they are' out
}

# A test for each combination, which take turns.
parameters() {
    local devices=pocl n=8
    ! has_device "$clreduce" intel || devices=pocl,intel n=16
    check "all parameters" 0 "Ran $n/$n test case.*\(0 failure" \
        reframe -P clreduce.device=$devices -P clreduce.strategy=serial,chunk -P clreduce.n=1000,2^12 -P clreduce.op=sum,argmax
    judge "each has a figure of its own" test "$(grep '^P: .* time:' out | cut -d' ' -f2 | sort -u | wc -l)" = "$n"
}

mutant() {
    check "a faulty kernel" 1 'Reason: sanity error: clreduce ended with status 2: clreduce: 1 check wrong; the first: wrong: dropped_tail' \
        reframe -S clreduce.n=1000 -S clreduce.strategy=dropped_tail \
        -S "clreduce.options=--time-per-cell 50ms --kernel $root/tests/mutants/dropped_tail.cl"
}

references
wrong
[ "$share" != all ] || { mutant && parameters && untimed; }
sections "$share" 1 shipped ranks
exit $failed
