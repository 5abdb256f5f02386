#!/usr/bin/env -S python3 -B
"""verify --ranks: one array over ranks is right on the devices of this machine, which the ranks take in turns; what it refuses; and the bits that
bench --ranks keeps.
    tests/device/ranks_verify.py CLREDUCE quick [SEED]    two or three ranks, eight strategies, four types, and two of the other checks, drawn by the seed
    tests/device/ranks_verify.py CLREDUCE [SEED]          so many ranks as the seed draws
    tests/device/ranks_verify.py CLREDUCE all             one to eight ranks, and all of one operation and type"""
import csv
import json
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "tools"), str(pathlib.Path(__file__).resolve().parents[2] / "results")]
import run_file  # noqa: E402
from drawn import drawn  # noqa: E402
from suite import Suite  # noqa: E402

SUITE = Suite(tells=True)
PROGRAM = sys.argv[1]
EXPECT = pathlib.Path(__file__).resolve().parent.parent / "expect"
COLLECTIVES = ("mpi_reduce", "mpi_allreduce", "gather_in_order", "exact")


def verify(ranks, *words):
    """The process that has ended, with what it printed."""
    return subprocess.run(["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), PROGRAM, "verify", "--ranks", "--expect",
                           EXPECT, *words], capture_output=True, text=True, check=False, timeout=3000)


def check_right(ranks, words, right_min):
    """All is right, with no other trouble, and not less than there must be."""
    ended = verify(ranks, *words)
    found = re.search(r"^(\d+) right, 0 wrong, \d+ unsupported, 0 in other trouble in", ended.stdout, re.M)
    SUITE.judge(f"{ranks} ranks, {' '.join(words)}: {found[0] if found else ''}",
                ended.returncode == 0 and found and int(found[1]) >= right_min, ended.stdout + ended.stderr)


def drawn_strategies(n):
    """Names of so many strategies of one array that have a kernel, beside OpenMP's loop."""
    listed = subprocess.run([PROGRAM, "strategies", "--format", "csv"], capture_output=True, text=True, check=True)
    names = [row["strategy"] for row in csv.DictReader(listed.stdout.splitlines()) if row["for"] != "host" and not row["strategy"].startswith("segment_")]
    return ["openmp", *random.sample(names, n)]


def check_mixed():
    """A rank without a device: what kernels would be is unsupported for all ranks, and said once; OpenMP's loop is right."""
    words = ["-n", "1", PROGRAM, "verify", "--ranks", "--op", "sum,argmax", "--type", "u8", "--strategy", "chunk,openmp", "--budget", "0.5"]
    ended = subprocess.run(["mpirun", "--oversubscribe", "--bind-to", "none", *words, "--device", "host", ":", *words], capture_output=True,
                           text=True, check=False)
    told = [line for line in ended.stdout.splitlines() if "it has no device" in line]
    SUITE.judge("one rank of two without a device", ended.returncode == 0 and " 0 wrong, " in ended.stdout and len(told) == 1,
                ended.stdout + ended.stderr)


def check_exact(ranks):
    """Exact sums of pieces, added exactly, are the bits of the exact sum: those of any number of ranks and any split."""
    check_right(ranks, ["--seed", str(random.randrange(1, 10**6)), "--strategy", "superaccumulator", "--collective", "exact", "--op", "sum",
                        "--type", "f32", "--split", "random", "--rank-counts", str(ranks), "--budget", "1"], 1)


def exact_sum_bits(data, n, seed):
    """The bits of the sum of the elements that the program shows, rounded once to a float: by Python's fractions."""
    shown = subprocess.run([PROGRAM, "verify", "--show-data", data, "--op", "sum", "--type", "f32", "--n", str(n), "--seed", str(seed), "--strategy",
                            "serial", "--device", "pocl", "--format", "json"], capture_output=True, text=True, check=True)
    exact = sum((Fraction(float.fromhex(text)) for text in json.loads(shown.stdout)["x"]), Fraction(0))
    unit = Fraction(1)
    while abs(exact) >= unit * 2**24:
        unit *= 2
    while exact != 0 and abs(exact) < unit * 2**23:
        unit /= 2
    return f"{int.from_bytes(struct.pack('<f', float(round(exact / unit) * unit)), 'little'):x}"


