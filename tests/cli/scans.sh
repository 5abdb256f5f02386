#!/usr/bin/env bash
# Results of scans and their readers: bench, recommend, report, compare, exports, duel and files of verify speak of scans as of reductions,
# and --primitive tells the two apart.
#   tests/cli/scans.sh CLREDUCE [DEVICE [SEED]]
set -u
clreduce=$(realpath "$1")
device=${2:-pocl}
. "$(dirname "$0")/../tools/device.sh"
need_device "$clreduce" "$device"
part=$device
seeded "${3:-$RANDOM}"
scan=(--primitive scan --device "$device" --strategy 'scan_serial,hillis_steele' --time-per-cell 50ms --seed $RANDOM)
n=$((1026 + RANDOM % 1000)) # no table has it as 2^k, 2^k-1 or 2^k+1

# ---- bench ----
check "bench" 0 '^result file: scans.json' "$clreduce" bench "${scan[@]}" --op inclusive_sum,exclusive_max --type i32 --n "$n,2^18" \
    --output scans.json --export junit=scans.xml --export google-benchmark=scans.gbench --export markdown=scans.md
judge "the roof is a copy's" grep -q '^copy roof: [0-9]' out
all_n=$(($("$clreduce" strategies --primitive scan | grep -cE '^[a-z].* (1\.2|2\.0) ')))
judge "of no reduction anything is said" sh -c '! grep -q reduc out'
# What readers say of times does not hang on the load of this machine.
edited scans.json 'calm()' >calm.json && mv calm.json scans.json
"$clreduce" report scans.json --format md >out
judge "--all measures all scans, and no reduction" grep -q "(--all measures $all_n)" out
judge "of a built-in that was not asked for nothing is said" sh -c 'sed -n "/^## In short/,/^\*\*/p" out | grep -q "the fastest of" && ! sed -n "/^## In short/,/^\*\*/p" out | grep -q "built-in"'
fits_schema scans.json result
judge "the file says what it is of" holds scans.json 'primitive == "scan" and {c["op"] for c in cells} == {"inclusive_sum", "exclusive_max"}'
judge "every cell is right, the host's, too" holds scans.json 'len(cells) == 16 and all(c["state"] == "pass" for c in cells)'
for file in scans.xml scans.gbench scans.md; do
    judge "$file names the operations" sh -c "sed 's/&#95;/_/g; s/&#58;/:/g' $file | grep -q '$device/scan_serial/inclusive_sum/i32.*/n:$n'"
done
"$clreduce" bench "${scan[@]}" --op inclusive_sum,inclusive_min --type i8 --n 2^16 --format csv >rates.csv 2>/dev/null
judge "bytes are those of the input and of the results" holds rates.csv \
    'all(abs(float(c["gb_per_s"]) * 1e9 * float(c["median_s"]) / (2**16 * {"inclusive_sum": 9, "inclusive_min": 2}[c["op"]]) - 1) < 1e-3 for c in rows)'
check "an operation of reductions" 4 'sum is for primitive reduce, and not for scan; add --primitive reduce; of scan there are inclusive_sum, ' \
    "$clreduce" bench "${scan[@]}" --op sum
check "and one of scans" 4 'inclusive_max is for primitive scan, and not for reduce; add --primitive scan; of reduce there are sum, ' \
    "$clreduce" bench --op inclusive_max
check "the roof of scans" 0 '^roof: the copy roof, of a kernel that only copies' "$clreduce" devices --primitive scan --device host

# A run that asks for nothing in particular ends by saying how to ask for the others; one of scans, or of some strategies, does not.
"$clreduce" bench --device host --type f32 --n 1000 --time-per-cell 1ms >out 2>&1
judge "the last lines say how to ask for others" test "$(tail -n 2 out)" = "scans: the same command with --primitive scan
histograms: the same command with --primitive histogram"
"$clreduce" bench --device host --n 1000 --time-per-cell 1ms --primitive scan >out 2>&1
judge "once" sh -c '! grep -q "the same command" out'
"$clreduce" bench --device host --n 1000 --time-per-cell 1ms --op max >out 2>&1
"$clreduce" bench --device host --n 1000 --time-per-cell 1ms --shape iterate:2 >>out 2>&1
judge "and of what was not chosen" sh -c '! grep -q "the same command" out'

