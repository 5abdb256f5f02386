#!/usr/bin/env bash
# Bad input: one clear line, the documented exit status, no half-written file.
#   tests/cli/cli.sh CLREDUCE options     options and outputs: little is compiled
#   tests/cli/cli.sh CLREDUCE kernels [SEED|all]    kernel files, and some of what is checked and measured, or all of that
# shellcheck disable=SC2086 # variables that are single words
set -u
program=$(realpath "$1")
part=$2 share=${3:-}
clreduce=$program
. "$(dirname "$0")/../tools/device.sh"

# says NAME STATUS out|err PATTERN COMMAND...: the exit status, and a line of what it wrote to its standard output or error.
says() {
    local name=$1 status=$2 stream=$3 pattern=$4 got
    "${@:5}" >out 2>err </dev/null
    got=$?
    if [ $got = "$status" ] && grep -qE -- "$pattern" $stream; then
        ok "$name"
    else
        fail "$name" "exit $got, expected $status; no line '$pattern' on std$stream in: $(cat out err)"
    fi
}

# told_of_full_disk NAME ARGUMENT...: what only prints is no success where it cannot.
told_of_full_disk() {
    "$clreduce" "${@:2}" >/dev/full 2>err </dev/null
    judge "$1 > full disk" [ "$?: $(grep -cF 'cannot write the standard output' err)" = "4: 1" ]
}

# kernel NAME SED: the catalogue's tree for few types and operations, changed.
kernel() {
    tree_as "$1" "s/^\(.*types: *\)all/\1i32, f32/; s/^\(.*ops: *\)all/\1sum, dot/; $2"
}

# names_all: every name that the error of an unknown one lists is a word of `emit --help`.
names_all() {
    "$clreduce" emit --help >help
    for option in type op; do
        "$clreduce" emit --strategy tree --$option nosuch 2>err
        read -ra names < <(sed "s/.*[Vv]alid: //; s/,//g" err)
        for name in "${names[@]}"; do
            [[ $name =~ ^(inclusive_max|exclusive_(sum|min))$ ]] || grep -qw "$name" help || return 1
        done
    done
    [ "$name" = count64 ]
}

usage() {
    says "no verb" 4 err Usage "$clreduce"
    expect "unknown verb" 4 "unknown verb 'bend'" bend
    expect "version" 0 "clreduce 0" --version
    expect "all primitives are named" 0 "Parallel reductions, scans and histograms in OpenCL 1.x and 2.x" --help
    for verb in devices strategies verify bench once; do expect "$verb --help" 0 "Example: clreduce $verb" $verb --help; done
    expect "emit can do with files, and without" 0 'Usage: clreduce emit [OPTION...] [FILE...]' emit --help
    expect "reproduce with one" 0 'Usage: clreduce reproduce [OPTION...] [FILE]' reproduce --help
    expect "and their --output is a folder" 0 ' emit and reproduce a folder' reproduce --help
    judge "help names all types and, but for middle ones of scans, all operations" names_all
    says "unknown option" 4 err frobnicate "$clreduce" bench --frobnicate
    expect "stray argument" 4 "unexpected argument 'tree'" bench tree
    expect "unknown device" 4 "unknown device 'pokl'; did you mean 'pocl'" bench --device pokl
    expect "absent driver" 4 "unknown device 'nvidia'" bench --device nvidia
    expect "unknown strategy" 4 "did you mean 'tree'" bench --strategy treee
    expect "unknown type" 4 "unknown type 'f16x'; did you mean 'f" bench --type f16x
    expect "unknown operation" 4 "unknown operation 'summ'; did you mean 'sum'" bench --op summ
    expect "an option of another mode" 4 "--wg has an effect only with --source; add that or leave it out" strategies --wg 3
    expect "one without effect" 4 "--format has no effect with --source; leave one of them out" strategies --source tree --format csv
    expect "one without files" 4 "--seed has an effect only with result files" emit --strategy tree --seed 3
    expect "one with files" 4 "--patience has no effect with result files; leave it out" emit x.json --patience 3
    expect "a survey's" 4 "--wg has no effect with --special" verify --special --wg 3
    expect "errors of one array" 4 "--accuracy has no effect with --ranks" bench --ranks --accuracy
    expect "rows of a fleet" 4 "as JSON: leave out --format csv" bench --each --format csv
    expect "empty list" 4 "unknown strategy ''" bench --strategy ""
    expect "bad format" 4 "--format: 'xml' is not valid" bench --format xml
    expect "bad seed" 4 "--seed: 'x' is not valid" bench --seed x
    expect "bad budget" 4 "--time-per-cell: '-1' is not valid" bench --time-per-cell=-1
    expect "verify of a strategy without a kernel" 4 "names no kernel" verify --strategy openmp
    expect "nothing that could be timed" 77 "nothing that was asked for could be timed" \
        bench --device pocl --strategy serial --wg 32 --n 1000 --time-per-cell 1ms
    expect "a kernel on the host" 4 "kernels need an OpenCL device" bench --device host --strategy tree
    for option in "--wg 64" "--groups 4" "--lanes 4x4" --accuracy; do
        # shellcheck disable=SC2086 # words
        expect "${option%% *} on the host" 4 "${option%% *} has no effect with --device host" bench --device host --n 10 $option
    done
    expect "nothing but an empty maximum on the host" 77 "nothing that was asked for could be timed" bench --device host --n 0 --op max
    told_of_full_disk devices devices --device host
    says "a strategy that cannot run is named once" 0 out "^  cannot run on pocl: fixed_point +has no i32 form$" \
        "$clreduce" verify --device pocl --strategy fixed_point --type i32,f32 --op sum --n 10 --wg 64
    expect "bad source" 4 "'openmp' names no kernel" strategies --source openmp
}

