#!/usr/bin/env bash
# A broken manifest stops the build with file and line, and leaves no output.
#   tests/cli/manifests.sh EMBED
set -u
embed=$(realpath "$1")
. "$(dirname "$0")/../tools/check.sh"
mkdir -p kernels_cl12/{reduce,scan,other/reduce} kernels_cl20/reduce

# expect NAME FOLDER TEXT SED: the tree's file changed by SED must be refused with TEXT.
expect() {
    local file=$2/reduce/$1.cl
    sed -e "$4" "$root/kernels_cl12/reduce/tree.cl" >"$file"
    if "$embed" out.c "$file" 2>log; then
        fail "$1" accepted
    elif [ -e out.c ] || ! grep -qF "$3" log; then
        fail "$1" "$(cat log)"
    else
        ok "$1: $(cat log)"
    fi
}
expect unknown_key kernels_cl12 "unknown_key.cl:2: manifest key: 'ideal'" 's/idea:/ideal:/'
expect missing_key kernels_cl12 "the manifest lacks 'span'" '/span:/d'
expect repeated_key kernels_cl12 "repeated_key.cl:4: 'span' is given twice" 's/^.*span:.*/&\n&/'
expect bad_choice kernels_cl12 "bad_choice.cl:5: group: 'bush' is not valid; expected one of none, tree" 's/group:  tree/group: bush/'
expect bad_name kernels_cl12 "bad_name.cl:1: name: 'Tree 1'" 's/name:   tree/name: Tree 1/'
expect bad_lanes kernels_cl12 "bad_lanes.cl:4: lanes: '0'" 's/lanes:  1/lanes: 0/'
expect bad_need kernels_cl12 "bad_need.cl:7: needs: 'nothng' is not valid; expected one of local_memory, " 's/needs:  local_memory/needs: nothng/'
judge "all needs are listed, and the word for none" grep -q ', nothing$' log
expect bad_special kernels_cl12 "bad_special.cl:10: special: 'nans' is not valid; expected one of nan, infinity, zero, denormal" 's/^.*source:.*/\/\/@ special: nans, zero\n&/'
bound='/source:/i //@ bound:'
expect bad_bound kernels_cl12 "bad_bound.cl:10: bound: 'kahan' is not valid; expected one of chain, compensated" "$bound kahan"
expect bad_order kernels_cl12 "order: 'any' is not valid; expected one of by_finish, fixed" '/source:/i //@ order: any'
expect bound_of_each kernels_cl12 "bound 'compensated' is judged by the sum of each group: it needs span 'stride', lanes 1" "$bound compensated"
expect bound_of_lanes kernels_cl12 "bound 'compensated' is judged by the sum of each group" "$bound compensated
s/span:   each/span: stride/;s/lanes:  1/lanes: 4x4/"
expect bad_form kernels_cl12 "bad_form.cl:1: a manifest line has the form" 's/name:   tree/name tree/'
expect no_counterpart kernels_cl20 "the manifest lacks 'counterpart'" ''
expect stray_counterpart kernels_cl12 "'counterpart' belongs to OpenCL 2.x" 's/^.*source:.*/&\n\/\/@ counterpart: serial/'
v='/source: article on OpenCL reduction/a //@ variant:' # behind tree_passes
expect bad_variant kernels_cl12 "bad_variant.cl:15: variant: 'Bush' is not valid" "$v Bush"
expect bad_macro kernels_cl12 "bad_macro.cl:15: variant: 'bush X' is not valid; expected a name, then macros" "$v bush X"
expect our_macro kernels_cl12 "our_macro.cl:15: variant: 'bush RED_T=int' is not valid" "$v bush RED_T=int"
expect renamed_variant kernels_cl12 "renamed_variant.cl:16: 'name' is given twice" "$v bush\n//@ name: shrub"
expect taken_variant kernels_cl12 "the name 'tree' is taken by" "$v tree"
expect early_variant kernels_cl12 "early_variant.cl:3: the manifest lacks 'span'" 's/^.*span:.*/\/\/@ variant: bush\n&/'
expect impossible_variant kernels_cl12 "impossible_variant.cl:17: finish 'persistent' needs span" "$v bush\n//@ finish: persistent"
expect many_variants kernels_cl12 "a file holds at most 8 strategies" "$v a\n//@ variant: b\n//@ variant: c\n//@ variant: d\n//@ variant: e\n//@ variant: f\n//@ variant: g"
expect impossible kernels_cl12 "finish 'passes' needs span 'each'" 's/finish: host/finish: passes/;s/span:   each/span: stride/'
expect persistent_groups kernels_cl12 "finish 'persistent' needs span 'one', 'stride'" 's/finish: host/finish: persistent/'
expect scan_finish kernels_cl12 "finish 'single_pass' is none of primitive 'reduce'" 's/finish: host/finish: single_pass/'
expect unnamed_argument kernels_cl12 "a kernel that needs local_argument names it by RED_LOCAL_GIVEN(scratch)" 's/needs:  local_memory/&, local_argument/'
expect scan_ops kernels_cl12 "ops: not all of these are operations of primitive 'reduce'" 's/ops:    all/ops: sum, exclusive_max/'
judge "a good one is taken" "$embed" out.c "$root/kernels_cl12/reduce/tree.cl"

