#!/usr/bin/env bash
# The README's list of strategies is what the program prints. `tests/readme.sh CLREDUCE --write` brings it up to date.
set -u
readme=$(dirname "$0")/../README.md
begin='<!-- strategies -->'
end='<!-- /strategies -->'
# shellcheck disable=SC2016 # the quotes are Markdown
list=$(printf '%s\n```text\n%s\n```\n%s' "$begin" "$("$1" strategies)" "$end")
if [ "${2:-}" = --write ]; then
    LIST=$list perl -0pi -e 's/<!-- strategies -->.*?<!-- \/strategies -->/$ENV{LIST}/s' "$readme"
fi
found=$(sed -n "\|^$begin\$|,\|^$end\$|p" "$readme")
if [ "$found" != "$list" ]; then
    echo "README.md lists other strategies than 'clreduce strategies'; run tests/readme.sh CLREDUCE --write"
    diff <(echo "$found") <(echo "$list")
    exit 1
fi
echo "the README's strategies are those of the program"
