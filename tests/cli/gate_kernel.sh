#!/usr/bin/env bash
# bench/gate-kernel and bench/bisect, and the jobs and kernels that docs/gate.md shows, step by step, in repositories of somebody else's kernel
# that are made here. A stand-in for the compiler: what is built is the program that is tested.
#   tests/cli/gate_kernel.sh CLREDUCE quick     what costs little
#   tests/cli/gate_kernel.sh CLREDUCE [SEED]    one of the other parts, and one of right, slow and wrong kernels of the primitives, which the seed
#                                               draws
#   tests/cli/gate_kernel.sh CLREDUCE all       all of them
# shellcheck disable=SC2016,SC2046,SC2086 # Markdown's quotes; lists of options
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/device.sh"
command -v git >/dev/null || { echo "skipped: needs git"; exit 77; }
need_device "$clreduce" pocl
# What a CI that runs these tests says is not meant for the jobs here, nor are settings of this machine's git.
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY
export GIT_CONFIG_GLOBAL=$work/gitconfig GIT_CONFIG_NOSYSTEM=1 GIT_{AUTHOR,COMMITTER}_{NAME,EMAIL}=tests
export OCL_ICD_VENDORS=${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}
export PATH=$root/tests/cli/gate:$PATH FAKE_PROGRAM=$clreduce FAKE=$work/fake
python=/usr/bin/python3
skipped=
mkdir "$FAKE"
options="--device pocl --type f32 --op sum --wg 64 --n 2^12 --profile fast"

# ---- clreduce, as a job clones it, and the repository of somebody's kernel ----

mkdir "$work/origin"
(cd "$root" && git ls-files -z --cached --others --exclude-standard bench CMakePresets.json | xargs -0 cp -P --parents -t "$work/origin" 2>/dev/null)
git -C "$work/origin" init -q -b main
git -C "$work/origin" add --all
git -C "$work/origin" commit -q -m "clreduce"
pinned=$(git -C "$work/origin" rev-parse HEAD)
git clone -q "$work/origin" "$work/clreduce"
gate=$work/clreduce/bench/gate-kernel
bisect=$work/clreduce/bench/bisect

# The first kernel of docs/first-kernel.md under the name of mine, changed by a script for sed.
mine() {
    sed '/name:/s/my_sum/mine/' "$root/docs/kernels/my_sum.cl" | sed "$1"
}
slow='s/^    RED_A value = RED_IDENTITY;/&\n    uint slow = (uint)n | 1u;\n    for (uint i = 0; i < (n == 4096 ? 20000u : 20u); i++) {\n        slow ^= slow << 13;\n        slow ^= slow >> 17;\n        slow ^= slow << 5;\n    }\n    if (slow == 0u)\n        out[0] = 0;/'
wrong='s/begin + piece);/begin + piece - (n % 64 == 1));/'
broken='s/i < end; i++/i < end; i++ +/'
comment='s/^RED_KERNEL/\/\/ a comment\n&/'

# The same, with a variant of another primitive.
variant_of() {
    mine "s/^\/\/@ source:.*/&\n\/\/@ variant: other\n\/\/@ primitive: $1\n\/\/@ group: none\n\/\/@ finish: reduce_then_scan\n\/\/@ needs: nothing\n\/\/@ ops: inclusive_sum/"
}

