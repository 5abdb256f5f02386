#!/usr/bin/env bash
# Reads what nobody would write: libFuzzer on the readers of kernel manifests, sizes, registers of known bugs, result files, files of
# verify, policies and duels, with the address and undefined-behaviour sanitizers.
#   tests/fuzz/fuzz.sh EMBEDDED.c [SECONDS [TARGET...]]   seconds for each target (1), beginning with tests/fuzz/corpus; none named: two that are
#                                                    drawn for a second, all for more
# EMBEDDED.c is the table of kernels that the build makes. What ends a target is left in ./crash-*.
# Where clang or its libFuzzer is not installed, gcc and tests/fuzz/drive.c take their place, which see no coverage.
# FUZZ_KEEP=FOLDER adds to FOLDER/TARGET what was found that reaches code no other input there reaches: so the corpus grows.
set -u
. "$(dirname "$0")/../../bench/setup/help.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
embedded=$1
seconds=${2:-1}
shift $(($# < 2 ? $# : 2))
targets=("$@")
if [ ${#targets[@]} = 0 ]; then
    mapfile -t targets < <(printf '%s\n' manifest sizes expect result verified policy duel | shuf -n $((seconds > 1 ? 7 : 2)))
    echo "the same again by tests/fuzz/fuzz.sh EMBEDDED.c $seconds ${targets[*]}"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2207 # words
xml=($(pkg-config --cflags libxml-2.0))
flags=(-std=c11 -g -O1 "-fsanitize=address,undefined" -fno-sanitize-recover=undefined -I"$root/src" -I"$root" -include "$work/version.h" "${xml[@]}")
echo '#define CLREDUCE_VERSION "fuzz"' >"$work/version.h"
echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d == 0 && n > 9; }' >"$work/empty.c"
if clang -fsanitize=fuzzer "$work/empty.c" -o "$work/empty" 2>/dev/null; then
    compiler=clang each=-fsanitize=fuzzer-no-link driver=-fsanitize=fuzzer
    # clang 14 has no _Float16 for x86.
    [ "$(uname -m)" != x86_64 ] || flags+=(-D_Float16=__fp16 -mf16c)
else
    echo "clang has no libFuzzer here: gcc and tests/fuzz/drive.c take its place"
    compiler=gcc each=-g driver=$root/tests/fuzz/drive.c
fi

sources=("$embedded")
for file in "$root"/src/{core,model,stats,results}/*.c; do [ "$(basename "$file")" = embed.c ] || sources+=("$file"); done
for name in gate/{judge,policy,file,duel}; do sources+=("$root/src/$name.c"); done
sources+=("$root/tests/fuzz/no_duel.c")
for source in "${sources[@]}"; do
    echo "$compiler ${flags[*]@Q} $each -c '$source' -o '$work/$(basename "$(dirname "$source")")_$(basename "$source").o'"
done | xargs -P "$(nproc)" -I{} sh -c '{}' || { echo "FAIL  does not build" && exit 1; }

# What we have of each kind is a seed, too.
declare -A ours=([manifest]="$root/kernels_cl*/*" [expect]="$root/tests/expect" [sizes]="" [result]="" [verified]="" [policy]="" [duel]="")
failed=0
for target in "${targets[@]}"; do
    mkdir "$work/$target"
    "$compiler" "${flags[@]}" "$driver" "$root/tests/fuzz/$target.c" "$work"/*.o -ljansson -lxml2 -linih -lgsl -lgslcblas -lm -o "$work/$target.bin" || exit 1
    # shellcheck disable=SC2206 # lists of folders
    seeds=("$root/tests/fuzz/corpus/$target" ${ours[$target]})
    if [ $compiler = clang ]; then
        given=(-max_total_time="$seconds" -max_len=32768 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 "$work/$target")
    else
        given=("$seconds" "$RANDOM")
    fi
    if "$work/$target.bin" "${given[@]}" "${seeds[@]}" >"$work/log" 2>&1; then
        echo "ok    $target: $(grep -o 'number_of_executed_units: .*' "$work/log" | tr -dc 0-9) inputs, no fault"
    else
        echo "FAIL  $target"
        tail -n 40 "$work/log"
        failed=1
    fi
    [ -z "${FUZZ_KEEP:-}" ] || [ $compiler = gcc ] || { mkdir -p "$FUZZ_KEEP/$target" && "$work/$target.bin" -merge=1 -max_len=2048 "$FUZZ_KEEP/$target" "$work/$target" >"$work/log" 2>&1; }
done
exit $failed
