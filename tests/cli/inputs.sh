#!/usr/bin/env bash
# Files as they come: a pipe is none; a mark at the beginning, a name that is too long or that there is not is
# told as such; and nothing that a file or an argument holds reaches a terminal as a control character.
#   tests/cli/inputs.sh CLREDUCE [SEED|all]    one of these three, which the seed draws, or all
# shellcheck disable=SC1003,SC2016 # for the shells that are started
set -u
clreduce=$(realpath "$1")
export clreduce
. "$(dirname "$0")/../tools/device.sh"
esc=$(printf '\033')
small="--device pocl --type i32 --op sum --n 10 --wg 32"

# plain TEXT STATUS PATTERN COMMAND...: as check, and what was written has no control character.
plain() {
    check "$@"
    judge "$1: no control character" sh -c "! LC_ALL=C grep -qP '[\\x00-\\x08\\x0b-\\x1f\\x7f]|\\xc2[\\x80-\\x9f]' out"
}

once() {
    printf 'platform: Portable*\ntree * * * * wrong 2026-11-22 x\n' >known
    mkfifo fifo
    local told='cannot read /dev/[a-z0-9/]+: it is a pipe or a device, and no file; write what it holds to a file, and name that'
    check "a result file through a pipe" 4 "$told" sh -c 'cat run.json | "$clreduce" recommend /dev/stdin'
    check "through <(...)" 4 "$told" bash -c '"$clreduce" compare <(cat run.json) run.json'
    check "a kernel through a pipe" 4 '^clreduce: cannot read the kernel /dev/stdin: .*; write it to a file, and name that' sh -c "cat mine.cl | \"\$clreduce\" verify --kernel /dev/stdin $small"
    check "of a duel, too" 4 'cannot read the kernel /dev/fd/.*; write it to a file, and name that' bash -c '"$clreduce" duel --device pocl --base-kernel mine.cl --head-kernel <(cat mine.cl) --type i32 --n 10'
    check "a register" 4 "$told" bash -c "\"\$clreduce\" verify --strategy tree --expect <(cat known) $small"
    check "a policy" 4 "$told" bash -c '"$clreduce" duel --policy <(echo)'
    check "a duel again" 4 "$told" bash -c '"$clreduce" duel --replay <(echo)'
    check "a device without an end" 4 'cannot read /dev/zero: it is a pipe or a device' "$clreduce" recommend /dev/zero
    check "a FIFO, for whose writer nobody waits" 4 'cannot read fifo: it is a pipe or a device' timeout -k 5 20 "$clreduce" report fifo
    check "of a kernel, too" 4 'cannot read fifo: it is a pipe or a device' timeout -k 5 20 "$clreduce" verify --kernel fifo $small
    check "what the shell opens is a file" 0 'chunk' sh -c '"$clreduce" recommend /dev/stdin <run.json'
    for name in /dev/stdin /dev/fd/0 /proc/self/fd/0; do
        check "but no worker has $name" 4 "^clreduce: cannot read the kernel $name: .*; write it to a file, and name that" \
            sh -c "\"\$clreduce\" verify --kernel $name $small <mine.cl"
    done
}

named() {
    printf '\357\273\277' | cat - "$root/kernels_cl12/reduce/tree.cl" >marked.cl
    check "a byte order mark in a kernel" 4 'marked.cl:1: the file begins with a byte order mark' "$clreduce" strategies --kernel marked.cl
    printf '\357\273\277' | cat - run.json >marked.json
    check "JSON may have one" 0 'chunk' "$clreduce" recommend marked.json
    tree_as counted 's/^\(.*source:.*\)/\1\n\/\/@ counterpart: nosuch/'
    check "a counterpart that there is not" 4 "counted.cl: counterpart: unknown 1.x strategy 'nosuch'" "$clreduce" strategies --kernel counted.cl
    tree_as counted 's/^\(.*source:.*\)/\1\n\/\/@ counterpart: wg_reduce/'
    check "nor one of 2.x" 4 "unknown 1.x strategy 'wg_reduce'" "$clreduce" strategies --kernel counted.cl
    tree_as other
    tree_as counted 's/^\(.*source:.*\)/\1\n\/\/@ counterpart: other/'
    check "a kernel that was added before may be one" 0 '^counted .* other' "$clreduce" strategies --kernel other.cl --kernel counted.cl
    tree_as "$(printf 'n%.0s' {1..80})"
    check "a name that is too long" 4 'expected at most [0-9]+ characters' "$clreduce" strategies --kernel "$(printf 'n%.0s' {1..80}).cl"
    cp mine.cl $'a\nb.cl'
    check "a line break in a path" 4 'is no path of a kernel file: expected one without line breaks' "$clreduce" verify --kernel $'a\nb.cl' --device pocl
}