# commit TEXT [SED]: the kernel, changed, or removed where no script is given.
commit() {
    if [ $# -gt 1 ]; then
        mkdir -p kernels
        mine "$2" >kernels/mine.cl
    else
        rm -f kernels/mine.cl
    fi
    git add --all
    git commit -q -m "$1"
}

# new_repository: with a kernel on main; what follows goes on a branch that has left it.
new_repository() {
    rm -rf "$work/theirs"
    mkdir "$work/theirs"
    cd "$work/theirs" || exit 1
    git init -q -b main
    printf '%s\n' /clreduce/ /gate-kernel/ /out >.gitignore
    # A margin that no machine's noise comes near.
    printf '[*]\nmargin = 50 %%\n' >clreduce.ini
    commit "Begin"
    [ "${1:-}" = empty ] || commit "A kernel" "${1:-}"
    git checkout -q -b change
}

# job CI WANTED WORD [PATTERN]: runs the file of the page in a clone of the branch `change`, shallow where $depth says so. WORD ends the title of
# its summary; a line of that matches PATTERN.
depth=
job() {
    local ci=$1 wanted=$2 word=$3 pattern=${4:-.} base
    base=$(git merge-base main change)
    git clone -q ${depth:+--depth "$depth"} --branch change "file://$work/theirs" "$work/checkout"
    cd "$work/checkout" || exit 1
    git checkout -q --detach origin/change
    : >"$FAKE/summary"
    check "$ci: $wanted, $word" 0 "^$wanted\$" "$python" "$root/tests/cli/gate/steps.py" "$ci" "$root/bench/gating/ci/$ci.yml" "$work/artifacts" \
        OPTIONS="$options" CLREDUCE_URL="$work/origin" CLREDUCE_COMMIT="$pinned" GITHUB_BASE_REF=main CI_MERGE_REQUEST_DIFF_BASE_SHA="$base" \
        GITHUB_STEP_SUMMARY="$FAKE/summary"
    summary=$work/artifacts/gate-kernel/summary.md
    judge "the title says it" grep -qx "## kernels/mine.cl: $word" "$summary"
    judge "both commits stand there" sh -c "grep -q '$(git rev-parse --short HEAD)' '$summary' && grep -q '$(git rev-parse --short "$base")' '$summary'"
    judge "'$pattern'" grep -qE -- "$pattern" "$summary"
    judge "and what now" grep -q '^What now: ' "$summary"
    judge "and no p" sh -c "! grep -qE 'p = |stage|launch' '$summary'"
    judge "JUnit can be read" "$python" -c 'import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot()[0]
fails = [case for case in suite if case.find("failure") is not None]
sys.exit((len(fails) > 0) != (sys.argv[2] == "failure") or int(suite.get("failures")) != len(fails))' "$work/artifacts/gate-kernel/junit.xml" "$wanted"
    [ "$ci" = gitlab ] || judge "the step's summary is that" cmp -s "$FAKE/summary" "$summary"
    cp out "$FAKE/log"
    rm -rf "$work/checkout" "$work/artifacts.kept"
    mv "$work/artifacts" "$work/artifacts.kept"
    summary=$work/artifacts.kept/gate-kernel/summary.md
    cd "$work/theirs" || exit 1
}

# Those that GitHub's runner took for commands, in their order.
commands() {
    sed -n 's/^steps: command \([^ ]*\) .*/\1/p' "$FAKE/log" | paste -sd ' '
}

drawn_ci() {
    local all=(github gitlab)
    echo "${all[RANDOM % 2]}"
}

# ---- what a change may be ----

unchanged() {
    new_repository
    check "an option that duel does not know" 4 "unrecognized option '--nonsense'" "$gate" kernels/mine.cl main $options --nonsense
    commit "A comment" "$comment"
    job "$(drawn_ci)" success passes 'RIGHT.* is right: [0-9,]+ checks against exact results on pocl'
    judge "the policy is the repository's" grep -qE '/clreduce.ini:2: margin = 50 %' "$FAKE/log"
    if command -v oclgrind >/dev/null; then
        judge "as many instructions" grep -qE '^- Instructions: exactly as many as at [0-9a-f]+, in all 2 cases' "$summary"
    else
        judge "no instructions without Oclgrind" grep -q '^- No instruction counts' "$summary"
    fi
    check "what is not to be counted" 0 '^## kernels/mine.cl: passes' "$gate" kernels/mine.cl main $options --counts no --output-dir gate-kernel/other
    judge "is not" sh -c '! grep -qi instructions gate-kernel/other/summary.md && [ -s gate-kernel/other/duel.json ]'
    judge "the duel names a file of the base that is there" sh -c 'grep -q "^base: this program, kernel gate-kernel/other/base_mine.cl; " out &&
        git show main:kernels/mine.cl | cmp -s - gate-kernel/other/base_mine.cl'
}

slower() {
    new_repository
    commit "Slower" "$slow"
    job "$(drawn_ci)" failure slower 'SLOWER\*\* kernels/mine.cl at [0-9a-f]+ (is [0-9.]+ % slower|takes [0-9.]+ times as long) \([0-9.]+ to [0-9.]+( %)?\) (than|as) at [0-9a-f]+ \(sum of f32, n = 2\^12, groups of 64, on pocl'
    judge "also in JUnit" grep -q 'git bisect run clreduce/bench/bisect kernels/mine.cl' "${summary%summary.md}junit.xml"
    judge "the way to the commit" grep -qE 'git bisect run clreduce/bench/bisect kernels/mine.cl [0-9a-f]+ --device pocl --type f32 --op sum --wg 64 --n .2\^12. --profile fast --drivers system`' "$summary"
    ! command -v oclgrind >/dev/null || judge "more instructions" grep -qE '^- Instructions: \+[0-9.]+ % against' "$summary"
    ! command -v oclgrind >/dev/null || judge "counts.txt names the commits" grep -qE "cells differ from $(git rev-parse --short main) .*beside $(git rev-parse --short change)\)\$" "${summary%summary.md}counts.txt"
}

is_wrong() {
    new_repository
    commit "Wrong" "$wrong"
    job github failure WRONG 'WRONG\*\* .* gives wrong results, in [0-9]+ of [0-9,]+ checks\. (.* )?The first: mine sum f32 on pocl'
    judge "exit status 2" grep -qx 'steps: exit status 2' "$FAKE/log"
    judge "the command that shows it" grep -q 'This shows it again, .*: `clreduce/build/clreduce verify --device pocl .* --kernel kernels/mine.cl`' "$summary"
    judge "an annotation at the file" grep -q '^::error file=kernels/mine.cl,title=clreduce::WRONG' "$FAKE/log"
    judge "which GitHub takes for one" test "$(commands)" = "stop-commands error"
    # At an n that verify does not take, and the duel does.
    mine 's/begin + piece);/begin + piece - (n == 100003));/' >kernels/mine.cl
    check "wrong at the n of --n alone" 2 'This shows it again, .*/build/clreduce verify --kernel kernels/mine.cl .* --n 100003`' \
        "$gate" kernels/mine.cl main $options --n 100003 --counts no
    judge "is nowhere called right" sh -c '! grep -q RIGHT gate-kernel/summary.md && grep -q "WRONG.* n = 100,003" gate-kernel/summary.md'
}

# What verify never checks is neither right nor compared, and the way out is one that this command takes.
too_slow() {
    new_repository
    check "a kernel that is too slow for the largest n" 3 'UNCHECKED\*\* .*, and was not compared: [0-9,]+ checks are right, [0-9,]+ would have taken too long' \
        "$gate" kernels/mine.cl main $options --counts no --time-per-cell 0.0005
    judge "is not called right" sh -c '! grep -q RIGHT gate-kernel/summary.md && [ ! -e gate-kernel/duel.json ]'
    judge "and what now" grep -q '^What now: .*give each check more time (`--time-per-cell`' gate-kernel/summary.md
    check "nor by a bisection" 125 'cannot be told: .* was never checked at ' "$bisect" kernels/mine.cl main --wrong --device pocl --type f32 --op sum --wg 64 \
        --time-per-cell=0.0005
}

does_not_build() {
    new_repository
    commit "Broken" "$broken"
    job gitlab failure BROKEN 'BROKEN\*\* .* does not build'
    judge "exit status 5" grep -qx 'steps: exit status 5' "$FAKE/log"
    judge "the compiler's words" grep -q 'mine.cl:[0-9]*:[0-9]*: expected expression' "$summary"
    git checkout -q -B change main
    mine 's/^.*needs:.*/\/\/@ needz: x/' >kernels/mine.cl
    git commit -q -a -m "No contract"
    job github failure BROKEN "is no kernel that can be built: .*manifest key: 'needz' is not valid"
    judge "an annotation at the line" grep -qF "::error file=kernels/mine.cl,line=7,title=clreduce::manifest key: 'needz' is not valid" "$FAKE/log"
    git checkout -q -B change main
    mine 's/^    RED_A value = RED_IDENTITY;/&\n    if (n > 64)\n        *(volatile global int *)(ulong)(n - n) = 1;/' >kernels/mine.cl
    git commit -q -a -m "A crash"
    job "$(drawn_ci)" failure FAILED 'FAILED\*\* .* fails, crashes or gives no answer'
}

first_change() {
    new_repository empty
    commit "The kernel" ""
    job "$(drawn_ci)" success passes 'NEW\*\* kernels/mine.cl is new: there is none at [0-9a-f]+, so there is no time to compare with'
    new_repository "$broken"
    commit "Corrected" ""
    job "$(drawn_ci)" success passes 'NO BASE\*\* kernels/mine.cl at [0-9a-f]+ is build-failed'
    new_repository 's/^.*needs:.*/\/\/@ needz: x/'
    commit "A contract" ""
    job "$(drawn_ci)" success passes 'NO BASE\*\* .* so that there is nothing to compare with: .*needz'
}

# By hand, in the working tree: what is not committed is the head, too.
at_hand() {
    local name
    new_repository
    check "the help" 0 '^Example: clreduce/bench/gate-kernel' "$gate" --help
    check "no base" 4 'the following arguments are required: BASE_REF' "$gate" kernels/mine.cl
    check "no such file" 4 'kernels/none.cl is neither here nor at' "$gate" kernels/none.cl main
    check "a base that no CI has set" 4 'the base is empty: the job is for pull requests and merge requests' "$gate" kernels/mine.cl origin/
    check "no such commit" 4 "'nowhere' is no commit here" "$gate" kernels/mine.cl nowhere
    judge "has a summary, too" grep -qx '## kernels/mine.cl: not judged' gate-kernel/summary.md
    judge "with the reason" grep -qE "^- \*\*NOT JUDGED\*\* kernels/mine.cl was not judged\. The reason: 'nowhere' is no commit here" gate-kernel/summary.md
    rm kernels/mine.cl
    check "a kernel that is taken away" 3 'GONE\*\* kernels/mine.cl is gone' "$gate" kernels/mine.cl main
    judge "it says what to do where that is meant, and where not" grep -qE '^What now: If that is meant, take kernels/mine.cl out of the job .* `git checkout [0-9a-f]+ -- kernels/mine.cl` brings it back' out
    mine "$wrong" >kernels/mine.cl
    cd kernels || exit 1
    check "what is not committed" 2 '^This change: [0-9a-f]+ with changes\. Compared with: [0-9a-f]+, where' "$gate" mine.cl HEAD $options
    judge "is written where it was asked for" test -s gate-kernel/junit.xml
    cd "$work" || exit 1
    # What somebody calls a file is text.
    cd "$work/theirs" || exit 1
    mv kernels/mine.cl 'kernels/`<b>x::.cl'
    "$gate" 'kernels/`<b>x::.cl' HEAD --device pocl --n 2^12 --op nothing >out 2>&1
    judge "a hostile name is no Markdown" grep -qF '## kernels/\`\<b\>x::.cl: not judged' gate-kernel/summary.md
    judge "and its reason is told" grep -qE '^- \*\*NOT JUDGED\*\* .* was not verified\. The reason: .*nothing' gate-kernel/summary.md
    cd "$work/theirs" || exit 1
    # Nor need it be UTF-8; what fails unforeseen is no "slower", and no bad commit.
    name=kernels/$(printf '\377').cl
    mine 's/^.*needs:.*/\/\/@ needz: x/' >"$name"
    check "a name that is no UTF-8" 5 'BROKEN\*\* .*needz' "$gate" "$name" HEAD
    judge "has a summary, too" grep -q '^## .*: BROKEN$' gate-kernel/summary.md
    mine "$comment" >kernels/mine.cl
    check "a margin that is none ends a bisection" 255 'clreduce: UnicodeEncodeError' "$bisect" kernels/mine.cl HEAD --margin "$(printf '\377 %%')" $options
    # Nor is what cannot be said, on a full disk or into a closed stream.
    judge "words for which there is no room" sh -c '"$@" 2>/dev/full; [ $? = 255 ]' - "$bisect" kernels/mine.cl HEAD --drivers system --margin "$(printf '\377 %%')" $options
    judge "a gate without standard output" sh -c '"$@" >&- 2>/dev/null; [ $? = 4 ]' - "$gate" kernels/mine.cl nowhere
    judge "has its summary" grep -qx '## kernels/mine.cl: not judged' gate-kernel/summary.md
    judge "one without standard error" sh -c '"$@" >/dev/null 2>&-; [ $? = 4 ]' - "$gate" kernels/mine.cl nowhere --drivers system
    # A variant of another primitive would not be verified.
    variant_of scan >kernels/mine.cl
    judge "a file of two primitives is a kernel file" "$clreduce" strategies --primitive scan --kernel kernels/mine.cl --output out
    check "a file of two primitives" 4 'is for primitive reduce, and a variant in it for scan: put each primitive into a file of its own' "$gate" kernels/mine.cl HEAD
    check "also for a bisection" 255 'is for primitive reduce, and a variant in it for scan' "$bisect" kernels/mine.cl HEAD --wrong
    cd "$work" || exit 1
    check "no repository" 4 'lies in no git repository' "$gate" mine.cl HEAD
}

shallow() {
    local ci
    new_repository
    commit "A comment" "$comment"
    depth=1
    for ci in github gitlab; do
        job $ci success passes 'as fast as at|No answer|was measured'
        judge "a shallow clone deepens itself" grep -qE 'this clone is shallow, .*: fetching the history' "$FAKE/log"
    done
    depth=
    git clone -q --depth 1 --branch change "file://$work/theirs" "$work/shallow"
    cd "$work/shallow" || exit 1
    git remote set-url origin /nowhere
    check "where it cannot" 4 'its history could not be fetched .*fetch-depth: 0 in actions/checkout, GIT_DEPTH: 0 on GitLab' "$gate" kernels/mine.cl \
        "$(git -C "$work/theirs" rev-parse main)" $options
    cd "$work" && rm -rf shallow
}

# Oclgrind cannot run what drivers can: its reason is told, of the file and the kernel as they are named there.
not_counted() {
    command -v oclgrind >/dev/null || { echo "not checked: what Oclgrind cannot run needs oclgrind" && return; }
    new_repository
    of_page reduce | sed 's/^SIGNATURE {/void add_to(global float *restrict sum, global const float *restrict row, const ulong i) {\n    sum[0] += row[i];\n}\n&/
        s/^        sum += RED_LOAD(i);/&\n    if (n == ~0ul)\n        for (ulong i = 0; i < n; i++)\n            add_to(out, red_x, i);/' >kernels/mine.cl
    check "what Oclgrind cannot run" 0 "No instruction counts \\(head\\): error +sum f32 n=2503 .*Oclgrind: Undefined external function: .*kernels/mine.cl has no kernel" \
        "$gate" kernels/mine.cl main $options
    judge "without a path of ours" sh -c "! grep -q 'tmp.*has no kernel' gate-kernel/summary.md"
}

# What a kernel makes a compiler say is text in the log, whatever it says; and it stands at its line.
hostile() {
    local name='kernels/::add-mask::a,b%0A##[error]x.cl' line device=pocl
    new_repository
    mine 's/^    RED_A value/    ::add-mask::main\n    ##[add-mask]main\n#error ##[set-output name=x]::error::owned, 100%\n&/' >kernels/mine.cl
    line=$(grep -n '::error::owned' kernels/mine.cl | cut -d: -f1)
    git commit -q -a --cleanup=verbatim -m $'::error::A subject\r::add-mask::x'
    # Intel's compiler shows the lines, too.
    ! has_device "$clreduce" intel || device=pocl,intel
    options="${options/--device pocl/--device $device}" job github failure BROKEN 'BROKEN\*\* .* does not build'
    judge "the log has them" grep -qF '##[set-output name=x]' "$FAKE/log"
    judge "as text: the only commands are ours" test "$(commands)" = "stop-commands error"
    judge "at the line, with the compiler's words" grep -qE "^::error file=kernels/mine.cl,line=$line,col=[0-9]+,title=clreduce::.*## \[set-output name=x\]::error::owned, 100%25" "$FAKE/log"
    # A hostile name, and a kernel that is only wrong.
    new_repository
    mine "$wrong" >"$name"
    GITHUB_ACTIONS=true "$gate" "$name" HEAD $options --groups 2 --counts no 2>out.err | "$python" "$root/tests/cli/gate/steps.py" log >"$FAKE/log"
    judge "nor is a name of a file" test "$(commands)" = "stop-commands error"
    judge "the annotation escapes it" grep -qF '::error file=kernels/%3A%3Aadd-mask%3A%3Aa%2Cb%250A## [error]x.cl,title=clreduce::WRONG' "$FAKE/log"
}

# ---- right, slow and wrong kernels of each primitive: those of the page ----

# of_page PRIMITIVE: the whole kernel file that docs/gate.md and docs/first-kernel.md show.
of_page() {
    local name
    case $1 in reduce) name=row_sum ;; scan) name=my_scan ;; histogram) name=my_counts ;; esac
    cat "$root/docs/kernels/$name.cl"
}

