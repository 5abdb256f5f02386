#!/usr/bin/env bash
# What goes beyond one run: known bugs, interruptions, journals, drivers that cannot be loaded.
#   tests/device/trouble.sh CLREDUCE [SEED|all]    the register and a kernel that never ends, and some of the rest by seed; or all
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/device.sh"
need_device "$clreduce" pocl

known_bugs() {
    local verify=("$clreduce" verify --device pocl --type i32 --op sum --n "1,64,100" --wg 32) line="platform: Portable*"
    local mutant=("${verify[@]}" --kernel "$root/tests/mutants/dropped_tail.cl" --expect known.expect)
    printf '%s\ntree * * * * wrong 2026-11-22 a reason\n' "$line" >known.expect
    check "a listed strategy that is right" 2 'unexpected pass: known.expect:2: tree is expected to be wrong' \
        "${verify[@]}" --strategy tree --expect known.expect
    printf '%s\ndropped_tail * * * * some-wrong 2026-11-22 drops it\n' "$line" >known.expect
    check "a listed strategy that is wrong in part" 0 'known-bug: dropped_tail .*: drops it' "${mutant[@]}" --output known.json
    judge "its file says what the bug is" grep -q '"state":"known-bug","known_bug":"wrong"' known.json
    printf '%s\ndriver: 999..\ndropped_tail * * * * some-wrong 2026-11-22 drops it\n' "$line" >known.expect
    check "a line about another version" 2 'wrong: dropped_tail' "${mutant[@]}"
    printf '%s\ndropped_tail * * 100 * wrong 2026-11-22 drops it\ndropped_tail * * 64 * crashed 2026-11-22 no\n' "$line" >known.expect
    check "another trouble than the one expected" 2 'wrong: dropped_tail|unexpected pass' "${mutant[@]}"
    printf '%s\ndropped_tail * * * * skip 2026-11-22 hangs\n' "$line" >known.expect
    check "what hangs is not run" 0 ' 0 right, 0 wrong.* [1-9][0-9]* known-bug' "${mutant[@]}" --output known.json
    judge "so that its file does not say what it would be" sh -c 'grep -q "\"known-bug\"" known.json && ! grep -q known_bug known.json'
    printf '%s\ntree * * * * some-crashed 2026-11-22 x\ndropped_tail * * * * crashed 2026-11-22 x\n' "$line" >known.expect
    check "a wrong result does not hide what else the register expects" 2 'unexpected pass: known.expect:2: tree' "${mutant[@]}" --strategy tree
    judge "and names the line that expects other trouble" grep -q '^wrong: dropped_tail .*(known.expect:3 expects it to be crashed)$' out
    judge "and the command that shows it again" grep -q '^  again: [^ ]*/clreduce verify --device pocl --strategy dropped_tail .*--kernel' out
    check "and how many more there are" 2 '^wrong: dropped_tail on pocl: [0-9]+ more$' \
        "$clreduce" verify --device pocl --type i32 --op sum --n "1..9:+1" --wg 32 --kernel "$root/tests/mutants/dropped_tail.cl"
    printf '%s\ntreee * * * * wrong 2026-11-22 x\n' "$line" >known.expect
    check "a line about no strategy" 0 "known.expect:2: unknown strategy 'treee': that has no effect" "${verify[@]}" --strategy tree --expect known.expect
    printf '%s\ntree * * * * odd 2026-11-22 x\n' "$line" >known.expect
    check "a broken register" 4 "known.expect:2: 'odd' is not valid" "${verify[@]}" --strategy tree --expect known.expect
    check "a register that is not there" 4 'cannot read nowhere' "${verify[@]}" --strategy tree --expect nowhere
}

elsewhere_known() {
    printf 'platform: Portable*\nserial * * * * unsupported 2026-11-22 x\n' >known.expect
    check "a strategy that nobody expects to be absent" 2 'absent: device_enqueue cannot run on pocl' \
        "$clreduce" verify --device pocl --strategy device_enqueue --n 1 --expect known.expect
    printf 'platform: Portable*\ndevice_enqueue min,max * * 9.. unsupported 2026-11-22 x\ndevice_enqueue *dot f32 * * unsupported 2026-11-22 x\n' >known.expect
    check "nor one operation of it, or some group sizes" 2 'absent: device_enqueue cannot run on pocl.* expects that: min of f32, max of f32$' \
        "$clreduce" verify --device pocl --strategy device_enqueue --op min,max,dot --type f32 --n 1 --expect known.expect
    printf 'platform: Portable*\n%s * * * * wrong 2026-11-22 x\n' "$(printf 'a%.0s' {1..256})" >known.expect
    check "a list that is too long" 4 "known.expect:2: 'a+' is not valid; expected a shorter list .255 bytes" "$clreduce" verify --device pocl --strategy tree --expect known.expect
    printf 'platform: Portable*\ndropped_tail * * * * some-wrong 2026-11-22 drops it\n' >known.expect
    check "a known bug in a benchmark" 0 'known-bug .*: wrong, since 2026-11-22: drops it' \
        "$clreduce" bench --device pocl --type i32 --n 2,17 --wg 32 --strategy tree --time-per-cell 1ms --expect known.expect \
        --kernel "$root/tests/mutants/dropped_tail.cl" --output known.json
    judge "which says so in its file" holds known.json '{c["known_bug"] for c in cells if c["state"] == "known-bug"} == {"wrong"}'
}

