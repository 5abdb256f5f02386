#!/usr/bin/env bash
# The covering choice of all strategies on one driver: everything right, nothing left out. Compiling is what takes the time, so
# of the strategies that both drivers run each takes a share of the types of integers and of the operations; what PoCL lacks
# is run with all of them on Intel's. tests/drivers and `clreduce verify` leave nothing out.
#   tests/verify.sh CLREDUCE DEVICE
set -u
clreduce=$1
device=$2
# shellcheck source=tests/device.sh
. "$(dirname "$0")/device.sh"
need_device "$clreduce" "$device"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mapfile -t strategies < <("$clreduce" strategies --format csv | awk -F, 'NR > 1 && $2 != "host" {print $1}')
on_both=$(printf '%s\n' "${strategies[@]}" | grep -vE "$(known pocl unsupported)" | paste -sd,)
on_intel=$(printf '%s\n' "${strategies[@]}" | grep -E "$(known pocl unsupported)" | paste -sd,)
status=0

# verify OPTION...: the budget is out of reach, since what would exceed it depends on the machine. What a driver gets wrong or
# lacks stands in the register: anything else ends verify with another status, and so does what is no longer as the register says.
verify() {
    "$clreduce" verify --device "$device" "$@" --time-per-cell 600 --expect "$(dirname "$0")/expect" --format csv --output "$work/part" \
        2>&1 </dev/null || status=$?
    cat "$work/part" >>"$work/rows"
}

case $device in
pocl)
    least=40
    verify --type "i8,u32,i64,f16,f32,f64" --op "sum,dot,mean,max,argmin"
    ;;
intel)
    least=60
    verify --strategy "$on_both" --type "u8,i32,u64,f16,f32,f64" --op "sum,sumsq,mean,min,argmax"
    verify --strategy "$on_intel"
    ;;
*)
    least=20
    verify
    ;;
esac
for strategy in "${strategies[@]}"; do
    row=$(grep "^[^,]*,$strategy," "$work/rows")
    IFS=, read -r _ _ right wrong build_failed unsupported over_budget broken crashed timed_out known pending <<<"$row"
    if [ "${known:-0}" -gt 0 ]; then
        echo "known $strategy on $device: $known as the register says, $right right"
    elif [ "${right:-0}" = 0 ] && [ "${unsupported:-0}" -gt 0 ] && [ "$device" != intel ]; then
        echo "skip  $strategy does not run on $device"
    elif [ "${right:-0}" -lt 50 ] || [ "$wrong$build_failed$over_budget$broken$crashed$timed_out$pending" != 0000000 ]; then
        echo "FAIL  $strategy: $row"
    else
        echo "ok    $strategy: $right right"
    fi
done | tee "$work/judged"
ran=$(grep -c '^ok' "$work/judged")
echo "$ran strategies are right; exit status $status"
[ $status = 0 ] && [ "$ran" -ge $least ] && ! grep -q '^FAIL' "$work/judged"