# changed PRIMITIVE slow|wrong: slow does the work twice, and its result says so unless both times gave the same; wrong leaves out the last
# element where n mod 64 is 1.
changed() {
    case $1-$2 in
    reduce-slow) of_page "$1" | sed 's/^    float sum = 0;/    float sum = 0, before = 0;\n    for (uint turn = 0; turn < 2; turn++) {\n    before = sum, sum = 0;/
            s/^        sum += RED_LOAD(i);/&\n    }\n    sum = before < sum ? before : sum;/' ;;
    # A store that is volatile is made; a scan may be in place, so that results are stored once.
    scan-slow) of_page "$1" | sed 's/^    for (ulong i = begin; i < end; i++) {/    RED_A again = before;\n    for (ulong i = begin; i < end; i++)\n        again = RED_COMBINE(again, RED_LOAD(i));\n    volatile RED_A kept = again;\n&/' ;;
    # It adds 0 the second time.
    histogram-slow) of_page "$1" | sed 's/^    for (ulong i = /    for (uint turn = 0; turn < 2; turn++)\n    &/
            s/(RED_A)1)/(RED_A)(turn == 0))/' ;;
    reduce-wrong) of_page "$1" | sed 's/i < n; i += get_global_size/i < n - (n % 64 == 1); i += get_global_size/' ;;
    scan-wrong) of_page "$1" | sed 's/^        RED_STORE(i, /        if (n % 64 != 1 || i != n - 1)\n    &/' ;;
    histogram-wrong) of_page "$1" | sed 's/i < n; i += get_global_size/i < n - (n % 64 == 1); i += get_global_size/' ;;
    esac
}

