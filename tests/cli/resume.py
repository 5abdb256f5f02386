#!/usr/bin/env -S python3 -B
"""Kills the program, or one of its workers, at random moments, and lets --resume go on: in the end all cells and all
checks must be there as in a run that nobody disturbed, and nothing that was written may have been lost.
    tests/cli/resume.py CLREDUCE [SEED]   four kills of bench, or of verify, of one of two types, as the seed draws
    tests/cli/resume.py CLREDUCE all      twelve of bench, and six of verify"""
import csv
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from drawn import drawn  # noqa: E402
from driver import workers_of  # noqa: E402
from script import begin  # noqa: E402

begin(__doc__)

BENCH = ["bench", "--device", "pocl", "--strategy", "serial,chunk,tree,cmpxchg_group,wg_reduce", "--type", "f32,i32",
             "--n", "100,2^14", "--data-sets", "3", "--time-per-cell", "30ms", "--format", "csv"]
VERIFY = ["verify", "--device", "pocl", "--strategy", "serial,chunk,wg_reduce", "--type", "f32,i8", "--op", "sum,min", "--wg", "1,64",
          "--format", "csv"]


def cells_of(path):
    """What a cell is, and what became of it."""
    with open(path) as file:
        return {(row["device"], row["strategy"], row["op"], row["type"], row["n"]): (row["state"], row["samples"])
                for row in csv.DictReader(file)}


def lines_of(path):
    """The journal's whole lines."""
    if not path.exists():
        return []
    whole = path.read_text().split("\n")[:-1]
    for line in whole:
        json.loads(line)
    return whole


def kill_one(process, chance, program):
    """Kills a worker, or the program: that one where `program` says so."""
    victims = workers_of(process.pid)
    victim = chance.choice(victims) if victims and not program and chance.random() < 0.5 else process.pid
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        return None
    return "a worker" if victim != process.pid else "the program"


def run_until_done(program, arguments, folder, kills, chance):
    """Starts, kills and resumes until `kills` have hit and a run has come to its end. Gives the number of runs."""
    result, journal = folder / "killed.csv", folder / "killed.csv.journal"
    hits, runs, resumed, before = {"a worker": 0, "the program": 0}, 0, 0, []
    while True:
        process = subprocess.Popen([program, *arguments, "--output", str(result), "--resume"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        runs += 1
        while sum(hits.values()) < kills and process.poll() is None:
            while len(lines_of(journal)) < max(2, len(before) + 1) and process.poll() is None:
                time.sleep(0.02)  # what is killed before has nothing to lose
            time.sleep(chance.uniform(0, 0.6))
            last = sum(hits.values()) + 1 >= kills and hits["the program"] == 0
            hit = kill_one(process, chance, last) if process.poll() is None else None
            if hit:
                hits[hit] += 1
        told = process.communicate()[1].decode()
        now = lines_of(journal)
        assert process.returncode in (0, -signal.SIGKILL), told
        checks = [str(found["check"]) for found in map(json.loads, now) if "check" in found]
        assert len(checks) == len(set(checks)), "a check was made again"
        assert len(before) < 2 or re.search(r"^resuming: \d+ ", told, re.M), f"it began anew: {told}"
        resumed += len(before) >= 2
        if process.returncode == 0:
            assert not journal.exists(), "the journal of a complete run is left"
            if sum(hits.values()) >= kills and resumed > 0:
                return hits, runs
            result.unlink()
            before = []
            continue
        assert now[:len(before)] == before, "the journal has lost lines"
        before = now


def undisturbed(program, arguments, folder):
    """The result of a run that nobody kills."""
    whole = folder / "whole.csv"
    subprocess.run([program, *arguments, "--output", str(whole)], check=True, capture_output=True)
    return whole


def check_bench(program, folder, bench, kills, chance):
    wanted = cells_of(undisturbed(program, bench, folder))
    hits, runs = run_until_done(program, bench, folder, kills, chance)
    got = cells_of(folder / "killed.csv")
    assert set(wanted) == set(got), "other cells"
    for cell, (state, samples) in got.items():
        # The number of batches follows from how fast the cell was when it was planned, which differs.
        assert state == wanted[cell][0], f"{cell} is {state}, not {wanted[cell][0]}"
        assert (samples == "") == (wanted[cell][1] == ""), f"{cell} has {samples} samples"
        assert samples == "" or int(samples) % 6 == 0, f"{cell} lacks samples: {samples}"
    return f"bench: {len(got)} cells", hits, runs


def check_verify(program, folder, verify, kills, chance):
    rows = list(csv.DictReader(undisturbed(program, verify, folder).open()))
    hits, runs = run_until_done(program, verify, folder, kills, chance)
    assert rows == list(csv.DictReader((folder / "killed.csv").open())), "other counts"
    return f"verify: {sum(int(row['right']) for row in rows)} checks", hits, runs


def main():
    program = sys.argv[1]
    share = "".join(sys.argv[2:])
    for part, asked, kills in drawn(share, 1, ((check_bench, BENCH, 12), (check_verify, VERIFY, 6))):
        if share != "all":  # compiling takes most of the time
            asked = [random.choice(word.split(",")) if before == "--type" else word for before, word in zip(["", *asked], asked)]
        with tempfile.TemporaryDirectory() as name:
            found, hits, runs = part(program, pathlib.Path(name), asked, kills if share == "all" else 4, random)
            print(f"{found}, the same after {hits['the program']} kills of the program and {hits['a worker']} of workers, "
                  f"in {runs} runs", flush=True)


main()
