#!/usr/bin/env bash
# The examples of docs/integrating.md with what emit writes: they compile without warnings in every order of the headers, and give right
# results on every driver here; what a device lacks is told, and tests skip there; whole logs of a compiler; bench/emitting/integrate runs.
#   tests/cli/integrating.sh CLREDUCE [SEED|all]    two of four parts: programs on each driver, what devices lack, and bench/emitting/integrate; or all
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/device.sh"
examples=$root/tests/cli/integrating
need_device "$clreduce" pocl
cxx=(-std=c++17 -Wall -Wextra -Wconversion -Wpedantic -Wshadow -Werror)
c=(-std=c11 -Wall -Wextra -Wconversion -Wpedantic -Wshadow -Werror)

folders=(-Ireduce_sum_f32 -Isum_many -Imax_few -Iscan_exclusive_sum_u32 -Ihistogram_count_u8 -I"$examples")

# emitted NAME ARGUMENT...: in the folder of its name.
emitted() {
    "$clreduce" emit --device "$device" --name "$1" --output "$1" --overwrite "${@:2}" >log 2>&1 || { cat log && return 1; }
}

# compiled OUTPUT SOURCE...: each by the compiler of its language, and linked.
compiled() {
    local output=$1 objects=() source
    for source in "${@:2}"; do
        case $source in
        *.cc) c++ "${cxx[@]}" "${defines[@]}" "${folders[@]}" -c -o "$(basename "$source").o" "$source" ;;
        *.c) cc "${c[@]}" "${defines[@]}" "${folders[@]}" -c -o "$(basename "$source").o" "$source" ;;
        esac || return 1
        objects+=("$(basename "$source").o")
    done
    c++ -o "$output" "${objects[@]}" -lOpenCL -lm
}

# on_device DEVICE PLATFORM STRATEGY VERSION...: with another finish, and versions that a program may choose, on each driver.
on_device() {
    local device=$1 platform=$2 strategy=$3 versions=("${@:4}") defines=() example turned version
    judge "$device: emitted" emitted reduce_sum_f32 --strategy "$strategy"
    judge "$device: for many" emitted sum_many --strategy svm_chunk --n 2^20
    judge "$device: for few" emitted max_few --strategy last_group --op max --n 1000
    for example in host_array later; do
        judge "$device: $example compiles" compiled $example "$examples/$example.c" reduce_sum_f32/reduce_sum_f32.c
        check "$device: $example is right" 0 '^done: ' ./$example "$platform"
    done
    judge "$device: a scan" emitted scan_exclusive_sum_u32 --primitive scan --strategy scan_chunk --op exclusive_sum --type u32
    judge "$device: offsets compiles" compiled offsets "$examples/offsets.c" scan_exclusive_sum_u32/scan_exclusive_sum_u32.c
    check "$device: offsets is right" 0 '^done: 0 wrong' ./offsets "$platform"
    judge "$device: a histogram" emitted histogram_count_u8 --primitive histogram --strategy local_copies --type u8
    judge "$device: places compiles" compiled places "$examples/places.c" {histogram_count_u8/histogram_count_u8,scan_exclusive_sum_u32/scan_exclusive_sum_u32}.c
    check "$device: places is right" 0 '^done: 0 wrong' ./places "$platform"
    # A program's own version, older than what the files need, and headers in either order.
    for turned in '' turned; do
        for version in "${versions[@]}"; do
            cp "$examples/both.cc" both.cc
            defines=(${turned:+-DTURNED})
            if [ -n "$version" ]; then
                defines+=("-DCL_TARGET_OPENCL_VERSION=$version")
                sed -i 's/clCreateCommandQueueWithProperties(\(.*\), nullptr, &code)/clCreateCommandQueue(\1, 0, \&code)/' both.cc
            fi
            judge "$device: both compile (${defines[*]-})" compiled both both.cc sum_many/sum_many.c max_few/max_few.c
            check "$device: and are right" 0 '^sum 200000, max 2$' ./both "$platform"
        done
    done
    check "$device: what is wrong has words" 0 '^no array: x is NULL$' ./both "$platform"
    check "$device: of nothing there is none" 0 '^of nothing: n is 0: an empty array has no max$' ./both "$platform"
}

# built NAME: the self-test.
built() {
    cc "${c[@]}" -I"$1" -o "$1/test" "$1/$1.c" "$1/$1_test.c" -lOpenCL -lm
}

lacking() {
    local device=pocl
    judge "a kernel" emitted mean_it --strategy grid_stride --op mean --wg 64
    sed -i 's/local float scratch\[GROUP_SIZE\]/local float scratch[1 << 26]/' mean_it/mean_it.c
    judge "that takes much local memory" built mean_it
    check "is refused with both numbers" 77 'skipped: .*: a work-group takes 268435456 bytes of local memory, and the device has [0-9]+$' \
        mean_it/test Portable
    judge "a kernel of large groups" emitted large_one --strategy tree --wg 64
    sed -i 's/GROUP_SIZE = 64/GROUP_SIZE = 1000000/' large_one/large_one.c
    judge "compiles" built large_one
    check "is refused with both numbers" 77 'skipped: .*a work-group has 1000000 work-items, and those of the device have at most' large_one/test Portable
    judge "a kernel with many errors" emitted long_log --strategy chunk
    python3 - <<'PYTHON'
import re
text = open("long_log/long_log.c").read()
wrong = "".join(f'    "    undeclared_{i}_of_a_long_name();\\n",\n' for i in range(300))
declared = re.search(r'    "    float16 sums.*\n', text)[0]
open("long_log/long_log.c", "w").write(text.replace(declared, declared + wrong))
PYTHON
    judge "compiles" built long_log
    check "says that it does not build" 1 'clBuildProgram: CL_BUILD_PROGRAM_FAILURE \(-11\):$' long_log/test Portable
    judge "and all that the compiler says, the last of 300 errors, too" grep -q undeclared_299_ out
}

lacking_intel() {
    local device=intel
    judge "a strategy of OpenCL 2.0" emitted by_built_in --strategy wg_reduce
    judge "compiles" built by_built_in
    check "skips where a device lacks it" 77 'skipped: Portable.*: the device has no work_group_ functions' by_built_in/test Portable
    check "and says what the compiler says" 77 'work_group_reduce_add' by_built_in/test Portable
}

on_pocl() {
    on_device pocl Portable chunk 120 ''
}

on_intel() {
    on_device intel "Intel(R) OpenCL" polled_stride ''
    # What PoCL has from version 5 on is no reason to skip.
    if is_between "$(driver_version "$clreduce" pocl)" ..4; then lacking_intel; fi
}

measured() {
    check "the page's measurements run" 0 '^the buffer has it already ' "$root/bench/emitting/integrate" --clreduce "$clreduce" --device pocl --n 65536 --rounds 1
}

parts=(on_pocl on_intel lacking measured)
if ! has_device "$clreduce" intel; then
    echo "nothing is tried on Intel's runtime: it is not here"
    parts=(on_pocl lacking measured)
fi
sections "${2:-}" 2 "${parts[@]}"
exit $failed
