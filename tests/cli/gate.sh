#!/usr/bin/env bash
# bench/gate and the jobs that run it, in a throw-away repository of these files.
#   tests/cli/gate.sh CLREDUCE [SEED|all]    with what was built already; a stand-in for the program where times do not matter: the command
#                                        itself, and one of the other parts, which the seed draws, or all
#   tests/cli/gate.sh CLREDUCE build         builds both sides, one with a kernel made slower, and duels them: minutes
# shellcheck disable=SC2086 # variables that are single words
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/device.sh"
# shellcheck source=bench/setup/setup.sh
. "$root/bench/setup/setup.sh"
if ! git -C "$root" rev-parse --git-dir >/dev/null 2>&1; then
    echo "skipped: needs git, and a clone of the repository"
    exit 77
fi
# What a CI that runs these tests says is not meant for bench/gate, nor are settings of this machine's git.
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS
export GIT_CONFIG_GLOBAL=$work/gitconfig GIT_CONFIG_NOSYSTEM=1 GIT_{AUTHOR,COMMITTER}_{NAME,EMAIL}=tests
export OCL_ICD_VENDORS=${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}
python=/usr/bin/python3
skipped=

# ---- the repository ----

repository=$work/repository
mkdir "$repository"
# What takes long to copy, and nobody builds, stays.
(cd "$root" && git ls-files -z --cached --others --exclude-standard ':!results' ':!tests/fuzz' | xargs -0 cp -P --parents -t "$repository" 2>/dev/null)
cd "$repository" || exit 1
git init -q -b main
echo /out >.git/info/exclude # what check writes
git add --all
git commit -q -m "The files of this checkout"
mkdir "$work/fake"
export FAKE=$work/fake
gate=bench/gate

# new_branch NAME: from main, and nothing beside it.
new_branch() {
    git checkout -q -f main
    git clean -q -f -d
    git checkout -q -B "$1"
}

# commit TEXT
commit() {
    git add --all
    git commit -q -m "$1"
}

# What git knows, and has in its own folder.
state() {
    git status --porcelain
    git worktree list
    git for-each-ref
    find .git -type f ! -name index | sort
}

# The kernel chunk with a chain of steps before it.
# shellcheck disable=SC2016 # sed's own
slow_chunk() {
    sed '/^RED_KERNEL reduce/a\    uint slow = (uint)n | 1u;\n    for (uint i = 0; i < 200000u; i++) {\n        slow ^= slow << 13;\n        slow ^= slow >> 17;\n        slow ^= slow << 5;\n    }\n    if (slow == 0u)\n        out[0] = 0;' kernels_cl12/reduce/chunk.cl
}

# ---- with a stand-in for the compiler, and for the program ----

stand_ins() {
    export PATH=$root/tests/cli/gate:$PATH FAKE_PROGRAM=$root/tests/cli/gate/clreduce
}

# has_argument TEXT: one of those that the stand-in had.
has_argument() {
    grep -qxF -- "$1" "$FAKE/arguments"
}
written() {
    local name
    for name in duel.json junit.xml summary.md; do
        [ -s "$1/$name" ] || return 1
    done
}
nothing_is_left() {
    local file
    for file in build/gate/{base,head}/pocl build/gate/{objects,snapshot,table.md,annotations,reason}; do
        [ ! -e "$file" ] || return 1
    done
    state | cmp -s - "$FAKE/before"
}

