#!/usr/bin/env bash
# bench/setup/setup.sh: what is fetched is what is pinned, by its hash, or nothing; who declines packages is told what is missing; whatever
# fails, it ends with a word. Without a network: wheels made here stand in for PyPI's, and programs that say what they are told for apt
# and dpkg.
#   tests/cli/setup.sh [quick]    quick: how it ends, what it tells on the way, options; otherwise the rest
set -u
. "$(dirname "$0")/../tools/check.sh"
unset CLREDUCE_INSTALL OCL_ICD_VENDORS PIP_INDEX_URL PIP_EXTRA_INDEX_URL
export PIP_NO_INDEX=1 PIP_FIND_LINKS=$work/wheels PIP_CONFIG_FILE=/dev/null

# wheel NAME VERSION TAG FILE...: an archive that pip takes, with files of these names in its data.
wheel() {
    python3 - "$work/wheels" "$@" <<'PYTHON'
import os, sys, zipfile
folder, name, version, tag, *files = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
info = f"{name}-{version}.dist-info"
with zipfile.ZipFile(f"{folder}/{name}-{version}-{tag}.whl", "w") as archive:
    archive.writestr(f"{name}.py", "")
    archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    archive.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n")
    for file in files:
        archive.writestr(f"{name}-{version}.data/data/lib/{file}", version)
    archive.writestr(f"{info}/RECORD", "".join(f"{entry},,\n" for entry in archive.namelist()))
PYTHON
}

# pin NAME VERSION [HASH]: a line of a requirements file.
pin() {
    local hash=${3:-$(sha256sum "wheels/$1-$2-"*.whl | cut -d ' ' -f 1)}
    printf '%s==%s --hash=sha256:%s\n' "$1" "$2" "$hash"
}

# in_setup COMMAND: of bench/setup/setup.sh, in this folder. What fails there and is not caught ends with 4.
in_setup() {
    bash -c 'set -euo pipefail; trap "echo ended" EXIT; . "$0/bench/setup/setup.sh"; eval "$1"' "$root" "$1"
}

pinned() {
    local zeros
    zeros=$(printf '%064d' 0)
    judge "each requirement has a version and a hash" python3 - "$root"/bench/setup/intel.txt "$root"/tests/cli/checkers.txt <<'PYTHON'
import re, sys
for path in sys.argv[1:]:
    text = re.sub(r"^#.*\n", "", open(path).read(), flags=re.M).replace("\\\n", " ")
    for line in text.splitlines():
        if not re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9a-z.]+( +--hash=sha256:[0-9a-f]{64})+", line.strip()):
            sys.exit(f"{path}: {line}")
PYTHON
    wheel thing 1.0 py3-none-any
    wheel thing 2.0 py3-none-any
    pin thing 1.0 >right.txt
    pin thing 1.0 "$zeros" >changed.txt
    pin thing 1.5 "$zeros" >gone.txt
    echo 'thing==1.0' >bare.txt
    check "what is pinned is installed" 0 ended in_setup 'make_venv venv right.txt'
    judge "as it is pinned" venv/bin/python -c 'import importlib.metadata as m; assert m.version("thing") == "1.0"'
    PIP_FIND_LINKS=/nowhere check "once" 0 ended in_setup 'make_venv venv right.txt'
    for kind in changed gone bare; do
        check "what is $kind is not" 1 ended in_setup "make_venv $kind $kind.txt || exit"
        judge "nor marked as there" test ! -e $kind/complete
        judge "and nothing newer is taken for it" test -z "$(find $kind -name 'thing*')"
    done
    judge "pip says why" grep -q 'DO NOT MATCH THE HASHES' changed.log
    check "who declines has nothing fetched" 1 ended in_setup 'setup_option --install no; make_venv declined right.txt || exit'
    judge "and is told so" grep -q -- '--install no: nothing is fetched' declined.log
    judge "nor has a folder" test ! -e declined
}

