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

from run_file import HERE, times_as_fast

# The columns for each n, in us, of which figure: the median, and its interval of 95 %; a word in place of the median where there is none.
FIGURES = {"us": "median_s", "low": "low_s", "high": "high_s"}


def write(path, device):
    """A line for each operation, type and strategy, with FIGURES for each n."""
    with open(path, encoding="utf-8") as file:
        run = json.load(file)
    lines, sizes = {}, set()
    for cell in ({**run.get("usual", {}), **cell} for cell in run["cells"]):
        if cell["device"] in (device, "host"):
            time = cell.get("time_to_answer") or {}
            figures = [f"{1e6 * time[key]:.4g}" for key in FIGURES.values() if key in time] or [cell["state"], "", ""]
            lines.setdefault((cell["op"], cell["type"], cell["strategy"]), {})[cell["n"]] = figures
            sizes.add(cell["n"])
    print(",".join(["op", "type", "strategy", *(f"{figure}_{n}" for n in sorted(sizes) for figure in FIGURES)]))
    for line, at in lines.items():
        print(",".join([*line, *(figure for n in sorted(sizes) for figure in at.get(n, ["", "", ""]))]))


def field(cells):
    """Of the strategies' cells at one n."""
    own = {name: cell for name, cell in cells.items() if name not in ("openmp", "sequential")}
    if not own:
        return "-"
    best, tree = min(own, key=lambda name: own[name]["median_s"]), own.get("tree")
    return f"`{best}` {times_as_fast((own[best], tree))} / {times_as_fast((own.get('wg_reduce'), tree))}"


def print_table(name):
    lines = {}
    with open(HERE / "operations" / name, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    sizes = [int(column.removeprefix("us_")) for column in rows[0] if column.startswith("us_")]
    for row in rows:
        at = lines.setdefault((row["op"], row["type"]), {n: {} for n in sizes})
        for n in sizes:
            if row[f"high_{n}"]:
                at[n][row["strategy"]] = {key: 1e-6 * float(row[f"{figure}_{n}"]) for figure, key in FIGURES.items()}
    print("| operation | type | " + " | ".join(f"n = 2^{n.bit_length() - 1}" for n in sizes) + " |")
    print("|---" * (2 + len(sizes)) + "|")
    for (op, dtype), at in lines.items():
        print(f"| {op} | {dtype} | " + " | ".join(field(at[n]) for n in sizes) + " |")


def main():
    if sys.argv[1:2] == ["--csv"] and len(sys.argv) == 4:
        write(*sys.argv[2:])
    elif len(sys.argv) == 2:
        print_table(sys.argv[1])
    else:
        sys.exit(__doc__)


main()
