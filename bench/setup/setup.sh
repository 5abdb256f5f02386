#!/usr/bin/env bash
# Sourced by the scripts of bench/ and tests/: installs Debian packages that are missing, and puts Intel's CPU runtime for
# OpenCL into the build tree. Everything is looked up first, so that a second run touches nothing and needs no network.
# What comes from PyPI is what bench/setup/intel.txt and tests/*.txt name, by its sha256: where that is gone, nothing is taken instead.

# shellcheck disable=SC2034 # the scripts that source this one use it
readonly build_packages="cmake ninja-build make gcc g++ libc6-dev pkg-config ocl-icd-libopencl1 ocl-icd-opencl-dev
opencl-c-headers pocl-opencl-icd libbenchmark-dev libgsl-dev libjansson-dev libinih-dev libxml2-dev
python3 python3-pip"
# shellcheck disable=SC2034
readonly mpi_packages="libopenmpi-dev openmpi-bin"
# shellcheck disable=SC2034
readonly test_packages="libcmocka-dev clang libclang-rt-dev python3-dev oclgrind libbenchmark-tools python3-jsonschema python3-yaml python3-numpy python3-scipy
cmark-gfm libxml2-utils python3-junitparser chromium chromium-driver python3-selenium mandoc shellcheck
$mpi_packages slurm-wlm munge"
# Not in every release; tests that need them are skipped without.
readonly optional_packages="oclgrind chromium chromium-driver python3-selenium slurm-wlm munge"

readonly intel_licence="Intel End User License Agreement for Developer Tools"
readonly intel_size="273 MB"
# Where apt has no lists yet, so that it cannot tell.
readonly bare_size="on a bare Debian 12 about 185 MB to download, 500 MB with those of the tests, and 20 MB of apt's lists"

# What nobody reads goes nowhere: into a closed stream nothing can be said, and what is opened later would take its place.
true 2>/dev/null 3>&1 || exec >/dev/null
true 3>&2 || exec 2>/dev/null

# What --drivers and --install ask for.
drivers=all
install=yes
# shellcheck disable=SC2034 # help texts of the scripts that source this one
readonly setup_options_help="  --drivers all|system       all (the default) also fetches Intel's OpenCL runtime for CPUs ($intel_size), where
                             it is missing; system uses only the drivers that this system has
  --install yes|no           yes (the default) installs the Debian packages that are missing;
                             no installs no package and fetches nothing: it says what is missing, and ends with
                             status 4 where it cannot do without
Nothing is asked: what will be installed and fetched, and how much that is, is printed first."

# On a terminal sudo may ask for a password; elsewhere it must do without.
sudo_flag=-n
[ ! -t 2 ] || sudo_flag=

say() {
    echo "clreduce: $*" >&2
}

die() {
    say "$*"
    exit 4
}

# What fails where nothing else tells of it: no script that sources this ends without a word. Until build_preset has built (bench/gate builds
# in processes of its own: there until it ends) that is the set-up, which ends with 4 and what to do. What fails behind it is named, and has
# its own status.
doing="setting up"
unexpected() {
    local status=$1 command=${2%%$'\n'*} line=$3
    local where=${BASH_SOURCE[1]:-bash}
    where=${where##*/}
    # Bash calls it behind a `set +e`, too, where nothing ends.
    [[ $- = *e* ]] || return 0
    # What ends with 4 is `die` in a substitution.
    [ "$BASH_SUBSHELL" = 0 ] && [ "$status" != 4 ] || exit "$status"
    if [ -z "$doing" ]; then
        say "'$command' (line $line of $where) ended with status $status"
        exit "$status"
    fi
    die "$doing failed: '$command' (line $line of $where) ended with status $status; what it said stands above, or" \
        "in ${root:-.}/build/*.log. What to do: $(way_out ""), then run the same command again"
}
case $- in
*e*)
    set -E
    trap 'unexpected $? "$BASH_COMMAND" $LINENO' ERR
    ;;
esac

# ---- steps ----

# In seconds: when a step first tells how far it is, and how often it does so in a log; on a terminal each second.
tell_after=10
tell_every=30