# ---- readers ----
"$clreduce" bench --device "$device" --strategy serial,tree --type f32 --n "$n" --time-per-cell 50ms --output sums.json >/dev/null 2>&1
edited sums.json 'calm()' >calm.json && mv calm.json sums.json
judge "a file of reductions is as ever" sh -c '! grep -q primitive sums.json'
check "recommend tells of both" 0 "^On $device .*" "$clreduce" recommend scans.json sums.json
judge "operation by operation" sh -c 'tr "\n" " " <out | grep -q "inclusive_sum of i32: use .* exclusive_max of i32: use .* sum of f32: use "'
check "or of scans alone" 0 "^On $device .*" "$clreduce" recommend scans.json sums.json --primitive scan
judge "without reductions" sh -c '! grep -q "f32" out'
check "of which there may be none" 4 "the files have no scans; they have sum of f32 on $device" "$clreduce" recommend sums.json --primitive scan
check "rules in C" 0 "\"$device\", \"inclusive_sum\", \"i32\"" "$clreduce" recommend scans.json --format h
check "report: the title" 0 '^# Scans in OpenCL on' "$clreduce" report scans.json --format md
judge "when a time ends" grep -q 'until all results may be used on the device' out
judge "nothing comes to a host variable" sh -c '! grep -q "host variable" out'
# CUB's file, as if of this device: cells of an operation stand beside that operation alone.
cub_of() { # cub_of FILE TYPE OP STRATEGIES
    python3 - scans.json "$@" <<'PYTHON'
import json, sys
run, cub = json.load(open(sys.argv[1])), json.load(open(sys.argv[1].replace("scans.json", "model.json")))
file, kind, op, strategies = sys.argv[2:]
cub["devices"][0]["name"] = next(d["name"] for d in run["devices"] if d["id"] != "host")
time = {"median_s": 1e-9, "low_s": 1e-9, "high_s": 1e-9, "calls_per_sample": 1, "samples_s": [1e-9, 1e-9]}
cub["cells"] = [dict(cub["cells"][0], strategy=strategy, op=op, type=kind, n=n, time_to_answer=time)
                for n in sorted({c["n"] for c in run["cells"]}) for strategy in strategies.split(",")]
json.dump(cub, open(file, "w"))
PYTHON
}
cp "$root/results/h200/cub-1-f32.json" model.json
cub_of cub-scans.json i32 inclusive_sum cub
cub_of cub-sums.json i32 sum cub,cub_mapped
cub_of cub-other.json i32 histogram cub
check "CUB's scans stand beside ours" 0 'inclusive.?_sum of i32: the fastest strategy answers at least 0[.]00 times [(]at [0-9^+-]+[)] as fast as CUB[.]' \
    "$clreduce" report scans.json cub-scans.json --format md
judge "and beside no other operation" sh -c '! grep -qE "exclusive.?_max of i32: the fastest strategy answers" out'
judge "when its time ends" grep -q "answer stays on the device, which has finished it when the time ends" <("$clreduce" report scans.json cub-scans.json)
check "CUB's sums do not" 0 '^# Scans in OpenCL on' "$clreduce" report scans.json cub-sums.json --format md
judge "stand beside scans" sh -c '! grep -q "as fast as CUB" out'
check "what is no scan of CUB's is passed over" 0 '^# Scans in OpenCL on' "$clreduce" report scans.json cub-other.json --format md
cub_of lacks.json i32 inclusive_sum cub_mapped
check "nor is a way that its scans lack" 0 '^# Scans in OpenCL on' "$clreduce" report scans.json lacks.json --format md
judge "shown as CUB's time" sh -c '! grep -q "as fast as CUB" out'

"$clreduce" report scans.json >page.html
judge "bytes and roof" grep -q 'Bytes of the input and of the results by the time to answer.*only copies' page.html
judge "the line across is the copy's" grep -q '>copy roof<' page.html
check "report: both" 0 '^# Reductions and scans in OpenCL on' "$clreduce" report scans.json sums.json --format md
judge "a paragraph on the times of each" sh -c 'grep -q "^Time to answer of reductions .* host variable" out && grep -q "^Time to answer of scans .* may be used" out'
check "report: one of both" 0 '^# Reductions in OpenCL on' "$clreduce" report scans.json sums.json --format md --primitive reduce
judge "the other is left out" sh -c '! grep -q "inclusive" out'
python3 -c 'import json, sys; a, b = (json.load(open(p)) for p in sys.argv[1:]); a["cells"][5:5] = b["cells"]; print(json.dumps(a))' \
    scans.json sums.json >mixed.json
