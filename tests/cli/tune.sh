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

by_searching() {
    expect "nothing is tuned" 0 "nothing of what was asked for is tuned" "${one[@]}" --tuned
    expect "nothing to show" 0 "nothing is tuned yet" strategies --tuned
    rows "what --tune finds is used" "[0-9]+,[0-9]+,[0-9]+,[0-9]+,1" "${one[@]}" --tune --tune-budget 2
    judge "how long it may take was told beforehand" grep -qF 'tuning 1 strategy on 1 device: at most 2 s (--tune-budget 2 s each)' err
    expect "it is shown" 0 "to 2^14" strategies --tuned
    expect "it is shown as CSV" 0 "grid_stride_vec,sum,f32,to 2^14," strategies --tuned --format csv --strategy 'grid*'
    expect "it is used again" 0 "tuned geometry for 1 of 1 cells, from $CLREDUCE_CACHE" "${one[@]}" --tuned
    rows "but not unless asked" "32,1,16,4,0" "${one[@]}"
    expect "another size" 0 "nothing of what was asked for is tuned" "${one[@]}" --n 2^15 --tuned
}

# What is kept decides, for this driver and this text only; what is broken decides nothing.
from_the_file() {
    change 'e.update(group_size=3, groups=5, lanes="2x1", default=False)'
    rows "a geometry from the file" "3,5,2,1,1" "${one[@]}" --tuned
    expect "the table says so" 0 "geometry: tuned in 1 of 1 cells" "${one[@]}" --tuned
    cp "$CLREDUCE_CACHE" kept.js
    change 'e["text"] = e["text"][::-1]'
    expect "another text" 0 "nothing of what was asked for is tuned" "${one[@]}" --tuned
    expect "another text is shown as such" 0 "changed" strategies --tuned
    cp kept.js "$CLREDUCE_CACHE"
    change 'e["driver"] = "0"'
    expect "another driver" 0 "nothing of what was asked for is tuned" "${one[@]}" --tuned
    head -c 100 kept.js >"$CLREDUCE_CACHE"
    expect "a broken file" 0 "no tuned geometry is used: $CLREDUCE_CACHE is no JSON" "${one[@]}" --tuned
    expect "a broken file cannot be shown" 4 "is no JSON" strategies --tuned
    cp "$CLREDUCE_CACHE" broken.js
    expect "a stranger's file is not replaced" 4 "it is left alone; set CLREDUCE_CACHE to another file" "${one[@]}" --tune
    if cmp -s broken.js "$CLREDUCE_CACHE"; then ok "it stays as it was"; else fail "it stays as it was" "it changed"; fi
    rm "$CLREDUCE_CACHE"
    CLREDUCE_CACHE=/proc/tuned.json expect "no place to keep it" 4 "set CLREDUCE_CACHE to a file" "${one[@]}" --tune
}

# Lanes 2x4 are wrong, and those of width 1 beside round sizes, but for the group sizes at which verify takes other lanes than the
# default, whatever the seed. At n = 2^14 the kernel is 8 times slower with vectors twice as wide, and slower with those group sizes,
# so that searching must come across both.
wrong_kernel() {
    cat >wrong.cl <<'EOF'
//@ name:   wrong
//@ idea:   each item walks the array and adds what it has to one accumulator
//@ span:   stride
//@ lanes:  4x4
//@ group:  none
//@ finish: atomic
//@ needs:  integer_atomics
//@ types:  i32
//@ ops:    sum
//@ source: a user
#define VERIFIED (RED_GROUP_SIZE == 7 || RED_GROUP_SIZE == 64 || RED_GROUP_SIZE == 100 || RED_GROUP_SIZE == 256 || RED_GROUP_SIZE == 4096)
#define TURNS (RED_WIDTH * RED_WIDTH * RED_WIDTH + VERIFIED)
#define LOST (VERIFIED ? 0 : RED_WIDTH == 2 && RED_LOADS == 4 ? n / 2 : RED_WIDTH == 1 ? n % 2 : 0)
RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_A value = RED_IDENTITY;
    for (uint turn = 0; turn < (n == 16384 ? TURNS : 1); turn++)
        value = red_item_stride(RED_ARGS, n - LOST - (value & turn & n >> 62));
    RED_ATOMIC(out, value);
}
EOF
}

wrong_candidates() {
    wrong_kernel
    local seed=$RANDOM
    echo "seed $seed"
    expect "a candidate that is wrong" 2 "lanes 2x4: data=uniform: call 1: expected" \
        bench --seed "$seed" --device pocl --n 2^14 --type i32 --tune --tune-budget 12 --strategy serial --kernel wrong.cl
    # Which candidate wins is for the clock to say.
    if grep -q '^wrong: wrong sum i32 on pocl, n = 1, .*lanes 1x' err; then
        ok "a winner that is wrong"
        expect "it is not kept" 0 "wrong,sum,i32,to 2^14,32,1,16x4," strategies --tuned --format csv --strategy wrong --kernel wrong.cl
    else
        echo "skip  a winner that is wrong: the form that is did not win on this machine: $(tail -n 1 err)"
    fi
}

need_device "$clreduce" pocl
refused
by_searching
sections "${2:-}" 1 by_hand from_the_file wrong_candidates
exit $failed
