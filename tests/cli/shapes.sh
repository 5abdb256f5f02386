#!/usr/bin/env bash
# bench --shape: segments and iterated reductions end right, are named in every output, and refuse what does not fit.
#   tests/cli/shapes.sh CLREDUCE [SEED|all]    what is refused, and one of the other checks, which the seed draws, or all
#   tests/cli/shapes.sh CLREDUCE waits         launches that wait through calls, which they do only where nothing else is running
set -u
clreduce=$(realpath "$1")
share=${2:-}
. "$(dirname "$0")/../tools/device.sh"

if [ "$share" = waits ]; then
    need_device "$clreduce" intel
    check "a question of persistent names the array" 0 "^persistent " \
        "$clreduce" bench --device intel --time-per-cell 0.01 --strategy persistent --n 1,1000,2^18 --shape iterate:5
    file=$root/kernels_cl12/reduce/persistent_mapped.cl
    {
        sed '/^\/\/@ variant/,$d; /^\/\/@ needs/d; s/name: .*/name: stale/; s/types:  all/types:  f32/; s/ops:    all/ops:    sum/' "$file"
        sed -n "/^\/\/@ variant: persistent /,/^\$/p" "$file" | grep -E '^//@ (needs|counterpart):'
        printf '\n#include "lib/mailbox_svm.cl"\n#undef ARRAY\n#include "persistent_mapped.cl"\n'
    } >stale.cl
    # Several sizes, and up to five times: on a busy machine a launch may go between two calls, and the next one
    # gets the new array.
    stale=("$clreduce" bench --device intel --time-per-cell 0.01 --kernel stale.cl --strategy svm_chunk --n 1000..1007:+1
        --shape iterate:5)
    for _ in 1 2 3 4 5; do
        "${stale[@]}" >seen 2>&1 </dev/null
        found=$?
        [ $found = 0 ] || break
    done
    check "a launch of persistent that keeps to its first array is found" 2 'stale: wrong at n = 100.: ' sh -c "cat seen; exit $found"
    exit $failed
fi
need_device "$clreduce" pocl
quick=("$clreduce" bench --device pocl --time-per-cell 0.01)
# announced FACTOR: what the last run took is so many times what it announced, at most, or a few seconds.
announced() {
    awk -v took="$SECONDS" -v factor="$1" '/^verifying/ { sub(/.*about /, ""); s = $1 } END { exit !(s > 0 && took <= factor * s + 2 && s <= factor * took + 2) }' out
}

refused() {
    check "a strategy of segments wants segments" 4 'segment_item reduces segments: add for example --shape' \
        "${quick[@]}" --strategy segment_item
    check "a strategy of one array wants one" 4 'tree reduces one array' \
        "${quick[@]}" --strategy tree --shape segments:3x3
    check "a user's kernel, too" 4 'segment_tail_lost reduces segments' \
        "${quick[@]}" --kernel "$root/tests/mutants/segment_tail_lost.cl"
    check "--n goes with one array" 4 '^clreduce: --n: --shape segments:3x3 says how long' \
        "${quick[@]}" --n 5 --shape segments:3x3
    check "no shape" 4 "^clreduce: --shape: 'segment:3x3' is not valid; expected array, segments:" "$clreduce" bench --shape segment:3x3
}

segments() {
    check "segments are timed" 0 '^shape segments:300x7,100x160' \
        "${quick[@]}" --op mean --shape segments:300x7,100x160 --output segments.json
    judge "the result file names shapes, counts and lengths" holds segments.json '(timed := [c for c in cells if c["state"] == "pass"]) and
        {c["strategy"] for c in timed} >= {"openmp", "segment_group", "segment_item", "segment_column", "segment_serial"} and
        {(c["shape"], c["segments"], c["n"]) for c in timed} == {("segments:300x7", 300, 7), ("segments:100x160", 100, 160)}'
    judge "and no strategy of one array" holds segments.json 'not any(c["strategy"] == "tree" for c in cells)'
    judge "errors are within their bounds" holds segments.json \
        'all(c["accuracy"]["error"] <= c["accuracy"]["bound"] for c in cells if c["state"] == "pass")'
}