runtime() {
    local tag=py2.py3-none-manylinux_2_28_x86_64
    wheel intel_opencl_rt 1.0 $tag libintelocl.so cl.cfg
    wheel intel_opencl_rt 1.1 $tag libintelocl.so cl.cfg
    wheel others 1.0 $tag libtbb.so.12 libimf.so libsvml.so libirng.so libintlc.so.5
    mkdir -p bench/setup
    { pin intel_opencl_rt 1.0 && pin others 1.0; } >bench/setup/intel.txt
    check "the runtime" 0 'fetching Intel' in_setup 'fetch_intel drivers log'
    judge "is what is pinned" grep -qx 1.0 drivers/libintelocl.so
    PIP_FIND_LINKS=/nowhere check "and is fetched once" 0 ended in_setup 'fetch_intel drivers log'
    cp -r drivers kept
    wheel intel_opencl_rt 1.0 $tag libintelocl.so cl.cfg libcommon_clang.so.1 # not the one that was pinned
    check "another one by its name" 1 'could not be fetched as bench/setup/intel.txt pins it' in_setup 'fetch_intel other log || exit'
    judge "is not taken" test ! -e other -a ! -e other.partial
    rm wheels/intel_opencl_rt-1.0*
    check "where it is gone" 1 'could not be fetched as bench/setup/intel.txt pins it' in_setup 'fetch_intel other log || exit'
    judge "no newer one is taken" test ! -e other -a ! -e other.partial
    check "who declines goes on without" 1 '--install no fetches nothing; going on with the system' in_setup 'setup_option --install=no; fetch_intel other log || exit'
    check "but keeps what is there" 0 ended in_setup 'setup_option --install=no; fetch_intel kept log'
}

# told_before SIZE DECLINES STEP: in out, that nothing is asked, the size, how to decline and only then the first step.
told_before() {
    [ "$(grep -vE '^(== |clreduce: note: )' out | grep -nE "nothing is asked|$1|$2|$3" | cut -d : -f 1 | tr '\n' ' ')" = "1 2 3 4 " ]
}

# program PATH LINE...: a shell script of these lines, which can be run.
program() {
    mkdir -p "${1%/*}"
    printf '%s\n' '#!/bin/sh' "${@:2}" >"$1"
    chmod +x "$1"
}

# A checkout, and programs for apt and dpkg: installed is what $HAVE has, and what is installed is told in $work/installed. There are lists,
# which tell of an archive of 7 and one of 3 MB, after the first update; before, all packages but one are names that others depend on, as in
# a root whose lists were removed. $FAULT is what goes wrong.
fake_apt() {
    mkdir -p checkout/tests checkout/src/cli
    cp -r "$root/bench" checkout/
    cp "$root/src/cli/option_table.c" checkout/src/cli/
    cp "$root/tests/run" checkout/tests/
    # shellcheck disable=SC2016 # for the programs
    program fake/dpkg-query 'for last; do :; done; case " $HAVE " in *" $last "*) echo "install ok installed" ;; esac'
    cat >fake/apt-get <<APT
#!/bin/sh
case "\$FAULT \$* " in
*' --print-uris '*)
    case "\$*" in *' make'*) [ -e $work/lists ] || { echo "E: Package 'make' has no installation candidate" >&2 && exit 100; } ;; esac
    printf "'http://host/%s' %s %s SHA256:0\n" a a.deb 6900000 b b.deb 2900000
    ;;
network*' update '*) printf '%s\n' "E: Failed to fetch http://host/InRelease  Temporary failure resolving 'host'" "E: Some index files failed to download." ;;
lists_lock*' update '*) echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 4711 (apt-get)' ;;
*' update '*) touch $work/lists && exit 0 ;;
dpkg_lock*) echo 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4711 (dpkg)' ;;
disk*) printf '%s\n' 'dpkg: error processing archive a.deb (--unpack): failed to write (No space left on device)' 'E: Sub-process /usr/bin/dpkg returned an error code (1)' ;;
space*) echo "E: You don't have enough free space in /var/cache/apt/archives/." ;;
interrupted*) echo "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem." ;;
silent*) ;;
*) echo "apt-get \$*" >>$work/installed && exit 0 ;;
esac
exit 100
APT
    cat >fake/apt-cache <<APT
#!/bin/sh
[ "\$1" = policy ] || exit 0
shift
for name; do
    version='(none)'
    [ ! -e $work/lists ] && [ "\$name" != gcc ] || version=1.0
    printf '%s:\n  Installed: (none)\n  Candidate: %s\n  Version table:\n' "\$name" "\$version"
