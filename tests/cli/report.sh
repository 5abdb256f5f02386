#!/usr/bin/env bash
# Pages made of result files, and what a browser shows of them. No device is needed.
#   tests/cli/report.sh CLREDUCE [SEED]   a page of one run, and one of the rest, which the seed draws; the browser, if it is drawn, looks at that page
#   tests/cli/report.sh CLREDUCE all      all; the browser looks at five pages, and at spoilt ones, in which it must see what is wrong
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/check.sh"
here=$root/results/cpu-2-cores.json there=$root/results/h200/clreduce-1-f32.json
all=$root/results/h200/all-1.json groups=$root/results/epyc-2-cores-groups.json cub=$root/results/h200/cub-1-f32.json
scans=$root/results/epyc-2-cores-scan.json
report=("$clreduce" report)

# smaller FILE BYTES
smaller() {
    [ -s "$1" ] && [ "$(stat -c %s "$1")" -lt "$2" ]
}

# order FILE LINE...: the lines are there in this order.
order() {
    local file=$1 at=0 found line
    shift
    for line in "$@"; do
        found=$(grep -nF -- "$line" "$file" | cut -d: -f1 | awk -v at="$at" '$1 > at { print; exit }')
        [ -n "$found" ] || { echo "no '$line' after line $at" && return 1; }
        at=$found
    done
}

# said PAGE: what a reader of the page reads.
said() {
    "$root/tests/tools/page_text.py" "$1"
}

# drawn WHAT PAGE...: what tests/cli/drawn.py judges.
drawn() {
    "$root/tests/cli/drawn.py" "$@"
}

# tables COMMAND...: what it prints has a dozen of them, or more.
tables() {
    [ "$("$@" | grep -o '<table>' | wc -l)" -ge 12 ]
}

contents() {
    check "a page of one run" 0 '^report: here.html$' "${report[@]}" "$here" -o here.html
    judge "is one file below 2 MB" smaller here.html 2000000
    judge "without anything from elsewhere" sh -c '! grep -qE "(src|href)=\"(https?:)?//|@import|url\((\"|.)?https?:" here.html'
    judge "and without a script" sh -c '! grep -qi "<script" here.html'
    said here.html >here.txt
    judge "begins with what 2.x buys" order here.txt 'In short' 'the 2.0 built-in is 16x faster' 'What 2.x buys over 1.x' \
        'Time to answer' 'Device by device' 'Bandwidth, and the roof' 'Who is fastest where' 'Speed-up over OpenMP' \
        'Error against its bound' 'What the time is made of' 'What did not run, and why' 'How it was measured' 'Make it again'
    # 3192.53 us by 202.576 us; 2^26 elements of 4 bytes in 8350.13 us; the figures of the file itself
    judge "figures are those of the file" python3 - "$here" here.txt <<'PYTHON'
import json, re, sys
run, text = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
def time(strategy, n, device="intel"):
    return next(c for c in run["cells"] if (c["device"], c["strategy"], c["n"]) == (device, strategy, n))["time_to_answer"]["median_s"]
def line(name, after):
    return next(l for l in text[text.index(after):].splitlines() if l.startswith(name + " ") and re.search(r"(\d|[x~*? ]|over)$", l)).split()
pairs = line("wg_reduce : tree", "intel: 2.x against 1.x, times as fast\n2.x : 1.x")
assert pairs[3 + 5] == f"{time('tree', 2**20) / time('wg_reduce', 2**20):.1f}x", pairs
rate = line("svm_chunk", "intel: effective bandwidth, GB/s\nstrategy")
assert rate[-1] == f"{4e-9 * 2**26 / time('svm_chunk', 2**26):.1f}", rate
speed = line("chunk", "intel: speed-up over OpenMP\nstrategy")
assert speed[6].rstrip("x~") == f"{time('openmp', 2**20, 'host') / time('chunk', 2**20):.2f}", speed
PYTHON
    judge "names what did not run" grep -qE '^cmpxchg_item +pocl +sum of f32 +2\^22 ... 2\^26 +over-budget' here.txt
    judge "and the commands that make it again" grep -q '^clreduce bench .*--n 2^10..2^26:x4' here.txt
    judge "leaves the terminal alone" python3 -c 'assert not {"\x1b", "\r", "\x0c"} & set(open("here.txt", newline="").read())'
    check "the first picture alone" 0 '^report: pairs.svg$' "${report[@]}" "$here" --format svg -o pairs.svg
    judge "is a whole SVG file, of the device with most pairs" sh -c 'xmllint --noout pairs.svg && grep -q "<title[^>]*>sum of f32 on intel<" pairs.svg'
    check "a panel for each primitive" 0 '^report: panels.svg$' "${report[@]}" "$scans" "$here" "$there" --format svg -o panels.svg
    judge "of the first file that has it" sh -c 'xmllint --noout panels.svg && grep -o "<title id=[^<]*<" panels.svg |
        tr "\n" " " | grep -qx "<title id=\"p0title\">inclusive_sum of f32 on intel< <title id=\"p1title\">sum of f32 on intel< "'
    edited "$scans" 'r["cells"] = [c for c in cells if not c["strategy"].startswith(("wg_", "sub_", "look_"))]' >no-pairs.json
    check "and none for one without pairs" 0 '' "${report[@]}" no-pairs.json "$here" --format svg -o one.svg
    judge "which leaves the picture of one" cmp one.svg pairs.svg
    edited "$here" 'r["cells"] = [c for c in cells if c["strategy"] in ("openmp", "tree")]' >alone.json
    check "without pairs there is none" 4 'no 2.x strategy was timed together' "${report[@]}" alone.json --format svg -o none.svg
    edited "$here" 'r["cells"] = []' >no-cells.json
    check "nor of a file without cells" 4 'the files have no cells' "${report[@]}" no-cells.json --format svg -o none.svg
    judge "and no half file" [ ! -e none.svg ]
    check "two files, each with a letter that the title does not use" 0 '^# Reductions in OpenCL on pocl, intel, nvidia$' "${report[@]}" "$here" "$there" --format md
    check "chosen types" 0 '^## sum of f32$' "${report[@]}" "$here" --type f32 --op sum --format md
    check "none of the chosen ones" 4 'nothing of --op \*, --type f64 is in the files; they have: sum of f32' "${report[@]}" "$here" --type f64
    check "who has read enough is no mistake" 141 '^<!DOCTYPE' bash -c "'$clreduce' report '$here' | head -c 15; exit \${PIPESTATUS[0]}"
    "${report[@]}" "$here" --format md >here.md
    judge "Markdown is short enough for a comment" smaller here.md 65000
    judge "and has its tables" tables cmark-gfm -e table here.md
}

