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


def numbers(samples, median=None):
    """A list of seconds, also of a base and by how many ten-thousandths of it each is off (formats.md#what-a-file-leaves-out)."""
    if not isinstance(samples, dict):
        return samples
    return [samples.get("about", median) * (1 + off / 1e4) for off in samples["off"]]


def row_of(run, cell):
    """A cell over ranks: what it is of, and its samples in seconds, in all and by part."""
    cell = {**(run.get("usual", {}) if "strategy" in cell else {}), **cell}
    time = cell.get("time_to_answer")
    samples = time and {"total": numbers(time["samples_s"], time.get("median_s")),
                        **{part: numbers(of) for part, of in time.get("parts_s", {}).items()}}
    hosts = {device["id"] for device in run["devices"] if device["kind"] == "host"}
    kind = cell.get("kind") or ("host" if cell["device"] in hosts else "strategy")
    return {**{key: cell.get(key) for key in ("strategy", "collective", "op", "type", "n", "ranks", "state", "reason", "answers")},
            "kind": kind, "weak": cell.get("scaling") == "weak", "samples_s": samples,
            "data_sets": (cell.get("accuracy") or {}).get("data_sets", 0),
            "calls_per_sample": time and time["calls_per_sample"]}


def rows_of(run):
    """All cells of a run over ranks, and those beside them."""
    return [row_of(run, cell) for cell in run["cells"] + run["beside"]]


def rank_of_promise(needs, finish, capabilities):
    """0: OpenCL's text promises all that a strategy relies on, where the device advertises it; 1: it would if the device advertised
    C11's orders and scopes; 2: it works. Groups that read what another one has stored must be ordered by C11 atomics: 1.x orders
    memory within a group only (OpenCL C 1.2, 6.12.9); but where it lies in the one word of 64 bits that their atomics change, nothing
    has to be ordered. A launch that waits for calls, or for other groups, relies on progress that no version promises."""
    if finish == "persistent" or (finish in ("last_group", "polled", "polled_words", "single_pass", "one_launch_counts")
                                  and not {"c11_acq_rel", "exchange_64"} & set(needs)):
        return 2
    lacking = [need for need in needs if need != "nothing" and
               capabilities.get(need, capabilities.get(f"{need}_float", {})).get("advertised") != "yes"]
    return 0 if not lacking else 1 if all(need.startswith("c11_") for need in lacking) else 2


VERIFY_STATES = ("right", "wrong", "build-failed", "failed", "crashed", "timed-out", "known-bug", "over-budget", "pending")


def checks_of(row):
    """Of a row of verify's CSV: '617 right', '10 right, 3 known-bug', 'unsupported', '-'."""
    parts = [f"{row[state]} {state}" for state in VERIFY_STATES if row[state] != "0"]
    return ", ".join(parts) or ("unsupported" if row["unsupported"] != "0" else "-")


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
