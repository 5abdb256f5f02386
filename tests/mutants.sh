#!/usr/bin/env bash
# Every broken kernel must be rejected with evidence, every good one accepted.
#   tests/mutants.sh CLREDUCE DEVICE
set -u
cd "$(dirname "$0")"
clreduce=$1
device=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# judge FOLDER FILE: one line, begun with what became of the kernel.
judge() {
    local wanted=$1 file=$2 name status log grid=()
    name=$(basename "$file" .cl)
    log=$work/$name.log
    # A good kernel takes the whole grid: two group sizes, so that its programs are compiled in seconds.
    [ "$wanted" = mutants ] || grid=(--wg 7,256)
    "$clreduce" verify --kernel "$file" --device "$device" --seed 1 --first "${grid[@]}" >"$log" 2>&1
    status=$?
    case $wanted/$status in
    mutants/2) printf 'rejected  %-22s %s\n' "$name" "$(grep -m1 '^wrong ' "$log")" ;;
    good_kernels/0) printf 'accepted  %-22s %s\n' "$name" "$(grep -m1 '^covered' "$log")" ;;
    */77) printf 'skipped   %-22s %s\n' "$name" "$(grep -m1 'cannot run' "$log" | sed 's/^ *//')" ;;
    *) printf 'FAILED    %-22s exit %s: %s\n' "$name" "$status" "$(tail -n1 "$log")" ;;
    esac
}
export -f judge
export clreduce device work

printf '%s\0' mutants/*.cl good_kernels/*.cl |
    xargs -0 -n1 -P2 bash -c 'judge "$(dirname "$1")" "$1"' judge | sort | tee "$work/all"
passed=$(grep -cE '^(rejected|accepted)' "$work/all")
failed=$(grep -c '^FAILED' "$work/all")
skipped=$(grep -c '^skipped' "$work/all")
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