# refuses WHAT TEXT FILE...: the files together are refused with TEXT, and nothing is written.
refuses() {
    judge "$1" sh -c '! "$@" 2>log && [ ! -e out.c ]' sh "$embed" out.c "${@:3}"
    judge "says: $2" grep -qF "$2" log
}
rm out.c
good=$root/kernels_cl12/reduce/tree.cl
for folder in kernels_cl12 kernels_cl12/other kernels_cl12/other/reduce; do
    cp "$good" "$folder/strayed.cl"
    refuses "a kernel in $folder/" "$folder/strayed.cl: a kernel lies in the folder of what it computes; move it to reduce/" "$folder/strayed.cl"
done
scan=$root/kernels_cl12/scan/scan_serial.cl
cp "$good" kernels_cl12/scan/bush.cl
refuses "a reduction in scan/" "kernels_cl12/scan/bush.cl:1: a kernel of primitive 'reduce' lies in the folder scan/; move it to reduce/" kernels_cl12/scan/bush.cl
cp "$scan" kernels_cl12/reduce/bush.cl
refuses "a scan in reduce/" "kernels_cl12/reduce/bush.cl:1: a kernel of primitive 'scan' lies in the folder reduce/; move it to scan/" kernels_cl12/reduce/bush.cl
# spoilt TEXT SED: the catalogue's scan, changed by SED.
spoilt() {
    sed "$2" "$scan" >kernels_cl12/scan/bush.cl
    refuses "a scan whose manifest is changed by $2" "kernels_cl12/scan/bush.cl:$1" kernels_cl12/scan/bush.cl
}
spoilt "2: primitive: 'scam' is not valid; expected one of reduce, scan" 's/primitive: scan/primitive: scam/'
spoilt "13: finish 'host' is none of primitive 'scan'" 's/finish:  *single_pass/finish: host/'
spoilt "13: ops: not all of these are operations of primitive 'scan'" 's/ops:  *all/ops: inclusive_sum, max/'
sed 's/scan_serial/tree/' "$scan" >kernels_cl12/scan/tree.cl
refuses "two files of one name" "kernels_cl12/scan/tree.cl: the file name is taken by $good" "$good" kernels_cl12/scan/tree.cl
mv kernels_cl12/scan/tree.cl kernels_cl12/scan/bush.cl
refuses "two strategies of one name" "the name 'tree' is taken by" "$good" kernels_cl12/scan/bush.cl
sed 's/scan_serial/bush/' "$scan" >kernels_cl12/scan/bush.cl
judge "a scan in scan/ is taken beside a reduction" "$embed" out.c "$good" kernels_cl12/scan/bush.cl
exit $failed