# how_far LOG WHEN: of ninja the count of its files, of others their last words.
how_far() {
    local last
    last=$(tail -c 2000 "$1" 2>/dev/null | tr '\r' '\n' | tr -d '\000-\011\013-\037' | grep -av '^ *$' | tail -n 1) || true
    if [[ $last =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
        echo ", ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} files after $2 s"
    else
        echo " after $2 s${last:+: ${last:0:100}}"
    fi
}

# watch_step WHAT LOG PROCESS: tells of a step for as long as the process that takes it lives.
watch_step() {
    local what=$1 log=$2 process=$3 begun=$SECONDS next=$tell_after took
    # Its sleep may outlive whoever sources this by a second, and must not keep a lock for so long.
    exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
    while sleep 1 >/dev/null 2>&1 && kill -0 "$process" 2>/dev/null; do
        took=$((SECONDS - begun))
        [ "$took" -ge "$next" ] || continue
        if on_terminal; then
            printf '\r\033[K%.79s' "clreduce: $what$(how_far "$log" "$took")" >&2
        else
            say "$what$(how_far "$log" "$took")"
            next=$((took / tell_every * tell_every + tell_every))
        fi
    done
}

on_terminal() {
    [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]
}

# step WHAT LOG COMMAND...: what it says goes to the end of LOG. False where it fails.
step() {
    local what=$1 log=$2 doing=$1 begun=$SECONDS watch status=0
    shift 2
    watch_step "$what" "$log" "$BASHPID" &
    watch=$!
    "$@" >>"$log" 2>&1 </dev/null || status=$?
    # Not by TERM: one that was just begun would still run the EXIT trap of whoever sources this.
    kill -KILL "$watch" 2>/dev/null || true
    wait "$watch" 2>/dev/null || true
    if on_terminal && [ $((SECONDS - begun)) -ge "$tell_after" ]; then
        printf '\r\033[K' >&2
    fi
    return $status
}

# last_words LOG: the reason why what wrote it failed, in one line. Where its disk is full LOG may have none.
last_words() {
    local line
    if df -Pk "$(dirname "$1")" 2>/dev/null | awk 'NR == 2 && $4 ~ /^[0-9]+$/ && $4 < 1024 { full = 1 } END { exit !full }'; then
        echo "no space left on the disk that has $(dirname "$1")"
        return
    fi
    line=$(grep -aE '^(E|dpkg|dpkg-deb|ERROR|sudo|fatal): ?|^CMake Error|: (fatal )?error: |No space left' "$1" 2>/dev/null |
        grep -avE '^E: (Some index files|Unable to fetch some|Sub-process )' | tail -n 1) || true
    # CMake says behind the place what it is.
    [[ $line != "CMake Error"* ]] || line=$(grep -aA 3 '^CMake Error' "$1" | tail -n 4 | tr -s '\n ' ' ') || true
    [ -n "$line" ] || line=$(grep -av '^[[:space:]]*$' "$1" 2>/dev/null | tail -n 1) || true
    printf '%.400s\n' "${line:-it said nothing}" | tr -d '\000-\011\013-\037'
}

# way_out REASON: what to do about it.
way_out() {
    case $1 in
    *[Nn]"o space left"* | *"enough free space"* | *"quota exceeded"*) echo "free some space there (df -h shows where)" ;;
    *"get lock"* | *"Unable to lock"* | *"is locked by"*) echo "wait until the other program that installs packages has ended" ;;
    *"dpkg --configure -a"*) echo "run dpkg --configure -a, as root" ;;
    *resolving* | *"not resolve"* | *"name resolution"* | *onnect* | *"Failed to fetch"* | *unreachable* | *"timed out"* | *[Pp]roxy* | \
        *"No matching distribution"*)
        echo "see to this machine's network or proxy, or to the mirror in /etc/apt"
        ;;
    *"ermission denied"* | *"Read-only file system"*) echo "see to the permissions" ;;
    *) echo "repair what it names" ;;
    esac
}

# give_up STEP LOG: ends with the step that failed, the reason, the log's name and what to do.
give_up() {
    local reason
    reason=$(last_words "$2")
    die "$1 failed: $reason (the whole log is $2). What to do: $(way_out "$reason"), then run the same command again"
}

# new_log LOG: empties it. Bash takes a group whose redirection fails, behind `!`, for one that succeeds.
new_log() {
    : >"$1" || die "$1 cannot be written"
}