# What costs little of verify and of a duel.
few_of() {
    case $1 in
    reduce) echo "--device pocl --wg 64 --groups 4" ;;
    scan) echo "--device pocl --type f32 --op inclusive_sum --wg 64 --groups 4" ;;
    histogram) echo "--device pocl --type u8 --op count --wg 64 --groups 4" ;;
    esac
}

# primitive_repository PRIMITIVE slow|wrong|"": the page's kernel on main, and a change of it.
primitive_repository() {
    new_repository empty
    git checkout -q main
    mkdir -p kernels
    of_page "$1" >kernels/own.cl
    git add --all && git commit -q -m "The kernel of the page"
    git checkout -q -B change
    { changed "$1" "$2" || true; } >changed.cl
    if [ -z "$2" ]; then of_page "$1" | sed '$a\// a comment' >changed.cl; fi
    mv changed.cl kernels/own.cl
    git commit -q -a -m "A change"
}

right_of() {
    primitive_repository "$1" ""
    check "a right $1" 0 '^## kernels/own.cl: passes' "$gate" kernels/own.cl main $(few_of "$1") --n 2^12 --profile fast
    judge "is called right" grep -qE 'RIGHT\*\* kernels/own.cl at [0-9a-f]+ is right: [0-9,]+ checks' gate-kernel/summary.md
    judge "in words" grep -qE "$(case $1 in reduce) echo 'sum of f32' ;; scan) echo 'inclusive_sum of f32' ;; *) echo 'count of u8 in 256 bins' ;; esac), n = 2\^12" gate-kernel/summary.md
    ! command -v oclgrind >/dev/null || judge "has its instructions counted" grep -qE 'Instructions: exactly as many as at [0-9a-f]+, in all [1-9]' gate-kernel/summary.md
    [ "$1" = histogram ] || check "no other primitive is believed" 4 "kernels/own.cl is for primitive $1, as its manifest says: leave out --primitive histogram" \
        "$gate" kernels/own.cl main --primitive histogram
}

