#!/usr/bin/env bash
# Duels from their options to their exit statuses, and their files: replayed, judged by other hands (judge.py), by their schema.
#   tests/cli/duel.sh CLREDUCE [SEED|all]    some of what differs from side to side, as the seed draws, or all of it
#   tests/cli/duel.sh CLREDUCE verdicts      a build against itself, and a kernel that is slower: with no other test beside them
#   tests/cli/duel.sh CLREDUCE files         files of nobody, and what is refused
# The margin is 50 %, so that the noise of a busy machine decides nothing; what is slower is so several times.
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/device.sh"
python=/usr/bin/python3
if ! "$python" -c 'import jsonschema, numpy, scipy' 2>/dev/null || [ ! -e /etc/OpenCL/vendors/pocl.icd ]; then
    echo "skipped: needs PoCL, python3-jsonschema, python3-numpy and python3-scipy"
    exit 77
fi
printf '[*]\nmargin = 50 %%\nbudget = 100 s\n' >calm.ini
duel=("$clreduce" duel --profile fast --data-sets 1 --policy calm.ini)
mkdir a b made
cp "$root/kernels_cl12/reduce/chunk.cl" a/chunk.cl
# A loop whose steps wait for each other, and which no compiler can leave out: tens of microseconds.
# shellcheck disable=SC2016 # awk's
awk '{ print } /^RED_KERNEL reduce/ { print "uint slow = (uint)n | 1u;\n" \
    "for (uint i = 0; i < 40000u; i++) { slow ^= slow << 13; slow ^= slow >> 17; slow ^= slow << 5; }\n" \
    "if (slow == 0u) out[0] = 0;" }' a/chunk.cl >b/chunk.cl

# kept TEXT FILE: of the duel whose output is in out. What is found once more is the same, byte for byte; by other hands, too, at the end.
kept_files=()
kept() {
    local text=$1 file=$2
    grep -vE '^(clreduce: |[a-z]+[.]ini:)' out >first
    "$clreduce" duel --replay "$file" --output again.json >second 2>told
    judge "$text: a replay prints the same" cmp first second
    judge "$text: and writes the same" cmp "$file" again.json
    kept_files+=("$file")
}

# What others find in the files that were kept. The schema's program takes a second for each megabyte, and one at random is as others.
judge_kept_files() {
    local given=() file
    judge "judge.py finds the same in ${kept_files[*]}" "$root/tests/cli/judge.py" "${kept_files[@]}"
    for file in "${kept_files[@]}"; do [[ $file == *random-[1-9]* ]] || given+=(-i "$file"); done
    judge "they fit the schema" "$python" -m jsonschema "${given[@]}" "$root/results/duel.schema.json"
}

same() {
    cp "$clreduce" copy
    # As many launches as it takes, on a busy machine too.
    check_duel "a program against a copy of itself" 0 '2 cells in [0-9]+ s: 2 SAME' "${duel[@]}" --profile full --device pocl --strategy serial,chunk --n 2^10 \
        --base ./copy --output same.json &&
        judge "both cells are within" holds same.json '{c["finding"]["code"] for c in cells} == {"within"}'
    judge "says so" grep -q '^base: ./copy; pocl' out
    judge "and which version that is" holds same.json 'r["base"]["version"] == r["head"]["version"] == r["version"]'
    judge "and at how many n results were checked" sh -c 'grep -qE "^Results were checked at 2 of 2 n of the base and at (1[0-9][0-9]) of \\1 n of the head; clreduce verify checks more\.$" out'
    judge "what the policy says is in force" holds same.json 'first["margin"] == 0.5 and first["budget_s"] == 100 and not first["required"]'
    kept "two builds" same.json
}

slower() {
    check_duel "two kernel files of one name, of which one is slow" 1 '^clreduce: SLOWER: pocl/chunk/sum/f32/n:1000: \+[0-9.]+ % .* in (8|16|24|32|40|48) launches of stage 2' \
        "${duel[@]}" --profile full --device pocl --n 1000 --base-kernel a/chunk.cl --head-kernel b/chunk.cl --output slower.json &&
        judge "by a lot" holds slower.json 'first["finding"]["low"] > 1.5 and first["finding"]["verdict"] == "SLOWER"'
    kept "slower" slower.json
    sed 's/^RED_KERNEL reduce/no_such_type RED_KERNEL reduce/' a/chunk.cl >broken.cl
    check "a kernel that does not build" 5 '^clreduce: BROKEN: .* head build-failed: broken.cl does not build' "${duel[@]}" --device pocl --n 1000 \
        --head-kernel broken.cl --output broken.json
    kept "what does not build" broken.json
}

