#!/usr/bin/env bash
# Result files side by side: two stored runs, and devices, drivers and machines. No device is needed.
#   tests/cli/compare.sh CLREDUCE
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/check.sh"
here=$root/results/cpu-2-cores.json there=$root/results/h200/clreduce-1-f32.json
compare=("$clreduce" compare)

# rows EXPRESSION: in Python, of the rows of out.csv, is true.
rows() {
    holds out.csv "$1"
}

drivers() {
    check "two drivers of one run" 0 '^chunk +sum f32 2\^20 .*[0-9] \([0-9.]+-[0-9.]+\)' "${compare[@]}" --drivers "$here"
    judge "what they can do differently" grep -qE '^collectives_float +no +yes' out
    judge "right here and not there" grep -qE '^wg_reduce +sum f32 2\^10\.\.2\^26 +unsupported +pass' out
    edited "$here" 'c = copy.deepcopy(cell()); fail(c, "wrong", "expected 1, got 2"); r["cells"].append(c)' >worse.json
    check "a wrong result does not hide behind a fast right one" 0 '^chunk +sum f32 2\^20 +pass +wrong' "${compare[@]}" --drivers worse.json
    "${compare[@]}" --drivers worse.json --format csv >worse.csv
    judge "nor in the data, which has no time for it" grep -qE "^chunk,.*,intel,.*,wrong,,,,,," worse.csv
    check "two machines" 0 'against A: different machine' "${compare[@]}" --drivers "$here" "$there"
    judge "whose times are not compared" grep -q 'different machine$' out
    judge "nothing is called a regression" sh -c '! grep -qiE "regress|slower" out'
    check "as data" 0 'against_a$' "${compare[@]}" --drivers "$here" "$there" --format csv
    printf '{"schema": 1, "suite": {}}' >odd.json
    check "a file of another kind" 4 '^clreduce: odd.json: ' "${compare[@]}" --drivers odd.json
    printf '\033[31m' >odd.json
    check "no JSON at all" 4 'odd.json is no result file: line 1' "${compare[@]}" --drivers odd.json
    judge "and the terminal is left alone" python3 -c 'assert b"\x1b" not in open("out", "rb").read()'
    check "one device is nothing to compare" 4 'wants two devices or more' "${compare[@]}" --drivers "$there"
    check "without files" 4 'names result files' "${compare[@]}" --drivers
}

# checks CHANGE [PRIMITIVE]: a file of verify of two devices, each with a check and the same one after the change; what is wrong in one of them
# crashed in the other.
checks() {
    edited "$here" "
host, devices, started = r['host'], r['devices'][1:3], r['started']
base = {'strategy': 'tree', 'op': 'sum', 'type': 'f32', 'shape': 'array', 'n': 4096, 'segments': 1, 'prefixes': 1,
        'asked': {'group_size': 64, 'groups': None, 'width': None, 'loads': None}, 'geometry': None, 'standard': 'CL1.2', 'data': 'uniform', 'data_seed': 1,
        'fault': None, 'expected': None, 'got': None, 'low': None, 'high': None, 'segment': None, 'run': None, 'reason': 'a reason', 'again': '', 'kernel': None}
first, second = copy.deepcopy(base), copy.deepcopy(base)
$1
counts = dict.fromkeys(['build-failed', 'unsupported', 'over-budget', 'failed', 'timed-out', 'known-bug', 'pending'], 0)
for device, states in zip(devices, (['wrong', 'crashed'], ['crashed', 'wrong'])):
    device['strategies'] = [{'strategy': name, 'planned': 9, 'right': 7, 'wrong': 1, 'crashed': 1, **counts, 'not_promised': None, 'unsupported_because': []}
                            for name in sorted({first['strategy'], second['strategy']})]
    device['checks'] = [dict(first, state=states[0]), dict(second, state=states[1])]
r.clear()
r.update({'schema': 'clreduce-verify', 'schema_version': 1, 'suite_version': '1', 'command': '', 'started': started, 'seed': 1, 'wall_s': 1,
          'host': host, 'devices': devices}, **{'primitive': '${2:-}'} if '${2:-}' else {})"
}

