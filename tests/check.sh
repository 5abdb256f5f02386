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