one_command() {
    new_branch one
    state >"$FAKE/before"
    check "a commit against itself" 0 'A/A comparison' $gate HEAD --device pocl --n 2^12
    judge "all files are written" written build/gate
    judge "the summary begins with the verdict" grep -qx '## Gate: passed: nothing is confirmed slower' build/gate/summary.md
    judge "says what now" grep -qx 'What now: nothing.' build/gate/summary.md
    judge "and goes on with the duel's" grep -qx '| a cell |' build/gate/summary.md
    judge "no annotations here" sh -c '! grep -q ::warning out'
    judge "nothing is left in the repository" nothing_is_left
    for side in base head; do
        judge "the $side's program" has_argument "$repository/build/gate/$side/source/build/clreduce"
        judge "has compiled kernels of its own" has_argument "POCL_CACHE_DIR=$repository/build/gate/$side/pocl"
    done
    judge "the duel's options follow" test "$(tail -n 4 "$FAKE/arguments" | tr '\n' ' ')" = "--device pocl --n 2^12 "
    judge "no policy without its file" sh -c "! grep -qx -- --policy $FAKE/arguments"
    check "the duel's status is the gate's" 77 "a table" env FAKE_STATUS=77 $gate HEAD --output-dir "$work/elsewhere"
    # shellcheck disable=SC2016 # Markdown's quotes
    judge "and stands in the summary" grep -q '^Exit status 77 of `bench/gate HEAD --output-dir ' "$work/elsewhere/summary.md"
    judge "in the folder that was named" written "$work/elsewhere"
    check "in a hook of git's, with its settings" 0 'a table' env GIT_DIR=nowhere GIT_INDEX_FILE=nowhere $gate HEAD
    check "the help" 0 '^Example: bench/gate origin/main --merge-base' $gate --help
}

sides() {
    new_branch sides
    echo "[*]" >clreduce.ini
    echo "margin = 5 %" >>clreduce.ini
    git rm -q kernels_cl12/reduce/serial.cl
    touch different
    commit "A policy, a kernel less, another program"
    cp kernels_cl12/reduce/tree.cl kernels_cl12/reduce/new.cl
    echo "// edited" >>kernels_cl12/reduce/chunk.cl
    mkdir -p build
    touch build/ignored.cl
    state >"$FAKE/before"
    check "a working tree against main" 0 'building the head: worktree at [0-9a-f]+ with changes' $gate main
    judge "is no A/A comparison" sh -c '! grep -q "A/A" out'
    local base=build/gate/base/source head=build/gate/head/source
    judge "the base is main" diff -r -x out -x build -x .git -x clreduce.ini -x different -x kernels_cl12 "$base" .
    judge "with its own kernels" sh -c "cd $base && [ -e kernels_cl12/reduce/serial.cl ] && [ ! -e kernels_cl12/reduce/new.cl ] && ! grep -q edited kernels_cl12/reduce/chunk.cl"
    judge "the head is what is here, committed or not" diff -r -x out -x build -x .git "$head" .
    judge "without what git ignores" test ! -e $head/build/ignored.cl
    judge "the policy is the duel's" has_argument clreduce.ini
    judge "nothing is left in the repository" nothing_is_left
    touch "$FAKE/now"
    check "once more" 0 'a table' $gate main
    judge "touches no source" test -z "$(find $base $head -type f ! -path '*/build/*' -newer "$FAKE/now")"
    git checkout -q -f main
    check "a commit as head" 0 'building the head: sides at' $gate main --head sides
    judge "is that commit" sh -c "[ ! -e $head/kernels_cl12/reduce/new.cl ] && ! grep -q edited $head/kernels_cl12/reduce/chunk.cl && [ -e $head/different ]"
    rm -f $head/different
    check "a checkout that somebody has touched" 0 'a table' $gate main --head=sides
    judge "is put right" test -e $head/different
    rm $head/../complete
    touch $head/kernels_cl12/reduce/stale.cl
    check "a checkout that was killed" 0 'a table' $gate main --head sides
    judge "begins anew" test ! -e $head/kernels_cl12/reduce/stale.cl
    touch $base/build/old $head/build/old
    check "other compiler flags" 0 'a table' env CFLAGS=-O1 $gate main --head sides
    judge "build both anew" test ! -e $base/build/old -a ! -e $head/build/old
    git checkout -q -f sides
    echo "more text" >>README.md
    check "a change beside the program" 0 'differ, but not in the program' $gate HEAD
}

parted() {
    new_branch parted
    echo "ours" >ours
    commit "Ours"
    git checkout -q main
    echo "theirs" >theirs
    commit "Theirs"
    git checkout -q parted
    check "a base that has gone on" 0 "note: 'main' has commits that the head lacks" $gate main
    judge "is what was named" test -e build/gate/base/source/theirs
    check "where the head has parted from it" 0 'building the base: main at' $gate main --merge-base
    judge "its new commits are left out" test ! -e build/gate/base/source/theirs -a -e build/gate/head/source/ours
    judge "without a note" sh -c '! grep -q "has commits" out'
    git checkout -q main
    git reset -q --hard HEAD~1
}

