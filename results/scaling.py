#!/usr/bin/env python3
"""One table of a file of bench --ranks: for each way of scaling and n the fastest strategy on all ranks, its times by the number of
ranks, efficiency against one rank and share of the roofs on all of them, and the parts of its time there. Files of another program over
the same devices (kind `peer`) may follow: the table then has its ways on all ranks, too, and how long the fastest takes beside ours.
    results/scaling.py FILE... [--strategy NAME]"""
import argparse
import json
import statistics
import sys

from run_file import rows_of


def size(n):
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else f"{n:,}"


def seconds(value):
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} us"


def median(row, part="total"):
    return statistics.median(row["samples_s"][part])


def read(paths):
    """The cells of bench --ranks, and those of the other files, those of one kind and array as one with all samples."""
    files = [json.load(open(path, encoding="utf-8")) for path in paths]
    rows = [rows_of(file) for file in files]
    own = [file for file, of in zip(files, rows) if any(row["kind"] == "strategy" for row in of)]
    if len(own) != 1:
        sys.exit(f"scaling.py: {len(own)} of the files are of bench --ranks: expected one, and files of another program beside it")
    names = [rank["device_name"] for rank in own[0]["over_ranks"]["ranks"]]
    peers = {}
    for path, file, of in zip(paths, files, rows):
        theirs = [rank["device_name"] for rank in file["over_ranks"]["ranks"]]
        if theirs != names[:len(theirs)]:
            sys.exit(f"scaling.py: {path}: its ranks have other devices: {', '.join(map(str, theirs))}")
        for row in of if file is not own[0] else ():
            if row["kind"] == "peer" and row["state"] == "pass":
                key = tuple(row[name] for name in ("strategy", "collective", "op", "type", "n", "ranks", "weak"))
                samples = peers.setdefault(key, {**row, "samples_s": {"total": []}})["samples_s"]
                samples["total"].extend(row["samples_s"]["total"])
    return rows[files.index(own[0])], list(peers.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", metavar="FILE", nargs="+")
    parser.add_argument("--strategy", metavar="NAME")
    options = parser.parse_args()
    own, peers = read(options.files)
    timed = [row for row in own if row["state"] == "pass"]
    counts = sorted({row["ranks"] for row in timed})
    most = counts[-1]
    ways = list(dict.fromkeys((row["strategy"], row["collective"]) for row in peers))
    head = ["scaling", "n", "strategy", "collective", *(f"{n} rank{'s' * (n > 1)}" for n in counts), "efficiency", "of the roofs", "device",
            "imbalance", "collective takes"] + ([*(f"`{strategy}` + `{collective}`" for strategy, collective in ways), "times ours"] if ways else [])
    print("|", " | ".join(head), "|")
    print("|" + "---|" * 4 + "---:|" * (len(head) - 4))
    for weak in (False, True):
        for n in sorted({row["n"] // (row["ranks"] if weak else 1) for row in timed if row["n"] and row["weak"] == weak}):
            def alike(kind, ranks, rows=timed):
                return [row for row in rows if row["kind"] == kind and row["weak"] == weak
                        and row["ranks"] == ranks and row["n"] == n * (ranks if weak else 1)]
            best = min((row for row in alike("strategy", most) if options.strategy in (None, row["strategy"])), key=median, default=None)
            if best is None:
                continue
            like = {r: median(row) for r in counts for row in alike("strategy", r)
                    if (row["strategy"], row["collective"]) == (best["strategy"], best["collective"])}
            efficiency = f"{like[1] / (1 if weak else most) / like[most]:.2f}" if 1 in like else "-"
            roof = [f"{median(row) / like[most]:.2f}" for row in alike("roof", most)] or ["-"]
            beside = {(row["strategy"], row["collective"]): median(row) for row in alike("peer", most, peers)
                      if (row["op"], row["type"]) == (best["op"], best["type"])}
            cells = ["weak" if weak else "strong", size(n) + (" each" if weak else ""), f"`{best['strategy']}`", f"`{best['collective']}`",
                     *(seconds(like[r]) if r in like else "-" for r in counts), efficiency, roof[0],
                     *(seconds(median(best, part)) for part in ("device", "imbalance", "collective"))]
            cells += [seconds(beside[way]) if way in beside else "-" for way in ways]
            cells += [f"{min(beside.values()) / like[most]:.2f}" if beside else "-"] if ways else []
            print("|", " | ".join(cells), "|")


main()