# Twice as slow, of which a margin of 20 % is far.
slow_of() {
    local status
    primitive_repository "$1" slow
    printf '[*]\nmargin = 20 %%\nbudget = 20\n' >clreduce.ini
    check_duel "a $1 that is twice as slow" 1 '^## kernels/own.cl: slower' "$gate" kernels/own.cl main $(few_of "$1") --n 2^20 --counts no || return
    judge "is right, and slower" grep -qE 'SLOWER\*\* kernels/own.cl at [0-9a-f]+ (is [0-9.]+ % slower|takes [0-9.]+ times as long)' gate-kernel/summary.md
    "$bisect" kernels/own.cl main --margin '20 %' $(few_of "$1") --n 2^20 >out 2>&1 </dev/null
    status=$?
    if [ $status = 125 ] && grep -q 'cannot be told: .*: no answer in 3 duels: ' out; then
        not_checked "bench/bisect calls it bad"
    else
        judge_ended "bench/bisect calls it bad" 1 'bad: ' $status
    fi
}

# All that verify says of what wrong checks have in common stands in the summary.
carries_patterns() {
    local line n=0
    while IFS= read -r line; do
        n=$((n + 1))
        judge "'$line' is carried on" grep -qF " ${line#pattern: }" out
    done < <(grep '^pattern: ' gate-kernel/verify.log)
    judge "verify tells a pattern" test $n -gt 0
}