refused() {
    git rev-parse -q --verify sides >/dev/null || { new_branch sides && touch different && commit "Another program"; }
    new_branch refused
    state >"$FAKE/before"
    check "no base" 4 'the first argument is the commit to compare with' $gate
    check "an option in its place" 4 'the first argument is the commit to compare with' $gate --device pocl
    check "no such commit" 4 "'nowhere' is no commit here\. git fetch origin 'nowhere' fetches it: then bench/gate FETCH_HEAD" $gate nowhere
    judge "has a summary, too" grep -qx '## Gate: not judged' build/gate/summary.md
    judge "with the reason" grep -q "^NOT JUDGED: nothing is said about the change\. The reason: ?nowhere? is no commit here\." build/gate/summary.md
    judge "and nothing of an earlier run" test ! -e build/gate/duel.json -a ! -e build/gate/junit.xml
    check "no such head" 4 "'nowhere' is no commit" $gate main --head nowhere
    check "a file is no commit" 4 "is no commit" $gate HEAD:README.md
    check "what only origin has" 4 "did you mean 'origin/elsewhere'" sh -c "git update-ref refs/remotes/origin/elsewhere main; $gate elsewhere"
    git update-ref -d refs/remotes/origin/elsewhere
    check "the duel's base" 4 'bench/gate builds both sides' $gate main --base build/clreduce
    check "the duel's output" 4 'the folder that --output-dir names' $gate main --output=x
    check "a stored duel" 4 'measures no two builds' $gate main --replay x
    check "an option without its value" 4 '--head needs a value' $gate main --head
    check "other drivers" 4 "'some' is not valid" $gate main --drivers some
    judge "nothing is left in the repository" nothing_is_left
    touch kernels_cl12/reduce/broken.cl
    check "a head that does not build" 4 '^kernels_cl12/reduce/broken.cl:1: broken' $gate main
    judge "has its log" grep -q broken build/gate/head.log
    rm kernels_cl12/reduce/broken.cl
    exec 8>build/gate/lock && flock 8
    check "two at once" 4 'another bench/gate is at work' $gate main
    exec 8>&-
    # What fails on the way to the duel is no verdict of it: not 1, which is "slower", and not git's 128.
    local place
    for place in lock summary.md head.log snapshot objects; do
        rm -rf build/gate
        mkdir -p build/gate
        case $place in objects) touch "build/gate/$place" ;; *) mkdir "build/gate/$place" ;; esac
        case $place in head.log) touch again.cl ;; snapshot) mkdir build/gate/snapshot/x ;; esac
        check "what cannot be written: $place" 4 '^clreduce: (setting up failed: .* ended with status [0-9]+; what it said stands above.*|.*head.log cannot be written)$' $gate main
    done
    rm -rf build/gate again.cl
    touch build/gate
    check "no folder for it" 4 '^clreduce: setting up failed' $gate main
    rm build/gate
    check "nor for its output" 4 '^clreduce: setting up failed' $gate main --output-dir /dev/null/x
    git clone -q --depth 1 "file://$repository" "$work/shallow"
    check "a shallow clone" 4 "this clone is shallow; git fetch --depth=1 origin 'sides' fetches it: then bench/gate FETCH_HEAD" "$work/shallow/$gate" origin/sides
    git -C "$work/shallow" fetch -q --depth=1 origin 'sides'
    check "has that way out" 0 'building the base: FETCH_HEAD at' sh -c "cd $work/shallow && $gate FETCH_HEAD"
    check "but no common commit" 4 'git fetch --unshallow origin' sh -c "cd $work/shallow && $gate FETCH_HEAD --merge-base"
    rm -rf "$work/shallow/.git"
    check "no clone at all" 4 'is no clone of the repository' "$work/shallow/$gate" main
}

has_ended() {
    for _ in $(seq 50); do
        kill -0 "$1" 2>/dev/null || return 0
        sleep 0.1
    done
    return 1
}

