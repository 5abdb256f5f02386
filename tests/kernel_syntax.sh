#!/usr/bin/env bash
# Every kernel x type x operation x group size under every OpenCL C standard it is written for, by clang.
#   tests/kernel_syntax.sh EMIT_SOURCES
set -u
command -v clang >/dev/null || { echo "skipped: clang is not installed"; exit 77; }
emit=$1
kernels=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/1.2" "$work/2.0"
"$emit" "$work" || exit 1
failed=0

compile() {
    # The features that clang leaves to the device in 3.0; nothing happens where the header sets them itself.
    clang -x cl "-cl-std=$1" -Xclang -D__opencl_c_work_group_collective_functions=1 -target spir64 -Xclang -finclude-default-header -Xclang -cl-ext=+all -fsyntax-only \
        -Wall -Wextra -Werror -Wno-unused-parameter -Wno-unused-command-line-argument "${@:2}"
}
export -f compile

# check STANDARD FOLDER
check() {
    local n
    n=$(find "$work/$2" -name '*.cl' | wc -l)
    if find "$work/$2" -name '*.cl' -print0 | xargs -0 -n 40 -P 2 bash -c 'compile "$@"' compile "$1"; then
        echo "ok    $1: $n programs of kernels for $2"
    else
        echo "FAIL  $1: kernels for $2"
        failed=1
    fi
}
for standard in CL1.2 CL2.0 CL3.0; do check $standard 1.2; done
for standard in CL2.0 CL3.0; do check $standard 2.0; done

# Each file compiles alone behind the prelude, which has a default for every choice; so does the roof.
mkdir "$work/alone"
for kernel in "$kernels"/kernels_cl12/*.cl "$kernels"/kernels_cl20/*.cl; do
    case $kernel in
    */prelude.cl) continue ;;
    */roof.cl) cp "$kernel" "$work/alone/" ;;
    *) printf '#include "%s/kernels_cl12/prelude.cl"\n#include "%s"\n' "$kernels" "$kernel" >"$work/alone/${kernel##*/}" ;;
    esac
done
check CL2.0 alone

# The prelude refuses what breaks the contract.
for broken in RED_GROUP_SIZE=0 "RED_ARRAYS=3 -DRED_T=float" "RED_WORD_BITS=16 -DRED_T=float -DRED_ARRAYS=1"; do
    # shellcheck disable=SC2086 # several options
    if compile CL1.2 -D$broken "$kernels/kernels_cl12/prelude.cl" 2>"$work/log" || ! grep -q '#error\|error: "RED_' "$work/log"; then
        echo "FAIL  the prelude accepts -D$broken"
        failed=1
    else
        echo "ok    the prelude refuses -D$broken"
    fi
done
exit $failed
