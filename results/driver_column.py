#!/usr/bin/env -S python3 -B
"""Puts a driver of another machine into the tables of every strategy on every driver, or measures its column anew: results/drivers.csv,
drivers-scan.csv or drivers-histogram.csv, and its line of drivers-runs.csv.

    results/driver_column.py [--grid GRID] NAME PRIMITIVE DEVICES.json VERIFY.csv...

On that machine: clreduce devices --device ID --format json >DEVICES.json, and
clreduce verify --primitive PRIMITIVE --device ID --format csv >VERIFY.csv, at once or in parts by --strategy. GRID: how it was asked,
by default as verify asks by itself.
"""
import argparse
import csv
import json

from run_file import HERE, VERIFY_STATES, checks_of

FILES = {"reduce": "drivers.csv", "scan": "drivers-scan.csv", "histogram": "drivers-histogram.csv"}


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def said(rows):
    """How many checks ended in each state, as verify says it at its end."""
    totals = {state: sum(int(row[state]) for row in rows) for state in (*VERIFY_STATES, "unsupported")}
    return "verify: " + ", ".join(f"{checks_n} {state}" for state, checks_n in totals.items() if checks_n or state in ("right", "wrong"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grid", default="the covering choice")
    parser.add_argument("name")
    parser.add_argument("primitive", choices=FILES)
    parser.add_argument("devices")
    parser.add_argument("verify", nargs="+")
    asked = parser.parse_args()
    rows = [row for path in asked.verify for row in read(path)]
    found = {row["strategy"]: checks_of(row) for row in rows}
    with open(asked.devices, encoding="utf-8") as file:
        device = next(row for row in json.load(file) if row["id"] != "host")
    table = {row["strategy"]: row for row in read(HERE / FILES[asked.primitive])}
    drivers = list(dict.fromkeys([*list(next(iter(table.values())))[1:], asked.name]))
    for strategy in {**table, **found}:
        old = table.get(strategy, {"strategy": strategy})
        table[strategy] = {"strategy": strategy, **{driver: old.get(driver, "-") for driver in drivers}, asked.name: found.get(strategy, "-")}
    write(HERE / FILES[asked.primitive], list(table.values()))
    run = {"primitive": "reduction" if asked.primitive == "reduce" else asked.primitive, "driver": asked.name, "grid": asked.grid,
           "device": f"{device['platform']}, {device['name']}, {device['version']}, driver {device['driver']}", "verify says": said(rows)}
    runs = read(HERE / "drivers-runs.csv")
    same = [i for i, row in enumerate(runs) if (row["primitive"], row["driver"]) == (run["primitive"], asked.name)]
    at = same[0] if same else 1 + max(i for i, row in enumerate(runs) if row["primitive"] == run["primitive"])
    runs[at:at + len(same)] = [{key: run[key] for key in runs[0]}]
    write(HERE / "drivers-runs.csv", runs)


main()
