#!/usr/bin/env bash
# The program itself under the sanitizers, on a real driver. Leaks and races inside drivers are not ours to find.
#   tests/sanitized.sh CLREDUCE
set -u
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" devices --device pocl >/dev/null
case $? in
0) ;;
4 | 77) echo "skipped: there is no device pocl on this machine" && exit 77 ;;
*) exit 1 ;;
esac
"$1" verify --device pocl --n 0,1,7,257,1000 --wg 1,32,100 --strategy 'tree*,chunk,cmpxchg_*,serial' || exit 1
"$1" bench --device pocl --n 1000,2^14,2^20 --strategy tree,cmpxchg_item,wg_reduce --op 'sum,dot' --type 'i32,f64' \
    --time-per-cell 1ms --output "$work/r.json" --gbench-out "$work/g.json" || exit 1
"$1" strategies >/dev/null && "$1" strategies --format json >/dev/null && "$1" devices --format csv --device pocl >/dev/null
