#!/usr/bin/env bash
# Files of one array over many ranks: their schema and its page, who reads them, and what report shows of them. Neither a device nor an
# MPI is needed.
#   tests/cli/ranks_file.sh CLREDUCE UNIT_RANKS [SEED]
set -u
clreduce=$(realpath "$1") unit=$(realpath "$2")
. "$(dirname "$0")/../tools/check.sh"
part=UNIT_RANKS
seeded "${3:-$RANDOM}"
# shellcheck disable=SC2153 # seeded sets RANDOM
seed=$RANDOM
report=("$clreduce" report)
result=$root/results/cpu-2-cores.json

# make KIND: KIND.json, of the seed.
make() {
    "$root/tests/cli/make_ranks.py" "$seed" "$1" "$1.json"
}
said() {
    "$root/tests/tools/page_text.py" "$1"
}

for kind in plain hostile one peer peer_slow peer_fast peer_hostile; do
    make $kind
done
python3 - "$root" <<'PYTHON'
import json, sys
sys.path.insert(0, f"{sys.argv[1]}/results")
from run_file import rows_of
plain = json.load(open("plain.json"))
def written(name, run):
    json.dump(run, open(name, "w"))
def slower(cell):
    time = cell["time_to_answer"]
    if cell["strategy"] != "chunk" or cell["ranks"] != 8 or time is None:
        return cell
    longer = {key: [1.3 * s for s in value] if key == "samples_s" else value if key in ("parts_s", "calls_per_sample") else 1.3 * value
              for key, value in time.items()}
    return cell | {"time_to_answer": longer}
written("slower.json", plain | {"cells": [slower(cell) for cell in plain["cells"]]})
written("again.json", plain | {"wall_s": 61.0})
value = {"value": "12", "place": None}
check = {"strategy": "chunk", "op": "sum", "type": "f32", "shape": "array", "n": 77, "segments": 1, "prefixes": 0,
         "asked": {"group_size": 64, "groups": None, "width": None, "loads": None}, "geometry": None, "standard": None, "data": "uniform",
         "data_seed": 1, "state": "wrong", "fault": "answer", "expected": value, "got": value, "low": None, "high": None, "segment": None,
         "run": None, "reason": "expected 12, got 13", "again": "clreduce verify", "kernel": None}
written("checks.json", {"schema": "clreduce-verify", "schema_version": 1, "suite_version": "1", "command": "clreduce verify",
                        "started": plain["started"], "seed": 1, "wall_s": 1, "host": plain["host"],
                        "devices": [{**device, "strategies": [], "checks": [check]} for device in plain["devices"][1:]]})
for name in ("plain", "peer", "peer_slow"):
    written(f"{name}.rows", rows_of(json.load(open(f"{name}.json"))))
PYTHON

# ---- the file ----
mkdir written
judge "the program's own files are written" env SEED="$seed" "$unit" "$work/written" >/dev/null 2>&1
fits_schema written/ranks.json result
fits_schema plain.json result
fits_schema peer.json result
judge "the schema sees what is not so" python3 - "$root/results/result.schema.json" plain.json <<'PYTHON'
import copy, json, sys
try:
    import jsonschema
except ImportError:
    sys.exit(print("not checked: needs python3-jsonschema"))
schema, whole = (json.load(open(path)) for path in sys.argv[1:])
whole["cells"], whole["beside"] = whole["cells"][:2], whole["beside"][:2]
fits = jsonschema.Draft7Validator(schema).is_valid
assert fits(whole)
for lie in ('r["cells"][0]["more"] = 1', 'del r["over_ranks"]["ranks"][0]["driver"]', 'r["cells"][0]["state"] = "wrong"',
            'r["over_ranks"]["split"] = "even"', 'r["cells"][1]["time_to_answer"]["parts_s"]["device"] = []', 'r["seed"] = -1',
            'r["cells"][1]["answers"][1] = "0F"', 'r["cells"][1]["scaling"] = "strong"', 'r["cells"][0]["kind"] = "roof"',
            'r["beside"][0]["kind"] = "peer"', 'r["beside"][0]["strategy"] = "chunk"', 'del r["cells"][0]["collective"]',
            'r["beside"][0]["ranks"] = 0'):
    r = copy.deepcopy(whole)
    exec(lie)
    assert not fits(r), lie
PYTHON

# ---- who reads it ----
check "recommend advises for each number of ranks" 0 '^On pocl .* sum of f32 over 4 ranks, weak scaling: use chunk with mpi_reduce for every n;' \
    "$clreduce" recommend plain.json
