#!/usr/bin/env bash
# bench/setup.sh: what is fetched is what is pinned, by its hash, or nothing; who declines packages is told what is missing. Without
# a network: wheels made here stand in for PyPI's, and programs that say what they are told for apt and dpkg.
#   tests/cli/setup.sh
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

# in_setup COMMAND: of bench/setup.sh, in this folder.
in_setup() {
    bash -c 'set -euo pipefail; trap "echo ended" EXIT; . "$0/bench/setup.sh"; eval "$1"' "$root" "$1"
}

pinned() {
    local zeros
    zeros=$(printf '%064d' 0)
    judge "each requirement has a version and a hash" python3 - "$root"/bench/intel.txt "$root"/tests/cli/{builders,checkers,readers,reframe}.txt <<'PYTHON'
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
        check "what is $kind is not" 1 ended in_setup "make_venv $kind $kind.txt"
        judge "nor marked as there" test ! -e $kind/complete
        judge "and nothing newer is taken for it" test -z "$(find $kind -name 'thing*')"
    done
    judge "pip says why" grep -q 'DO NOT MATCH THE HASHES' changed.log
    check "who declines has nothing fetched" 1 ended in_setup 'setup_option --install no; make_venv declined right.txt'
    judge "and is told so" grep -q -- '--install no: nothing is fetched' declined.log
    judge "nor has a folder" test ! -e declined
}

runtime() {
    local tag=py2.py3-none-manylinux_2_28_x86_64
    wheel intel_opencl_rt 1.0 $tag libintelocl.so cl.cfg
    wheel intel_opencl_rt 1.1 $tag libintelocl.so cl.cfg
    wheel others 1.0 $tag libtbb.so.12 libimf.so libsvml.so libirng.so libintlc.so.5
    mkdir bench
    { pin intel_opencl_rt 1.0 && pin others 1.0; } >bench/intel.txt
    check "the runtime" 0 'fetching Intel' in_setup 'fetch_intel drivers log'
    judge "is what is pinned" grep -qx 1.0 drivers/libintelocl.so
    PIP_FIND_LINKS=/nowhere check "and is fetched once" 0 ended in_setup 'fetch_intel drivers log'
    cp -r drivers kept
    wheel intel_opencl_rt 1.0 $tag libintelocl.so cl.cfg libcommon_clang.so.1 # not the one that was pinned
    check "another one by its name" 1 'could not be fetched as bench/intel.txt pins it' in_setup 'fetch_intel other log'
    judge "is not taken" test ! -e other -a ! -e other.partial
    rm wheels/intel_opencl_rt-1.0*
    check "where it is gone" 1 'could not be fetched as bench/intel.txt pins it' in_setup 'fetch_intel other log'
    judge "no newer one is taken" test ! -e other -a ! -e other.partial
    check "who declines goes on without" 1 '--install no fetches nothing; going on with the system' in_setup 'setup_option --install=no; fetch_intel other log'
    check "but keeps what is there" 0 ended in_setup 'setup_option --install=no; fetch_intel kept log'
}

# told_before SIZE DECLINES STEP: in out, that nothing is asked, the size, how to decline and only then the first step.
told_before() {
    [ "$(grep -nE "nothing is asked|$1|$2|$3" out | cut -d : -f 1 | tr '\n' ' ')" = "1 2 3 4 " ]
}

# program PATH LINE...: a shell script of these lines, which can be run.
program() {
    mkdir -p "${1%/*}"
    printf '%s\n' '#!/bin/sh' "${@:2}" >"$1"
    chmod +x "$1"
}

# A checkout whose packages are what $have says; whatever is installed is told in $work/installed.
packages() {
    mkdir -p checkout/tests
    cp -r "$root/bench" checkout/
    cp "$root/tests/run" checkout/tests/
    # shellcheck disable=SC2016 # for the program
    program fake/dpkg-query 'for last; do :; done; case " $HAVE " in *" $last "*) echo "install ok installed" ;; esac'
    # It has lists, and tells of an archive of 7 and one of 3 MB, after its first update.
    cat >fake/apt-get <<APT
#!/bin/sh
case " \$* " in
*' --print-uris '*) [ ! -e $work/lists ] || printf "'http://host/%s' %s %s SHA256:0\n" a a.deb 6900000 b b.deb 2900000 ;;
*' update '*) touch $work/lists ;;
*) echo "apt-get \$*" >>$work/installed ;;
esac
APT
    program fake/apt-cache 'exit 0'
    program fake/cmake "echo built >>$work/built" 'exit 1'
    cp fake/cmake fake/ninja
    chmod +x fake/*
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
    PATH=$work/fake:$PATH HAVE=$all check "Intel's runtime" 4 'could not be fetched as bench/intel.txt pins it' checkout/bench/run
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
    mkdir -p cluster
    cp -r "$root/bench" cluster/
    program launch/cmake 'mkdir -p build && printf "#!/bin/sh\n" >build/clreduce && chmod +x build/clreduce && touch build/clreduce_mpi.so'
    # shellcheck disable=SC2016 # for the program
    program launch/mpirun '[ "$1" = --version ] && echo "mpirun ($MPI) 4.1.4" && exit' 'echo "launched $*"'
    program launch/dpkg-query 'echo "install ok installed"'
    cp launch/cmake launch/ninja
    local run=(env PATH="$work/launch:$PATH" cluster/bench/cluster --install no --drivers system)
    MPI='Open MPI' check "a rank has all cores" 0 "^launched -n 1 --map-by slot:PE=$(python3 "$root/bench/cores.py") --bind-to core /" "${run[@]}" --np 1
    MPI='Open MPI' check "ranks that are more than the cores" 0 '^launched -n 9999 --oversubscribe /' "${run[@]}" --np 9999
    MPI=Intel check "another MPI decides itself" 0 '^launched -n 2 /.*/build/clreduce bench --ranks --output .* --n 10$' "${run[@]}" --np 2 --n 10
    for i in 0 1 2 3; do
        mkdir -p topology/cpu$i/topology
        echo "$((i % 2)),$((i % 2 + 2))" >topology/cpu$i/topology/thread_siblings_list
    done
    judge "two processors of a core are one core" env PYTHONPATH="$root/bench" python3 -c 'import cores, pathlib
here = pathlib.Path("topology")
assert [cores.count(these, here) for these in ({0, 1, 2, 3}, {0, 2}, {0, 1}, {3}, {3, 4})] == [2, 1, 2, 1, 2]'
}

pinned
runtime
packages
builds
cluster
exit $failed
