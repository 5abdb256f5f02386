#!/usr/bin/env bash
# Strategies as files of their own: they compile without warnings, give exact results on every driver here, and do nothing that
# they must not.
#   tests/cli/emit.sh CLREDUCE [SEED]   every tenth of a list of these, and on Intel's runtime every fifth, two scans, two histograms, and
#                                   one of the things that are done with the files; it is drawn where it is not given
#   tests/cli/emit.sh CLREDUCE all      the whole list, every strategy with every operation, and under valgrind
set -u
clreduce=$(realpath "$1") all=${2:-$RANDOM}
. "$(dirname "$0")/../tools/device.sh"
emit=("$clreduce" emit)
warnings=(-std=c11 -O1 -g -Wall -Wextra -Wconversion -Wpedantic -Wshadow -Werror)
# PoCL must not leave its own leaks to us; what ours are, valgrind says.
export ASAN_OPTIONS=detect_leaks=0:intercept_tls_get_addr=0
mkdir tmp && export TMPDIR=$work/tmp
# Somebody's kernel.
sed 's/^\/\/@ name: .*/\/\/@ name: mine/' "$root/kernels_cl12/reduce/serial.cl" >mine.cl

# built FOLDER NAME PLATFORM FLAGS...: compiled and run. Nothing is said if all is well.
built() {
    if ! cc "${warnings[@]}" "${@:4}" -I "$1" -o "$1/test" "$1/$2.c" "$1/$2_test.c" -lOpenCL -lm >log 2>&1 ||
        ! "$1/test" "$3" >log 2>&1 || ! grep -q 'all sizes right' log; then
        cat log && return 1
    fi
}