# ---- options ----

# setup_option ARGUMENT...: takes --drivers or --install from the front; $taken arguments, 0 if it is neither.
setup_option() {
    local name=${1%%=*} value=${1#*=} expected
    taken=1
    case $name in
    --drivers) expected="all or system" ;;
    --install) expected="yes or no" ;;
    *) taken=0 && return ;;
    esac
    if [ "$1" = "$name" ]; then
        [ $# -gt 1 ] || die "$name needs a value: $expected"
        value=$2
        taken=2
    fi
    case $name=$value in
    --drivers=all | --drivers=system) drivers=$value ;;
    --install=yes | --install=no) install=$value ;;
    *) die "$name: '$value' is not valid; expected $expected" ;;
    esac
    export CLREDUCE_INSTALL=$install # for what tests fetch
}

# refuse_option SCRIPT ARGUMENT OPTION...: it is none of these; that which begins most like it is named.
refuse_option() {
    local script=$1 name=${2%%=*} option best='' length longest=2
    for option in "${@:3}"; do
        [ "$option" != "$name" ] || die "$name takes no value; $script --help lists the options"
        length=${#name}
        while [ "$length" -gt "$longest" ] && [ "${option:0:length}" != "${name:0:length}" ]; do
            length=$((length - 1))
        done
        [ "$length" -le "$longest" ] || best=$option longest=$length
    done
    die "there is no option $name${best:+, did you mean $best?}; $script --help lists them"
}

# check_options SCRIPT ARGUMENT...: those for clreduce bench, before anything is installed for it: whether it has each --NAME, or one that
# begins so. Which verb takes it, and with which values, it says itself.
check_options() {
    local script=$1 argument known
    shift
    known=$(sed -nE 's/^( *\[RED_OPTION_[A-Z0-9_]+\] =)? *\{"([a-z-]+)", *("|NULL|$).*/--\2/p' src/cli/option_table.c 2>/dev/null) || return 0
    for argument in "$@"; do
        # shellcheck disable=SC2086 # a list of options
        case $argument:$'\n'$known$'\n--usage' in
        --[a-z]*:*$'\n'"${argument%%=*}"*) ;;
        --[a-z]*) refuse_option "$script" "$argument" --help --drivers --install $known ;;
        esac
    done
}

is_optional() {
    case " $optional_packages " in *" $1 "*) ;; *) return 1 ;; esac
}

# missing_packages ABSENT PACKAGE...: ABSENT lists the optional packages that this release was found not to have.
missing_packages() {
    local absent=$1 package
    shift
    for package in "$@"; do
        # A virtual package has no status of its own; pkgconf took pkg-config's place.
        if [ "$package" = pkg-config ] && command -v pkg-config >/dev/null; then
            continue
        fi
        if is_optional "$package" && grep -qxF "$package" "$absent" 2>/dev/null; then
            continue
        fi
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || echo "$package"
    done
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        # shellcheck disable=SC2086 # no flag, or one
        sudo $sudo_flag "$@"
    fi
}

can_be_root() {
    # shellcheck disable=SC2086
    [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && sudo $sudo_flag true 2>/dev/null; }
}

# why_no_root: why packages cannot be installed; nothing where they can.
why_no_root() {
    if [ "$install" = no ]; then
        echo "--install no"
    elif ! can_be_root; then
        command -v sudo >/dev/null && echo "this is not root, and sudo asks for a password or refuses" || echo "this is not root, and there is no sudo"
    fi
}

# known_packages PACKAGE...: those that apt's lists have a version of. Of one that others only name, in a dependency or as what they
# provide, `apt-cache show` succeeds, too.
known_packages() {
    LC_ALL=C apt-cache policy "$@" 2>/dev/null |
        awk '/^[^ ]+:$/ { name = $1; sub(/:$/, "", name) } $1 == "Candidate:" && $2 != "(none)" { print name }' || true
}

