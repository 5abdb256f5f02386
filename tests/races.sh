#!/usr/bin/env bash
# Data races and stray accesses of every 1.x kernel at small n, by Oclgrind. Its exit status is the program's, so its
# output is read; a kernel without its barrier proves that it would have been seen. Uninitialised reads are left to our
# own poison: Oclgrind 21.10 takes buffers of CL_MEM_USE_HOST_PTR for uninitialised, and crashes on vector loads.
#   tests/races.sh CLREDUCE
set -u
command -v oclgrind >/dev/null || { echo "skipped: oclgrind is not installed"; exit 77; }
clreduce=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# watch LOG ARGUMENT...
watch() {
    local log=$1
    shift
    oclgrind --data-races --log "$log" "$clreduce" verify --device oclgrind "$@" >"$work/out" 2>&1
    local status=$?
    touch "$log"
    return $status
}

if watch "$work/mutant" --kernel "$here/mutants/missing_barrier.cl" --n 64 --wg 32 --type f32 --op sum; [ ! -s "$work/mutant" ]; then
    echo "FAIL  Oclgrind reports nothing for a tree without barriers:"
    tail -n 5 "$work/out"
    exit 1
fi
echo "ok    a tree without barriers is reported: $(grep -m1 -i race "$work/mutant")"

failed=0
for strategy in $("$clreduce" strategies --format csv | awk -F, '$2 == "1.2" {print $1}'); do
    watch "$work/log" --strategy "$strategy" --type f32,u32 --op sum,dot --n 0,1,7,64,200 --wg 1,7,32
    status=$?
    if [ $status != 0 ] || [ -s "$work/log" ]; then
        echo "FAIL  $strategy (exit status $status)"
        head -n 20 "$work/log"
        tail -n 3 "$work/out"
        failed=1
    else
        echo "ok    $strategy: $(tail -n1 "$work/out")"
    fi
done
exit $failed