budgets() {
    says "verify within a budget" 3 out "over-budget: cmpxchg_item sum i32 on pocl, n = .*the budget is 0.001 s" \
        "$clreduce" verify --device pocl --strategy cmpxchg_item --type i32 --op sum --wg 256 --n 2^18,2^20 --time-per-cell 1ms
    # 2 sizes x 2 group sizes x 4 kinds of data that an integer has.
    expect "verify --all" 0 "16 checks of 2 programs, about" verify --all --device pocl --strategy tree --type i32 --op sum --n 10,100 --wg 7,64
    expect "verify --all reaches everything" 0 "covered on pocl: 16 of 16 checks" verify --all --device pocl --strategy tree --type i32 --op sum --n 10,100 --wg 7,64
    # Two types and one operation are two chapters of two group sizes each.
    expect "verify --all takes group sizes in turn" 0 "20 checks of 4 programs" verify --all --device pocl --strategy tree --type i32,u32 --op max --n 10
    POCL_MEMORY_LIMIT=1 expect "n beyond the device" 0 "do not fit on pocl" \
        bench --device pocl --type f64 --n 1,2^25+1 --strategy chunk --time-per-cell 1ms
}

sizes() {
    for n in abc 2^ 2^64 10..5 1..10:x1 1..10:+0 "" "5," " 5" -1 1e6 0..8; do
        expect "--n '$n'" 4 "is no list of sizes below 2^64" bench "--n=$n"
    done
    expect "n beyond the host" 4 "the largest possible n is" bench --n 2^40
    expect "group size 0" 4 "no work-group of 0" bench --wg 0
    expect "group size over the limit" 4 "take 1 to" verify --wg 1000000
    expect "group size over one kernel's limit" 0 "single work-item" bench --device pocl --n 100 --wg 32 --strategy serial,tree
}

small=(--type i32 --op sum --wg 64)
kernels() {
    expect "missing kernel file" 4 "cannot read nowhere.cl" bench --kernel nowhere.cl
    expect "kernel is a folder" 4 "cannot read $work" bench --kernel "$work"
    : >empty.cl
    expect "empty kernel file" 4 "is no kernel file" bench --kernel empty.cl
    printf 'a\0b' >nul.cl
    expect "binary kernel file" 4 "is no kernel file" bench --kernel nul.cl
    head -c 2000000 /dev/zero | tr '\0' x >large.cl
    expect "large kernel file" 4 "is no kernel file" bench --kernel large.cl
    echo 'kernel void reduce() {}' >plain.cl
    expect "no manifest" 4 "plain.cl:1: the manifest lacks 'name'" bench --kernel plain.cl
    kernel key 's/idea:/ideal:/'
    expect "unknown key" 4 "key.cl:2: manifest key: 'ideal'" bench --kernel key.cl
    cp "$root/kernels_cl12/reduce/tree.cl" mine.cl
    expect "two files of one name" 4 "the name 'tree' is taken by $work/mine.cl" verify --kernel "$work/mine.cl" --kernel "$root/kernels_cl12/reduce/tree.cl"
    expect "name is taken" 4 "the name 'tree' is taken" bench --kernel "$root/kernels_cl12/reduce/tree.cl"
    kernel tail 's/i < n ?/i < n \/ 64 * 64 ?/'
    expect "wrong kernel" 2 "wrong" verify --first --device pocl --kernel tail.cl --type i32 --op sum
    # Its first store is far from any memory: every check costs a process, until nobody tries it again.
    kernel crash 's/out\[get_group_id(0)\] =/out[(ulong)1 << 44] =/'
    expect "kernel that crashes" 5 "the driver crashed (SIGSEGV) while verifying crash, " verify --device pocl --kernel crash.cl "${small[@]}"
}

