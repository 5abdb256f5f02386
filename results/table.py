#!/usr/bin/env -S python3 -B
"""Prints a CSV file as a table in Markdown; the first line has the headings.

    results/table.py FILE.csv"""
import csv
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/tools"))
from script import begin  # noqa: E402

begin(__doc__)
if len(sys.argv) != 2:
    sys.exit(__doc__)
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    head, *rows = csv.reader(file)
for row in (head, ["---"] * len(head), *rows):
    if len(row) != len(head):
        sys.exit(f"{sys.argv[1]}: {len(row)} fields, but {len(head)} headings: {','.join(row)}")
    print("|", " | ".join(row), "|")
