#!/usr/bin/env bash
# Geometries by hand: what --wg, --groups and --lanes take and refuse, and of lists of them a line each, which recommend advises and emit writes.
#   tests/cli/geometries.sh CLREDUCE
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/device.sh"

# rows NAME PATTERN ARGUMENT...: what the benchmark's CSV says of each cell of the device (JSON would take every
# capability to be probed) is, from the group size on: GROUP_SIZE,GROUPS,WIDTH,LOADS.
rows() {
    local name=$1 pattern=$2
    shift 2
    "$clreduce" "$@" --format csv >out 2>err </dev/null
    awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i}
        NR > 1 && $1 != "host" {print $at["group_size"] "," $at["groups"] "," $at["width"] "," $at["loads"]}' out >rows
    if [ -s rows ] && ! grep -qvE "^$pattern\$" rows; then ok "$name"; else fail "$name" "$(cat rows err)"; fi
}

fast=(--device pocl --n 2^14 --time-per-cell 20ms)
one=(bench "${fast[@]}" --strategy grid_stride_vec)

by_hand() {
    rows "three groups" "1,3,16,4" bench "${fast[@]}" --strategy chunk --groups 3
    rows "lanes 2x8 in groups of 7" "7,[0-9]+,2,8" "${one[@]}" --lanes 2x8 --wg 7
    expect "several of each" 0 "grid_stride_vec:g5:1x2" "${one[@]}" --groups 1,5 --lanes 1x2,2x8 --wg 7
    expect "groups of a tree" 77 "tree has span each" bench "${fast[@]}" --strategy tree --groups 3
    expect "lanes of a tree" 77 "tree has fixed lanes" bench "${fast[@]}" --strategy tree --lanes 4x4
    expect "verify takes them, too" 0 "0 wrong" verify --device pocl --strategy last_group --type i32 --op sum \
        --wg 7 --groups 1,100 --lanes 16x8 --n 1,1000,1001
    expect "verify of what takes no groups" 77 "the number of groups follows from n" \
        verify --device pocl --strategy tree --groups 3 --n 10 --type f32 --op sum
}

refused() {
    expect "no group" 4 "--groups: no launch of 0 work-groups; 1 to" "${one[@]}" --groups 0
    expect "too many groups" 4 "--groups: no launch of 2097152 work-groups" "${one[@]}" --groups 2^21
    expect "no number of groups" 4 "--groups" "${one[@]}" --groups many
    for lanes in 4 3x4 4x16 4x4x4 "" "4x4,"; do
        expect "--lanes '$lanes'" 4 "--lanes: '$lanes' is not valid; expected WIDTHxLOADS" "${one[@]}" "--lanes=$lanes"
    done
}

# A kernel that loses elements with some lanes alone: no list takes it for right.
wrong_lanes() {
    sed 's/^\(.*name: *\)chunk/\1wrong/; s/(RED_ARGS, n)/(RED_ARGS, RED_WIDTH == 2 ? n - n \/ 2 : n)/' "$root/kernels_cl12/reduce/chunk.cl" >wrong.cl
    expect "one geometry of several is wrong" 2 "lanes 2x4" \
        bench --device pocl --n 2^14 --type i32 --kernel wrong.cl --strategy wrong --lanes 4x4,2x4 --time-per-cell 5ms --data-sets 1
}

# times FILE EXPRESSION [STATEMENT]: the file as of a calm machine on which each cell of the device took so many times as long as another,
# whatever its time was on this one; `asked` is its geometry: (group size, groups, width, loads).
times() {
    edited "$1" "
for c in cells:
    if c['device'] == 'pocl':
        asked = tuple(c['asked'].values())
        c.update(state='pass', reason=None, time_to_answer={'calls_per_sample': 1, 'median_s': 1e-5 * c['n'] ** 0.25 * ($2)})
calm()
${3:-}"
}

# on_one_line ARGS: as `check`, of a text whose lines break where the name of the device lets them.
on_one_line() {
    check "${@:1:3}" sh -c '"$@" | tr "\n" " "' sh "${@:4}"
}

advised() {
    local recommend=("$clreduce" recommend --device pocl)
    "$clreduce" bench --device pocl --strategy chunk --wg 1,8 --groups 1,2 --lanes 4x4,16x2 --n '2^10,2^14' --time-per-cell 5ms --data-sets 1 \
        --output measured.json >log 2>&1
    judge "each geometry is a line" holds measured.json '{tuple(c["asked"].values()) for c in cells if c["device"] == "pocl" and c["state"] in ("pass", "implausible")} ==
        {(size, groups, *lanes) for size in (1, 8) for groups in (1, 2) for lanes in ((4, 4), (16, 2))}'
    judge "and runs so" holds measured.json 'all(c["asked"][key] == c["geometry"][key] for c in cells if c["device"] == "pocl" for key in c["asked"])'
    times measured.json 'asked == (8, 2, 16, 2) and 1 or asked == (8, 1, 16, 2) and 1.25 or 1.5' >lists.json
    check "one of them is advised, as a launch" 0 '^1 +chunk:8:g2:16x2 +2 groups of 8, lanes' "${recommend[@]}" lists.json
    on_one_line "for every n" 0 'use chunk:8:g2:16x2 for every n; no other strategy ties with it' "${recommend[@]}" lists.json
    "${recommend[@]}" lists.json --format json >advice.json
    judge "the next one is named, with what it loses" holds advice.json '[(b["strategy"], b["runner_up"], round(b["margin"], 3), b["tie"])
        for b in advice[0]["bands"]] == [("chunk:8:g2:16x2", "chunk:8:g1:16x2", 0.25, False)]'
    judge "and programs have its numbers" holds advice.json '[tuple(rule[key] for key in ("strategy", "group_size", "groups", "width", "loads"))
        for rule in advice[0]["rules"]] == [("chunk", 8, 2, 16, 2)]'
    fits_schema advice.json advice
    check "emit says which it writes" 0 '^sum of f32 by chunk:8:g2:16x2, the fastest' "$clreduce" emit lists.json --device pocl --output written
    judge "with its group size" grep -qF 'GROUP_SIZE = 8,' written/reduce_sum_f32.c
    judge "its number of groups" grep -qE '^ +return 2;' written/reduce_sum_f32.c
    judge "and its lanes, so many at a time" [ "$(grep -cxE '#define (WIDTH 16|LOADS 2)' written/reduce_sum_f32.cl)" = 2 ]
    cc -std=c11 -I written -o emitted written/reduce_sum_f32.c written/reduce_sum_f32_test.c -lOpenCL -lm >log 2>&1
    check "and that is right" 0 'all sizes right' ./emitted Portable
    check "or that another group size takes the place" 0 '^with the group size of --wg in place of its own$' \
        "$clreduce" emit lists.json --device pocl --wg 4 --output other
    local default='r["cells"] = [c for c in cells if c["device"] == "host" or tuple(c["asked"].values()) == (1, 2, 16, 2)]; [ask(c) for c in r["cells"]]'
    times measured.json 1.01 "$default" >default.json
    on_one_line "a default that ties is kept" 0 'use chunk for every n; it ties with others' "${recommend[@]}" lists.json default.json
    times measured.json 1.4 "$default" >default.json
    on_one_line "one that loses is not" 0 'use chunk:8:g2:16x2 for every n' "${recommend[@]}" lists.json default.json
}

need_device "$clreduce" pocl
refused
by_hand
wrong_lanes
advised
exit $failed
