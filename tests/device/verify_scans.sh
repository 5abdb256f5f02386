#!/usr/bin/env bash
# Scans on one driver: everything right, what has no end costs its cell, and no reduction is taken for a scan.
#   tests/device/verify_scans.sh CLREDUCE quick [SEED]    on PoCL: scan_serial, scan_chunk and two more strategies, with a type and an operation; many tiles; two other checks
#   tests/device/verify_scans.sh CLREDUCE DEVICE [SEED]   a sixth of the strategies, of which each half takes a type, an operation and a group size;
#                                                       on PoCL, two times of three, verify or bench of a scan that has no end
#   tests/device/verify_scans.sh CLREDUCE DEVICE all      as a user checks them: `clreduce verify --primitive scan`
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
primitive=scan
. "$root/tests/tools/primitive.sh"

# verify_drawn STRATEGY...: with a type, an operation and a group size; scan_serial has groups of one item alone.
verify_drawn() {
    local type op group
    draw type i8 u8 i32 u32 i64 u64 f16 f32 f64
    draw op inclusive_sum inclusive_min inclusive_max exclusive_sum exclusive_min exclusive_max
    draw group 3 7 32 64 100 256
    mapfile -t chosen < <(printf '%s\n' "$@" | grep -vx scan_serial)
    [ ${#chosen[@]} -gt 0 ] || return 0 # the half is scan_serial alone, which is verified below
    verify "${chosen[@]}" -- --type "$type" --op "$op" --wg "$group" "${few[@]}" --seed "$((RANDOM + 1))"
}

# One launch whose tiles ask far back: hundreds of them or more, in small groups, and by single elements in large ones.
verify_many_tiles() {
    local looking=(look_back look_back_fixed look_back_fixed_c11 -- --type f32 --op inclusive_sum)
    verify "${looking[@]}" --wg "$((RANDOM % 8 + 1)),$((RANDOM % 56 + 9)),$((RANDOM % 136 + 65))" \
        --n "2^18+$((RANDOM % 5000))" --seed "$((RANDOM + 1))"
    verify "${looking[@]}" --wg "$((RANDOM % 128 + 128)),$((RANDOM % 256 + 256))" --lanes 1x1 \
        --n "2^18+$((RANDOM % 5000))" --seed "$((RANDOM + 1))"
}

# waits CALLS: writes a kernel in which a group waits for the one behind it, from so many calls of a plan on: where groups begin in order,
# and not all at once, it does so for ever.
waits() {
    cat >waits.cl <<EOF
//@ name:      waits
//@ primitive: scan
//@ idea:      carries go from group to group, and each waits until the next one has its own: this trusts in progress
//@ span:      each
//@ lanes:     1
//@ group:     serial
//@ finish:    single_pass
//@ needs:     integer_atomics
//@ types:     i32
//@ ops:       inclusive_sum
//@ source:    OpenCL 3.0, section 3.2.2: groups are independent
#define CALLS(group) ((volatile global uint *)state)[4 + 8 * (group)]
#define CARRY(group) ((volatile global RED_A *)carries)[group]
RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    const ulong group = get_group_id(0), first = group * RED_GROUP_SIZE;
    const uint call = CALLS(group) + 1;
    if (get_local_id(0) > 0)
        return;
    while (group > 0 && CALLS(group - 1) != call)
        ;
    RED_A sum = group > 0 ? CARRY(group - 1) : RED_IDENTITY;
    for (ulong i = first; i < min(n, first + RED_GROUP_SIZE); i++) {
        sum = RED_COMBINE(sum, RED_LOAD(i));
        RED_STORE(i, sum);
    }
    CARRY(group) = sum;
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    CALLS(group) = call;
    while (call > $1 && group + 1 < get_num_groups(0) && CALLS(group + 1) != call)
        ;
}
EOF
}

# no_end CALLS PATIENCE VERB [OPTION...]: what has no end costs its cell. Its program is there before patience counts.
no_end() {
    local scan=(--primitive scan --device "$device" --kernel waits.cl --strategy scan_chunk --type i32 --op inclusive_sum --wg 64)
    waits "$1"
    check "a scan of one group, which has none to wait for" 0 'verify: [1-9][0-9]* right, 0 wrong' "$clreduce" verify "${scan[@]}" --n 10
    check "$3 of it where there are more" 5 'timed-out: waits|waits: timed-out' "$clreduce" "${@:3}" "${scan[@]}" --n "10,2^13" --patience "$2" \
        --format csv --output ended.csv
}

verify_without_end() {
    no_end 0 3 verify
    # shellcheck disable=SC2016 # fields of awk
    judge "its other checks are right, and all of another scan" awk -F, '$2 == "waits" {w = $3 > 0 && $10 > 0}
        $2 == "scan_chunk" {c = $3 > 0 && $10 == 0} END {exit !(w && c)}' ended.csv
}

bench_without_end() {
    no_end 500 4 bench --time-per-cell 200ms --data-sets 1
    judge "which costs that cell alone" holds ended.csv '{(c["strategy"], c["n"], c["state"]) for c in rows if c["device"] != "host"} ==
        {("scan_chunk", "10", "pass"), ("scan_chunk", "8192", "pass"), ("waits", "10", "pass"), ("waits", "8192", "timed-out")}'
}

# Of more than four strategies few programs are checked with poisoned local memory, but all in place.
company() {
    local name given=()
    for name in rereads_elements neighbour_overwritten counter_not_returned ticket_left sum_as_prefix; do
        given+=(--kernel "$root/tests/mutants/scan/$name.cl")
    done
    check "faults in company" 2 . "$clreduce" verify --primitive scan --device "$device" "${given[@]}" --type i32 --op inclusive_sum --wg 4 --n 19,100 \
        --seed "$((RANDOM + 1))"
    for name in rereads_elements neighbour_overwritten; do judge "$name shows in place" grep -q "^wrong: $name .*(in place)" out; done
}

# serial NAME SED: writes scan_serial with that change of its kernel.
serial() {
    sed "s/name: .*/name: $1/; /^RED_KERNEL/,\$ { $2 }" "$root/kernels_cl12/scan/scan_serial.cl" >"$1.cl"
}

# The tables of special values and of errors, of strategies that are right and of ones that are not.
numerics() {
    local of=("$clreduce" verify --primitive scan --device "$device")
    serial nan_swallowed 's/RED_LOAD(i)/(isnan((float)RED_LOAD(i)) ? RED_IDENTITY : RED_LOAD(i))/'
    serial as_it_is ''
    serial nan_too_early 's/RED_EXCLUSIVE ? before : with/with - RED_LOAD(i)/'
    sed -i 's,^//@ source:,//@ special: nothing\n&,' nan_swallowed.cl nan_too_early.cl
    sed 's/nan_swallowed/nan_promised/; /^..@ special:/d' nan_swallowed.cl >nan_promised.cl
    check "a NaN that is lost is wrong where the manifest promises it" 2 \
        '1 wrong answer to special values; the first: nan_promised inclusive_sum f32 .*, NaN: the NaN is lost: expected nan, got [0-9.e+-]+ at [0-9]+$' \
        "${of[@]}" --special --strategy scan_serial,as_it_is,nan_swallowed,nan_promised --op inclusive_sum --seed "$((RANDOM + 1))" \
        --kernel nan_swallowed.cl --kernel nan_promised.cl --kernel as_it_is.cl
    judge "and deviates where it does not" grep -qx '    NaN: the NaN is lost' out
    judge "the others are exact" grep -qE '^as_it_is +-?nan +-?inf +-?nan +-?0 +-?0 +[0-9.e-]+ +yes' out
    check "a NaN of numbers is wrong, whatever is promised" 2 'nan_too_early exclusive_sum .*: (a NaN|an infinity) of numbers: expected [0-9.]+, got -?nan at' \
        "${of[@]}" --special --kernel nan_too_early.cl --strategy scan_serial --op exclusive_sum --seed "$((RANDOM + 1))"
    check "carries that go through a float" 2 'wrong sums; the first: carry_through_float inclusive_sum f64 .* at [0-9]+ \+- ' \
        "${of[@]}" --accuracy --kernel "$root/tests/mutants/scan/carry_through_float.cl" --strategy scan_chunk --op inclusive_sum --type f64 --n 4099 \
        --format json --output errors.js
    judge "have errors at places, beyond their bounds" holds errors.js '{(row["strategy"], row["data"]) for row in r if row["verdict"] == "beyond"} >=
        {("carry_through_float", data) for data in ("uniform", "wide", "huge")} and all(row["verdict"] == "within" and 0 <= row["place"] < 4099 and
        row["error"] <= row["bound"] for row in r if row["strategy"] == "scan_chunk") and len({row["place"] for row in r}) > 3'
}

# What a scan is asked with, and what a reduction is.
options() {
    local verify=("$clreduce" verify --device "$device") scan=(--primitive scan --strategy scan_serial --type i32 --n 10)
    check "an unknown primitive" 4 "--primitive: 'sort' is not valid; expected reduce, scan or histogram" "${verify[@]}" --primitive sort
    check "a strategy of reductions" 4 'tree is for primitive reduce, and not for scan; add --primitive reduce' "${verify[@]}" --primitive scan --strategy tree
    check "a scan without --primitive" 4 'scan_serial is for primitive scan, and not for reduce; add --primitive scan' "${verify[@]}" --strategy scan_serial
    check "a kernel without --primitive" 4 'is for primitive scan, and not for reduce; add --primitive scan' "${verify[@]}" \
        --kernel "$root/tests/mutants/scan/carry_lost_at_2.cl"
    check "an operation of reductions" 4 'max is for primitive reduce, and not for scan' "${verify[@]}" "${scan[@]}" --op max
    check "no such scan" 4 "unknown strategy 'scan_serail'; did you mean 'scan_serial'" "${verify[@]}" --primitive scan --strategy scan_serail
    check "once" 0 'once: cell scan_serial exclusive_min i32 n=10' "$clreduce" once --device "$device" "${scan[@]}" --op exclusive_min
    judge "is right" grep -qxF 'once: pass' out
    check "once, of a faulty one" 2 'once: wrong: expected .* at [89]' "$clreduce" once --device "$device" --primitive scan --type i32 --n 10 --wg 1 \
        --kernel "$root/tests/mutants/scan/carry_lost_at_2.cl"
}

few=(--n "0..2:+1,7,63..65:+1,1000,2^16+5")
case $part/$share in
quick/*)
    sections "$share" 2 options numerics company
    mapfile -t drawn < <(for name in "${strategies[@]}"; do echo "$(md5sum <<<"$share $name") $name"; done | sort | cut -d' ' -f4 | head -n 2)
    verify_drawn scan_chunk "${drawn[@]}"
    verify scan_serial -- --type i32 --op exclusive_sum "${few[@]}"
    verify_many_tiles
    ;;
*/all)
    verify "${strategies[@]}" -- --seed "$((RANDOM + 1))"
    if [ "$device" = pocl ]; then
        sections all 0 options numerics company
        verify_without_end
        bench_without_end
    fi
    ;;
*)
    draw_sixth
    endless=
    draw endless none verify bench
    for half in 0 1; do
        mapfile -t chosen < <(every_nth 2 $half "${strategies[@]}")
        verify_drawn "${chosen[@]}"
    done
    verify scan_serial -- --type i8,f64 --op inclusive_sum,exclusive_min "${few[@]}"
    verify_many_tiles
    [ "$device" != pocl ] || [ "$endless" = none ] || "${endless}_without_end" # it spins on all processors
    ;;
esac
exit $failed
