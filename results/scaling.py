#!/usr/bin/env python3
"""One table of a file of bench --ranks: for each way of scaling and n the fastest strategy on all ranks, its times by the number of
ranks, efficiency against one rank and share of the roofs on all of them, and the parts of its time there. Files of another program over
the same devices (kind `peer`) may follow: the table then has its ways on all ranks, too, and how long the fastest takes beside ours.
    results/scaling.py FILE... [--strategy NAME]"""
import argparse
import json
import statistics
import sys


def size(n):
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else f"{n:,}"


def seconds(value):
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} us"


def numbers(samples):
    """A list, or the median and by how many ten-thousandths of it each is off (formats.md)."""
    return [samples["about"] * (1 + off / 1e4) for off in samples["off"]] if isinstance(samples, dict) else samples


def median(row, part="total"):
    return statistics.median(numbers(row["samples_s"][part]))


def read(paths):
    """The file of bench --ranks, and the rows of the others, those of one kind and array as one with all samples."""
    files = [json.load(open(path, encoding="utf-8")) for path in paths]
    own = [file for file in files if any(row["kind"] == "strategy" for row in file["rows"])]
    if len(own) != 1:
        sys.exit(f"scaling.py: {len(own)} of the files are of bench --ranks: expected one, and files of another program beside it")
    names = [rank["device_name"] for rank in own[0]["ranks"]]
    peers = {}
    for path, file in zip(paths, files):
        theirs = [rank["device_name"] for rank in file["ranks"]]
        if theirs != names[:len(theirs)]:
            sys.exit(f"scaling.py: {path}: its ranks have other devices: {', '.join(map(str, theirs))}")
        for row in file["rows"] if file is not own[0] else ():
            if row["kind"] == "peer" and row["state"] == "pass":
                key = tuple(row[name] for name in ("strategy", "collective", "op", "type", "n", "ranks", "weak"))
                samples = peers.setdefault(key, {**row, "samples_s": {"total": []}})["samples_s"]
                samples["total"].extend(numbers(row["samples_s"]["total"]))
    return own[0], list(peers.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", metavar="FILE", nargs="+")
    parser.add_argument("--strategy", metavar="NAME")
    options = parser.parse_args()
    file, peers = read(options.files)
    timed = [row for row in file["rows"] if row["state"] == "pass"]
    counts = sorted({row["ranks"] for row in timed})
    most = counts[-1]
    ways = list(dict.fromkeys((row["strategy"], row["collective"]) for row in peers))
    head = ["scaling", "n", "strategy", "collective", *(f"{n} rank{'s' * (n > 1)}" for n in counts), "efficiency", "of the roofs", "device",
            "imbalance", "collective takes"] + ([*(f"`{strategy}` + `{collective}`" for strategy, collective in ways), "times ours"] if ways else [])
    print("|", " | ".join(head), "|")
    print("|" + "---|" * 4 + "---:|" * (len(head) - 4))
    for weak in (False, True):
        for n in sorted({row["n"] // (row["ranks"] if weak else 1) for row in timed if row["n"] and row["weak"] == weak}):
            def rows_of(kind, ranks, rows=timed):
                return [row for row in rows if row["kind"] == kind and row["weak"] == weak
                        and row["ranks"] == ranks and row["n"] == n * (ranks if weak else 1)]
            best = min((row for row in rows_of("strategy", most) if options.strategy in (None, row["strategy"])), key=median, default=None)
            if best is None:
                continue
            like = {r: median(row) for r in counts for row in rows_of("strategy", r)
                    if (row["strategy"], row["collective"]) == (best["strategy"], best["collective"])}
            efficiency = f"{like[1] / (1 if weak else most) / like[most]:.2f}" if 1 in like else "-"
            roof = [f"{median(row) / like[most]:.2f}" for row in rows_of("roof", most)] or ["-"]
            beside = {(row["strategy"], row["collective"]): median(row) for row in rows_of("peer", most, peers)
                      if (row["op"], row["type"]) == (best["op"], best["type"])}
            cells = ["weak" if weak else "strong", size(n) + (" each" if weak else ""), f"`{best['strategy']}`", f"`{best['collective']}`",
                     *(seconds(like[r]) if r in like else "-" for r in counts), efficiency, roof[0],
                     *(seconds(median(best, part)) for part in ("device", "imbalance", "collective"))]
            cells += [seconds(beside[way]) if way in beside else "-" for way in ways]
            cells += [f"{min(beside.values()) / like[most]:.2f}" if beside else "-"] if ways else []
            print("|", " | ".join(cells), "|")


main()
