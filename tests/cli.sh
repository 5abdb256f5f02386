#!/usr/bin/env bash
# Bad input: one clear line, the documented exit status, no half-written file.
#   tests/cli.sh CLREDUCE
set -u
clreduce=$1
cd "$(dirname "$0")/.." || exit 1
root=$PWD
work=$(mktemp -d)
trap 'umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

ok() {
    echo "ok    $1"
    passed=$((passed + 1))
}

fail() {
    echo "FAIL  $1: $2"
    failed=$((failed + 1))
}

# expect NAME STATUS TEXT ARGUMENT...: the status, and on standard error one line that begins with "clreduce: " and
# holds TEXT (a log of a compiler may follow).
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

# kernel NAME SED: the catalogue's tree under another name, changed.
kernel() {
    sed -e "s/^\(.*name: *\)tree/\1$1/" -e "$2" "$root/kernels_cl12/tree.cl" >"$work/$1.cl"
}

usage() {
    "$clreduce" >out 2>err
    [ $? = 4 ] && grep -q Usage err && ok "no verb" || fail "no verb" "$(cat err)"
    expect "unknown verb" 4 "unknown verb 'bend'" bend
    expect "version" 0 "clreduce 0" --version
    for verb in devices strategies verify bench; do expect "$verb --help" 0 "Example: clreduce $verb" $verb --help; done
    "$clreduce" bench --frobnicate >out 2>err
    [ $? = 4 ] && grep -q frobnicate err && ok "unknown option" || fail "unknown option" "$(cat err)"
    expect "stray argument" 4 "unexpected argument 'tree'" bench tree
    expect "unknown device" 4 "unknown device 'pokl'; did you mean 'pocl'" bench --device pokl
    expect "absent driver" 4 "unknown device 'nvidia'" bench --device nvidia
    expect "unknown strategy" 4 "did you mean 'tree'" bench --strategy treee
    expect "unknown type" 4 "unknown type 'f16x'; did you mean 'f" bench --type f16x
    expect "unknown operation" 4 "unknown operation 'summ'; did you mean 'sum'" bench --op summ
    expect "empty list" 4 "unknown strategy ''" bench --strategy ""
    expect "bad format" 4 "--format: 'xml' is not valid" bench --format xml
    expect "bad seed" 4 "--seed: 'x' is not valid" bench --seed x
    expect "bad budget" 4 "--time-per-cell: '-1' is not valid" bench --time-per-cell=-1
    expect "bad source" 4 "'openmp' names no kernel" strategies --source openmp
}

sizes() {
    for n in abc 2^ 2^64 10..5 1..10:x1 1..10:+0 "" 5, " 5" -1 1e6 0..8; do
        expect "--n '$n'" 4 "is no list of sizes" bench "--n=$n"
    done
    expect "n beyond the host" 4 "the largest possible n is" bench --n 2^40
    POCL_MEMORY_LIMIT=1 expect "n beyond the device" 0 "do not fit on pocl" \
        bench --device pocl --type f64 --n 1,2^26 --strategy chunk --time-per-cell 1ms
    expect "group size 0" 4 "no work-group of 0" bench --wg 0
    expect "group size over the limit" 4 "take 1 to" verify --wg 1000000
    expect "group size over one kernel's limit" 0 "single work-item" bench --device pocl --n 100 --wg 32 --strategy serial,tree
}

kernels() {
    expect "missing kernel file" 4 "cannot read the kernel file nowhere.cl" bench --kernel nowhere.cl
    expect "kernel is a folder" 4 "cannot read the kernel file" bench --kernel "$work"
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
    expect "name is taken" 4 "the name 'tree' is taken" bench --kernel "$root/kernels_cl12/tree.cl"
    kernel syntax 's/get_local_id(0) == 0/get_local_id(0) = = 0/'
    expect "kernel that does not build" 4 "syntax.cl:16" verify --device pocl --kernel syntax.cl
    expect "kernel that does not build, raced" 4 "syntax.cl:16" bench --device pocl --n 10 --kernel syntax.cl
    kernel other 's/ reduce(/ other(/'
    expect "no kernel named reduce" 4 "no kernel named 'reduce'" verify --device pocl --kernel other.cl
    kernel parameters 's/, global uint \*restrict counter//'
    expect "wrong parameters" 4 "the contract is RED_KERNEL reduce" verify --device pocl --kernel parameters.cl
    kernel include 's/^RED_KERNEL/#include "nothing.cl"\n&/'
    expect "unknown include" 4 "names no kernel of the catalogue" verify --device pocl --kernel include.cl
    kernel tail 's/i < n ?/i < n \/ 64 * 64 ?/'
    expect "wrong kernel" 2 "wrong" verify --first --device pocl --kernel tail.cl
    expect "wrong only beside round sizes, raced" 2 "expected" bench --device pocl --n 2^10,2^12 --kernel tail.cl
    kernel "good" ''
    cp good.cl "good 'one\".cl"
    expect "good kernel" 0 "good" bench --device pocl --n 1000 --strategy tree --type f32 --kernel "good 'one\".cl" --time-per-cell 1ms
    grep -q '^good ' out || fail "good kernel" "no row in the table"
}