# Pictures that travel, and the page around them; made_file KIND and judged by tests/cli/drawn.py.
pictures() {
    local kind name names
    "${report[@]}" "$here" "$there" -o two.html
    for kind in gaps ties; do
        "$root/tests/cli/make_results.py" "$here" "$kind" "$kind.json"
        "${report[@]}" "$kind.json" -o "$kind.html"
    done
    judge "each picture says what it is, of which device, driver, type, date and version" drawn names two.html "$here" "$there"
    "${report[@]}" "$here" --format svg -o first.svg
    "${report[@]}" "$here" -o here.html
    judge "the picture alone is the page's first" drawn first here.html first.svg
    judge "a letter is explained before it is used" drawn letters two.html
    judge "no field of a heat map is blank without a reason" drawn fields gaps.html . - '>' '!' X
    said gaps.html >gaps.txt
    judge "and lines of tables say it, too" grep -qE '^64 .* crash ' gaps.txt
    judge "ties are named as ties" drawn ties ties.html
    edited "$here" 'r["started"] = "2026-11-23T01:00:00Z"
for c in cells:
    t = c["time_to_answer"]
    if t and c["device"] != "host" and c["strategy"] != "tree":
        for key in t:
            t[key] = [2 * s for s in t[key]] if key == "samples_s" else t[key] if key == "calls_per_sample" else 2 * t[key]' >again.json
    "${report[@]}" "$here" again.json -o again.html
    judge "two runs of a device answer a question once" drawn once again.html
    for kind in two gaps ties again; do
        judge "tables beside pictures fit: $kind" drawn widths "$kind.html"
        judge "1,000x, and not 1e+03x: $kind" drawn powers "$kind.html"
    done
    "${report[@]}" "$here" "$there" --device intel -o intel.html
    said intel.html >intel.txt
    said two.html >two.txt
    check "one device of several, by its id" 0 '^Reductions in OpenCL on intel$' cat intel.txt
    judge "and nothing of the others" sh -c 'grep -q intel intel.txt && ! grep -qE "pocl|nvidia|H200" intel.txt'
    for name in '2.x against 1.x, times as fast' 'time to answer, us'; do
        sed -n "/^intel: $name/,/^\$/p" intel.txt | tr -s ' ' | sort >own
        sed -n "s/^A intel: /intel: /; /^intel: $name/,/^\$/p" two.txt | tr -s ' ' | sort >whole
        judge "with the figures of the whole page: $name" [ "$(wc -l <own)-$(comm -23 own whole)" = "$(comm -12 own whole | wc -l)-" ]
        judge "which are there" grep -q chunk own
    done
    "${report[@]}" "$here" "$there" "$cub" --device intel --format md -o no-cub.md
    judge "nor CUB's times of another device" sh -c '[ -s no-cub.md ] && ! grep -v "^clreduce report" no-cub.md | grep -i cub'
    judge "and the page's command has it" grep -q -- '^clreduce report .* --device intel --output' intel.txt
    check "and the primitive" 0 '^clreduce report .* --primitive scan --output' "${report[@]}" "$here" "$scans" --primitive scan --format md
    check "a device by a part of its name" 0 '^# Reductions in OpenCL on nvidia$' "${report[@]}" "$here" "$there" --device h200 --format md
    check "or by a glob" 0 '^# Reductions in OpenCL on intel, nvidia$' "${report[@]}" "$here" "$there" --device 'inte?,*H200' --format md
    edited "$here" 'r["devices"] = [d for d in r["devices"] if d["id"] != "intel"]; r["cells"] = [c for c in cells if c["device"] != "intel"]' >no-intel.json
    check "a glob of an id of any file is no part of a name" 0 '^# Reductions in OpenCL on intel$' "${report[@]}" no-intel.json "$here" --device '*intel*' --format md
    check "one that is not there" 4 "unknown device 'amd'; valid: pocl, intel, nvidia" "${report[@]}" "$here" "$there" --device amd
    check "a picture of one device" 0 '^report: pocl.svg$' "${report[@]}" "$here" --device pocl --format svg -o pocl.svg
    judge "with its name" grep -q '<title[^>]*>sum of f32 on pocl<' pocl.svg
    names=$("${report[@]}" --help | tr -s ' \n' ' ' | sed -E 's/.*format svg writes: ([^(;]*); of ranks.*/\1/; s/ or /, /; s/,//g')
    judge "--help names the pictures" [ "$(wc -w <<<"$names")" = 11 ]
    for name in $names; do
        "${report[@]}" gaps.json --format svg --picture "$name" -o "$name.svg" >out 2>&1
        if [ "$name" = cub ]; then
            judge "no picture cub, and those that there are" grep -q 'nothing for --picture cub (Beside CUB); they have: pairs, time, devices, bandwidth, winners, heat, ' out
        else
            judge "the picture $name says what it is" drawn names "$name.svg" gaps.json
        fi
    done
    judge "each another one" [ "$(cat -- *.svg | grep -o '<desc id="p0desc">[^.]*' | sort -u | wc -l)" -ge 10 ]
    check "a picture that is none" 4 "picture: 'pie' is not valid; expected pairs, time, devices, .*parts, or of ranks efficiency" "${report[@]}" "$here" --format svg --picture pie
    check "one of a page" 4 'picture chooses what --format svg writes' "${report[@]}" "$here" --picture time
    check "one of ranks alone" 0 '^report: parts.svg$' "${report[@]}" "$root/results/h200-ranks/ranks.json" --format svg --picture parts -o parts.svg
    judge "with device, driver and date" sh -c 'grep -q "NVIDIA H200" parts.svg && grep -q "driver 580[^<]*measured 2026-11-26 by clreduce 0" parts.svg'
}