wrong_of() {
    primitive_repository "$1" wrong
    check "a wrong $1" 2 '^## kernels/own.cl: WRONG' "$gate" kernels/own.cl main $(few_of "$1")
    judge "with what is wrong" grep -qE 'WRONG\*\* .* gives wrong results, in [0-9,]+ of [0-9,]+ checks\. .*The first: ' gate-kernel/summary.md
    judge "nothing is timed" test ! -e gate-kernel/duel.json
    carries_patterns
    judge "and shown again with its primitive" grep -qE "This shows it again, .*clreduce verify .*$([ "$1" = reduce ] || echo "--primitive $1 ").*--kernel kernels/own.cl" gate-kernel/summary.md
    [ "$share" != quick ] || return 0
    check "bench/bisect --wrong calls it bad" 1 'bad: ' "$bisect" kernels/own.cl main --wrong $(few_of "$1")
    git checkout -q main
    check "and the one before good, also where its primitive is told" 0 'good: ' "$bisect" kernels/own.cl main --wrong --primitive "$1" $(few_of "$1")
}

for primitive in reduce scan histogram; do
    for kind in right slow wrong; do
        eval "${primitive}_$kind() { ${kind}_of $primitive; }"
    done
done

# What the block of row_sum is for.
stands_alone() {
    of_page reduce >alone.cl
    if ! command -v clang >/dev/null; then
        echo "not checked: that the page's row_sum stands alone needs clang"
        return
    fi
    clang -cl-std=CL1.2 -x cl -Xclang -finclude-default-header -fsyntax-only -Wall -Werror alone.cl >out 2>&1
    judge "the page's row_sum stands alone" test $? = 0
}