# In all formats a check is told apart from one that differs in one thing alone.
axes() {
    local change keys='len({tuple(x.values())[:list(x).index("side")] for x in rows}) == 2'
    local states='{(x["side"], x["state"]) for x in rows} == {("A", "wrong"), ("A", "crashed"), ("B", "wrong"), ("B", "crashed")}'
    local whole="len(rows) == 4 and $keys and $states"
    for change in "strategy='chunk'" "op='max'" "type='i32'" "shape='segments'" "n=4097" "segments=2" "prefixes=64" "bins=7" "data='ones'" \
        "asked=base['asked'] | {'group_size': 128}" "asked=base['asked'] | {'groups': 3}" "asked=base['asked'] | {'width': 4, 'loads': 1}"; do
        if [[ $change = bins* ]]; then
            checks "first.update(op='count', bins=256); second.update(op='count', $change)" histogram >pair.json
        else
            checks "second.update($change)" >pair.json
        fi
        "${compare[@]}" --drivers pair.json --format csv >pair.csv
        judge "another $change: its own rows in CSV" holds pair.csv "$whole"
        "${compare[@]}" --drivers pair.json --format json >pair.rows.json
        judge "and in JSON" holds pair.rows.json "(lambda rows: $whole)(r)"
        "${compare[@]}" --drivers pair.json >shown
        sed -n '/^Checks that are not right/,$p' shown | sed -nE 's/ (wrong +crashed|crashed +wrong) / /p' | sort -u >lines
        judge "and on the screen" test "$(wc -l <lines)" = 2
    done
    checks "first.update(op='count', bins=256); second.update(op='count', bins=7)" histogram >pair.json
    fits_schema pair.json verify
    check "bins are told" 0 '^tree +count f32, 256 bins +1 +2\^12 +wrong +crashed ' "${compare[@]}" --drivers pair.json
    judge "of each check" grep -qE '^tree +count f32, 7 bins +1 +2\^12 +crashed +wrong ' out
    checks '' >pair.json
    "${compare[@]}" --drivers pair.json --format csv >pair.csv
    judge "of several checks that differ in nothing the worst counts" holds pair.csv '[x["state"] for x in rows] == ["wrong"] * 2'
    checks "devices.pop(); second.update(n=1)" >reductions.json
    checks "devices.pop(); first.update(op='inclusive_sum'); second.update(op='inclusive_sum', n=1)" scan >scans.json
    check "strategies of one name and two primitives" 0 '^tree \(reduce\) +7 right, 1 wrong, 1 crashed +-$' "${compare[@]}" --drivers reductions.json scans.json
    judge "are two" grep -qE '^tree \(scan\) +- +7 right, 1 wrong, 1 crashed$' out
    judge "and neither knows of the other's checks" sh -c 'grep -cE "^tree \((reduce|scan)\) +(inclusive_)?sum f32 +1 +(1|2\^12) +(wrong|crashed|-) +(wrong|crashed|-) +n = " out | grep -qx 4'
}

same_run() {
    check "a file beside itself" 0 'More than their interval apart: 0 ' "${compare[@]}" "$here" "$here"
    judge "lists 20 cells and counts the others" grep -qE '^131 more, 0 of them differ' out
    judge "whose intervals are labelled" grep -qE 'interval is of one process' out
    judge "and tells what decides" grep -qE '^Whether a program is slower, a duel decides: clreduce duel --base PROGRAM --head PROGRAM$' out
    judge "and no heading over nothing" sh -c '! grep -qE "Missing|New in|otherwise|trouble" out'
    "${compare[@]}" "$here" "$here" --format csv >out.csv
    judge "every ratio is 1" rows 'sum(x["ratio"] == "1" for x in rows) == 151 and {x["apart"] for x in rows} == {"within", ""}'
    judge "nothing changed" rows 'len(rows) == 189 and {x["change"] for x in rows} == {"same state"}'
    check "the same as JSON" 0 '"interval_of": "one process each"' "${compare[@]}" "$here" "$here" --format json
    judge "which can be read" holds out 'len(r) == 189'
}

