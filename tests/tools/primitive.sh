# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # variables are of who sources it, and for it
# What the checks of one primitive on a driver share (tests/device/verify_scans.sh, verify_histograms.sh); to be sourced behind device.sh,
# with clreduce, device and primitive set. `strategies` are the primitive's that have a kernel.
mapfile -t strategies < <("$clreduce" strategies --primitive "$primitive" --format csv | awk -F, 'NR > 1 && $2 != "host" {print $1}')

# draw VARIABLE WORD...: one of them. In a shell of its own RANDOM would not follow from the seed.
draw() {
    printf -v "$1" %s "${@:RANDOM % ($# - 1) + 2:1}"
}

# draw_sixth: every sixth strategy alone is among them from here on.
draw_sixth() {
    local first=$((RANDOM % 6)) # not within <(), whose RANDOM does not follow from the seed
    mapfile -t strategies < <(every_nth 6 $first "${strategies[@]}")
}

# verify STRATEGY... -- OPTION...: every strategy is right, or cannot run there: PoCL lacks something, as the register says. verify ends
# with 77 where none of them can run.
verify() {
    local names='' name row right other ended checks
    while [ "$1" != -- ]; do names+=,$1 && shift; done
    rm -f rows
    "$clreduce" verify --primitive "$primitive" --device "$device" --strategy "${names#,}" "${@:2}" --time-per-cell 600 \
        --expect "$root/tests/expect" --format csv --output rows >out 2>&1 </dev/null
    ended=$?
    checks=$(awk -F, 'NR > 1 {n += $3} END {print n + 0}' rows)
    judge "verify ${names#,} ${*:2}" test "$ended" = $((checks > 0 ? 0 : 77))
    for name in ${names//,/ }; do
        row=$(awk -F, -v name="$name" '$2 == name { printf "%d %d %s", $3, $6 + $11, $0 }' rows)
        read -r right other row <<<"$row"
        [ "$device" != intel ] || other=0
        judge "$name: $row" test "${right:-0}" -gt 4 -o "${other:-0}" -gt 0
    done
}
