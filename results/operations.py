#!/usr/bin/env -S python3 -B
"""Prints the table of a file in results/operations/: for each operation and type the fastest of the strategies measured at each n, how
many times as fast as the tree it is, and behind / the same of the built-in wg_reduce (~: the intervals overlap; -: no time). Or makes
such a file of a run.

    results/operations.py FILE.csv
    results/operations.py --csv RUN.json DEVICE >FILE.csv
"""
import csv
import json
import sys

from run_file import HERE, factor

COLUMNS = ("op", "type", "n", "strategy", "state", "median_us", "low_us", "high_us")


def write(path, device):
    with open(path, encoding="utf-8") as file:
        run = json.load(file)
    print(",".join(COLUMNS))
    for cell in ({**run.get("usual", {}), **cell} for cell in run["cells"]):
        if cell["device"] in (device, "host"):
            time = cell.get("time_to_answer") or {}
            figures = [f"{1e6 * time[key]:.4g}" if key in time else "" for key in ("median_s", "low_s", "high_s")]
            print(",".join([*(str(cell[column]) for column in COLUMNS[:5]), *figures]))


def times_as_fast(of, to):
    if not of or not to:
        return "-"
    ties = of["low_us"] <= to["high_us"] and to["low_us"] <= of["high_us"]
    return factor(to["median_us"] / of["median_us"], ties)


def field(cells):
    """Of the strategies' cells at one n."""
    own = {name: cell for name, cell in cells.items() if name not in ("openmp", "sequential")}
    if not own:
        return "-"
    best = min(own, key=lambda name: own[name]["median_us"])
    return f"`{best}` {times_as_fast(own[best], own.get('tree'))} / {times_as_fast(own.get('wg_reduce'), own.get('tree'))}"


def print_table(name):
    lines = {}
    with open(HERE / "operations" / name, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            at = lines.setdefault((row["op"], row["type"]), {}).setdefault(int(row["n"]), {})
            if row["state"] == "pass":
                at[row["strategy"]] = {key: float(row[key]) for key in COLUMNS[5:]}
    sizes = sorted({n for at in lines.values() for n in at})
    print("| operation | type | " + " | ".join(f"n = 2^{n.bit_length() - 1}" for n in sizes) + " |")
    print("|---" * (2 + len(sizes)) + "|")
    for (op, dtype), at in lines.items():
        print(f"| {op} | {dtype} | " + " | ".join(field(at.get(n, {})) for n in sizes) + " |")


def main():
    if sys.argv[1:2] == ["--csv"] and len(sys.argv) == 4:
        write(*sys.argv[2:])
    elif len(sys.argv) == 2:
        print_table(sys.argv[1])
    else:
        sys.exit(__doc__)


main()
