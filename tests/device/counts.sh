#!/usr/bin/env bash
# The baseline of instruction counts is that of the kernels, and bench/counts is exact: what a change costs shows to the last
# instruction, two runs give the same bits, and what is wrong, crashes or comes of another compiler is no count.
#   tests/device/counts.sh CLREDUCE [SEED]    a tenth of the baseline, and one of the other parts, which the seed draws
#   tests/device/counts.sh CLREDUCE all       all of them
set -u
clreduce=$(realpath "$1")
for tool in oclgrind oclgrind-kernel; do
    command -v $tool >/dev/null || { echo "skipped: oclgrind is not installed"; exit 77; }
done
. "$(dirname "$0")/../tools/check.sh"
counts=$root/bench/counts
baseline=$root/results/instructions.json
share=${2:-$RANDOM}

# ends STATUS TEXT OPTION...: the exit status, and the text in what is printed.
ends() {
    local status=$1 text=$2 got
    shift 2
    "$counts" --clreduce "$clreduce" "$@" >out 2>&1 </dev/null
    got=$?
    [ $got = "$status" ] && grep -qF -- "$text" out && return
    echo "exit status $got instead of $status, or no '$text'" >>out
    false
}

# kernel NAME SED: the catalogue's tree for sums of f32, changed.
kernel() {
    tree_as "$1" "s/^\(.*types: *\)all/\1f32/; s/^\(.*ops: *\)all/\1sum/; $2"
}

# costs KERNEL EXPECTED: all that differs from the tree, cell by cell. Of instructions it may expect just more.
costs() {
    sed -nE "/^tree -> $1: sum/,/^tree -> $1: [0-9]/{
        s/^tree -> $1: (sum.*)/\1/p
        s/^  ([a-z].*[a-z])  .*\(([-+][0-9]+(,[0-9]{3})*).*/\1 \2/p
    }" beside >found
    [[ $2 != *more* ]] || sed -i 's/^instructions +.*/instructions more/' found
    printf '%s\n' "$2" | diff - found >out
}

# stored STATUS TEXT PYTHON OPTION...: now.json after these statements, beside what was counted.
stored() {
    edited now.json >edited.json <<<"cell = cells['tree sum f32 n=301 wg=100']
$3" && ends "$1" "$2" --base now.json --from edited.json "${@:4}"
}

