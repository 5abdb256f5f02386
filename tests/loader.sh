#!/usr/bin/env bash
# Results, comparisons, reports and recommendations need no OpenCL: the programs that test them are linked without its loader.
#   tests/loader.sh CLREDUCE PROGRAM...   CLREDUCE needs it, which shows that this would be seen
set -u
# needs_loader PROGRAM: whether the dynamic linker would look for it
needs_loader() { readelf --dynamic "$1" | grep -q 'NEEDED.*libOpenCL'; }
command -v readelf >/dev/null || { echo "skipped: readelf is not installed" && exit 77; }
failed=0
needs_loader "$1" || { echo "FAIL  $1 does not need the loader?" && failed=1; }
shift
for program; do
    if needs_loader "$program"; then
        echo "FAIL  $(basename "$program") needs the loader: $(readelf --dynamic "$program" | grep NEEDED | tr '\n' ' ')"
        failed=1
    else
        echo "ok    $(basename "$program") needs no loader"
    fi
done
exit $failed
