#!/usr/bin/env bash
# What `cmake --install` puts where: a program outside the tree that links the library, by CMake and by pkg-config; headers that
# stand alone; the manual page; completion in bash; the module for MPI; pages whose links lead somewhere; and how to be rid of it all.
#   tests/cli/install.sh CLREDUCE BUILD_FOLDER [shared]    shared: first builds it all again, with a shared library in a folder of another name
set -u
clreduce=$(realpath "$1") build=$(realpath "$2")
. "$(dirname "$0")/../tools/check.sh"
prefix="$work/a prefix"
if [ "${3:-}" = shared ]; then
    build=$work/build clreduce=$work/build/clreduce
    cmake -S "$root" -B "$build" -G Ninja -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_INSTALL_LIBDIR=lib/other >out 2>&1 && cmake --build "$build" >>out 2>&1
    judge "a shared library is built" [ -e "$build/libclreduce.so" ]
fi
cmake --install "$build" --prefix "$prefix" >installed 2>&1 || { cat installed && exit 1; }
cp installed first_installed
here=$root/results/cpu-2-cores.json
pc=$(dirname "$(find "$prefix" -name clreduce.pc)")
export LD_LIBRARY_PATH=$pc/..${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} # where a shared library is

library() {
    judge "an installed program runs" [ "$("$prefix/bin/clreduce" --version)" = "$("$clreduce" --version)" ]
    cp -r "$root/tests/cli/example" example
    cmake -S example -B example/build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS='-Wall -Wextra -Werror' >out 2>&1 &&
        cmake --build example/build >>out 2>&1
    judge "an example links by CMake" [ -x example/build/example ]
    export PKG_CONFIG_PATH=$pc
    # shellcheck disable=SC2046 # a list of options; eval since the prefix has a blank
    eval cc -std=c11 -Wall -Wextra -Werror -o by-pkg-config example/main.c $(pkg-config --cflags --libs clreduce) >out 2>&1
    judge "and by pkg-config" [ -x by-pkg-config ]
    judge "of this version" [ "clreduce $(pkg-config --modversion clreduce)" = "$("$clreduce" --version)" ]
    mkdir later && sed 's/clreduce 0.1/clreduce 0.9/' example/CMakeLists.txt >later/CMakeLists.txt
    check "another version is not taken" 1 'requested version "0.9"' cmake -S later -B later/build -DCMAKE_PREFIX_PATH="$prefix"
    for program in example/build/example ./by-pkg-config; do
        check "$program reduces, checks and recommends" 0 '^chunk on pocl: .*, right$' "$program" pocl chunk "$here"
        judge "and recommends" grep -q '^On intel .*use chunk for every n' out
        check "$program tells what it cannot do" 4 '^no device pocl, or no strategy nothing' "$program" pocl nothing "$here"
    done
    : >alone.c
    (cd "$prefix/include/clreduce" && find . -name '*.h' | sed 's,^./,,') | while read -r header; do
        printf '#include <%s>\n#include <%s>\n' "$header" "$header" >alone.c
        # shellcheck disable=SC2046
        eval cc -std=c11 -Wall -Wextra -Werror -fsyntax-only alone.c $(pkg-config --cflags clreduce) || echo "$header"
    done >out 2>&1
    judge "every header stands alone" [ ! -s out ]
    judge "none is one of a room's own" [ -z "$(find "$prefix/include" -name '*private*')" ]
}

manual() {
    local page
    page=$(find "$prefix" -name clreduce.1)
    mandoc -T lint -W warning "$page" | grep -v 'missing date' >out
    judge "the manual page is without mistakes" [ ! -s out ]
    mandoc -T utf8 -O width=200 "$page" | sed "s,.\x08,,g" >manual.txt
    # Every option of every verb's --help, with its first words.
    for verb in devices strategies verify bench compare report recommend emit duel once; do
        "$clreduce" "$verb" --help | grep -oE '^ +(-o, )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | grep -vE -- '--(help|usage|version)$' |
            while read -r option; do
                grep -qE -- "^ +(-o, )?$option(=|\[| |\$)" manual.txt || echo "$verb $option"
            done
        grep -q "clreduce $verb" manual.txt || echo "$verb"
    done >out
    judge "and has every verb and option" [ ! -s out ]
    judge "says who takes an option" grep -qE 'Taken by .*bench.*duel' manual.txt
    judge "has exit statuses and examples" sh -c 'grep -q "^EXIT STATUS" manual.txt && grep -q "Example: clreduce recommend" manual.txt'
}

# complete WORD...: what bash offers for the last one.
complete_words() {
    PATH="$prefix/bin:$PATH" bash -c '
        . "$1"; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _clreduce; printf "%s\n" "${COMPREPLY[@]}"' - \
        "$(find "$prefix" -path '*completions/clreduce')" "$@"
}

# offers WANTED WORD...
offers() {
    local wanted=$1
    shift
    complete_words "$@" | grep -qx -- "$wanted"
}