# interrupt_at_work SIGNAL PID FILE WORD: waits until the journal of FILE has the word, then sends the signal.
interrupt_at_work() {
    for _ in $(seq 200); do
        grep -q "\"$4\"" "$3.journal" 2>/dev/null && break
        sleep 0.05
    done
    kill -"$1" "$2"
    wait "$2"
}

early_verify() {
    local format verify=("$clreduce" verify --device pocl --strategy "tree,chunk" --output early.csv --format csv)
    "${verify[@]}" >out 2>&1 &
    interrupt_at_work INT $! early.csv check
    judge "verify that is interrupted has its exit status" test $? = 130
    judge "tells how to go on" grep -q 'the same command with --resume goes on from here' out
    # shellcheck disable=SC2016 # fields of awk
    judge "and marks what is missing" awk -F, 'NR > 1 {pending += $12} END {exit pending == 0}' early.csv
    check "a journal that is begun anew is told" 0 'early.csv.journal was left by a run that ended early' "${verify[@]}" --type i32 --op sum --n 1
    for format in table csv; do
        "$clreduce" verify --device pocl --strategy tree --type i32 --op sum --n 1 --format "$format" 2>err | true
        judge "a reader of $format that has gone is no mistake" test "${PIPESTATUS[0]}" = 141 -a -z "$(grep ^clreduce: err)"
    done
}

# A journal is of the levels of bins that were asked for: some, or (without --bins) all there are.
bins_of_verify() {
    local verify=("$clreduce" verify --device pocl --primitive histogram --strategy local_counts,local_copies --output bins.json) bins
    "${verify[@]}" --bins 7 >out 2>&1 &
    interrupt_at_work INT $! bins.json check
    judge "verify of histograms is interrupted" test $? = 130
    for bins in "--bins 8" "--bins 256" ""; do
        # shellcheck disable=SC2086 # an option and its value
        check "${bins:-all bins} cannot go on with what was begun with 7" 4 'is of another run .*work' "${verify[@]}" $bins --resume
    done
    check "7 can" 0 'resuming' "${verify[@]}" --bins 7 --resume
}

# ends TEXT DELAY COMMAND...: Ctrl-C once, DELAY seconds after its beginning, ends the command within 5 s.
ends() {
    local text=$1 delay=$2 begin
    shift 2
    "$@" >out 2>&1 &
    sleep "$delay"
    begin=$SECONDS
    kill -INT $!
    wait $!
    judge "$text ends by one Ctrl-C ($((SECONDS - begin)) s)" test $? = 130 -a $((SECONDS - begin)) -le 5
}

# What this program does itself, with no driver to blame: each takes many seconds when nobody interrupts.
long_work() {
    ends "choosing the checks of all strategies" 3 "$clreduce" verify --device pocl --all
    ends "making data of 2^28 elements" 1 "$clreduce" verify --device pocl --accuracy --strategy chunk --n 2^28
    ends "showing data of 2^24" 1 "$clreduce" verify --device pocl --show-data uniform --strategy tree --op sum --type f32 --n 2^24
}

