#!/usr/bin/env bash
# Results of histograms and their readers: bench times several data, and its tables, recommend, report, compare and exports tell bins and
# data apart; duel takes them by --bins.
#   tests/cli/histograms.sh CLREDUCE [DEVICE [SEED]]
set -u
clreduce=$(realpath "$1")
device=${2:-pocl}
. "$(dirname "$0")/../tools/device.sh"
need_device "$clreduce" "$device"
seeded "${3:-$RANDOM}"
bins=$((2 + RANDOM % 300))
histogram=(--primitive histogram --device "$device" --strategy 'global_counts,local_counts' --type u8 --time-per-cell 60ms --seed $RANDOM)
n=$((1026 + RANDOM % 1000)) # no table has it as 2^k, 2^k-1 or 2^k+1

# ---- bench ----
check "bench" 0 '^result file: counts.json' "$clreduce" bench "${histogram[@]}" --bins "$bins" --n "$n,2^20" --output counts.json \
    --export junit=counts.xml
judge "a table of uniform data" grep -q "^$bins bins, uniform data" out
judge "and one of the slowest" grep -qE "^$bins bins, slowest data of each cell: [ohzs] = " out
judge "the roof is read" grep -q '^read roof: [0-9]' out
judge "of what a built-in buys nothing is said" sh -c '! grep -q "built-in" out'
judge "and of no reduction" sh -c '! grep -q reduc out'
fits_schema counts.json result
judge "the file has the bins of each cell" holds counts.json "primitive == 'histogram' and {c['bins'] for c in cells} == {$bins}"
judge "and the data" holds counts.json '{c.get("data", "uniform") for c in cells} == {"uniform", "one bin", "half in one", "Zipf", "sorted"}'
judge "every cell is right" holds counts.json 'len(cells) == 40 and all(c["state"] == "pass" for c in cells)'
judge "all data are checked once" holds counts.json \
    'all((c["accuracy"]["data_sets"] == 1) == ("data" in c) for c in cells) and max(c["accuracy"]["data_sets"] for c in cells) > 5'
judge "names of cells" grep -q "$device/local_counts/count/u8/bins:$bins/data:one-bin/n:$n" counts.xml
judge "uniform data have none" grep -q "$device/local_counts/count/u8/bins:$bins/n:$n" counts.xml
"$clreduce" bench "${histogram[@]}" --data 'zipf,half*' --op count64 --n "$n" --format csv >rates.csv 2>/dev/null
judge "--data chooses, and bytes are those of the input" holds rates.csv \
    "{c['data'] for c in rows} == {'Zipf', 'half in one'} and all(c['bins'] == '256' for c in rows) and
     all(abs(float(c['gb_per_s']) * 1e9 * float(c['median_s']) / $n - 1) < 1e-3 for c in rows if c['state'] == 'pass')"
"$clreduce" bench --primitive histogram --device host --type u8 --n "$n" --output shares.json >out 2>&1
# A quarter of the time by the plan; half of it where the machine is busy.
judge "other data than uniform have a share of the time" holds shares.json \
    '(lambda s, of: sorted(map(s, of(True)))[3] < 0.5 * max(map(s, of(False))))(
        lambda c: c["time_to_answer"]["calls_per_sample"] * sum(c["time_to_answer"]["samples_s"]),
        lambda other: [c for c in cells if ("data" in c) == other])'
check "data that there are not" 4 "unknown data 'pareto'; valid: uniform, one bin, half in one, Zipf, sorted" \
    "$clreduce" bench "${histogram[@]}" --data pareto
check "data of other primitives" 4 '--data is for histograms, and not for --primitive reduce: the time of others' "$clreduce" bench --data sorted
check "bins of other primitives" 4 '--bins is for histograms, and not for --primitive reduce: nothing else has bins' "$clreduce" bench --bins 7
cat >short.cl <<'KERNEL'
//@ name:      short
//@ primitive: histogram
//@ idea:      leaves out the last element
//@ span:      stride
//@ lanes:     1
//@ group:     none
//@ finish:    zeroed_counts
//@ needs:     integer_atomics
//@ types:     u8
//@ ops:       count
//@ source:    none
#include "lib/bins.cl"
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    for (ulong i = get_global_id(0); i + 1 < n; i += get_global_size(0))
        atomic_inc(&out[RED_BIN(RED_LOAD(i))]);
}
KERNEL
check "a wrong count is told with its bin" 2 'expected [0-9]+ (in bin [0-9]+|out of range), got [0-9]+ [(]run' \
    "$clreduce" verify --primitive histogram --device "$device" --kernel short.cl --strategy short --type u8 --n "$n" --bins "$bins"

