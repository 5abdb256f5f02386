# shellcheck shell=bash
# One line for each thing that is checked; to be sourced. $failed is 1 if one of them failed.
failed=0

# check TEXT STATUS PATTERN COMMAND...: exit status, and a line of what was written.
check() {
    local text=$1 status=$2 pattern=$3 found
    shift 3
    "$@" >out 2>&1 </dev/null
    found=$?
    if [ $found = "$status" ] && grep -qE -- "$pattern" out; then
        echo "ok    $text"
    else
        echo "FAIL  $text: exit $found, expected $status; no line '$pattern' in:" && cat out
        failed=1
    fi
}

# judge TEXT COMMAND...
judge() {
    # shellcheck disable=SC2034 # whoever sources this ends with it
    if "${@:2}"; then echo "ok    $1"; else echo "FAIL  $1" && failed=1; fi
}

# sections SHARE N NAME...: runs these functions, if SHARE is `all`; otherwise N of them, in their order, which SHARE draws, a seed that
# differs from run to run where it is empty, and is told with the command that does the same again. $part stands before it there.
sections() {
    local share=${1:-$RANDOM} n=$2 name drawn
    RANDOM=${share/#all/0} # what they draw themselves follows, too
    shift 2
    if [ "$share" = all ]; then n=$#; else echo "seed $share: the same again by tests/${0##*/} CLREDUCE ${part:+$part }$share"; fi
    drawn=$(for name in "$@"; do echo "$(md5sum <<<"$share $name") $name"; done | sort | head -n "$n" | cut -d' ' -f4)
    for name in "$@"; do ! grep -qxF "$name" <<<"$drawn" || "$name"; done
}

# every_nth N FIRST NAME...: FIRST is 0 to N - 1.
every_nth() {
    printf '%s\n' "${@:3}" | awk -v n="$1" -v first="$2" 'NR % n == first'
}