interruptions() {
    local bench=("$clreduce" bench --device pocl --strategy "serial,chunk" --n "100,2^12" --time-per-cell 0.5 --data-sets 1 --output killed.json)
    "${bench[@]}" >out 2>&1 &
    interrupt_at_work INT $! killed.json sample
    judge "Ctrl-C is its own exit status" test $? = 130
    judge "and the result file holds what there is" holds killed.json 'len(cells) == 8'
    cp killed.json before.json
    check "another command cannot go on" 4 'is of another run .*settings: .seed 1,.* there, .seed 7,.* repeat with --resume: clreduce bench' "${bench[@]}" --seed 7 --resume
    judge "and leaves the result file" cmp -s killed.json before.json
    check "the same one can" 0 'resuming: [0-9]+ of 8 cells and [1-9][0-9]* samples are there' "${bench[@]}" --resume
    judge "and leaves no journal" test ! -e killed.json.journal
    check "nothing to resume is no error" 0 'nothing to resume beside killed.json: begins anew' "${bench[@]}" --time-per-cell 1ms --resume
    check "--resume wants a file" 4 '--resume needs --output' "$clreduce" bench --resume
    check "verify's, too" 4 '--resume needs --output' "$clreduce" verify --resume
    check "and checks to go on with" 4 'resume has no effect with --special' "$clreduce" verify --special --resume --output killed.json
    "${bench[@]}" >out 2>&1 &
    # shellcheck disable=SC2016 # for the shell that waits
    check "two runs do not write one journal" 4 'another run is writing killed.json.journal' \
        sh -c 'while ! grep -qs . killed.json.journal; do sleep 0.05; done; exec "$0" "$@"' "${bench[@]}"
    interrupt_at_work KILL $! killed.json sample 2>/dev/null
    printf 'not JSON\n' >>killed.json.journal
    check "what is broken in a journal is done again" 0 'resuming: [1-8] of 8 cells' "${bench[@]}" --time-per-cell 0.5 --resume
}

