#!/usr/bin/env bash
# bench/emitting/emitted: its medians, intervals, verdicts and exit status, of made-up times; and that bench/emitting/emitted.c compiles against
# what emit writes, and both sides agree, for each primitive on PoCL.
#   tests/cli/emitted.sh CLREDUCE
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/device.sh"

# Stand-ins for all that bench/emitting/emitted calls. The compiler's program prints the next line of the file named by its strategy.
mkdir bin build
# shellcheck disable=SC2016 # the stand-ins' own
{
    printf '#!/bin/sh\necho -lnone\n' >bin/pkg-config
    printf '#!/bin/sh\necho "$*" >>"%s/asked"\n[ "$7" != none ] || { echo "no such strategy"; exit 4; }\nwhile [ "$1" != --output ]; do shift; done\nmkdir -p "$2"\n' "$work" >build/clreduce
    printf '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\nprintf "%%s\\n" "#!/bin/sh" "cd \\"%s\\"; head -n 1 times.\\$2; sed -i 1d times.\\$2" >"$2"\nchmod +x "$2"\n' "$work" >bin/cc
}
chmod +x bin/* build/clreduce

# race STATUS OPTION...: bench/emitting/emitted among the stand-ins ends so; what it prints is in out.
race() {
    rm -f asked
    PATH=$work/bin:$PATH "$root/bench/emitting/emitted" --build build --device pocl "${@:2}" >out 2>&1
    [ $? = "$1" ]
}

# has LINE: in out, whatever its blanks.
has() {
    tr -s ' ' <out | grep -qxF -- "$1"
}

# five NAME RATIO...: launches of the strategy: 100 us of the suite, and the ratios.
five() {
    for ratio in "${@:2}"; do echo "100 $(python3 -c "print(100 * $ratio)") $ratio"; done >"times.$1"
}

five even 0.97 1.00 1.01 1.02 9
five slow 1.00 1.03 1.04 1.05 1.06
five unclear 0.5 1.00 1.03 1.04 1.05
judge "what is slow beyond doubt makes the exit status 1" race 1 --strategy even,slow,unclear --n 1024 --launches 5
judge "the median, and the interval without the least and the greatest" has "pocl even 1024 100.00 101.00 1.010 (1.000 to 1.020)"
judge "slow over the whole interval" has "pocl slow 1024 100.00 104.00 1.040 (1.030 to 1.050) SLOW"
judge "slow by the median" has "pocl unclear 1024 100.00 103.00 1.030 (1.000 to 1.040) slow?"
judge "how many are" has "1 of them with less than 0.98 of the suite's speed beyond doubt"

five even 1 1
judge "none is" race 0 --strategy even --n 1024,4096 --launches 1
judge "and that is told" has "none of them with less than 0.98 of the suite's speed beyond doubt"
judge "each n has a program" [ "$(grep -c -- '--n 1024$\|--n 4096$' asked)" = 2 ]
five even 1 1
judge "one program" race 0 --primitive scan --strategy even --n 1024,4096 --launches 1 --once
judge "of all n" [ "$(grep -c -- '--primitive scan .*even' asked) $(grep -c -- '--n ' asked)" = "2 0" ]
judge "what cannot be emitted ends it" race 1 --strategy none --n 1024
judge "with what emit said" has "no such strategy"

has_device "$clreduce" pocl || { echo "skipped: there is no device pocl on this machine" && [ $failed = 0 ] && exit 77; }
for pair in reduce/serial scan/scan_serial histogram/histogram_serial "histogram --openmp/histogram_serial"; do
    "$root/bench/emitting/emitted" --primitive ${pair%/*} --build "$(dirname "$clreduce")" --device pocl --strategy "${pair#*/}" --n 1000 --launches 1 \
        --rounds 1 >out 2>&1
    judge "both sides of a ${pair%/*} run and agree" grep -Eq "^pocl +${pair#*/} +1000 +[0-9.]+ +[0-9.]+  [0-9.]+ \(" out
done
exit $failed