# How many would lie beyond their intervals by chance, counted without the program.
expectations() {
    edited "$here" '[scale(c, 1.04 if i % 3 else 0.93) for i, c in enumerate(r["cells"])]' >noisy.json
    check "noise is counted" 0 'More than their interval apart: [1-9]' "${compare[@]}" "$here" noisy.json
    tr '\n' ' ' <out >line
    judge "beside what chance alone makes of it" python3 - "$here" <<'E'
import json, math, re, statistics, sys
base, head = ({(c["device"], c["strategy"], c["n"]): c["time_to_answer"] for c in json.load(open(f))["cells"]} for f in (sys.argv[1], "noisy.json"))
beyond, expected, ratios = [0, 0], [0, 0, 0], []
for key, b in base.items():
    h = head[key]
    if not b or not h:
        continue
    ratios.append(h["median_s"] / b["median_s"])
    beyond[0] += h["low_s"] > b["high_s"]
    beyond[1] += h["high_s"] < b["low_s"]
    of_samples = sum((math.log(t["high_s"] / t["low_s"]) / 3.92) ** 2 for t in (b, h))
    for i, scatter in enumerate((0, 0.05, 0.16)):
        null = statistics.NormalDist(0, math.sqrt(of_samples + scatter**2))
        up = math.log(b["high_s"] / b["median_s"] * h["median_s"] / h["low_s"])
        down = math.log(b["median_s"] / b["low_s"] * h["high_s"] / h["median_s"])
        expected[i] += 1 - null.cdf(up) + null.cdf(-down)
told = re.search(r"apart: (\d+) \((\d+) take longer in head, (\d+) less\); the median of all ratios is ([\d.]+)\. "
                 r".* would expect (\d+) if .*, (\d+) to (\d+) since", open("line").read())
numbers = [float(x) for x in told.groups()]
assert numbers[:3] == [sum(beyond), *beyond], (numbers, beyond)
assert abs(numbers[3] - statistics.median(ratios)) < 1e-3
assert all(abs(x - y) <= 0.51 for x, y in zip(numbers[4:], expected)), (numbers, expected)
E
}

longer() {
    edited "$here" '[scale(c, 1.3) for c in r["cells"]]; scale(cell(strategy="serial"), 2)' >longer.json
    check "30 % longer is told, and is no failure" 0 '^intel +serial +sum f32 2\^20 +[0-9.]+ +[0-9.]+ +2\.60 \([0-9.]+-[0-9.]+\) !$' \
        "${compare[@]}" "$here" longer.json
    judge "the farthest first" sh -c 'grep -A1 ^device out | tail -n 1 | grep -q "serial .* 2\.60 "'
    judge "at most 20 lines" test "$(grep -cE '^(intel|pocl|host) ' out)" = 20
    judge "no cell is called slower or faster" sh -c '! grep -v "^Whether a program is slower, a duel " out | grep -qiE "regress|slower|faster"'
    "${compare[@]}" "$here" longer.json --format csv >out.csv
    judge "all ratios are in the data" rows 'all(abs(float(x["ratio"]) - 1.3) < 1e-6 for x in rows if x["ratio"] and x["strategy"] != "serial")'
    check "a limit below it" 1 'more than 10 % longer in head, .*: [1-9]' "${compare[@]}" "$here" longer.json --fail-above 10
    check "a limit above it" 0 'Cells compared' "${compare[@]}" "$here" longer.json --fail-above 200%
    check "the limit is for the whole range" 0 'Cells compared' "${compare[@]}" "$here" longer.json --fail-above 159
    check "the other way round nothing is above" 0 '0\.38 \([0-9.]+-[0-9.]+\) !' "${compare[@]}" longer.json "$here" --fail-above 0
}

