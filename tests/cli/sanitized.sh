#!/usr/bin/env bash
# The program itself under the sanitizers, without a driver and on a real one. What drivers leak is not ours to find.
#   tests/cli/sanitized.sh CLREDUCE PART [SEED|all]    verify or bench: two halves, each for a processor of its own, of what is done on a driver
#                                                  some that the seed draws, or all
set -u
clreduce=$(realpath "$1")
part=$2
. "$(dirname "$0")/../tools/device.sh"
printf 'leak:%s\n' libpocl libLLVM libclang libOpenCL libintelocl libcommon_clang libtbb libhwloc libRusticlOpenCL libMesaOpenCL >suppressions
# Workers are processes of their own: what a sanitizer says of any of them is a file. LeakSanitizer guesses where the TLS of
# libraries lies that are loaded late, as drivers are, from what stands before it on the heap, and crashes where it guesses wrong.
export ASAN_OPTIONS=log_path=$work/report:intercept_tls_get_addr=0 UBSAN_OPTIONS=print_stacktrace=1:log_path=$work/report LSAN_OPTIONS=suppressions=$work/suppressions:print_suppressions=0

# ends STATUS ARGUMENT...
ends() {
    local wanted=$1 got
    shift
    "$clreduce" "$@" >out 2>&1 </dev/null
    got=$?
    if [ $got != "$wanted" ] || compgen -G "$work/report*" >/dev/null; then
        echo "FAIL  exit status $got, $wanted wanted: clreduce $*"
        tail -n 40 out
        cat "$work"/report* 2>/dev/null | head -n 80
        exit 1
    fi
    echo "ok    clreduce $*"
}
outputs=(--output r.json --export google-benchmark=g.json --export junit=j.xml --export markdown=m.md
    --export github-action-benchmark=a.json)
on_host() {
    export OCL_ICD_VENDORS=/nowhere/
    ends 0 strategies
    ends 0 strategies --format json
    ends 0 strategies --source tree
    ends 0 bench --device host --n 1000,2^16 --type i32,f64 --time-per-cell 1ms "${outputs[@]}"
    ends 4 bench --n 1,2,x
    ends 4 verify --kernel nothing.cl
    ends 77 verify
}

# Every finish once; packed places and pairs.
packed() {
    ends 0 verify --device pocl --n 0,1,257 --wg 100 --type i8 --op argmin --strategy "$1"
}
packed_passes() { packed tree_passes,xchg_carry,last_group; }
packed_2() { packed program_scope,command_buffer,wg_reduce; }
pairs() {
    ends 0 verify --device pocl --n 0,1,257 --wg 100 --type f64 --op argmin --strategy 'tree_two,atomic_item,svm_result,polled_chunk'
}

special() {
    ends 0 verify --special --device pocl --strategy tree --type f32 --op sum,argmax
    ends 0 devices --device host --format json
}
exported() {
    rm -f o.csv # a history of other cells is refused
    ends 0 bench --device pocl --n 1000,2^20 --strategy tree,cmpxchg_item,wg_reduce --op dot --type f64 \
        --time-per-cell 1ms "${outputs[@]}"
}
segments() {
    ends 0 bench --device pocl --shape segments:30x7 --op argmax --type i32 --strategy 'segment_item,segment_column' --time-per-cell 1ms
}
iterated() {
    ends 0 bench --device pocl --shape iterate:5 --n 1000,2^18 --strategy 'tree_passes,polled_stride,persistent_group' \
        --time-per-cell 1ms
}

duels() {
    # Nobody asks for the verdict; what a sanitizer says ends the next.
    "$clreduce" duel --device pocl --strategy tree --type i32 --op sum --n 1000 --profile fast --output d.json >out 2>&1 </dev/null
    "$clreduce" duel --replay d.json >replayed 2>&1
    ends 0 strategies
}

[ "$part" != bench ] || (on_host) || exit 1
need_device "$clreduce" pocl
ends 2 verify --device pocl --n 1,257 --wg 100 --type i32 --op sum --kernel "$root/tests/mutants/dropped_tail.cl" --format json \
    --output checks.json --export junit=checks.xml
ends 4 compare --drivers checks.json
ends 0 compare --drivers checks.json checks.json
ends 0 bench --device pocl --n 1000 --strategy tree --type i32 --time-per-cell 1ms --output run.json
python3 "$root/tests/tools/data.py" edited run.json 'calm()' >calm.json && mv calm.json run.json
ends 0 recommend run.json checks.json
ends 0 report checks.json run.json --output page.html
ends 0 emit run.json checks.json --type i32 --output emitted
case $part in
verify)
    wrong=(--device pocl --kernel "$root/tests/mutants/dropped_tail.cl" --op sum --type i32)
    ends 0 reproduce "${wrong[@]}" --n 1,257 --wg 100 --output found
    ends 0 reproduce checks.json --kernel "$root/tests/mutants/dropped_tail.cl" --output of_file
    sections "${3:-}" 1 packed_passes packed_2 pairs
    ;;
*) sections "${3:-}" 1 special exported segments iterated duels ;;
esac