# Debian's own Python, nothing set, and nothing left behind.
bare() {
    local script
    for script in gate-kernel bisect gate counts; do
        check "bench/$script starts with nothing set" 0 "bench/$script" env -i PATH=/usr/bin:/bin "HOME=$work" "$work/clreduce/bench/$script" --help
    done
    judge "and leaves the checkout as it is" test -z "$(git -C "$work/clreduce" status --porcelain --ignored | grep -v ' build/$')"
    judge "no file has the name of a module of Python's" "$python" - "$root" <<'PYTHON'
import pathlib, sys
names = {path.stem for path in pathlib.Path(sys.argv[1], "bench").rglob("*.py")} & set(sys.stdlib_module_names)
sys.exit(", ".join(sorted(names)) or 0)
PYTHON
}

# What there is until then is told.
interrupted() {
    local gate_id status
    new_repository
    commit "A comment" "$comment"
    set -m
    "$gate" kernels/mine.cl main --device pocl --type f32 --op sum --wg 64 --n 2^12 >out 2>&1 </dev/null &
    gate_id=$!
    set +m
    until [ -e gate-kernel/duel.log ] || ! kill -0 $gate_id 2>/dev/null; do sleep 0.1; done
    kill -TERM $gate_id
    wait $gate_id
    status=$?
    judge "interrupted: exit status $status" test $status = 130
    judge "has a summary" grep -qx '## kernels/mine.cl: interrupted' gate-kernel/summary.md
    judge "with what is known" grep -q '^- \*\*RIGHT\*\* ' gate-kernel/summary.md
    judge "and JUnit" test -s gate-kernel/junit.xml
}

# ---- git bisect ----