judge "and bans what was wrong there" grep -qE '^DO NOT USE on pocl: tree gave WRONG results: sum of f32 over [1-8] ranks, (weak|strong) scaling at n = 2\^27:' out
check "in JSON with the collectives" 0 '"scaling": "weak"' "$clreduce" recommend plain.json --format json
cp out advice.json
judge "of each band and rule" python3 - advice.json <<'PYTHON'
import json, sys
advice = json.load(open(sys.argv[1]))["advice"]
assert sorted((a["ranks"], a["scaling"]) for a in advice) == sorted((r, s) for r in (1, 2, 4, 8) for s in ("strong", "weak")), advice
for a in advice:
    assert all(rule["collective"] == "mpi_reduce" for rule in a["rules"]), a
    assert all(band["strategy"] == "chunk with mpi_reduce" for band in a["bands"] + [a["everywhere"]]), a
PYTHON
fits_schema advice.json advice
check "a C header has no collectives" 4 'plain.json is over ranks: a C header chooses kernels, and no collectives' "$clreduce" recommend plain.json --format h
check "another program's is never advised" 4 "peer.json has another program's times alone, which a report sets beside ours and nothing advises" "$clreduce" recommend peer.json
"$clreduce" recommend plain.json >advised
check "nor beside ours" 0 "peer.json: left out, for its times are another program's" "$clreduce" recommend plain.json peer.json
"$clreduce" recommend plain.json peer.json >out 2>err
judge "where the advice is ours" cmp out advised
check "emit has no use for it" 4 'the files have no sum of f32 on device \*; they have sum of f32 over 1 rank, strong scaling' "$clreduce" emit plain.json
check "compare takes two of them, and nothing else beside" 4 'plain.json is over ranks, and .*cpu-2-cores.json of one device: times of different work' \
    "$clreduce" compare "$result" plain.json
check "compare --drivers has keys of ranks" 0 '^chunk with exact +sum f32 2\^26, 8 ranks strong +[0-9]+ +[0-9]+ +1\.[0-9]+ in another run$' \
    "$clreduce" compare --drivers plain.json slower.json
check "in CSV with columns of their own" 0 '^strategy,op,type,shape,bins,data,ranks,collective,scaling,n,side,' \
    "$clreduce" compare --drivers plain.json slower.json --format csv
judge "one row for each cell on the device" [ "$(tail -n +2 out | cut -d, -f1-10 | sort | uniq | wc -l)" = 48 ]
check "not of files of one device" 0 '^strategy,op,type,shape,bins,data,n,side,' "$clreduce" compare --drivers "$result" --format csv
check "a file of verify bans over ranks, too" 0 '^DO NOT USE on pocl: chunk gave WRONG results: sum of f32 at n = 77: expected 12, got 13; tree' \
    "$clreduce" recommend plain.json checks.json
check "duel does not" 4 'plain.json: file: expected "clreduce duel": a file of clreduce duel --output' "$clreduce" duel --replay plain.json
edited plain.json 'r["cells"][3]["scaling"] = 7' >odd.json
check "report names a member that is wrong" 4 'odd.json: cells\[3\].scaling: expected a text' "${report[@]}" odd.json -o odd.html
judge "and leaves no half page" [ ! -e odd.html ]

# ---- two runs ----
# The strategy chunk takes 1.3 times as long on 8 ranks, whatever the collective.
check "a slower run of a scaling is told" 0 '^pocl +chunk with exact +sum f32 2\^26, 8 ranks strong +[0-9]+ +[0-9]+ +1\.3[0-9] \([0-9.-]+\) !$' \
    "$clreduce" compare plain.json slower.json
judge "and counted" grep -qE 'More than their interval apart: 6 \(6 take longer in head, 0 less\)' out
judge "no duel is named for it" sh -c '! grep -q "clreduce duel" out'
check "it fails the verb, if that is wanted" 1 'cells that take more than 10 % longer in head, .*: 6$' "$clreduce" compare plain.json slower.json --fail-above 10
check "in CSV by all axes" 0 '^device,strategy,op,type,shape,bins,data,ranks,collective,scaling,n,asked,' "$clreduce" compare plain.json slower.json --format csv
judge "longer are those of 8 ranks" [ "$(awk -F, '/,longer,/ { print $2, $8, $10 }' out | sort | uniq -c | sed 's/^ *//' | paste -sd';')" = "4 chunk 8 strong;2 chunk 8 weak" ]
check "the same run has nothing to tell" 0 'More than their interval apart: 0 ' "$clreduce" compare plain.json again.json
edited plain.json 'r["over_ranks"].update(split="roof", mpi="MPICH 4.0"); r["over_ranks"]["ranks"][7].update(host="box2")' >else.json
check "what differs in the ranks is named" 4 'settings, MPI: Open MPI v4\.1\.4, MPI 3\.1 in base, MPICH 4\.0 in head' "$clreduce" compare plain.json else.json
judge "and refused" grep -q -- '--across machine,settings compares them all the same' out
judge "how the array was cut" grep -q 'settings, pieces (--split): equal in base, roof in head' out
judge "where the ranks were" grep -qE 'machine, ranks: box0: a device, .*; box2: a device in head$' out