completion() {
    judge "completion is a clean script" shellcheck "$(find "$prefix" -path '*completions/clreduce')"
    judge "offers verbs" offers recommend clreduce rec
    judge "options of the verb" offers --portable clreduce recommend --p
    judge "not those of others" [ -z "$(complete_words clreduce report --ba)" ]
    judge "formats of the verb" offers md clreduce report --format m
    judge "also behind a sign" offers html clreduce report --format = h
    judge "types" offers f64 clreduce bench --type f
    judge "strategies" offers wg_reduce clreduce bench --strategy wg_
    touch 'a file.json'
    judge "files" offers 'a file.json' clreduce report a
    judge "files as values" offers 'a file.json' clreduce bench --output a
    judge "no internal verbs" [ -z "$(complete_words clreduce wor)$(complete_words clreduce man)" ]
}

# loads_mpi PROGRAM: it finds the module; otherwise it says that it was built without MPI.
loads_mpi() {
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$1" verify --ranks --device nosuch >out 2>&1 </dev/null
    grep -q "unknown device 'nosuch'" out
}

# outside FOLDER: what the last installation has written outside of it.
outside() {
    sed -nE 's/^-- (Installing|Up-to-date): //p' installed | grep -vF "$1/"
}

places() {
    judge "nothing is written outside of the prefix" [ -z "$(outside "$prefix")" ]
    judge "and much in it" [ "$(grep -c '^-- Installing: ' installed)" -gt 50 ]
    if [ -e "$build/clreduce_mpi.so" ]; then
        judge "the installed program finds its module" loads_mpi "$prefix/bin/clreduce"
        judge "which lies beside the library" [ -e "$pc/../clreduce/clreduce_mpi.so" ]
        mv "$prefix" moved && judge "also where all was moved" loads_mpi moved/bin/clreduce
        mv moved "$prefix"
        mv "$pc/../clreduce" hidden && judge "and no other one" not loads_mpi "$prefix/bin/clreduce"
        mv hidden "$pc/../clreduce"
    else
        echo "not checked: the module, since clreduce was built without MPI"
    fi
    DESTDIR=$work/stage cmake --install "$build" --prefix /usr >installed 2>&1
    judge "DESTDIR holds all" [ -x stage/usr/bin/clreduce -a -z "$(outside "$work/stage/usr")" ]
    [ ! -e "$build/clreduce_mpi.so" ] || judge "and the module is found there" loads_mpi stage/usr/bin/clreduce
    # Another folder for libraries, as far as configuring tells.
    cmake -S "$root" -B configured -G Ninja -DCMAKE_INSTALL_LIBDIR=lib64/deep -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >out 2>&1
    judge "the program looks where CMake is told that libraries go" grep -qF '../lib64/deep/clreduce/' configured/compile_commands.json
    # shellcheck disable=SC2016 # CMake's own
    [ ! -e "$build/clreduce_mpi.so" ] ||
        judge "and the module goes there" grep -qF '${CMAKE_INSTALL_PREFIX}/lib64/deep/clreduce"' configured/cmake_install.cmake
}

not() {
    ! "$@"
}

# lost_links FOLDER: links of the pages there that lead nowhere, as tests/tree/pages.py judges them; at least 50 must be looked at.
lost_links() {
    PYTHONPATH=$root/tests/tree:$root/tests/tools python3 -B - "$1" <<'PYTHON'
import pathlib, sys
import pages

pages.ROOT = sys.argv[1]
there = ["README.md", *sorted(str(page.relative_to(sys.argv[1])) for page in pathlib.Path(sys.argv[1]).glob("docs/*.md"))]
texts = {page: pages.read(page) for page in there}
print("\n".join(fault for page, text in texts.items() for fault in pages.bad_links(page, text)))
if sum(len(pages.LINK.findall(text)) for text in texts.values()) < 50:
    print("hardly any link is left")
PYTHON
}

installed_pages() {
    local pages
    pages=$(dirname "$(find "$prefix" -name README.md)")
    lost_links "$pages" >out
    judge "every link of an installed page leads somewhere" [ ! -s out -o -z "$(tr -d '\n' <out)" ]
    judge "what is not installed is named all the same" grep -q 'results/formats.md' "$pages/docs/bench.md"
    cp -r "$pages" spoilt && cp "$root/docs/bench.md" spoilt/docs/
    lost_links spoilt >out
    judge "what leads nowhere is found" grep -q 'docs/bench.md: there is no ../results/formats.md' out
}

# The commands of docs/install.md, run where a build is whose list of files is that of this installation.
removal() {
    mkdir -p removed/build
    sed -nE 's/^-- (Installing|Up-to-date): //p' first_installed | while read -r file; do [ -d "$file" ] || echo "$file"; done >removed/build/install_manifest.txt
    touch "$prefix/bin/another"
    sed -n '/install_manifest/p' "$root/docs/install.md" | grep '^[a-z]* -' >commands
    judge "docs/install.md says how to uninstall" [ -s commands ]
    (cd removed && bash -e ../commands) >out 2>&1
    judge "which leaves no file" [ "$(find "$prefix" ! -type d)" = "$prefix/bin/another" ]
    judge "nor a folder of its own" [ -z "$(find "$prefix" -name 'clreduce*')" ]
}

library
manual
completion
installed_pages
places
removal
exit $failed