# Eight commits, of which the fifth is slower; before it one that does not build, and others that change nothing that is measured.
bisection() {
    local bad good i
    new_repository
    good=$(git rev-parse HEAD)
    commit "2" 's/^    RED_A value/    \/\/ two\n&/'
    commit "3, which does not build" "$broken"
    commit "4" 's/^    RED_A value/    \/\/ four\n&/'
    commit "5, slower" "$slow"
    bad=$(git rev-parse HEAD)
    for i in 6 7 8; do commit "$i" "$slow; s/^    RED_A/    \/\/ $i\n&/"; done
    git bisect start HEAD "$good" >/dev/null
    check "a slower commit is found" 0 "$bad is the first bad commit" git bisect run "$bisect" kernels/mine.cl "$good" --margin '50 %' $options
    judge "the good one by the name that the reader knows" grep -q "^base: this program, kernel kernels/mine.cl at $good; " out
    git bisect reset >/dev/null 2>&1
    git checkout -q "$bad"~2
    check "one that does not build" 125 'cannot be told: .*does not build' "$bisect" kernels/mine.cl "$good" $options
    check "and another file" 125 'kernels/none.cl is not there' "$bisect" kernels/none.cl "$good" $options
    check "no such good commit ends it" 255 "'nowhere' is no commit here that has" "$bisect" kernels/mine.cl nowhere $options
    check "and so does a slip" 255 'the following arguments are required' "$bisect" kernels/mine.cl
    check "and an unknown option" 255 "unrecognized option" "$bisect" kernels/mine.cl "$bad" --nonsense
    git checkout -q change
    check "the help of bench/bisect" 0 '^Example: git bisect start' "$bisect" --help
}

bisection_of_results() {
    local bad i
    new_repository
    for i in 2 3; do commit "$i" "s/^    RED_A/    \/\/ $i\n&/"; done
    commit "4, wrong" "$wrong"
    bad=$(git rev-parse HEAD)
    for i in 5 6; do commit "$i" "$wrong; s/^    RED_A/    \/\/ $i\n&/"; done
    git bisect start HEAD main >/dev/null
    check "a wrong commit is found" 0 "$bad is the first bad commit" git bisect run "$bisect" kernels/mine.cl main --wrong --device pocl --type f32 --op sum --wg 64
    git bisect reset >/dev/null 2>&1
}

# ---- what reads the jobs elsewhere ----

formats() {
    local checkers=$root/build/checkers/bin
    # shellcheck source=bench/setup/setup.sh
    (cd "$root" && . bench/setup/setup.sh && make_venv "$root/build/checkers" "$root/tests/cli/checkers.txt") || {
        echo "skipped: zizmor and GitLab's schema cannot be had from PyPI: $(tail -n 1 "$root/build/checkers.log")"
        skipped=yes
        return
    }
    mkdir -p "$work/formats/.github/workflows"
    cd "$work/formats" || exit 1
    cp "$root/bench/gating/ci/github.yml" .github/workflows/kernel.yml
    judge "zizmor" "$checkers/zizmor" --quiet --offline --config "$root/tests/cli/zizmor.yml" .github/workflows/kernel.yml
    check "GitHub's schema" 0 'validation done' "$checkers/check-jsonschema" --builtin-schema vendor.github-workflows .github/workflows/kernel.yml
    check "GitLab's schema" 0 'validation done' "$checkers/check-jsonschema" --builtin-schema vendor.gitlab-ci "$root/bench/gating/ci/gitlab.yml"
}

/usr/bin/python3 -c 'import yaml' 2>/dev/null || { echo "skipped: the jobs' commands: needs python3-yaml"; exit 77; }
share=${2:-$RANDOM}
if [ "$share" = quick ] || [ "$share" = all ]; then
    bare
    at_hand
    stands_alone
fi
if [ "$share" = quick ]; then
    wrong_of histogram
    exit $failed
fi
sections "$share" 1 unchanged slower is_wrong too_slow does_not_build not_counted hostile first_change shallow interrupted bisection bisection_of_results formats
sections "$share" 1 reduce_right reduce_slow reduce_wrong scan_right scan_slow scan_wrong histogram_right histogram_slow histogram_wrong
[ -z "$skipped" ] || [ $failed = 1 ] || exit 77
exit $failed
