# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/check.sh"

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

# driver_version CLREDUCE DEVICE: "3.1+debian"
driver_version() {
    local folder
    folder=$(mktemp -d)
    "$1" emit --device "$2" --strategy serial --output "$folder" 2>/dev/null | sed -n 's/^for .*, driver //p'
    rm -rf "$folder"
}

# is_between VERSION RANGE: a range as registers have it: "*", "3.1", "3.0..3.1", "..3.1", "3.0.."
is_between() {
    local version=${1%%[!0-9.]*} low=${2%..*} high=${2#*..}
    [ "$2" != '*' ] || return 0
    # The end takes what begins with it: 3.1 is 3.1.2, too.
    { [ -z "$low" ] || printf '%s\n' "$low" "$version" | sort -CV; } &&
        { [ -z "$high" ] || [[ $version. == "$high".* ]] || printf '%s\n' "$version" "$high" | sort -CV; }
}

# strategies_that_need CLREDUCE LIST: names, one a line, of those of each primitive that need one of the list's globs.
strategies_that_need() {
    local primitive
    for primitive in reduce scan histogram; do
        "$1" strategies --primitive $primitive --format csv
    done | python3 -c '
import csv, fnmatch, sys
for row in csv.DictReader(sys.stdin):
    if any(fnmatch.fnmatch(need.strip(), glob) for need in row["needs"].split(",") for glob in sys.argv[1].split(",")):
        print(row["strategy"])' "$2"
}

# known CLREDUCE DEVICE STATE: a regular expression over names of which the register (tests/expect) says so of the device's
# version; by what strategies need only where that holds for all operations and types.
known() {
    local version names='' key value type state register=$root/tests/expect/$2.expect
    version=$(driver_version "$1" "$2")
    local range='*'
    while read -r key value type _ _ state _; do
        case $key in
        platform:) range='*' ;;
        driver:) range=$value ;;
        *)
            [ "$state" = "$3" ] || continue
            is_between "$version" "$range" || continue
            if [[ $key == needs:* ]]; then
                [ "$value $type" = '* *' ] || continue
                key=$(strategies_that_need "$1" "${key#needs:}" | paste -sd,)
            fi
            names+=,$key
            ;;
        esac
    done < <([ ! -e "$register" ] || grep -v '^#' "$register")
    names=${names#,}
    names=${names//,/|}
    echo "^(${names//\*/.*})\$"
}
