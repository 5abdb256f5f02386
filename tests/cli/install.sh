#!/usr/bin/env bash
# What `cmake --install` puts where: the program, and no library; the manual page; completion in bash; the module for MPI; pages whose links lead
# somewhere; and how to be rid of it all.
#   tests/cli/install.sh CLREDUCE BUILD_FOLDER
set -u
clreduce=$(realpath "$1") build=$(realpath "$2")
. "$(dirname "$0")/../tools/check.sh"
prefix="$work/a prefix"
cmake --install "$build" --prefix "$prefix" >installed 2>&1 || { cat installed && exit 1; }
cp installed first_installed

program() {
    judge "an installed program runs" [ "$("$prefix/bin/clreduce" --version)" = "$("$clreduce" --version)" ]
    judge "and is all that is made of the code, but for the module" [ -z "$(find "$prefix" -type f \( -name '*.h' -o -name '*.cmake' -o -name '*.pc' -o -name '*.a' -o -name '*.so*' \) ! -name clreduce_mpi.so)" ]
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
    local folder
    judge "nothing is written outside of the prefix" [ -z "$(outside "$prefix")" ]
    judge "and much in it" [ "$(grep -c '^-- Installing: ' installed)" -gt 20 ]
    if [ -e "$build/clreduce_mpi.so" ]; then
        judge "the installed program finds its module" loads_mpi "$prefix/bin/clreduce"
        mv "$prefix" moved && judge "also where all was moved" loads_mpi moved/bin/clreduce
        mv moved "$prefix"
        folder=$(dirname "$(find "$prefix" -name clreduce_mpi.so)")
        mv "$folder" hidden && judge "and no other one" not loads_mpi "$prefix/bin/clreduce"
        mv hidden "$folder"
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

program
manual
completion
installed_pages
places
removal
exit $failed