done
APT
    chmod +x fake/*
}

packages() {
    fake_apt
    program fake/cmake "echo built >>$work/built" 'exit 1'
    cp fake/cmake fake/ninja
    local all
    # shellcheck disable=SC2016 # for the shell that has them
    all=$(in_setup 'echo $build_packages $test_packages' | head -n 1)
    local missing='Debian packages are missing; install them as root with: apt-get install --no-install-recommends .*cmake'
    PATH=$work/fake:$PATH HAVE='' check "bench/run --install no" 4 "$missing" checkout/bench/run --install no --drivers system
    PATH=$work/fake:$PATH HAVE='' check "tests/run, too" 4 "$missing.*libcmocka-dev" checkout/tests/run --drivers=system --install=no
    judge "install nothing" test ! -e installed -a ! -e built
    PATH=$work/fake:$PATH HAVE=${all/ oclgrind / } check "what is optional" 4 'going on without the Debian packages oclgrind' \
        checkout/tests/run --install no --drivers system
    judge "keeps nobody from building" grep -q built built
    judge "and is not installed" test ! -e installed
    PATH=$work/fake:$PATH HAVE=${all/cmake /} check "without it" 4 '^clreduce: installing Debian packages .*: cmake$' checkout/bench/run --drivers system
    judge "what is missing is installed" grep -q 'install -y --no-install-recommends cmake$' installed
    judge "which was said beforehand, with a size and how to decline" \
        told_before 'Debian packages \(on a bare Debian 12 about 185 MB' '--install no declines' 'fetching the lists'
    judge "and again with the size that the lists tell" grep -q 'installing Debian packages (2 with what they need, 10 MB to download): cmake$' out
    PATH=$work/fake:$PATH HAVE=${all/cmake /} check "of lists that are there" 4 '  Debian packages \(2 with what they need, 10 MB to download\): cmake$' \
        checkout/bench/run --drivers system
    judge "the size is told at once" test "$(grep -n 'MB to download' out | head -n 1 | cut -d : -f 1)" -lt "$(grep -n 'fetching the lists' out | cut -d : -f 1)"
    judge "noted" test "$(sort -u checkout/build/packages.installed)" = cmake
    PATH=$work/fake:$PATH HAVE=$all check "Intel's runtime" 4 'could not be fetched as bench/setup/intel.txt pins it' checkout/bench/run
    judge "is announced, too, with its size, its licence and how to decline" told_before \
        'runtime for CPUs \(273 MB from PyPI into build/drivers\), under the Intel End User' '--drivers system declines: only' "fetching Intel's"
    PATH=$work/fake:$PATH HAVE=$all OCL_ICD_VENDORS=/nowhere check "who has chosen drivers" 4 'OCL_ICD_VENDORS is set' checkout/bench/run
    judge "is told of none" test "$(grep -c 'nothing is asked' out)" = 0
    PATH=$work/fake:$PATH HAVE=$all check "where all is there" 4 'the build failed' checkout/bench/run --drivers system
    judge "nothing is announced" test "$(grep -c 'nothing is asked' out)" = 0
    check "what is neither yes nor no" 4 "--install: 'maybe' is not valid; expected yes or no" "$root/bench/run" --install maybe
    check "nor anything" 4 '--install needs a value: yes or no' "$root/tests/run" --install
    check "one tier of tests" 4 '^clreduce: --nightly: --full is there already' "$root/tests/run" --full --nightly
    check "help has it" 0 'installs no package and fetches nothing' "$root/bench/run" --help
    # In bash a failed redirection of a compound command is no failure after a !.
    PATH=$work/fake:$PATH check "a log that cannot be written" 4 '/nowhere/log cannot be written' \
        in_setup 'build_preset release /nowhere/log'
}

# tests/run builds with sanitizers only where one of the selected tests runs in that build.
builds() {
    mkdir -p chosen/tests
    cp -r "$root/bench" chosen/
    cp "$root/tests/run" chosen/tests/
    # shellcheck disable=SC2016 # for the program
    program tools/cmake 'echo "$*" >>"$BUILT"'
    # shellcheck disable=SC2016
    program tools/ctest 'mkdir -p "$2/Testing/Temporary" && touch "$2/Testing/Temporary/LastTest.log"' \
        'case "$2 $*" in "build/sanitize "*" -N "*) echo "Total Tests: $SANITIZED" ;; *" -N "*) echo "Total Tests: 1" ;;' \
        '*) echo "100% tests passed, 0 tests failed out of 1" ;; esac'
    program tools/dpkg-query 'echo "install ok installed"'
    cp tools/cmake tools/ninja
    local run=(env PATH="$work/tools:$PATH" BUILT="$work/chosen.built" chosen/tests/run --drivers system)
    check "of tests without the sanitizers" 0 'none of them runs in it' env SANITIZED=0 "${run[@]}" -R '^pages$'
    judge "that build is not built" test "$(grep -c -- '--build --preset sanitize' chosen.built)" = 0
    judge "and the other is" grep -qx -- '--build --preset ci' chosen.built
    check "of tests with them" 0 '2 *$' env SANITIZED=1 "${run[@]}" -R '^unit_text$'
    judge "both are" grep -qx -- '--build --preset sanitize' chosen.built
}

# bench/cluster gives each rank its share of the cores, of which there can be fewer than processors.
cluster() {
    local i
    mkdir -p cluster/src/cli
    cp -r "$root/bench" cluster/
    cp "$root/src/cli/option_table.c" cluster/src/cli/
    # shellcheck disable=SC2016 # for the programs
    program launch/cmake 'mkdir -p build && printf "#!/bin/sh\nexit \${REPORTED:-0}\n" >build/clreduce && chmod +x build/clreduce && touch build/clreduce_mpi.so'
    # shellcheck disable=SC2016
    program launch/mpirun '[ "$1" = --version ] && echo "mpirun ($MPI) 4.1.4" && exit' 'echo "launched $*"' '[ -z "$MEASURED" ] || touch "$7"' \
        'exit "${MEASURED:-0}"'
    program launch/dpkg-query 'echo "install ok installed"'
    cp launch/cmake launch/ninja
    local run=(env PATH="$work/launch:$PATH" cluster/bench/cluster --install no --drivers system)
    MPI='Open MPI' check "a rank has all cores" 0 "^launched -n 1 --map-by slot:PE=$(python3 "$root/bench/setup/cores.py") --bind-to core /" "${run[@]}" --np 1
    MPI='Open MPI' check "ranks that are more than the cores" 0 '^launched -n 9999 --oversubscribe /' "${run[@]}" --np 9999
    MPI=Intel check "another MPI decides itself" 0 '^launched -n 2 /.*/build/clreduce bench --ranks --output .* --n 10$' "${run[@]}" --np 2 --n 10
    # The page is made behind the set-up, and its failure hides none of the ranks'.
    MPI=Intel MEASURED=2 REPORTED=3 check "ranks that are wrong" 2 '^launched' "${run[@]}" --np 2
    MPI=Intel MEASURED=0 REPORTED=3 check "a page that cannot be made" 3 '^launched' "${run[@]}" --np 2
    judge "is no set-up that failed" [ "$(grep -c 'What to do' out)" = 0 ]
    for i in 0 1 2 3; do
        mkdir -p topology/cpu$i/topology
        echo "$((i % 2)),$((i % 2 + 2))" >topology/cpu$i/topology/thread_siblings_list
    done
    judge "two processors of a core are one core" env PYTHONPATH="$root/bench/setup" python3 -c 'import cores, pathlib
