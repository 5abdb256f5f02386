"""check_otava.py HISTORY TRUTH THIRTY: run by a Python that has apache-otava. Its own importer finds in HISTORY the times of
TRUTH (tests/cli/check_formats.py), and in THIRTY (tests/unit/test_export_otava.c) the column that came late only from its first day on."""
import csv
import datetime
import json
import math
import sys

from otava.data_selector import DataSelector
from otava.importer import CsvImporter, DataImportError
from otava.test_config import CsvMetric, CsvTestConfig


def fetch(path, columns, since="2000-01-01"):
    metrics = [CsvMetric(name, -1, 1.0, name) for name in columns]
    selector = DataSelector()
    selector.since_time = datetime.datetime.fromisoformat(since).replace(tzinfo=datetime.timezone.utc)
    return CsvImporter().fetch_data(CsvTestConfig("t", path, metrics=metrics, attributes=["version", "machine"]), selector)


def refuses(path, columns):
    try:
        fetch(path, columns)
    except DataImportError:
        return True
    return False


def main():
    history, truth_path, thirty = sys.argv[1:]
    with open(history, newline="", encoding="utf-8") as file:
        columns = next(csv.reader(file))[3:]
    with open(truth_path, encoding="utf-8") as file:
        truth = {cell["name"]: cell["time_s"] for cell in json.load(file) if cell["time_s"] is not None}
    series = fetch(history, columns)
    assert set(series.data) == set(truth) and len(series.time) == 1, series.data
    for name, values in series.data.items():
        assert math.isclose(values[-1], 1e9 * truth[name], rel_tol=1e-8), f"{name}: {values}"
    print(f"ok    Otava reads {len(columns)} columns as they were")
    assert len(fetch(thirty, ["pocl/tree/sum/f32/n:1024"]).time) == 30
    assert refuses(thirty, ["new"]) and len(fetch(thirty, ["new"], "2026-01-26").time) == 5
    print("ok    Otava reads a column that came late from its first day on, and no earlier")


main()
