"""What the scripts of this folder share: a result file's cells, and how figures are written."""
import json
import math
import pathlib
import statistics

HERE = pathlib.Path(__file__).resolve().parent
WORDS = {"over-budget": "over", "unsupported": "none", "wrong": "WRONG", "timed-out": "hung"}  # of states


def read_runs(name):
    """The runs in a file of this folder, of which a fleet file has many, each cell with what its file tells once for all
    (formats.md#what-a-file-leaves-out)."""
    file = json.loads((HERE / name).read_text(encoding="utf-8"))
    return [{**run, "cells": [{**run.get("usual", {}), **cell} for cell in run["cells"]]} for run in file.get("fleet", [file])]


def read(name):
    """The one run in a file of this folder."""
    return read_runs(name)[0]


def microseconds(cell):
    """The median in us with three digits, or a word for why there is none."""
    if cell is None:
        return "-"
    if cell["state"] != "pass":
        return WORDS.get(cell["state"], cell["state"])
    us = 1e6 * cell["time_to_answer"]["median_s"]
    return f"{us:,.{max(0, 2 - math.floor(math.log10(us)))}f}" if us < 100 else f"{float(f'{us:.3g}'):,.0f}"


def time_of(cell):
    """Its time to answer, median_s and the interval from low_s to high_s; None where it has none."""
    return cell["time_to_answer"] if cell and cell["state"] == "pass" else None


def times_as_fast(*pairs):
    """How many times as fast the first time of a pair is as the second: the ratio of medians, of several pairs (runs) the median of that;
    ~ where the intervals of a pair overlap, - where a time is missing."""
    if not all(of and to for of, to in pairs):
        return "-"
    ratio = statistics.median(to["median_s"] / of["median_s"] for of, to in pairs)
    ties = any(of["low_s"] <= to["high_s"] and to["low_s"] <= of["high_s"] for of, to in pairs)
    decimals = 3 if ratio < 0.0995 else 2 if ratio < 1.995 else 1 if ratio < 9.95 else 0
    return f"{ratio:.{decimals}f}{'~' if ties else 'x'}"
