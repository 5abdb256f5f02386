#!/usr/bin/env bash
# Advice from result files: sentence, table, JSON, C header, and what it costs on runs that it was not made of (tests/tools/regret).
#   tests/cli/recommend.sh CLREDUCE [SEED|all]    the sentence and the table, and one of the rest, which the seed draws, or all
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/device.sh"
here=$root/results/cpu-2-cores.json
runs=("$root"/results/h200/all-[123].json)
recommend=("$clreduce" recommend)

# slower FILE STRATEGIES BY: the result file with times of all whose names begin so multiplied.
slower() {
    edited "$1" "[scale(c, $3) for c in cells if c['strategy'].startswith('$2')]"
}

people() {
    check "a sentence comes first" 0 '^On pocl \(Portable Computing Language, ' "${recommend[@]}" "$here"
    judge "it says from where to where" sh -c 'tr "\n" " " <out | grep -qE "use grid_stride_vec below 25000 \(20000 to 30000\), svm_chunk below 710000, between 710000 and 12000000 unclear which .svm_chunk and chunk may differ by up to 26 %., and chunk from there on"'
    judge "a tie is called one, and goes to the simpler strategy" sh -c 'tr "\n" " " <out | grep -qF "sum of f32: use chunk for every n; it ties with others"'
    judge "the table has the runner-up with its interval" grep -qE '^1 +chunk .* svm_chunk \+0\.0 %' out
    judge "what it needs, and what runs everywhere" sh -c 'grep -qF "needs local_memory, svm" out && grep -qE "^25000 .* chunk \+24\.5 %" out'
    check "three runs know more" 0 'in 3 runs\.$' "${recommend[@]}" "${runs[@]}" --strategy polled_stride,grid_stride_vec,tree
    check "a run that is named twice is no second one" 4 'are the same file, which would count twice: name it once$' "${recommend[@]}" "$here" "$here"
    local many=() i
    for ((i = 0; i < 70; i++)); do
        many+=("many$i.json")
        (cat "${runs[i % 3]}" && printf '%*s' "$i" '') >"many$i.json"
    done
    check "any number of files" 0 'in 70 runs\.$' "${recommend[@]}" "${many[@]}" --strategy polled_stride,grid_stride_vec,tree
    check "so many devices side by side" 0 '^BR = nvidia: NVIDIA H200, ' "$clreduce" compare --drivers "${many[@]}"
    check "and on a page" 0 '^. AF: many31.json, measured ' "$clreduce" report "${many[@]:0:32}" --format md
    check "of 32 at most" 4 'shows at most 32 devices side by side' "$clreduce" report "${many[@]}" --format md
    check "only what runs on every OpenCL 1.2" 0 'use (chunk|grid_stride_vec|tree|first_add)' "${recommend[@]}" "${runs[@]}" --portable
    check "only what is named" 0 'use tree for every n' "${recommend[@]}" "$here" --device intel --strategy 'tree,cmpxchg_item'
    check "for one n" 0 '^at n = 20000: use grid_stride_vec\.' "${recommend[@]}" "$here" --n 20000
    judge "the row of that n alone" sh -c 'grep -qE "^1 +grid_stride_vec " out && ! grep -q "^25000" out'
    check "within a wide edge" 0 'use svm_chunk or chunk, unclear which: they may differ by up to 26 %' "${recommend[@]}" "$here" --device pocl --n 2^21
    check "beyond what was measured" 0 'a guess' "${recommend[@]}" "$here" --device intel --n 2^30
    check "one n at a time" 4 'expected one size' "${recommend[@]}" "$here" --n 20000,2^21
    check "which has no effect on rules" 4 '.-n has no effect with --format h' "${recommend[@]}" "$here" --n 20000 --format h
    check "one device" 0 '^On intel' "${recommend[@]}" "$here" --device intel
    judge "and no other" sh -c '! grep -q "^On pocl" out'
    slower "$here" chunk 3 >slower.json
    edited slower.json '[c.update(strategy="persistent_group") for c in cells if c["strategy"] == "serial"]' >waits.json
    check "what keeps a launch waiting is nobody's by default" 0 '^On pocl' "${recommend[@]}" waits.json
    judge "however fast" sh -c '! tr "\n" " " <out | sed "s/Left out[^.]*\.//g" | grep -q persistent'
    check "a glob is no name" 0 'nothing that can be recommended was timed' "${recommend[@]}" waits.json --device pocl --strategy 'persistent*'
    judge "which is told" sh -c 'tr "\n" " " <out | grep -q "Left out, as they keep .* persistent_group"'
    "${recommend[@]}" waits.json >out
    judge "and that is told" sh -c 'tr "\n" " " <out | grep -q "Left out, as they keep a launch waiting between calls: persistent_group; --strategy with their names"'
    check "but his who names it" 0 'use persistent_group' "${recommend[@]}" waits.json --strategy 'persistent_group'
}

