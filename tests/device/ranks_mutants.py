#!/usr/bin/env -S python3 -B
"""Faults in what makes one array of many ranks' pieces: `verify --ranks`, or where the mutant says so `bench --ranks`, must reject each,
whatever the seed. A mutant is a script of sed for one file; a copy of that file is compiled as the build does, and linked in front of the
rest. A script with a command that changes nothing is a failure, and so is, with `all`, a program without a fault that is rejected. The command that
`verify` prints must find the fault again.
    tests/device/ranks_mutants.py CLREDUCE BUILD [SEED]         three of them
    tests/device/ranks_mutants.py CLREDUCE BUILD all [SEEDS]    all, with so many seeds"""
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from compiled import ROOT, compiled, linked  # noqa: E402
from drawn import drawn  # noqa: E402

MUTANTS = sorted((HERE.parent / "mutants" / "ranks").glob("*.sed"))
# Bench has another answer than before at every batch; a few of them are enough.
VERBS = {"verify": ["verify", "--ranks", "--strategy", "openmp", "--device", "host"],
         "bench": ["bench", "--ranks", "--device", "host", "--op", "sum,max", "--type", "i32,f64", "--n", "4099", "--scaling", "strong",
                   "--time-per-cell", "0.005"]}


def changed(mutant):
    """The name of the file that has the fault, and its text then."""
    source = re.search("^# file: (.*)$", mutant.read_text(), re.M)[1]
    after = (ROOT / source).read_text()
    for command in mutant.read_text().splitlines():
        before = after
        after = subprocess.run(["sed", command], input=before, capture_output=True, text=True, check=True).stdout
        if after == before and not command.startswith("#"):
            sys.exit(f"FAILED  {mutant.name} changes nothing in {source} by {command}")
    return source, after


def make_program(build, mutant, folder):
    """Puts clreduce and its module with the mutant's fault into the folder; without one (None) as they are."""
    for name in ("clreduce", "clreduce_mpi.so"):
        shutil.copy(build / name, folder / name)
    if mutant is None:
        return
    source, after = changed(mutant)
    linked(build, "clreduce_mpi.so" if source.endswith("mpi.c") else "clreduce", compiled(build, source, after, folder), folder)


def is_rejected(mutant, seed, folder):
    """Runs the program in the folder over some ranks; whether it was judged as it must be, and the line that tells."""
    says = mutant.read_text() if mutant else ""
    verb = (re.search("^# seen by: (.*)$", says, re.M) or [0, "verify"])[1]
    ranks = random.randint(int((re.search("^# ranks: (.*)$", says, re.M) or [0, "2"])[1]), 4)
    ended = subprocess.run(["mpirun", "--oversubscribe", "-n", str(ranks), folder / "clreduce", *VERBS[verb], "--seed", str(seed)],
                           capture_output=True, text=True, check=False)
    lines = [line for line in ended.stdout.splitlines() + ended.stderr.splitlines() if "wrong: " in line]
    told = lines[0] if lines else (ended.stdout + ended.stderr)[-600:]
    if mutant is None:
        return ended.returncode == 0, ended.stdout.splitlines()[-1] if ended.returncode == 0 else told
    again = re.search(r"^  again: (.*)$", ended.stdout, re.M)
    if again is None or "--split roof" in again[1]:  # roofs are measured anew
        return ended.returncode == 2 and bool(lines), f"{ranks} ranks, seed {seed}: {told}"
    repeated = subprocess.run(again[1], shell=True, cwd=folder, capture_output=True, text=True, check=False)
    return (ended.returncode, repeated.returncode) == (2, 2), f"{ranks} ranks, seed {seed}: {told}" + (
        "" if repeated.returncode == 2 else f"; and not by {again[1]}: {repeated.stdout}")


def main():
    clreduce, build, share, seeds_n = (sys.argv[1:] + ["", "1"][len(sys.argv) - 3:])[:4]
    build = pathlib.Path(build).resolve()
    if shutil.which("mpirun") is None or not (build / "clreduce_mpi.so").exists():
        print("skipped: no mpirun, or a build without MPI (Debian: openmpi-bin libopenmpi-dev)")
        return 77
    os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    mutants = drawn(share, 3, MUTANTS)
    failed = 0
    for mutant in MUTANTS:
        changed(mutant)
    for mutant in [*[None] * (share == "all"), *mutants]:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            make_program(build, mutant, folder)
            for seed in random.sample(range(1, 10**6), int(seeds_n)):
                good, told = is_rejected(mutant, seed, folder)
                failed += not good
                print(f"{('rejected' if mutant else 'accepted') if good else 'FAILED  '}  {mutant.stem if mutant else 'no fault':20} {told}",
                      flush=True)
    print(f"{len(mutants)} mutants, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