# tried DEVICE PLATFORM STRATEGY OP TYPE FLAGS...: written, without a name of ours, and built; an operation may have bins: "count --bins 7".
tried() {
    local op=${4%% *} folder=$1-$3-${4//[- ]/}-$5 name=reduce_$4_$5
    [[ $op != *clusive_* ]] || name=scan_${op}_$5
    [[ $op != count* ]] || name=histogram_${op}_$5
    # shellcheck disable=SC2086 # the operation's words
    "${emit[@]}" --device "$1" --strategy "$3" --op $4 --type "$5" --output "$folder" >log 2>&1 || { cat log && return 1; }
    ! grep -rnE 'clreduce\.h|\<red_|RED_[A-Z]' "$folder" || return 1
    ! grep -A1 '^}$' "$folder/$name.cl" | grep -nE '^[a-z]' || return 1 # a blank line or a comment stands before each function
    built "$folder" "$name" "$2" "${@:6}"
}

# Shared memory that a device has only if it is mapped, as GPUs do.
mapped() {
    local folder=pocl-svm_chunk-sum-i64 sanitizers=("-fsanitize=address,undefined" -fno-sanitize-recover=undefined)
    judge "svm_chunk: sum of i64 on PoCL" tried pocl "Portable" svm_chunk sum i64 "${sanitizers[@]}"
    sed -i 's/is_fine = (.*/is_fine = 0;/' "$folder/reduce_sum_i64.c"
    judge "its memory can be told to need mapping" grep -q 'is_fine = 0' "$folder/reduce_sum_i64.c"
    judge "shared memory that must be mapped" built "$folder" reduce_sum_i64 "Portable" "${sanitizers[@]}"
    judge "a call behind one whose memory is still being unmapped" "${CC:-cc}" "${warnings[@]}" -I "$folder" -I "$root/tests/cli/integrating" -o unmapped \
        "$root/tests/cli/integrating/unmapped.c" "$folder/reduce_sum_i64.c" -lOpenCL
    check "does not wait for its caller" 0 '^code 0, sums 1000 and 1001$' timeout 30 ./unmapped Portable
}

# What is read lies in the host's memory, as NVIDIA's driver makes it; and for a kernel that names its group size
# this driver tells a smaller one than it runs.
like_nvidia() {
    local layer strategy
    layer=$(dirname "$clreduce")/tests/liblayer.so
    for strategy in grid_stride_vec tree tree_two; do
        judge "$strategy: sum of u32 on PoCL" tried pocl "Portable" "$strategy" sum u32
        check "the same of a driver with host_buffers" 0 'all sizes right' \
            env OPENCL_LAYERS="$layer" CLREDUCE_FAULT=host_buffers "pocl-$strategy-sum-u32/test" Portable
        check "which are mapped" 1 'clEnqueueMapBuffer: OpenCL error .-12' \
            env OPENCL_LAYERS="$layer" CLREDUCE_FAULT=host_buffers@2 "pocl-$strategy-sum-u32/test" Portable
        check "a driver that understates the groups which it runs" 0 'all sizes right' \
            env OPENCL_LAYERS="$layer" CLREDUCE_FAULT=understates_group@1 "pocl-$strategy-sum-u32/test" Portable
    done
}

# Every finish and span, every type and operation, by each driver; under sanitizers where these stand the driver.
some() {
    local nth=10 first
    [ "$all" != all ] || nth=1
    RANDOM=${all//all/0}
    first=$((RANDOM % nth))
    local sanitizers=("-fsanitize=address,undefined" -fno-sanitize-recover=undefined)
    local crashes absent
    crashes=$(known "$clreduce" pocl some-crashed)
    absent=$(known "$clreduce" pocl unsupported)
    while read -r strategy op type; do
        if [[ $strategy =~ $crashes || $strategy =~ $absent ]]; then
            echo "$strategy is not tried on PoCL: the register says that this version crashes with it, or cannot run it" && continue
        fi
        judge "$strategy: $op of $type on PoCL" tried pocl "Portable" "$strategy" "$op" "$type" "${sanitizers[@]}"
    done < <(awk -v nth=$nth -v first=$first 'NR % nth == first' <<'LIST'
chunk sum f32
tree dot i8
tree_two mean u8
tree_passes sumsq f16
grid_stride_vec max f64
tree_passes argmax f16
tree_two argmin u64
grid_stride argmin f32
last_group argmax i8
last_group_wide min i32
last_ticket argmin i32
polled_ticket mean f64
arrivals dot u32
cmpxchg_group sum f64
cmpxchg_group argmax u32
atomic_item argmin i32
async_copy mean i64
serial max f16
polled_chunk argmax f32
polled_stride min f32
polled_stride argmin f64
LIST
    )
    if ! has_device "$clreduce" intel; then
        echo "nothing is tried on Intel's runtime: it is not here" && return
    fi
    while read -r strategy op type; do
        judge "$strategy: $op of $type on Intel's runtime" tried intel "Intel(R) OpenCL" "$strategy" "$op" "$type"
    done < <(awk -v nth=$(((nth + 1) / 2)) -v first=$first 'NR % nth == first % nth' <<'LIST'
wg_reduce sum f32
wg_reduce argmax i32
wg_reduce_last_group mean i32
svm_chunk dot f64
svm_chunk argmin f64
c11_group max u32
polled_chunk mean f64
LIST
    )
}

# drawn PRIMITIVE N DEVICE PLATFORM FLAGS...: N strategies that the device runs, or all, each with an operation and a type that are drawn.
# Intel's runtime runs all; asking it takes a strategy of sub-groups 4 s, which the probes of their sizes take.
drawn() {
    local primitive=$1 n=$2 device=$3 platform=$4 strategy op type wrong crashes
    local ops=({in,ex}clusive_{sum,min,max}) types=(i8 u8 i32 u32 i64 u64 f16 f32 f64) names=()
    [ "$primitive" = scan ] || { ops=(count{,64}" --bins "{1,3,256,1000}) && types=(u8 u16 u32 i32 f32); }
    wrong=$(known "$clreduce" "$device" some-wrong) crashes=$(known "$clreduce" "$device" some-crashed)
    while read -r strategy; do names+=("$strategy"); done < <("$clreduce" strategies --primitive "$primitive" --format csv | awk -F, '$2 ~ /^[12]/ { print $1 }')
    [ "$all" != all ] || n=${#names[@]}
    while [ "$n" -gt 0 ] && [ ${#names[@]} -gt 0 ]; do
        local at=$((RANDOM % ${#names[@]}))
        strategy=${names[at]} op=${ops[RANDOM % ${#ops[@]}]} type=${types[RANDOM % ${#types[@]}]}
        unset "names[at]" && names=("${names[@]}")
        [ "$strategy" != local_copies_arrivals ] || op=${op/count64/count} # it counts in 32 bits alone
        # shellcheck disable=SC2086 # the operation's words
        if ! [[ $strategy =~ $wrong || $strategy =~ $crashes ]] && { [ "$device" = intel ] || "$clreduce" once --primitive "$primitive" \
            --device "$device" --strategy "$strategy" --op $op --type "$type" --n 1000 2>/dev/null | grep -q 'once: end'; }; then
            judge "$strategy: $op of $type on $platform" tried "$device" "$platform" "$strategy" "$op" "$type" "${@:5}"
            n=$((n - 1))
        fi
    done
}

# What a file of scans recommends, and what is chosen where no primitive is named.
scan_files() {
    check "scans are measured" 0 '' "$clreduce" bench --primitive scan --device pocl --strategy scan_serial --n 2^10 --time-per-cell 0.01 --output scans.json
    check "what a file of scans recommends is a scan" 0 '^inclusive_sum of f32 by scan_serial, the fastest' "${emit[@]}" scans.json --device pocl --output scan
    judge "by its name" [ "$(cd scan && echo ./*)" = "./CMakeLists.txt ./scan_inclusive_sum_f32.c ./scan_inclusive_sum_f32.cl ./scan_inclusive_sum_f32.h ./scan_inclusive_sum_f32_test.c" ]
    judge "the header is C++, too" c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -x c++ scan/scan_inclusive_sum_f32.h
    sed -n 's/^test it: //p' out >command.sh
    check "the command that it prints tests it" 0 'Portable Computing Language: .*: all sizes right' bash command.sh
    check "no reductions are in it" 4 'the files have no sum of f32' "${emit[@]}" scans.json --device pocl --primitive reduce --output scan
    check "a strategy tells its primitive" 0 '^inclusive_sum of f32 by blelloch_two_levels, as named' "${emit[@]}" --strategy blelloch_two_levels --device pocl --output named_scan
    judge "carries of both levels have one kernel" [ "$(grep -c '"scan_tiles", X | N | OUT | CARRIES' named_scan/scan_inclusive_sum_f32.c)" = 1 ]
    judge "reads as if written for this scan" lean named_scan/scan_inclusive_sum_f32.cl
    check "an operation of another primitive" 4 'tree is for primitive reduce, and not for scan' "${emit[@]}" --strategy tree --op exclusive_max --device pocl
}

# What a call finds of one with another n would be taken for its own: where the state becomes zero once alone, the test of these files
# fails.
stale_state() {
    check "a scan with a state" 0 '^inclusive_sum of u32 by look_back' "${emit[@]}" --strategy look_back --type u32 --device pocl --output stale
    sed -i 's/if (!call->is_set) .* where the state lies.*/if (scan->old++ == 0)/; s/state_bytes(call->sizes\[0\])/state_bytes(scan->n_max)/
        s/cl_mem state;/cl_mem state; int old;/' \
        stale/scan_inclusive_sum_u32.c
    judge "whose zeros are taken out" grep -q 'old++ == 0' stale/scan_inclusive_sum_u32.c
    cc -std=c11 -I stale -o stale/test stale/scan_inclusive_sum_u32.c stale/scan_inclusive_sum_u32_test.c -lOpenCL -lm
    check "is found wrong" 1 'WRONG' stale/test Portable
}

# Bins are what --bins says, and only histograms have them; the best is chosen of those that were measured with as many.
histogram_files() {
    check "histograms are measured" 0 '' "$clreduce" bench --primitive histogram --device pocl --strategy histogram_serial --bins 100 --type u16 \
        --n 2^10 --time-per-cell 0.01 --output histograms.json
    check "what a file of histograms recommends" 0 '^count of u16 in 100 bins by histogram_serial' "${emit[@]}" histograms.json --device pocl \
        --bins 100 --type u16 --output histogram
    judge "by its name" [ "$(cd histogram && echo ./*)" = "./CMakeLists.txt ./histogram_count_u16.c ./histogram_count_u16.cl ./histogram_count_u16.h ./histogram_count_u16_test.c" ]
    judge "the header is C++, too" c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -x c++ histogram/histogram_count_u16.h
    judge "and tells the bins" grep -q '^enum { histogram_count_u16_bins_n = 100 };' histogram/histogram_count_u16.h
    sed -n 's/^test it: //p' out >command.sh
    check "the command that it prints tests it" 0 'Portable Computing Language: .*: all sizes right' bash command.sh
    check "what alone is in it needs no naming" 0 '^count of u16 in 100 bins by histogram_serial' "${emit[@]}" histograms.json --device pocl --output histogram --overwrite
    check "no other bins are in it" 4 'the files have no count of u16 in 256 bins on device pocl; they have count of u16 in 100 bins' "${emit[@]}" \
        histograms.json --device pocl --bins 256
    check "nor another type" 4 'the files have no count of u8 in 256 bins on device pocl' "${emit[@]}" histograms.json --device pocl --type u8
    check "where bins of integers lie is told" 0 '^count of i32 in 3 bins by local_copies_last, as named' "${emit[@]}" --strategy local_copies_last \
        --type i32 --bins 3 --device pocl --output bins
    judge "in the header" grep -q 'Bin b has the 715827882 values from -1073741824 + 715827882 b on' bins/histogram_count_i32.h
    judge "how many are counted at once is a number" grep -qx '#define ROUND_N ~0ul' bins/histogram_count_i32.cl
    check "too many bins" 77 'local_copies takes at most 8000 bins' "${emit[@]}" --strategy local_copies --bins 9000 --device pocl
    check "a reduction has none" 4 'bins is for histograms' "${emit[@]}" "$here" --bins 9 --device pocl
}

# What groups leave in the state of a histogram fits; a kernel whose groups do not agree by it has one word.
state_sizes() {
    local row
    for row in local_copies:4 local_copies_last:8720 local_copies_arrivals:8720; do
        check "${row%:*} of 256 bins" 0 '^written' "${emit[@]}" --strategy "${row%:*}" --op count --type u8 --device pocl --output "sized-${row%:*}"
        judge "has a state of ${row#*:} bytes" grep -qx "enum { STATE_BYTES = ${row#*:} };" "sized-${row%:*}/histogram_count_u8.c"
    done
}

every() {
    local strategy op type question wrong
    wrong=$(known "$clreduce" pocl some-wrong)
    for strategy in $("$clreduce" strategies --format csv | sed -n '2,$s/,.*//p'); do
        for question in sum:f32 mean:i8 dot:u32 max:f64 sumsq:f16 min:i64 mean:f16 max:f16 argmin:i32 argmax:f16 argmin:f64 argmax:u8; do
            op=${question%:*} type=${question#*:}
            "${emit[@]}" --device pocl --strategy "$strategy" --op "$op" --type "$type" --output written >log 2>&1 || continue
            # What PoCL compiles wrongly is no better in files of its own.
            if ! [[ $strategy =~ $wrong ]] &&
                "$clreduce" once --device pocl --strategy "$strategy" --op "$op" --type "$type" 2>/dev/null | grep -q 'once: end'; then
                judge "$strategy: $op of $type on PoCL" tried pocl "Portable" "$strategy" "$op" "$type"
            fi
            judge "$strategy: $op of $type on Intel's runtime" tried intel "Intel(R) OpenCL" "$strategy" "$op" "$type"
        done
    done
    command -v valgrind >/dev/null || { echo "nothing is looked at under valgrind: it is not installed (apt-get install valgrind)" && return; }
    valgrind -q --xml=yes --xml-file=found.xml --leak-check=full --num-callers=40 pocl-chunk-sum-f32/test Portable >log 2>&1
    judge "nothing of ours under valgrind" ours found.xml pocl-chunk-sum-f32
}

# ours XML FOLDER: no error has a line of the written files in its stack, but for what the dynamic loader does below them, and
# leaks of calls that make nothing that could be released: a compiler's, and those of who looks for devices.
ours() {
    python3 - "$@" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree
bad = 0
for error in tree.parse(sys.argv[1]).getroot().findall("error"):
    frames = [(frame.findtext("fn") or "", frame.findtext("file") or "", int(frame.findtext("line") or 0))
              for frame in error.find("stack").findall("frame")]
    mine = [(file, line) for _, file, line in frames if file.startswith("reduce_")]
    if not mine or any(name.startswith("_dl_") for name, _, _ in frames):
        continue
    with open(f"{sys.argv[2]}/{mine[0][0]}", encoding="utf-8") as file:
        called = file.read().splitlines()[mine[0][1] - 1]
    if error.findtext("kind").startswith("Leak_") and ("clBuildProgram(" in called or "clGet" in called):
        continue
    bad += 1
    print(error.findtext("kind"), called.strip(), frames)
sys.exit(bad > 0)
PYTHON
}

# lean FILE: no condition, remainder of 1, time of a machine, parameter that nothing uses, macro that nothing uses, or line that stands there
# five times.
lean() {
    local macro
    ! grep -nE '^ *#(if|el|endif)|% 1[^0-9]|[0-9] ms|counter' "$1" || return 1
    while read -r macro; do
        [ "$(grep -cw "$macro" "$1")" -gt 1 ] || { echo "nothing uses $macro" && return 1; }
    done < <(sed -nE 's/^#define ([A-Za-z0-9_]+).*/\1/p' "$1")
    ! sed 's/^ *//' "$1" | grep -vE '^(.{0,16}|[/*].*|barrier\(.*|kernel .*)$' | sort | uniq -c | grep -E '^ *([5-9]|[1-9][0-9]+) '
}

here=$root/results/cpu-2-cores.json
files() {
    local header
    check "what a result file recommends" 0 '^sum of f32 by chunk, the fastest on average' "${emit[@]}" "$here" --device intel --output sum
    judge "in files of its own" [ "$(cd sum && echo ./*)" = "./CMakeLists.txt ./reduce_sum_f32.c ./reduce_sum_f32.cl ./reduce_sum_f32.h ./reduce_sum_f32_test.c" ]
    judge "of which none is ours" sh -c '! grep -rE "clreduce\.h|red_[a-z]+\.h|RED_[A-Z]" sum'
    judge "and each is free to use" [ "$(grep -lE '0BSD' sum/* | wc -l)" = 5 ]
    judge "reads as if written for this sum" lean sum/reduce_sum_f32.cl
    judge "the program text is the same in both" python3 - <<'PYTHON'
import re
c, cl = open("sum/reduce_sum_f32.c").read(), open("sum/reduce_sum_f32.cl").read()
lines = re.search(r"source\[\] = \{\n(.*?)^\};", c, re.S | re.M).group(1)
text = "".join(eval(line.strip().rstrip(",")) for line in lines.splitlines())
assert cl.endswith(text) and "kernel" in text
PYTHON
    check "a place that two kernels find" 0 '^written' "${emit[@]}" --device pocl --strategy tree_two --op argmin --type u64 --output places
    for header in sum/reduce_sum_f32.h places/reduce_argmin_u64.h; do
        judge "the header $header is C++, too" c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -x c++ $header
    done
    judge "what both kernels call stands there once" [ "$(grep -c '^pair group_tree(' places/reduce_argmin_u64.cl)" = 1 ]
    cmake -S sum -B sum/build >log 2>&1 && cmake --build sum/build >>log 2>&1
    judge "CMake builds it" [ -x sum/build/reduce_sum_f32_test ]
    check "its own test passes" 0 'tests passed' ctest --test-dir sum/build
    check "no such device is told" 77 'no OpenCL device like none' sum/build/reduce_sum_f32_test none
    check "it measures" 0 '^n = 65536: [0-9.]+ us$' sum/build/reduce_sum_f32_test --time 65536
    check "who asks wrongly is told" 2 'Usage: ' sum/build/reduce_sum_f32_test --help
    check "no number is no time" 2 'Usage: ' sum/build/reduce_sum_f32_test --time abc
}

bands() {
    check "another band, another strategy" 0 'by grid_stride_vec, the fastest for n = 1024' "${emit[@]}" "$here" --device pocl --n 1024 --output small
    sed -n 's/^test it: //p' out >command.sh
    check "the command that it prints tests it" 0 'Portable Computing Language: .*: all sizes right' bash command.sh
    check "group sizes that differ are told" 0 'those of 8 of the 10 n that were measured' "${emit[@]}" "$root"/results/h200/all-?.json --output h200
    judge "and it is the usual one" grep -q 'GROUP_SIZE = 256,' h200/reduce_sum_f32.c
}

hostile() {
    edited "$here" <<'PYTHON' >hostile.json
for device in devices:
    device["name"] = device["driver"] = "x */\n#error ran\n/* \\"
    device["platform"] = "a'; touch ran; '"
PYTHON
    check "hostile names" 0 '^written' "${emit[@]}" hostile.json --device intel --output hostile
    judge "end no comment" cc "${warnings[@]}" -fsyntax-only -I hostile hostile/reduce_sum_f32.c
    sed -n 's/^test it: //p' out >command.sh
    bash command.sh >log 2>&1
    judge "and no quotes" [ "$(grep -c touch command.sh)" = 1 -a ! -e ran ]
}

together() {
    mkdir both
    check "two bands" 0 '^written' "${emit[@]}" "$here" --device pocl --n 2^20 --name sum_many --output both/many
    check "side by side" 0 '^written' "${emit[@]}" "$here" --device pocl --n 1000 --name sum_few --output both/few
    printf '%s\n' 'cmake_minimum_required(VERSION 3.10)' 'project(both LANGUAGES CXX)' 'add_subdirectory(few)' 'add_subdirectory(many)' \
        'add_executable(both both.cc)' 'target_link_libraries(both sum_few sum_many)' >both/CMakeLists.txt
    printf '%s\n' '#include "sum_few.h"' '#include "sum_many.h"' 'int main(void) { sum_few_destroy(0); sum_many_destroy(0); }' >both/both.cc
    cmake -S both -B both/build >log 2>&1 && cmake --build both/build >>log 2>&1
    judge "make one program" both/build/both
}

blanks() {
    check "a folder with a blank" 0 '^written' "${emit[@]}" "$here" --device pocl --n 1024 --output "it's here"
    sed -n 's/^test it: //p' out >command.sh
    check "is one in the command, too" 0 'all sizes right' bash command.sh
}

# measured_tree: tree.json, a file of a run.
measured_tree() {
    "$clreduce" bench --device pocl --strategy tree --op sum --type f32 --n 2^10 --time-per-cell 0.01 --output tree.json >out 2>&1
}

# Kernels of which `verify` cannot tell whether they are right: nothing says that they are not.
unproven() {
    local kernel status sign pid file
    measured_tree
    tree_as crashing 's/out\[get_group_id(0)\] = value;/{ *(global volatile int *)(n - n) = 1; & }/'
    tree_as hanging 's/out\[get_group_id(0)\] = value;/{ for (volatile int i = 0; i < 2; i -= n > 0); & }/'
    tree_as slow 's/out\[get_group_id(0)\] = value;/{ for (volatile int i = 0; i < 2000000; i++); & }/'
    tree_as broken 's/out\[get_group_id(0)\] = value/out[get_group_id(0)] = valve/'
    while IFS=';' read -r kernel status sign; do
        edited tree.json "for c in r['cells']: c['strategy'] = c['strategy'].replace('tree', '$kernel')" >"$kernel.json"
        check "a kernel: $kernel" "$status" "^clreduce: nothing was written, since $kernel $sign" "${emit[@]}" "$kernel.json" --strategy "$kernel" \
            --kernel "$kernel.cl" --device pocl --op sum --type f32 --patience 8 --output "$kernel"
        judge "is not called wrong" sh -c "! grep -q 'not right' out && test ! -e $kernel"
    done <<'LIST'
crashing;5;could not be verified: .*the driver crashed .*; the line 'again' above makes the check again; another --device may do better$
hanging;5;could not be verified: .*no answer in 8 s .*a longer --patience may let it end$
broken;4;does not build: .*broken.cl does not build on pocl
LIST
    edited tree.json "for c in r['cells']: c['strategy'] = c['strategy'].replace('tree', 'slow')" >slow.json
    for file in '' slow.json; do
        rm -f told
        # shellcheck disable=SC2086 # no file is no argument
        "${emit[@]}" $file --strategy slow --kernel slow.cl --device pocl --op sum --type f32 --output slow >out 2>told </dev/null &
        pid=$!
        until grep -qs '^verifying on' told || ! kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
        kill -INT "$pid"
        wait "$pid"
        status=$?
        cp told out
        judge "Ctrl-C while a kernel ${file:+of a file }is verified" test "$status" = 130
        judge "is told as that" grep -qx 'clreduce: interrupted while slow was verified; nothing was written' told
        judge "and nothing is" test ! -e slow
    done
    "${emit[@]}" slow.json --strategy slow --device pocl --op sum --type f32 --patience 8 --output slow >out 2>&1
    judge "patience is for what is verified" grep -q -- '--patience has no effect with result files' out
}

# A file's device is looked for by its name and driver: another one of the same id tells nothing of it.
moved() {
    measured_tree
    edited tree.json "for c in r['cells']: c['strategy'] = c['strategy'].replace('tree', 'mine')" >moved.json
    edited moved.json 'for d in devices: d["driver"] = d["driver"] + ".1" if d["id"] == "pocl" else d.get("driver")' >newer.json
    edited moved.json 'for d in devices: d["name"] = "Other" if d["id"] == "pocl" else d.get("name")' >other.json
    for file in newer other; do
        check "another device of the same id: $file" 3 '^clreduce: mine is written as unverified: pocl here is another device \(.*, driver .*\) than that of the files \(.*, driver .*\)$' \
            "${emit[@]}" "$file.json" --strategy mine --kernel mine.cl --device pocl --op sum --type f32 --output "$file"
        judge "is not verified" sh -c "! grep -q '^verify: ' out && grep -q 'UNVERIFIED: .*: pocl here is another device' $file/reduce_sum_f32.cl"
    done
    sed 's/"pocl"/"cpu.7"/g' moved.json >numbered.json
    check "the same device of another id" 0 '^verify: [1-9][0-9]* right, 0 wrong on 1 device' "${emit[@]}" numbered.json --strategy mine --kernel mine.cl \
        --op sum --type f32 --output numbered
    sed 's/"pocl"/"cpu.7"/g' other.json >absent.json
    check "a device that is not here" 3 'as unverified: no device here is that of the files \(Other, driver .*\)$' "${emit[@]}" absent.json --strategy mine \
        --kernel mine.cl --op sum --type f32 --output absent
}

named() {
    check "a strategy that is named is not called the fastest" 0 'sum of f32 by tree, as named' "${emit[@]}" "$here" --device intel --strategy tree --output named
    check "of several the fastest of those" 0 'by chunk, the fastest of those named' "${emit[@]}" "$here" --device intel --strategy 'tree,chunk' --n 2^20 --output named
}

own_kernels() {
    check "somebody's kernel" 0 '^written' "${emit[@]}" --strategy mine --kernel mine.cl --device pocl --output mine
    judge "is verified before" sh -c 'grep -qE "^verify: [1-9][0-9]* right, 0 wrong on 1 device" out && ! grep -q UNVERIFIED mine/reduce_sum_f32.h'
    judge "is not given away" grep -q "The kernel is its author's" mine/reduce_sum_f32.cl
    judge "not in the C file either" grep -q "The kernel is its author's" mine/reduce_sum_f32.c
    check "one that is wrong is not written" 2 'nothing was written, since dropped_tail is not right: .*wrong: dropped_tail' \
        "${emit[@]}" --strategy dropped_tail --kernel "$root/tests/mutants/dropped_tail.cl" --device pocl --type i32 --output dropped
    judge "no file of it" test ! -e dropped
    edited "$here" 'for c in r["cells"]: c["strategy"] = "mine" if c["strategy"] == "tree" else c["strategy"]' >mine.json
    check "one that no device can be asked about is unverified" 3 '^clreduce: mine is written as unverified: no device of this machine can be asked: ' \
        env OCL_ICD_VENDORS="$work/none" "${emit[@]}" mine.json --strategy mine --kernel mine.cl --device pocl --op sum --type f32 --output mine
    judge "and its files say so" sh -c 'grep -q "UNVERIFIED: nobody knows whether this kernel is right: no device" mine/reduce_sum_f32.cl && grep -q UNVERIFIED mine/reduce_sum_f32.h'
}

pasted_names() {
    sed 's/name: .*/name: left/; s/^RED_KERNEL/#define TWICE(v) RED_PASTE(twice, 16)(v)\n#define twice16(v) (RED_OF(float, 1))(v)\n&/; s/RED_LOAD(i)/TWICE(&)/' \
        "$root/kernels_cl12/scan/scan_serial.cl" >left.cl
    check "a macro whose name another one makes" 0 '^written' "${emit[@]}" --strategy left --kernel left.cl --device pocl --output left
    judge "works in files of its own" built left scan_inclusive_sum_f32 "Portable"
    sed 's/RED_LOAD(i)/RED_VEC(n)/' left.cl >wide.cl
    check "a width that is no number is told" 4 'does not build' "${emit[@]}" --strategy left --kernel wide.cl --device pocl --output wide
}

unbuilt() {
    check "a kernel that does not build says why" 1 'clBuildProgram: CL_BUILD_PROGRAM_FAILURE \(-11\):' \
        sh -c 'sed -i "s/return COMBINE(v.x, v.y)/return v.z/" sum/reduce_sum_f32.c && cmake --build sum/build >log && sum/build/reduce_sum_f32_test Portable'
}

refused() {
    local name
    for name in a-b int time _Bool kernel; do
        check "no name of a function" 4 "'$name' is no name" "${emit[@]}" "$here" --device pocl --name $name
    done
    check "a folder is no standard output" 4 'emit writes several files' "${emit[@]}" "$here" --output -
    check "a finish without a host side" 77 'persistent_group cannot be written as files of its own: its finish is persistent' \
        "${emit[@]}" --strategy persistent_group --device pocl
    check "segments" 77 'segment_group cannot be written as files of its own: it reduces many arrays side by side' \
        "${emit[@]}" --strategy segment_group --device pocl
    check "the host's row" 77 'openmp cannot be written as files of its own: it runs on the host alone' "${emit[@]}" --strategy openmp --device pocl
    check "a need, not the finish" 77 'pipe_partials cannot be written as files of its own: its partial results go through a pipe' \
        "${emit[@]}" --strategy pipe_partials --device pocl
    check "local memory that is an argument" 77 'tree_argument cannot be written as files of its own: its kernel gets its local memory as an argument' \
        "${emit[@]}" --strategy tree_argument --device pocl
    check "a host that waits between launches" 77 'tree_passes_waiting cannot be written as files of its own: its finish is passes_waiting' \
        "${emit[@]}" --strategy tree_passes_waiting --device pocl
    check "no group without a work-item" 4 '--wg: expected one group size from 1 on' "${emit[@]}" "$here" --device pocl --wg 0
    check "nor one of several sizes" 4 'expected one group size' "${emit[@]}" --strategy tree --device pocl --wg 64,128
    check "one n" 4 '--n: expected one size' "${emit[@]}" "$here" --device pocl --n 1,2
    judge "and nothing is written" [ ! -e reduce_sum_f32 ]
    check "one group size of a source, too" 4 'expected one group size' "$clreduce" strategies --source tree --wg 1,2
    check "and one pair of lanes" 4 '--lanes: expected one width' "$clreduce" strategies --source grid_stride_vec --lanes 4x4,2x2
    check "an unknown strategy" 4 "tree" "${emit[@]}" --strategy tre --device pocl
    check "an unknown type" 4 "f32" "${emit[@]}" --strategy tree --device pocl --type f31
    check "nothing to choose by" 4 'emit wants a result file' "${emit[@]}"
    check "a question that the file lacks" 4 'the files have no max of f32 on device' "${emit[@]}" "$here" --op max
    check "a folder that cannot be made" 4 'cannot make the folder /proc/none/there: .*; choose another --output' "${emit[@]}" --strategy tree --device pocl \
        --output /proc/none/there
    check "folders above it are made" 0 "^written: some/where/deep/" "${emit[@]}" --strategy tree --device pocl --output some/where/deep
    judge "its header says what is so for no elements" grep -q 'the sum of no elements is 0' some/where/deep/reduce_sum_f32.h
    judge "and what may be given" grep -q 'NULL is allowed' some/where/deep/reduce_sum_f32.h
    mkdir linked && echo precious >own.c && ln -s ../own.c linked/reduce_sum_f32.c
    check "no link is followed out of the folder" 4 'linked/reduce_sum_f32.c is a symbolic link; expected a file, or nothing: choose another' \
        "${emit[@]}" --strategy tree --device pocl --output linked --overwrite
    judge "what it leads to stays as it is" grep -qx precious own.c
    cp some/where/deep/reduce_sum_f32.c own.c
    check "nor to what emit has written" 4 'is a symbolic link' "${emit[@]}" --strategy tree --device pocl --output linked
    ln -s some/where/deep short
    check "a folder may be a link" 0 '^written: short/' "${emit[@]}" --strategy tree --device pocl --output short
    judge "nothing is left behind" [ -z "$(ls tmp)" ]
}

some
for primitive in scan histogram; do
    drawn $primitive 1 pocl "Portable" "-fsanitize=address,undefined" -fno-sanitize-recover=undefined
    ! has_device "$clreduce" intel || drawn $primitive 1 intel "Intel(R) OpenCL"
done
files
state_sizes
sections "$all" 1 mapped like_nvidia bands hostile together blanks named own_kernels unproven moved pasted_names unbuilt scan_files histogram_files stale_state
refused
[ "$all" != all ] || every
exit $failed
