#!/usr/bin/env -S python3 -B
"""Puts a driver of another machine into the tables of every strategy on every driver, or measures its column anew: results/drivers.csv,
drivers-scan.csv or drivers-histogram.csv, and its line of drivers-runs.csv.

    results/driver_column.py NAME PRIMITIVE VERIFY.csv VERIFY.log DEVICES.json [GRID]

On that machine: clreduce verify --primitive PRIMITIVE --device ID --format csv >VERIFY.csv 2>VERIFY.log, and
clreduce devices --device ID --format json >DEVICES.json. GRID: how it was asked, by default as verify asks by itself.
"""
import csv
import json
import pathlib
import sys

from run_file import HERE, checks_of

FILES = {"reduce": "drivers.csv", "scan": "drivers-scan.csv", "histogram": "drivers-histogram.csv"}


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main():
    if len(sys.argv) not in (6, 7) or sys.argv[2] not in FILES:
        sys.exit(__doc__)
    name, primitive = sys.argv[1:3]
    found = {row["strategy"]: checks_of(row) for row in read(sys.argv[3])}
    closing = [line for line in pathlib.Path(sys.argv[4]).read_text(encoding="utf-8").splitlines() if line.startswith("verify: ")]
    device = next(row for row in json.loads(pathlib.Path(sys.argv[5]).read_text(encoding="utf-8")) if row["id"] != "host")
    table = {row["strategy"]: row for row in read(HERE / FILES[primitive])}
    drivers = list(dict.fromkeys([*list(next(iter(table.values())))[1:], name]))
    for strategy in {**table, **found}:
        old = table.get(strategy, {"strategy": strategy})
        table[strategy] = {**{"strategy": strategy}, **{driver: old.get(driver, "-") for driver in drivers}, name: found.get(strategy, "-")}
    write(HERE / FILES[primitive], list(table.values()))
    run = {"primitive": "reduction" if primitive == "reduce" else primitive, "driver": name, "grid": "".join(sys.argv[6:]) or "the covering choice",
           "device": f"{device['platform']}, {device['name']}, {device['version']}, driver {device['driver']}", "verify says": closing[-1]}
    runs = read(HERE / "drivers-runs.csv")
    same = [i for i, row in enumerate(runs) if (row["primitive"], row["driver"]) == (run["primitive"], name)]
    at = same[0] if same else 1 + max(i for i, row in enumerate(runs) if row["primitive"] == run["primitive"])
    runs[at:at + len(same)] = [{key: run[key] for key in runs[0]}]
    write(HERE / "drivers-runs.csv", runs)


main()
