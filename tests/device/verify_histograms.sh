#!/usr/bin/env bash
# Histograms on one driver: every count right, faults found between right ones, and what is asked for refused with the way out.
#   tests/device/verify_histograms.sh CLREDUCE quick [SEED]    on PoCL: histogram_chunk and two more strategies, with a type, a count and bins; two other checks
#   tests/device/verify_histograms.sh CLREDUCE DEVICE [SEED]   a sixth of the strategies, of which each half takes a type, a count, bins and a group size
#   tests/device/verify_histograms.sh CLREDUCE DEVICE all      as a user checks them: `clreduce verify --primitive histogram`
# What is drawn follows from the seed, which differs from run to run where it is not given.
set -u
clreduce=$(realpath "$1")
device=$2
share=${3:-$RANDOM}
. "$(dirname "$0")/../tools/device.sh"
part=$device
[ "$device" != quick ] || device=pocl
need_device "$clreduce" "$device"
seeded "$share"
primitive=histogram
. "$root/tests/tools/primitive.sh"

# verify_drawn STRATEGY...: with a type, a count, bins that all take, and a group size; histogram_serial has groups of one item alone.
verify_drawn() {
    local type op bins group
    draw type u8 u16 u32 i32 f32
    draw op count count64
    draw bins 1 2 7 100 255 256 257
    draw group 3 7 32 64 100 256
    mapfile -t chosen < <(printf '%s\n' "$@" | grep -vx histogram_serial)
    [ ${#chosen[@]} -gt 0 ] || return 0 # the half is histogram_serial alone, which is verified below
    # It counts in 32 bits alone.
    [[ " ${chosen[*]} " != *" local_copies_arrivals "* ]] || op=count
    verify "${chosen[@]}" -- --type "$type" --op "$op" --bins "$bins" --wg "$group" "${few[@]}" --seed "$((RANDOM + 1))"
}

# Of more than four strategies few programs are checked with poisoned local memory.
company() {
    local name given=()
    for name in last_bin_dropped copy_joined_twice counts_of_8_bits state_not_returned empty_copy_unset; do
        given+=(--kernel "$root/tests/mutants/histogram/$name.cl")
    done
    check "faults in company" 2 . "$clreduce" verify --primitive histogram --device "$device" "${given[@]}" --type u32 --op count --wg 4 --bins 7 \
        --n 19,2000 --seed "$((RANDOM + 1))"
    for name in last_bin_dropped copy_joined_twice counts_of_8_bits state_not_returned empty_copy_unset; do
        judge "$name shows" grep -q "^wrong: $name " out
    done
    judge "their commands say which bins" grep -qF -- ' --bins 7' out
}

# A cause shows in what the wrong checks share: a group size, a number of bins. A kernel of one's own meets all numbers of bins.
patterns() {
    local verify=("$clreduce" verify --device "$device" --primitive histogram --op count --seed "$((RANDOM + 1))")
    check "a group size in common" 2 "^pattern: wrong_at_groups_of_128 on $device: all [0-9]* wrong checks have .*group size 128" "${verify[@]}" \
        --kernel "$root/tests/mutants/histogram/wrong_at_groups_of_128.cl" --type u32 --wg 64,128 --bins 7 --n 7,128..1024:+97 \
        --output patterns.json
    judge "stands in the file" grep -qE '"wrong_patterns": ?\["all [0-9]+ wrong checks have .*group size 128' patterns.json
    check "a number of bins in common" 2 "^pattern: wrong_at_257_bins on $device: all [0-9]* wrong checks have 257 bins; 0 of [0-9]* right ones do" \
        "${verify[@]}" --kernel "$root/tests/mutants/histogram/wrong_at_257_bins.cl" --wg 7 --n 1,64
    judge "each says its bins" grep -qE "^wrong: wrong_at_257_bins count f32 on $device, .*--bins 257, n = " out
    judge "pairs that do not exist" grep -qE '^  [0-9]+ pairs? do(es)? not exist \(for example NaNs among integers\)' out
}

# A sum: special values that a strategy does not promise are told as what is not checked, and by their names alone in CSV.
unpromised() {
    local verify=("$clreduce" verify --device "$device" --strategy fixed_point --type f32 --op sum --n 100 --wg 64)
    check "what is not promised" 0 '^ +not checked: infinity$' "${verify[@]}"
    check "the same as CSV" 0 "^$device,fixed_point,.*,infinity$" "${verify[@]}" --format csv
}

# What a histogram is asked with.
options() {
    local verify=("$clreduce" verify --device "$device") histogram=(--primitive histogram --strategy histogram_serial --type u8 --n 10)
    check "bins of what has none" 4 '--bins is for histograms, and not for --primitive reduce: nothing else has bins' "${verify[@]}" --bins 7
    check "no bins" 4 "--bins: '0' is not valid; expected 1 to 65536" "${verify[@]}" "${histogram[@]}" --bins 0
    check "too many bins" 4 "'65537' is not valid; expected 1 to 65536" "${verify[@]}" "${histogram[@]}" --bins 65537
    check "a type of reductions" 4 'there are no histograms of f64; --type takes u8,u16,u32,i32,f32' "${verify[@]}" --primitive histogram --type f64
    check "a type of histograms" 4 'there are no reductions of u16' "${verify[@]}" --type u16
    check "an operation of reductions" 4 'sum is for primitive reduce, and not for histogram' "${verify[@]}" "${histogram[@]}" --op sum
    check "a histogram without --primitive" 4 'global_counts is for primitive histogram, and not for reduce; add --primitive histogram' \
        "${verify[@]}" --strategy global_counts
    check "more bins than local memory holds" 0 'local_counts takes at most [0-9]* bins' "${verify[@]}" --primitive histogram \
        --strategy local_counts,histogram_serial --type u8 --op count --n 10 --bins 65536
    check "once" 0 'once: cell histogram_serial count64 u8 n=10' "$clreduce" once --device "$device" "${histogram[@]}" --op count64
    judge "is right" grep -qxF 'once: pass' out
    check "once, of a faulty one" 2 'once: wrong: expected ' "$clreduce" once --device "$device" --primitive histogram --type u32 --n 10 --wg 1 \
        --kernel "$root/tests/mutants/histogram/last_element_lost.cl"
}

few=(--n "0..2:+1,7,63..65:+1,1000,2^16+5")
case $part/$share in
quick/*)
    sections "$share" 2 options company patterns unpromised
    mapfile -t drawn < <(for name in "${strategies[@]}"; do echo "$(md5sum <<<"$share $name") $name"; done | sort | cut -d' ' -f4 | head -n 2)
    verify_drawn histogram_chunk "${drawn[@]}"
    # Alone, as a sixth can leave it: nothing can be checked where PoCL has no built-ins of work groups.
    verify wg_reduce_counts -- --type u32 --op count --bins 7 --wg 64 "${few[@]}"
    ;;
*/all)
    verify "${strategies[@]}" -- --seed "$((RANDOM + 1))"
    [ "$device" != pocl ] || sections all 0 options company patterns unpromised
    ;;
*)
    draw_sixth
    for half in 0 1; do
        mapfile -t chosen < <(every_nth 2 $half "${strategies[@]}")
        verify_drawn "${chosen[@]}"
    done
    # Each item has a copy of all bins, of 256 KiB here: of large groups all of the time goes into memory.
    draw group 2 3 7
    verify histogram_serial histogram_chunk -- --type u16,f32 --op count --bins 65536 --wg "1,$group" --n "0,1,64,1000,2^16+5"
    ;;
esac
exit $failed
