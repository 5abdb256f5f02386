#!/usr/bin/env -S python3 -B
"""bench/fence_costs makes of each fence, order and scope of a last group a kernel of its own, which is right on pocl and is timed.
    tests/device/fence_costs.py CLREDUCE"""
import csv
import pathlib
import re
import runpy
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import begin  # noqa: E402
from suite import Suite  # noqa: E402

begin(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUITE = Suite()


def costs(*options):
    return subprocess.run([ROOT / "bench/fence_costs", sys.argv[1], *options], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


DONE = costs("--device", "pocl", "--runs", "1", "--groups", "16,2")
ROWS = list(csv.DictReader(DONE.stdout.splitlines()))
SUITE.judge("all variants are timed", DONE.returncode == 0 and all(re.fullmatch(r"-?\d+\.\d", row["ns_a_group_by_host"]) for row in ROWS), DONE.stdout + DONE.stderr)
SUITE.judge("there are those of 1.x, and three orders in two scopes",
            {row["variant"] for row in ROWS} >= {"no_fence", "mem_fence", "write_read_mem_fence", *(f"{order}_{scope}" for order in ("relaxed", "acq_rel", "seq_cst")
                                                                                                 for scope in ("work_group", "device"))}, DONE.stdout)
SUITE.judge("the fewer groups come first", {row["groups"] for row in ROWS} == {"2-16"}, DONE.stdout)
BENCH = runpy.run_path(str(ROOT / "bench/fence_costs"))
TEXTS = {BENCH["text_of"]("same name", kernel, edits) for _, kernel, edits in BENCH["VARIANTS"]}
SUITE.judge("no two variants are the same text", len(TEXTS) == len(ROWS), len(TEXTS))
SUITE.judge("one number of groups is no slope", costs("--device", "pocl", "--groups", "16").returncode == 4)
sys.exit(SUITE.end())