lacking() {
    # A build of which one strategy has another name, as long.
    LC_ALL=C sed 's/cmpxchg_group/cmpxchg_grouq/g' "$clreduce" >renamed && chmod +x renamed
    local lacking=("${duel[@]}" --device pocl --strategy 'serial,cmpxchg_grou*' --n 1000)
    check "a head that lacks what the base has" 3 '^clreduce: UNTRUSTED: pocl/cmpxchg_group/sum/f32/n:1000: head unsupported: ' "${lacking[@]}" --head ./renamed
    check "which only the base knows" 3 '^clreduce: UNTRUSTED: pocl/cmpxchg_grouq/sum/f32/n:1000: head unsupported: it does not know the strategy any more' \
        "${lacking[@]}" --base ./renamed
}

faster() {
    check_duel "the other way round, against the strategy of its name" 0 'FASTER +confirmed-faster' "${duel[@]}" --profile full --device pocl --n 1000 --base-kernel b/chunk.cl \
        --output faster.json
    kept "faster" faster.json
}

settings() {
    check "two environments" 0 '^head: this program, with A=B B=C; pocl' "${duel[@]}" --device pocl --strategy serial --n 1000 \
        --base-env A=A --head-env A=B --head-env B=C --output settings.json
    judge "stand in the file" holds settings.json '(r["base"]["environment"], r["head"]["environment"]) == ("A=A", "A=B B=C")'
    kept "two environments" settings.json
    check "a replay has its own policy" 4 '^clreduce: --policy has no effect with --replay; leave one of them out' \
        "$clreduce" duel --replay settings.json --policy calm.ini
    check "cells as data" 0 '^pocl/serial/sum/f32/n:1000,' "$clreduce" duel --replay settings.json --format csv
}

