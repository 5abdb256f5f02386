#!/usr/bin/env bash
# The verb litmus on PoCL: each test is in the output once, what x86 shows is seen and what is forbidden is not, sums are possible; a
# planted driver that takes seq_cst for relaxed is found; what cannot be asked is refused. JSON fits its schema, and JUnit agrees with it.
#   litmus.sh CLREDUCE LAYER [SEED]
set -u
# shellcheck source=tests/tools/check.sh
. "$(dirname "$0")/../tools/check.sh"
cd "$OLDPWD" || exit 1
clreduce=$(realpath "$1")
layer=$(realpath "$2")
seed=${3:-$RANDOM}
echo "seed $seed"
cd "$work" || exit 1

"$clreduce" litmus --device pocl --seed "$seed" --budget 2 --format json --output all.json --export junit=all.xml >out 2>&1
judge "litmus ends with 0 on a driver that keeps what OpenCL promises" test $? = 0
judge "every file is a row, and a row agrees with itself" python3 - all.json "$root" <<'PYTHON'
import glob, json, os, sys
rows = json.load(open(sys.argv[1]))
files = {os.path.basename(path)[:-7] for path in glob.glob(f"{sys.argv[2]}/kernels_cl*/litmus/*.litmus")}
names = [row["test"] for row in rows]
assert sorted(names) == sorted(files), set(names) ^ files
for row in rows:
    seen, twin, answer = row["weak"], row["mutant_weak"], row["answer"]
    assert seen <= row["instances"] and twin <= row["mutant_instances"], row
    assert answer not in ("broken", "finding", "failed"), row
    assert (answer == "seen") == (seen > 0), row
    assert (answer == "not-seen") == (seen == 0 and twin > 0), row
PYTHON

fits_schema all.json litmus
judge "the schema refuses a row that contradicts itself" python3 - all.json "$root" <<'PYTHON'
import json, sys
try:
    import jsonschema
except ImportError:
    print("not checked: needs python3-jsonschema")
    sys.exit()
rows = json.load(open(sys.argv[1]))
schema = json.load(open(f"{sys.argv[2]}/results/litmus.schema.json"))
for lie in ({"answer": "seen", "weak": 0}, {"answer": "not-seen", "mutant": ""}, {"answer": "broken", "weak": 1, "advertised": "no"}):
    try:
        jsonschema.validate([{**rows[0], **lie}], schema)
    except jsonschema.ValidationError:
        continue
    sys.exit(f"taken: {lie}")
PYTHON
judge "whether it is advertised is told where the outcome is forbidden, and JUnit has each row with its outcome and reason" \
    python3 - all.json all.xml <<'PYTHON'
import json, sys, xml.etree.ElementTree
rows = {f"{row['device']}/{row['test']}": row for row in json.load(open(sys.argv[1]))}
suites = xml.etree.ElementTree.parse(sys.argv[2]).getroot()
cases = {case.get("name"): case for case in suites.iter("testcase")}
assert cases.keys() == rows.keys() and len(list(suites.iter("testcase"))) == len(rows)
for name, row in rows.items():
    forbidden = row["from 3.1" if float(row["opencl"]) >= 3.1 else "verdict"] == "forbidden"
    assert (row["advertised"] in ("yes", "no")) == forbidden, row
    skipped = cases[name].find("skipped")
    assert (skipped is not None) == (row["answer"] == "not-observable"), name
    assert skipped is None or (row["reason"] or "no mutant was seen either") in skipped.get("message"), name
    assert skipped is not None or cases[name].find("system-out").text.startswith(row["answer"]), name
PYTHON

# answer_of TEST [FAULT]: of a driver with that fault of the layer's.
answer_of() {
    OPENCL_LAYERS=$layer CLREDUCE_FAULT=${2:-} \
        "$clreduce" litmus --device pocl --seed "$seed" --test "$1" --budget 15 --output one.csv --export junit=one.xml >out 2>&1
    sed -n 2p one.csv | cut -d, -f8
}
judge "store buffering by relaxed atomics is seen on x86" test "$(answer_of sb_rlx)" = seen
judge "a driver that takes seq_cst for relaxed is found by sb_sc" grep -qxE 'broken|finding' <<<"$(answer_of sb_sc relaxed_seq_cst)"

answer=$(sed -n 2p one.csv | cut -d, -f8)
judge "JUnit has what is $answer as a failure, or tells it beside a test that has passed" \
    grep -qE '<failure message="wrong: [0-9]+ of [^"]*forbidden by API|<system-out>finding: [0-9]' one.xml
check "times are refused, since nothing is timed" 4 'junit holds checks' "$clreduce" litmus --device pocl --export markdown=x
"$clreduce" litmus --device pocl --seed "$seed" --test sb_rlx,sb_sc --budget 0.2 --format html --output page.html >out 2>&1
judge "a page has a row for each test" test "$(grep -o '<tr><th scope="row">sb_' page.html | wc -l)" = 2
check "--source prints each program that it chooses" 0 '^// sb_sc: ' "$clreduce" litmus --source 'mp_rel_acq,sb_sc'

check "--source prints the kernel" 0 'atomic_store_explicit.*memory_order_release, memory_scope_device' "$clreduce" litmus --source mp_rel_acq
check "an unknown test is refused with the nearest name" 4 'mp_rel_acq' "$clreduce" litmus --test mp_rel_ac
exit "$failed"
