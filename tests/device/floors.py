#!/usr/bin/env -S python3 -B
"""bench/floors.c measures on pocl what is for CPUs, builds the other kernels there, and says where a platform is not here.
    tests/device/floors.py FLOORS"""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/tools"), str(ROOT / "bench/cuda")]
from cub_tables import read_floors  # noqa: E402
from script import begin  # noqa: E402
from suite import Suite  # noqa: E402

begin(__doc__)
SUITE = Suite()


def floors(platform):
    return subprocess.run([sys.argv[1], platform], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def rows_of(printed):
    """As bench/cuda/cub reads them: {(floor, clock): {n: [seconds]}}; an error where a line is no row."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "floors-1.txt"
        path.write_text(printed, encoding="utf-8")
        return read_floors([path])


DONE = floors("Portable")
SUITE.judge("all kernels are built", DONE.returncode == 0, DONE.stderr)
ROWS = rows_of(DONE.stdout)
SUITE.judge("those for CPUs alone are measured",
            {floor.removesuffix(", one group") for floor, _ in ROWS} == {"empty", "two launches", "one trip", "one value", "count only"}, DONE.stdout)
TRIPS = ROWS["one trip", "answer"]
SUITE.judge("reading 2^24 elements takes longer than reading 2^12", TRIPS[1 << 24][0] > 2 * TRIPS[1 << 12][0], DONE.stdout)
NONE = floors("no such platform")
SUITE.judge("another platform", NONE.returncode == 77 and "finding a platform of this name failed" in NONE.stderr, NONE.stderr)
sys.exit(SUITE.end())
