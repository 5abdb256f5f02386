#!/usr/bin/env bash
# Every kernel x type, with one of the operations in turn, under every OpenCL C standard it is written for, by clang.
#   tests/kernel_syntax.sh EMIT_SOURCES [SEED]   of the programs every fourth, from one on that the seed draws (it is drawn where it
#                                               is not given); each kernel file alone
#   tests/kernel_syntax.sh EMIT_SOURCES all
set -u
command -v clang >/dev/null || { echo "skipped: clang is not installed"; exit 77; }
emit=$1
share=${2:-$RANDOM}
nth=4
[ "$share" != all ] || nth=1
[ "$share" = all ] || echo "seed $share: the same again by tests/kernel_syntax.sh EMIT_SOURCES $share"
RANDOM=${share//all/0}
kernels=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/1.2" "$work/2.0"
"$emit" "$work" || exit 1
failed=0

compile() {
    # The features that clang leaves to the device in 3.0; nothing happens where the header sets them itself.
    clang -x cl "-cl-std=$1" -Xclang -D__opencl_c_work_group_collective_functions=1 -Dcl_khr_subgroup_shuffle=1 -Dcl_khr_integer_dot_product=1 \
        -D__opencl_c_integer_dot_product_input_4x8bit=1 -target spir64 -Xclang -finclude-default-header -Xclang -cl-ext=+all -fsyntax-only \
        -Wall -Wextra -Werror -Wno-unused-parameter -Wno-unused-command-line-argument -I "$kernels/kernels_cl12" -I "$kernels/kernels_cl20" "${@:2}"
}
export -f compile
export kernels

# check STANDARD FOLDER [NTH]
check() {
    local n every=${3:-$nth}
    find "$work/$2" -name '*.cl' | sort | awk -v nth="$every" -v first=$((RANDOM % every)) 'NR % nth == first' >"$work/chosen"
    n=$(wc -l <"$work/chosen")
    if tr '\n' '\0' <"$work/chosen" | xargs -0 -n 40 -P 2 bash -c 'compile "$@"' compile "$1"; then
        echo "ok    $1: $n programs of kernels for $2"
    else
        echo "FAIL  $1: kernels for $2"
        failed=1
    fi
}
check CL1.2 1.2
mkdir "$work/tree" && mv "$work"/1.2/tree_*.cl "$work"/1.2/cmpxchg_*.cl "$work/tree/" # the prelude is the same for all
for standard in CL2.0 CL3.0; do check $standard tree; done
for standard in CL2.0 CL3.0; do check $standard 2.0; done

# The kernels that teach compile alone, with at most one file of lib/, and fit on a screen.
for kernel in kernels_cl12/{interleaved,strided_index,tree,first_add,grid_stride,chunk,cmpxchg_group,last_group} kernels_cl20/wg_reduce; do
    standards=(CL2.0 CL3.0)
    [[ $kernel == *cl20* ]] || standards+=(CL1.0 CL1.1 CL1.2)
    lines_n=$(wc -l <"$kernels/$kernel.cl") includes_n=$(grep -c '^#include' "$kernels/$kernel.cl")
    for standard in "${standards[@]}"; do
        compile "$standard" "$kernels/$kernel.cl" || lines_n=1000
    done
    if [ "$lines_n" -le 60 ] && [ "$includes_n" -le 1 ]; then
        echo "ok    $kernel alone: ${standards[*]}, $lines_n lines, $includes_n files of lib/"
    else
        echo "FAIL  $kernel alone: $lines_n lines, $includes_n files of lib/"
        failed=1
    fi
done

# Any other file compiles behind the prelude, which has a default for every choice; so do the roof and the digest.
mkdir "$work/alone"
sed -n '/^#ifndef RED_T$/,/^#endif/p' "$kernels/kernels_cl12/lib/elements.cl" |
    sed -e 's/^\(#define RED_\(T\|A\)  *\)float$/\1uint/' -e 's/^\(#define RED_\(T_KIND\|IS_FLOAT\)  *\).*/\10/' >"$work/integers.cl"
for kernel in "$kernels"/kernels_cl12/*.cl "$kernels"/kernels_cl20/*.cl; do
    {
        grep -q '^//@ needs: .*integer_atomics' "$kernel" && cat "$work/integers.cl"
        echo '#include "lib/prelude.cl"'
        grep -v '^#include "lib/common.cl"' "$kernel" # the prelude has it
    } >"$work/alone/${kernel##*/}"
done
cp "$kernels"/kernels_cl12/lib/{roof,digest}.cl "$work/alone/"
check CL2.0 alone 1

# The prelude refuses what breaks the contract.
for broken in RED_GROUP_SIZE=0 "RED_ARRAYS=3 -DRED_T=float" "RED_WORD_BITS=16 -DRED_T=float -DRED_ARRAYS=1" \
    "RED_WIDTH=3 -DRED_LOADS=1" "RED_WIDTH=32 -DRED_LOADS=1" "RED_WIDTH=4 -DRED_LOADS=3" "RED_WIDTH=4 -DRED_LOADS=16"; do
    # shellcheck disable=SC2086 # several options
    if compile CL1.2 -D$broken "$kernels/kernels_cl12/lib/prelude.cl" 2>"$work/log" || ! grep -q '#error\|error: "RED_' "$work/log"; then
        echo "FAIL  the prelude accepts -D$broken"
        failed=1
    else
        echo "ok    the prelude refuses -D$broken"
    fi
done
exit $failed