shown() {
    plain "in the name of an output" 0 "result file: x\\?\[2J" "$clreduce" bench --device host --n 1000 --time-per-cell 1ms --output "x${esc}[2J"
    tree_as coloured "s/^\(.*idea:\).*/\1 ${esc}[31mred/"
    plain "an escape sequence in a manifest" 4 "idea: '\?\[31mred' is not valid; expected a text without control characters" "$clreduce" strategies --kernel coloured.cl
    tree_as coloured "s/^\(.*span:\).*/\1 ${esc}[31mred/"
    plain "in a bad value" 4 "span: '\?\[31mred' is not valid" "$clreduce" strategies --kernel coloured.cl
    TMPDIR=${esc}[31m plain "in TMPDIR" 4 'cannot make a folder in \?\[31m' "$clreduce" duel --n 64 --strategy tree
    mkdir "v${esc}[31m"
    printf '%s\n' "lib${esc}[31m.so" >"v${esc}[31m/${esc}[32m.icd"
    OCL_ICD_VENDORS=v${esc}[31m plain "in OCL_ICD_VENDORS" 77 'left out: .*v\?\[31m/\?\[32m.icd: lib\?\[31m' "$clreduce" devices
    plain "in what there is to resume" 0 "nothing to resume beside x\?\[2J" "$clreduce" bench --device host --n 10 --time-per-cell 1ms --resume --output "x${esc}[2J"
    printf 'platform: *\nnosuch * * * * wrong 2026-11-22 x\n' >"${esc}[2J.expect"
    plain "in the path of a register" 0 '\?\[2J.expect:2: unknown strategy' "$clreduce" bench --device host --n 10 --time-per-cell 1ms --expect "${esc}[2J.expect"
    plain "in the environment of a duel" 0 'with POCL_X=\?\[2J' "$clreduce" duel --device pocl --strategy chunk --head-env "POCL_X=${esc}[2J" --type i32 --n 10 \
        --profile fast --data-sets 1
    plain "in an option" 4 "unknown option '--\?\[2J'" "$clreduce" bench "--${esc}[2J"
    plain "in the value of an unknown option" 4 "unknown option '--nosuch'" "$clreduce" bench "--nosuch=${esc}[2J"
    plain "in the value of a shortened option" 4 "unknown option '--o'" "$clreduce" bench "--o=${esc}[2J"
    plain "in an argument" 4 "unexpected argument '\?\[2J'" "$clreduce" bench "${esc}[2J"
    plain "in a path" 4 'cannot read \?\[2J' "$clreduce" recommend "${esc}[2J"
    plain "as a verb" 4 "unknown verb '\?\[2J'" "$clreduce" "${esc}[2J"
    edited run.json <<'PYTHON' >hostile.json
for device in devices:
    device["name"] = "'\"]]>\x1b[31m\x9b\x07 <b>&"
    device["id"] = "'" + device["id"] + "]]>\""
for c in cells:
    c["device"] = "'" + c["device"] + "]]>\""
host["environment"]["POCL_X"] = r["command"] = "\x1b[31m\x9b"
PYTHON
    cp hostile.json "${esc}[2J.json"
    for command in "recommend hostile.json" "compare --drivers hostile.json" "report hostile.json --format md" \
        "report hostile.json --format svg" "report hostile.json" "report esc.json --format md"; do
        command=${command/esc/${esc}[2J}
        # shellcheck disable=SC2086 # words
        plain "names of a result file: $command" 0 . "$clreduce" $command
        case $command in *svg | *json) case $command in report*) judge "and well-formed: $command" xmllint --noout --nonet out ;; esac ;; esac
    done
}

has_device "$clreduce" pocl || { echo "skipped: there is no device pocl on this machine" && exit 77; }
tree_as mine
cp "$root/results/cpu-2-cores.json" run.json
sections "${2:-}" 1 once named shown
exit $failed