programs() {
    check "JSON" 0 '"file": "clreduce recommend"' "${recommend[@]}" "$here" "${runs[@]}" --format json
    mv out advice.json
    judge "is as its schema says" python3 -c 'import json, jsonschema; jsonschema.validate(json.load(open("advice.json")), json.load(open("'"$root"'/results/advice.schema.json")))'
    judge "bands follow each other" holds advice.json 'all(a["n_to"] + 1 == b["n_from"] for x in advice for a, b in zip(x["bands"], x["bands"][1:]))'
    judge "from the first n on, without an end" holds advice.json 'all(x["bands"][0]["n_from"] == 1 and x["bands"][-1]["n_to"] is None for x in advice)'
    judge "edges lie in their intervals" holds advice.json 'all(b["n_from_low"] <= b["n_from"] <= b["n_from_high"] for x in advice for b in x["bands"])'
    judge "each device has its own runs" holds advice.json '[x["runs"] for x in advice] == [1, 1, 3]'
    judge "no tie is claimed where the interval is above 0" holds advice.json 'all(b["tie"] == (b["margin_low"] <= 0) for x in advice for b in x["bands"])'
    judge "rules change where bands do" holds advice.json 'all({b["n_from"] for b in x["bands"][1:]} <= {r["n_from"] for r in x["rules"]} for x in advice)'
    check "a C header" 0 '^recommendation: rules.h$' "${recommend[@]}" "$here" "${runs[@]}" --format h --output rules.h
    edited "$here" 'for c in cells: c.update(shape="segments:7x%d" % c["n"], segments=7)' >segments.json
    check "segments have no rules" 4 'no strategy was timed on one array' "${recommend[@]}" segments.json --format h --output none.h
    judge "and no half header" [ ! -e none.h ]
    cp rules.c rules.cc
    local flags=(-Wall -Wextra -Wconversion -Wpedantic -Werror)
    judge "compiles as C11" cc -std=c11 "${flags[@]}" -o rules-c rules.c
    judge "and as C++17" c++ -std=c++17 "${flags[@]}" -o rules-cc rules.cc
    judge "and with clang" clang -std=c11 "${flags[@]}" -fsyntax-only rules.c
    ./rules-c >found-c && ./rules-cc >found-cc
    judge "both find rules" [ "$(wc -l <found-c)" = 8 ]
    judge "the same" cmp found-c found-cc
    judge "as the table says" sh -c 'sed -n 1,4p found-c | grep -cx "grid_stride_vec 32 [0-9]*" | grep -qx 4 && sed -n 5,6p found-c | grep -c "^svm_chunk" | grep -qx 2 && sed -n 7,8p found-c | grep -c "^chunk 1 " | grep -qx 2'
}

