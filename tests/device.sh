# shellcheck shell=bash
# What tests of one driver begin with; to be sourced.

# need_device CLREDUCE DEVICE: ends the test, as skipped, where the machine lacks the device. One small check: `devices` would
# probe all that the driver can do.
need_device() {
    local said
    said=$("$1" verify --device "$2" --strategy serial --type i32 --op sum --n 1 2>&1)
    case $? in
    0) ;;
    4 | 77) echo "skipped: there is no device $2 on this machine" && exit 77 ;;
    *) echo "$said" && exit 1 ;;
    esac
}

# has_device CLREDUCE DEVICE
has_device() {
    "$1" verify --device "$2" --strategy serial --type i32 --op sum --n 1 >/dev/null 2>&1
}

# known DEVICE STATE: a regular expression over names of which the register (tests/expect) says so, whatever the version.
known() {
    local names
    names=$(awk -v state="$2" '$6 == state {print $1}' "$(dirname "${BASH_SOURCE[0]}")/expect/$1.expect" 2>/dev/null | tr '\n' ',')
    names=${names%,}
    names=${names//,/|}
    echo "^(${names//\*/.*})\$"
}
