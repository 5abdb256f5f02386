#!/usr/bin/env bash
# The commands of the pages that teach, each as it stands there: it ends with status 0, and nothing that it names is wrong, cannot run or
# does not exist. A drawn share of them where one is named.
#   tests/cli/tutorial.sh CLREDUCE [SHARE]    one in SHARE commands
set -u
clreduce=$(realpath "$1")
share=${2:-1}
. "$(dirname "$0")/../tools/device.sh"
need_device "$clreduce" intel
turn=$((${CLREDUCE_TEST_SEED:-$(date +%s)} % share))
echo "every command whose number modulo $share is $turn (CLREDUCE_TEST_SEED)"
mkdir build
ln -s "$clreduce" build/clreduce
ln -s "$root/docs" "$root/kernels_cl12" .

# Bounds that keep the test short: the page's reader has the time.
quick() {
    case $1 in
    *' bench '*) echo "$1 --time-per-cell 0.02 --data-sets 2" ;;
    *) echo "$1" ;;
    esac
}

i=0
ran=0
while IFS=$'\t' read -r page line; do
    line=${line%%  #*}
    case $line in
    bench/gate-kernel*)
        [ -x "$root/${line%% *}" ] && echo "not run here: $line: test gate_kernel has it"
        continue
        ;;
    esac
    i=$((i + 1))
    [ $((i % share)) = "$turn" ] || continue
    ran=$((ran + 1))
    bash -c "$(quick "$line")" >out 2>&1 </dev/null
    status=$?
    if [ $status = 0 ] && ! grep -qE 'WRONG|cannot run|unknown|not timed: it was wrong' out; then
        ok "$page: $line"
    else
        fail "$page: $line" "exit status $status: $(tail -n 12 out)"
    fi
done < <(cd "$root/docs" && awk '/^```sh/ { code = 1; next } /^```/ { code = 0 } code { print FILENAME "\t" $0 }' tutorial.md first-kernel.md)
[ "$i" -ge 20 ] || fail "commands" "only $i were found"
[ "$ran" -gt 0 ] || fail "commands" "none was run"
exit $failed
