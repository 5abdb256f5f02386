#!/usr/bin/env bash
# bench/cuda/cub against programs that play CUB, clreduce and bench/floors.c with known times; no GPU is needed. Recorded comparisons in
# results/ are read, too.
#   tests/cli/cub.sh
set -u
. "$(dirname "$0")/../tools/check.sh"
for side in cub clreduce floors; do
    printf '#!/bin/sh\nexec python3 "%s/tests/cli/cub_fake.py" %s "$@"\n' "$root" $side >$side
    chmod +x $side
done

# compare FOLDER STATUS OPTION...: runs bench/cuda/cub, whose tables and progress lie in FOLDER.out and FOLDER.err.
compare() {
    "$root/bench/cuda/cub" --cub ./cub --clreduce ./clreduce --floors ./floors --n 2^10,2^16,2^28 --output "$1" "${@:3}" >"$1.out" 2>"$1.err"
    local status=$?
    [ $status = "$2" ] || fail "bench/cuda/cub ${*:3}" "exit status $status, not $2: $(cat "$1.err")"
}

# holds_line FILE WHAT LINE: the file has the line, whatever its spaces.
holds_line() {
    if tr -s ' ' <"$1" | sed 's/^ //' | grep -qxF -- "$3"; then ok "$2"; else fail "$2" "no line '$3' in $(cat "$1")"; fi
}

# Medians of three rounds; the second round takes 1.5 times as long as the first.
compare three 0
holds_line three.out "device time, rate and best strategy" \
    "2^10 6.00 3.00 promised 4.50 grid_stride_vec:256 1.33 - - - 1 -"
holds_line three.out "what leaves one value, and relies on more" \
    "2^16 12.00 9.00 works there 13.50 grid_stride_vec:256 0.89 15.00 last_group:256 0.80 19 -"
holds_line three.out "share of the best form of a kernel that only reads" \
    "2^28 375.00 360.00 works there 375.00 last_group:256 1.00 375.00 last_group:256 1.00 2863 0.980"
holds_line three.out "calls back to back, of what leaves one value" "2^16 13.50 works there 12.00 last_group:256 1.12 -"
holds_line three.out "verdict: back to back" \
    "calls back to back: at least 1.00 x CUB's rate every n MISSED at 2^28 (0.996 of 45.882)"
holds_line three.out "time to answer" "2^16 27.00 21.00 works there 22.50 last_group:256 0.83 1.07"
holds_line three.out "verdict: one value" "device time: at least 0.95 x CUB's rate n >= 2^16 MISSED at 2^16 (0.800 of 0.960)"
holds_line three.out "verdict: missed where it is missed" \
    "the same, of any strategy, the host's fold apart n >= 2^16 MISSED at 2^16 (0.889 of 1.000)"
holds_line three.out "verdict: met" "device time: at least 0.97 of a kernel that only reads n >= 2^28 met; least 0.980 at 2^28"
holds_line three.out "verdict: just met" "time to answer: at most CUB and cudaMemcpy; promised every n FLOOR at 2^10 (0.800 of 0.968)"
holds_line three.out "a class is as fast as what relies on less" "2^10 30.00 15.00 promised 37.50 grid_stride_vec:256 1.25 2.50"
holds_line three.out "C11's orders that the device does not advertise" "2^10 30.00 15.00 C11's orders 33.00 last_group_c11:256 1.10 2.20"
holds_line three.out "verdict: C11's orders" "the same, C11's orders every n FLOOR at 2^10 (0.909 of 0.968)"
holds_line three.out "verdict: what works" "the same, what works there every n met; least 1.003 at 2^28"
holds_line three.out "verdict: from an n on" \
    "time to answer: at most 1.05 x CUB's mapped result n >= 2^14 MISSED at 2^16 (0.933), 2^28 (0.936)"
holds_line three.out "floors" "OpenCL's own floor: event time of an empty kernel 2.00 us"
holds_line three.out "what has no time is named" "chunk:256 f32, 2 sizes from 2^10: over-budget: would take about 2 s"
holds_line three.out "or that it was not reached, for which files tell no reason" "chunk:256 f32, 1 sizes from 2^28: pending"

# Printed again from what was recorded; and without the round that is not there.
"$root/bench/cuda/cub" --from three >again.out
judge "--from prints the same" cmp three.out again.out
rm three/*-[23]-*.{json,csv}
"$root/bench/cuda/cub" --from three >first.out || failed=1
holds_line first.out "one round alone" "2^28 300.00 280.00 promised 299.00 grid_stride_vec:256 1.00 1.07"
holds_line first.out "how many rounds there are" "rounds: f32 1, i32 1 of 3; started $(sed -n 's/.*"started": "\(.*\)".*/\1/p' three/rounds.json)"

# Scans of the same times: nothing is left to the host, and the roof is a copy.
compare scans 0 --primitive scan
holds_line scans.out "scans: device time" "2^10 6.00 3.00 promised 4.50 wg_scan_reduced:256 1.33 2 -"
holds_line scans.out "scans: share of the best form of a copy" \
    "2^28 375.00 360.00 promised 375.00 look_back:256 1.00 5727 0.980"