# interrupted_at build|duel SIGNAL: in a group of its own, or it would ignore the signal.
interrupted_at() {
    local gate_id status
    rm -f "$FAKE/process"
    set -m
    FAKE_WAIT=$1 $gate main >out 2>&1 </dev/null &
    gate_id=$!
    set +m
    until [ -s "$FAKE/process" ] || ! kill -0 $gate_id 2>/dev/null; do sleep 0.1; done
    kill "-$2" $gate_id
    wait $gate_id
    status=$?
    judge "$2 at the $1: exit status $status" test $status = 130
    judge "ends what it started" has_ended "$(cat "$FAKE/process")"
    judge "nothing is left in the repository" nothing_is_left
    judge "and the summary says it" grep -q '^## Gate: interrupted' build/gate/summary.md
}

interrupted() {
    new_branch interrupted
    state >"$FAKE/before"
    interrupted_at build INT
    interrupted_at duel TERM
    judge "what there was is written" test -s build/gate/duel.json -a -s build/gate/junit.xml
}

# ---- the jobs ----

# job CI STATUS WANTED VARIABLE...: runs it in a fresh checkout of a pull request, where the stand-in ends with that status.
job() {
    local ci=$1 status=$2 wanted=$3 file=.github/workflows/gate.yml
    shift 3
    [ "$ci" = github ] || file=.gitlab/gate.yml
    rm -rf "$work/checkout" "$work/artifacts"
    git clone -q "file://$repository" "$work/checkout"
    cd "$work/checkout" || exit 1
    git checkout -q --detach origin/change
    # As in a container, of whose user git takes nobody else's repository.
    rm -f "$GIT_CONFIG_GLOBAL"
    [ "$(id -u)" != 0 ] || chown -R 1001:1001 .
    check "$ci, status $status: $wanted" 0 "^$wanted\$" env FAKE_STATUS="$status" "$python" "$root/tests/cli/gate/steps.py" "$ci" $file \
        "$work/artifacts" "$@"
    judge "with its artifacts" written "$work/artifacts/build/gate"
    judge "logs, too" test -e "$work/artifacts/build/gate/head.log"
    judge "and the duel's status in the log" grep -qx "steps: exit status $status" out
    cp out "$FAKE/log"
    cd "$repository" || exit 1
}

# verdict_of STATUS WORD_FOR_3
verdict_of() {
    case $1 in 0) echo success ;; 3) echo "$2" ;; *) echo failure ;; esac
}

jobs() {
    # shellcheck disable=SC2016 # it is a name
    local status hostile='`|<b>$(touch${IFS}owned)'
    if ! "$python" -c 'import yaml' 2>/dev/null; then
        echo "skipped: the jobs' commands: needs python3-yaml"
        skipped=yes
        return
    fi
    git checkout -q -f main
    git branch -q -f "$hostile" main
    new_branch change
    echo "ours" >ours
    commit "A change"
    for status in 0 1 3; do
        : >"$FAKE/summary"
        job github $status "$(verdict_of $status failure)" GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY="$FAKE/summary"
        judge "the step's summary is the gate's" cmp -s "$FAKE/summary" "$work/artifacts/build/gate/summary.md"
        judge "and there are annotations" grep -q '^::warning title=clreduce::' "$FAKE/log"
        judge "the only commands but for the one that stops others" test "$(sed -n 's/^steps: command \([^ ]*\) .*/\1/p' "$FAKE/log" | paste -sd ' ')" = "stop-commands warning"
        job gitlab $status "$(verdict_of $status warning)" CI_MERGE_REQUEST_DIFF_BASE_SHA="$(git rev-parse main)"
    done
    job gitlab 77 warning CI_MERGE_REQUEST_DIFF_BASE_SHA=0000 CI_MERGE_REQUEST_TARGET_BRANCH_SHA="$(git rev-parse main)"
    job github 5 failure GITHUB_BASE_REF="$hostile" GITHUB_STEP_SUMMARY="$FAKE/summary"
    judge "GitHub's job runs where docs/install.md says that it was tried" grep -qx '    container: debian:12' "$root/.github/workflows/gate.yml"
    judge "a hostile branch's name is no command" test ! -e "$work/checkout/owned"
    # shellcheck disable=SC2016 # Markdown's quotes
    judge "and no Markdown" grep -qx 'Exit status 5 of `bench/gate origin/???b???touch??IFS?owned? --merge-base`. Base: `origin/???b???touch??IFS?owned? at [0-9a-f]*`, head: .*' "$FAKE/summary"
}

