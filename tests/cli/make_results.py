#!/usr/bin/env python3
"""Makes result files that no machine has measured, of one that one has: as large, or as hostile, as reports must bear.

    tests/cli/make_results.py REAL.json many   FILE   21 sizes x 8 group sizes
    tests/cli/make_results.py REAL.json full   FILE   the whole grid: 60 strategies x 8 operations x 5 types x 11 sizes x 2 devices
    tests/cli/make_results.py REAL.json scattered FILE  50 strategies x 400 sizes, no two cells of a line side by side
    tests/cli/make_results.py REAL.json troubled FILE   the same, all wrong, with a reason of its own for each size
    tests/cli/make_results.py REAL.json wide   FILE   3000 strategies x 10 sizes
    tests/cli/make_results.py REAL.json gaps   FILE   9 sizes x 4 group sizes, of which some have no time, each for another reason
    tests/cli/make_results.py REAL.json ties   FILE   all strategies take the same time
    tests/cli/make_results.py REAL.json hostile FILE  names that mean something to browsers, Markdown and terminals
"""
import copy
import json
import pathlib
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from stored import whole  # noqa: E402

HOSTILE = ["<script>alert(1)</script>", "`touch PWNED`", "a'b\"c\\d", "x|y*_z_&amp;", "$l0\nplot", "\u202eevil \u2603", "%s%n",
           "</style><svg onload=1>"]


def passed(run, device):
    return [cell for cell in run["cells"] if cell["state"] == "pass" and cell["n"] == 2 ** 16 and cell["device"] == device]


def scaled(cell, n, factor, **changes):
    """The cell as if n elements had taken `factor` times as long."""
    made = copy.deepcopy(cell)
    made.update(changes, n=n)
    time = made["time_to_answer"]
    for key, value in time.items():
        if key == "samples_s":
            time[key] = [sample * factor for sample in value]
        elif key != "calls_per_sample":
            time[key] = value * factor
    return made


def asked(group_size):
    return {"group_size": group_size, "groups": None, "width": None, "loads": None}


def grow(n):
    return (1 + n / 2 ** 16) * random.uniform(0.8, 1.2)


def many(run):
    cells = []
    for device in run["devices"]:
        sizes = [None] if device["kind"] == "host" else [1, 16, 32, 64, 128, 256, 512, 1024]
        for cell in passed(run, device["id"]):
            for size in sizes:
                cells += [scaled(cell, 2 ** e, grow(2 ** e) * (1 + abs((size or 64) - 64) / 300), asked=asked(size))
                          for e in range(10, 31)]
    return cells


def full(run):
    cells = []
    for device in run["devices"]:
        cell = passed(run, device["id"])[0]
        names = ["openmp"] if device["kind"] == "host" else [f"strategy_{i}" for i in range(60)]
        for op in ["sum", "dot", "sumsq", "mean", "min", "max", "argmin", "argmax"]:
            for dtype in ["i32", "u32", "i64", "f32", "f64"]:
                for name in names:
                    cells += [scaled(cell, 2 ** e, grow(2 ** e), strategy=name, op=op, type=dtype) for e in range(10, 21)]
    for cell in cells:  # so much that it is still read
        time = cell["time_to_answer"]
        time["samples_s"] = [float(f"{sample:.4g}") for sample in time["samples_s"][:6]]
    return cells


def scattered(run, strategies_n=50, sizes_n=400):
    cells = []
    for device in run["devices"][:2]:
        cell = passed(run, device["id"])[0]
        cell["time_to_answer"]["samples_s"] = cell["time_to_answer"]["samples_s"][:6]
        names = ["openmp"] if device["kind"] == "host" else [f"strategy_{i}" for i in range(strategies_n)]
        cells += [scaled(cell, 1000 + 7 * i, grow(1000 + 7 * i), strategy=name) for i in range(sizes_n) for name in names]
    return cells


def wide(run):
    return scattered(run, 3000, 10)


def troubled(run):
    cells = scattered(run)
    for cell in cells:
        if cell["device"] != run["devices"][0]["id"]:
            del cell["time_to_answer"]
            cell.update(state="wrong", reason=f"wrong by {cell['n']}")
    return cells


def gaps(run):
    cells = []
    for device in run["devices"]:
        for cell in passed(run, device["id"]):
            for size in [None] if device["kind"] == "host" else [16, 64, 256, 1024]:
                cells += [scaled(cell, 2 ** e, grow(2 ** e) * (1 + abs((size or 64) - 64) / 300), asked=asked(size))
                          for e in range(10, 28, 2)]
    kept = []
    for cell in cells:
        size, n = cell["asked"]["group_size"], cell["n"]
        state = ("over-budget" if (size, n) == (1024, 2 ** 26) or size == 16 and n > 2 ** 22 else
                 "unsupported" if size == 1024 and n < 2 ** 14 else
                 "crashed" if cell["strategy"] == "tree" and (size, n) == (64, 2 ** 12) else
                 "wrong" if cell["strategy"] == "cmpxchg_group" and (size, n) == (256, 2 ** 14) else "pass")
        if state != "pass":
            cell.update(state=state, reason="made so", time_to_answer=None)
        if not (cell["strategy"] == "chunk" and (size, n) == (64, 2 ** 10)):
            kept.append(cell)
    return kept


def ties(run):
    cells = []
    for device in run["devices"]:
        of_device = passed(run, device["id"])
        cells += [scaled(of_device[0], 2 ** e, 1, strategy=cell["strategy"]) for cell in of_device for e in range(10, 28, 2)]
    return cells


def hostile(run):
    run["host"]["name"] = run["command"] = HOSTILE[0] + HOSTILE[1]
    run["devices"][1].update(name=HOSTILE[0] + HOSTILE[5], platform=HOSTILE[4], driver=HOSTILE[3])
    cells = [cell for cell in run["cells"] if cell["device"] == "host"]
    for i, name in enumerate(HOSTILE):
        cells += [dict(copy.deepcopy(cell), strategy=name, reason=name) for cell in run["cells"]
                  if cell["device"] != "host" and cell["strategy"] in ("chunk", "cmpxchg_item") and (i + cell["n"]) % 3]
    return cells


def main():
    real, kind, path = sys.argv[1:]
    random.seed(1)
    with open(real, encoding="utf-8") as file:
        run = whole(json.load(file))
    run["cells"] = {"many": many, "full": full, "scattered": scattered, "troubled": troubled, "wide": wide,
                    "gaps": gaps, "ties": ties, "hostile": hostile}[kind](run)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(run, file, separators=(",", ":"))


main()