# ---- readers, of times that are known ----
python3 - >known.json <<'PYTHON'
import json
run, times = {k: v for k, v in json.load(open("counts.json")).items() if k not in ("processor_time", "load_1min_end")}, {"global_counts": (1, 9, 2, 3, 2), "local_counts": (2, 3, 4, 3, 2), "openmp": (50,) * 5, "sequential": (60,) * 5}
names = ["uniform", "one bin", "half in one", "Zipf", "sorted"]
for cell in run["cells"]:
    median = 1e-5 * times[cell["strategy"]][names.index(cell.get("data", "uniform"))] * cell["n"] / 2**20
    cell["time_to_answer"].update(median_s=median, low_s=0.99 * median, high_s=1.01 * median, samples_s=[median] * 6)
print(json.dumps(run))
PYTHON
check "recommend: by the slowest data" 0 '^On ' "$clreduce" recommend known.json
judge "which is another than the fastest of uniform ones" grep -q "count of u8 in $bins bins with slowest data: use local_counts for every n" <(tr '\n' ' ' <out)
judge "it says so" grep -q 'the data with which the strategy is slowest' <(tr '\n' ' ' <out)
judge "once" test "$(grep -c '^On ' out)" = 1
check "recommend: other bins" 4 'the files have no device' "$clreduce" recommend known.json --bins 999
"$clreduce" recommend known.json --format json >advice.json
judge "in JSON" holds advice.json "[(a['bins'], a['data']) for a in advice] == [($bins, 'slowest')]"
fits_schema advice.json advice
check "in C" 0 "^    /\\* .*, driver .*, $bins bins, slowest data \\*/" "$clreduce" recommend known.json --format h
edited known.json 'r["cells"] += [dict(c, bins=c["bins"] + 1) for c in cells]' >two.json
check "in C rules are of one number of bins" 4 'histograms in several numbers of bins; add --bins' "$clreduce" recommend two.json --format h
check "which --bins chooses" 0 " $((bins + 1)) bins, slowest" "$clreduce" recommend two.json --format h --bins $((bins + 1))
check "report: the title" 0 '^# Histograms in OpenCL on' "$clreduce" report known.json --format md
judge "a section of uniform data" grep -q "^## count of u8 in $bins bins$" out
judge "and one of the slowest" grep -q "^## count of u8 in $bins bins with slowest data" out
judge "with marks" grep -qE 'global.?_counts\|.*\|90.0o' out
judge "which are told" grep -q 'h = half in one' out
judge "and by how much" grep -qF 'global\_counts with one bin, its slowest data, is 9.0x slower than with uniform data, with which it is the fastest,' out
judge "one advice" test "$(grep -c '^### What to use' out)" = 1
"$clreduce" report known.json >page.html
judge "a page has drawings of both" grep -q "id=\"count-of-u8-in-$bins-bins-time.*id=\"count-of-u8-in-$bins-bins-with-slowest-data-time" <(tr '\n' ' ' <page.html)
check "compare: two runs" 0 "^$device +global_counts +count u8 $n, $bins bins, uniform " "$clreduce" compare known.json counts.json
"$clreduce" compare known.json counts.json --format csv >rows.csv
judge "cell by cell" holds rows.csv "len(rows) == 40 and {c['bins'] for c in rows} == {'$bins'} and len({c['data'] for c in rows}) == 5"
check "compare: drivers" 0 "global_counts +count u8 $n, $bins bins, Zipf" "$clreduce" compare --drivers known.json counts.json
edited known.json 'for c in cells: c["bins"] += 1' >other.json
check "other bins are other cells" 4 'no cell in common' "$clreduce" compare known.json other.json

# ---- resume, duel, lists ----
check "strategies" 0 '^local_counts .* [0-9]+$' "$clreduce" strategies --primitive histogram --strategy local_counts
check "the roof" 0 '^roof: the read roof' "$clreduce" devices --primitive histogram --device host
check "duel" 0 "^$device/local_counts/count/u8/bins:$bins/n:4096 " "$clreduce" duel --primitive histogram --device "$device" \
    --strategy local_counts --type u8 --bins "$bins" --n 2^12 --profile fast --output duel.json
fits_schema duel.json duel
judge "its file has the bins" holds duel.json "[c['bins'] for c in cells] == [$bins]"
check "and is judged again" 0 "/bins:$bins/n:4096 " "$clreduce" duel --replay duel.json
exit $failed