regret() {
    local regret=("$root/tests/tools/regret" --clreduce "$clreduce")
    if ! /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
        echo "skipped: what a recommendation costs: needs python3-numpy"
        skipped=yes && return
    fi
    check "advice of one run, judged by two others" 0 '^It keeps to the limits: 2 %' "${regret[@]}" "${runs[0]}" --fresh "${runs[1]}" --fresh "${runs[2]}"
    judge "beside simpler choices" sh -c 'grep -qE "^one strategy everywhere +10 " out && grep -qE "^fastest of one run +10 " out'
    "${regret[@]}" "${runs[0]}" --fresh "${runs[1]}" --fresh "${runs[2]}" --keep kept.json >judged 2>&1
    check "their medians alone judge the same" 0 '^It keeps to the limits: 2 %' "${regret[@]}" "${runs[0]}" --fresh kept.json
    judge "to the digit" cmp judged out
    slower "${runs[0]}" polled 2 >worse.json
    check "bad advice is found out" 3 'the recommendation costs more than 2 %' "${regret[@]}" worse.json --fresh "${runs[1]}" --fresh "${runs[2]}"
    judge "and what it costs is told" grep -qE '^recommended +10 +[0-9.]+ %.* for polled_[a-z]+$' out
    check "runs of other devices judge nothing" 4 'no cell in common' "${regret[@]}" "${runs[0]}" --fresh "$here"
    check "both ways to have fresh runs" 4 'runs has no effect with --fresh' "${regret[@]}" "$here" --fresh "$here" --runs 2
    if ! has_device "$clreduce" pocl; then
        echo "not measured again: there is no pocl" && return
    fi
    "$clreduce" bench --device pocl --strategy 'chunk,tree,cmpxchg_item' --n '2^14,2^18' --time-per-cell 0.02 --data-sets 1 --output now.json >log 2>&1
    check "measured again" 0 '^recommended +2 ' "${regret[@]}" now.json --runs 2 --time-per-cell 0.02
    judge "without leaving anything" [ -z "$(ls tmp 2>/dev/null)" ]
    "$clreduce" bench --device pocl --shape 'segments:64x256,16x1024' --time-per-cell 0.005 --data-sets 1 --strategy 'segment_item,segment_serial' --wg 16,32 --output segments.json >log 2>&1
    "${regret[@]}" segments.json --runs 1 --time-per-cell 0.005 >out 2>&1 # of one hasty run the limits may not hold
    judge "segments, too, with their group sizes" grep -qE '^recommended +2 ' out
}

trouble() {
    check "without a file" 4 'recommend RESULT.json' "${recommend[@]}"
    check "an operation that the file lacks" 4 'no device, operation and type' "${recommend[@]}" "$here" --op max
    check "a format that is another verb's" 4 "'html' is not valid; expected table, json or h" "${recommend[@]}" "$here" --format html
    check "no half file" 4 'cannot read' "${recommend[@]}" none.json --format h --output none.h
    judge "is left" [ ! -e none.h ]
    edited "$here" '[c.update(strategy="a\"*/b\\??/" + c["strategy"][:3]) for c in cells if c["device"] != "host"]
devices[1]["name"] = "*/ int evil; /*"' >odd.json
    check "names that mean something to a compiler" 0 '^recommendation' "${recommend[@]}" odd.json --format h --output rules.h
    judge "mean nothing" cc -std=c11 -Wall -Wextra -Wconversion -Werror -fsyntax-only rules.c
    check "nothing that was timed" 0 'nothing that can be recommended was timed' "${recommend[@]}" "$here" --strategy 'persistent*'
}

skipped=
cat >rules.c <<'C'
#include "rules.h"
#include "rules.h"
#include <stdio.h>
int main(void) {
    const uint64_t sizes[] = {0, 1, 1024, 24999, 25000, 1u << 20, 1u << 26, UINT64_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const struct clreduce_rule *rule = clreduce_rule_find("pocl", "sum", "f32", sizes[i]);
        printf("%s %d %d\n", rule->strategy, (int)rule->group_size, (int)rule->groups);
    }
    return clreduce_rule_find("pocl", "sum", "f64", 1) != NULL || clreduce_rule_find("none", "sum", "f32", 1) != NULL;
}
C
mkdir tmp && export TMPDIR=$work/tmp
people
sections "${2:-}" 1 programs regret trouble
[ -z "$skipped" ] || [ $failed = 1 ] || exit 77
exit $failed