# ---- the page ----
check "a page of its own" 0 '^report: plain.html$' "${report[@]}" plain.json -o plain.html
said plain.html >plain.txt
judge "figures are those of the file" python3 - plain.rows plain.txt <<'PYTHON'
import json, statistics, sys
rows, text = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
def time(kind, n, ranks, weak, strategy=None, collective=None):
    row = next(r for r in rows if (r["kind"], r["n"], r["ranks"], r["weak"], r["strategy"], r["collective"]) ==
               (kind, n, ranks, weak, strategy, collective))
    return statistics.median(row["samples_s"]["total"])
def shown(title):
    table = text[text.index("roof: 1 to 4 ranks", text.index("\n" + title + "\nsum of f32, n = ")):]
    return next(l for l in table.splitlines() if l.split()[:2] == ["chunk", "exact"]).split()
for weak, title, n in ((False, "sum of f32, strong scaling, n = 2^26 in all", 2**26), (True, "sum of f32, weak scaling, n = 2^24 for each rank", 2**24)):
    whole = [n * r if weak else n for r in (1, 2, 4)]
    times = [time("strategy", n_, r, weak, "chunk", "exact") for n_, r in zip(whole, (1, 2, 4))]
    shares = [time("roof", n_, r, weak) / t for n_, r, t in zip(whole, (1, 2, 4), times)]
    efficiencies = [times[0] / t / (1 if weak else r) for t, r in zip(times, (1, 2, 4))]
    wanted = ["chunk", "exact"]
    for at in range(3):
        wanted += [f"{1e3 * times[at]:.{2 if times[at] < 0.00995 else 1}f}", "ms", f"{efficiencies[at]:.2f}", f"{shares[at]:.2f}"]
    del wanted[4]  # of one rank
    assert shown(title) == wanted, (shown(title), wanted)
PYTHON
check "it answers first" 0 '^sum of f32, n = 2\^26: 8 ranks are 7\.0[0-9] times as fast as one \(efficiency 0\.88\), at 0\.84 of their roofs' \
    sed -n 1,15p plain.txt
check "says whose bits are the same for all numbers of ranks" 0 '^tree +exact .* same$' cat plain.txt
check "and whose are not" 0 '^tree +mpi_reduce .* differ$' cat plain.txt
check "and what that means" 0 '^bits: whether 1, 2, 4 and 8 ranks gave the same bits in all data sets\.$' cat plain.txt
judge "of weak scaling it says nothing" [ "$(grep -c '^bits: ' plain.txt)" = 2 ]
check "tells what was not right" 0 '^tree +wrong +1 +exact +sum of f32 +2\^27 +8 +expected 3, got 4$' cat plain.txt
check "where the ranks are" 0 '^box1 +pocl +a device +3\.1 +4 +1 +40\.0$' cat plain.txt
check "what collectives cost" 0 '^exact +sum of f32 +8 +3\.00 us +\+1\.50 us$' cat plain.txt
check "and bans the strategy" 0 '^DO NOT USE on pocl: tree gave WRONG results: sum of f32 over [1-8] ranks, (weak|strong) scaling at n = 2\^27: expected 3, got 4\.$' cat plain.txt
check "what verify has found bans, too: it is not the fastest" 0 '^DO NOT USE on pocl: chunk gave WRONG results: sum of f32 at n = 77' \
    "${report[@]}" plain.json checks.json --format md