# page OF FILE...: report makes a page of what is stored, with all devices of its first file.
page() {
    local of=$1 file
    shift
    "${report[@]}" "$@" -o "$of.html" >log
    judge "a page of the stored $of" tables cat "$of.html"
    judge "is HTML, with chapters" xmllint --html --xpath '//h2' "$of.html"
    for file; do judge "which names $file" grep -qF "$file" "$of.html"; done
}

# The picture that is committed is what the program makes of the files beside it, and the pages are made of others.
committed() {
    "$root/results/three.py" --picture three.svg
    judge "the README's picture" cmp three.svg "$root/results/three.svg"
    judge "is a whole SVG file" xmllint --noout three.svg
    cp -r "$root/results" stored
    page "Intel Xeon" stored/cpu-2-cores.json
    page "EPYC" stored/epyc-2-cores{,-groups}.json
    page "scans" stored/epyc-2-cores-scan.json
    page "histograms" stored/epyc-2-cores-histogram.json
    page "drivers" stored/side-by-side/{debian-12,pocl-6.0,pocl-7.1,rusticl}.json
    page "H200 with CUB" stored/h200/{all-1,clreduce-1-f32,clreduce-1-i32,cub-1-f32,cub-1-i32}.json
    page "scans with CUB" stored/h200-scan/{clreduce,cub}-1-f32.json
    page "histograms with CUB" stored/h200-histogram/{clreduce,cub}-1-{u32,u8}.json
    page "two H200 with NCCL" stored/h200-ranks/{ranks,nccl-1,nccl-2}.json
}