check "a file that holds both" 0 '^# Reductions and scans in OpenCL on' "$clreduce" report mixed.json --format md
check "of which scans are taken" 0 '^# Scans in OpenCL on' "$clreduce" report mixed.json --format md --primitive scan
judge "and nothing else" sh -c 'grep -q "exclusive.*_max of i32" out && ! grep -q "f32" out'
check "or reductions" 0 "^On $device " "$clreduce" recommend mixed.json --primitive reduce --format table
judge "and of nothing else" grep -qE "^On $device .* sum of f32: use " <(tr '\n' ' ' <out)
judge "and nothing else" sh -c '! grep -q "i32" out'
"$clreduce" bench "${scan[@]}" --op inclusive_sum,exclusive_max --type i32 --n "$n,2^18" --output again.json >/dev/null 2>&1
check "compare: two runs" 0 "^$device +scan_serial +inclusive_sum i32 $n " "$clreduce" compare scans.json again.json
check "compare: two primitives have nothing in common" 4 'no cell in common' "$clreduce" compare scans.json sums.json
check "nor where one has none" 4 'only scans.json has scans: there is nothing to compare them with' "$clreduce" compare scans.json sums.json --primitive scan
check "compare: drivers" 0 "^scan_serial +exclusive_max i32 $n " "$clreduce" compare --drivers scans.json again.json sums.json --primitive scan
judge "the file without scans is no column" sh -c '! grep -q "^C = " out'

# ---- a kernel that lacks the default type and operation ----
sed 's/types: *all/types: u32/; s/ops: *all/ops: exclusive_sum/' "$root/docs/kernels/my_scan.cl" >odd.cl
own=(--primitive scan --device "$device" --n "$n")
check "bench takes its own" 0 '^my_scan ' "$clreduce" bench "${own[@]}" --kernel odd.cl --strategy my_scan --time-per-cell 0.01 --output odd.json
judge "with all of the run" holds odd.json '{(c["op"], c["type"]) for c in cells} == {("exclusive_sum", "u32")}'
check "what is asked for stays" 77 'my_scan has no i8 form|unsupported' "$clreduce" bench "${own[@]}" --kernel odd.cl --strategy my_scan --type i8 --time-per-cell 0.01
judge "and what cannot be measured is not verified" sh -c '! grep -q "^covered on" out'
"$clreduce" duel "${own[@]}" --base-kernel odd.cl --head-kernel odd.cl --profile fast --output odd-duel.json >out 2>&1
judge "duel, too" holds odd-duel.json '[(c["op"], c["type"]) for c in cells] == [("exclusive_sum", "u32")]'

# ---- verify, duel ----
check "verify" 0 '^verify: [0-9]+ right, 0 wrong' "$clreduce" verify --primitive scan --device "$device" --strategy scan_serial --type i32 \
    --op inclusive_sum --n "$n" --output checks.json
fits_schema checks.json verify
judge "its file says what it is of" holds checks.json 'primitive == "scan"'
check "its readers ask" 4 'checks.json has checks of another primitive than reduce' "$clreduce" compare --drivers checks.json checks.json --primitive reduce
check "and take what they are for" 0 '^Right on all of them: 1 of 1' "$clreduce" compare --drivers checks.json checks.json --primitive scan
"$clreduce" verify --primitive scan --device "$device" --show-data weights --op exclusive_sum --type i32 --n "$((1 + n % 100))" \
    --format json --output data.json
judge "--show-data tells the answer of each element" holds data.json \
    'len(answer) == len(bound) == len(x) and all((sum(map(int, x[:i])) - int(answer[i])) % 2**32 == 0 for i in range(len(x)))'
printf '[*/inclusive_sum/i8/n:%s]\nquarantine = a trial\nuntil = %s\n' "$n" "$(date -d '+1 month' +%F)" >trial.ini
check "duel, by a policy" 0 "^trial.ini:2: quarantine .* 1 of 2 cells " "$clreduce" duel --primitive scan --device "$device" \
    --strategy scan_serial --type i8 --n "$n,2^12" --policy trial.ini --profile fast
judge "names of cells" grep -q "^$device/scan_serial/inclusive_sum/i8/n:4096 " out
exit $failed