# fake TOOL TEXT: another program of that name, which may call the real one as $real.
fake() {
    mkdir -p fakes
    rm -f fakes/*
    printf '#!/usr/bin/env bash\nreal=%q\n%s\n' "$(command -v "$1")" "$2" >"fakes/$1"
    chmod +x "fakes/$1"
}
with_fake() {
    PATH=$work/fakes:$PATH "$@"
}

usage() {
    judge "help" ends 0 "bench/counts --write" --help
    judge "unknown option" ends 4 "--quik" --quik
    judge "no processes" ends 4 "expected 1 or more" --jobs 0
    judge "unknown strategy" ends 4 "'treee' is no strategy of OpenCL 1.2" --strategy treee
    judge "a strategy of 2.x" ends 4 "'wg_reduce' is no strategy of OpenCL 1.2" --strategy wg_reduce
    judge "a part of a baseline" ends 4 "leave out --strategy" --write --strategy tree
    judge "kernels in the catalogue's baseline" ends 4 "name a file with --base" --write --kernel same.cl
    judge "--against without a kernel" ends 4 "goes with --kernel" --against tree
    judge "no baseline" ends 4 "bench/counts --write makes it" --strategy tree --base nowhere.json
    echo '{"schema": 1' >broken.json
    judge "what is no JSON" ends 4 "is no file of counts" --from broken.json
    echo '{"schema": "clreduce instructions 0"}' >broken.json
    judge "another schema" ends 4 "is 'clreduce instructions 0'" --from broken.json
    judge "a program that is not there" ends 4 "cannot start" --clreduce "$work/nothing"
    judge "no kernel file" ends 4 "nowhere.cl" --kernel nowhere.cl
    mkdir -p bare
    ln -sf "$(python3 -c "import sys; print(sys.executable)")" bare/python3
    env PATH="$work/bare" "$counts" >out 2>&1
    judge "no Oclgrind" test "$?: $(cat out)" = "77: counts: Oclgrind is not installed (on Debian and Ubuntu: apt-get install oclgrind)"
}

# The gate itself: one run, which what follows uses again, or a part of one, and then the baseline takes its place.
gate() {
    local some
    if [ "$share" != all ]; then
        RANDOM=$share
        local first=$((RANDOM % 10)) # not within <(), whose RANDOM does not follow from the seed
        mapfile -t some < <(for primitive in reduce scan histogram; do "$clreduce" strategies --primitive $primitive --format csv; done |
            awk -F, '$2 == "1.2" {print $1}')
        mapfile -t some < <(every_nth 10 $first "${some[@]}")
        "$counts" --clreduce "$clreduce" --base "$baseline" --strategy "$(IFS=, && echo "${some[*]}")" >out 2>&1
        if [ $? != 3 ]; then
            judge "the baseline is that of ${some[*]}" grep -q 'no difference' out
            cp "$baseline" now.json
            return
        fi
    fi
    judge "all are counted" ends 0 "strategies (counted in" --write --base now.json
    tail -n 1 out
    if "$counts" --base "$baseline" --from now.json >out 2>&1; then
        judge "the baseline is that of the kernels, to the last byte" cmp now.json "$baseline"
    elif [ $? = 3 ]; then
        echo "skip  the baseline: $(cat out)"
    else
        judge "the baseline is that of the kernels" false
    fi
}

# The bytes that whole arrays have, whatever loads them: plain loads, vload16, vload_half. argmin looks for the place of the value
# that it has found: at most as many again.
loaded() {
    python3 - <<'PYTHON'
import json, re, sys
sizes = {"i8": 1, "f16": 2, "f32": 4, "i32": 4, "i64": 8}
wrong, n = [], 0
for name, cell in json.load(open("now.json"))["cells"].items():
    strategy, op, dtype, *rest = name.split()
    elements = eval("*".join(re.findall(r"\b(?:segments|n)=(\d+)", " ".join(rest))))
    if strategy in ("serial", "chunk", "segment_item", "segment_column", "scan_serial"):
        n += 1
        bytes_n = elements * sizes[dtype] * (2 if op == "dot" else 1)
        if not bytes_n <= cell["global_load_bytes"] <= bytes_n * (2 if op.startswith("arg") else 1):
            wrong.append(name)
sys.exit(", ".join(wrong) or n < 40)
PYTHON
}

# Settings of the user's, and how many processes there are, make no difference.
again() {
    export OCLGRIND_BUILD_OPTIONS=-cl-opt-disable OCLGRIND_QUICK=1
    judge "two runs give the same counts" ends 0 "no difference" --base now.json --jobs 3 \
        --strategy 'tree_passes,last_group_wide,persistent_mapped,polled_stride,segment_group'
    unset OCLGRIND_BUILD_OPTIONS OCLGRIND_QUICK
}

# 313 groups of 8 for n = 2503, 4 of 100 for 301.
changes() {
    local before='s|^    if (get_local_id(0) == 0)|' name given=()
    kernel barrier "$before    barrier(CLK_LOCAL_MEM_FENCE);\n&|"
    kernel load "$before    if (i < n)\n        (void)((volatile global const uchar *)red_x)[i];\n&|"
    kernel loop "$before    for (uint turn = 0; turn < 5; turn++)\n        (void)*(volatile local RED_A *)scratch;\n&|"
    kernel store "$before    *(volatile local RED_A *)scratch = value;\n    barrier(CLK_LOCAL_MEM_FENCE);\n&|"
    kernel atomic 's|restrict out)|restrict out, global uint *restrict counter)|; s|^    if (get_local_id(0) == 0)|&\n        atomic_or(counter, 0);\n&|'
    for name in same barrier load loop store atomic; do given+=(--kernel "$name.cl"); done
    judge "kernels beside the tree" ends 0 "tree -> same: 0 of 2 cells differ" "${given[@]}" --all
    cp out beside
    judge "a barrier more" costs barrier "$(printf '%s\n' "sum f32 n=2503" "instructions +2,504" "barriers +2,504" \
        "sum f32 n=301" "instructions +400" "barriers +400")"
    judge "an atomic more" costs atomic "$(printf '%s\n' "sum f32 n=2503" "instructions +313" "atomics +313" \
        "sum f32 n=301" "instructions +4" "atomics +4")"
    judge "a load more" costs load "$(printf '%s\n' \
        "sum f32 n=2503" "instructions more" "global loads +2,503" "global load bytes +2,503" \
        "sum f32 n=301" "instructions more" "global loads +301" "global load bytes +301")"
    judge "a loop more" costs loop "$(printf '%s\n' \
        "sum f32 n=2503" "instructions more" "local loads +12,520" "local load bytes +50,080" \
        "sum f32 n=301" "instructions more" "local loads +2,000" "local load bytes +8,000")"
    judge "a store and a barrier more" costs store "$(printf '%s\n' \
        "sum f32 n=2503" "instructions +5,008" "local stores +2,504" "local store bytes +10,016" "barriers +2,504" \
        "sum f32 n=301" "instructions +800" "local stores +400" "local store bytes +1,600" "barriers +400")"
    mkdir -p "a folder"
    cp "$clreduce" "$(dirname "$clreduce")/libinst_counts.so" "a folder/"
    judge "a folder with a blank" ends 0 "0 of 2 cells differ" --clreduce "a folder/clreduce" --kernel same.cl
    sed 's/^\(.*name: *\)hillis_steele/\1steps/; /variant:/,/^$/d
        s|^    barrier(CLK_LOCAL_MEM_FENCE);|&\n&|' "$root/kernels_cl12/scan/hillis_steele.cl" >steps.cl
    judge "a scan beside a scan" ends 0 "hillis_steele -> steps: " --kernel steps.cl --all
    judge "with a barrier more" grep -qE "^  barriers .*\(\+[0-9,]+, " out
    cp "$root/docs/kernels/my_counts.cl" counts.cl
    judge "a histogram beside a histogram" ends 0 "local_counts -> my_counts: 4 of 4 cells differ" --kernel counts.cl --all
    judge "with an atomic for each element" grep -qE "^  atomics +[0-9,]+ -> +2,503 " out
    judge "two primitives, each beside its own" ends 0 "hillis_steele -> steps: 4 of 4 cells differ" --kernel counts.cl --kernel steps.cl
    judge "the other, too" grep -qF "local_counts -> my_counts: 4 of 4 cells differ" out
    judge "but not beside the other" ends 4 "tree is for primitive reduce, and steps for scan: they have no cell in common" --kernel steps.cl --against tree
    sed 's/types: *all/types: u32/; s/ops: *all/ops: exclusive_sum/' "$root/docs/kernels/my_scan.cl" >odd.cl
    judge "a kernel that has nothing of the grid has a cell of its own" ends 0 "odd.json: 1 cell of 1 strategy" --kernel odd.cl --base odd.json --write
    judge "of its type and operation" grep -q '"my_scan exclusive_sum u32 n=2503' odd.json
    sed 's/types: *all/types: f64/; s/needs: *nothing/needs: collectives/' "$root/docs/kernels/my_scan.cl" >none.cl
    judge "one that cannot run there counts as nothing, and is told" ends 77 "nothing of my_scan could be counted: " --kernel none.cl --base none.json --write
    judge "by opcode" ends 0 "- item_chunk()" --kernel same.cl --against chunk --opcodes
}

not_counted() {
    kernel silent 's/out\[get_group_id(0)\] = value/(void)value/'
    judge "a wrong result is no count" ends 2 "error  silent sum f32 n=2503 wg=8: wrong: expected" --kernel silent.cl --kernel same.cl
    judge "others are counted all the same" grep -q "tree -> same: 0 of 2 cells differ" out
    judge "nor makes it a baseline" ends 2 "2 cells have no counts" --kernel silent.cl --base silent.json --write
    judge "and there is none" test ! -e silent.json
    # Two `restrict` arrays of a helper in a loop: Oclgrind cannot run what its compiler makes of that.
    cat >restricted.cl <<'KERNEL'
//@ name:   restricted
//@ idea:   one work-item adds element after element, by a helper
//@ span:   one
//@ lanes:  1
//@ group:  none
//@ finish: host
//@ needs:  nothing
//@ types:  f32
//@ ops:    sum
//@ source: the tests
void add_to(global RED_A *restrict sums, global const RED_T *restrict x, const ulong i) {
    sums[0] += x[i];
}
RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *out, global uint *counter) {
    out[0] = RED_IDENTITY;
    for (ulong i = 0; i < n; i++)
        add_to(out, red_x, i);
}
KERNEL
    judge "Oclgrind's own line" ends 5 "error  restricted sum f32 n=2503: Oclgrind: Undefined external function: llvm.experimental.noalias.scope.decl, which" --kernel restricted.cl
    judge "with the way out" grep -qF "leave \`restrict\` out of the helper's parameters (build-failed: restricted.cl has no kernel named 'reduce')" out
    sed -i 's/\*restrict /*/g' restricted.cl
    judge "which is one" ends 0 "tree -> restricted: 2 of 2 cells differ" --kernel restricted.cl
    kernel unbuilt 's/const ulong i = /const ulong i == /'
    judge "a kernel that does not build" ends 5 "build-failed" --kernel unbuilt.cl
    sed 's/^\(.*name: *\)wg_reduce/\1mine/' "$root/kernels_cl20/reduce/wg_reduce.cl" >mine.cl
    judge "a kernel of 2.x" ends 77 "mine is for OpenCL 2.0; Oclgrind is a device of 1.2" --kernel mine.cl
    # shellcheck disable=SC2016 # the fake expands
    fake oclgrind 'case "$*" in *" once "*) echo "once: cell tree sum f32 n=2503 wg=8"; echo "once: begin, 1 x 1"; kill -SEGV $$ ;; esac; exec "$real" "$@"'
    judge "a crash" with_fake ends 5 "error  tree sum f32 n=2503 wg=8: crashed: signal 11" --strategy tree --base now.json
    judge "takes the next cells with it" grep -q "error  tree sum f32 n=301 wg=100: not reached" out
    # shellcheck disable=SC2016
    fake oclgrind 'exec "$real" "${@/--inst-counts/--uniform-writes}"'
    judge "no counts" with_fake ends 5 "Oclgrind has printed no counts" --strategy serial --base now.json
    # shellcheck disable=SC2016
    fake oclgrind-kernel 'LD_PRELOAD= exec "$real" "$@"'
    judge "an Oclgrind that loses counts" with_fake ends 77 "does not count what is known" --strategy tree --base now.json
}