places() {
    check "places count within their segment" 0 '^shape segments:50x33' \
        "${quick[@]}" --op argmin --type i8,f64 --shape segments:50x33
    check "and is verified before" 2 'segment [0-9]+ of [0-9]+: expected' \
        "${quick[@]}" --kernel "$root/tests/mutants/segment_tail_lost.cl" --strategy segment_item --shape segments:9x160
}

iterated() {
    check "iterated reductions are timed" 0 '^shape iterate:10' \
        "${quick[@]}" --strategy 'tree,tree_passes,last_group,svm_result' --n 5000 --shape iterate:10 --output iterate.json
    judge "the result file names the shape" holds iterate.json '{c["shape"] for c in cells} == {"iterate:10"}'
    judge "and what was timed" holds iterate.json '{c["strategy"] for c in cells if c["state"] == "pass"} >=
        {"openmp", "tree", "tree_passes", "last_group"}'
}

budgets() {
    check "a call that fits no budget is told, and not begun" 77 'tree: over-budget at n = 2\^14: one call, of 1000000' \
        "${quick[@]}" --strategy tree --n 2^14 --shape iterate:1000000 --output over.json
    judge "with what it would take" sh -c "grep -qE '\"projected_s\": *[0-9]' over.json && ! grep -q '\"projected_s\": *null' over.json"
    SECONDS=0
    check "calls of a thousand reductions" 0 '^tree ' "$clreduce" bench --device pocl --time-per-cell 0.7 --strategy tree --n 2^14 --shape iterate:1000
    judge "take as long as announced: $SECONDS s" announced 4
}

# wrong_text NAME OLD NEW: a copy of the program in whose kernels one text is another one, of the same length.
wrong_text() {
    sed "s|$2|$3|" "$clreduce" >"$1" && chmod +x "$1" && ! cmp -s "$1" "$clreduce"
}

# advised FILE: whether a busy machine's times may be compared is not the question.
advised() {
    local status=0
    "$clreduce" recommend "$1" || status=$?
    [ "$status" = 0 ] || [ "$status" = 3 ]
}
compared_with_stored() {
    "${quick[@]}" --op mean --strategy segment_item --shape segments:30x7 --output stored.json >seen 2>&1
    "$clreduce" compare computed.json stored.json
}

computed() {
    local computed=(--op mean --seed "$RANDOM" --shape)
    check "elements that kernels compute" 0 '^shape computed:30x7,99x160: n elements each, which are computed' \
        "${quick[@]}" "${computed[@]}" computed:30x7,99x160 --strategy 'segment_[cghi]*' --output computed.json
    judge "the file names shapes and what was timed" holds computed.json '(timed := [c for c in cells if c["state"] == "pass"]) and
        {c["strategy"] for c in timed} >= {"openmp", "sequential", "segment_halves", "segment_item_stored", "segment_group_stored"} and
        {(c["shape"], c["segments"], c["n"]) for c in timed} == {("computed:30x7", 30, 7), ("computed:99x160", 99, 160)}'
    check "other types and operations" 0 '^sequential ' "${quick[@]}" --shape computed:9x40 --strategy segment_halves --type i8,u64,f16 --op dot,max --seed "$RANDOM"
    check "a place is told to be unsupported" 77 'argmin compares the elements. bits in memory' \
        "${quick[@]}" --op argmin,argmax --shape computed:9x40 --strategy segment_item --seed "$RANDOM" --output places.json
    judge "and no answer is wrong" holds places.json '{(c["strategy"], c["state"]) for c in cells} ==
        {(s, "unsupported") for s in ("openmp", "sequential", "segment_item")} and all("in memory" in c["reason"] for c in cells)'
    check "recommend knows the shape" 0 'mean of f32, shape computed' advised computed.json
    check "report, too" 0 '' "$clreduce" report computed.json --output computed.html
    judge "the page names it, and has no rate of memory" sh -c "grep -q 'shape computed' computed.html && ! grep -q 'effective bandwidth' computed.html"
    check "and compare refuses another one" 4 'reduce other shapes, computed and segments' compared_with_stored
    check "a half too short is wrong" 2 'segment [0-9]+ of [0-9]+: expected' "${quick[@]}" --wg 64 \
        --kernel "$root/tests/mutants/segment_halves_torn.cl" --strategy segment_halves_torn "${computed[@]}" computed:9x150
    judge "a kernel that hashes otherwise" wrong_text otherwise 0x846ca68bu 0x846ca68du
    check "is wrong" 2 'segment_item: wrong at n = 160: ' ./otherwise bench "${quick[@]:2}" "${computed[@]}" computed:99x160 --strategy segment_item
    check "terms that have no room are told" 77 'segment_item_stored stores 17592186044416 terms, 65536[.]0 GiB, and pocl has room for .*--shape' \
        "$clreduce" once --device pocl --strategy segment_item_stored --shape computed:2^20x2^24
    check "what has no room is told, with a way out" 4 '^clreduce: --shape segments:2.40x160 of f32 needs .* or computed:' \
        "${quick[@]}" --shape segments:2^40x160
}