# Two builds of one driver, each in a prefix of its own with its own .icd, as who works on a driver has them.
two_builds() {
    local icd library prefix
    icd=$(grep -ls pocl "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd | head -n 1)
    library=$(cat "${icd:-/dev/null}")
    [ -e "$library" ] || library=$(/sbin/ldconfig -p | awk -v name="$library" 'index(name, $1) == 1 { print $NF; exit }')
    library=$(realpath "${library:-nothing}")
    if [ ! -d "${library%/*}/pocl" ] || [ ! -d "${library%/*}/../../share/pocl" ]; then
        echo "skip  two builds of a driver: there is no PoCL in a prefix"
        return
    fi
    for prefix in old new; do
        mkdir -p "$prefix"/{lib/here,share,vendors}
        cp "$library" "$prefix"/lib/here/libpocl.so
        ln -s "${library%/*}/pocl" "$prefix"/lib/here/pocl
        ln -s "$(realpath "${library%/*}/../../share/pocl")" "$prefix"/share/pocl
        echo "$work/$prefix/lib/here/libpocl.so" >"$prefix"/vendors/pocl.icd
    done
    local two=("${duel[@]}" --device pocl --strategy chunk --n 4096 --base-env OCL_ICD_VENDORS=old/vendors --base-env POCL_CACHE_DIR=old/cache
        --head-env OCL_ICD_VENDORS=new/vendors --head-env POCL_CACHE_DIR=new/cache)
    check "two builds of a driver" 0 '^head: this program, with OCL_ICD_VENDORS=new/vendors POCL_CACHE_DIR=new/cache; pocl' "${two[@]}" --output builds.json
    kept "two builds" builds.json
    judge "with compiled kernels of their own" test -d old/cache -a -d new/cache
    # PoCL's device without threads answers for few elements in a twentieth of the time.
    check_duel "the slower one is told" 1 '^pocl/chunk/sum/f32/n:4096 .*SLOWER' "${two[@]}" --base-env POCL_DEVICES=basic --head-env POCL_DEVICES=pthread
    rm -r new/share new/cache
    check "each side loads its own" 3 '^clreduce: UNTRUSTED: .*: head unsupported: .*/new/lib/here/.*not found' "${two[@]}"
}

geometries() {
    # What the default is and what was asked for are two cells.
    check "a geometry" 77 '^pocl/serial/sum/f32/wg:64/n:1000 .* not-run' "${duel[@]}" --device pocl --strategy serial --n 1000 --wg 64 --output wg.json
    judge "is refused by both sides" holds wg.json 'first["asked"]["group_size"] == 64 and "group size 1 only" in first["head"]["reason"]'
    printf '[*]\nmargin = 50 %%\n[*/wg:64/*]\nmargin = 40 %%\n' >wg.ini
    check "geometries" 0 'pocl/grid_stride/sum/f32/wg:128/groups:4/n:1000 ' "$clreduce" duel --profile fast --data-sets 1 --policy wg.ini --device pocl --strategy grid_stride \
        --n 1000 --wg 64,128 --groups 4 --output wg.json
    judge "are cells of their own" holds wg.json '[(c["asked"]["group_size"], c["asked"]["groups"], c["head"]["geometry"]["group_size"], c["margin"]) for c in cells] == [(64, 4, 64, 0.4), (128, 4, 128, 0.5)]'
    kept "geometries" wg.json
}

one=("${duel[@]}" --device pocl --n "1000,2^12")
# lost NAME CONDITION: the strategy of a/chunk.cl, which loses its last element where the condition is true.
lost() {
    sed "s/item_chunk(RED_ARGS, n)/item_chunk(RED_ARGS, ($2) ? n - 1 : n)/" a/chunk.cl >"$1.cl"
    ! cmp -s "$1.cl" a/chunk.cl || echo "FAIL  $1.cl is no mutant"
}

# What is wrong at n that no cell has is wrong all the same.
beyond() {
    lost remainder 'n % 64 == 1 \&\& n > 64'
    check "a head that is wrong at n % 64 = 1" 2 "^clreduce: WRONG: pocl/chunk/sum/f32/n:1000: head wrong: beside the cell's own n, at n = 1025: .* \(and 1 more\)" \
        "${one[@]}" --base-kernel a/chunk.cl --head-kernel remainder.cl --output beyond.json
    judge "is wrong in every cell, and not timed" holds beyond.json '[(c["finding"]["verdict"], c["launches"]) for c in cells] == [("WRONG", [])] * 2'
    kept "wrong at another n" beyond.json
}

far_beyond() {
    lost other_remainder 'n % 64 == 38 \&\& n > 1000'
    lost whole 'n == 48'
    lost few 'n == 2'
    check "at another remainder" 2 'at n = 1062: ' "${one[@]}" --base-kernel a/chunk.cl --head-kernel other_remainder.cl --op max
    check "at whole vectors" 2 'at n = 48: ' "${one[@]}" --base-kernel a/chunk.cl --head-kernel whole.cl
    check "at two, where the base is wrong, too" 2 'at n = 2: .* \(and the base fails there, too\)' "${one[@]}" --base-kernel few.cl --head-kernel few.cl
    check "a base that is wrong there is none of the head's" 0 'chunk' "${one[@]}" --n 1000 --base-kernel few.cl --head-kernel a/chunk.cl
    cp "$root/kernels_cl12/reduce/tree.cl" mine.cl
    check "a kernel file of a strategy's name takes its place" 0 'tree' "${one[@]}" --n 1000 --head-kernel mine.cl
}

# Why there is no answer, and what would give one.
reasons() {
    "$root/tests/cli/make_duels.py" same.json made
    printf '[*]\nmargin = 0.1 %%\nbudget = 100 s\n' >narrow.ini
    "$clreduce" duel --profile fast --data-sets 1 --policy narrow.ini --device pocl --strategy serial,chunk --n 1000 --output narrow.json >out 2>&1
    judge "no budget is spent that is not" holds narrow.json 'all(c["finding"]["code"] != "budget" for c in cells)'
    check "what the launches of the plan do not tell" 0 'in all [0-9]+ launches of stage 1, not within [0-9.]+ %: a larger margin' "$clreduce" duel --replay made/launches-spent.json
    check "what a difference that is not confirmed would need" 0 'which is not confirmed: p = [0-9.e-]+ against 2 %, and [0-9.e-]+ or$|which is not confirmed: p = ' \
        "$clreduce" duel --replay made/not-confirmed.json
    judge "and no more" sh -c '! grep -q "beyond the margin" out'
    check "nor one whose interval lies beyond the margin" 0 'which is not confirmed, though the interval lies beyond the margin: p =' "$clreduce" duel \
        --replay made/nearly.json --format csv
    check "what of the budget is used up in stage 1" 0 ",budget,.*[+-]0[.]0 % .* in 5.25 s; the half of the cell's 10 s that stage 1 may take is used up: a larger budget" \
        "$clreduce" duel --replay made/budget.json --format csv
    check "and in stage 2" 0 ",budget,.*[+]22[.].* in 20.9 s; the cell's 10 s and what other cells left are used up: a larger budget" "$clreduce" duel \
        --replay made/nominated.json --format csv
}

quarantined() {
    local until_day
    until_day=$(date -u -d '+30 days' +%F)
    printf '[*]\nmargin = 50 %%\nbudget = 100 s\n[*/n:1000]\nquarantine = slow, as we know\nuntil = %s\n' "$until_day" >quarantine.ini
    check_duel "what is slower in quarantine is shown" 0 "quarantined until $until_day: slow, as we know" "$clreduce" duel --data-sets 1 \
        --policy quarantine.ini --device pocl --n 1000 --head-kernel b/chunk.cl --output quarantine.json --export junit=quarantine.xml \
        --export annotations=quarantine.txt || return
    judge "skipped in JUnit, with the reason" grep -qE '<skipped message=".*quarantined until .*: slow, as we know' quarantine.xml
    judge "and a warning in annotations" grep -qE '^::warning .*::SLOWER: .*quarantined until' quarantine.txt
    judge "and is SLOWER all the same" holds quarantine.json 'first["finding"]["verdict"] == "SLOWER" and first["until"] and first["quarantine"]'
    judge "what is in force is told" grep -q "^quarantine.ini:5: quarantine until $until_day  *1 of 1 cells" out
    check "which a replay knows" 0 "quarantined until $until_day" "$clreduce" duel --replay quarantine.json
}

budgets() {
    local none
    # So narrow a margin that no launches are within.
    printf '[*]\nmargin = 0.1 %%\nbudget = 300 ms\n[*/serial/*]\nrequire = yes\n' >short.ini
    check "a budget that is spent where an answer is required" 3 '^clreduce: (UNDECIDED|UNTRUSTED): pocl/serial/sum/f32/n:1000: ' "$clreduce" duel --profile fast \
        --data-sets 1 --policy short.ini --device pocl --strategy serial,chunk --n 1000 --output short.json
    judge "is that of one of both cells" holds short.json '{(c["head"]["strategy"], c["required"], c["budget_s"]) for c in cells} == {("serial", True, 0.3), ("chunk", False, 0.3)}'
    judge "which it had no answer for" holds short.json '{c["finding"]["code"] for c in cells} <= {"budget", "controls-moved", "launches-spent", "not-confirmed"}'
    check "required when judged again" 3 '^clreduce: (UNDECIDED|UNTRUSTED): pocl/.*and 1 more' "$clreduce" duel --replay short.json --require
    "${duel[@]}" --device pocl --strategy serial --n 1000,2^22 --output paid.json >out 2>&1
    judge "each cell pays for its own batches" holds paid.json 'len(cells) == 2 and all(c["spent_s"] >= sum(ns for s in c["launches"]
        for r in s["rounds"] for who in ("base_ns", "head_ns") for ns in r[who]) / 1e9 > 0 for c in cells)'
    judge "and all together for no more than there was" holds paid.json 'sum(c["spent_s"] for c in cells) < r["wall_s"]'
    printf '[*]\nbudget = 0.1 ms\n' >none.ini
    none=("$clreduce" duel --profile fast --data-sets 1 --policy none.ini --device pocl --strategy serial --n 1000)
    check "what takes too long is no answer" 77 '^clreduce: nothing could be measured' "${none[@]}"
    check "and missed where one is required" 3 '^clreduce: UNDECIDED: pocl/serial/.* the budget is 0.0001 s' "${none[@]}" --require
}