here = pathlib.Path("topology")
assert [cores.count(these, here) for these in ({0, 1, 2, 3}, {0, 2}, {0, 1}, {3}, {3, 4})] == [2, 1, 2, 1, 2]'
}

# Programs that play a build and its tests, beside fake_apt.
fake_build() {
    # One sleeps less, so that tests/run need not take long to see how busy this machine is.
    program fake/sleep 'exec /usr/bin/sleep 0.01'
    # shellcheck disable=SC2016 # for the program
    program fake/ctest 'mkdir -p "$2/Testing/Temporary" && touch "$2/Testing/Temporary/LastTest.log"' 'echo "Total Tests: 1"' \
        'echo "100% tests passed, 0 tests failed out of 1"'
    program fake/cmake 'mkdir -p build && printf "#!/bin/sh\necho measured\n" >build/clreduce && chmod +x build/clreduce'
    cp fake/cmake fake/ninja
}

# Both commands, as root, where nothing is installed.
ways_to_end() {
    local command fault reason way_out known=(--device x --strat=x --time-per-cell 1 --resume --n=7 -o - --bins 7 --primitive scan --usage)
    export HAVE='' FAULT=''
    for command in bench/run tests/run; do
        rm -rf checkout/build lists installed
        PATH=$work/fake:$PATH check "$command in a root without lists" 0 '^(measured|100% tests passed.*)$' "checkout/$command" --drivers system "${known[@]}"
        known=()
        judge "tells no size that it cannot know" told_before 'Debian packages \(on a bare Debian 12 about' '--install no declines' 'fetching the lists'
        judge "has installed" grep -q 'install -y --no-install-recommends .*cmake' installed
        while IFS='|' read -r fault reason way_out; do
            rm -rf checkout/build lists installed
            FAULT=$fault PATH=$work/fake:$PATH check "$command, $fault" 4 \
                "^clreduce: $reason \(the whole log is .*/packages[.]log\)[.] What to do: $way_out.*, then run the same command again$" \
                "checkout/$command" --drivers system
            judge "which is the last line" [ "$(tail -n 1 out)" = "$(grep 'What to do' out)" ]
            judge "and nothing is installed" [ ! -e installed ]
        done <<'FAULTS'
network|fetching the lists of Debian packages failed: E: Failed to fetch .* 'host'|see to this machine's network
lists_lock|fetching the lists of Debian packages failed: E: Could not get lock .*|wait until the other program
dpkg_lock|installing Debian packages failed: E: Could not get lock .*|wait until the other program
disk|installing Debian packages failed: dpkg: error .*No space left.*|free some space
space|installing Debian packages failed: E: You don't have enough free space .*|free some space
interrupted|installing Debian packages failed: E: dpkg was interrupted.*|run dpkg --configure -a
silent|installing Debian packages failed: it said nothing|repair
FAULTS
    done
    rm -rf checkout/build
    program full/df 'printf "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/x 100 100 0 100%% /\n"'
    FAULT=silent PATH=$work/full:$work/fake:$PATH check "a full disk below build" 4 'failed: no space left on the disk that has .* What to do: free some space' \
        checkout/bench/run --drivers system
    # Lists of an earlier day, or what is there, are enough without a network.
    FAULT=network PATH=$work/fake:$PATH check "old lists" 0 '^measured$' checkout/bench/run --drivers system
    rm -f lists
    # shellcheck disable=SC2016 # for the shell that has them
    HAVE=$(in_setup 'echo $build_packages $test_packages' | head -n 1)
    HAVE=${HAVE/ oclgrind / } FAULT=network PATH=$work/fake:$PATH check "without one that is optional" 0 \
        'those that are here lack oclgrind; going on without it' checkout/tests/run --drivers system
    HAVE=''
    nobody
}

