#!/usr/bin/env -S python3 -B
"""The program of Google Benchmark: its names, options and reports, what cannot run, what is wrong or crashes, and compare.py.

    tests/cli/reduce_benchmark.py CLREDUCE REDUCE_BENCHMARK LAYER
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from driver import POCL, need_pocl  # noqa: E402
from script import begin  # noqa: E402
from suite import Suite  # noqa: E402

begin(__doc__)
need_pocl()
CLREDUCE, PROGRAM, LAYER = (os.path.abspath(name) for name in sys.argv[1:4])
COMPARE = pathlib.Path("/usr/share/benchmark/compare.py")
SIZES = {1 << k for k in range(10, 25, 2)}
TIMED = "(host/openmp|pocl/serial)/sum/f32/1024/"
HOST, SERIAL = (f"{name}/sum/f32/1024/manual_time" for name in ("host/openmp", "pocl/serial"))
SUITE = Suite(tells=True)
judge = SUITE.judge


def run(*options, fault=None, program=PROGRAM):
    """(exit status, standard output, standard error, seconds)"""
    environment = {**os.environ, "OCL_ICD_VENDORS": "drivers/"}
    if fault:
        environment.update(OPENCL_LAYERS=LAYER, CLREDUCE_FAULT=fault)
    since = time.monotonic()
    done = subprocess.run([program, *options], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr, time.monotonic() - since


def report(name, *options, **more):
    """The same with --benchmark_out, and its rows by name."""
    ended = run(f"--benchmark_out={name}.json", *options, **more)
    rows = {}
    for row in json.loads(pathlib.Path(f"{name}.json").read_text())["benchmarks"]:
        rows.setdefault(row["name"], []).append(row)
    return *ended, rows


def names():
    # What is wrong everywhere shows that nothing is verified.
    status, out, said, _ = run("--benchmark_list_tests", fault="wrong_group")
    listed = [line.split("/") for line in out.splitlines()]
    judge("each name is device/strategy/op/type/n", status == 0 and all(len(words) == 6 and words[5] == "manual_time" for words in listed), out + said)
    judge("the default strategies", {"tree", "cmpxchg_item", "wg_reduce"} < {words[1] for words in listed if words[0] == "pocl"}, listed)
    judge("the default grid", {(*words[2:4], int(words[4])) for words in listed} == {("sum", "f32", n) for n in SIZES}, listed)
    judge("no name comes twice", len({tuple(words) for words in listed}) == len(listed), listed)
    status, out, said, _ = run("--benchmark_list_tests", f"--benchmark_filter={TIMED}")
    judge("those that the filter matches", status == 0 and out.split() == [HOST, SERIAL], out + said)
    status, out, said, _ = run("--benchmark_filter=nothing_has_this_name")
    judge("none", (status, out) == (0, "") and "Failed to match" in said, (status, out, said))
    status, _, said, _ = run("--device=pocl")
    judge("an option of others", status == 1 and "unrecognized command-line flag: --device=pocl" in said, (status, said))
    status, out, _, _ = run("--help")
    judge("--help", status == 0 and "--benchmark_repetitions" in out, out)


def times():
    status, out, said, took_s, rows = report("base", f"--benchmark_filter={TIMED}", "--benchmark_repetitions=2", "--benchmark_min_time=0.02",
                                             "--benchmark_format=json")
    judge("what is right", status == 0, (status, said))
    shown = json.loads(out)
    judge("the same on the screen", [row["name"] for row in shown["benchmarks"]] == [row["name"] for these in rows.values() for row in these], out)
    judge("the context names the driver", re.search("driver .*[0-9]", shown["context"].get("pocl", "")), shown["context"])
    timed = [row for name in (HOST, SERIAL) for row in rows.get(name, [])]
    judge("two rows each", len(timed) == 4 and {row["repetition_index"] for row in timed} == {0, 1}, rows)
    for row in timed:
        call_s = 1e-6 * row["real_time"]
        judge(f"{row['name']}: time of a call, and its rates", row["time_unit"] == "us" and row["iterations"] >= 1
              and abs(row["items_per_second"] * call_s / 1024 - 1) < 1e-3 and abs(row["bytes_per_second"] * call_s / 4096 - 1) < 1e-3, row)
    for name in (HOST, SERIAL):
        # Google Benchmark seeks a number of calls that fills the least time in the first repetition alone; the others make as many, however fast.
        first, *others = sorted(rows[name], key=lambda row: row["repetition_index"])
        judge(f"{name}: no less than the least time", 0.02 <= 1e-6 * first["real_time"] * first["iterations"], first)
        judge(f"{name}: as many calls in each repetition", all(row["iterations"] == first["iterations"] for row in others), rows)
    judge("no launch takes less than 2 us", all(row["real_time"] > 2 for row in rows.get(SERIAL, [])), timed)
    judge("no more time than there was", sum(1e-6 * row["real_time"] * row["iterations"] for row in timed) < took_s, (timed, took_s))


def what_is_wrong(fault, status, reason):
    """Nothing of the device has a time; the host has, where it runs. Of many repetitions one fails that is not the first."""
    launch = int(fault.partition("@")[2] or 0)
    only = "pocl/serial/sum/f32/1024/" if launch > 1000 else TIMED
    times_n = 1 + launch // 8  # a repetition on a busy machine has at least as many calls
    ended, out, said, _, rows = report("faulty", f"--benchmark_filter={only}", "--benchmark_min_time=0.02", f"--benchmark_repetitions={times_n}",
                                       fault=fault)
    error = rows.get(f"{SERIAL}_error", [{}])[0]
    judge(f"{fault}: status {status}", ended == status, (ended, said))
    judge(f"{fault}: the reason", error.get("error_occurred") is True and re.match(reason, error["error_message"]), rows)
    judge(f"{fault}: no time of it", all("real_time" not in row for name, these in rows.items() if name.startswith("pocl/") for row in these), rows)
    judge(f"{fault}: nor on the screen", all(f"ERROR OCCURRED: '{reason.split(':')[0]}" in line for line in out.splitlines() if line.startswith("pocl/")), out)
    judge(f"{fault}: the host's times", all(row["real_time"] > 0 for row in rows.get(HOST, [])) and (HOST in rows) == (only == TIMED), rows)


def what_cannot_run():
    wg_reduce = "pocl/wg_reduce/sum/f32/1024/manual_time"
    run("bench", "--device", "pocl", "--strategy", "wg_reduce", "--n", "1024", "--data-sets", "1", "--time-per-cell", "1ms", "--output", "cell.json",
        program=CLREDUCE)
    cell = next(cell for cell in json.loads(pathlib.Path("cell.json").read_text())["cells"] if cell["strategy"] == "wg_reduce")
    status, _, said, _, rows = report("cannot", f"--benchmark_filter={wg_reduce}", "--benchmark_min_time=0.01")
    found = {name: these[0].get("error_message") for name, these in rows.items()}
    wanted = {wg_reduce: None} if cell["state"] == "pass" else {f"{wg_reduce}_error": f"{cell['state']}: {cell['reason']}"}
    judge("wg_reduce as clreduce bench says", (status, found) == (0, wanted), (status, found, wanted, said))


def compare():
    if not COMPARE.exists() or subprocess.run(["/usr/bin/python3", "-c", "import numpy, scipy"], capture_output=True, check=False).returncode != 0:
        print("not checked: compare.py needs libbenchmark-tools, python3-numpy and python3-scipy")
        return
    for head, both in (("base", {HOST, SERIAL}), ("faulty", {HOST})):
        done = subprocess.run(["/usr/bin/python3", COMPARE, "-d", "compared.json", "--no-color", "benchmarks", "base.json", f"{head}.json"],
                              capture_output=True, text=True, check=False)
        rows = json.loads(pathlib.Path("compared.json").read_text()) if done.returncode == 0 else []
        compared = {row["name"] for row in rows if row["run_type"] == "iteration"}
        judge(f"compare.py: base and {head}", compared == both and not any(measurement["real_time_other"] == 0 for row in rows if row["name"] in both
                                                                            for measurement in row["measurements"]), done.stdout + done.stderr)
    status, out, said, _ = run(COMPARE, "--no-color", "benchmarks", PROGRAM, PROGRAM, "--benchmark_filter=host/openmp/sum/f32/1024/",
                               "--benchmark_min_time=0.01", program="/usr/bin/python3")
    judge("compare.py runs the program itself", status == 0 and re.search(rf"^{HOST} +[+-]", out, re.M), out + said)


def interrupted():
    with open("interrupted.err", "w", encoding="utf-8") as said, subprocess.Popen(
            [PROGRAM, "--benchmark_filter=host/openmp/sum/f32/(1024|4096)/", "--benchmark_min_time=1000", "--benchmark_out=interrupted.json"],
            env={**os.environ, "OCL_ICD_VENDORS": "drivers/"}, stdout=subprocess.DEVNULL, stderr=said) as process:
        while process.poll() is None and "Load Average" not in pathlib.Path("interrupted.err").read_text():
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        status = process.wait()
    rows = json.loads(pathlib.Path("interrupted.json").read_text())["benchmarks"]
    judge("an interrupted run ends", status == 130 and len(rows) == 2 and all("interrupted" in row["error_message"] for row in rows), (status, rows))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.mkdir("drivers")
    os.symlink(POCL, "drivers/pocl.icd")
    names()
    times()
    what_is_wrong("build_fails", 0, "build-failed: .*CL_BUILD_PROGRAM_FAILURE")
    what_is_wrong("crash_launch@250", 5, "crashed: .*SIGSEGV.* while measuring serial")
    what_is_wrong("wrong_group@3000", 2, "wrong: a result went wrong while it was timed: .*expected .*, got")
    what_is_wrong("wrong_group", 2, "wrong: .*expected .*, got")
    compare()
    what_cannot_run()
    interrupted()
sys.exit(SUITE.end())