# refused WORD LINE STATEMENTS: what differs is refused with the line, and compared when the word is told.
refused() {
    edited "$here" "$3" >other.json
    check "another $1 ($3)" 4 "^  $2" "${compare[@]}" "$here" other.json
    judge "and the way out" grep -qE -- "--across $1 compares them all the same" out
    check "is compared when told" 0 "^  $2" "${compare[@]}" --across "$1" "$here" other.json
    judge "with all cells" grep -q '^Cells compared: 151\.' out
}

apart() {
    refused machine 'machine, name: vm in base, ci-17 in head' 'r["host"]["name"] = "ci-17"'
    refused machine 'machine, processor: .* in base, unknown in head' 'r["host"]["processor"] = None'
    refused machine 'machine, cores: 2 in base, 64 in head' 'r["host"]["cores"] = 64'
    refused device 'device pocl: .* in base, another in head' 'r["devices"][1]["name"] = "another"'
    refused driver 'driver of pocl: 3.1.debian in base, 5.0 in head' 'r["devices"][1]["driver"] = "5.0"'
    refused driver 'driver of pocl, platform version: .*LLVM 15.* in base, LLVM 19 in head' 'r["devices"][1]["platform_version"] = "LLVM 19"'
    refused version 'program: clreduce 0.1.0 in base, clreduce 0.2.0 in head' 'r["suite"]["version"] = "0.2.0"'
    refused settings 'settings, time per cell: 0.08 s in base, 1 s in head' 'r["time_per_cell_s"] = 1'
    refused settings 'settings, processors kept awake: no in base, yes in head' 'r["host"]["kept_awake"] = True'
    refused settings 'settings, environment: .* in base, .*POCL_AFFINITY' 'r["host"]["environment"] = {"POCL_AFFINITY": "1"}'
    edited "$here" 'r["host"]["name"] = "x"; r["suite"]["version"] = "9"; r["devices"][2]["driver"] = "1"' >other.json
    check "all differences are told at once" 4 '--across machine,driver,version compares' "${compare[@]}" "$here" other.json
    judge "one a line" test "$(grep -c ' in base, .* in head$' out)" = 3
    check "one of them is not enough" 4 'differ in more than the program' "${compare[@]}" "$here" other.json --across machine,driver
    check "all is" 0 'although these differ' "${compare[@]}" "$here" other.json --across all
    "${compare[@]}" "$here" other.json --across all --format csv >out.csv
    judge "and the data say it, too" rows '{x["across"] for x in rows} == {"machine,driver,version"}'
    check "a slip of the finger" 4 "unknown word of --across 'machin'; did you mean 'machine'" "${compare[@]}" "$here" other.json --across machin,driver
    check "an empty list" 4 "unknown word of --across ''" "${compare[@]}" "$here" other.json --across ""
    edited "$here" '[c.update(shape="iterate:100") for c in r["cells"]]' >other.json
    check "other work is never compared" 4 'other shapes, array and iterate:100' "${compare[@]}" "$here" other.json --across all
    check "two machines" 4 'machine, cores: 2 in base, 16 in head' "${compare[@]}" "$here" "$there"
}

