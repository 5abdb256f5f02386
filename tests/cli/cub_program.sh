#!/usr/bin/env bash
# The program of bench/cuda/cub.cu compiles where there is a CUDA toolkit, refuses bad usage, and says where it finds no GPU.
# So does bench/cuda/nccl.cu where there is NCCL. 77: no toolkit.
set -u
. "$(dirname "$0")/../tools/check.sh"
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ -z "$nvcc" ]; then
    echo "skipped: no nvcc, so bench/cuda/cub.cu was not compiled"
    exit 77
fi
judge "it compiles without a warning" sh -c "'$nvcc' -std=c++17 -arch=sm_90 -Werror all-warnings -o cub '$root/bench/cuda/cub.cu'"
[ -x cub ] || exit 1
check "help" 0 'DeviceScan::InclusiveSum' ./cub --help
check "an unknown primitive" 4 "'sort' is not valid; expected reduce, scan or histogram" ./cub --primitive sort
check "a type of another primitive" 4 "'u8' is not valid; expected some of f32,i32" ./cub --primitive scan --type u8
check "a type that is missing in a list" 4 "'f32,' is not valid" ./cub --type f32,
check "sizes" 4 "expected a size such as 1000 or 2\^20[+]1, got 'x'" ./cub --n 5..7,x
check "a seed that no file keeps" 4 "expected a whole number up to 2\^63 - 1" ./cub --seed 9223372036854775808
CUDA_VISIBLE_DEVICES='' check "without a GPU" 77 'no CUDA device 0' ./cub --primitive histogram --type u8 --n 2^10
if [ -e "${NCCL_HOME:-/usr}/include/nccl.h" ]; then
    judge "NCCL's program compiles without a warning" sh -c \
        "'$nvcc' -std=c++17 -arch=sm_90 -Werror all-warnings -I '${NCCL_HOME:-/usr}/include' -c -o nccl.o '$root/bench/cuda/nccl.cu'"
else
    echo "not checked: bench/cuda/nccl.cu, since there is no nccl.h (NCCL_HOME names its folder)"
fi
exit $failed