# Who is not root is told why nothing is installed, and the command.
nobody() {
    local told='^clreduce: Debian packages are missing; install them as root with: apt-get install .*cmake.*nothing was installed: this is not root, and'
    mkdir -p system
    find /bin/ /usr/bin/ -maxdepth 1 ! -name sudo ! -type d -exec ln -sf -t system {} +
    rm -rf lists installed
    program user/id 'echo 1000'
    program refused/sudo 'echo "sudo: a password is required" >&2' 'exit 1'
    PATH=$work/user:$work/fake:$work/system check "neither root nor sudo" 4 "$told there is no sudo" checkout/bench/run --drivers system
    PATH=$work/user:$work/refused:$work/fake:$work/system check "sudo that refuses" 4 "$told sudo asks for a password or refuses" \
        checkout/tests/run --drivers system
    judge "install nothing" [ ! -e installed ]
}

readonly called="apt-cache apt-get awk cmake cmp ctest date df dpkg-query find getconf grep id ln mkdir mktemp mv ninja nproc python3 sed sleep
tail tr uname"

# silent_programs N: so many programs that set-up calls, drawn anew each time, fail without a word: it goes on without, or ends with a line of
# its own and status 4.
silent_programs() {
    local command name status options
    export HAVE='' FAULT=''
    # shellcheck disable=SC2086 # a list of names
    for name in $(shuf -n "$1" -e $called); do
        rm -rf failing && program "failing/$name" 'exit 100'
        for command in bench/run tests/run; do
            rm -rf checkout/build lists installed
            status=0
            options=(--drivers system)
            [ "$name" != python3 ] || options=()
            PATH=$work/failing:$work/fake:$PATH PIP_FIND_LINKS=/nowhere "checkout/$command" "${options[@]}" >out 2>&1 </dev/null || status=$?
            case $status:$(tail -n 1 out) in
            0:* | 4:clreduce:*) ;;
            100:"clreduce: '"*' ended with status 100') ;; # behind the set-up
            1:'0% tests passed'*) judge "$command without $name says that ctest fails" grep -q '^clreduce: ctest has failed in build/ci; ' out ;;
            *) fail "$command without $name" "ends with $status: $(cat out)" ;;
            esac
        done
    done
    ok "programs that fail without a word are told of, or not needed"
}