trouble() {
    check "without a file" 4 'report RESULT.json' "${report[@]}"
    check "a file that is not there" 4 'cannot read none.json' "${report[@]}" none.json
    echo '{"schema": 2}' >odd.json
    check "a file of another kind" 4 'odd.json: ' "${report[@]}" odd.json -o odd.html
    judge "leaves no half page" [ ! -e odd.html ]
    check "an unknown format" 4 "'pdf' is not valid; expected html, md or svg" "${report[@]}" "$here" --format pdf
    check "a folder that is not there" 4 'cannot write' "${report[@]}" "$here" -o none/here.html
    mkdir bin tmp
    check "pictures need no other program" 0 '^report: bare.html$' \
        env PATH="$work/bin" TMPDIR="$work/tmp" "${report[@]}" "$here" -o bare.html
    judge "and are there, beside their figures" sh -c 'grep -q "<svg" bare.html && grep -q "<table>" bare.html'
    judge "without a file for each" [ -z "$(ls tmp)" ]
}

# cub_at FILE: CUB's time to answer at 2^28 with uniform data, in us, as a page rounds it.
cub_at() {
    "$root/results/history.py" --strategy cub --n 2^28 "$1" |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 && $at["data"] == "" { printf "%.0f", 1e6 * $at["median_s"] }'
}

beside() {
    "${report[@]}" "$all" "$there" "$cub" -o beside.html
    said beside.html >beside.txt
    judge "CUB stands beside the run that took turns with it" sh -c 'grep -q "^B nvidia: time to answer beside CUB" beside.txt && ! grep -q "^A nvidia: time to answer beside CUB" beside.txt'
    judge "in words, too" grep -qE '^B: Beside CUB 3.0.1 on NVIDIA H200, sum of f32: ' beside.txt
    judge "with the figures of both files" python3 - "$there" "$cub" beside.txt <<'PYTHON'
import json, sys
run, cub, text = json.load(open(sys.argv[1])), json.load(open(sys.argv[2])), open(sys.argv[3]).read()
own = min((c["time_to_answer"]["median_s"], c["strategy"]) for c in run["cells"] if c["n"] == 2**20 and c["device"] == "nvidia" and c["state"] == "pass")
theirs = {c["strategy"]: c["time_to_answer"]["median_s"] for c in cub["cells"] if c["n"] == 2**20}
def row(after, columns):
    return next(l for l in text[text.index(after):].splitlines() if l.strip().startswith("2^20 ") and len(l.split()) == columns).split()
times, ratios = row("B nvidia: time to answer beside CUB", 5), row("B nvidia: the fastest strategy, times as fast as CUB", 4)
assert times[1] == ratios[1] == own[1] and float(times[4]) == float(f"{1e6 * own[0]:.3g}"), times
for at, name in ((2, "cub"), (3, "cub_mapped")):
    assert abs(float(times[at]) / (1e6 * theirs[name]) - 1) < 0.01, times
    assert ratios[at].rstrip("x~") == f"{theirs[name] / own[0]:.2f}", ratios
PYTHON
    judge "and its command, which is told and not to be pasted" grep -q ': "build/cub --type f32' beside.txt
    "${report[@]}" "$there" "$cub" "$root"/results/h200-scan/{clreduce,cub}-1-f32.json -o both.html
    said both.html >both.txt
    judge "CUB's sums and CUB's scans stand beside their own" \
        [ "$(grep -cE '^[AB]: Beside CUB 3.0.1 on NVIDIA H200, (sum|inclusive_sum) of f32: ' both.txt)" = 2 ]
    check "CUB's time to answer of a scan" 0 "^2\\^28 +look_back\\w* +$(cub_at "$root/results/h200-scan/cub-1-f32.json") +[0-9]+\$" cat both.txt
    "${report[@]}" "$root"/results/h200-histogram/{clreduce,cub}-1-u32.json -o counted.html
    said counted.html >counted.txt
    judge "CUB's histogram of uniform data stands beside ours, and its slowest beside our slowest" \
        [ "$(grep -cE 'Beside CUB 3.0.1 on NVIDIA H200, count of u32(, with the slowest data of each)?: ' counted.txt)" = 2 ]
    check "CUB's time to answer of a histogram" 0 "^2\\^28 +local_copies_arrivals +$(cub_at "$root/results/h200-histogram/cub-1-u32.json") +[0-9]+\$" cat counted.txt
    check "more pairs than lines are told" 0 ' 10 of 12 pairs are drawn' "${report[@]}" "$all"
    "${report[@]}" "$groups" -o groups.html
    check "errors on data that is hard to add" 0 '^chunk +([0-9.e-]+ +){7}[0-9.e-]+ %$' said groups.html
    check "CUB alone" 4 "has another program's times alone, which a report sets beside ours and nothing advises: name a result file" "${report[@]}" "$cub"
    python3 - "$cub" <<'PYTHON'
import json, sys
for name, is_wrong in (("wrong", lambda cell: True), ("half", lambda cell: cell["strategy"] == "cub_mapped")):
    held = json.load(open(sys.argv[1]))
    for cell in filter(is_wrong, held["cells"]):
        cell |= {"state": "wrong", "reason": "expected 1 +- 0, got 2", "time_to_answer": None}
    json.dump(held, open(f"{name}.json", "w"))
PYTHON
    for wrong in wrong half; do
        check "a page beside what of CUB was wrong: $wrong" 0 "^report: $wrong.html\$" "${report[@]}" "$there" $wrong.json -o $wrong.html
        judge "does not show it" sh -c "! grep -q 'beside CUB\|Beside CUB' $wrong.html"
    done
    check "recommend does not advise it" 4 "has another program's times alone, which a report sets beside ours and nothing advises: name a result file" "$clreduce" recommend "$cub"
    "$clreduce" recommend "$there" >alone.txt
    check "nor beside ours" 0 "cub-1-f32.json: left out, for its times are another program's .CUB 3.0.1., which are never advised" "$clreduce" recommend "$there" "$cub"
    "$clreduce" recommend "$there" "$cub" >out 2>err
    judge "and gives the same advice" cmp out alone.txt
    mkdir -p both && cp "$there" "$cub" both
    check "in a folder it is left out, and named" 0 'both: left out 1 of 2 files .*: cub-1-f32.json' "$clreduce" recommend both
    check "but for report" 0 '^Beside CUB 3.0.1 on NVIDIA H200' "${report[@]}" both --format md
    check "a folder of it alone" 4 'nothing to read: none of its 1 files' "$clreduce" compare --drivers "$(mkdir -p theirs && cp "$cub" theirs && echo theirs)"
    check "compare takes it as it is" 0 'cub_mapped' "$clreduce" compare "$root"/results/h200/cub-{1,2}-f32.json --across all --format csv
}

