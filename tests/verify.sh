#!/usr/bin/env bash
# The covering choice of all strategies on one driver: everything right, nothing left out. Compiling is what takes the time, so
# the two drivers share the types of integers and the operations: between them every strategy is run with each. tests/drivers
# and `clreduce verify` leave nothing out.
#   tests/verify.sh CLREDUCE DEVICE
set -u
clreduce=$1
device=$2
# shellcheck source=tests/device.sh
. "$(dirname "$0")/device.sh"
need_device "$clreduce" "$device"
case $device in
pocl) share=(--type "i8,u32,i64,f16,f32,f64" --op "sum,dot,mean,max,argmin") ;;
intel) share=(--type "u8,i32,u64,f16,f32,f64" --op "sum,sumsq,mean,min,argmax") ;;
*) share=() ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The budget is out of reach, since what would exceed it depends on the machine. What a driver gets wrong or lacks stands
# in the register: anything else ends verify with another status, and so does what is no longer as the register says.
"$clreduce" verify --device "$device" "${share[@]}" --time-per-cell 600 --expect "$(dirname "$0")/expect" --format csv --output "$work/rows" \
    2>&1 </dev/null
status=$?
for strategy in $("$clreduce" strategies --format csv | awk -F, 'NR > 1 && $2 != "host" {print $1}'); do
    row=$(grep "^[^,]*,$strategy," "$work/rows")
    IFS=, read -r _ _ right wrong build_failed unsupported over_budget broken crashed timed_out known pending <<<"$row"
    if [ "${known:-0}" -gt 0 ]; then
        echo "known $strategy on $device: $known as the register says, $right right"
    elif [ "${right:-0}" -lt 50 ] || [ "$wrong$build_failed$over_budget$broken$crashed$timed_out$pending" != 0000000 ]; then
        echo "FAIL  $strategy: $row"
    else
        echo "ok    $strategy: $right right"
    fi
done | tee "$work/judged"
ran=$(grep -c '^ok' "$work/judged")
echo "$ran strategies are right; exit status $status"
[ $status = 0 ] && [ "$ran" -ge 20 ] && ! grep -q '^FAIL' "$work/judged"
