#!/usr/bin/env bash
# What `cmake --install` puts where: a program outside the tree that links the library, by CMake and by pkg-config; headers that
# stand alone; the manual page; completion in bash.
#   tests/cli/install.sh CLREDUCE BUILD_FOLDER [shared]    shared: first builds it all again, with a shared library
set -u
clreduce=$(realpath "$1") build=$(realpath "$2")
. "$(dirname "$0")/../tools/check.sh"
prefix="$work/a prefix"
if [ "${3:-}" = shared ]; then
    build=$work/build clreduce=$work/build/clreduce
    cmake -S "$root" -B "$build" -G Ninja -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug >out 2>&1 && cmake --build "$build" >>out 2>&1
    judge "a shared library is built" [ -e "$build/libclreduce.so" ]
fi
cmake --install "$build" --prefix "$prefix" >installed 2>&1 || { cat installed && exit 1; }
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
                grep -qE -- "^ +(-o, )?$option(=| |\$)" manual.txt || echo "$verb $option"
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

library
manual
completion
exit $failed