drivers() {
    if ! has_device "$clreduce" intel; then
        echo "      without Intel's runtime there are no two drivers"
        return
    fi
    "${duel[@]}" --base-device pocl --head-device intel --strategy serial --n 1000 --output drivers.json >out 2>&1
    judge "two drivers: an exit status that is no failure" test $? -le 1
    judge "two drivers: both are in it" holds drivers.json '[r[s]["devices"][0]["id"] for s in ("base", "head")] == ["pocl", "intel"]'
    judge "two drivers: and a ratio" holds drivers.json 'first["name"] == "intel/serial/sum/f32/n:1000" and first["finding"]["ratio"] > 0'
    kept "two drivers" drivers.json
    "${duel[@]}" --base-device intel,pocl --head-device pocl,intel --strategy serial --n 1000 --output crossed.json >out 2>&1
    judge "two drivers: they face each other in the order of both lists" holds crossed.json \
        '[[d["id"] for d in r[s]["devices"]] for s in ("base", "head")] == [["intel", "pocl"], ["pocl", "intel"]]'
    check "what the head's driver lacks" 3 '^clreduce: UNTRUSTED: pocl/device_enqueue/sum/f32/n:1000: head unsupported: ' "${duel[@]}" \
        --base-device intel --head-device pocl --strategy device_enqueue --n 1000
    check "what the base's driver lacks, and nothing else" 77 'UNDECIDED +new' "${duel[@]}" --base-device pocl --head-device intel \
        --strategy device_enqueue --n 1000
}

