#!/usr/bin/env bash
# Every level of every axis is checked before any pair, so that a slow kernel cannot hide that it is wrong; what was never checked is named,
# is not right, and has no rank.
#   tests/device/levels.sh CLREDUCE [SEED|all]    a slow kernel that is wrong at the largest n, and some of the rest by seed; or all
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/device.sh"
need_device "$clreduce" pocl

# kernel NAME STEPS [SED]: one work-item adds all, and each call reads the counter so many times beside, a load each: 0.3 ns or so.
kernel() {
    sed "s/^\/\/@ name: .*/\/\/@ name: $1/; s/^\/\/@ types: .*/\/\/@ types: f32/; s/^\/\/@ ops: .*/\/\/@ ops: sum/
        s/restrict out)/restrict out, global uint *restrict counter)/
        s/^    RED_A value/    uint read = 0;\n    for (ulong i = 0; i < $2; i++)\n        read |= ((volatile global uint *)counter)[0];\n&/
        s/^    out\[0\] = value;/    out[0] = read == 0 ? value : RED_IDENTITY;/; ${3:-}" "$root/kernels_cl12/reduce/serial.cl" >"$1.cl"
}

# One that takes a hundredth of a second or so at each n, and whose index is a float: it is wrong beyond 2^24 alone, which pairs would never
# have come to within the 10 s that they have.
wrong_and_slow() {
    kernel hidden '(n == 1000ul ? 0ul : 15000000ul)' 's/RED_LOAD(i)/RED_LOAD(min(n - 1, (ulong)(float)i))/'
    check "a slow kernel that is wrong at the largest n alone is rejected" 2 '^wrong: hidden sum f32 on pocl, n = 17039361' \
        "$clreduce" bench --kernel hidden.cl --strategy hidden --device pocl --n 1000 --time-per-cell 10ms
}

# Of one that takes 50 ms for 2^20 elements.
wrong_and_linear() {
    kernel linear 'n * 150ul' 's/RED_LOAD(i)/RED_LOAD(min(n - 1, (ulong)(float)i))/'
    check "one whose calls take as long as n is large is, too" 2 '^wrong: linear sum f32 on pocl, n = 17039361' \
        "$clreduce" verify --first --kernel linear.cl --device pocl
}

# Levels take some seconds, and all pairs many times what pairs have.
pairs_alone() {
    kernel slow '(n == 1000ul ? 0ul : 30000000ul)'
    check "where only pairs lack that is told, and no failure" 0 \
        '^  not checked on pocl: [1-9][0-9]* of [0-9]+ pairs; each level of every strategy was$' \
        "$clreduce" bench --kernel slow.cl --strategy slow,serial --device pocl --n 1000 --time-per-cell 40ms --output slow.json
    judge "and the kernel may be compared" sh -c '! grep -q "slow is not compared" out'
    judge "its file says nothing of it" holds slow.json 'not any("unchecked" in c for c in cells)'
}

# Every level but n = 1000 takes far longer than all levels have, which is 20 s.
levels_lack() {
    kernel part '(n == 1000ul ? 0ul : 600000000ul)'
    check "bench keeps its status where levels lack" 0 '^  not checked on pocl: part at [1-9][0-9]* of its [0-9]+ levels: n = ' \
        "$clreduce" bench --kernel part.cl --strategy part,serial --device pocl --n 1000 --time-per-cell 10ms --output part.json
    judge "compares the kernel with none" sh -c "grep -q '^Your kernel part is not compared: it was never checked at n = ' out && ! grep -q 'part is .*\(faster\|slower\)' out"
    judge "its line has a time, and neither star nor factor" sh -c 'grep -qE "^part +[0-9.]+[? ]? +[0-9.]+( +[0-9]+%)?$" out'
    judge "and its file says so" holds part.json '{c["strategy"]: "unchecked" in c for c in cells if c["device"] == "pocl"} == {"part": True, "serial": False}'
    edited part.json 'calm()' >calm.json && mv calm.json part.json
    check "recommend obeys" 0 '^DO NOT USE on pocl: part was never checked at n = ' "$clreduce" recommend part.json --device pocl
    judge "and takes the other" grep -q 'use serial' out
}

# There may be more kernels than files.
seventeenth() {
    local file variants
    for file in 0 1; do
        kernel "crowd_$file" 0ul
        variants=$(printf "//@ variant: crowd_${file}_%s\\\\n//@ idea:   once more\\\\n" 1 2 3 4 5 6 7)
        sed -i "0,/^\$/s|^\$|$variants|" "crowd_$file.cl"
    done
    kernel part '(n == 1000ul ? 0ul : 600000000ul)'
    "$clreduce" bench --kernel crowd_0.cl --kernel crowd_1.cl --kernel part.cl --strategy 'crowd_*,part' --device pocl --n 1000 --data-sets 1 \
        --time-per-cell 10ms --output crowd.json >out 2>&1
    judge "of seventeen kernels of three files the last is marked" holds crowd.json \
        'len({c["strategy"] for c in cells if c["device"] == "pocl"}) == 17 and all(("unchecked" in c) == (c["strategy"] == "part") for c in cells)'
}

# Nothing depends on how fast the machine is: calls of milliseconds are far from a tenth of one.
too_slow() {
    kernel slow 30000000ul
    local verify=("$clreduce" verify --device pocl --time-per-cell 0.1ms) of='r["devices"][0]["strategies"][0]'
    check "a kernel that is too slow for its levels has no answer" 3 \
        '^clreduce: slow on pocl was never checked at [1-9][0-9]* of its [0-9]+ levels: n = [0-9]+, .*; the reasons stand above' \
        "${verify[@]}" --n 1000,1001 --kernel slow.cl --output v.json
    judge "its file has the levels" holds v.json "${of}['levels'] > ${of}['levels_never_checked'] > 0 and ${of}['unchecked'].startswith('n = ')"
    check "a strategy that is named, too" 3 'serial on pocl was never checked at' "${verify[@]}" --n 2^22,2^22+1 --strategy serial --type f32 --op sum
    check "of a glob it is told" 0 '^  not checked on pocl: serial at [1-9][0-9]* of its [0-9]+ levels: n = ' \
        "${verify[@]}" --n 2^22,2^22+1 --strategy 'seria[l]' --type f32 --op sum --output v.json
    judge "and its file bans nothing" holds v.json "${of}['levels_never_checked'] > 0 and 'unchecked' not in $of"
    local scan=("$clreduce" verify --primitive scan --device pocl --strategy scan_serial --type i32 --op inclusive_sum)
    check "a scan of nothing is not right" 0 '^verify: [1-9][0-9]* right, 0 wrong, [1-9][0-9]* with nothing to launch on' "${scan[@]}" --n 0,7 --output v.json
    judge "and counts apart" holds v.json "${of}['planned'] == ${of}['right'] + ${of}['nothing_to_launch'] and ${of}['nothing_to_launch'] > 0"
    check "alone it is no answer" 77 'nothing could be checked' "${scan[@]}" --n 0
}

wrong_and_slow
sections "${2:-}" 1 wrong_and_linear pairs_alone levels_lack seventeenth too_slow
exit $failed
