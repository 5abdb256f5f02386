#!/usr/bin/env bash
# What `reproduce` writes of faulty kernels, of a crash, a hang and a failed build: a host program that compiles without warnings, exits
# with 1 while the fault is there, and with 0 once the kernel, or the driver, is right.
#   tests/device/reproduce.sh CLREDUCE LAYER [SEED]   one or two mutants of reductions, and of scans and histograms, with an operation and a type each,
#                                              and one of the other parts, which the seed draws
#   tests/device/reproduce.sh CLREDUCE LAYER all      all of them
# LAYER is the library made of tests/broken/layer.
set -u
clreduce=$(realpath "$1") layer=$(realpath "$2") share=${3:-$RANDOM}
. "$(dirname "$0")/../tools/device.sh"
need_device "$clreduce" pocl
device=pocl
command -v cc >/dev/null || { echo "skipped: needs a C compiler" && exit 77; }

# made FOLDER ARGUMENT...: written, of at most 150 lines, without conditions, and compiled.
made() {
    rm -rf "$1"
    "$clreduce" reproduce --device "$device" --output "$@" >out 2>&1 && [ "$(wc -l <"$1/reproduce.c")" -le 150 ] &&
        ! sed 's|^ *\(/\*\| \*\|//\).*||' "$1/reproduce.cl" | grep -nE '\<(RED|red)_|^ *# *(if|el|endif)' >>out &&
        (cd "$1" && cc -std=c99 -Wall -Wextra -Werror reproduce.c -lOpenCL) >>out 2>&1
}

# ends FOLDER STATUS [SETTING...]: what the host program exits with.
ends() {
    local status
    (cd "$1" && env "${@:3}" ./a.out) >out 2>&1
    status=$?
    [ "$status" = "$2" ] || { echo "exit status $status instead of $2" >>out && return 1; }
    [ "$status" != 0 ] || grep -qx "no bug here" out
}

# ends_deaf FOLDER STATUS [SETTING...]: the same where the program is started with SIGCHLD ignored.
ends_deaf() (
    trap '' CHLD
    ends "$@"
)

# mended FOLDER SED [SETTING...]: the kernel is right now.
mended() {
    cp "$1/reproduce.cl" before.cl
    sed -i "$2" "$1/reproduce.cl" && ! cmp -s before.cl "$1/reproduce.cl" && ends "$1" 0 "${@:3}"
}

# shown ARGUMENT...: made, with a seed that shows the fault. One that needs a value at some place does not show in the few checks of each
# seed: of six one must.
shown() {
    local tries
    for ((tries = 0; tries < 6; tries++)); do
        made "$@" --seed "$RANDOM" && return
        grep -q 'there is nothing to reproduce: all checks of these are right' out || return 1
    done
    return 1
}