judge "of banned strategies none is the fastest" sh -c '! grep -q "fastest: " out'
check "how it was measured" 0 '^8 ranks, started by Open MPI v4\.1\.4, MPI 3\.1; the array is cut into pieces of the same length' cat plain.txt
check "and how to make it again" 0 '^clreduce report plain.json --output report.html' cat plain.txt
judge "it has a picture of efficiency and one of parts for each n" [ "$(grep -o '<svg' plain.html | wc -l)" = 6 ]
check "Markdown has the same tables" 0 '^\|chunk\|exact\|' "${report[@]}" plain.json --format md
make many
check "a page of many strategies and ranks" 0 '^\|strategy\\_[0-9]+\|' prlimit --cpu=30 "${report[@]}" many.json --format md -o -
judge "is short enough for a comment" [ "$(wc -c <out)" -lt 65000 ]
python3 -c 'import json; file = json.load(open("one.json")); cell = next(cell for cell in file["cells"] if cell["strategy"] != "openmp")
file["cells"], file["beside"] = [cell | {"n": 1 + n} for n in range(4000)], []; json.dump(file, open("sizes.json", "w"))'
check "a page of many sizes" 0 '^report: sizes.md$' prlimit --cpu=15 "${report[@]}" sizes.json -o sizes.md
check "the picture alone" 0 '^report: ranks.svg$' "${report[@]}" plain.json --format svg -o ranks.svg
judge "is a whole SVG file" xmllint --noout ranks.svg
judge "with a panel for either way of scaling" [ "$(grep -o '<title id=' ranks.svg | wc -l)" = 2 ]
check "one rank has none" 4 'one.json has no times on one rank and on more, so there is no chart of efficiency' \
    "${report[@]}" one.json --format svg -o one.svg
check "beside a result file it has chapters" 0 '^## sum of f32, weak scaling, n = 2\^24 for each rank$' "${report[@]}" "$result" plain.json --format md
check "two files are told apart" 0 '^## One array over 1 rank: one.json$' "${report[@]}" plain.json one.json --format md
check "chosen operations" 4 'nothing of --op max, --type \* is in the files; they have: sum of f32$' "${report[@]}" plain.json --op max
check "reductions are wanted" 0 '^# One array over 8 ranks' "${report[@]}" plain.json --primitive reduce --format md
check "scans are none" 4 'plain.json has times of another primitive than scan$' "${report[@]}" plain.json --primitive scan
judge "nor in a page of scans" sh -c "'$clreduce' report '$root/results/epyc-2-cores-scan.json' plain.json --primitive scan --format md >scans.md &&
    ! grep -q 'One array' scans.md"
check "the same file twice" 4 'are the same file, which would count twice' "${report[@]}" plain.json plain.json
check "names that mean something" 0 '^report: hostile.html$' "${report[@]}" hostile.json -o hostile.html
judge "are no markup" sh -c '! grep -qiE "<script|<svg onload|<em>" hostile.html && xmllint --html --noout hostile.html 2>/dev/null'
judge "and leave the terminal alone" python3 -c 'assert not {"\x1b", "\r", "\u202e"} & set(open("hostile.html", newline="", encoding="utf-8").read())'

# ---- another program beside it ----
# That has 4 and 8 ranks, too, where ours has 1 and 2.
python3 -c 'import json; file = json.load(open("plain.json")); file.update((name, [cell for cell in file[name] if cell["ranks"] < 3]) for name in ("cells", "beside")); json.dump(file, open("few.json", "w"))'
check "parts of the time with our most ranks" 0 '^\|tree\|exact\|.*\|same\|$' "${report[@]}" few.json peer.json --format md
check "and the numbers of ranks whose bits are known" 0 '^bits: whether 1 and 2 ranks gave the same bits in all data sets\.$' "${report[@]}" few.json peer.json --format md
"${report[@]}" plain.json peer.json peer_slow.json -o beside.html >log
said beside.html >beside.txt
judge "its times are those of both of its files" python3 - beside.txt plain.rows peer.rows peer_slow.rows <<'PYTHON'
import json, statistics, sys
text, (ours, *theirs) = open(sys.argv[1]).read(), [json.load(open(path)) for path in sys.argv[2:]]
def median(files, kind, n, ranks, weak, *names):
    samples = [s for rows in files for row in rows if (row["kind"], row["n"], row["ranks"], row["weak"]) == (kind, n, ranks, weak)
               and (row["strategy"], row["collective"]) == (names or (None, None)) for s in row["samples_s"]["total"]]
    assert len(samples) == 7 * len(files), samples
    return statistics.median(samples)
for weak, title, n in ((False, "sum of f32, strong scaling, n = 2^26 in all", 2**26), (True, "sum of f32, weak scaling, n = 2^24 for each rank", 2**24)):
    table = text[text.index("roof: 1 to 4 ranks", text.index("\n" + title + "\nsum of f32, n = ")):].splitlines()
    names = [l.split()[:2] for l in table]
    assert names.index(["openmp", "mpi_reduce"]) < names.index(["cub", "nccl"]) < names.index(["cub", "nccl_graph"]) == names.index(["cub", "nccl"]) + 1
    shown = table[names.index(["cub", "nccl"])].split()
    one, four = (median(theirs, "peer", n * r if weak else n, r, weak, "cub", "nccl") for r in (1, 4))
    roof = median([ours], "roof", 4 * n if weak else n, 4, weak)
    assert shown[-4:] == [f"{1e3 * four:.2f}", "ms", f"{one / four / (1 if weak else 4):.2f}", f"{roof / four:.2f}"], shown
    best = min(median([ours], "strategy", 8 * n if weak else n, 8, weak, "chunk", c) for c in ("mpi_reduce", "exact"))
    least, form = min((median(theirs, "peer", 8 * n if weak else n, 8, weak, "cub", form), form) for form in ("nccl", "nccl_graph"))
    assert f"; fastest: chunk with mpi_reduce; cub with {form} takes {least / best:.2f} times as long.\n" in text, (form, least / best)
