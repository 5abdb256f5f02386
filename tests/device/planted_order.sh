#!/usr/bin/env bash
# Planted drivers that lose an order between groups: is each found by the litmus tests of its idiom, and what stands on that refused?
#   tests/device/planted_order.sh CLREDUCE LAYER [DEVICE] [SEED]
# Where the device shows no weakened twin of a test (x86 of nearly all), that is said, and nothing can be found.
set -u
# shellcheck source=tests/tools/check.sh
. "$(dirname "$0")/../tools/check.sh"
cd "$OLDPWD" || exit 1
clreduce=$(realpath "$1")
layer=$(realpath "$2")
device=${3:-pocl}
seed=${4:-$RANDOM}
echo "seed $seed"
cd "$work" || exit 1

# litmus FAULT TEST: its row, of a driver with that fault.
litmus() {
    OPENCL_LAYERS=$layer CLREDUCE_FAULT=$1 "$clreduce" litmus --device "$device" --seed "$seed" --test "$2" --budget 2 --format csv 2>out | sed 1d
}
# found FAULT TEST CAPABILITY STRATEGY [OPTION...]: a test that is kept without the fault is seen with it, and the strategy refused.
found() {
    local fault=$1 name=$2 capability=$3 strategy=$4 shown
    shift 4
    shown=$(litmus "" "$name" | cut -d, -f8)
    if [ "$shown" = not-observable ]; then
        echo "not checked: $fault: $name is not observable on $device"
        return
    fi
    judge "without $fault $name is kept: $shown" test "$shown" = not-seen
    judge "$fault is found by $name" grep -qE "^[^,]*,$name,.*,(seen|finding|broken)," <<<"$(litmus "$fault" "$name")"
    check "$fault: $strategy is refused, with what was seen" 77 "no $capability: .* of [0-9.e+]+, first after" \
        env OPENCL_LAYERS="$layer" CLREDUCE_FAULT="$fault" "$clreduce" verify --device "$device" --strategy "$strategy" --type i32 --n 1000 \
        --seed "$seed" "$@"
}
found group_fences mp_write_read_fence write_read_fence last_group --op sum
found group_scope mp_plain_rel_acq c11_device_order last_group_c11 --op sum
found relaxed_acq_rel publish_acq_rel c11_device_order look_back_c11 --primitive scan --op inclusive_sum
found torn_words word64_volatile word_publication look_back --primitive scan --op inclusive_sum
exit "$failed"