made() {
    local more
    for kind in many full hostile; do
        "$root/tests/cli/make_results.py" "$here" "$kind" "$kind.json"
        more=()
        [ "$kind" != many ] || more=("$there" "$cub") # for the browser
        check "a page of $kind" 0 "^report: $kind.html\$" "${report[@]}" "$kind.json" "${more[@]}" -o "$kind.html"
        judge "is below 2 MB" smaller "$kind.html" 2000000
    done
    check "what is left out is told" 0 '[0-9]+ chapters are left out, .*--op and --type' "${report[@]}" full.json --format md -o full.md
    judge "in the page, too" grep -q 'chapters are left out' full.html
    judge "which is short enough for a comment" smaller full.md 65000
    # 2 s of a processor; 131, 60 and 35 where each look goes through all cells of the run or of its n
    for kind in scattered troubled wide; do
        "$root/tests/cli/make_results.py" "$here" "$kind" "$kind.json"
        check "20,000 cells and more take no minutes: $kind" 0 "^report: $kind.md\$" prlimit --cpu=12 "${report[@]}" "$kind.json" --format md -o "$kind.md"
    done
    # 0.1 GB for 40 MB, and not ten times the file
    check "a large file takes little more memory than it has" 0 "^recommendation: rules\$" \
        prlimit --data=250000000 "$clreduce" recommend full.json --output rules
    judge "names are not run" [ ! -e PWNED ]
    "${report[@]}" hostile.json --format md | cmark-gfm -e table >hostile-md.html
    judge "nor are they markup" sh -c '! grep -qiE "<script|<svg|<em>" hostile-md.html'
}

looked=0
look() {
    local looks=(here.html)
    if [ "$share" = all ]; then # of one device, and of several runs with reasons in the fields
        "${report[@]}" "$there" -o one.html
        "${report[@]}" "$root"/results/epyc-2-cores{,-groups}.json gaps.json -o runs.html
        looks=(--spoil here.html many.html hostile.html one.html runs.html)
    fi
    /usr/bin/python3 "$root/tests/cli/look.py" "${looks[@]}"
    looked=$?
}

contents
share=${2:-}
sections "$share" 1 committed trouble beside made pictures look
[ $failed = 0 ] && [ $looked != 1 ] || exit 1
exit $looked
