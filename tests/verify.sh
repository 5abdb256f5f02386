#!/usr/bin/env bash
# The covering choice of all strategies on one driver: everything right, nothing left out. Compiling is what takes the time, so
# each half of the catalogue takes half of the types, operations and group sizes, and the other half on the other driver; what PoCL
# lacks takes most of them on Intel's. `clreduce verify`, tests/nightly and tests/drivers leave nothing out.
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
types=("i8,i64,f32" "u32,f16,f64")
groups=("1,7,256" "1,64,100")
ops=("sum,mean,argmin" "dot,max,argmax")
status=0

# verify OPTION...: the budget is out of reach, since what would exceed it depends on the machine. What a driver gets wrong or
# lacks stands in the register: anything else ends verify with another status, and so does what is no longer as the register says.
verify() {
    "$clreduce" verify --device "$device" "$@" --time-per-cell 600 --expect "$(dirname "$0")/expect" --format csv --output "$work/part" \
        2>&1 </dev/null || status=$?
    cat "$work/part" >>"$work/rows"
}

# every_other FIRST: names from standard input as a list.
every_other() {
    awk -v first="$1" 'NR % 2 == first' | paste -sd,
}

lacking=$(known "$clreduce" pocl unsupported)
[ "$device" = pocl ] && least=40 || least=60
for half in 0 1; do
    # The halves change places from driver to driver.
    [ "$device" = pocl ] && other=$half || other=$((1 - half))
    verify --strategy "$(printf '%s\n' "${strategies[@]}" | grep -vE "$lacking" | every_other $half)" \
        --type "${types[other]}" --op "${ops[other]}" --wg "${groups[other]}"
done
alone=$(printf '%s\n' "${strategies[@]}" | grep -E "$lacking" | paste -sd,)
case $device in
pocl) "$clreduce" verify --device pocl --strategy "$alone" --n 10 --format csv --output "$work/part" 2>&1 && status=1; cat "$work/part" >>"$work/rows" ;;
*) verify --strategy "$alone" --type "i8,u32,i64,f16,f32,f64" --op "sum,sumsq,mean,min,argmax" --wg "1,7,64,256" ;;
esac
for strategy in "${strategies[@]}"; do
    row=$(grep "^[^,]*,$strategy," "$work/rows")
    IFS=, read -r _ _ right wrong build_failed unsupported over_budget broken crashed timed_out known pending _ <<<"$row"
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
[ $status = 0 ] && [ "$ran" -ge "$least" ] && ! grep -q '^FAIL' "$work/judged"
