#!/usr/bin/env python3
"""One table of a file of bench --ranks: for each way of scaling and n the fastest strategy on all ranks, its times by the number of
ranks, efficiency against one rank and share of the roofs on all of them, and the parts of its time there.
    results/scaling.py FILE [STRATEGY]"""
import json
import statistics
import sys


def size(n):
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else f"{n:,}"


def seconds(value):
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} us"


def median(row, part="total"):
    return statistics.median(row["samples_s"][part])


def main():
    file = json.load(open(sys.argv[1], encoding="utf-8"))
    wanted = sys.argv[2] if len(sys.argv) > 2 else None
    timed = [row for row in file["rows"] if row["state"] == "pass"]
    most = len(file["ranks"])
    counts = sorted({row["ranks"] for row in timed})
    head = ["scaling", "n", "strategy", "collective", *(f"{n} rank{'s' * (n > 1)}" for n in counts), "efficiency", "of the roofs", "device",
            "imbalance", "collective takes"]
    print("|", " | ".join(head), "|")
    print("|" + "---|" * 4 + "---:|" * (len(head) - 4))
    for weak in (False, True):
        for n in sorted({row["n"] // (row["ranks"] if weak else 1) for row in timed if row["n"] and row["weak"] == weak}):
            def rows_of(kind, ranks):
                return [row for row in timed if row["kind"] == kind and row["weak"] == weak and row["ranks"] == ranks
                        and row["n"] == n * (ranks if weak else 1)]
            best = min((row for row in rows_of("strategy", most) if wanted in (None, row["strategy"])), key=median)
            like = {r: median(next(row for row in rows_of("strategy", r)
                                   if (row["strategy"], row["collective"]) == (best["strategy"], best["collective"]))) for r in counts}
            efficiency = like[counts[0]] / (1 if weak else most) / like[most]
            roof = median(rows_of("roof", most)[0])
            print("|", " | ".join(["weak" if weak else "strong", size(n) + (" each" if weak else ""), f"`{best['strategy']}`",
                                   f"`{best['collective']}`", *(seconds(like[r]) for r in counts), f"{efficiency:.2f}",
                                   f"{roof / like[most]:.2f}", *(seconds(median(best, part)) for part in ("device", "imbalance", "collective"))]),
                  "|")


main()