states() {
    edited "$here" '
fail(cell(strategy="chunk"), "wrong", "expected 1, got 2")
fail(cell("pocl", "serial", 2**10), "crashed", "SIGSEGV")
fail(cell("intel", "tree", 2**12), "over-budget")
r["cells"].remove(cell("intel", "svm_chunk", 2**14))
r["cells"].remove(cell("intel", "svm_chunk", 2**16))
c = copy.deepcopy(cell("intel", "svm_chunk", 2**18)); c["strategy"] = "mine"; r["cells"].append(c)
c = copy.deepcopy(cell("intel", "svm_chunk", 2**18)); c["strategy"] = "bad"; fail(c, "wrong"); r["cells"].append(c)' >states.json
    check "a right result that is wrong now" 0 '^intel +chunk +sum f32 2\^20 +pass +wrong$' "${compare[@]}" "$here" states.json
    judge "comes before all times" test "$(grep -nE 'pass +wrong$' out | cut -d: -f1)" -lt "$(grep -n '^Time to answer' out | cut -d: -f1)"
    judge "with its evidence" grep -q '^    expected 1, got 2$' out
    judge "a crash" grep -qE '^pocl +serial +sum f32 2\^10 +pass +crashed$' out
    judge "a new cell that is wrong" grep -qE '^intel +bad +sum f32 2\^18 +- +wrong$' out
    judge "another state" grep -qE '^intel +tree +sum f32 2\^12 +pass +over-budget$' out
    judge "what is missing, by name" grep -qE '^intel +svm_chunk +sum f32 2\^14\.\.2\^16 +pass +-$' out
    judge "what is new" grep -qE '^intel +mine +sum f32 2\^18 +- +pass$' out
    judge "each once" test "$(grep -cE '(pass|-) +(wrong|crashed|over-budget|pass|-)$' out)" = 6
    judge "and no time of these" grep -q '^Cells compared: 146\.' out
    "${compare[@]}" "$here" states.json --format csv >out.csv
    judge "the data say the same" rows 'sorted(x["change"] for x in rows if x["change"] != "same state") == ["fell into trouble"] * 2 + ["missing in head"] * 2 + ["new in head"] * 2 + ["other state"]'
    check "a gate: wrong beats all" 2 'in trouble in head and not in base: 3, of which 2 gave a wrong result' "${compare[@]}" "$here" states.json --fail-above 0
    edited "$here" 'fail(cell(), "crashed"); [scale(c, 9) for c in r["cells"]]' >other.json
    check "a crash beats time" 5 'in trouble in head' "${compare[@]}" "$here" other.json --fail-above 0
    edited "$here" 'r["cells"].remove(cell())' >other.json
    check "a time that is gone is no pass" 3 'cannot be judged: 1 without a time in head' "${compare[@]}" "$here" other.json --fail-above 1000
    check "a wrong result that was wrong before is counted" 0 'In trouble in both: 1\.' "${compare[@]}" worse.json worse.json
    check "and is no news" 0 'Cells compared' "${compare[@]}" worse.json worse.json --fail-above 50
    edited "$here" 'r["cells"] = [c for c in r["cells"] if c["device"] != "pocl"]; r["devices"].pop(1)' >other.json
    check "a device that is gone" 0 '^pocl +chunk +sum f32 2\^10\.\.2\^26 +pass +-$' "${compare[@]}" "$here" other.json
    edited "$here" '[c.update(op="max") for c in r["cells"]]' >other.json
    check "no cell in common" 4 'no cell in common' "${compare[@]}" "$here" other.json
    edited "$here" 'r["cells"] = []' >other.json
    check "no cell at all" 4 'no cell in common' "${compare[@]}" other.json other.json
}

geometries() {
    edited "$here" 'c = cell(); c["geometry"].update(group_size=1, groups=2, width=16, loads=4)' >base.json
    edited "$here" 'c = cell(); c["geometry"].update(group_size=64, groups=8, width=4, loads=4)' >head.json
    check "a default that changed is the same cell" 0 'Cells compared: 151\.' "${compare[@]}" base.json head.json --fail-above 0
    judge "and it is told" grep -q 'Run with another geometry than in base: 1\.' out
    "${compare[@]}" base.json head.json --format csv >out.csv
    judge "from which to which" rows '[(x["base_geometry"], x["head_geometry"]) for x in rows if x["base_geometry"] != x["head_geometry"]] == [("1:g2:16x4", "64:g8:4x4")]'
    local only='r["cells"] = [cell()]; c = r["cells"][0]; ask(c);'
    edited "$here" "$only" >base.json
    edited "$here" "$only c['geometry'].update(group_size=64)" >head.json
    check "on the screen, too" 0 'was 1:[^ ]*, is 64:' "${compare[@]}" base.json head.json
    local two="$only d = copy.deepcopy(c); ask(c, group_size=64); ask(d, group_size=256, groups=8); r['cells'].append(d)"
    edited "$here" "$two; scale(d, 2)" >base.json
    edited "$here" "$two; scale(d, 6); r['cells'].reverse()" >head.json
    check "what was asked for tells cells apart" 0 '^intel +chunk:256:g8 +sum f32 2\^20 .* 3\.00 \(' "${compare[@]}" base.json head.json
    judge "each has its own" grep -qE '^intel +chunk:64 +sum f32 2\^20 .* 1\.00 \(' out
    edited "$here" "$only" >base.json
    edited "$here" "$only ask(c, group_size=c['geometry']['group_size'])" >head.json
    check "asked for is not left to the default" 4 'no cell in common' "${compare[@]}" base.json head.json
    edited "$here" 'del cell()["asked"]' >other.json
    check "a cell that does not tell" 4 'cells\[[0-9]+\].asked: expected an object' "${compare[@]}" "$here" other.json
}

