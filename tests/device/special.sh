#!/usr/bin/env bash
# NaN, infinities, -0 and denormals: what every strategy of the catalogue answers is judged; since compiling takes long, with
# two or three of the operations in turn, of f32, and of f16, of f64 or of neither. `clreduce verify --special` takes what it is told.
#   tests/device/special.sh CLREDUCE DEVICE [SEED]    every seventh strategy, from one on that the seed draws, with f16 or f64; it is drawn where it is not given
#   tests/device/special.sh CLREDUCE DEVICE all
set -u
clreduce=$(realpath "$1")
device=$2
part=$device
share=${3:-$RANDOM}
. "$(dirname "$0")/../tools/device.sh"
need_device "$clreduce" "$device"
absent=$(known "$clreduce" "$device" unsupported)
miscompiled=$(known "$clreduce" "$device" some-wrong)
types=("f16,f32" f32 "f32,f64") # f32 is what all of them have
ops=("sum,min,argmax" "dot,max,argmin" "sumsq,argmax" "mean,argmin") # places are what 1.x atomics do with floats
nth=1
seeded "$share"
[ "$share" = all ] || { nth=7 && types[RANDOM % 2 * 2]=f32; }
mapfile -t names < <("$clreduce" strategies --format csv | awk -F, 'NR > 1 && $2 != "host" {print $1}' |
    awk -v nth=$nth -v first=$((RANDOM % nth)) -v keep=compensated 'NR % nth == first || $0 ~ keep')

# survey TYPES OPS STRATEGY...: 77 where none of these strategies runs here.
survey() {
    local given
    [ $# -gt 2 ] || return
    given=$(IFS=, && echo "${*:3}")
    "$clreduce" verify --special --device "$device" --type "$1" --op "$2" --strategy "$given" --format csv >"rows.$3" 2>err </dev/null
    status=$?
    case $status in
    0 | 2 | 77) ;;
    *) echo "FAIL  exit status $status: $(tail -n 1 err)" ;;
    esac
}
mapfile -t chosen < <(printf '%s\n' "${names[@]}" | grep -E "$absent")
survey f32 sum "${chosen[@]}" >judged # what it lacks is found out once
mapfile -t names < <(printf '%s\n' "${names[@]}" | grep -vE "$absent")
for i in {0..11}; do
    mapfile -t chosen < <(printf '%s\n' "${names[@]}" | awk -v i="$i" 'NR % 12 == i')
    survey "${types[i % 3]}" "${ops[i / 3]}" "${chosen[@]}"
done >>judged

python3 - "$absent" "$miscompiled" $((nth > 1 ? 8 : 24)) rows.* >>judged <<'PYTHON'
import collections, csv, re, sys

absent, miscompiled, asked_n, *files = sys.argv[1:]
rows = [row for name in files for row in csv.DictReader(open(name))]
by_strategy = collections.defaultdict(list)
for row in rows:
    by_strategy[row["strategy"]].append(row)
for name, mine in by_strategy.items():
    states = {row["state"] for row in mine}
    answers = [row for row in mine if row["state"] == "pass"]
    wrong = [row for row in answers if row["judged"] == "wrong"]
    told = sorted({row["data"] + ": " + row["deviation"] for row in answers if row["judged"] == "deviates"})
    if states - {"pass", "unsupported"}:
        print("FAIL ", name, "ended", states)
    elif re.search(miscompiled, name):
        print("known" if wrong else "FAIL ", name, "is miscompiled:", len(wrong), "answers of", len(answers), "are wrong")
    elif wrong:
        print("FAIL ", name, wrong[0])
    elif answers:
        print("ok   ", name, len(answers), "answers" + "".join("; " + text for text in told))
    elif re.search(absent, name) or name == "integer_dot":
        print("skip ", name, "has no form for floats" if name == "integer_dot" else "does not run here")
    else:
        print("FAIL ", name, "gave no answer at all")
answers = [row for row in rows if row["state"] == "pass"]
combinations = {(row["type"], row["op"]) for row in answers}
print(len(answers), "answers,", len(combinations), "of 24 types and operations")
if len(combinations) < int(asked_n):
    print("FAIL  too few types and operations were asked for")
if not any(row["judged"] == "deviates" and row["strategy"] == "compensated" for row in rows):
    print("FAIL  that compensated turns an infinity into a NaN is no longer told")
allowed = ("the infinity became a NaN", "the driver's built-in does not pass over it", "count as 0: the driver claims no CL_FP_DENORM")
for row in answers:
    if row["judged"] == "deviates" and row["deviation"] not in allowed:
        print("FAIL ", row["strategy"], "deviates in a way of its own:", row)
PYTHON
cat judged
ran=$(grep -c '^ok' judged)
[ "$ran" -ge $((nth > 1 ? 6 : 40)) ] && ! grep -q '^FAIL' judged