# mutants N SIZES: of the list in stdin every N-th, or all.
mutants() {
    local first=0 nth=1 mutant ops types sed op type
    [ "$share" = all ] || { nth=$1 first=$((RANDOM % $1)); }
    while IFS=';' read -r mutant ops types sed; do
        read -ra ops <<<"$ops" && op=${ops[RANDOM % ${#ops[@]}]}
        read -ra types <<<"$types" && type=${types[RANDOM % ${#types[@]}]}
        judge "$mutant, $op of $type: written and built" shown "${mutant#*/}" --primitive "$(primitive_of "$mutant")" \
            --kernel "$root/tests/mutants/$mutant.cl" --op "$op" --type "$type" --n "$2"
        mutant=${mutant#*/}
        judge "it fails" ends "$mutant" 1
        judge "and says where" grep -qE '^checks +wrong at n = [0-9]+, (right at n = [0-9]+|the least n); [0-9]+ checks' "$mutant/README.txt"
        judge "the right kernel passes" mended "$mutant" "$sed"
    done < <(awk -v nth="$nth" -v first=$first 'NR % nth == first')
}

# primitive_of MUTANT: by its folder.
primitive_of() {
    case $1 in */*) echo "${1%/*}" ;; *) echo reduce ;; esac
}

reductions() {
    mutants 8 70,1023,2503,2^16+1 <<'LIST'
dropped_tail;sum dot;i32 u32 f32 f64;s|n / 4 \* 4|n|
doubled_element;sum dot;i32 u32 f32 f64;s/get_local_id(0) == 0 && i > 0/0/
last_group_early;sum dot;i32 u32 f32 f64;s/== max(.*) - 1);/== get_num_groups(0);/
stored_tail_lost;sum dot;i32 u32 f32 f64;s|n / 4 \* 4|n|
segment_of_neighbour;sum max;i32 f32;s/segment ^ 1/segment/
segment_tail_lost;sum dot;i32 f32;s|n / 16 \* 16|n|
segment_last_short;sum;i32 f32;s/segment + 1 == segments_n/0/
svm_group_missing;sum dot;i32 u32 f32 f64;s/(get_group_id(0) == 0 || get_group_id(0) + 1 < get_num_groups(0))/1/
input_overwritten;sum dot;i32 u32 f32 f64;s/^    if (i < n)$/    if (0)/
counter_not_returned;sum dot;i32 u32 f32 f64;/atomic_inc(/d
arrivals_left;sum dot;i32 u32;s/^    if ((uint)all == .*/&\n        atom_xchg((volatile global ulong *)COUNTER(out), 0),/
words_left;sum dot;i32 u32 f32;s/FROM_WORD((uint)words.i.));/&\n        words[i] = 0;/
behind_the_result;sum dot;i32 u32;s/ = out\[1\]//
behind_the_end;sum dot;i32 u32 f32 f64;s/if (i == 0)/if (0)/
atomic_first_group;sum dot;i32 u32;s/get_global_id(0) == 0/get_local_id(0) == 0/
last_partial_lost;dot;i32 u32 f32 f64;s/? n - 1 : n;/? n : n;/
second_launch_twice;sum dot;i32 u32 f32 f64;s/ == 1 \&\& get_local_id/ == 2 \&\& get_local_id/
bytes_unextended;sum;i8;s|(ulong)(uint)||
persistent_off_by_one;sum;i32 f32;s/end - 1 : end/end : end/
zero_passed_over;min;i32 u64;s/ \&\& x.i. != 0//
least_passed_over;dot;i32 i64;s/ \&\& x.i. != [^?]*?/ ?/
LIST
}

# Of these the host program compares each result.
results() {
    mutants 10 70,1023 <<'LIST'
scan/carry_twice;inclusive_sum exclusive_sum;i32 i64 f32;s/end < n ?/1 ?/
scan/host_carries_shifted;inclusive_sum exclusive_max;i32 u64 f16 f32;s/tile > 0 ?/1 ?/; s/carries.tile - 1./carries[tile]/
scan/second_level_inclusive;exclusive_min exclusive_sum;i8 i32 f32;s/tile != 1 ?/1 ?/
scan/carry_in_first_call_alone;inclusive_max exclusive_sum;u32 f64;s/state.1.++ > 0/0/
scan/rereads_elements;inclusive_sum;i32 f64;s/i != first + 1 ?/1 ?/
scan/writes_behind_the_end;inclusive_sum exclusive_min;u8 i32;s/first + 4 && first < n/first + 4 \&\& i < n/
scan/elements_overwritten;inclusive_sum exclusive_max;i8 f32;s/end == n && first + 1 < n/0/
scan/exclusive_where_inclusive;inclusive_sum inclusive_min;u64 f16;s/i + 1 == n ?/0 ?/
scan/partial_tile_without_carry;exclusive_sum inclusive_min;u8 f32;s/ && first + 4 <= n//
scan/tile_edge_lost;inclusive_sum inclusive_max;i8 u32 f64;s/i < first + 3 ?/1 ?/
scan/counter_not_returned;inclusive_sum exclusive_max;i32 f16 f32;s/atomic_inc(state)/(void)0/
histogram/last_element_lost;count count64;u8 u16 u32 i32 f32;s/i + 1 < n/i < n/
histogram/copy_joined_twice;count count64;u16 i32 f32;s/count = copies.bin./count = 0/
histogram/last_copy_not_joined;count count64;u8 u32;s/n - (n > 1)/n/
histogram/neighbours_counted_once;count count64;u16 i32;s/i % 64 == 0/1/
histogram/tail_counted_twice;count;u8 f32;s/i < fours_n ?/1 ?/
histogram/empty_copy_unset;count count64;u32 f32;s/if (begin >= end)/if (0)/
histogram/counter_not_returned;count count64;u8 i32;s/atomic_inc(state)/(void)0/
histogram/one_total_not_returned;count;u8 f32;s/bin == [^?]*?/0 ?/
LIST
}

# broken FAULT PATIENCE: a driver that crashes, or never ends, at the second launch of a process. What works ends within that time on a
# busy machine, too.
broken() {
    local settings=(OPENCL_LAYERS="$layer" CLREDUCE_FAULT="$1_launch@2")
    export "${settings[@]}"
    judge "a $1: written and built" made "$1" --strategy serial --op sum --type i32 --n 9 --patience "$2"
    unset OPENCL_LAYERS CLREDUCE_FAULT
    judge "the host program tells it" ends "$1" 1 "${settings[@]}"
    judge "in words" grep -qE '^(the driver crashed|it did not end within '"$2"' s)$' out
    judge "on a driver that does not it passes" ends "$1" 0
    judge "and it does where SIGCHLD is ignored" ends_deaf "$1" 0
}
crash() {
    broken crash 60
}
hang() {
    broken hang 8
}

# What a probe finds wrong is not checked, unless --despite-probes says so.
despite_probes() {
    local atomic=(--device pocl --strategy atomic_group --op sum --type i32 --n 9) settings
    settings=(OPENCL_LAYERS="$layer" CLREDUCE_FAULT=crash_launch@2)
    export "${settings[@]}"
    check "what is lacking by a probe" 77 'no integer_atomics: the driver crashed' "$clreduce" reproduce "${atomic[@]}" --output despite
    check "is verified all the same" 5 '"again": *".* --despite-probes' "$clreduce" verify "${atomic[@]}" --despite-probes --format json
    check "files say what the probe found" 5 '"integer_atomics": *{[^}]*"behaves": *"no"' "$clreduce" verify "${atomic[@]}" --despite-probes --format json
    judge "and reproduced" made despite "${atomic[@]:2}" --despite-probes
    judge "with no data in a file" made empty --strategy serial --op sum --type f16 --n 0 --despite-probes
    unset OPENCL_LAYERS CLREDUCE_FAULT
    judge "the host program fails" ends despite 1 "${settings[@]}"
    judge "on a driver that does not crash it passes" ends despite 0
    judge "no data: it fails" ends empty 1 "${settings[@]}"
    judge "no data: it passes" ends empty 0
}

# The same of a built-in that is wrong at some group sizes.
despite_sizes() {
    local device=intel minimum=(--strategy wg_reduce --op min --type i32 --n 2^12+1 --wg 100) settings
    has_device "$clreduce" intel || return 0
    settings=(OPENCL_LAYERS="$layer" CLREDUCE_FAULT=idle_lanes)
    export "${settings[@]}"
    check "a wrong size is lacking" 77 'no collectives, signed min, with group size 100' "$clreduce" verify --device intel "${minimum[@]}"
    check "or else is wrong" 2 '^wrong: wg_reduce min i32 on intel' "$clreduce" verify --device intel "${minimum[@]}" --despite-probes --output sizes.json
    judge "files have the sizes" grep -q '"words":"any: .*multiples of 32: .*signed min' sizes.json
    judge "a wrong size: written and built" made sizes "${minimum[@]}" --despite-probes
    unset OPENCL_LAYERS CLREDUCE_FAULT
    judge "it passes without the layer" ends sizes 0
}

# A launch that waits for calls.
waits() {
    local mutant=persistent_off_by_one tries
    judge "$mutant: written and built" made waits --kernel "$root/tests/mutants/$mutant.cl" --op sum --type f32 --n 2^14+1 --keep-n
    judge "it is told that one run may be right" grep -q '^checks .*; kernel and host race: it may take several runs to show$' waits/README.txt
    judge "it fails" ends waits 1
    judge "the right kernel passes" mended waits 's/end - 1 : end/end : end/'
    # Changes are written by the queue of the launch that waits, which ends before it. Whether the program has changes depends on which of the
    # checks goes wrong first.
    mutant=persistent_seventh_question
    for ((tries = 0; tries < 6; tries++)); do
        judge "$mutant: written and built" made changed --kernel "$root/tests/mutants/$mutant.cl" --op sum --type i32 --n 2000 --seed "$RANDOM"
        judge "it fails" ends changed 1
        ! grep -q ' changes\[' changed/reproduce.c || break
    done
    [ "$tries" -lt 6 ] || { echo "none of six programs has changes, so none is tried with late writes" && return 0; }
    judge "the right kernel passes, though writes are late" mended changed 's/ + (.*>= 7)//' OPENCL_LAYERS="$layer" CLREDUCE_FAULT=late_write
}

# A launch whose last group is smaller: PoCL refuses it.
non_uniform() {
    local device=intel
    has_device "$clreduce" intel || return 0
    judge "smaller groups: written and built" made uniform --kernel "$root/tests/mutants/full_group_assumed.cl" --op sum --type i32 --n 70
    judge "it fails" ends uniform 1
}

unbuilt() {
    tree_as unbuilt 's/out\[get_group_id(0)\] = value/out[get_group_id(0)] = valve/'
    judge "a failed build: written and built" made unbuilt --kernel unbuilt.cl --op sum --type i32 --n 70
    judge "the host program shows the compiler's log" ends unbuilt 1
    judge "all of it" grep -q valve out
    judge "a kernel that builds passes" mended unbuilt 's/valve/value/'
}

# Of elements of 64 bits a place is two words, which C has as a struct.
places() {
    local ops=(argmin argmax) types=(i64 u64 f64)
    tree_as places 's/i < n ?/i + 1 < n ?/'
    judge "a place of two words: written and built" made places --kernel places.cl --op "${ops[RANDOM % 2]}" --type "${types[RANDOM % 3]}" --n 70
    judge "it fails" ends places 1
    judge "the right kernel passes" mended places 's/i + 1 < n ?/i < n ?/'
}

infinities() {
    tree_as infinities 's/(0)\] = value;/(0)] = isinf(value) ? 0 : value;/'
    judge "infinities: written and built" made infinities --kernel infinities.cl --op sum --type f32 --n 70
    judge "they are the answer" grep -qE 'got == \(-?1 / 0\.0\)' infinities/reproduce.c
    judge "it fails" ends infinities 1
    judge "the right kernel passes" mended infinities 's/isinf(value) ? .* : //'
}

from_file() {
    "$clreduce" verify --device pocl --kernel "$root/tests/mutants/place_off_by_one.cl" --op argmax --type i32 --n 1,70 --format json --output file.json >out 2>&1
    check "a kernel that only the file names is not run" 4 'the check is of the kernel .*place_off_by_one.cl, .*: add --kernel FILE to run it' \
        "$clreduce" reproduce file.json --output file
    mkfifo pipe
    sed "s|\"kernel\": *\"[^\"]*\"|\"kernel\": \"pipe\"|" file.json >piped.json
    check "nor opened" 4 'of the kernel pipe, .*: add --kernel FILE' timeout 20 "$clreduce" reproduce piped.json --output file
    "$clreduce" verify --device pocl --strategy serial --op sum --type i32 --n 1,70 --output right.json >out 2>&1
    check "a file of which all is right" 3 '^clreduce: right.json has no check that failed: there is nothing to reproduce$' "$clreduce" reproduce right.json
    check "one without what is chosen" 3 '^clreduce: file.json has no such check that is not right$' "$clreduce" reproduce file.json --op argmin
    check "the first wrong check of a file" 0 '^pocl: place_off_by_one, argmax of i32, n = .*: wrong$' "$clreduce" reproduce file.json --kernel "$root/tests/mutants/place_off_by_one.cl" --output file
    judge "is built" sh -c 'cd file && cc -std=c99 -Wall -Wextra -Werror reproduce.c -lOpenCL >../out 2>&1'
    judge "and fails" ends file 1
    sed 's|^//@ source:.*|&\n//@ variant: dropped_twice\n//@ idea:   the same in passes\n//@ finish: passes|' "$root/tests/mutants/dropped_tail.cl" >two.cl
    "$clreduce" verify --device pocl --kernel two.cl --op sum --type i32 --n 70 --format json --output two.json >out 2>&1
    check "a variant of a kernel file" 0 '^pocl: dropped_twice, ' "$clreduce" reproduce two.json --kernel two.cl --strategy dropped_twice --output two
    judge "is what fails" sh -c 'cd two && cc reproduce.c -lOpenCL && grep -q reduce_partials reproduce.c'
    judge "with 1" ends two 1
    check "n is kept where the user says so" 0 '^wrong at n = 70; ' "$clreduce" reproduce file.json --kernel "$root/tests/mutants/place_off_by_one.cl" --n 70 --keep-n --output kept
    check "what is there is kept" 4 'is there: choose another --output, or replace it with --overwrite' "$clreduce" reproduce file.json --kernel "$root/tests/mutants/place_off_by_one.cl" --output file
    mkdir linked && echo precious >own && ln -s ../own linked/reproduce.data
    check "no link is followed out of the folder" 4 'linked/reproduce.data is a symbolic link; expected a file, or nothing' \
        "$clreduce" reproduce file.json --kernel "$root/tests/mutants/place_off_by_one.cl" --output linked --overwrite
    judge "what it leads to stays as it is" grep -qx precious own
    judge "the data set is told with what it holds" grep -qE "^where .*, data set '[^']+' \([a-z].*\), " file/README.txt
    check "no folder" 4 'two.json is no folder: choose another --output' "$clreduce" reproduce file.json --kernel "$root/tests/mutants/place_off_by_one.cl" --output two.json
    check "nor the standard output" 4 'reproduce writes several files: --output names their folder, not -' "$clreduce" reproduce file.json --output -
    check "a platform that is not there" 77 'there is no such OpenCL platform' sh -c 'cd file && ./a.out none'
    (cd file && rm reproduce.cl)
    check "a folder without its kernel" 2 'reproduce.cl cannot be read' sh -c 'cd file && ./a.out'
    check "nothing to reproduce" 3 'there is nothing to reproduce' "$clreduce" reproduce --device pocl --strategy serial --op sum --type i32 --n 70
    check "bits alone, which no program of the folder compares" 77 'only their bits differ between calls' "$clreduce" reproduce --primitive scan \
        --device pocl --kernel "$root/tests/mutants/scan/order_varies.cl" --op inclusive_sum --type f32 --n 1000 --wg 7
    check "the sizes and groups of verify" 0 '^only_group_of_one sum i32 on pocl, n = [0-9]*, group size 1:|^pocl: only_group_of_one, ' "$clreduce" \
        reproduce --device pocl --kernel "$root/tests/mutants/only_group_of_one.cl" --op sum --type i32 --output group
    sed 's/finish: host/finish: two_kernels/; s/span:   each/span:   stride/; s/needs: /needs:  pipes,/' "$root/tests/mutants/place_off_by_one.cl" >pipes.cl
    sed 's/^RED_KERNEL/#ifdef cl_khr_fp64\n&/; s/^}/&\n#endif/' pipes.cl | sed 's/two_kernels/host/; s/pipes,//' >asks.cl
    check "nor can a macro of the driver be resolved" 77 'it asks for cl_khr_fp64, which each driver defines or not' \
        "$clreduce" reproduce file.json --kernel asks.cl --output asks
    sed 's/^RED_KERNEL/#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n&/' pipes.cl | sed 's/two_kernels/host/; s/pipes,//' >enables.cl
    check "but a condition about pragmas is none" 0 '^written: enables/' "$clreduce" reproduce file.json --kernel enables.cl --output enables
    check "also by emit" 77 'its text asks for the macro cl_khr_fp64' "$clreduce" emit --kernel asks.cl --strategy place_off_by_one --device pocl \
        --op argmax --type i32 --output asks
    check "what has no room in the host program" 77 'cannot be reproduced by a host program of 150 lines: the partial results travel through a pipe' \
        "$clreduce" reproduce file.json --kernel pipes.cl --output pipes
    sed 's/name: .*/name: wrong_scan/; s/RED_COMBINE(before, /RED_COMBINE(RED_IDENTITY, /' "$root/kernels_cl12/scan/scan_serial.cl" >wrong_scan.cl
    check "a wrong scan is found" 2 'wrong_scan' "$clreduce" verify --primitive scan --device pocl --kernel wrong_scan.cl --type i32 --n 70 --output scan.json
    check "and reproduced without saying that it is a scan" 0 '^wrong at n = 2, right at n = 1; ' "$clreduce" reproduce scan.json --kernel wrong_scan.cl --output scan
    judge "is built" sh -c 'cd scan && cc -std=c99 -Wall -Wextra -Werror reproduce.c -lOpenCL >../out 2>&1'
    judge "and fails" ends scan 1
    "$clreduce" verify --primitive histogram --device pocl --kernel "$root/tests/mutants/histogram/last_element_lost.cl" --type u16 --bins 7 --n 70 --output bins.json >out 2>&1
    check "a histogram has the bins of the check" 0 '^wrong at n = 1, the least n; ' "$clreduce" reproduce bins.json --kernel "$root/tests/mutants/histogram/last_element_lost.cl" --output bins
    judge "and tells them" grep -qE '^where +1 element, 7 bins, ' bins/README.txt
}

# Sums of floats of which the order of additions decides the last digits: the wrong result alone is judged, by the range of all that pass.
inexact() {
    local ops=(inclusive_sum exclusive_sum) types=(f32 f64) op
    op=${ops[RANDOM % 2]}
    sed 's/name: .*/name: inexact/; s/ops: .*/ops: inclusive_sum, exclusive_sum/; s/\(RED_STORE(i, \)\(.*\));/const RED_A stored = \2; \1fabs(stored - rint(stored)) > (RED_A)0.25 ? stored + 1 : stored);/' \
        "$root/kernels_cl12/scan/scan_serial.cl" >inexact.cl
    judge "$op of inexact sums: written and built" made inexact --primitive scan --kernel inexact.cl --op "$op" --type "${types[RANDOM % 2]}" --n 70
    judge "one result is judged" grep -qE 'got >= .* && got <= ' inexact/reproduce.c
    judge "it fails" ends inexact 1
    judge "the right kernel passes" mended inexact 's/stored + 1/stored/'
}

sections "$share" 1 crash hang despite_probes despite_sizes waits non_uniform unbuilt places infinities inexact from_file
reductions
results
exit $failed
