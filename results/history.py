#!/usr/bin/env -S python3 -B
"""The history of chosen cells: of each result file, in the order in which they are given, a row of CSV for each cell. Times are in seconds; a
cell that has none has empty ones, and its state says why. What chooses is a list of globs, as of clreduce.
    results/history.py [--device LIST] [--strategy LIST] [--op LIST] [--type LIST] [--n LIST] RESULT.json...
Exit status: 0; 1 a file has no such cell, or is no result file; 2 bad usage."""
import argparse
import csv
import fnmatch
import pathlib
import sys

from run_file import read, time_of

CHOSEN = ("device", "strategy", "op", "type", "n")
OTHERS = ("shape", "bins", "data", "asked", "state")  # what else tells cells apart, and what became of them
TIMES = ("median_s", "low_s", "high_s")


def is_among(value, globs):
    return any(fnmatch.fnmatchcase(str(value), glob) for glob in globs.split(","))


parser = argparse.ArgumentParser(prog="results/history.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
for name in CHOSEN:
    parser.add_argument(f"--{name}", metavar="LIST", default="*", help=f"cells of this {name} alone")
parser.add_argument("files", metavar="RESULT.json", type=pathlib.Path, nargs="+", help="what bench --output wrote")
given = parser.parse_args()
status = 0
rows = csv.writer(sys.stdout, lineterminator="\n")
rows.writerow(("date", "version", "processor", *CHOSEN, *OTHERS, *TIMES))
for file in given.files:
    try:
        run = read(file.resolve())
        of_run = (run["started"], run["suite"]["version"], run["host"]["processor"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"results/history.py: {file} is no result file of clreduce bench --output: {error!r}")
    cells = [cell for cell in run["cells"] if all(is_among(cell[name], getattr(given, name)) for name in CHOSEN)]
    for cell in cells:
        asked = " ".join(f"{name}:{of}" for name, of in (cell.get("asked") or {}).items() if of is not None)
        rows.writerow((*of_run, *(cell[name] for name in CHOSEN), *({**cell, "asked": asked}.get(name) for name in OTHERS),
                       *((time_of(cell) or {}).get(name) for name in TIMES)))
    if not cells:
        print(f"results/history.py: {file} has no such cell; clreduce report {file} --format md shows what it has", file=sys.stderr)
        status = 1
sys.exit(status)
