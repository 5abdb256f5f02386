#!/usr/bin/env bash
# Every kernel x type, with one of the operations in turn, under every OpenCL C standard it is written for, by clang.
#   tests/device/kernel_syntax.sh EMIT_SOURCES [SEED]   of the programs every eighth, from one on that the seed draws (it is drawn where it
#                                               is not given); each kernel file alone
#   tests/device/kernel_syntax.sh EMIT_SOURCES all
set -u
shopt -s extglob
command -v clang >/dev/null || { echo "skipped: clang is not installed"; exit 77; }
emit=$(realpath "$1")
share=${2:-$RANDOM}
nth=8
[ "$share" != all ] || nth=1
[ "$share" = all ] || echo "seed $share: the same again by tests/device/kernel_syntax.sh EMIT_SOURCES $share"
RANDOM=${share//all/0}
. "$(dirname "$0")/../tools/check.sh"
mkdir 1.2 2.0
"$emit" "$work" || exit 1
# What cl_khr_work_group_uniform_arithmetic has, of which clang's header has nothing.
{
    echo '#ifdef __OPENCL_C_VERSION__'
    echo '#if __OPENCL_C_VERSION__ >= 200'
    for name in mul and or xor; do
        for type in int uint long ulong float double; do
            [[ $name != mul && ( $type == float || $type == double ) ]] || echo "$type __attribute__((overloadable)) work_group_reduce_$name($type);"
        done
    done
    echo '#endif'
    echo '#endif'
} >uniform.h
export uniform=$PWD/uniform.h

compile() {
    # The features that clang leaves to the device in 3.0; nothing happens where the header sets them itself.
    clang -x cl "-cl-std=$1" -Xclang -D__opencl_c_work_group_collective_functions=1 -Dcl_khr_subgroup_shuffle=1 -Dcl_khr_subgroup_ballot=1 -Dcl_khr_integer_dot_product=1 \
        -D__opencl_c_integer_dot_product_input_4x8bit=1 -target spir64 -Xclang -finclude-default-header -Xclang -cl-ext=+all -fsyntax-only \
        -Wall -Wextra -Werror -Wno-unused-parameter -Wno-unused-command-line-argument -I "$root/kernels_cl12" -I "$root/kernels_cl20" -include "$uniform" "${@:2}"
}
export -f compile
export root

# all_compile STANDARD FOLDER [NTH]
all_compile() {
    local every=${3:-$nth}
    find "$2" -name '*.cl' | sort | awk -v nth="$every" -v first=$((RANDOM % every)) 'NR % nth == first' >chosen
    judge "$1: $(wc -l <chosen) programs of kernels for $2" compile_chosen "$1"
}
compile_chosen() {
    tr '\n' '\0' <chosen | xargs -0 -n 40 -P 2 bash -c 'compile "$@"' compile "$1"
}
all_compile CL1.2 1.2
mkdir tree && mv 1.2/tree_*.cl 1.2/cmpxchg_*.cl tree/ # the prelude is the same for all
for standard in CL2.0 CL3.0; do all_compile $standard tree; done
for standard in CL2.0 CL3.0; do all_compile $standard 2.0; done

# The kernels that one reads and copies compile alone under each of these (tests/tree/kernels_alone.py says more of them).
for kernel in $("$root/tests/tree/kernels_alone.py" files); do
    standards=(CL2.0 CL3.0)
    [[ $kernel == *cl20* ]] || standards+=(CL1.0 CL1.1 CL1.2)
    compiled_n=0
    for standard in "${standards[@]}"; do
        compile "$standard" "$root/$kernel" && compiled_n=$((compiled_n + 1))
    done
    judge "$kernel alone: ${standards[*]}" [ "$compiled_n" = "${#standards[@]}" ]
done

# Any other file compiles behind the prelude, which has a default for every choice; so do the roof and the digest.
mkdir alone
sed -n '/^#ifndef RED_T$/,/^#endif/p' "$root/kernels_cl12/lib/elements.cl" |
    sed -e 's/^\(#define RED_\(T\|A\)  *\)float$/\1uint/' -e 's/^\(#define RED_\(T_KIND\|IS_FLOAT\)  *\).*/\10/' >integers.cl
for kernel in "$root"/kernels_cl*/!(lib)/*.cl; do
    {
        grep -q '^//@ needs: .*integer_atomics' "$kernel" && cat integers.cl
        echo '#include "lib/prelude.cl"'
        [[ $kernel == */histogram/* ]] && echo '#include "lib/bins.cl"' # which it takes in where a host has chosen bins
        cat "$kernel"
    } >"alone/${kernel##*/}"
done
cp "$root"/kernels_cl12/lib/{roof,digest,disturb}.cl alone/
all_compile CL2.0 alone 1

# refuses MACROS: the prelude, what breaks the contract.
refuses() {
    # shellcheck disable=SC2086 # several options
    ! compile CL1.2 -D$1 "$root/kernels_cl12/lib/prelude.cl" 2>out && grep -q '#error\|error: "RED_' out
}
for broken in RED_GROUP_SIZE=0 "RED_ARRAYS=3 -DRED_T=float" "RED_WORD_BITS=16 -DRED_T=float -DRED_ARRAYS=1" \
    "RED_WIDTH=3 -DRED_LOADS=1" "RED_WIDTH=32 -DRED_LOADS=1" "RED_WIDTH=4 -DRED_LOADS=3" "RED_WIDTH=4 -DRED_LOADS=16"; do
    judge "the prelude refuses -D$broken" refuses "$broken"
done
exit $failed
