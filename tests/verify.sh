#!/usr/bin/env bash
# The covering choice of all strategies on one driver: everything right, nothing over budget, enough of it.
#   tests/verify.sh CLREDUCE DEVICE
set -u
"$1" devices --device "$2" >/dev/null
case $? in
0) ;;
4 | 77) echo "skipped: there is no device $2 on this machine" && exit 77 ;;
*) exit 1 ;;
esac
out=$("$1" verify --device "$2")
status=$?
echo "$out"
[ $status = 0 ] || exit 1
echo "$out" | tail -n1 | grep -qE '^verify: [0-9]{3,} right, 0 wrong, 0 build-failed, 0 unsupported, [0-9] over-budget, 0 failed'