# stop_after SECONDS: Ctrl-C so long after the cells were verified.
stop_after() {
    local pid
    rm -f stopped.json told
    "$clreduce" duel --data-sets 1 --policy calm.ini --device pocl --strategy serial,tree --n 1000 --output stopped.json 2>told </dev/null &
    pid=$!
    until grep -qs 'calm.ini:' told || ! kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
    sleep "$1"
    kill -INT "$pid"
    wait "$pid"
}

interrupted() {
    local text=$1
    check_duel "$text: exit status 130" 130 . stop_after "$2" || return
    judge "$text: and what there is" holds stopped.json 'r["interrupted"] and {c["finding"]["code"] for c in cells} <= {"interrupted", "within"}'
    check "$text: can be judged" 130 'UNDECIDED +interrupted' "$clreduce" duel --replay stopped.json --output again.json
    judge "$text: is whole" cmp stopped.json again.json
}

interruptions() {
    interrupted "before the first launch is over" 0
    interrupted "after some launches" 1.5
}

refused() {
    local one=("${duel[@]}" --device pocl --strategy serial --n 1000)
    printf '#!/bin/sh\necho clreduce\n' >script && printf 'neither' >bytes && chmod +x script bytes
    printf '[*]\nmargin = 2\n' >bad.ini
    check "a profile" 4 "^clreduce: --profile: 'slow' is not valid; expected full or fast" "${one[@]}" --profile slow
    check "no work-group" 4 '^clreduce: --wg: no work-group of 0 work-items; the selected devices take 1 to [0-9]+' "${one[@]}" --wg 0,64
    check "one that is too large for any" 4 '^clreduce: --wg: no work-group of 10000000 work-items' "${one[@]}" --wg 10000000
    check "a policy that is not there" 4 '^clreduce: .*nowhere.ini' "${one[@]}" --policy nowhere.ini
    check "one that makes no sense" 4 "^clreduce: bad.ini:2: margin: '2' is not valid" "${one[@]}" --policy bad.ini
    check "a program that is not there" 4 "^clreduce: --head: 'nowhere' is no program" "${one[@]}" --head nowhere
    check "a program that is none of ours" 4 "^clreduce: --head: '/.*' is no build of clreduce" "${one[@]}" --head "$(type -P true)"
    check "one that pretends" 4 "^clreduce: --base: '/.*script' is no build of clreduce" "${one[@]}" --base script
    check "one that cannot run" 4 "^clreduce: --base: '/.*bytes' cannot be started" "${one[@]}" --base bytes
    check "a folder" 4 '^clreduce: --head: ' "${one[@]}" --head .
    check "a setting" 4 "^clreduce: --head-env: '=B' is not valid; expected NAME=VALUE" "${one[@]}" --head-env =B
    check "a kernel file that is not there" 4 '^clreduce: .*nowhere.cl' "${one[@]}" --base-kernel nowhere.cl
    check "a device" 4 "^clreduce: base: unknown device 'nothing'; valid: pocl" "${one[@]}" --base-device nothing
    check "one of two devices" 4 "^clreduce: base: unknown device 'intle'" "$clreduce" duel --device pocl,intle --n 1000 --strategy serial
    check "a strategy" 4 "^clreduce: unknown strategy 'seriel'; did you mean 'serial'" "${one[@]}" --strategy seriel
    check "an output that cannot be" 4 '^clreduce: .*nowhere' "${one[@]}" --output nowhere/duel.json
    check "an argument" 4 "unexpected argument 'base.json'" "${one[@]}" base.json
    check "no driver" 77 'no OpenCL device found' env OCL_ICD_VENDORS=/nowhere "${one[@]}"
    check "nothing that can run" 77 'nothing could be measured' "${duel[@]}" --device pocl --strategy device_enqueue --n 1000
    check "no cell" 77 'nothing could be measured' "${duel[@]}" --device pocl --strategy openmp --n 1000
}