versions() {
    fake oclgrind 'echo "Oclgrind 99.9"'
    judge "another Oclgrind" with_fake ends 3 "was counted by Oclgrind" --strategy tree --base now.json
    judge "the reason" grep -q "this is Oclgrind 99.9.*Counts come from its compiler" out
    judge "another LLVM" stored 3 "LLVM 1.2" 'r["llvm"] = "1.2"'
    judge "another LLVM all the same" stored 0 "no difference" 'r["llvm"] = "1.2"' --any-version
}

differences() {
    judge "no difference" stored 0 "no difference" ''
    judge "a barrier in every item" stored 1 "(+400, +14.29 %)" 'for name in "barriers", "instructions": cell[name] += 400
cell["others"]["barrier()"] += 400'
    judge "how to accept it" grep -qx "if that is meant: bench/counts --write --base now.json" out
    judge "and nothing else" test "$(wc -l <out)" = 5
    judge "another instruction, as many" stored 1 "- fsub" 'cell["others"]["fsub"] = cell["others"].pop("fadd")'
    judge "a cell that is gone" stored 1 "gone  tree sum f32 n=301 wg=100: " 'del cells["tree sum f32 n=301 wg=100"]'
    judge "a cell that is new" stored 1 "new   mine sum f32 n=301 wg=100: " 'cells["mine sum f32 n=301 wg=100"] = cell'
    judge "of other strategies" stored 0 "no difference" 'del cells["tree sum f32 n=301 wg=100"]' --strategy chunk
    judge "counts that do not add up" stored 4 "the counts of 'tree sum f32 n=301 wg=100' do not add up" 'cell["barriers"] += 1; cell["instructions"] += 1'
    judge "more than a screen" stored 1 "more cells; --all shows them" 'for c in cells.values(): c["launches"] += 1'
    "$counts" --base now.json --from edited.json 2>err | :
    judge "nobody reads" test "${PIPESTATUS[0]}$(cat err)" = 141
    "$counts" --base now.json --from edited.json >/dev/full 2>out
    judge "a full disk" test "$?: $(cat out)" = "4: counts: [Errno 28] No space left on device"
    judge "all of them" stored 1 "xchg_carry sum i64" 'for c in cells.values(): c["launches"] += 1' --all
}