hostile() {
    # shellcheck disable=SC2016 # nobody shall run it
    local run='$(touch pwned)'
    edited "$here" "c = cell(); c['strategy'] = '=a\'$run\`touch pwned\` \\u001b[31m\\u009b31m\\n;x'; c['device'] = r['devices'][2]['id'] = '$run'; r['cells'] = [c]" >base.json
    edited base.json 'scale(r["cells"][0], 3)' >head.json
    check "names of strangers" 0 '3\.00 \(' "${compare[@]}" base.json head.json
    judge "leave the terminal alone" python3 -c 'assert not {"\x1b", "\x9b", "\r"} & set(open("out", newline="").read())'
    judge "are in no command" sh -c '! grep "clreduce duel" out | grep -q pwned'
    judge "and nothing runs" test ! -e pwned
    "${compare[@]}" base.json head.json --format csv >out.csv
    judge "nor in a spreadsheet" rows 'rows[0]["strategy"].startswith("\u0027=")'
    check "the data are JSON" 0 '"ratio": 3' "${compare[@]}" base.json head.json --format json
    edited "$here" 'cell()["time_to_answer"].update(low_s=1e-300, median_s=1e-300)' >other.json
    check "times that no clock shows" 4 'cells\[[0-9]+\].time_to_answer: expected 1e-12 <= low_s' "${compare[@]}" "$here" other.json
    edited "$here" 'cell()["time_to_answer"]["samples_s"] = []' >other.json
    check "times without samples" 4 'time_to_answer.samples_s: expected' "${compare[@]}" "$here" other.json
    edited "$here" 'ask(cell(), width=2**40)' >other.json
    check "lanes that nobody has" 4 'width: expected a whole number from 1' "${compare[@]}" "$here" other.json
    edited "$here" 'cell()["asked"] = 3' >other.json
    check "an odd geometry" 4 'asked: expected an object' "${compare[@]}" "$here" other.json
    edited "$here" 'r["host"]["kept_awake"] = 1' >other.json
    check "an odd setting" 4 'host.kept_awake: expected true or false' "${compare[@]}" "$here" other.json
    edited "$here" 'r["cells"].append(r["cells"][20])' >other.json
    check "a cell that is there twice" 0 'Cells compared: 151\.' "${compare[@]}" other.json "$here"
    edited "$here" 'r["cells"] = [cell()]; cell()["time_to_answer"]["samples_s"] = [1, 1]' >few.json
    check "two samples have no interval" 0 '\(.*\) \?$' "${compare[@]}" few.json few.json
    judge "which is told" grep -q 'With fewer than 6 samples, and no interval: 1\.' out
    check "and are no pass" 3 '1 with fewer than 6 samples' "${compare[@]}" few.json few.json --fail-above 20
}