# enough_told N: the last run of N elements of f32 tells 5 arrays: three that take turns, the one that is reduced, and one more
# while it is verified.
enough_told() {
    awk -v n="$1" '/together need/ { sub(/.*together need /, ""); told = $1 } END { exit !(told > 20 * n / 2 ^ 30 - 0.1 && told < 20 * n / 2 ^ 30 + 0.1) }' out
}

changed() {
    local drawn=$RANDOM half
    "$clreduce" bench --device host --n 2^50 >out 2>&1
    half=$(($(sed -n 's/.*the largest possible n is \([0-9]*\).*/\1/p' out) / 2))
    check "arrays that have no room together" 4 ' together need ' "$clreduce" bench --device host --n "$half" --shape changed:3
    judge "count the one that is reduced" enough_told "$half"
    check "an array that a launch changes before each reduction" 0 '^shape changed:10: time of changing' \
        "${quick[@]}" --strategy 'tree,tree_two,interleaved_stored' --op dot --n 1,5000 --shape changed:10 --seed "$drawn" --output changed.json
    judge "the file names shape and strategies" holds changed.json '{c["shape"] for c in cells} == {"changed:10"} and
        {c["strategy"] for c in cells if c["state"] == "pass"} == {"openmp", "sequential", "tree", "tree_two", "interleaved_stored"}'
    check "report shows it" 0 '' "$clreduce" report changed.json --output changed.html
    judge "without a rate of memory, since storing is in the time" sh -c "grep -q 'shape changed' changed.html && ! grep -q 'effective bandwidth' changed.html"
    check "other types and operations" 0 '^sequential ' "${quick[@]}" --strategy grid_stride --type i8,u64,f16 --op argmin --n 5000 --shape changed:3 --seed "$drawn"
    check "a launch that waits cannot" 77 'persistent_mapped: unsupported .* would have to end' \
        "${quick[@]}" --strategy persistent_mapped --n 5000 --shape changed:10
    check "what is recorded keeps its array" 77 'command_buffer: unsupported .* keeps its array' \
        "${quick[@]}" --strategy command_buffer --n 5000 --shape changed:10
    check "an answer that is kept is wrong" 2 'kept_if_near: wrong at n = 2.16: .*expected' "${quick[@]}" --wg 1 --groups 1024 --seed "$drawn" \
        --kernel "$root/tests/mutants/timed/kept_if_near.cl" --strategy kept_if_near --n 2^16 --shape changed:5
    judge "a launch that stores one other element" wrong_text otherwise 'array\[i\] = (RED_T)RED_ELEMENT_(red_x, i)' 'array[i] = RED_ELEMENT_(red_x, i+(i==7))'
    check "makes answers wrong" 2 'tree: wrong at n = 5000: ' ./otherwise bench "${quick[@]:2}" --strategy tree --n 5000 --shape changed:10
}

arrays() {
    check "what is recorded keeps its array" 77 'command_buffer: unsupported at n = 5000: .* keeps its array' \
        "${quick[@]}" --strategy command_buffer --n 5000 --shape iterate:10
    check "a launch that waits gets arrays in turn, and is named" 0 '^persistent\*: a launch waits' \
        "${quick[@]}" --strategy 'persistent_mapped,persistent_group' --n 1,1000,2^15,2^18 --shape iterate:5
}

refused
sections "$share" 1 segments places iterated budgets arrays computed changed
exit $failed
