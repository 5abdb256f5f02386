#!/usr/bin/env bash
# Strategies on one driver: everything right, nothing left out. Compiling is what takes the time.
#   tests/device/verify.sh CLREDUCE quick               each strategy, i32, sum, one group size and few n, on Intel's runtime or else PoCL
#   tests/device/verify.sh CLREDUCE DEVICE [SEED]       every eighth strategy: the seed draws which, and for each quarter of them a type, an
#                                                operation and a group size; it is drawn where it is not given
#   tests/device/verify.sh CLREDUCE DEVICE all          a covering choice: each half of the catalogue takes half of the types, operations and
#                                                group sizes, and the other half on the other driver; what PoCL lacks takes most of
#                                                them on Intel's
# `clreduce verify`, tests/device/nightly and tests/device/drivers leave nothing out.
set -u
clreduce=$(realpath "$1")
device=$2
share=${3:-$RANDOM}
. "$(dirname "$0")/../tools/device.sh"
if [ "$device" = quick ]; then
    share=quick
    device=intel
    has_device "$clreduce" intel || device=pocl
fi
need_device "$clreduce" "$device"
mapfile -t strategies < <("$clreduce" strategies --format csv | awk -F, 'NR > 1 && $2 != "host" {print $1}')
case $share in
quick | all) ;;
*)
    part=$device
    seeded "$share"
    first=$((RANDOM % 8)) # not within <(), whose RANDOM does not follow from the seed
    mapfile -t strategies < <(every_nth 8 $first "${strategies[@]}")
    ;;
esac
status=0

# verify STRATEGY... -- OPTION...: the budget is out of reach, since what would exceed it depends on the machine. What a driver gets
# wrong or lacks stands in the register: anything else ends verify with another status, and so does what is no longer as it says.
# 77: none of these strategies has such a form.
verify() {
    local names=''
    while [ "$1" != -- ]; do names+=,$1 && shift; done
    [ -n "$names" ] || return 0
    "$clreduce" verify --device "$device" --strategy "${names#,}" "${@:2}" --time-per-cell 600 --expect "$root/tests/expect" \
        --format csv --output part 2>&1 </dev/null
    ended=$?
    [ $ended = 0 ] || [ $ended = 77 ] || status=$ended
    cat part >>rows
    rm part
}

# draw VARIABLE WORD...: one of them. In a shell of its own RANDOM would not follow from the seed.
draw() {
    printf -v "$1" %s "${@:RANDOM % ($# - 1) + 2:1}"
}

# One quarter takes all n, the others few.
# What the register says is wrong in part need not be so in one group size: it takes them all.
sample() {
    local quarter whole type op group n partly steady
    partly=$(known "$clreduce" "$device" some-wrong)
    mapfile -t steady < <(printf '%s\n' "${strategies[@]}" | grep -vE "$partly|$lacking")
    mapfile -t chosen < <(printf '%s\n' "${strategies[@]}" | grep -E "$partly")
    verify "${chosen[@]}" -- --type i8 --op sum --seed "$share" "${few[@]}"
    # What it lacks is found out once.
    mapfile -t chosen < <(printf '%s\n' "${strategies[@]}" | grep -E "$lacking")
    verify "${chosen[@]}" -- --type i32,f32 --op sum --wg 1,64 --n 10
    draw whole 0 1 2 3
    for quarter in 0 1 2 3; do
        draw type i8 u8 i32 u32 i64 u64 f16 f16 f32 f32 f64 f64
        draw op sum dot sumsq mean min max argmin argmax
        draw group 1 7 64 100 256
        mapfile -t chosen < <(every_nth 4 $quarter "${steady[@]}")
        n=()
        [ $quarter = "$whole" ] || n=("${few[@]}")
        verify "${chosen[@]}" -- --type "$type" --op "$op" --wg "$group" --seed "$share" "${n[@]}"
    done
}

# What is neither right nor known by now had no such form, or not that group size.
others() {
    local rest
    mapfile -t rest < <(printf '%s\n' "${strategies[@]}" | grep -vxFf <(awk -F, '$3 > 0 || $11 > 0 {print $2}' rows) |
        grep -vE "$lacking")
    verify "${rest[@]}" -- --type i8,f32 --op sum,dot --wg 1,7 "$@"
}

# Places in long shares of one lane, with items that have no element: other code than that of vectors.
one_lane() {
    verify chunk -- --type i8,f32 --op argmin,argmax --lanes 1x1,1x2 --wg 256 --groups 2 --n '2^20+1'
}

halves() {
    local types=("i8,i64,f32" "u32,f16,f64") groups=("1,7,256" "1,64,100") ops=("sum,mean,argmin" "dot,max,argmax")
    local half other present alone lacking
    lacking=$(known "$clreduce" pocl unsupported)
    mapfile -t present < <(printf '%s\n' "${strategies[@]}" | grep -vE "$lacking")
    for half in 0 1; do
        # The halves change places from driver to driver.
        [ "$device" = pocl ] && other=$half || other=$((1 - half))
        mapfile -t chosen < <(every_nth 2 $half "${present[@]}")
        verify "${chosen[@]}" -- --type "${types[other]}" --op "${ops[other]}" --wg "${groups[other]}"
    done
    mapfile -t alone < <(printf '%s\n' "${strategies[@]}" | grep -E "$lacking")
    case $device in
    pocl)
        verify "${alone[@]}" -- --n 10
        [ -z "${alone[*]}" ] || [ "$ended" != 0 ] || status=1 # what it lacks it must not have
        ;;
    *) verify "${alone[@]}" -- --type "i8,u8,u32,i64,f16,f32,f64" --op "sum,sumsq,mean,min,argmax" --wg "1,7,64,256" ;;
    esac
}

right_n=6
lacking=$(known "$clreduce" "$device" unsupported)
few=(--n "0,1,7,63..65:+1,1000,2^16+5")
case $share in
quick) verify "${strategies[@]}" -- --type i32 --op sum --wg 64 "${few[@]}" && others "${few[@]}" ;;
all) right_n=50 && halves ;;
*) sample && others "${few[@]}" && one_lane ;;
esac
# So many of 67 run on PoCL, and on Intel's runtime.
[ "$device" = pocl ] && least=40 || least=60
case $share in quick | all) ;; *) least=$((least / 8 - 1)) ;; esac
for strategy in "${strategies[@]}"; do
    # A strategy may have been asked twice.
    row=$(awk -F, -v name="$strategy" '$2 == name { for (i = 3; i <= 12; i++) sum[i] += $i; n++ }
        END { if (n) for (i = 3; i <= 12; i++) printf "%d,", sum[i] }' rows)
    IFS=, read -r right wrong build_failed unsupported over_budget broken crashed timed_out known pending _ <<<"$row"
    if [ "${known:-0}" -gt 0 ]; then
        echo "known $strategy on $device: $known as the register says, $right right"
    elif [ "${right:-0}" = 0 ] && [ "${unsupported:-0}" -gt 0 ] && [ "$device" != intel ]; then
        echo "skip  $strategy does not run on $device"
    elif [ "${right:-0}" -lt $right_n ] || [ "$wrong$build_failed$over_budget$broken$crashed$timed_out$pending" != 0000000 ]; then
        echo "FAIL  $strategy: $row"
    else
        echo "ok    $strategy: $right right"
    fi
done | tee judged
ran=$(grep -c '^ok' judged)
echo "$ran strategies are right; exit status $status"
[ $status = 0 ] && [ "$ran" -ge "$least" ] && ! grep -q '^FAIL' judged
