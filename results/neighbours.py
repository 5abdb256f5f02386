#!/usr/bin/env python3
"""What neighbours cost: of each device, strategy and n the time to answer while no other device of the host measures, and while all do.
    results/neighbours.py ALONE TOGETHER     fleet files of bench --each, and of bench --each --together"""
import json
import sys


def size(n):
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else f"{n:,}"


def times_of(path):
    """By rank, strategy, operation, type and n, in the file's order; a rank's device is the one that is not the host."""
    with open(path, encoding="utf-8") as file:
        fleet = json.load(file)["fleet"]
    return {(rank, cell["device"], cell["strategy"], cell["op"], cell["type"], cell["n"]): cell["time_to_answer"]["median_s"]
            for rank, run in enumerate(fleet) for cell in run["cells"] if cell["device"] != "host" and cell["time_to_answer"]}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    alone, together = map(times_of, sys.argv[1:])
    keys = [key for key in alone if key in together]
    if not keys:
        sys.exit(f"{sys.argv[1]} and {sys.argv[2]} have no cell in common")
    ranks = list(dict.fromkeys(key[:2] for key in keys))
    print("| strategy | operation | n |", " | ".join(f"{device} alone | beside others | times as long" for _, device in ranks), "|")
    print("|---|---|---|" + "---:|" * (3 * len(ranks)))
    for key in dict.fromkeys(key[2:] for key in keys):
        strategy, op, kind, n = key
        cells = []
        for rank in ranks:
            one, all_of_them = alone.get(rank + key), together.get(rank + key)
            known = one is not None and all_of_them is not None
            cells += [f"{one * 1e6:.3g} us", f"{all_of_them * 1e6:.3g} us", f"{all_of_them / one:.2f}"] if known else ["-"] * 3
        print(f"| `{strategy}` | {op} of {kind} | {size(n)} |", " | ".join(cells), "|")


main()