outputs() {
    local fast=(bench --device host --n 1000 --time-per-cell 1ms)
    expect "missing folder" 4 "cannot write nowhere/x.json" "${fast[@]}" --output nowhere/x.json
    expect "output is a folder" 4 "Is a directory" "${fast[@]}" --output "$work"
    expect "path below a file" 4 "cannot write empty.cl/x" "${fast[@]}" --output empty.cl/x
    expect "full disk" 4 "No space left" "${fast[@]}" --output /dev/full
    expect "unwritable --gbench-out" 4 "cannot write nowhere/g.json" "${fast[@]}" --gbench-out nowhere/g.json
    for verb in devices strategies; do
        "$clreduce" $verb >/dev/full 2>err
        [ $? = 4 ] && grep -q "cannot write the standard output" err && ok "$verb > full disk" ||
            fail "$verb > full disk" "$(cat err)"
    done
    "$clreduce" "${fast[@]}" >/dev/full 2>err
    [ $? = 4 ] && grep -q "cannot write the standard output" err && ok "bench > full disk" ||
        fail "bench > full disk" "$(cat err)"
    mkdir small
    if mount -t tmpfs -o size=16k tmpfs small 2>/dev/null; then
        "$clreduce" bench --device host --n 1..500:+1 --time-per-cell 0.1ms --output small/r.json >out 2>err
        [ $? = 4 ] && [ -z "$(ls small)" ] && ok "disk that fills up" || fail "disk that fills up" "$(ls small) $(tail -n1 err)"
        umount small
    else
        echo "skip  disk that fills up: no right to mount"
    fi
    "$clreduce" "${fast[@]}" --output "a 'b\".json" >out 2>err
    [ $? = 0 ] && python3 -m json.tool "a 'b\".json" >/dev/null && ok "strange output path" || fail "strange output path" "$(cat err)"
    rm -f "$work"/*.json
}

machine_formats() {
    local verb
    "$clreduce" bench --device pocl --strategy tree,wg_reduce --n 10,2^12 --time-per-cell 1ms --format json >out 2>err
    python3 -m json.tool out >/dev/null && ok "bench --format json" || fail "bench --format json" "$(head -n3 out)"
    "$clreduce" bench --device pocl --strategy tree,wg_reduce --n 10,2^12 --time-per-cell 1ms --format csv >out 2>err
    [ "$(awk -F, '{print NF}' out | sort -u | wc -l)" = 1 ] && ok "bench --format csv" || fail "bench --format csv" "$(head -n3 out)"
    for verb in devices strategies "verify --device pocl --strategy tree --n 10"; do
        # shellcheck disable=SC2086 # a verb with its options
        "$clreduce" $verb --format json >out 2>err
        python3 -m json.tool out >/dev/null && ok "$verb --format json" || fail "$verb --format json" "$(head -n3 out)"
    done
    "$clreduce" verify --device pocl --strategy tree --seed 7 --n 0..100:+9 --format csv >a 2>/dev/null
    "$clreduce" verify --device pocl --strategy tree --seed 7 --n 0..100:+9 --format csv >b 2>/dev/null
    cmp -s a b && ok "the seed decides" || fail "the seed decides" "two runs differ"
}

no_device() {
    local verb
    for verb in verify bench devices; do
        OCL_ICD_VENDORS=/nowhere/ expect "$verb without any device" 77 "no OpenCL device found" $verb
    done
    OCL_ICD_VENDORS=/nowhere/ expect "the host alone" 0 "openmp" bench --device host --n 1000 --time-per-cell 1ms
}

usage
sizes
kernels
outputs
machine_formats
no_device
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
