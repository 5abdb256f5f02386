# shellcheck shell=bash
# What shell tests share; to be sourced. $root is the checkout, $work a folder of the test's own, which the test goes on in. One line for
# each thing that is checked; $failed is 1 if one of them failed.
failed=0
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=bench/setup/help.sh
. "$root/bench/setup/help.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# check TEXT STATUS PATTERN COMMAND...: exit status, and a line of what was written.
check() {
    "${@:4}" >out 2>&1 </dev/null
    judge_ended "$1" "$2" "$3" $?
}

# judge_ended TEXT STATUS PATTERN FOUND: a command that has written `out`.
judge_ended() {
    if [ "$4" = "$2" ] && grep -qE -- "$3" out; then
        ok "$1"
    else
        fail "$1" "exit $4, expected $2; no line '$3' in: $(cat out)"
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

# holds FILE EXPRESSION: in Python, of what is in a file of JSON or CSV, is true; edited FILE [STATEMENTS]: the JSON after these. data.py
# tells the names that they may use.
holds() {
    python3 "$root/tests/tools/data.py" holds "$@"
}
edited() {
    python3 "$root/tests/tools/data.py" edited "$@"
}

# check_duel TEXT STATUS PATTERN COMMAND...: check, of duels. Where other programs change the machine's speed, the tests beside this one, too,
# a duel has no answer: then it is made again, up to three times in all. A machine that gives none by then is told, and 1 returned.
check_duel() {
    local status
    for _ in 1 2 3; do
        "${@:4}" >out 2>&1 </dev/null
        status=$?
        ! has_answer $status || break
    done
    if has_answer $status; then
        judge_ended "$1" "$2" "$3" $status
    else
        not_checked "$1"
        return 1
    fi
}

# has_answer STATUS: without one a duel ends with 0, or is interrupted, and no cell of it is slower or faster.
unanswered='UNDECIDED +(budget|launches-spent|not-confirmed)|UNTRUSTED +controls-moved'
has_answer() {
    case $1 in 0 | 130) ;; *) return 0 ;; esac
    grep -qE ' confirmed-(slower|faster)$' out || ! grep -qE " ($unanswered)\$" out
}
not_checked() {
    echo "not checked: $1: the times of this machine vary too much: $(grep -E " ($unanswered)\$" out | tail -n 1)"
}

# tree_as NAME [SED]: the catalogue's tree under another name, changed, as NAME.cl.
tree_as() {
    sed "s/^\(.*name: *\)tree/\1$1/; ${2:-}" "$root/kernels_cl12/reduce/tree.cl" >"$1.cl"
}

# seeded SHARE: what $RANDOM draws follows from SHARE, a seed, which is told with the command that does the same again; $part stands before
# it there. Where SHARE is `all` nothing is drawn.
seeded() {
    [ "$1" != all ] || return 0
    echo "seed $1: the same again by tests/$(basename "$(dirname "$0")")/${0##*/} CLREDUCE ${part:+$part }$1"
    RANDOM=$1
}

# sections SHARE N NAME...: runs these functions, if SHARE is `all`; otherwise N of them, in their order, which SHARE draws, a seed that
# differs from run to run where it is empty.
sections() {
    local share=${1:-$RANDOM} n=$2 name here_drawn
    shift 2
    [ "$share" != all ] || n=$#
    seeded "$share"
    here_drawn=$(for name in "$@"; do echo "$(md5sum <<<"$share $name") $name"; done | sort | head -n "$n" | cut -d' ' -f4)
    for name in "$@"; do ! grep -qxF "$name" <<<"$here_drawn" || "$name"; done
}

# every_nth N FIRST NAME...: FIRST is 0 to N - 1.
every_nth() {
    printf '%s\n' "${@:3}" | awk -v n="$1" -v first="$2" 'NR % n == first'
}

# fits_schema FILE SCHEMA: judges a file by results/SCHEMA.schema.json.
fits_schema() {
    if python3 -c 'import jsonschema' 2>/dev/null; then
        judge "${1} fits its schema" python3 -W ignore -m jsonschema -i "$1" "$root/results/$2.schema.json"
    else
        echo "not checked: $1 needs python3-jsonschema"
    fi
}
