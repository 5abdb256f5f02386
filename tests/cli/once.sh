#!/usr/bin/env bash
# clreduce once: one call of each cell, in this process, and its state. What a tool prints about the call stands between two
# lines.
#   tests/cli/once.sh CLREDUCE [DEVICE]
set -u
clreduce=$(realpath "$1")
device=${2:-pocl}
. "$(dirname "$0")/../tools/device.sh"
need_device "$clreduce" "$device"

# expect NAME STATUS TEXT OPTION...
expect() {
    check "$1" "$2" "$3" "$clreduce" once --device "$device" "${@:4}"
}

cat >wanted <<'EOF'
once: the driver is called in this process: where it crashes, exits or hangs, so does clreduce
once: cell fixed_point sum i32 n=1000 wg=64
once: unsupported: fixed_point has no i32 form
once: cell tree sum i32 n=1000 wg=64
once: begin, 16 x 64 work-items
once: end
once: pass
once: cell fixed_point sum f32 n=1000 wg=64
once: begin, 1 x 64 work-items
once: end
once: pass
once: cell tree sum f32 n=1000 wg=64
once: begin, 16 x 64 work-items
once: end
once: pass
EOF
expect "each cell" 0 "once: pass" --strategy tree,fixed_point --type f32,i32 --wg 64
judge "as wanted" diff wanted out
expect "segments" 0 "once: cell segment_item sum f32 n=97 segments=41" --strategy segment_item --shape segments:41x97
expect "groups and lanes" 0 "once: cell chunk sum f32 n=1000 wg=8 groups=3 lanes=4x4" --strategy chunk --wg 8 --groups 3 --lanes 4x4
expect "a wrong kernel" 2 "once: wrong: expected" --kernel "$root/tests/mutants/dropped_tail.cl" --n 1001
tree_as silent 's/out\[get_group_id(0)\] = value/(void)value/'
expect "one that writes nothing" 2 "once: wrong: expected" --kernel silent.cl
tree_as writes_input 's/out\[get_group_id(0)\] = value/((global RED_T *)red_x)[0] = 0, &/'
expect "one that overwrites its input" 2 "its input unchanged, got it overwritten" --kernel writes_input.cl
tree_as unbuilt 's/const ulong i = /const ulong i == /'
expect "one that does not build" 4 "once: build-failed" --kernel unbuilt.cl
expect "the host's row" 4 "'openmp' names no kernel" --strategy openmp
expect "the host" 4 "once calls kernels, and --device host runs none" --device host
for primitive in scan histogram; do
    expect "segments of a $primitive" 4 "--shape is for reductions, and not for --primitive $primitive" --primitive $primitive --shape segments:4x8
    judge "no word is missing" sh -c '! grep -qF "(null)" out'
done
expect "one segment that is computed" 4 "'computed:1x9' is not valid; expected .* 2 or more" --strategy segment_item --shape computed:1x9
expect "answers that have no room" 4 "the right answers of 36028797018963968 segments need [0-9]+[.]. GiB" --strategy segment_item --shape computed:2^55x2
sed 's/tree_argument/stored_argument/; s/finish: host/finish: stored/' "$root/kernels_cl12/reduce/tree_argument.cl" >stored_argument.cl
expect "terms stored without the local memory that the kernel gets" 0 "once: pass" --kernel stored_argument.cl --strategy stored_argument --op dot --n 1001
for shape in iterate:100 changed:100; do
    expect "shape $shape" 4 "once reduces one array once, and --shape $shape many" --strategy tree --shape $shape
done
expect "no such device" 4 "unknown device 'pokl'; did you mean 'pocl'" --device pokl
expect "no group" 4 "no work-group of 0" --wg 0
expect "no groups" 4 "no launch of 0" --strategy chunk --groups 0
expect "what it does not take" 77 "nothing could run" --strategy tree --groups 3
exit $failed