# Files of nobody: cells of every code, many at random, and what is no file at all.
made() {
    local code found status
    "$root/tests/cli/make_duels.py" same.json made
    for file in made/*.json; do
        code=$(basename "$file" .json)
        "$clreduce" duel --replay "$file" --output "judged-$code.json" >out 2>&1 </dev/null
        found=$?
        case $code in
        confirmed-slower) status=1 ;; wrong) status=2 ;; missing) status=3 ;; build-failed | failed | crashed | timed-out) status=5 ;;
        new | not-run) status=77 ;; interrupted) status=130 ;; random-*) status=$found ;; *) status=0 ;;
        esac
        judge "made of $code: exit status $found" test "$found" = "$status"
        case $code in random-*) ;; *) judge "made of $code: it is" grep -q " $(sed 's/nearly/not-confirmed/; s/nominated/budget/' <<<"$code")\$" out ;; esac
    done
    kept_files+=(judged-*.json)
    sed 's/"verdict":"SLOWER","code":"confirmed-slower"/"verdict":"SAME","code":"within"/' judged-confirmed-slower.json >lie.json
    judge "judge.py sees a lie" sh -c "! '$root/tests/cli/judge.py' lie.json >told"
    sed 's/"schema": 1/"schema": 1, "more": 1/' judged-within.json >lie.json
    judge "the schema sees what is new" sh -c "! '$python' -m jsonschema -i lie.json '$root/results/duel.schema.json' >told 2>&1"
}

hostile() {
    local file
    head -c 3000 same.json >cut.json
    printf '\033[31m{"file": 1}' >escapes.json
    sed 's/"stage":1,"launch"/"stage":9,"launch"/' same.json >stage.json
    sed 's/"base_ns":\[[0-9]*/&.5/' same.json >fraction.json
    sed 's/"launches":\[{/"launches":[{"rounds":[[[[]]]]},{/' same.json >nested.json
    : >empty.json
    "$python" -c 'print("[" * 100000)' >deep.json
    for file in cut escapes stage fraction nested empty deep nowhere; do
        check "hostile: $file" 4 "^clreduce: .*$file" "$clreduce" duel --replay "$file.json" --output again.json
        judge "hostile: $file: is one line, and leaves the terminal alone" \
            "$python" -c 'import sys; text = open("out", "rb").read(); sys.exit(text.count(b"\n") != 1 or b"\x1b" in text)'
    done
}

case ${2:-} in
verdicts)
    same
    slower
    ;;
files)
    check "a duel of which files are made" 0 '^2 cells in ' "${duel[@]}" --device pocl --strategy serial,chunk --n 2^10 --output same.json
    made
    refused
    ;;
*)
    same
    beyond
    hostile
    sections "${2:-}" 1 lacking faster settings two_builds geometries quarantined budgets drivers interruptions far_beyond reasons
    ;;
esac
judge_kept_files
exit $failed
