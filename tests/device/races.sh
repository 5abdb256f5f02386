#!/usr/bin/env bash
# Data races, accesses outside of buffers and diverging barriers, by Oclgrind. A CPU runs the items of a group one after
# the other: a kernel that lacks a barrier gives right results there, and `clreduce verify` accepts it.
#   tests/device/races.sh build/clreduce mine.cl   watches your kernels
#   tests/device/races.sh CLREDUCE [SEED]          a kernel of mutants/races/ must be reported for the fault that it has, and none of the good
#                                           kernels, nor of the catalogue: every tenth of these, from one on that the seed draws
#   tests/device/races.sh CLREDUCE all             all of them
# Oclgrind is an OpenCL 1.2 device: 2.x kernels are not watched. What groups order among themselves with atomics and
# fences it takes for a race. Its exit status is the program's, so its log is read. Uninitialised reads are left to our
# own poison: Oclgrind 21.10 takes buffers of CL_MEM_USE_HOST_PTR for uninitialised, and crashes on vector loads.
set -u
. "$(dirname "$0")/../../bench/setup/help.sh"
[ $# -gt 0 ] || { echo "usage: tests/device/races.sh CLREDUCE [KERNEL.cl...]" && exit 4; }
command -v oclgrind >/dev/null || { echo "skipped: oclgrind is not installed"; exit 77; }
clreduce=$(realpath "$1")
shift
mapfile -t kernels < <(realpath "$@" 2>/dev/null) # if some are given
ok=0
skipped=0
. "$(dirname "$0")/../tools/check.sh"
# Every path of a kernel: an empty group, a part of one, several groups (of spans stride and chunk, too: verify asks for 2, 3 and
# 17 of them in turn).
# What types differ in: several elements in a word, accumulators of integers of both widths, which have atomics, and of floats of both
# widths, which take compare-and-swap. What operations differ in: one array, two, and values with their places. An interpreter takes
# its time: the catalogue's strategies take a quarter of these in turn, or all.
grid=(--n "0,1,7,64,200" --wg "1,7,32" --type "i8,i32,f32,f64" --op "sum,dot,argmin")
scan_grid=(--primitive scan --n "0,1,7,64,200" --wg "1,7,32" --op "inclusive_sum,exclusive_max")
quarters=("i8 sum,argmin" "i32 dot,argmin" "f32 sum,argmin" "f64 dot,argmin")
race="(Read|Write)-write data race at global"

# watch ARGUMENT...: verify's output is in out, Oclgrind's reports are in log.
watch() {
    rm -f log
    oclgrind --data-races --max-errors 1000000 --log log "$clreduce" verify --device oclgrind "$@" >out 2>&1 </dev/null
    local status=$?
    touch log
    return $status
}

fail() {
    echo "FAIL      $1"
    grep -E '^[^[:space:]]|At line' log | head -n 8
    tail -n 3 out
    failed=$((failed + 1))
}

# unpromised NAME REPORT...: right, and reported for just these things, which its label says that 1.x does not promise.
unpromised() {
    local name=$1 expected status other found=""
    shift
    # Half a million reports say no more than some.
    case $name in
    persistent_*) watch --strategy "$name" --n 64 --wg 1,7 --type f32 --op sum ;;
    superaccumulator_polled) watch --strategy "$name" --n 0,1,7,64,200 --wg 1,7,32 --type f32 --op sum ;; # it has few other forms
    *) watch --strategy "$name" "${grid[@]}" ;;
    esac
    status=$?
    other=$(grep -E '^[^[:space:]]' log | grep -vE "^($(IFS='|' && echo "$*"))" | sort | uniq -c)
    for expected in "$@"; do
        grep -qE "^$expected" log || other+="no report of $expected"
        found+=" $(grep -cE "^$expected" log) x $expected,"
    done
    if [ $status = 0 ] && [ -z "$other" ]; then
        echo "labelled  $name:$found as its label says"
        ok=$((ok + 1))
    else
        fail "$name is not reported as labelled ($other), or exit status $status"
    fi
}

# clean NAME ARGUMENT...: right, and nothing reported.
clean() {
    local name=$1
    shift
    watch "$@"
    local status=$?
    if [ -s log ]; then
        fail "$name is reported"
    elif [ $status = 77 ]; then
        echo "skipped   $name: $(grep -m1 'cannot run' out | sed 's/^ *//')"
        skipped=$((skipped + 1))
    elif [ $status != 0 ]; then
        fail "$name: exit status $status"
    else
        echo "clean     $name: $(grep -m1 '^covered' out)"
        ok=$((ok + 1))
    fi
}