# A kernel of the user's has a baseline of its own.
own() {
    judge "a baseline of one's own" ends 0 "2 cells of 1 strategy (counted in" --kernel same.cl --base own.json --write
    judge "is kept" ends 0 "no difference" --kernel same.cl --base own.json
    sed -i 's|^    if (get_local_id(0) == 0)|    barrier(CLK_LOCAL_MEM_FENCE);\n&|' same.cl
    judge "a change" ends 1 "if that is meant: bench/counts --write --base own.json --kernel same.cl" --kernel same.cl --base own.json
    kernel same 's/^\(.*types: *\)f32/\1i32/'
    judge "what cannot run any more" ends 5 "error  same sum f32 n=2503 wg=8: cannot run any more: same has no f32 form" --kernel same.cl --base own.json
}

# Only the release that the baseline is of is known to be mended (bench/counting/inst_counts.c).
must_count() {
    local release
    release=$(sed -nE '1s/.*"oclgrind": "(.*)", "clang": "(.*)", "llvm": "(.*)", .*/Oclgrind \1, clang \2, LLVM \3 /p' "$baseline")
    if ends 77 "does not count what is known" --strategy serial --base "$baseline" && ! grep -qF "$release" out; then
        echo "skipped: $(cat out)"
        exit 77
    fi
}

# Before it runs, a litmus test asks whether the idiom that it stands on is kept; groups of an interpreter never meet there.
scan_between_groups() {
    timeout 60 "$counts" --clreduce "$clreduce" --base "$baseline" --any-version --strategy look_back >out 2>&1
    case $? in 0 | 1) grep -q 'counted in' out ;; *) false ;; esac
}

usage
must_count
gate
judge "a scan whose groups read what others wrote is counted, and not waited for" scan_between_groups
judge "each element is loaded once" loaded
kernel same ''
sections "$share" 1 again changes not_counted versions differences own
exit $failed