def check_bits():
    """Of each way to add exact sums exactly, one to three ranks leave the same bits for all data, and those of the exact sum; all other
    rows have their answers, too."""
    n, seed = random.randint(3000, 20000), random.randrange(1, 10**6)
    words = ["--n", str(n), "--seed", str(seed), "--scaling", "strong", "--rank-counts", "1,2,3", "--collective", "exact,mpi_reduce"]
    with tempfile.TemporaryDirectory() as folder:
        exported = pathlib.Path(folder) / "times.json"
        ended = subprocess.run(["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "3", PROGRAM, "bench", "--ranks", "--device", "pocl", "--strategy",
                                "superaccumulator,chunk", "--time-per-cell", "0.001", "--split", random.choice(("equal", "roof")), *words, "--format",
                                "json", "--export", f"google-benchmark={exported}"], capture_output=True, text=True, check=False)
        names = {benchmark["name"] for benchmark in json.loads(exported.read_text())["benchmarks"]} if exported.exists() else set()
    SUITE.judge("--export names cells by their ranks and collective", {f"pocl/chunk/sum/f32/ranks:{ranks}/{collective}/n:{n}/real_time" for ranks in (1, 2, 3)
                                                                      for collective in ("exact", "mpi_reduce")} <= names, sorted(names))
    rows = run_file.rows_of(json.loads(ended.stdout)) if ended.returncode == 0 else []
    SUITE.judge(f"bench with {' '.join(words)}", rows and all(row["state"] == "pass" for row in rows), ended.stdout + ended.stderr)
    answers = {(row["strategy"], row["collective"], row["ranks"]): row["answers"] or [] for row in rows}
    SUITE.judge("a row has an answer for each data set that it was checked with", rows and all(
        len(row["answers"] or []) == (row["data_sets"] if row["kind"] in ("strategy", "host") else 0) for row in rows), answers)
    exact = [answers.get(("superaccumulator", "exact", ranks), []) for ranks in (1, 2, 3)]
    SUITE.judge("exact sums of one, two and three ranks have the same bits", exact[0] and exact[0] == exact[1] == exact[2], exact)
    wanted = [exact_sum_bits(data, n, seed) for data in ("weights", "uniform")]
    SUITE.judge("they are those of the exact sums of the first and the last data", exact[0] and [exact[0][0], exact[0][-1]] == wanted, (exact, wanted))


def check_room():
    """Of an array that none of the devices has room for, each has room for its piece: PoCL with 256 MiB for a buffer."""
    n = random.randint(70, 120) * 10**6
    ended = subprocess.run(["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "2", PROGRAM, "bench", "--ranks", "--device", "pocl", "--strategy",
                            "chunk", "--collective", "mpi_reduce", "--n", str(n), "--scaling", "strong", "--split", "equal", "--time-per-cell", "0.001",
                            "--format", "json"],
                           capture_output=True, text=True, check=False, env=os.environ | {"POCL_MEMORY_LIMIT": "1"})
    rows = run_file.rows_of(json.loads(ended.stdout)) if ended.returncode == 0 else []
    SUITE.judge(f"n = {n}, of which each rank has room for a half", [row["state"] for row in rows if row["kind"] == "strategy"] == ["unsupported", "pass"],
                ended.stdout[-2000:] + ended.stderr)


def check_wrong():
    """A broken kernel is found on a rank's own piece, and by the command behind "again:"."""
    kernel = pathlib.Path(__file__).resolve().parent.parent / "mutants" / "dropped_tail.cl"
    ended = verify(3, "--kernel", str(kernel), "--op", "sum", "--type", "i32", "--budget", "3")
    again = re.search(r"^  again: (.*)$", ended.stdout, re.M)
    repeated = subprocess.run(again[1] if again else "false", shell=True, capture_output=True, text=True, check=False,
                              env=os.environ | {"OMPI_MCA_rmaps_base_oversubscribe": "1"})
    SUITE.judge("a broken kernel is found, and again", (ended.returncode, repeated.returncode) == (2, 2), ended.stdout + repeated.stdout)


