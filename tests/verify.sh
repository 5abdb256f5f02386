#!/usr/bin/env bash
# The covering choice of all strategies on one driver: everything right, nothing left out.
#   tests/verify.sh CLREDUCE DEVICE
set -u
clreduce=$1
device=$2
# shellcheck source=tests/device.sh
. "$(dirname "$0")/device.sh"
need_device "$clreduce" "$device"
absent=$(known "$device" absent)
miscompiled=$(known "$device" miscompiled) # is run, and must still be wrong
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The budget is out of reach, since what would exceed it depends on the machine.
"$clreduce" verify --device "$device" --time-per-cell 600 --format csv --output "$work/rows" 2>&1 </dev/null
status=$?
for strategy in $("$clreduce" strategies --format csv | awk -F, 'NR > 1 && $2 != "host" {print $1}'); do
    row=$(grep "^[^,]*,$strategy," "$work/rows")
    IFS=, read -r _ _ right wrong build_failed unsupported over_budget broken crashed timed_out <<<"$row"
    if [[ $strategy =~ $miscompiled ]] && [ "${wrong:-0}" -gt 0 ]; then
        echo "known $strategy is miscompiled on $device: $wrong wrong"
    elif [[ $strategy =~ $miscompiled ]]; then
        echo "FAIL  $strategy is no longer wrong on $device: $row"
    elif [ "${right:-0}" = 0 ] && [[ $strategy =~ $absent ]] && [ "${unsupported:-0}" -gt 0 ]; then
        echo "skip  $strategy does not run on $device"
    elif [ "${right:-0}" -lt 50 ] || [ "$wrong$build_failed$over_budget$broken$crashed$timed_out" != 000000 ]; then
        echo "FAIL  $strategy: $row"
    else
        echo "ok    $strategy: $right right"
    fi
done | tee "$work/judged"
ran=$(grep -c '^ok' "$work/judged")
echo "$ran strategies are right; exit status $status"
known=$(grep -c '^known' "$work/judged")
[ $status = $((known > 0 ? 2 : 0)) ] && [ "$ran" -ge 20 ] && ! grep -q '^FAIL' "$work/judged"