# reported FILE: Oclgrind says what the file expects.
reported() {
    local name expected
    name=$(basename "$1" .cl)
    expected=$(sed -n 's|^// expect: ||p' "$1")
    watch --kernel "$1" --type f32 --op sum --n 64,200 --wg 32
    if [ -z "$expected" ] || ! grep -qE "$expected" log; then
        fail "$name is not reported; expected '$expected'"
    else
        printf 'reported  %-22s %s\n' "$name" "$(grep -m1 -E "$expected" log)"
        ok=$((ok + 1))
    fi
}

# What Oclgrind reports of a strategy, as its label says; nothing for what must be clean.
labels() {
    case $1 in
    last_group | last_group_wide | last_ticket | chained | look_back | look_back_fixed | fallback) echo "$race" ;;
    # The host keeps mapped what the kernel writes, and looks.
    polled_* | superaccumulator_polled) printf '%s\n' "$race" "Invalid write to mapped buffer" ;;
    # So does the kernel, and each of its looks is a report.
    persistent_*) printf '%s\n' "Invalid write to mapped buffer" "Invalid read from buffer mapped for writing" ;;
    esac
}

# catalogue STRATEGY...
catalogue() {
    local strategy expected
    for strategy in "$@"; do
        mapfile -t expected < <(labels "$strategy")
        if [ ${#expected[@]} = 0 ]; then
            clean "$strategy" --strategy "$strategy" "${grid[@]}"
        else
            unpromised "$strategy" "${expected[@]}"
        fi
    done
}

share=${1:-$RANDOM}
if [[ $share != all && ! $share =~ ^[0-9]+$ ]]; then
    for kernel in "${kernels[@]}"; do
        if grep -qE '^//@ primitive: *scan' "$kernel"; then
            clean "$kernel" --kernel "$kernel" "${scan_grid[@]}" --type "i8,i32,f32,f64"
        else
            clean "$kernel" --kernel "$kernel" "${grid[@]}"
        fi
    done
else
    mapfile -t strategies < <("$clreduce" strategies --format csv | awk -F, '$2 == "1.2" {print $1}')
    [ ${#strategies[@]} -ge 9 ] || { echo "FAIL      only ${#strategies[@]} strategies: ${strategies[*]}"; failed=1; }
    nth=1 first=0
    if [ "$share" != all ]; then
        seeded "$share"
        nth=10 first=$((RANDOM % nth))
        swap=$((RANDOM % 4))
    fi
    mapfile -t chosen < <(every_nth $nth $first "$root"/tests/mutants/races/*.cl)
    for kernel in "${chosen[@]}"; do reported "$kernel"; done
    mapfile -t strategies < <(every_nth $nth $first "${strategies[@]}")
    if [ "$share" = all ]; then
        catalogue "${strategies[@]}"
    else
        for quarter in 0 1 2 3; do
            read -r type ops <<<"${quarters[(quarter + swap) % 4]}"
            grid=(--n "0,1,7,64,200" --wg "1,7,32" --type "$type" --op "$ops")
            mapfile -t chosen < <(every_nth 4 $quarter "${strategies[@]}")
            catalogue "${chosen[@]}"
        done
    fi
    mapfile -t chosen < <(every_nth $nth $first "$root"/tests/mutants/good/*.cl)
    for kernel in "${chosen[@]}"; do clean "$(basename "$kernel" .cl)" --kernel "$kernel" "${grid[@]}"; done
    mapfile -t strategies < <("$clreduce" strategies --primitive scan --format csv | awk -F, '$2 == "1.2" {print $1}')
    [ ${#strategies[@]} -ge 9 ] || { echo "FAIL      only ${#strategies[@]} scans: ${strategies[*]}"; failed=1; }
    mapfile -t strategies < <(every_nth $nth $first "${strategies[@]}")
    [ "$share" != all ] || type="i8,i32,f32,f64"
    grid=("${scan_grid[@]}" --type "$type")
    catalogue "${strategies[@]}"
fi
echo "$ok passed, $failed failed, $skipped skipped"
[ $failed = 0 ] || exit 1
[ $ok -gt 0 ] || exit 77