unexpected_ends() {
    check "what nobody expected" 4 "^clreduce: looking around failed: 'false' .* ended with status 1; .* What to do: .*same command again$" \
        in_setup 'doing="looking around"; false; echo went on'
    judge "ends there" [ "$(grep -c 'went on' out)" = 0 ]
    check "what is allowed to fail" 0 '^went on$' in_setup 'set +e; false; echo went on'
    check "a lock is free behind a step" 0 ended in_setup 'exec 9>locked; flock 9; step sleeping log sleep 1.5; exec 9>&-; flock -n locked true'
    # shellcheck disable=SC2016 # for the shell
    check "also in a substitution" 4 "^clreduce: setting up failed: .*ended with status 7;" in_setup 'found=$(exit 7)'
    PATH=$work/fake:$PATH check "what fails behind the set-up" 7 "^clreduce: 'sh -c \"exit 7\"' [(]line [0-9]+ of bash[)] ended with status 7$" \
        in_setup 'build_preset release log; sh -c "exit 7"; echo went on'
    judge "is not told as its failure" [ "$(grep -cE 'What to do|went on' out)" = 0 ]
    PATH=$work/fake:$PATH check "a second build is set-up, too" 4 "^clreduce: setting up failed: 'false' .*same command again$" \
        in_setup 'build_preset release log; configure_preset() { false; }; build_preset release log'
}

# A step that takes long tells how far it is.
long_steps() {
    program slow/build 'echo "[119/310] Building b"' 'printf "[120/310] Building a\n"' 'sleep 5'
    program slow/fetch 'printf "Get:1 one\rGet:2 \033[31mtwo\n"' 'sleep 3'
    check "a step that builds" 0 '^clreduce: building, 120 of 310 files after [1-9][0-9]* s$' in_setup 'tell_after=1; tell_every=2; step building log slow/build'
    # shellcheck disable=SC2016 # for awk
    judge "tells it now and then" awk '/ files after/ { n++; last = $(NF - 1) } END { exit !(n >= 1 && n <= last / 2 + 1) }' out
    judge "has a whole log" [ "$(cat log)" = $'[119/310] Building b\n[120/310] Building a' ]
    check "one that fetches" 0 '^clreduce: fetching after [1-9][0-9]* s: Get:2 .31mtwo$' in_setup 'tell_after=1; step fetching log slow/fetch'
    check "a short one" 0 ended in_setup 'step building log true'
    judge "says nothing" [ "$(cat out)" = ended ]
    check "one that fails has its status" 7 ended in_setup 'step building log sh -c "exit 7" || exit'
    # shellcheck disable=SC2016 # for the shell
    in_setup 'echo "tell_after=$tell_after tell_every=$tell_every"' >out
    judge "begins after ten seconds, and then every thirty" grep -qx 'tell_after=10 tell_every=30' out
    # On a terminal in one line, which is cleared.
    cp "$root/bench/setup/setup.sh" terminal.sh
    # shellcheck disable=SC2016
    TERM=xterm script -qec 'bash -c ". ./terminal.sh; tell_after=1; step building log slow/build; echo done"' /dev/null >out </dev/null
    judge "on a terminal in place" grep -q $'\r\033\[Kclreduce: building, 120 of 310 files after [1-9][0-9]* s\r.*\r\033\[Kdone' out
}