holds_line scans.out "scans: calls back to back, of any strategy" "2^16 13.50 promised 10.50 wg_scan_reduced:256 1.29 -"
holds_line scans.out "scans: and their share of a copy" "2^28 390.00 promised 375.00 wg_scan_reduced:256 1.04 0.980"
holds_line scans.out "scans: time to answer" "2^16 27.00 promised 22.50 look_back:256 0.83"
holds_line scans.out "scans: verdict between two n" \
    "calls back to back: at least 1.50 x CUB's rate 2^12 <= n <= 2^20 MISSED at 2^16 (1.286 of 1.588)"
holds_line scans.out "scans: verdict: back to back" "calls back to back: at least 1.00 x CUB's rate every n met; least 1.040 at 2^28"
holds_line scans.out "scans: verdict: the copy" "calls back to back: at least 0.93 of the fastest copy n >= 2^26 met; least 0.980 at 2^28"
holds_line scans.out "scans: verdict: time to answer" "time to answer: at most CUB's every n met; least 1.003 at 2^28"
"$root/bench/cuda/cub" --from scans >again.out
judge "--from prints the same of scans" cmp scans.out again.out

# Histograms: a row for each data, demands by type. The roof of 2^28 bytes is as fast as that of 2^30 here.
compare histograms 0 --primitive histogram --n 2^20,2^24,2^28
holds_line histograms.out "histograms: their tables" "histogram of u32, calls back to back, us per call; rate: times as fast as CUB; read: share of a kernel that only reads"
holds_line histograms.out "histograms: a row for each data" "n data CUB ours us strategy rate read CUB by value rate"
holds_line histograms.out "histograms: calls back to back" "2^28 half in one 780.00 promised 375.00 c11_copies_last:256 2.08 0.980 390.00 1.04"
holds_line histograms.out "histograms: device time of bytes" "2^28 uniform 600.00 576.00 promised 412.50 local_copies_last:256 1.45 651 0.891"
holds_line histograms.out "histograms: time to answer" "2^24 one bin 40.50 promised 22.50 local_copies_last:256 0.56"
holds_line histograms.out "histograms: verdict on CUB's rate for u32" \
    "calls back to back: at least 1.50 x CUB's rate n >= 2^24 MISSED at 2^24 sorted (1.286), 2^28 sorted (1.040)"
holds_line histograms.out "histograms: verdict on CUB's rate on bins' numbers" \
    "the same, against CUB on elements that are their bins' numbers n >= 2^24 MISSED at 2^24 uniform (1.286), 2^28 uniform (1.040)"
holds_line histograms.out "histograms: verdict on the roof" \
    "calls back to back: at least 0.97 of a kernel that only reads n >= 2^24 MISSED at 2^24 uniform (-)"
# A floor that is slower than what was measured is none.
holds_line histograms.out "histograms: verdict on CUB's rate for u8" \
    "calls back to back: at least 1.00 x CUB's rate n >= 2^24 MISSED at 2^28 sorted (0.945 of 0.867)"
judge "histograms: demands of u32 and u8 are apart" test "$(grep -c 'at least 1.50 x' histograms.out)" = 1
"$root/bench/cuda/cub" --from histograms >again.out
judge "--from prints the same of histograms" cmp histograms.out again.out
check "an unknown primitive" 4 "'sort' is not valid; expected reduce, scan or histogram" "$root/bench/cuda/cub" --primitive sort
compare none 4 --strategies 'nothing*'

FAKE=wrong compare wrong 2 --rounds 1
holds_line wrong.out "a wrong sum of CUB's is told" "WRONG: CUB's sum of 2^16 f32: expected 1.5 +- 0, got 2"
holds_line wrong.out "and decides nothing" "the same, what works there every n MISSED at 2^16 (-)"
FAKE=wrong compare counts 2 --rounds 1 --primitive histogram --n 2^20,2^24,2^28 --type u8
holds_line counts.out "a wrong histogram of CUB's is told" "WRONG: CUB's histogram of 2^24 u8, one bin: expected 1.5 +- 0, got 2"
FAKE=broken compare broken 4 --rounds 1
cp broken.err out
judge "it is told why clreduce wrote nothing" grep -q 'no memory for everything' out
FAKE=slow compare slow 0 --type f32 --seconds 3 # round 1 takes 2 s and more
cp slow.err out
judge "rounds that do not fit are left out, and it says so" \
    test "$(grep -cE "left out; it would take about [0-9]+ s and [0-9]+ s are left" out)" = 2
compare three 4 # the folder has results
for bad in "--n 2^x" "--type f64" "--primitive histogram --type f32" "--rounds 0" "--nothing"; do
    # shellcheck disable=SC2086 # an option and its value
    check "$bad is refused" 4 . "$root/bench/cuda/cub" --cub a --clreduce b $bad
done

for recorded in "$root"/results/*/rounds.json; do
    [ -e "$recorded" ] || continue
    check "bench/cuda/cub reads ${recorded%/*}" 0 verdicts "$root/bench/cuda/cub" --from "${recorded%/*}"
done
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
    for file in three/cub-*.json scans/cub-*.json histograms/cub-*.json "$root"/results/*/cub-*.json; do
        [ -e "$file" ] || continue
        judge "follows results/result.schema.json: ${file#"$root"/}" /usr/bin/python3 -m jsonschema -i "$file" "$root/results/result.schema.json"
    done
else
    echo "not checked: results/result.schema.json needs python3-jsonschema"
fi
exit $failed
