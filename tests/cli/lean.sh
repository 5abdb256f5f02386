#!/usr/bin/env bash
# Result files made small before they are stored: tests/tools/lean. No device is needed.
#   tests/cli/lean.sh CLREDUCE REWRITE
set -u
clreduce=$(realpath "$1") rewrite=$(realpath "$2")
. "$(dirname "$0")/../tools/check.sh"
lean=("$root/tests/tools/lean" "$rewrite")
stored=$root/results/h200

# with PYTHON: a test of `run`, the file made.json.
with() {
    python3 - "$1" <<'PYTHON'
import json
import sys
run = json.load(open("made.json", encoding="utf-8"))
cells = [{**run["usual"], **cell} for cell in run["cells"]]
sys.exit(not eval(sys.argv[1]))
PYTHON
}

for name in clreduce-1-f32 cub-1-f32; do
    cp "$stored/$name.json" made.json
    judge "$name, made small" "${lean[@]}" made.json
    judge "is stored as it would be" cmp made.json "$stored/$name.json"
done
cp "$stored/clreduce-1-f32.json" made.json
"$clreduce" recommend made.json >before
judge "medians alone" "${lean[@]}" --keep medians made.json
judge "say how many samples there were" with 'all(type(c["time_to_answer"]["samples_s"]) is int for c in cells if c["time_to_answer"])'
judge "and device times" with 'any(c.get("device_time_s") for c in cells) and not any(c.get("accuracy") for c in cells)'
"$clreduce" recommend made.json >after
judge "the advice is the same" cmp before after
cp "$stored/all-1.json" made.json
judge "answers alone" "${lean[@]}" --keep answers made.json
judge "are of what could run" with 'cells and not any(c["state"] == "unsupported" or "device_time_s" in c or "launches" in c for c in cells)'
printf '%s\n' figure,type,data,n,bytes,form,median_s graph,f32,,1024,,,3e-6 read,,,,64,1,2e-6 read,,,,64,2,1e-6 read,,,,64,3,4e-6 read,,,,128,1,5e-6 >figures.csv
judge "figures" "${lean[@]}" figures.csv
judge "the fastest form of each roof" sh -c '[ "$(tail -n +2 figures.csv | cut -d, -f1,5- | tr "\n" " ")" = "graph,,,3e-6 read,64,2,1e-6 read,128,1,5e-6 " ]'
echo '{}' >other.json
check "another file" 4 'other.json' "${lean[@]}" other.json
echo a,b >other.csv
check "another table" 4 'other.csv: no figures' "${lean[@]}" other.csv
check "no program" 4 'nowhere' "$root/tests/tools/lean" nowhere/rewrite made.json
exit $failed