# What is asked for wrongly is told at once, and nothing is installed or built.
options() {
    local option pattern command
    rm -rf checkout/build installed
    export HAVE='' FAULT=''
    while read -r option pattern; do
        # shellcheck disable=SC2086 # an option, or one with its value
        PATH=$work/fake:$PATH check "tests/run $option" 4 "^clreduce: $pattern; tests/run --help lists" checkout/tests/run $option
    done <<'OPTIONS'
--ful there is no option --ful, did you mean --full[?]
--nihgtly there is no option --nihgtly, did you mean --nightly[?]
--tests-regexp=x there is no option --tests-regexp, did you mean --tests-regex[?]
-X there is no option -X
pages 'pages' is no option; tests are selected by -R '.pages[$]'
-Q there is no option -Q
--quiet there is no option --quiet
--print-labels there is no option --print-labels.*
-V=3 -V takes no value
--show-only=json-v1 --show-only takes no value
OPTIONS
    for command in bench/run bench/cluster; do
        PATH=$work/fake:$PATH check "$command --stratgy" 4 "^clreduce: there is no option --stratgy, did you mean --strategy[?]; $command --help lists them$" \
            "checkout/$command" --n 2^10 --stratgy=tree
    done
    PATH=$work/fake:$PATH check "behind options of ctest, too" 4 'no option --nowhere.*; tests/run --help' checkout/tests/run --full -R x -j4 --nowhere
    PATH=$work/fake:$PATH check "a value that lacks" 4 '^clreduce: -R needs a value; see ctest --help$' checkout/tests/run -R
    PATH=$work/fake:$PATH check "tests/run --help" 0 '^ +--nightly  +what --full leaves out' checkout/tests/run --full --help
    judge "tells each tier" [ "$(grep -cE '^ +--(full|beyond-quick|nightly|drivers all.system|install yes.no) ' out)" = 5 ]
    judge "nothing is installed or built" [ ! -e installed -a ! -e checkout/build ]
    if command -v ctest >/dev/null; then
        # Every option of ctest that is taken is one.
        ctest --help >ctest.txt
        for option in $(bash -c 'eval "$(sed -n "/^readonly selecting_values/,/^readonly own/p" "$0")"; echo $ctest_options' "$root/tests/run"); do
            grep -qE -- "(^|[ ,])$option([ =,[]|\$)" ctest.txt || echo "$option"
        done >out
        judge "ctest has the options that are taken" [ ! -s out ]
    fi
}

# asked_of_ctest PATTERN: with its options, of the build ci, where it ran tests.
asked_of_ctest() {
    grep -v -- ' -N ' asked | grep -qE -- "^--test-dir build/ci .*$1\$"
}

# Which options of ctest say what is run; what is listed; and what a ctest that fails in one build means for the other.
choices() {
    local option drawn
    mkdir -p chosen/tests
    cp -r "$root/bench" chosen/
    cp "$root/tests/run" chosen/tests/
    printf '%s turns ci 9 Guards\n' first second third fourth fifth sixth seventh eighth ninth >chosen/tests/tiers.txt
    echo 'always full ci 9 Guards' >>chosen/tests/tiers.txt
    # shellcheck disable=SC2016 # for the programs
    program choose/cmake 'echo "$*" >>"$ASKED.cmake"'
    # shellcheck disable=SC2016
    program choose/ctest 'echo "$*" >>"$ASKED" && mkdir -p "$2/Testing/Temporary" && touch "$2/Testing/Temporary/LastTest.log"' \
        'case "$* " in *" -N "* | *" --show-only "*) printf "%s\n" "Could not find executable /x" "Looked in" "  Test #1: one" "" "Total Tests: ${TESTS:-3}" ;;' \
        "\"\$FAULT \"*) echo 'ctest: Segmentation fault' && exit 139 ;;" '*) echo "100% tests passed, 0 tests failed out of 3" ;; esac'
    program choose/dpkg-query 'echo "install ok installed"'
    program choose/sleep 'exit 0'
    cp choose/cmake choose/ninja
    local run=(env PATH="$work/choose:$PATH" ASKED="$work/asked" chosen/tests/run --drivers system)
    export FAULT=none
    drawn='-E \^\([a-z]+(\|[a-z]+){6}\)\$' # two are left
    for option in '' -V -j4 '--parallel=4' '--timeout 9' --output-on-failure; do
        rm -f asked
        # shellcheck disable=SC2086 # an option, or one with its value
        check "--full $option draws" 0 'of 9 tests that take turns an eighth is drawn' "${run[@]}" --full $option
        option=${option/=/ }
        judge "and ctest is told" asked_of_ctest "$drawn${option:+ $option}"
    done
    while IFS='|' read -r option drawn; do
        rm -f asked
        # shellcheck disable=SC2086
        check "--full $option selects" 0 "no tests are drawn: these options select among all that --full has: $drawn$" "${run[@]}" --full $option
        judge "and ctest is told" asked_of_ctest "quick[|]full.* $drawn"
    done <<'OPTIONS'
-E x|-E x
--tests-regex=x|--tests-regex x
-V -LE x|-V -LE x
--rerun-failed|--rerun-failed
OPTIONS
    rm -f asked asked.cmake
    check "without a tier -j4 selects nothing" 0 '^100% tests passed, 0 tests failed out of 3$' "${run[@]}" -j4
    judge "of other tiers" asked_of_ctest '-L \^quick\$ -j4'
    judge "nor builds with sanitizers" [ "$(grep -c sanitize asked.cmake)" = 0 ]
    for option in -N --show-only; do
        rm -f asked.cmake
        check "$option lists the tests" 0 '^  Test #1: one$' "${run[@]}" $option -R one
        judge "of both builds, and says nothing of what it need not build" [ "$(grep -cE '^  Test #1' out) $(grep -cE 'Looked|Could not' out)" = "2 0" ]
        judge "nor builds" [ "$(sort -u asked.cmake | tr '\n' ' ')" = "--preset ci --preset sanitize " ]
    done
    TESTS=0 check "nothing to list" 4 '^clreduce: no test is selected by: -N -R one$' "${run[@]}" -N -R one
    FAULT='--test-dir build/sanitize' check "ctest that fails in one build" 1 '^clreduce: ctest has failed in build/sanitize; ' "${run[@]}" -R one
    judge "has tests that failed, and those of the other run" [ "$(grep -E 'tests passed' out | paste -sd '|')" = \
        "100% tests passed, 0 tests failed out of 3|50% tests passed, 3 tests failed out of 6" ]
    judge "as is said behind them" grep -q '^clreduce: tests failed under the sanitizers; see above$' out
}