# download_size PACKAGE...: of these packages and of what they need, in words; unknown while apt's lists do not have all of them.
download_size() {
    local package known
    known=$(known_packages "$@")
    for package in "$@"; do
        is_optional "$package" || grep -qxF "$package" <<<"$known" || return 0
    done
    # shellcheck disable=SC2086 # a list of package names
    [ -z "$known" ] || apt-get --print-uris -y --no-install-recommends install $known 2>/dev/null </dev/null |
        awk '$3 ~ /^[0-9]+$/ { packages++; bytes += $3 }
            END { if (packages) printf "%d with what they need, %d MB to download", packages, bytes / 1e6 + 1 }' || true
}

# names_required PACKAGE...: whether one of them is needed to go on.
names_required() {
    local package
    for package in "$@"; do
        is_optional "$package" || return 0
    done
    return 1
}

# tell_plan BUILD MISSING: what will be installed and fetched, how much that is, and how to decline. Says nothing where all is there.
tell_plan() {
    local build=$1 missing=$2 size intel=''
    [ "$install" = yes ] || return 0
    [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || missing=
    [ "$drivers" = system ] || [ -n "$(why_no_intel "$build")" ] || has_intel "$build/drivers" || intel=yes
    [ -n "$missing$intel" ] || return 0
    say "nothing is asked; this is missing here and is installed and fetched now (Ctrl-C stops it):"
    if [ -n "$missing" ]; then
        # shellcheck disable=SC2086 # a list of package names
        size=$(download_size $missing)
        say "  Debian packages (${size:-$bare_size}): $missing"
        say "    --install no declines: it installs and fetches nothing, and says what is missing"
    fi
    if [ -n "$intel" ]; then
        say "  Intel's OpenCL runtime for CPUs ($intel_size from PyPI into build/drivers), under the $intel_licence"
        say "    --drivers system declines: only the drivers of this system are used"
    fi
}

# install_packages LOG PACKAGE...: beforehand it says what it and set_up_drivers will do.
install_packages() {
    local log=$1 absent=${1%.log}.absent package size reason stale='' missing=() known=() unknown=()
    shift
    local doing="looking for Debian packages"
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        tell_plan "$(dirname "$log")" ""
        say "this is no Debian or Ubuntu; going on with what is there. Needed: $*"
        return 0
    fi
    read -ra missing <<<"$(missing_packages "$absent" "$@" | tr '\n' ' ')"
    tell_plan "$(dirname "$log")" "${missing[*]}"
    [ ${#missing[@]} -gt 0 ] || return 0
    reason=$(why_no_root)
    if [ -n "$reason" ]; then
        ! names_required "${missing[@]}" ||
            die "Debian packages are missing; install them as root with: apt-get install --no-install-recommends ${missing[*]}" \
                "(nothing was installed: $reason; where apt has no lists, apt-get update comes first)"
        say "going on without the Debian packages ${missing[*]}"
        return 0
    fi
    new_log "$log"
    say "fetching the lists of Debian packages"
    # Told nothing, apt-get update succeeds without a network. One broken list of several need not matter, though.
    step "fetching the lists of Debian packages" "$log" as_root env LC_ALL=C apt-get -o APT::Update::Error-Mode=any update || stale=yes
    read -ra known <<<"$(known_packages "${missing[@]}" | tr '\n' ' ')"
    for package in "${missing[@]}"; do
        case " ${known[*]} " in *" $package "*) ;; *) unknown+=("$package") ;; esac
    done
    if [ -n "$stale" ] && names_required "${unknown[@]}"; then
        give_up "fetching the lists of Debian packages" "$log"
    fi
    for package in "${unknown[@]}"; do
        if [ -n "$stale" ]; then
            say "the lists of Debian packages could not be fetched, and those that are here lack $package; going on without it"
        else
            say "this release has no package $package; going on without it"
            ! is_optional "$package" || echo "$package" >>"$absent"
        fi
    done
    [ ${#known[@]} -gt 0 ] || return 0
    size=$(download_size "${known[@]}")
    say "installing Debian packages${size:+ ($size)}: ${known[*]}"
    # A freshly started machine may still be installing its updates: wait for it.
    step "installing Debian packages" "$log" as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y \
        --no-install-recommends "${known[@]}" || give_up "installing Debian packages" "$log"
    printf '%s\n' "${known[@]}" >>"${log%.log}.installed" # for who wants to be rid of them
}

# The distribution's Python if it has pip: one found first in PATH may be a version manager's that has none.
find_python() {
    python=/usr/bin/python3
    "$python" -m pip --version >/dev/null 2>&1 || python=python3
}

# make_venv FOLDER REQUIREMENTS: a virtual environment with what this file pins, made once; without a pip of its own, and compiled as far as it is used. False if it cannot be had; FOLDER.log says why.
make_venv() {
    local folder=$1 requirements=$2 log=$1.log python
    cmp -s "$requirements" "$folder/complete" && return 0
    mkdir -p "$(dirname "$folder")"
    if [ "${CLREDUCE_INSTALL:-yes}" = no ]; then
        echo "--install no: nothing is fetched" >"$log"
        return 1
    fi
    rm -rf "$folder"
    find_python
    new_log "$log"
    "$python" -m venv --without-pip "$folder" >>"$log" 2>&1 || return 1
    step "installing $(basename "$folder") from PyPI" "$log" "$python" -m pip --python "$folder/bin/python" install \
        --disable-pip-version-check --no-compile --no-cache-dir --require-hashes --no-deps --no-build-isolation -r "$requirements" || return 1
    cp "$requirements" "$folder/complete"
}

# Keeps the runtime's own files only: a third of what the wheels hold, which also carry each large library twice.
unpack_intel() {
    "$python" - "$1" "$2" <<'PYTHON'
import glob, os, re, shutil, sys, zipfile

wheels, folder = sys.argv[1:]
keep = re.compile(r"(libintelocl\.so|libcommon_clang\.so\..*|cl\.cfg|clbltfn.*|cllibrary.*|libocl_svml_.*|libtbb\.so\.12"
                  r"|libtbbmalloc\.so\.2|libimf\.so|libsvml\.so|libirng\.so|libintlc\.so\.5|EULA\.txt)$")
for wheel in glob.glob(os.path.join(wheels, "*.whl")):
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            name = os.path.basename(entry.filename)
            if ".data/data/" in entry.filename and keep.match(name):
                with archive.open(entry) as source, open(os.path.join(folder, name), "wb") as target:
                    shutil.copyfileobj(source, target, 1 << 20)
for name in ("libintelocl.so", "cl.cfg", "libtbb.so.12", "libimf.so", "libsvml.so", "libirng.so", "libintlc.so.5"):
    if not os.path.exists(os.path.join(folder, name)):
        sys.exit(name + " is in none of the wheels")
PYTHON
}

# has_intel FOLDER: whether what is pinned is there.
has_intel() {
    cmp -s bench/setup/intel.txt "$1/complete"
}

# fetch_intel FOLDER LOG: false if it cannot be had. The folder appears only when it is complete.
fetch_intel() {
    local folder=$1 log=$2 partial=$1.partial pins=bench/setup/intel.txt python
    ! has_intel "$folder" || return 0
    if [ "$install" = no ]; then
        say "Intel's OpenCL runtime is not in build/drivers, and --install no fetches nothing; going on with the system's drivers"
        return 1
    fi
    say "fetching Intel's OpenCL runtime for CPUs ($intel_size) under the $intel_licence; --drivers system declines"
    rm -rf "$folder" "$partial"
    mkdir -p "$partial/wheels"
    find_python
    new_log "$log"
    if ! step "fetching Intel's OpenCL runtime" "$log" "$python" -m pip download --disable-pip-version-check --no-cache-dir --no-deps \
        --only-binary=:all: --require-hashes --platform manylinux_2_28_x86_64 --dest "$partial/wheels" -r "$pins" ||
        ! step "unpacking Intel's OpenCL runtime" "$log" unpack_intel "$partial/wheels" "$partial"; then
        say "Intel's runtime could not be fetched as $pins pins it: $(last_words "$log") (the whole log is $log);" \
            "going on with the system's drivers"
        rm -rf "$partial"
        return 1
    fi
    rm -rf "$partial/wheels"
    cp "$pins" "$partial/complete"
    mv "$partial" "$folder"
}

# The loader reads one folder: Intel's driver by its path, and beside it whatever the system has. The folder is never
# empty on the way, since another run may be reading it.
write_vendors() {
    local drivers=$1 vendors=$1/vendors icd
    mkdir -p "$vendors"
    find "$vendors" -xtype l -delete
    for icd in /etc/OpenCL/vendors/*.icd; do
        [ ! -e "$icd" ] || ln -sf "$icd" "$vendors/"
    done
    # Last, and by a new name: the system may have an intel-cpu.icd, which must not be written through the link.
    echo "$drivers/libintelocl.so" >"$vendors/intel-cpu.$$"
    mv -f "$vendors/intel-cpu.$$" "$vendors/intel-cpu.icd"
}

# why_no_intel BUILD: why Intel's runtime is not used, whatever is asked for; nothing where it is.
why_no_intel() {
    if [ -n "${OCL_ICD_VENDORS:-}" ]; then
        echo "OCL_ICD_VENDORS is set to $OCL_ICD_VENDORS: using those drivers"
        return 0
    fi
    if [ "$(uname -m)" != x86_64 ]; then
        echo "Intel's OpenCL runtime needs an x86-64 processor; going on with the system's drivers"
        return 0
    fi
    # It lists its device there, and then cannot create a context. Links do not help: it looks up its real path.
    case $(cd "$1" && pwd -P) in
    *[[:space:]]*) echo "Intel's OpenCL runtime fails below a folder with a space in its name; going on with the system's drivers" ;;
    esac
}

# set_up_drivers all|system BUILD: exports OCL_ICD_VENDORS where Intel's runtime is used.
set_up_drivers() {
    local choice=$1 build=$2 reason
    case $choice in
    system)
        # Said aloud, since build/clreduce looks for drivers beside itself.
        export OCL_ICD_VENDORS=${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}
        return 0
        ;;
    all) ;;
    *) die "--drivers: '$choice' is not valid; expected all or system" ;;
    esac
    reason=$(why_no_intel "$build")
    if [ -n "$reason" ]; then
        say "$reason"
        return 0
    fi
    fetch_intel "$build/drivers" "$build/drivers.log" || return 0
    write_vendors "$build/drivers"
    export OCL_ICD_VENDORS=$build/drivers/vendors
}

# configure_preset PRESET LOG: shows the log if it fails.
configure_preset() {
    local preset=$1 log=$2 tool
    for tool in cmake ninja; do
        command -v "$tool" >/dev/null || die "$tool is needed to build, and is not installed"
    done
    new_log "$log"
    # A cache from before the checkout was moved, or of another generator, is refused: then start afresh.
    step "configuring" "$log" cmake --preset "$preset" || step "configuring" "$log" cmake --fresh --preset "$preset" || build_failed configuring "$log"
}

# build_preset PRESET LOG: configures and builds; shows the log if it fails, and else what the compiler warns of. With it the set-up ends.
build_preset() {
    local preset=$1 log=$2 doing="setting up"
    configure_preset "$preset" "$log"
    step "building" "$log" cmake --build --preset "$preset" || build_failed building "$log"
    grep -A 3 'warning:' "$log" >&2 || true
    declare -g doing=
}

# build_failed STEP LOG
build_failed() {
    tail -n 40 "$2" >&2
    give_up "the build failed; $1" "$2"
}

# become SCRIPT ARGUMENT...: installs what is missing, builds build/clreduce and goes on as this script in Python, in the folder of
# the caller, with the arguments that are not the set-up's; SETUP_CHOICES has those that are. Help needs none of that.
# shellcheck disable=SC2154 # $root and $caller are set by whoever sources this
become() {
    local script=$1 arguments=() choices=()
    shift
    while [ $# -gt 0 ]; do
        setup_option "$@"
        if [ "$taken" -gt 0 ]; then
            choices+=("${@:1:taken}")
            shift "$taken"
            continue
        fi
        arguments+=("$1")
        shift
    done
    case " ${arguments[*]:---help} " in
    *" --help "*) ;;
    *)
        mkdir -p build
        # shellcheck disable=SC2086 # a list of package names
        install_packages "$root/build/packages.log" $build_packages git oclgrind
        set_up_drivers "$drivers" "$root/build"
        build_preset release "$root/build/build.log"
        ;;
    esac
    cd "$caller" || return
    exec env SETUP_OPTIONS="$setup_options_help" SETUP_CHOICES="${choices[*]}" python3 -B "$root/$script" "${arguments[@]}"
}
