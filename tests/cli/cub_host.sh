#!/usr/bin/env bash
# bench/cuda/cub.cu made for the host by tests/cli/cuda: the result file and the CSV that it writes, of right and wrong results, and who reads
# them. Up to 4096 elements, since one thread plays all of a kernel's.
#   tests/cli/cub_host.sh CLREDUCE [SEED]
set -u
clreduce=$(realpath "$1")
. "$(dirname "$0")/../tools/device.sh"
seeded "${2:-$RANDOM}"
# shellcheck disable=SC2153 # seeded sets RANDOM
n=$((1 + RANDOM % 2000)),$((2001 + RANDOM % 2096))
mkdir -p "with space"
cub=$work/with\ space/cub
judge "it compiles for the host" "$root/tests/cli/cuda/nvcc" -O2 -std=c++17 -o "$cub" "$root/bench/cuda/cub.cu"
[ -x "$cub" ] || exit 1

# run_cub NAME STATUS OPTION...: writes NAME.json and NAME.csv.
run_cub() {
    "$cub" --n "$n" --time-per-figure 0.001 --seed "$RANDOM" --output "$1.json" --figures "$1.csv" "${@:3}" >out 2>&1 </dev/null
    local status=$?
    if [ $status = "$2" ]; then ok "$1: exit status $2"; else fail "$1" "exit status $status, not $2: $(tail -n 5 out)"; fi
    fits_schema "$1.json" result
}
for primitive in reduce scan histogram; do
    run_cub $primitive 0 --primitive $primitive
    FAKE_CUB=wrong run_cub $primitive-wrong 2 --primitive $primitive
    check "$primitive: compare takes two of them" 0 'A "GPU"|cub ' "$clreduce" compare $primitive.json $primitive.json
    check "$primitive: --drivers says what was wrong" 0 '^cub +(sum|inclusive_sum|count) .* wrong +pass$' "$clreduce" compare --drivers $primitive-wrong.json $primitive.json
done
judge "the files have what was measured" python3 - "$n" <<'PYTHON'
import csv, json, sys
SIZES = [int(n) for n in sys.argv[1].split(",")]
DATA = ("uniform", "one bin", "half in one", "sorted")
for primitive, op, types, ways, of_data in (("reduce", "sum", ("f32", "i32"), ("cub", "cub_mapped"), ("",)),
                                            ("scan", "inclusive_sum", ("f32", "i32"), ("cub",), ("",)),
                                            ("histogram", "count", ("u32", "u8"), ("cub",), DATA)):
    file, wrong = (json.load(open(f"{name}.json", encoding="utf-8")) for name in (primitive, f"{primitive}-wrong"))
    rows = list(csv.DictReader(open(f"{primitive}.csv")))
    wanted = {(way, kind, data, n) for way in ways for kind in types for data in of_data for n in SIZES}
    for held, state in ((file, "pass"), (wrong, "wrong")):
        assert held.get("primitive", "reduce") == primitive and held["suite"] == {"name": "CUB", "version": "3.0.1"}, held["suite"]
        assert held["devices"][0]["name"] == 'A "GPU" \\' and held["devices"][0]["driver"] == "CUDA 13.1", held["devices"]
        assert "with space/cub --n" in held["command"] and held["host"]["compiler"] == "nvcc 13.7.1 for sm_90", held["command"]
        cells = [(c["strategy"], c["type"], c.get("data", "uniform" if op == "count" else ""), c["n"]) for c in held["cells"]]
        assert set(cells) == wanted and len(cells) == len(wanted), cells
        assert {c["state"] for c in held["cells"]} == {state} and {c["kind"] for c in held["cells"]} == {"peer"}
        assert {c.get("bins") for c in held["cells"]} == {256 if op == "count" else None}
    for cell in file["cells"]:
        assert len(cell["time_to_answer"]["samples_s"]) >= 6 and cell["accuracy"]["error"] <= cell["accuracy"]["bound"], cell
        assert (cell["strategy"] == "cub") == (cell.get("device_time_s") == 1e-3) == ("back_to_back_s" in cell), cell
    assert {row["figure"] for row in rows if not row["n"]} == {"isolated_nothing", "isolated_empty_kernel", "graph_empty_kernel"}, rows
    figures = {(row["figure"], row["type"], row["data"], int(row["n"])) for row in rows if row["n"]}
    names = {kind: {"graph"} | ({"stream_by_value"} if kind == "u32" else set()) for kind in types}
    assert figures == {(name, kind, data, n) for _, kind, data, n in wanted for name in names[kind]}, figures
    assert all(float(row["median_s"]) > 0 for row in rows) and [row["figure"] for row in csv.DictReader(open(f"{primitive}-wrong.csv")) if row["n"]] == []
PYTHON
odd=$(printf 'odd\374.json')
check "a path that is no UTF-8" 0 'us to answer' "$cub" --n 10 --type i32 --time-per-figure 0.001 --output "$odd"
mv "$odd" odd.json && fits_schema odd.json result
check "a seed that no file keeps" 4 "expected a whole number up to 2\^63 - 1" "$cub" --seed 9223372036854775808
check "an output that cannot be written" 4 'cannot write none/x.json' "$cub" --n 10 --output none/x.json
check "no GPU" 77 'no CUDA device 0' env FAKE_CUDA_DEVICES=0 "$cub" --n 10

need_device "$clreduce" pocl
check "the race reads what it writes" 0 'time to answer: at most CUB and cudaMemcpy; promised +every n +(met|MISSED)' \
    "$root/bench/cuda/cub" --cub "$cub" --clreduce "$clreduce" --device pocl --type i32 --n "$n" --strategies chunk --rounds 1 --seconds 20 --output race
judge "with each figure" grep -qE '^i32 sum, calls back to back' out
sed -i '$d' race/cub-1-i32.csv && sed -i 's/,[^,]*$//' race/cub-1-i32.csv
check "a CSV that was cut is told" 4 'cub-1-i32.csv: no figures of bench/cuda/cub.cu, or not all of them' "$root/bench/cuda/cub" --from race
sed -i 's/"schema": 2/"schema": "clreduce-cub 1"/' race/cub-1-i32.json
check "so are rounds of an earlier one" 4 'an earlier bench/cuda/cub recorded these rounds' "$root/bench/cuda/cub" --from race
exit $failed