# Tests that end by their limit beside other programs.
busy() {
    rm -rf loaded
    mkdir -p loaded/tests
    cp -r "$root/bench" loaded/
    sed "s,/proc/loadavg,$work/loadavg," "$root/tests/run" >loaded/tests/run
    chmod +x loaded/tests/run
    # shellcheck disable=SC2016 # for the programs
    program tools/cmake 'echo "$* limits times ${CLREDUCE_LIMITS_TIMES:-1}" >>"$BUILT"'
    # shellcheck disable=SC2016
    program tools/ctest 'mkdir -p "$2/Testing/Temporary" && touch "$2/Testing/Temporary/LastTest.log"' \
        'case "$*" in *" -N "*) echo "Total Tests: 3" && exit ;; esac' \
        'printf "%s\n" "1/3 Test #1: slow ....***Timeout 60.1 sec" "67% tests passed, 2 tests failed out of 3" "The following tests FAILED:"' \
        'printf "\t  1 - slow (Timeout)\n\t  2 - also_slow (Timeout)   quick script\n\t  3 - wrong (Failed)\n"' 'exit 8'
    program tools/dpkg-query 'echo "install ok installed"'
    program tools/sleep 'exit 0'
    program tools/getconf 'echo 2'
    program tools/nproc 'echo 2'
    cp tools/cmake tools/ninja
    local run=(env PATH="$work/tools:$PATH" BUILT="$work/loaded.built" loaded/tests/run --drivers system)
    echo '9.87 9.87 9.87 11/432 4711' >loadavg
    check "tests beside ten busy loops" 1 \
        '^clreduce: this machine was busy: 10[.]0 processes of others were ready to run on its 2 processors before the tests, and 10[.]0 behind them$' "${run[@]}"
    judge "which is told beforehand" grep -q '^clreduce: note: 10[.]0 processes of others are ready .* limits are 4 times as long$' out
    judge "have longer limits" grep -q -- '--preset ci limits times 4' loaded.built
    judge "those that end by them are named" grep -qF "clreduce: 2 tests ended by their time limit, which on a busy machine tells nothing of clreduce; on a quiet one: ./tests/run -R '^(also_slow|slow)\$'" out
    judge "and the last line is ctest's" [ "$(tail -n 1 out)" = "33% tests passed, 2 tests failed out of 3" ]
    rm loaded.built
    echo '9.87 9.87 9.87 1/432 4711' >loadavg
    check "on a quiet machine" 1 '^33% tests passed' "${run[@]}"
    judge "nothing is said of it" [ "$(grep -cE 'busy|ready|tells nothing' out)" = 0 ]
    judge "and limits are as they are" grep -q -- '--preset ci limits times 1' loaded.built
}

if [ "${1:-}" = quick ]; then
    fake_apt
    fake_build
    ways_to_end
    silent_programs 8
    unexpected_ends
    long_steps
    options
    choices
    busy
else
    pinned
    runtime
    packages
    builds
    cluster
    rm -rf fake checkout
    fake_apt
    fake_build
    silent_programs 99
fi
exit $failed