usage() {
    check "one file" 4 'wants two result files .*, not 1' "${compare[@]}" "$here"
    check "three files" 4 'wants two result files .*, not 3' "${compare[@]}" "$here" "$here" "$here"
    check "a limit that is none" 4 "--fail-above: '-1' is not valid; expected percent from 0" "${compare[@]}" "$here" "$here" --fail-above=-1
    check "nor this" 4 "--fail-above: 'nan' is not valid" "${compare[@]}" "$here" "$here" --fail-above nan
    check "a limit for drivers" 4 'fail-above has no effect with --drivers' "${compare[@]}" --drivers "$here" --fail-above 3
    check "what may differ between drivers" 4 'across has no effect with --drivers' "${compare[@]}" --drivers "$here" --across driver
    check "a table goes to a file, and the gate still speaks" 1 '^clreduce: ' "${compare[@]}" "$here" longer.json --fail-above 5 --output table.txt
    judge "as it is" grep -q '^Cells compared: 151\.' table.txt
    judge "and not to the screen" test "$(wc -l <out)" = 1
    "${compare[@]}" --drivers "$here" --output drivers.txt >out
    judge "that of drivers, too" sh -c '[ ! -s out ] && grep -q "^A = pocl" drivers.txt'
    check "a folder that is not there" 4 'nowhere' "${compare[@]}" "$here" "$here" --output nowhere/table.txt
    check "the help has an example" 0 'Example: clreduce compare base.json head.json' "${compare[@]}" --help
}

# The sample in the guide is what the program prints: every line but those that end in "...", which are cut.
readme() {
    local line missing=0
    (cd "$root" && "${compare[@]}" results/h200/all-1.json results/h200/all-2.json) >out
    sed -n '/^<!-- compare -->$/,/^<!-- \/compare -->$/p' "$root/docs/times.md" | grep -vE '^(<!--.*|```.*|\$ .*|\.\.\.)$' >sample
    while read -r line; do grep -qF -- "${line%...}" out || { missing=1 && echo "not printed: $line"; }; done <sample
    judge "the guide's sample, $(wc -l <sample) lines" test $missing = 0 -a "$(wc -l <sample)" -gt 10
    judge "shows how far one program is from itself" grep -qE 'More than their interval apart: [0-9]+ [(][0-9]+ take longer in head, [0-9]+ less[)]' sample
}

# A kernel that was never checked at some level has no factor, in either file.
incomplete() {
    local head='^chunk +sum f32 2\^20 ' base_first
    edited "$here" '[c.update(unchecked="n = 17039361, type f64") for c in r["cells"] if c["strategy"] == "chunk"]; [scale(c, 2) for c in r["cells"]]' >part.json
    for base_first in "$here part.json" "part.json $here"; do
        # shellcheck disable=SC2086 # two files
        check "no factor for a kernel with unchecked levels" 0 'Of a kernel that was never checked at some levels, with no factor: [1-9]' "${compare[@]}" $base_first
        # shellcheck disable=SC2086
        "${compare[@]}" $base_first --format csv >out.csv
        judge "nor a ratio" rows '{(x["apart"], x["ratio"]) for x in rows if x["strategy"] == "chunk" and x["base_median_s"]} == {("not all levels checked", "")}'
        judge "others have theirs" rows 'any(x["ratio"] == "2" or x["ratio"] == "0.5" for x in rows if x["strategy"] == "tree")'
    done
    edited "$here" '[c.update(unchecked="n = 17039361, type f64") for c in r["cells"]]' >part.json
    check "its line says so" 0 'chunk +sum f32 .* not all levels checked' "${compare[@]}" "$here" part.json
    check "and it is not judged" 3 'of a kernel that was never checked at some levels' "${compare[@]}" "$here" part.json --fail-above 20
    edited "$here" '[c.update(unchecked="n = 17039361, type f64") for c in r["cells"] if c["strategy"] == "chunk"]' >part.json
    check "nor between drivers" 0 "$head.* not all levels checked\$" "${compare[@]}" --drivers part.json
    judge "with one note below" test "$(grep -c '^not all levels checked: ' out)" = 1
    "${compare[@]}" --drivers part.json --format csv >out.csv
    judge "nor as data" rows 'all(x["ratio"] == "" for x in rows if x["strategy"] == "chunk") and any(x["ratio"] for x in rows)'
}

drivers
axes
incomplete
readme
same_run
expectations
longer
apart
states
geometries
hostile
usage
exit $failed
