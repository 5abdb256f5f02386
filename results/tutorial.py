#!/usr/bin/env -S python3 -B
"""Prints rows of the tutorial's tables from results/tutorial/*.json: time to answer in us, the median.

    results/tutorial.py reduce|segments|scan|histogram [STRATEGY...]    all strategies, unless they are named
"""
import sys

from run_file import microseconds, read

DRIVERS = (("intel", "Intel's runtime, 2 cores"), ("nvidia", "NVIDIA H200"))  # id of the device, and its heading


def heading(cell):
    return cell["shape"].removeprefix("segments:") if cell["shape"] != "array" else f"2^{cell['n'].bit_length() - 1}"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    cells, rows, columns = {}, {}, {}
    for device, name in DRIVERS:
        for cell in read(f"tutorial/{device}-{sys.argv[1]}.json")["cells"]:
            if cell["device"] in (device, "host"):
                column = columns.setdefault((device, cell["n"], cell.get("segments", 1)), f"{name}: {heading(cell)}")
                row = cell["strategy"], cell.get("data") or ""
                rows.setdefault(row)
                cells[row, column] = cell
    unknown = set(sys.argv[2:]) - {strategy for strategy, _ in rows}
    if unknown:
        sys.exit(f"no strategy {', '.join(sorted(unknown))} in results/tutorial/*-{sys.argv[1]}.json")
    print("| strategy | " + " | ".join(columns.values()) + " |")
    print("|---|" + "---:|" * len(columns))
    for row in (row for strategy in sys.argv[2:] or [""] for row in rows if strategy in ("", row[0])):
        print(f"| `{row[0]}`{', ' * bool(row[1])}{row[1]} | " + " | ".join(microseconds(cells.get((row, column))) for column in columns.values()) + " |")


main()