loading() {
    mkdir vendors
    ln -s /etc/OpenCL/vendors/pocl.icd vendors/
    echo '__attribute__((constructor)) static void f(void) { *(volatile int *)0 = 0; }' >bad.c
    cc -shared -fPIC bad.c -o bad.so
    echo "$work/bad.so" >vendors/bad.icd
    OCL_ICD_VENDORS=$work/vendors check "a driver that crashes when it is loaded" 0 'left out: .*/bad.icd: the driver crashed .SIGSEGV.' \
        "$clreduce" verify --strategy serial --type i32 --op sum --n 10
    judge "and costs the others nothing" grep -q 'pocl    serial' out
    # What it prints to be run later must not name the folder of good drivers, which is gone then.
    OCL_ICD_VENDORS=$work/vendors check "emit's command names the folder that was given" 0 "OCL_ICD_VENDORS=$work/vendors " \
        "$clreduce" emit --strategy tree --device pocl --type i32 --op sum --output emitted
    rm vendors/bad.icd
    echo libnowhere.so >vendors/absent.icd
    : >vendors/empty.icd
    OCL_ICD_VENDORS=$work/vendors check "a library that is not there is told" 4 'left out: .*/absent.icd: libnowhere.so: cannot open' \
        "$clreduce" verify --device absent
    judge "and a file without one" grep -q 'left out: .*/empty.icd: it names no library' out
    OCL_ICD_VENDORS=$work/vendors/absent.icd check "and where there is nothing else" 77 'left out: .*libnowhere.so' "$clreduce" verify
    judge "no other driver is proposed for it" grep -q 'no OpenCL device found, though there are drivers' out
    # PoCL offers no device where it can keep nothing; as root, too, nothing can be written here.
    homeless=(env -u POCL_CACHE_DIR -u XDG_CACHE_HOME HOME=/proc/nowhere OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd "$clreduce")
    check "a platform without devices is named, with what its driver said and wants" 77 \
        'no device: Portable Computing Language: clGetDeviceIDs says CL_DEVICE_NOT_FOUND .-1.; it keeps .*HOME/.cache' "${homeless[@]}" verify
    judge "and what is installed is not to be installed" test "$(grep -c 'apt-get install' out)" = 0
    check "once says so, too" 77 'no device: Portable Computing Language: clGetDeviceIDs' "${homeless[@]}" once --n 64
    mkdir empty
    OCL_ICD_VENDORS=$work/empty check "where there is no driver, one is to be installed" 77 'apt-get install pocl-opencl-icd' "$clreduce" verify
    OCL_ICD_VENDORS=$work/nowhere check "and a folder that is not there" 77 'left out: .*/nowhere: No such file' "$clreduce" verify
    rm vendors/*
    echo "$work/bad.so" >vendors/bad.icd
    OCL_ICD_VENDORS=$work/vendors check "alone it is told, too" 5 'the driver crashed .SIGSEGV. while being asked' \
        "$clreduce" verify --strategy serial --type i32 --op sum --n 10
}

# kernel NAME BODY: a kernel of one item that does that before it reduces.
kernel() {
    {
        printf '//@ %s\n' "name: $1" "idea: $1" "span: one" "lanes: 1" "group: none" "finish: host" "needs: nothing" "types: all" "ops: all" "source: none"
        printf 'RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {\n'
        printf '    %s\n    out[0] = red_item_range(RED_ARGS, 0, n);\n}\n' "$2"
    } >"$1.cl"
}

# What a kernel of somebody's may take: patience for one that never ends, and of a slow one a share.
endless() {
    local begin=$SECONDS
    kernel endless 'while (((volatile global uint *)counter)[0] == 0) ;'
    check "a kernel that never ends" 5 'timed-out: endless .*: no answer in 2 s while verifying' \
        "$clreduce" verify --patience 2 --kernel endless.cl --device pocl --type i32,f32
    judge "takes the patience, and little more ($((SECONDS - begin)) s)" test $((SECONDS - begin)) -lt 24
}

endless_elsewhere() {
    local begin=$SECONDS
    check "nor in a survey" 5 'did not come; the first: timed-out: endless .*: no answer in 2 s' \
        "$clreduce" verify --special --patience 2 --kernel endless.cl --device pocl --op sum
    judge "where no answer came, nothing is told of its bits" grep -qE '^endless .* -$' out
    judge "takes the patience, and little more ($((SECONDS - begin)) s)" test $((SECONDS - begin)) -lt 24
    begin=$SECONDS
    kernel endless '' && mv endless.cl ended.cl
    kernel endless 'while (((volatile global uint *)counter)[0] == 0) ;'
    check "nor in a duel, whose budget tells nothing of a kernel that has not come to an end" 5 'head timed-out: no answer in 5 s' \
        "$clreduce" duel --patience 5 --base-kernel ended.cl --head-kernel endless.cl --device pocl --n 1000 --profile fast
    judge "ends as soon ($((SECONDS - begin)) s)" test $((SECONDS - begin)) -lt 60
}

# One call of few elements takes seconds.
slow() {
    local begin
    kernel slow 'for (uint i = 0; i < (n < 100 ? 300000000u : 0u); i++) if (((volatile global uint *)counter)[0]) return;'
    begin=$SECONDS
    "$clreduce" bench --kernel slow.cl --strategy slow --device pocl --n 64 --type i32 --time-per-cell 0.01 >out 2>err
    judge "a slow kernel is checked for its share, and not timed ($((SECONDS - begin)) s)" grep -qE '^over-budget: slow .* would take about' err
    judge "and one call over the budget is told" grep -q 'one call takes .* s; the budget is 0.01 s' out err
    judge "in a minute or two" test $((SECONDS - begin)) -lt 150
}

# No call is so slow that one of few elements tells of others, and there are two thousand checks.
steady() {
    local begin
    kernel steady 'for (uint i = 0; i < 30000000u; i++) if (((volatile global uint *)counter)[0]) return;'
    begin=$SECONDS
    "$clreduce" bench --kernel steady.cl --strategy steady --device pocl --n 64 --type i32 --time-per-cell 10ms >out 2>err
    judge "a kernel of which every call takes some hundredths of a second, too ($((SECONDS - begin)) s)" grep -qE '^over-budget: steady .* would take about' err
    # On a slow machine one check of the kernel above takes more than any may; of this one none does.
    judge "as that says" grep -q "since the strategy's calls have had their 10 s" err
    judge "in a minute or two" test $((SECONDS - begin)) -lt 150
}

# The reason that most combinations have is the one that is told last, and first in the list.
reasons() {
    kernel needy ''
    sed -i 's/^\/\/@ needs: .*/\/\/@ needs: collectives/; s/^\/\/@ types: .*/\/\/@ types: i8, i32, i64, u64, f64/' needy.cl
    sed -i 's/^\/\/@ ops: .*/\/\/@ ops: sum/' needy.cl
    check "what the device lacks is told, and not what the manifest leaves out" 77 'nothing could be checked: needy: .*collectives.*types and operations' \
        "$clreduce" verify --kernel needy.cl --device pocl
    judge "and first in the list" sh -c "grep 'cannot run on' out | sed -n 1p | grep -q collectives && grep 'cannot run on' out | sed -n '\$p' | grep -qE '(has no|cannot do) '"
    sed 's/collectives/nothing/; s/needy/few/' needy.cl >few.cl
    check "a kernel of few types" 0 'few' "$clreduce" verify --kernel few.cl --device pocl --n 10 --wg 1
    judge "that they are few is no news" test "$(grep -c 'cannot run on' out)" = 0
}

known_bugs
endless
sections "${2:-}" 1 elsewhere_known endless_elsewhere slow steady reasons interruptions bins_of_verify early_verify long_work loading
exit $failed
