#!/usr/bin/env bash
# The kernel contract: the kernels of tests/device/contract_kernels together use every macro that the guide's table and the
# head of the prelude promise, each vector width included, and are right on every driver; so is the guide's own kernel.
#   tests/device/contract.sh CLREDUCE [SEED]   on one driver, with a type and an operation of two, as the seed draws, which is drawn where it is
#                                       not given
#   tests/device/contract.sh CLREDUCE all
set -u
clreduce=$(realpath "$1")
share=${2:-$RANDOM}
. "$(dirname "$0")/../tools/device.sh"

# promised GUIDE PRELUDE: a regular expression on each line, one for each promise.
promised() {
    local names
    # First column of the table; names that end in _ are the host's own, unless they are there.
    names=$(sed -n '/^| the prelude gives |/,/^$/p' "$1" | cut -d'|' -f2 | grep -oE '\b(RED|red)_[A-Za-z0-9_]+(\([a-z]+)?')
    names+=" $(sed -n '1,/\*\//p' "$2" | grep -oE '^ \*   RED_[A-Z_]+|  RED_[A-Z_]+  ' | grep -oE 'RED_[A-Z_]*[A-Z]\b')"
    for name in $names; do
        case $name in
        *'(w') printf '%s\n' "${name%(w}\\("{2,4,8,16}'\b' ;;
        *) printf '%s\n' "\\b${name%(*}\\b" ;;
        esac
    done | sort -u
}

# unused GUIDE PRELUDE KERNEL...: the promises that no kernel uses, comments apart.
unused() {
    promised "$1" "$2" >promises
    shift 2
    cat "$@" /dev/null | sed -E 's|//.*||; s|/\*.*\*/||; /^ *\/\*/,/\*\//d' >code
    while read -r pattern; do
        grep -qE "$pattern" code || echo "$pattern"
    done <promises
}

guide=$root/docs/kernels.md prelude=$root/kernels_cl12/lib/prelude.cl
kernels=("$root"/tests/device/contract_kernels/*.cl)
missing=$(unused "$guide" "$prelude" "${kernels[@]}")
promises_n=$(wc -l <promises)
judge "$promises_n promises, none of them unused $missing" [ -z "$missing" ]
# The test itself: it reads both lists, and misses what nobody uses.
judge "names are found in the table and in the prelude" \
    [ "$(grep -cE '^\\b(RED_LOAD|RED_NAMED_|red_fold16|RED_T_BITS|RED_PASS)\\b$|^RED_(LOAD_VEC|VEC)\\\((2|16)\\b$' promises)" = 9 ]
# shellcheck disable=SC2016 # the quotes are Markdown
sed 's/^| `RED_GROUP_SIZE` |/| `RED_NEVER(x)`, `RED_FAN(w, i)`, &/' "$guide" >kernels.md
sed 's/^ \*   RED_PASS  /&RED_SELDOM  /' "$prelude" >prelude.cl
judge "an unused promise is found" [ "$(unused kernels.md prelude.cl "${kernels[@]}" | wc -l)" = 6 ]
# shellcheck disable=SC2046 # a list of files
judge "every kernel counts" [ "$(unused "$guide" "$prelude" $(printf '%s\n' "${kernels[@]}" | grep -v piped) | tr -d '\\b')" = RED_PIPE ]

# The kernels that the guide leads to.
options=() scans=()
for kernel in "${kernels[@]}" "$root"/docs/kernels/my_s*.cl; do
    if grep -q '^//@ primitive: *scan' "$kernel"; then scans+=(--kernel "$kernel"); else options+=(--kernel "$kernel"); fi
done
# A type of every size, and every kind of operation: more of them compile for long, and use no other macro.
choice=(--type "i8,f16,i32,f64" --wg "1,7,64") op=(--op "sum,dot,max,argmin")
if [ "$share" != all ]; then
    seeded "$share"
    # Some kernels have few types and operations: each has one of these.
    types=("i8,i32" "i32,f64" "f16,i32,f64") ops=("sum,dot" "sum,max" "sum,argmin")
    choice=(--type "${types[RANDOM % 3]}" --wg "1,$((RANDOM % 2 ? 7 : 64))") op=(--op "${ops[RANDOM % 3]}")
    devices=(pocl intel)
    device=${devices[RANDOM % 2]}
    ! has_device "$clreduce" "$device" || choice+=(--device "$device")
    echo "${choice[*]} ${op[*]}"
fi
"$clreduce" verify --primitive scan "${scans[@]}" "${choice[@]}" --n 0,1,2,13,100,1000,4097,65541 --format csv --output scan_rows >out 2>&1
scans_status=$?
"$clreduce" verify "${options[@]}" "${choice[@]}" "${op[@]}" --n 0,1,2,13,100,1000,4097,65541 --format csv --output rows >out 2>&1
status=$?
if [ $status = 77 ]; then
    echo "skipped: $(tail -n 1 out)"
    exit $((failed ? 1 : 77))
fi
# The 2.x kernels need a driver that has what they are about.
while IFS=, read -r device name right wrong build_failed unsupported over_budget broken crashed timed_out known pending _; do
    if [ "$right" = 0 ] && [ "$unsupported" -gt 0 ] && grep -qs '^//@ counterpart:' "$root/tests/device/contract_kernels/$name.cl"; then
        echo "skip  $name does not run on $device"
    else
        judge "$name on $device: $right right" \
            [ "$right" -gt 0 -a "$wrong$build_failed$over_budget$broken$crashed$timed_out$known$pending" = 00000000 ]
    fi
done < <(tail -qn +2 rows scan_rows)
[ $status$scans_status = 00 ] || { tail -n 5 out && failed=1; }
exit $failed
