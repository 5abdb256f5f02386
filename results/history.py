#!/usr/bin/env -S python3 -B
"""The history of chosen cells: of each result file, in the order in which they are given, a row of CSV for each cell. Times are in seconds; a
cell that has none has empty ones, and its state says why. What chooses is a list of globs; n may be a power, such as 2^20.
    results/history.py [--device LIST] [--strategy LIST] [--op LIST] [--type LIST] [--n LIST] RESULT.json...
Exit status: 0; 1 a file has no such cell, or is no result file; 2 bad usage."""
import argparse
import csv
import fnmatch
import pathlib
import re
import sys

from run_file import read_runs, time_of

CHOSEN = ("device", "strategy", "op", "type", "n")
OTHERS = ("shape", "bins", "data", "asked", "ranks", "collective", "scaling", "state")  # what else tells cells apart, and what became of them
TIMES = ("median_s", "low_s", "high_s")


def is_among(value, globs):
    return any(fnmatch.fnmatchcase(str(value), glob) for glob in globs.split(","))


def sizes(globs):
    """The list of --n, in which a power is written out, as files have it."""
    return re.sub(r"\b(\d{1,2})\^(\d{1,2})\b", lambda power: str(int(power[1]) ** int(power[2])), globs)


def geometry_asked(asked):
    """As in the CSV of clreduce bench: :64:g8:16x4."""
    words = (("group_size", ":{group_size}"), ("groups", ":g{groups}"), ("width", ":{width}x{loads}"))
    return "".join(text.format(**asked) for key, text in words if asked.get(key))


def rows_of(file, given):
    """A row for each chosen cell of the file's runs."""
    for run in read_runs(file.resolve()):
        of_run = (run["started"], run["suite"]["version"], run["host"]["processor"])
        for cell in run["cells"]:
            if all(is_among(cell[name], getattr(given, name)) for name in CHOSEN):
                told = {**cell, "asked": geometry_asked(cell.get("asked") or {})}
                yield (*of_run, *(told.get(name) for name in (*CHOSEN, *OTHERS)), *((time_of(cell) or {}).get(name) for name in TIMES))


parser = argparse.ArgumentParser(prog="results/history.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
for name in CHOSEN:
    parser.add_argument(f"--{name}", metavar="LIST", default="*", type=sizes if name == "n" else str, help=f"cells of this {name} alone")
parser.add_argument("files", metavar="RESULT.json", type=pathlib.Path, nargs="+", help="what bench --output wrote")
given = parser.parse_args()
status = 0
rows = csv.writer(sys.stdout, lineterminator="\n")
rows.writerow(("date", "version", "processor", *CHOSEN, *OTHERS, *TIMES))
for file in given.files:
    try:
        found = list(rows_of(file, given))
        told = f"has no such cell; clreduce report {file} --format md shows what it has"
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        found, told = [], f"is no result file of clreduce bench --output: {error!r}"
    rows.writerows(found)
    if not found:
        print(f"results/history.py: {file} {told}", file=sys.stderr)
        status = 1
sys.exit(status)