# What reads these files elsewhere, and what these checkers would miss is no check.
formats() {
    local checkers=$root/build/checkers/bin
    if ! make_venv "$root/build/checkers" "$root/tests/cli/checkers.txt"; then
        echo "skipped: zizmor and GitLab's schema cannot be had from PyPI: $(tail -n 1 "$root/build/checkers.log")"
        skipped=yes
        return
    fi
    new_branch formats
    local zizmor=("$checkers/zizmor" --quiet --offline --config "$root/tests/cli/zizmor.yml")
    judge "zizmor" "${zizmor[@]}" .github/workflows/gate.yml
    sed -i 's/origin\/$GITHUB_BASE_REF/origin\/${{ github.head_ref }}/' .github/workflows/gate.yml
    check "finds an injection" 14 'template-injection' "${zizmor[@]}" .github/workflows/gate.yml
    check "GitHub's schema" 0 'validation done' "$checkers/check-jsonschema" --builtin-schema vendor.github-workflows .github/workflows/gate.yml
    check "GitLab's schema" 0 'validation done' "$checkers/check-jsonschema" --builtin-schema vendor.gitlab-ci .gitlab/gate.yml
    sed -i 's/exit_codes/exit_code/' .gitlab/gate.yml
    check "finds a slip of the finger" 1 'exit_code' "$checkers/check-jsonschema" --builtin-schema vendor.gitlab-ci .gitlab/gate.yml
}

# ---- with the program ----

# junit EXPRESSION: in Python, of the test cases, is true.
junit() {
    "$python" -c 'import sys, xml.etree.ElementTree as tree
cases = {case.get("name"): case for case in tree.parse("build/gate/junit.xml").iter("testcase")}
sys.exit(not eval(sys.argv[1]))' "$1"
}

# A margin that no machine's noise comes near: what is tested here is the way from a verdict to a status.
duel() {
    local cell=pocl/chunk/sum/f32/n:4096
    export FAKE_PROGRAM=$clreduce
    new_branch duel
    printf '[*]\nmargin = 50 %%\n' >clreduce.ini
    commit "A policy"
    set -- --device pocl --strategy chunk --n 2^12 --profile fast
    check "the program against itself" 0 '^clreduce.ini:2: margin = 50 %' $gate HEAD "$@"
    judge "its JUnit has no failure" junit "list(cases) == ['$cell'] and cases['$cell'].find('failure') is None"
    check "its samples can be judged again" 0 "^$cell" "$clreduce" duel --replay build/gate/duel.json
    slow_chunk >slow.cl
    GITHUB_ACTIONS=true check_duel "a slower kernel" 1 "^$cell .*SLOWER" $gate HEAD "$@" --head-kernel slow.cl || return
    judge "the annotation" grep -qE '^::error .*SLOWER' out
    judge "the summary" grep -qx '## Gate: failed: slower, confirmed in two independent stages' build/gate/summary.md
    judge "and JUnit" junit "cases['$cell'].find('failure') is not None"
}

# Nothing stands in for anything here.
whole() {
    new_branch whole
    slow_chunk >slow.cl
    mv slow.cl kernels_cl12/reduce/chunk.cl
    commit "A kernel that is slower"
    check_duel "a commit with a slower kernel" 1 '^pocl/chunk/sum/f32/n:4096 .*SLOWER' $gate main --device pocl --strategy chunk,serial --n 2^12 &&
        judge "fails in JUnit" junit "[name for name in cases if cases[name].find('failure') is not None] == ['pocl/chunk/sum/f32/n:4096']"
    check_duel "the other way round" 0 '^pocl/chunk/sum/f32/n:4096 .*FASTER' $gate HEAD --head main --device pocl --strategy chunk --n 2^12
    judge "builds what differs" grep -q 'embedded.c' build/gate/base.log
    judge "and no more" sh -c "! grep -q 'cli/main.c' build/gate/base.log"
    check_duel "once more" 0 'FASTER' $gate HEAD --head main --device pocl --strategy chunk --n 2^12
    judge "builds nothing" grep -q 'no work to do' build/gate/base.log
}

need_device "$clreduce" pocl
if [ "${2:-}" = build ]; then
    whole
    exit $failed
fi
stand_ins
one_command
sections "${2:-}" 1 sides parted refused interrupted jobs formats duel
[ -z "$skipped" ] || [ $failed = 1 ] || exit 77
exit $failed
