#!/usr/bin/env bash
# Choosing the geometry: by hand, by searching, and from the file that searches leave behind.
#   tests/cli/tune.sh CLREDUCE [SEED|all]    searching, and one of the other ways, which the seed draws, or all
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/device.sh"
export CLREDUCE_CACHE=$work/cache/tuned.json

# rows NAME PATTERN ARGUMENT...: what the benchmark's CSV says of each cell of the device (JSON would take every
# capability to be probed) is, from the group size on: GROUP_SIZE,GROUPS,WIDTH,LOADS,TUNED.
rows() {
    local name=$1 pattern=$2
    shift 2
    "$clreduce" "$@" --format csv >out 2>err </dev/null
    awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i}
        NR > 1 && $1 != "host" {print $at["group_size"] "," $at["groups"] "," $at["width"] "," $at["loads"] "," $at["tuned"]}' out >rows
    if [ -s rows ] && ! grep -qvE "^$pattern\$" rows; then ok "$name"; else fail "$name" "$(cat rows err)"; fi
}

# change STATEMENT: of e, every entry of the file.
change() {
    edited "$CLREDUCE_CACHE" "for e in tuned: $1" >changed.js && mv changed.js "$CLREDUCE_CACHE"
}

fast=(--device pocl --n 2^14 --time-per-cell 20ms)
one=(bench "${fast[@]}" --strategy grid_stride_vec)

by_hand() {
    rows "three groups" "1,3,16,4,0" bench "${fast[@]}" --strategy chunk --groups 3
    rows "lanes 2x8 in groups of 7" "7,[0-9]+,2,8,0" "${one[@]}" --lanes 2x8 --wg 7
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
    expect "--tune and --wg" 4 "leave out --wg, --groups and --lanes" "${one[@]}" --tune --wg 4
    expect "--tuned and --lanes" 4 "leave out --wg, --groups and --lanes" "${one[@]}" --tuned --lanes 4x4
    expect "bad budget" 4 "--tune-budget: 'long' is not valid" "${one[@]}" --tune --tune-budget long
    expect "a budget for nothing" 4 "add --tune" "${one[@]}" --tune-budget 20
}


# What is kept decides, for this driver and this text only; what is broken decides nothing.
need_device "$clreduce" pocl
refused
by_searching
sections "${2:-}" 1 by_hand from_the_file wrong_candidates
exit $failed