def check_interrupted():
    """Ctrl-C takes back no wrong result: the exit status is 2, not 130."""
    kernel = pathlib.Path(__file__).resolve().parent.parent / "mutants" / "dropped_tail.cl"
    words = ["--device", "pocl", "--kernel", str(kernel), "--strategy", "dropped_tail,chunk", "--op", "sum", "--type", "i32,u32", "--all"]
    process = subprocess.Popen([PROGRAM, "verify", "--ranks", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    shown = []
    for line in process.stdout:
        if line.startswith("wrong: ") and not any(before.startswith("wrong: ") for before in shown):
            process.send_signal(signal.SIGINT)
        shown.append(line)
    SUITE.judge("what was wrong before Ctrl-C decides", process.wait() == 2 and shown[-1].startswith("clreduce: dropped_tail over 1 ranks: "),
                (process.returncode, shown[-3:]))


def check_refused(what, told, *words):
    """Before MPI starts, which takes a second."""
    ended = subprocess.run([PROGRAM, "verify", "--ranks", *words], capture_output=True, text=True, check=False)
    SUITE.judge(what, ended.returncode == 4 and told in ended.stderr, ended.stdout + ended.stderr)


def check_refusals():
    check_refused("--output is refused", "verify --ranks has no files", "--output", "checks.json")
    check_refused("an unknown split is refused", "random", "--split", "evenly")
    check_refused("scans are refused", "--ranks is for reductions, and not for --primitive scan", "--primitive", "scan")


def check_nothing_timed():
    """PoCL has no pipes: OpenMP's rows beside are no answer to what was asked for."""
    ended = subprocess.run([PROGRAM, "bench", "--ranks", "--device", "pocl", "--strategy", "pipe_partials", "--collective", "exact", "--n", "1000",
                            "--time-per-cell", "1ms"], capture_output=True, text=True, check=False)
    SUITE.judge("bench where no strategy can run", ended.returncode == 77 and "nothing that was asked for could be timed" in ended.stderr,
                ended.stdout + ended.stderr)


def check_no_answer():
    """Of no elements there is a sum, and no mean, extreme or place of one: that is told, and nothing is wrong."""
    for ops in ("sum,min,max,mean,argmin,argmax", random.choice(("min", "max", "mean", "argmin", "argmax"))):
        words = ["--device", "pocl", "--strategy", "serial", "--op", ops, "--n", "0", "--collective", "mpi_reduce", "--scaling", "strong",
                 "--time-per-cell", "1ms"]
        ended = subprocess.run(["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "2", PROGRAM, "bench", "--ranks", *words, "--format", "json"],
                               capture_output=True, text=True, check=False)
        rows = [row for row in (run_file.rows_of(json.loads(ended.stdout)) if ended.returncode == 0 else []) if row["kind"] in ("strategy", "host")]
        SUITE.judge(f"{ops} of 0 elements", rows and all(
            row["state"] == "pass" if row["op"] == "sum" else row["state"] == "unsupported" and row["reason"] == f"there is no {row['op']} of 0 elements"
            for row in rows), (ended.returncode, [(row["op"], row["state"], row["reason"]) for row in rows], ended.stderr[-500:]))
    ended = subprocess.run([PROGRAM, "bench", "--ranks", *words, "--format", "csv"], capture_output=True, text=True, check=False)
    lines = list(csv.DictReader(ended.stdout.splitlines()))
    SUITE.judge("CSV has the cells, with their ranks", ended.returncode == 0 and {(line["strategy"], line["ranks"], line["collective"], line["scaling"])
                                                                                for line in lines} == {(name, "1", "mpi_reduce", "strong")
                                                                                                       for name in ("serial", "openmp")}, ended.stdout)
    ended = subprocess.run([PROGRAM, "bench", "--ranks", *words], capture_output=True, text=True, check=False)
    SUITE.judge("the table says that there is no answer", ended.returncode == 0 and len(re.findall(r"^(serial|openmp) .* no answer ", ended.stdout, re.M)) >= 2,
                ended.stdout + ended.stderr)


def main():
    share = (sys.argv[2:] + [""])[0]
    if shutil.which("mpirun") is None or not (pathlib.Path(PROGRAM).resolve().parent / "clreduce_mpi.so").exists():
        print("skipped: no mpirun, or a build without MPI (Debian: openmpi-bin libopenmpi-dev)")
        return 77
    os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    if share == "all":
        for ranks in range(1, 9):
            check_right(ranks, ["--seed", str(random.randrange(1, 10**6)), "--budget", "60"], 700)
        for ranks in (3, 8):
            check_right(ranks, ["--seed", str(random.randrange(1, 10**6)), "--all", "--op", random.choice(("sum", "mean", "argmin")), "--type",
                                random.choice(("i8", "i64", "f32", "f64")), "--strategy", "chunk,tree,grid_stride_vec,openmp"], 1000)
        check_refusals()
        check_nothing_timed()
        check_no_answer()
        check_mixed()
        check_exact(5)
        check_bits()
        check_room()
        check_wrong()
        check_interrupted()
        ended = verify(1, "--rank-counts", "3")
        SUITE.judge("more ranks than there are are refused", ended.returncode == 4 and "mpirun has started 1" in ended.stderr, ended.stderr)
        return SUITE.end()
    quick = share == "quick"
    part = drawn("".join(sys.argv[3:]) if quick else share, 1, range(2, 4) if quick else range(1, 9))
    counts = sorted({1, *part} if quick else {*part, random.randint(1, part[0])})
    words = ["--seed", str(random.randrange(1, 10**6)), "--rank-counts", ",".join(map(str, counts)), "--budget", "0.5"]
    if part[0] > 4:  # many ranks on few processors take turns at every step of a collective
        words += ["--collective", ",".join(random.sample(COLLECTIVES, 2))]
    if quick:
        words += ["--strategy", ",".join(drawn_strategies(8)), "--type",
                  ",".join(random.sample(("i8", "u8", "i32", "u32", "i64", "u64", "f16", "f32", "f64"), 4))]
    check_right(part[0], words, 300)
    if quick:
        check_refusals()
        for check in random.sample((check_nothing_timed, check_no_answer, check_interrupted, check_bits, check_room), 2):
            check()
    elif part[0] % 2:
        check_mixed()
    else:
        check_exact(2)
    return SUITE.end()


if __name__ == "__main__":
    sys.exit(main())
