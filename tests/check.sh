# shellcheck shell=bash
# One line for each thing that is checked; to be sourced. $failed is 1 if one of them failed.
failed=0
# A folder of the test's own.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check TEXT STATUS PATTERN COMMAND...: exit status, and a line of what was written.
check() {
    local text=$1 status=$2 pattern=$3 found
    shift 3
    "$@" >out 2>&1 </dev/null
    found=$?
    if [ $found = "$status" ] && grep -qE -- "$pattern" out; then
        ok "$text"
    else
        fail "$text" "exit $found, expected $status; no line '$pattern' in: $(cat out)"
    fi
}

# judge TEXT COMMAND...
judge() {
    if "${@:2}"; then ok "$1"; else fail "$1" "$(tail -n 30 out 2>/dev/null)"; fi
}

ok() {
    echo "ok    $1"
}
fail() {
    echo "FAIL  $1: $2"
    # shellcheck disable=SC2034 # whoever sources this ends with it
    failed=1
}

# expect NAME STATUS TEXT ARGUMENT...: of $clreduce in $work: the status, no JSON file, and, if it fails, on standard error one line that
# begins with "clreduce: " and holds TEXT (a log of a compiler may follow).
# shellcheck disable=SC2154 # $clreduce is set by whoever sources this
expect() {
    local name=$1 status=$2 text=$3 got
    shift 3
    "$clreduce" "$@" >out 2>err </dev/null
    got=$?
    if [ $got != "$status" ]; then
        fail "$name" "exit status $got instead of $status: $(tail -n1 err)"
    elif [ "$status" != 0 ] && [ "$(grep -c '^clreduce: ' err)" != 1 ]; then
        fail "$name" "not one line: $(cat err)"
    elif ! grep -qF -- "$text" err out; then
        fail "$name" "no '$text' in: $(cat err)"
    elif compgen -G "$work/*.json*" >/dev/null; then
        fail "$name" "left a file: $(ls "$work"/*.json*)"
        rm -f "$work"/*.json*
    else
        ok "$name"
    fi
}

# sections SHARE N NAME...: runs these functions, if SHARE is `all`; otherwise N of them, in their order, which SHARE draws, a seed that
# differs from run to run where it is empty, and is told with the command that does the same again. $part stands before it there.
sections() {
    local share=${1:-$RANDOM} n=$2 name here_drawn
    shift 2
    if [ "$share" = all ]; then
        n=$#
    else
        echo "seed $share: the same again by tests/${0##*/} CLREDUCE ${part:+$part }$share"
        RANDOM=$share # what they draw themselves follows, too
    fi
    here_drawn=$(for name in "$@"; do echo "$(md5sum <<<"$share $name") $name"; done | sort | head -n "$n" | cut -d' ' -f4)
    for name in "$@"; do ! grep -qxF "$name" <<<"$here_drawn" || "$name"; done
}

# every_nth N FIRST NAME...: FIRST is 0 to N - 1.
every_nth() {
    printf '%s\n' "${@:3}" | awk -v n="$1" -v first="$2" 'NR % n == first'
}