names() {
    sed 's/i < n/i + 1 < n/' "$root/kernels_cl12/reduce/tree.cl" >"$work/mine.cl"
    expect "where a file is checked alone it takes that name's place" 2 "wrong: tree sum f32 on pocl" \
        verify --kernel "$work/mine.cl" --device pocl --op sum --type f32 --n 1000 --wg 64
    expect "a built-in one is right there" 0 "" verify --strategy tree --device pocl --op sum --type f32 --n 1000 --wg 64
    kernel "good" 's/i32, f32$/f32/; s/sum, dot$/sum/'
    cp good.cl "good 'one\".cl"
    expect "good kernel" 0 "good" bench --device pocl --n 1000 --wg 64 --strategy tree --type f32 --kernel "good 'one\".cl" --time-per-cell 1ms
    grep -qE '^good[: ]' out || fail "good kernel" "no row in the table"
}

builds() {
    kernel syntax 's/get_local_id(0) == 0/get_local_id(0) = = 0/'
    local wrong_line
    wrong_line=$(grep -n '= = 0' "$work/syntax.cl" | cut -d: -f1)
    expect "kernel that does not build" 4 "syntax.cl:$wrong_line" verify --device pocl --kernel syntax.cl "${small[@]}"
    expect "kernel that does not build, raced" 4 "syntax.cl:$wrong_line" bench --device pocl --n 10 --kernel syntax.cl "${small[@]}"
    kernel other 's/ reduce(/ other(/'
    expect "no kernel named reduce" 4 "no kernel named 'reduce'" verify --device pocl --kernel other.cl "${small[@]}"
    kernel parameters 's/const ulong n,/& const uint more, const uint most,/'
    expect "wrong parameters" 4 "the contract is RED_KERNEL reduce" verify --device pocl --kernel parameters.cl "${small[@]}"
    kernel include 's/^RED_KERNEL/#include "nothing.cl"\n&/'
    expect "unknown include" 4 "names no kernel of the catalogue" verify --device pocl --kernel include.cl "${small[@]}"
    kernel tail 's/i < n ?/i < n \/ 64 * 64 ?/'
    expect "wrong only beside round sizes, raced" 2 "expected" bench --device pocl --n 2^10,2^12 --kernel tail.cl
}

