#!/usr/bin/env bash
# bench --experiments: what is refused, a killed run that goes on, and experiments from the command line to the page.
#   tests/cli/experiments.sh CLREDUCE [SEED]    the launches of d, what is refused, a killed run
#   tests/cli/experiments.sh CLREDUCE all       all experiments on Intel's runtime, too, which take a minute
set -u
clreduce=$(realpath "$1")
share=${2:-$RANDOM}
python=/usr/bin/python3
. "$(dirname "$0")/../tools/device.sh"
need_device "$clreduce" intel
seeded "$share"

# killed_once FILE PATTERN COMMAND...: kills it once the file has a line with the pattern; what it writes is in `told`.
killed_once() {
    "${@:3}" >told 2>&1 </dev/null &
    local pid=$!
    until grep -qs "$2" "$1" || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
    kill -9 $pid
    wait $pid 2>/dev/null
}

fits_schema() {
    if "$python" -c 'import jsonschema' 2>/dev/null; then
        judge "it follows results/result.schema.json: $1" "$python" -m jsonschema -i "$1" "$root/results/result.schema.json"
    else
        echo "not checked: results/result.schema.json needs python3-jsonschema"
    fi
}

refused() {
    for option in '--n 5' '--op max' '--shape iterate:2' '--strategy tree' '--wg 8' --all '--kernel x.cl'; do
        # shellcheck disable=SC2086 # an option and its value
        check "$option contradicts it" 4 '^clreduce: --[a-z]+ has no effect with --experiments; leave one of them out$' \
            "$clreduce" bench --experiments $option
    done
    check "the host alone has no row of some" 77 '^clreduce: nothing to measure: the chosen devices run none' "$clreduce" bench --experiments=a,b --device host
    judge "and nothing is announced" sh -c '! grep -q "cells" out'
    check "no experiment" 4 "^clreduce: --experiments: 'i' is no experiment; expected letters from a to h, or whole" \
        "$clreduce" bench --experiments=a,i
    if has_device "$clreduce" pocl; then # of which an array may take a part of the memory that it is given
        killed_once told '^experiment' env POCL_MEMORY_LIMIT=1 "$clreduce" bench '--experiments=e,whole' --device pocl
        judge "an array that is too long for a device is told before anything is run, with the option" \
            grep -qE '^experiment e needs an array of 400 MB, and pocl allocates at most [0-9]+: .* without whole' told
    fi
}

# What the journal said of cells whose event times were taken already, in lines that are whole.
settled_as_before() {
    python3 -B - "$root/tests/tools" <<'PYTHON'
import json, sys
sys.path.insert(0, sys.argv[1])
from stored import load
cells, settled = load("d.json")["cells"], [json.loads(line) for line in open("settled") if line.endswith("}\n")]
none = {"times_s": [], "gaps_s": []}
for line in settled:
    cell = cells[line["settled"]]
    before, now = line["device_time_s"] or 0, cell["device_time_s"] or 0
    assert abs(before - now) <= 1e-6 * before and (line["device_time_note"] or "") == (cell["device_time_note"] or ""), (line, cell)
    for key, before in line.get("launches", none).items():
        now = cell.get("launches", none)[key]
        assert len(now) == len(before) and all(abs(x - y) <= 1e-4 * max(map(abs, before)) for x, y in zip(before, now)), (line, cell)
assert 0 < len(settled) < len(cells), settled
PYTHON
}

# Whether the driver's event times are trusted hangs on what else runs.
launches() {
    local seed=$RANDOM
    local killed=(bench '--experiments=d,g' --device intel --seed "$seed" --time-per-cell 20ms --data-sets 1 --output d.json --report d.html)
    killed_once d.json.journal '"settled"' "$clreduce" "${killed[@]}"
    judge "a run of two experiments was killed while event times were taken" test ! -e d.json
    grep '"settled"' d.json.journal >settled
    check "and goes on" 0 '^resuming: 18 of 18 cells and ' "$clreduce" "${killed[@]}" --resume
    judge "the question of d stands above its tables" grep -q '^d) The tree enqueued ' out
    judge "launches are those of before" settled_as_before
    judge "no other primitive is offered" test "$(grep -c 'same command with --primitive' out)" = 0
    judge "and the event times of each launch below it" grep -q '^intel, sum of f32: event times of each launch in us' out
    judge "all cells are in the file" holds d.json '{(c["experiment"], c["strategy"], c["n"]) for c in cells if c["experiment"] != "g"} ==
        {("d", s, n) for s in ("tree_passes", "tree_passes_waiting") for n in (2**12, 2**16, 2**20)} and len(cells) == 18 and seed == '"$seed"
    judge "with two or three launches, as many as the tree has passes, or why not" holds d.json 'all(
        len(c["launches"]["times_s"]) == len(c["launches"]["gaps_s"]) + 1 == {2**12: 2, 2**16: 2, 2**20: 3}[c["n"]] and c["launches"]["times_s"][0] > 0
        if c["device_time_s"] else c["device_time_note"] for c in cells if c["state"] == "pass" and c["experiment"] == "d") and any(c["state"] == "pass" for c in cells)'
    fits_schema d.json
    edited d.json 'r["cells"].insert(0, dict(first, shape="computed:2x4096", segments=2))' >mixed.json
    check "a file that has another shape, too, is compared with it as far as they have one in common" 0 '^intel +tree_passes +sum f32 2.12 ' "$clreduce" compare d.json mixed.json
    judge "the page has them, too" grep -q '<h[0-9][^>]*>d) The tree enqueued' d.html
}

whole() {
    check "all experiments" 0 '^h\) ' "$clreduce" bench --experiments --seed "$RANDOM" --device intel --time-per-cell 20ms --output all.json
    judge "each is there, and asks its question" test "$(grep -cE '^[a-h]\) ' out)" = 8
    judge "with its cells" holds all.json '{c["experiment"] for c in cells if c["state"] == "pass" and c["device"] == "intel"} == set("abcdefgh")'
    judge "and no cell twice" holds all.json 'len({(c["device"], c["strategy"], c["op"], c["type"], c["shape"], c["n"], c["asked"]["group_size"])
        for c in cells}) == len(cells)'
    check "another file is compared with it cell by cell" 0 . "$clreduce" compare all.json all.json
    fits_schema all.json
}

refused
launches
[ "$share" != all ] || whole
exit $failed
