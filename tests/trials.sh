#!/usr/bin/env bash
# The gate's error rates: results/gate.json adds up to the lines in results/gate.md, for the plan that this program has. Who changes a
# plan or a scenario measures again: trials of another plan do not count, and this fails. No device is needed.
#   trials.sh CLREDUCE
set -u
clreduce=$(realpath "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/check.sh
. "$root/tests/check.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$root/results/gate.json" .

# trials SCENARIO DEVICES: enough trials are there, so that none is run.
# shellcheck disable=SC2317 # check calls it
trials() { timeout 20 env OCL_ICD_VENDORS="$work" "$clreduce" duel --self-test "$1" --device "$2" --output gate.json; }

# shellcheck disable=SC2317 # judge calls it
told() { grep -vxFf "$root/results/gate.md" out | awk 'END { exit NR > 0 }'; }

# scenario TEXT NAME DEVICES PATTERN [STATUS]
scenario() {
    check "$1" "${5:-0}" "$4" trials "$2" "$3"
    judge "which results/gate.md tells" told
}

scenario "no false alarm in suites without a change, fast profile" aa-fast pocl,intel \
    '^aa-fast +299 of 299 trials, 299 without a false SLOWER: false in at most 1.00 %'
scenario "nor in the full one" aa-full pocl,intel \
    '^aa-full +30 of  30 trials, 30 without a false SLOWER: false in at most 9.50 %'
# 5 and 10 %, as it turned out: what is confirmed early looks a little larger than it is.
scenario "5 % slower is confirmed" slow-5 intel \
    '^slow-5 +59 of  59 trials, 59 confirmed SLOWER, and no other: at least 95.0 % .* the slowed cell \+(4\.[5-9]|5\.[0-5]) %'
scenario "and 10 % beside a busy process" slow-10-busy intel \
    '^slow-10-busy +59 of  59 trials, 59 confirmed SLOWER, and no other: at least 95.0 % .* the slowed cell \+(9|10|11)\.[0-9] %'
scenario "what was not confirmed on PoCL is told" slow-5 pocl '^slow-5 +59 of  59 trials, 58 confirmed SLOWER, and no other: at least 92.2 %' 2
judge "the file is left as it was" cmp -s gate.json "$root/results/gate.json"

# answers SCENARIO SHARE: so many of the cells have an answer, since who says nothing is never wrong.
# shellcheck disable=SC2317 # judge calls it
answers() {
    python3 - "$@" <<'E'
import json, sys
rows = [t for t in json.load(open("gate.json"))["trials"] if t["scenario"] == sys.argv[1]]
answered = sum(n for t in rows for verdict, n in t["verdicts"].items() if verdict in ("SAME", "FASTER", "SLOWER"))
sys.exit(answered < float(sys.argv[2]) * sum(t["cells"] for t in rows))
E
}
judge "two of three cells have an answer" answers aa-fast 0.67
judge "and five of six in the full profile" answers aa-full 0.83

# spoil SCENARIO VERDICTS: the verdicts of the first trial of the scenario.
spoil() {
    python3 - "$root/results/gate.json" "$@" >gate.json <<'E'
import json, sys
trials = json.load(open(sys.argv[1]))
first = next(t for t in trials["trials"] if t["scenario"] == sys.argv[2])
first["verdicts"] = json.loads(sys.argv[3])
json.dump(trials, sys.stdout)
E
}
spoil aa-fast '{"SLOWER": 1, "SAME": 7}'
check "a false alarm counts" 2 '^aa-fast +299 of 299 trials, 298 without a false SLOWER: .* 1 falsely SLOWER' trials aa-fast pocl,intel
judge "and is told" grep -q '^clreduce: aa-fast: 1 of 299 trials were not without a false SLOWER' out
spoil slow-5 '{"SLOWER": 2, "SAME": 2}'
check "a second cell that is called slower counts" 2 '1 falsely SLOWER' trials slow-5 intel
exit $failed