PYTHON
check "the page says what it is, and of which files" 0 '^cub with nccl, cub with nccl_graph are of another program, timed by itself: peer.json \(CUDA 13.0, NCCL 2.28.9\), peer_slow.json \(CUDA' \
    cat beside.txt
check "its collective stands beside ours" 0 '^nccl +sum of f32 +8 +7\.00 us +\+5\.50 us$' cat beside.txt
check "its commands are told, and not as ones to paste" 0 'peer_slow.json: "build/nccl --output peer_slow.json"' cat beside.txt
judge "it is drawn" grep -q 'cub, nccl_graph' beside.html
"${report[@]}" plain.json peer.json --format md >in-order.md
check "wherever it is named" 0 '^# One array over 8 ranks: Open MPI' "${report[@]}" peer.json plain.json --format md
judge "the page is the same, but for its own command" sh -c 'grep -v "^clreduce report " out >other-order.md; grep -v "^clreduce report " in-order.md | cmp other-order.md -'
check "a faster one is not called ours" 0 '; fastest: chunk with mpi\\_reduce; cub with nccl\\_graph takes 0\.[0-9]+ of that time\.' \
    "${report[@]}" plain.json peer_fast.json --format md
check "alone it has tables" 0 '^\|cub\|nccl\|' "${report[@]}" peer.json --format md
judge "a title, and no sentence" sh -c 'grep -qx "# One array over 8 ranks" out && ! grep -qE "fastest:|were verified" out'
check "with fewer of our ranks it is a file of its own" 0 '^## One array over 8 ranks: peer.json$' "${report[@]}" one.json peer.json --format md
edited peer.json 'r["over_ranks"]["ranks"][7]["device_name"] = "another"' >other.json
check "beside other devices, too" 0 '^## One array over 8 ranks: other.json$' "${report[@]}" plain.json other.json --format md
check "twice the same one" 4 'are the same file, which would count twice' "${report[@]}" plain.json peer.json peer.json
check "its names that mean something" 0 '^report: hostile-peer.html$' "${report[@]}" plain.json peer_hostile.json -o hostile-peer.html
judge "are no markup there" sh -c '! grep -qiE "<script|<svg onload|<em>" hostile-peer.html && xmllint --html --noout hostile-peer.html 2>/dev/null'
check "scaling.py has its columns" 0 '^\| strong \| 2\^26 \| .chunk. \| .mpi_reduce. \| .* \| [0-9.]+ ms \| [0-9.]+ ms \| [0-9.]+ \|$' \
    "$root/results/scaling.py" plain.json peer.json peer_slow.json
# shellcheck disable=SC2016 # awk's columns: from the end on, behind the last bar: times ours, two of theirs, ..., ours
judge "the last one is the fastest of them by ours" awk -F'|' '$3 ~ /2\^26/ { fast = $(NF-3) + 0 < $(NF-2) + 0 ? $(NF-3) + 0 : $(NF-2) + 0
    off = fast / $(NF-9) - $(NF-1); seen += off < 0.02 && off > -0.02 } END { exit seen != 1 }' out
judge "with its names" grep -qE 'collective takes \| .cub. \+ .nccl. \| .cub. \+ .nccl_graph. \| times ours \|$' out
edited plain.json '[cell.update(state="unsupported", reason="no room", time_to_answer=None) for cell in r["cells"] + r["beside"] if cell.get("kind") != "alone" and cell["ranks"] == 1]' >none.json
check "what one rank had no room for has no efficiency" 0 '^\| strong \| 2\^26 \| .chunk. \| .mpi_reduce. \| - \| [^-|]* \| [^-|]* \| [^-|]* \| - \| 0\.8[0-9] \|' \
    "$root/results/scaling.py" none.json
check "--rank-counts without all ranks" 0 '^\| strong \| 2\^26 \| .chunk. ' "$root/results/scaling.py" few.json
check "not beside other devices" 1 'other.json: its ranks have other devices: a device' "$root/results/scaling.py" plain.json other.json
exit $failed
