#!/usr/bin/env -S python3 -B
"""Prints a table of results/operations/DEVICE.json: for each operation and type the fastest strategy at each n, how many times as
fast as the tree it is, and behind / the same of the built-in wg_reduce (~: the intervals overlap; -: not timed there).

    results/operations.py FILE DEVICE
"""
import sys

from run_file import read, times_as_fast


def field(cells):
    """Of the strategies' cells at one n."""
    passed = {name: cell for name, cell in cells.items() if cell["state"] == "pass"}
    if not passed:
        return "-"
    best = min(passed, key=lambda name: passed[name]["time_to_answer"]["median_s"])
    against = [times_as_fast(passed.get(name), passed.get("tree")) for name in (best, "wg_reduce")]
    return f"`{best}` {against[0]} / {against[1]}"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    lines = {}
    for cell in read(f"operations/{sys.argv[1]}.json")["cells"]:
        if cell["device"] == sys.argv[2]:
            lines.setdefault((cell["op"], cell["type"]), {}).setdefault(cell["n"], {})[cell["strategy"]] = cell
    sizes = sorted({n for at in lines.values() for n in at})
    print("| operation | type | " + " | ".join(f"n = 2^{n.bit_length() - 1}" for n in sizes) + " |")
    print("|---" * (2 + len(sizes)) + "|")
    for (op, dtype), at in lines.items():
        print(f"| {op} | {dtype} | " + " | ".join(field(at.get(n, {})) for n in sizes) + " |")


main()
