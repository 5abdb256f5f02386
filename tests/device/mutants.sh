#!/usr/bin/env bash
# Every broken kernel must be rejected for the fault that it has, every good one accepted. A mutant says where its fault
# shows, and how:
#   // where: ARITHMETIC   over n, wg, the group size, groups, their number if the check chose it and otherwise 0, and bins,
#                          of a check that comes out wrong
#   // expect: REGEX       found in the line about that check
#   tests/device/mutants.sh CLREDUCE [DEVICE [0 [SEED]]]   default: intel, which runs those for 2.x, too; without it pocl. Of every tenth, from
#                                            one on that the seed draws, sixteen at a time meet it with one type and operation and
#                                            small groups; each that passes meets it alone, with all that its manifest has
#   tests/device/mutants.sh CLREDUCE DEVICE SEEDS   each of all alone meets so many seeds, and a good kernel the whole grid
set -u
clreduce=$(realpath "$1")
device=${2:-intel}
seeds=${3:-0}
seed=${4:-$RANDOM}
. "$(dirname "$0")/../tools/device.sh"
cd "$root/tests" || exit 1
[ $# -gt 1 ] || has_device "$clreduce" intel || device=pocl
need_device "$clreduce" "$device"
echo "on $device"

# fits FILE LINE: the line `wrong: NAME OP TYPE on DEVICE, n = N, group size WG: ...` is about the fault of the file.
fits() {
    local where expect n wg groups bins
    where=$(sed -n 's|^// where: ||p' "$1")
    expect=$(sed -n 's|^// expect: ||p' "$1")
    [ -n "$where$expect" ] && [[ $2 =~ ", n = "([0-9]+)", group size "([0-9]+): ]] || return 1
    # shellcheck disable=SC2034 # the arithmetic is over these
    n=${BASH_REMATCH[1]} wg=${BASH_REMATCH[2]} groups=0 bins=0
    # shellcheck disable=SC2034
    [[ ! $2 =~ "of the first "([0-9]+)" elements" ]] || n=${BASH_REMATCH[1]}
    # shellcheck disable=SC2034
    [[ ! $2 =~ " --groups "([0-9]+)"," ]] || groups=${BASH_REMATCH[1]}
    # shellcheck disable=SC2034
    [[ ! $2 =~ " --bins "([0-9]+)"," ]] || bins=${BASH_REMATCH[1]}
    [ -z "$where" ] || ((where)) || return 1
    grep -qE "$expect" <<<"$2"
}

# primitive_of FILE: the options that choose it.
primitive_of() {
    [[ $1 != */scan/* ]] || printf '%s\n' --primitive scan
    [[ $1 != */histogram/* ]] || printf '%s\n' --primitive histogram
}

# judge FOLDER FILE: one line, begun with what became of the kernel.
judge() {
    local wanted=$1 file=$2 seed=$3 name status log evidence grid=()
    name=$(basename "$file" .cl)
    log=$work/$name.$seed.log
    # Two group sizes, or one type of each kind, so that a good kernel's programs are compiled in seconds.
    case $wanted/$seeds in
    mutants/*) mapfile -t grid < <(primitive_of "$file") ;;
    */0) grid=(--wg 7 --type "u8,f32" --op "sum,max" --n "0..2:+1,7..9:+1,63..65:+1,1000,4097,2^16+5") ;;
    *) grid=(--wg "7,256") ;;
    esac
    "$clreduce" verify --kernel "$file" --device "$device" --seed "$seed" --first --time-per-cell 600 "${grid[@]}" >"$log" 2>&1
    status=$?
    evidence=$(grep -m1 '^wrong: ' "$log")
    if [ "$wanted/$status" = mutants/2 ] && fits "$file" "$evidence"; then
        printf 'rejected  %-22s seed %s: %s\n' "$name" "$seed" "$evidence"
    elif [ "$wanted/$status" = mutants/2 ]; then
        printf 'FAILED    %-22s seed %s: rejected for another fault than its own: %s\n' "$name" "$seed" "$evidence"
    elif [ "$wanted/$status" = good/0 ]; then
        printf 'accepted  %-22s seed %s: %s\n' "$name" "$seed" "$(grep -m1 '^covered' "$log")"
    elif [ $status = 77 ] && grep -q '^//@ counterpart:' "$file"; then
        printf 'skipped   %-22s seed %s: %s\n' "$name" "$seed" "$(grep 'cannot run' "$log" | grep -v 'has no' | head -n 1 | sed 's/^ *//')"
    else
        printf 'FAILED    %-22s seed %s: exit %s: %s\n' "$name" "$seed" "$status" "$(tail -n1 "$log")"
    fi
}
export -f fits primitive_of judge
export clreduce device work seeds

# together SEED TYPE OP FILE...: those that are rejected for their own fault in one run.
together() {
    local seed=$1 file name evidence given=()
    mapfile -t given < <(primitive_of "$4")
    for file in "${@:4}"; do given+=(--kernel "$file"); done
    "$clreduce" verify "${given[@]}" --device "$device" --seed "$seed" --time-per-cell 600 --type "$2" --op "$3" --wg 1,7 \
        --n 0..2:+1,7..9:+1,100,257,1000,4097 >"$work/together" 2>&1 </dev/null
    for file in "${@:4}"; do
        name=$(basename "$file" .cl)
        while read -r evidence; do
            fits "$file" "$evidence" || continue
            printf 'rejected  %-22s seed %s: %s\n' "$name" "$seed" "$evidence"
            break
        done < <(grep "^wrong: $name " "$work/together")
    done
}

# sixteens SEED TYPE OP FILE: of the list FILE, which keeps what passes.
sixteens() {
    local from file
    mapfile -t left <"$4"
    for ((from = 0; from < ${#left[@]}; from += 16)); do together "$1" "$2" "$3" "${left[@]:from:16}"; done | tee -a "$work/all"
    for file in "${left[@]}"; do
        grep -q "^rejected  $(basename "$file" .cl) " "$work/all" || echo "$file"
    done >"$4"
}

: >"$work/all"
RANDOM=$seed
nth=$((seeds > 0 ? 1 : 10))
first=$((RANDOM % nth)) # not within <(), whose RANDOM does not follow from the seed
every_nth $nth $first mutants/*.cl >"$work/left"
every_nth $nth $first mutants/scan/*.cl >"$work/scans"
every_nth $nth $first mutants/histogram/*.cl >"$work/histograms"
good=(mutants/good/*.cl)
[ "$seeds" != 0 ] || good=("${good[RANDOM % ${#good[@]}]}")
tries=$(($(cat "$work/left" "$work/scans" "$work/histograms" | wc -l) * (seeds > 0 ? seeds : 1) + ${#good[@]}))
if [ "$seeds" = 0 ]; then
    echo "seed $seed: the same again by tests/device/mutants.sh CLREDUCE $device 0 $seed"
    for type in f32 i32; do sixteens "$seed" $type sum "$work/left"; done
    sixteens "$seed" i32 inclusive_sum "$work/scans"
    sixteens "$seed" f32 exclusive_max "$work/scans"
    for type in u32 f32; do sixteens "$seed" $type count "$work/histograms"; done
fi
# Good kernels take one seed.
{
    while read -r file; do
        if [ "$seeds" = 0 ]; then
            printf '%s\0%s\0' "$file" "$seed"
        else
            for ((seed = 1; seed <= seeds; seed++)); do printf '%s\0%s\0' "$file" "$seed"; done
        fi
    done < <(cat "$work/left" "$work/scans" "$work/histograms")
    for file in "${good[@]}"; do printf '%s\0%s\0' "$file" "$RANDOM"; done
} >"$work/tries"
# shellcheck disable=SC2016 # the inner shell expands
xargs -0 -n2 -P"$(nproc)" bash -c '[[ $1 == */good/* ]] && judge good "$@" || judge mutants "$@"' judge <"$work/tries" | sort | tee -a "$work/all"

# rows ARGUMENT...: device, name, right, wrong and so on of each strategy.
rows() {
    "$clreduce" verify "$@" --device "$device" --seed 1 --type f32 --op sum --wg 256 --n "1,2^24+1" --format csv 2>/dev/null
}
# The more strategies, the more checks: each must meet the largest n with the data that shows its last elements.
mapfile -t names < <(grep -oE 'lost_last_element|index_24_bits' "$work/all" | sort -u)
[ ${#names[@]} = 0 ] ||
    rows --kernel mutants/lost_last_element.cl --kernel mutants/index_24_bits.cl --strategy chunk,serial,tree >"$work/company"
for name in "${names[@]}"; do
    alone=$(rows --kernel "mutants/$name.cl" | grep ",$name,")
    company=$(grep ",$name," "$work/company")
    if [[ $alone =~ ,$name,[0-9]+,[1-9] ]] && [[ $company =~ ,$name,[0-9]+,[1-9] ]]; then
        printf 'rejected  %-22s in company and alone: %s; %s\n' "$name" "$company" "$alone"
    else
        printf 'FAILED    %-22s in company: %s; alone: %s\n' "$name" "$company" "$alone"
    fi
done | tee -a "$work/all"

passed=$(grep -cE '^(rejected|accepted)' "$work/all")
failed=$(grep -c '^FAILED' "$work/all")
skipped=$(grep -c '^skipped' "$work/all")
echo "$passed passed, $failed failed, $skipped skipped"
# A kernel that nothing was said about is no kernel that passed, and checks that reject all kernels are no use.
[ "$failed" = 0 ] && [ $((passed + skipped)) = $((tries + ${#names[@]})) ] && grep -q '^accepted' "$work/all"
