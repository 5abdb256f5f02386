#!/usr/bin/env bash
# bench/cub against two programs that play CUB and clreduce with known times; no GPU is needed. Recorded comparisons in
# results/ are read, too.
#   tests/cub.sh
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for side in cub clreduce; do
    printf '#!/bin/sh\nexec python3 "%s/tests/cub_fake.py" %s "$@"\n' "$root" $side >"$work/$side"
    chmod +x "$work/$side"
done

# compare FOLDER STATUS OPTION...: runs bench/cub, whose tables and progress lie in FOLDER.out and FOLDER.err.
compare() {
    local folder=$work/$1 expected=$2
    shift 2
    "$root/bench/cub" --cub "$work/cub" --clreduce "$work/clreduce" --n 2^10,2^14,2^28 --output "$folder" "$@" \
        >"$folder.out" 2>"$folder.err"
    local status=$?
    [ $status = "$expected" ] && return
    echo "FAIL  bench/cub $*: exit status $status, not $expected"
    cat "$folder.err"
    failed=1
}

# holds FILE WHAT LINE: the file has the line, whatever its spaces.
holds() {
    if tr -s ' ' <"$work/$1" | sed 's/^ //' | grep -qxF -- "$3"; then
        echo "ok    $2"
    else
        echo "FAIL  $2: no line '$3' in"
        cat "$work/$1"
        failed=1
    fi
}

# Medians of three rounds; the second round takes 1.5 times as long as the first.
compare three 0
holds three.out "device time, rate and best strategy" \
    "2^10 6.00 9.00 3.00 4.50 grid_stride_vec:256 1.33 6.00 last_group:256 1.00 1 -"
holds three.out "share of the best form of a kernel that only reads" \
    "2^28 375.00 405.00 360.00 375.00 last_group:256 1.00 375.00 last_group:256 1.00 2863 0.980"
holds three.out "calls back to back, of what leaves one value" "2^14 13.50 12.00 last_group:256 1.12"
holds three.out "verdict: back to back" \
    "calls back to back: at least 1.00 x CUB's rate every n MISSED at 2^28 (0.996)"
holds three.out "time to answer" "2^14 27.00 21.00 22.50 last_group:256 0.83 1.07"
holds three.out "verdict: by events" \
    "device time: at least 1.00 x CUB's rate by events around one call every n met; least 1.000 at 2^14"
holds three.out "verdict: one value" "the same, against CUB's isolated calls every n MISSED at 2^14 (0.800)"
holds three.out "verdict: missed where it is missed" \
    "the same, of any strategy, the host's fold apart every n MISSED at 2^14 (0.889)"
holds three.out "verdict: met" "device time: at least 0.97 of a kernel that only reads n >= 2^28 met; least 0.980 at 2^28"
holds three.out "verdict: just met" "time to answer: at most CUB and cudaMemcpy every n met; least 1.003 at 2^28"
holds three.out "verdict: from an n on" \
    "time to answer: at most 1.05 x CUB's mapped result n >= 2^14 MISSED at 2^14 (0.933), 2^28 (0.936)"
holds three.out "floors" "OpenCL's own floor: event times of an empty kernel 2.00 us"
holds three.out "what has no time is named" "chunk:256 f32, 3 sizes from 2^10: over-budget: would take about 2 s"

# Printed again from what was recorded; and without the round that is not there.
"$root/bench/cub" --from "$work/three" >"$work/again.out"
cmp "$work/three.out" "$work/again.out" || { echo "FAIL  --from prints something else"; failed=1; }
rm "$work"/three/*-[23]-*.json
"$root/bench/cub" --from "$work/three" >"$work/first.out" || failed=1
holds first.out "one round alone" "2^28 300.00 280.00 299.00 grid_stride_vec:256 1.00 1.07"
holds first.out "how many rounds there are" "rounds: f32 1, i32 1 of 3; started $(sed -n 's/.*"started": "\(.*\)".*/\1/p' "$work/three/rounds.json")"

FAKE=wrong compare wrong 2 --rounds 1
holds wrong.out "a wrong sum of CUB's is told" "WRONG: CUB's sum of 2^14 f32: off by 0"
holds wrong.out "and decides nothing" "time to answer: at most CUB and cudaMemcpy every n MISSED at 2^14 (-)"
FAKE=broken compare broken 4 --rounds 1
grep -q 'no memory for everything' "$work/broken.err" || { echo "FAIL  why clreduce wrote nothing is not told"; failed=1; }
FAKE=slow compare slow 0 --type f32 --seconds 3 # round 1 takes 2 s and more
if [ "$(grep -cE "left out; it would take about [0-9]+ s and [0-9]+ s are left" "$work/slow.err")" = 2 ]; then
    echo "ok    rounds that do not fit are left out, and it says so"
else
    echo "FAIL  two of three rounds do not fit into 3 s"
    cat "$work/slow.err"
    failed=1
fi
compare three 4 # the folder has results
for bad in "--n 2^x" "--type f64" "--rounds 0" "--nothing"; do
    # shellcheck disable=SC2086 # an option and its value
    "$root/bench/cub" --cub a --clreduce b $bad 2>"$work/bad.err"
    [ $? = 4 ] || { echo "FAIL  $bad is not refused"; failed=1; }
done

for recorded in "$root"/results/*/rounds.json; do
    [ -e "$recorded" ] || continue
    "$root/bench/cub" --from "${recorded%/*}" >"$work/recorded.out"
    grep -q verdicts "$work/recorded.out" || { echo "FAIL  bench/cub does not read ${recorded%/*}"; failed=1; }
done
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
    for file in "$work"/three/cub-*.json "$root"/results/*/cub-*.json; do
        [ -e "$file" ] || continue
        /usr/bin/python3 - "$root/results/cub.schema.json" "$file" <<'PYTHON' || failed=1
import json, sys
import jsonschema

schema, result = (json.load(open(path)) for path in sys.argv[1:])
jsonschema.validate(result, schema)
print("ok    follows results/cub.schema.json:", "/".join(sys.argv[2].split("/")[-2:]))
PYTHON
    done
else
    echo "not checked: results/cub.schema.json needs python3-jsonschema"
fi
exit $failed
