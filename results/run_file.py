"""What the scripts of this folder share: a result file's cells, and how figures are written."""
import json
import math
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
WORDS = {"over-budget": "over", "unsupported": "none", "wrong": "WRONG", "timed-out": "hung"}  # of states


def read(name):
    """The run in a file of this folder, each cell with what the file tells once for all (formats.md#what-a-file-leaves-out)."""
    run = json.loads((HERE / name).read_text(encoding="utf-8"))
    return {**run, "cells": [{**run.get("usual", {}), **cell} for cell in run["cells"]]}


def microseconds(cell):
    """The median in us with three digits, or a word for why there is none."""
    if cell is None:
        return "-"
    if cell["state"] != "pass":
        return WORDS.get(cell["state"], cell["state"])
    us = 1e6 * cell["time_to_answer"]["median_s"]
    return f"{us:,.{max(0, 2 - math.floor(math.log10(us)))}f}" if us < 100 else f"{float(f'{us:.3g}'):,.0f}"


def times_as_fast(of, to):
    """How many times as fast a cell is as another one: the ratio of medians, with ~ where the intervals overlap, - where one has no time."""
    if not of or not to or of["state"] != "pass" or to["state"] != "pass":
        return "-"
    of, to = of["time_to_answer"], to["time_to_answer"]
    ties = of["low_s"] <= to["high_s"] and to["low_s"] <= of["high_s"]
    return factor(to["median_s"] / of["median_s"], ties)


def factor(ratio, ties):
    return f"{ratio:.{2 if ratio < 1.995 else 1 if ratio < 9.95 else 0}f}{'~' if ties else 'x'}"