outputs() {
    local fast=(bench --device host --n 1000 --time-per-cell 1ms)
    expect "missing folder" 4 "cannot write nowhere/x.json" "${fast[@]}" --output nowhere/x.json
    expect "output is a folder" 4 "Is a directory" "${fast[@]}" --output "$work"
    expect "path below a file" 4 "cannot write empty.cl/x" "${fast[@]}" --output empty.cl/x
    expect "full disk" 4 "No space left" "${fast[@]}" --output /dev/full
    expect "unwritable --export" 4 "cannot write nowhere/g.json" "${fast[@]}" --export github-action-benchmark=nowhere/g.json
    expect "unknown --export" 4 "did you mean 'junit'" "${fast[@]}" --export juint=x.json
    "$clreduce" "${fast[@]}" --export juint=x.json >out 2>err
    judge "--help lists every kind of --export" \
        grep -qF "$(sed 's/.*Valid: //' err)" <<<"$("$clreduce" bench --help | tr -s ' \n' ' ')"
    expect "--export without a file" 4 "expected KIND=FILE" "${fast[@]}" --export junit
    expect "of a duel, too" 4 "expected KIND=FILE" duel --export junit
    # shellcheck disable=SC2046 # one word each
    expect "too many --export" 4 "at most 16 files" "${fast[@]}" $(printf -- '--export junit=%s.xml ' {1..17})
    expect "empty --output" 4 "cannot write" "${fast[@]}" --output ""
    expect "one screen for two" 4 "--format '-' and --export '-' are the same file" "${fast[@]}" --format csv --export github-action-benchmark=-
    expect "full disk for an export" 4 "No space left" "${fast[@]}" --export junit=/dev/full
    told_of_full_disk strategies strategies
    told_of_full_disk bench "${fast[@]}"
    "$clreduce" "${fast[@]}" --output "a 'b\".json" >out 2>&1
    judge "strange output path" holds "a 'b\".json" True
    rm -f "$work"/*.json
}

# Each: the exit status, the rows that there must be, the verb with its options.
machine_formats() {
    local rows verb strategies_n
    strategies_n=$(cat "$root"/kernels_cl*/reduce/*.cl | grep -cE "^//@ (name|variant): ")
    while read -r rows verb; do
        says "$verb --format json" 0 out . "$clreduce" $verb --format json
        judge "is JSON" holds out True
        says "$verb --format csv" 0 out . "$clreduce" $verb --format csv
        cp out out.csv
        judge "has $rows rows" holds out.csv "len(rows) == $rows"
    done <<EOF
8 bench --device pocl --strategy tree,wg_reduce --n 10,2^12 --time-per-cell 1ms
1 devices --device host
$((strategies_n + 2)) strategies
2 verify --device pocl --strategy tree,serial --type f32 --op sum --n 10
EOF
    says "--export to the screen" 0 out . \
        "$clreduce" bench --device pocl --strategy tree --n 1000 --time-per-cell 20ms --accuracy --export github-action-benchmark=-
    judge "alone" holds out True
    judge "the tables beside it, on stderr" test "$(grep -cE '^(openmp|tree) +[0-9]' err)" = 3
}

# What comes of special values and of sums that are hard to add.
surveys() {
    local of=(--device pocl --strategy "tree,chunk,compensated")
    kernel nan_lost 's/RED_LOAD(i) : /(isnan((float)RED_LOAD(i)) ? RED_IDENTITY : RED_LOAD(i)) : /'
    says "verify --special" 0 out '^tree +nan +-?inf +nan ' "$clreduce" verify --special "${of[@]}" --op sum,min
    judge "a deviation is told" grep -q '^    infinity: the infinity became a NaN' out
    judge "a NaN is no least value" grep -qE '^chunk +1 +-inf +inf ' out
    "$clreduce" verify --special "${of[@]}" --op sum,min --output tables.txt >out 2>err
    judge "a file has the tables of all operations, and the screen none" sh -c '[ "$(grep -c "what comes out" tables.txt)" = 2 ] && [ "$(grep -c ^tree tables.txt)" = 2 ] && [ ! -s out ]'
    judge "verify --special --format csv" "$clreduce" verify --special "${of[@]}" --op min,sum --format csv --output rows.csv
    judge "has 36 rows" holds rows.csv 'len(rows) == 36'
    says "a lost NaN is wrong" 2 err "nan_lost sum f32 on pocl, n = 1000, NaN: the NaN is lost: expected nan, got " \
        "$clreduce" verify --special --device pocl --kernel nan_lost.cl --op sum
    says "verify --accuracy" 0 out . "$clreduce" verify --accuracy "${of[@]}" --n 2^16
    # shellcheck disable=SC2016 # fields of awk
    judge "compensated is better" awk '/^verdict$/ {exit} $1 == "tree" {tree = $5} $1 == "compensated" {ours = $5} END {exit !(ours != "" && ours < tree)}' out
    cp out tables
    judge "verify --accuracy --format json" "$clreduce" verify --accuracy "${of[@]}" --n 2^16 --format json --output rows.js
    judge "has 21 whole rows" holds rows.js 'len(r) == 21 and all(row["state"] == "pass" and row["error"] <= row["bound"] and
        row["sum_of_absolutes"] > 0 and abs(row["share_of_bound"] - row["error"] / row["bound"]) < 1e-6 and
        row["same_bits"] == "yes" for row in r)'
    # shellcheck disable=SC2016 # fields of awk
    judge "it ends with a verdict for each" awk '/^verdict$/ {told = 1} told && /within its bound: at most/ {n++} /beyond/ {exit 1} END {exit n != 3}' tables
    says "a sum that loses its correction is beyond its bound" 2 err "wrong sums; the first: compensated_uncorrected sum f64 on pocl" \
        "$clreduce" verify --accuracy --device pocl --kernel "$root/tests/mutants/compensated_uncorrected.cl" --strategy compensated --type f64 --n 2^16 --seed $RANDOM
    judge "as the verdict says" grep -qE '^compensated_uncorrected +beyond its bound: [0-9.e+]+ times it' out
    judge "and the kernel that has it is within" grep -qE '^compensated +within its bound' out
    "$clreduce" verify --accuracy --device pocl --strategy tree --time-per-cell 0.1ms >out 2>err
    judge "an error that would take too long is told" grep -qE '^tree +[0-9.]+ +over ' out
    expect "accuracy of integers" 4 "--accuracy is about floats" verify --accuracy --type i32 "${of[@]}"
}

# What is drawn follows from the seed alone.
seed() {
    local run
    for run in 1a 1b 2a; do
        "$clreduce" verify --device pocl --kernel "$root/tests/mutants/dropped_tail.cl" --first --seed ${run%?} 2>err |
            grep '^wrong: ' >evidence.$run
    done
    cat evidence.* >out
    judge "the seed decides" same_seed_same_evidence
}
same_seed_same_evidence() {
    [ -s evidence.1a ] && cmp -s evidence.1a evidence.1b && ! cmp -s evidence.1a evidence.2a
}

# The long run with random sizes and group sizes: it counts, and what is wrong beside the grid is rejected.
nightly() {
    local long=("$root/tests/device/nightly" "$clreduce" --device pocl --type i32 --op sum --seed 7)
    says "nightly" 0 out '^[0-9]+ right, 0 rejected, 2 seeds, 1 devices, ' "${long[@]}" --strategy tree --checks 400
    says "nightly rejects" 1 out '^[0-9]+ right, [1-9][0-9]* rejected, 1 seeds' \
        "${long[@]}" --kernel "$root/tests/mutants/tail_twice.cl" --checks 1
    judge "with the evidence" grep -q '^  wrong: tail_twice sum i32 on pocl' out
    says "nightly with a bad number" 4 err "invalid int value: 'many'" "$root/tests/device/nightly" "$clreduce" --checks many
    says "nightly with a bad option of verify" 4 err "did you mean 'sum'" "${long[@]}" --op som
}

# Everything, a process per strategy.
verify_all() {
    local all=("$root/tests/tools/verify-all" "$clreduce" pocl 2) small=(--type i32 --op sum --n "10,100" --wg 7)
    says "tests/tools/verify-all counts" 0 err '^16 of 16 checks$' "${all[@]}" --strategy tree,chunk "${small[@]}"
    cp out out.csv
    judge "tests/tools/verify-all has two rows" holds out.csv 'len(rows) == 2'
    says "tests/tools/verify-all with a bad name" 4 err "did you mean 'tree'" "${all[@]}" --strategy tree,treee "${small[@]}"
    # The worst of all, in whichever order they end: a strategy's name is its status here.
    printf '%s\n' '#!/bin/sh' 'while [ "$1" != --strategy ]; do shift; done' 'exit "$2"' >ends
    chmod +x ends
    local statuses worst
    while read -r worst statuses; do
        says "tests/tools/verify-all of $statuses" "$worst" err '^0 of 0 checks$' "$root/tests/tools/verify-all" ./ends pocl 2 --strategy "$statuses"
    done <<<"0 77,0
3 3,0
4 4,3,77
5 5,4
5 4,5,0
5 0,139,4
2 5,2,4
2 2,5"
}

# Google Benchmark takes options from the environment, too: they must not reach it.
environment() {
    local fast=(bench --device host --n 1000 --time-per-cell 1ms)
    "$clreduce" "${fast[@]}" --export google-benchmark=plain.js >out 2>err
    BENCHMARK_FILTER=xyz BENCHMARK_REPETITIONS=3 BENCHMARK_LIST_TESTS=true BENCHMARK_OUT=stray.js \
        expect "Google Benchmark's environment variables" 0 "" "${fast[@]}" --export google-benchmark=other.js
    judge "leave the rows as they are" same_names plain.js other.js
    judge "no stray file" [ ! -e stray.js ]
}
same_names() {
    grep '"name":' "$1" | sort -u >names.1
    grep '"name":' "$2" | sort -u >names.2
    [ -s names.1 ] && cmp -s names.1 names.2
}

# bench/run puts drivers beside the program: it finds them, unless the user chose others.
drivers_beside() {
    local icd own=(verify --device pocl --strategy serial --type i32 --op sum --n 1)
    icd=$(grep -ls pocl "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd | head -n 1)
    [ -n "$icd" ] || { echo "skip  drivers beside the program: no pocl.icd" && return; }
    mkdir -p beside/drivers/vendors
    cp "$clreduce" beside/clreduce
    clreduce=$work/beside/clreduce
    says "an empty folder of drivers beside the program" 77 err "no OpenCL device found" env -u OCL_ICD_VENDORS "$clreduce" "${own[@]}"
    cp "$icd" beside/drivers/vendors/
    says "drivers beside the program" 0 out . env -u OCL_ICD_VENDORS "$clreduce" "${own[@]}"
    OCL_ICD_VENDORS=/nowhere/ expect "chosen drivers before those beside" 77 "no OpenCL device found" "${own[@]}"
    clreduce=$program
}

# bench/run names each result by the time at which it began: --resume goes on in the last file that is not whole. A stand-in for the compiler.
run_again() {
    local run_id journal at=copy/build/results
    local run=(env PATH="$root/tests/cli/gate:$PATH" FAKE="$work" FAKE_PROGRAM="$program" copy/bench/run --install no --drivers system
        --device pocl --strategy "tree,chunk" --n "2^10,2^12" --data-sets 1 --wg 64)
    mkdir -p "$at"
    cp -r "$root/bench" "$root/CMakePresets.json" copy
    says "bench/run --resume with nothing to resume" 0 err 'nothing to resume' "${run[@]}" --time-per-cell 1ms --resume
    rm -f "$at"/*
    set -m
    "${run[@]}" --time-per-cell 0.5 >out 2>&1 </dev/null &
    run_id=$!
    set +m
    until grep -qs '"sample' "$at"/*.journal || ! kill -0 $run_id 2>/dev/null; do sleep 0.1; done
    kill -INT $run_id
    wait $run_id
    journal=$(basename "$at"/*.json.journal)
    judge "an interrupted bench/run tells how to go on" grep -q 'the same command with --resume goes on from here' out
    says "and does so" 0 err 'resum' "${run[@]}" --time-per-cell 0.5 --resume
    judge "in its file, and no journal is left" test "$(ls "$at")" = "$(printf '%s\n' "${journal%.json.journal}".{html,json})"
}

no_device() {
    local verb
    for verb in verify bench devices once; do
        OCL_ICD_VENDORS=/nowhere/ expect "$verb without any device" 77 "no OpenCL device found" $verb
    done
    says "the host alone" 0 out '^openmp .*' env OCL_ICD_VENDORS=/nowhere/ "$clreduce" bench --device host --n 1000 --time-per-cell 1ms
    judge "has both of its rows" grep -q '^sequential  *[0-9]' out
    says "one of them" 0 out '^sequential  *[0-9]' \
        env OCL_ICD_VENDORS=/nowhere/ "$clreduce" bench --device host --strategy 'seq*' --n 1000 --time-per-cell 1ms
    judge "and not the other" test "$(grep -c '^openmp' out)" = 0
    expect "no kernel on the host" 4 "the strategies openmp and sequential only" bench --device host --strategy tree --n 1000
}

# The README's first kernel of one's own: its line makes a file whose name no strategy has, so that bench, emit and bench/gate-kernel take it.
first_kernel() {
    mkdir -p first && ln -s "$root/kernels_cl12" first/
    grep -E '^(cp|sed) .*mine\.cl' "$root/README.md" >first/command
    judge "the README makes a kernel of one's own" [ "$(wc -l <first/command)" = 1 ]
    (cd first && bash -e ./command)
    says "whose name is free" 0 out '^mine ' "$clreduce" strategies --kernel first/mine.cl
}

if [ "$part" = kernels ]; then
    need_device "$clreduce" pocl
    kernels
    sections "$share" 1 names builds budgets surveys seed nightly verify_all drivers_beside run_again
    exit $failed
fi
if has_device "$clreduce" pocl; then
    usage
    sizes
    machine_formats
else
    echo "skip  most of it: there is no device pocl on this machine"
fi
outputs
environment
no_device
first_kernel
exit $failed
