# shellcheck shell=bash
# Where --help is asked for: prints the text that the script begins with, and ends. To be sourced before the arguments are read.
if [ "${1:-}" = --help ]; then
    awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "$0"
    exit 0
fi
