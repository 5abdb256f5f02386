#!/usr/bin/env bash
# Who may wait for whom: PoCL with one thread runs groups one after the other, with four threads four at a time, Oclgrind as many as it has
# threads, and none of them starts a group while all those in flight wait for it.
#   tests/device/progress.sh CLREDUCE                  the probes, whose waits have limits
#   tests/device/progress.sh CLREDUCE unlimited        the tests without limits: litmus --progress
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/check.sh"

# on DRIVER COMMAND...: pocl-1, pocl-4 or oclgrind.
on() {
    case $1 in
    oclgrind) oclgrind "${@:2}" ;;
    *) POCL_MAX_PTHREAD_COUNT=${1#pocl-} "${@:2}" ;;
    esac
}

# No kernel of the catalogue needs a higher ticket, or that all in flight go on; the reason of a user's kernel that does has the figures.
tree_as waits_for_higher 's/needs: .*/needs: local_memory, higher_ticket_progress/'
tree_as waits_for_all 's/needs: .*/needs: local_memory, resident_progress/; s/types: .*/types: i32/; s/ops: .*/ops: sum/'
small=(--n 1000 --wg 64 --type i32)
higher() {
    on "$1" "$clreduce" verify --device "${1%-*}" --kernel waits_for_higher.cl --op sum "${small[@]}" "${@:2}"
}
# found DRIVER OPTION...: the figures behind the needs that the strategies have, from a file of bench. An interpreter's call of 50 ms must keep
# to its cell's time beside other programs, too.
found() {
    local driver=$1 cell_s=0.2
    shift
    [ "$driver" != oclgrind ] || cell_s=2
    on "$driver" "$clreduce" bench --device "${driver%-*}" --time-per-cell $cell_s --output "$driver.json" "${small[@]}" "$@" &&
        python3 -c 'import json, sys
for device in json.load(open(sys.argv[1]))["devices"]:
    for need, answer in device.get("capabilities", {}).items():
        if need.endswith("progress"):
            print(need, answer["advertised"], answer["behaves"], answer["reason"])' "$driver.json"
}

limited() {
    local driver in_flight
    for driver in pocl-1 pocl-4 oclgrind; do
        [ $driver != oclgrind ] || command -v oclgrind >out || { echo "not checked: oclgrind is not installed" && continue; }
        case $driver in pocl-1) in_flight=1 ;; pocl-4) in_flight='[2-4]' ;; *) in_flight='[0-9]+' ;; esac
        check "$driver: a higher ticket answers nobody" 77 \
            "no higher_ticket_progress: groups in flight: $in_flight; of [0-9]+ waits for a higher ticket [0-9]+ not answered" \
            higher $driver
        check "$driver: a lower ticket answers" 0 "^lower_ticket_progress no yes groups in flight: $in_flight; .* lower ticket all answered" \
            found $driver --primitive scan --strategy chained
        [ $driver != oclgrind ] || continue # an interpreter takes its time for all checks of a user's kernel
        check "$driver: groups in flight answer each other" 0 \
            "^resident_progress no yes groups in flight: $in_flight of size 1, .*; a barrier over $in_flight ends, over [0-9]+ it does not" \
            found $driver --kernel waits_for_all.cl --strategy waits_for_all
    done
    check "a kernel runs despite the probe" 0 "waits_for_higher" higher pocl-1 --despite-probes
}

unlimited() {
    check "a lower id answers, in whatever order groups start; a higher one does not" 0 "^LOBE, fair +ends +ends$" on pocl-1 "$clreduce" litmus --progress --device pocl
    judge "what waits for a higher one was killed" grep -qE "^fair +not in 2 s +not in 2 s$" out
    judge "one thread is a scheduler of all that have started and all of lower ids" \
        grep -qF "by ids no test contradicts: OBE, HSA, HSA+OBE, LOBE, strong OBE, strong HSA, strong HSA+OBE, strong LOBE" out
}

"${2:-limited}"
exit $failed
