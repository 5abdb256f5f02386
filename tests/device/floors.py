#!/usr/bin/env -S python3 -B
"""bench/floors.c measures on pocl what is for CPUs, builds the other kernels there, and says where a platform is not here.
    tests/device/floors.py FLOORS"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import begin  # noqa: E402
from suite import Suite  # noqa: E402

begin(__doc__)
SUITE = Suite()
ROW = re.compile(r"(?P<floor>[a-z ]+?) +(?P<groups>\d+) +\d+ +(?P<n>\d+) +(?P<times>(?:[\d.]+|-) +[\d.]+ +[\d.]+)")


def floors(platform):
    return subprocess.run([sys.argv[1], platform], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


DONE = floors("Portable")
ROWS = [ROW.fullmatch(line) for line in DONE.stdout.splitlines()[2:]]
SUITE.judge("all kernels are built, and rows printed", DONE.returncode == 0 and all(ROWS), DONE.stdout + DONE.stderr)
FOUND = {row["floor"] for row in ROWS if row}
SUITE.judge("those for CPUs alone", FOUND == {"empty", "two launches", "one trip", "count only"}, DONE.stdout)
TRIPS = {int(row["n"]): float(row["times"].split()[2]) for row in ROWS if row and row["floor"] == "one trip"}
SUITE.judge("reading 2^24 elements takes longer than reading 2^12", TRIPS[1 << 24] > 2 * TRIPS[1 << 12], TRIPS)
NONE = floors("no such platform")
SUITE.judge("another platform", NONE.returncode == 77 and "finding a platform of this name failed" in NONE.stderr, NONE.stderr)
sys.exit(SUITE.end())
