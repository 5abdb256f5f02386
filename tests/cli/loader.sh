#!/usr/bin/env bash
# Results, comparisons, reports and recommendations need no OpenCL: the programs that test them are linked without its loader.
#   tests/cli/loader.sh CLREDUCE PROGRAM...   CLREDUCE needs it, which shows that this would be seen
set -u
mapfile -t programs < <(realpath "$@")
. "$(dirname "$0")/../tools/check.sh"
command -v readelf >/dev/null || { echo "skipped: readelf is not installed" && exit 77; }

# whether the dynamic linker would look for it
needs_loader() {
    readelf --dynamic "$1" >out
    grep -q 'NEEDED.*libOpenCL' out
}
needs_none() {
    ! needs_loader "$1"
}

judge "$(basename "${programs[0]}") needs the loader" needs_loader "${programs[0]}"
for program in "${programs[@]:1}"; do judge "$(basename "$program") needs no loader" needs_none "$program"; done
exit $failed
