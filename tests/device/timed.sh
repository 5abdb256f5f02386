#!/usr/bin/env bash
# What is right when it is verified and wrong when it is timed: every timed call is checked, over data that changes.
#   tests/device/timed.sh CLREDUCE [SEED]        two of four ways to be wrong, with one group size, which the seed draws: compiling takes most of the time
#   tests/device/timed.sh CLREDUCE all [SEED]    more mutants, seeds, types and operations, a few minutes
# The seed of the data is drawn where it is not given, and told in every line.
set -u
clreduce=$(realpath "$1")
share=${2:-} drawn=${3:-$RANDOM}
cd "$(dirname "$0")/.." || exit 1
kernels=$PWD/../kernels_cl12/reduce
mutants=$PWD/mutants/timed
# shellcheck source=tests/tools/device.sh
. tools/device.sh
cd "$work" || exit 1
need_device "$clreduce" pocl
group_size=()
if [ "$share" != all ]; then
    seeded "${share:=$RANDOM}"
    drawn=$RANDOM some=(1 7 32 64 100 256)
    group_size=(--wg "${some[RANDOM % ${#some[@]}]}")
fi

# bench DEVICE SEED KERNEL ARGUMENT...: of that kernel alone.
bench() {
    "$clreduce" bench --device "$1" --seed "$2" --kernel "$3" --strategy "$(sed -n 's|^//@ name: *||p' "$3")" --time-per-cell 0.1 \
        --data-sets 1 "${group_size[@]}" "${@:4}"
}

# rejected DEVICE SEED KERNEL ARGUMENT...: each of its cells is wrong, found by the answer of a call.
rejected() {
    local name cells
    name=$(basename "$3" .cl)
    check "$name on $1, seed $2 ${group_size[*]} ${*:4}" 2 "call [0-9]+: expected .*, got " bench "$@" --format csv
    cells=$(grep -c "^$1,$name," out)
    judge "$name on $1, seed $2: all of $cells cells" test "$cells" -gt 0 -a "$cells" = "$(grep -c "^$1,$name,.*,wrong," out)"
}

# samples NAME START STEP: a kernel that keeps its answer while these elements are what they were.
samples() {
    sed "s|^//@ name:   kept|&_$1|; s|^#define START .*|#define START $2|; s|^#define STEP .*|#define STEP  $3|" "$mutants/kept.cl" >"kept_$1.cl"
}

in_out() {
    rejected pocl "$drawn" "$mutants/kept_in_out.cl" "${sizes[@]}"
}

in_a_duel() {
    check "a duel's calls are checked, too" 2 'chunk.*: head wrong: .*call [0-9]+: expected' "$clreduce" duel --seed "$drawn" --profile fast --data-sets 1 --device pocl \
        --n 2^16 --base-kernel "$kernels/chunk.cl" --head-kernel "$mutants/kept_in_out.cl"
}

by_64() {
    samples by_64 0 'n / 64 + 1'
    rejected intel "$drawn" kept_by_64.cl --n "2^15+1,40000,2^16"
}

now_and_then() {
    rejected intel "$drawn" "$mutants/now_and_then.cl" --n 2^16
}

sizes=(--n "2^15+1,40000,2^16,2^16+3")
ways=(in_out in_a_duel by_64 now_and_then)
if ! has_device "$clreduce" intel; then
    echo "skipped in part: keeping answers in program-scope memory needs Intel's runtime"
    ways=(in_out in_a_duel)
fi
sections "$share" 2 "${ways[@]}"
[ "$share/${#ways[@]}" = all/4 ] || exit $failed
samples by_n n 1
samples by_first 0 n
samples by_1024th 0 1024
samples by_1024th_later 777 1024
for seed in $(seq $((drawn + 1)) $((drawn + 4))); do
    for kernel in "$mutants/now_and_then.cl" kept_*.cl; do
        case $kernel in
        kept_by_n.cl) check "kept_by_n on intel, seed $seed" 2 'wrong' bench intel "$seed" "$kernel" --n 40000 ;;
        *) rejected intel "$seed" "$kernel" --n 40000 ;;
        esac
    done
    rejected pocl "$seed" "$mutants/kept_in_out.cl" "${sizes[@]}"
done
sed 's|^//@ types: .*|//@ types:  u8, i32, f32, f64|; s|^//@ ops: .*|//@ ops:    sum, dot, sumsq, mean, min, max|' kept_by_64.cl >wide.cl
mv wide.cl kept_by_64.cl
rejected intel "$drawn" kept_by_64.cl --op sum,dot,sumsq,mean,min,max --type u8,i32,f32,f64 --n 40001
exit $failed
