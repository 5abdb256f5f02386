#!/usr/bin/env bash
# The commands of the pages that teach, each as it stands there: it ends with status 0, and nothing that it names is wrong, cannot run or
# does not exist. A seed draws three of them, or all are run.
#   tests/cli/tutorial.sh CLREDUCE [SEED|all]
set -u
clreduce=$(realpath "$1")
share=${2:-$RANDOM}
. "$(dirname "$0")/../tools/device.sh"
need_device "$clreduce" intel
seeded "$share"
mkdir build
ln -s "$clreduce" build/clreduce
ln -s "$root/docs" .

awk '/^```sh/ { code = 1; next } /^```/ { code = 0 } code { sub(/ +# .*/, ""); print }' "$root"/docs/{tutorial,first-kernel}.md >commands
judge "both pages have commands" [ "$(wc -l <commands)" -ge 25 ]
judge "of programs that are there" sh -c "! grep -vE '^(build/clreduce|bench/gate-kernel) ' commands"
grep -v '^bench/gate-kernel ' commands >own
echo "not run here: $(grep -c '^bench/gate-kernel ' commands) commands of bench/gate-kernel, which test gate_kernel runs on these files"

# ran COMMAND: with bounds that keep the test short; the page's reader has the time.
ran() {
    local bounds=
    case $1 in *' bench '*) bounds=' --time-per-cell 0.02 --data-sets 2' ;; esac
    bash -c "$1$bounds" >out 2>&1 </dev/null && ! grep -qE 'WRONG|cannot run on' out
}
while read -r command; do
    judge "$command" ran "$command"
done < <(if [ "$share" = all ]; then cat own; else shuf -n 3 --random-source=<(yes "$share") own; fi)
exit $failed
