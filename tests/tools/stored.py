"""Stored files as scripts of the tests take them: whole(root) gives back a result file in which each
cell has again what a file leaves out (results/formats.md#what-a-file-leaves-out), and samples and launches are seconds."""
import json
import pathlib
import statistics

PARTS = 10000
GEOMETRY = {"width": None, "loads": None}
ASKED = dict.fromkeys(("group_size", "groups", "width", "loads"))
CELL = dict.fromkeys(("reason", "projected_s", "standard", "device_time_s", "back_to_back_s", "device_time_note", "accuracy")) | {"segments": 1}
EXACT = dict.fromkeys(("error", "bound", "sum_of_absolutes"), 0.0)


def numbers(stored, median=None):
    """Samples as numbers; what is a list already, or only how many there were, stays so."""
    if not isinstance(stored, dict):
        return stored
    base = stored.get("about", median)
    return [base * (1 + off / PARTS) for off in stored["off"]]


def whole_time(time):
    samples = numbers(time["samples_s"], time.get("median_s"))
    found = {}
    if isinstance(samples, list) and samples:
        found = {"min_s": min(samples), "max_s": max(samples), "mean_s": statistics.fmean(samples), "median_s": statistics.median(samples)}
    parts = {"parts_s": {part: numbers(of) for part, of in time["parts_s"].items()}} if "parts_s" in time else {}
    return {**found, **time, "samples_s": samples, **parts}


def whole_cell(cell, usual):
    made = {**CELL, **usual, **cell}
    if isinstance(made.get("time_to_answer"), dict):
        made["time_to_answer"] = whole_time(made["time_to_answer"])
    if isinstance(made.get("accuracy"), dict):
        made["accuracy"] = {**({} if "bound" in made["accuracy"] else EXACT), "two_runs_same_bits": False, **made["accuracy"]}
    if isinstance(made.get("launches"), dict):
        made["launches"] = {key: numbers(of) for key, of in made["launches"].items()}
    for key, lacks in (("geometry", GEOMETRY), ("asked", ASKED)):
        if isinstance(made.get(key), dict):
            made[key] = {**lacks, **made[key]}
    return made


def whole(root):
    if not isinstance(root, dict):
        return root
    if "suite" in root and isinstance(root.get("cells"), list):
        usual = root.get("usual", {})
        beside = {"beside": [whole_cell(cell, {}) for cell in root["beside"]]} if "beside" in root else {}
        return {**{key: value for key, value in root.items() if key != "usual"}, "cells": [whole_cell(cell, usual) for cell in root["cells"]], **beside}
    if "fleet" in root:
        return {**root, "fleet": [whole(run) for run in root["fleet"]]}
    return root


def load(path):
    return whole(json.loads(pathlib.Path(path).read_text(encoding="utf-8")))
