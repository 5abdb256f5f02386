#!/usr/bin/python3 -B
"""Folders and fleet files as inputs of compare --drivers, report, recommend and emit: each run stands for itself, however many there are, whoever
is wrong is told, and what is told is the same from a folder and from one file.
    tests/cli/fleet.py CLREDUCE [SEED]"""
import copy
import csv
import io
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/tools"))
from script import begin, library  # noqa: E402
from stored import load  # noqa: E402
from suite import Suite  # noqa: E402

begin(__doc__)
jsonschema = library("jsonschema")

CLREDUCE = str(pathlib.Path(sys.argv[1]).resolve())
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(2**32)
random.seed(SEED)
suite = Suite(tells=True)


def run(*arguments):
    done = subprocess.run([CLREDUCE, *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def small():
    """The stored run with cells of few n, so that many of it are read at once."""
    source = load(ROOT / "results/cpu-2-cores.json")
    return {**source, "cells": [c for c in source["cells"] if c["n"] in (2**10, 2**20) and c["strategy"] in ("chunk", "tree", "openmp")]}


def made(hosts, folder, wrong=()):
    """The folder with a file for each host, and a fleet file of the same; on some hosts tree is wrong on the first device."""
    source, texts = small(), []
    first = source["devices"][1]["id"]
    pathlib.Path(folder).mkdir()
    for number in range(hosts):
        run_of = copy.deepcopy({**source, "host": {**source["host"], "name": f"node{number:04}"}, "seed": number})
        for cell in run_of["cells"]:
            if number in wrong and (cell["device"], cell["strategy"]) == (first, "tree"):
                cell.update(state="wrong", reason="expected 1, got 2", time_to_answer=None)
        texts.append(json.dumps(run_of))
        (pathlib.Path(folder) / f"node{number:04}.json").write_text(texts[-1])
    one = pathlib.Path(f"{folder}.json")
    one.write_text('{"schema": 1, "fleet": [' + ",\n".join(texts) + "]}")
    return one


def letters(number):
    return (letters(number // 26 - 1) if number >= 26 else "") + chr(ord("A") + number % 26)


def tables(shown, heading):
    """The rows below each heading, as {column: value} where a value has no blank."""
    found = []
    for text in shown.split(f"\n{heading}")[1:]:
        head, *rows = text.partition("\n")[2].partition("\n\n")[0].splitlines()
        found.append([dict(zip(re.split(r"  +", head), re.split(r"  +", row))) for row in rows])
    return found


def every_device_stands_side_by_side(hosts, wrong, folder):
    """More devices than a table has columns for: several tables, in each of which the first device stands beside others."""
    status, shown, told = run("compare", "--drivers", folder)
    suite.judge("compare --drivers of many devices", status == 0 and told == "", told)
    sides = re.findall(r"^([A-Z]+) = (\w+): ", shown, re.M)
    names = list(dict.fromkeys(sides))
    suite.judge("has each of them as a side", [name for name, _ in names] == [letters(i) for i in range(2 * hosts)], names)
    suite.judge("and in each table A", [name for name, _ in sides].count("A") == len(tables(shown, "Time to answer")) > 1, sides)
    ended = {side: state for rows in tables(shown, "What does not run right") for row in rows for side, state in row.items() if state == "wrong"}
    suite.judge("whoever is wrong is told, and nobody else", set(ended) == {letters(2 * number) for number in wrong}, ended)
    timed = {column.partition(" ")[0] for rows in tables(shown, "Time to answer") for row in rows if row["strategy"] == "chunk" for column in row if column.endswith(" us")}
    suite.judge("all have a time", timed == {letters(i) for i in range(2 * hosts)}, timed)
    for kind in "csv", "json":
        status, text, _ = run("compare", "--drivers", folder, "--format", kind)
        rows = list(csv.DictReader(io.StringIO(text))) if kind == "csv" else json.loads(text)
        keys = [(row["machine"].split(",")[0], row["device"], row["strategy"], str(row["n"])) for row in rows]
        suite.judge(f"{kind} has each cell of each device once", status == 0 and len(keys) == len(set(keys)) == hosts * 2 * 2 * 2, f"{len(keys)} of {len(set(keys))}")
        bad = {key[0] for key, row in zip(keys, rows) if row["state"] == "wrong"}
        suite.judge(f"and in {kind} the wrong ones", bad == {f"node{number:04}" for number in wrong}, bad)


def each_host_has_its_own_advice(hosts, wrong, folder):
    status, text, told = run("recommend", folder, "--device", "pocl", "--format", "json")
    advice = json.loads(text)["advice"]
    suite.judge("recommend has one advice for each host", status == 0 and told == "" and
                [a["machine"].split(",")[0] for a in advice] == [f"node{number:04}" for number in range(hosts)], told + text[:300])
    banned = {number for number, a in enumerate(advice) if [ban["strategy"] for ban in a["banned"]] == ["tree"]}
    shown = run("recommend", folder, "--device", "pocl")[1]
    suite.judge("each below the name of its machine", re.findall(r"^On (node\d+), .* GiB:\n(?:DO NOT|On pocl)", shown, re.M) ==
                [f"node{number:04}" for number in range(hosts)], shown[:800])
    alone = run("recommend", f"{folder}/node0001.json")[1]
    suite.judge("which is told where there are several", "\nOn intel (" in alone and "On node" not in alone, alone[:800])
    suite.judge("what is wrong on a host is banned there", banned == set(wrong), banned)
    status, text, told = run("emit", folder, "--device", "intel", "--output", "emitted")
    suite.judge("emit takes the folder, too, and says of which machine it writes", status == 0 and
                re.search(r"^for .*, driver .*, on node0000, .*, the first of the files$", text, re.M), text + told)
    status, text, told = run("emit", f"{folder}/node0001.json", "--device", "intel", "--output", "alone")
    suite.judge("of one machine it says none", status == 0 and "node0001," not in text, text + told)
    for name, files, wanted in ("several machines", folder, 4), ("one", f"{folder}/node0001.json", 0):
        status, text, told = run("recommend", files, "--device", "pocl", "--format", "h")
        suite.judge(f"a header of {name}: exit status {wanted}", status == wanted and
                    ("the files have pocl of several machines or drivers" in told) == (wanted == 4), told + text[:300])
    status, page, told = run("report", folder, "--device", "pocl", "--format", "md")
    suite.judge("a page has a letter for each", status == 0 and told == "" and all(
        f"{letters(number)}: {folder}/node{number:04}.json, measured" in page.replace("\\", "") for number in range(hosts)), told + page[:800])
    file = run("report", f"{folder}.json", "--device", "pocl", "--format", "md")[1]
    suite.judge("and the file that was given in its command", f"\nclreduce report {folder}.json --device pocl --output report.html\n" in file, file[-3000:])
    status, _, told = run("report", folder, "--output", "many.html")
    suite.judge("more devices than a page has room for are refused", status == 4 and "shows at most 32 devices side by side: name fewer files" in told and
                not os.path.exists("many.html"), told)
    suite.judge("and says first what is wrong", all(
        f"DO NOT USE on {letters(number)} pocl: tree gave WRONG" in page.replace("\\", "") for number in wrong) and page.count("DO NOT USE") == len(wrong), page[:800])


def a_fleet_file_is_its_runs(folder, one):
    for verb in (("compare", "--drivers"), ("recommend",)):
        folders, files = run(*verb, folder), run(*verb, one)
        plain = [re.sub(r"\s+", " ", re.sub(r"[^\s|]*/?fleet\d*(\.json\[\d+\]|/node\d+\.json)|files \*\.json|runs", "FILE", text))
                 for text in (folders[1], files[1])]
        suite.judge(f"{verb[0]} of a fleet file is that of the folder", folders[0] == files[0] == 0 and plain[0] == plain[1],
                    "\n".join(a + " / " + b for a, b in zip(plain[0].split(","), plain[1].split(",")) if a != b)[:800])
    schemas = ROOT / "results"
    schema = json.loads((schemas / "fleet.schema.json").read_text())
    warnings.simplefilter("ignore", DeprecationWarning)  # its successor is not in all versions
    resolver = jsonschema.RefResolver(f"{schemas.as_uri()}/", schema)
    file = json.loads(one.read_text())
    file["fleet"] = random.sample(file["fleet"], 3)
    valid = jsonschema.Draft7Validator(schema, resolver=resolver)
    suite.judge("the file agrees with its schema", valid.is_valid(file))
    file["fleet"][1]["cells"][0]["state"] = "strange"
    suite.judge("which looks into its runs", not valid.is_valid(file))


def what_is_not_ours_is_left_out():
    folder = pathlib.Path("mixed")
    one = made(2, "mixed")
    shutil.move(one, folder / "zz.json")
    for name, text in (("a.json", "[1, 2]"), ("b.json", "{}"), ("c.json", (ROOT / "results/gate.json").read_text()), ("d.txt", "x")):
        (folder / name).write_text(text)
    (folder / "e.json").mkdir()
    os.mkfifo(folder / "f.json")
    (folder / "node0001.json").unlink()
    (folder / "node0000.json").unlink()
    status, shown, told = run("compare", "--drivers", folder)
    suite.judge("other files are counted and named in one line", status == 0 and told ==
                "mixed: left out 3 of 4 files *.json, which have neither times of clreduce nor checks: a.json, b.json, c.json\n", told)
    suite.judge("two hosts stand side by side by their names", all(f"on node{n:04}," in " ".join(shown.split()) for n in (0, 1)), shown)
    (folder / "zz.json").unlink()
    for verb in (("compare", "--drivers"), ("report",), ("recommend",), ("emit",)):
        status, _, told = run(*verb, folder)
        suite.judge(f"{verb[0]} of a folder without any of ours", status == 4 and "mixed has nothing to read: none of its 3 files" in told, told)


def faults_name_file_and_index(one, folder):
    file = json.loads(one.read_text())
    at = random.randrange(len(file["fleet"]))
    file["fleet"][at]["cells"][1]["n"] = -1
    pathlib.Path("bad.json").write_text(json.dumps(file))
    status, _, told = run("compare", "--drivers", "bad.json")
    suite.judge("an error names file and index", status == 4 and f"bad.json[{at}]: cells[1].n: expected" in told, told)
    pathlib.Path("nested.json").write_text('{"schema": 1, "fleet": [' + one.read_text() + "]}")
    status, _, told = run("report", "nested.json")
    suite.judge("a fleet in a fleet is refused", status == 4 and "nested.json[0] is a fleet file" in told, told)
    for text in ("1", "{},", "{} {}", '"a"'):
        pathlib.Path("strange.json").write_text('{"schema": 1, "fleet": [' + text + "]}")
        status, _, told = run("report", "strange.json")
        suite.judge(f"a fleet of {text} is refused", status == 4 and "strange.json: fleet: expected an array of whole files" in told, told)
    pathlib.Path("cut.json").write_bytes(one.read_bytes()[:-random.randrange(3, 2000)])
    status, _, told = run("recommend", "cut.json")
    suite.judge("a file that was cut is refused", status == 4 and "cut.json" in told, told)
    pathlib.Path("later.json").write_text('{"schema": 2, "fleet": []}')
    status, _, told = run("recommend", "later.json")
    suite.judge("so is another version", status == 4 and "later.json: schema: expected 1" in told, told)
    status, _, told = run("recommend", one, folder)
    suite.judge("the same run twice is refused", status == 4 and "are the same file, which would count twice" in told, told)
    inside = random.choice(os.listdir(folder))
    before = (pathlib.Path(folder) / inside).read_text()
    status, _, told = run("report", folder, "--output", f"{folder}/../{folder}/{inside}")
    suite.judge("no output replaces a file of a folder", status == 4 and "what is read would be replaced" in told and
                (pathlib.Path(folder) / inside).read_text() == before, told)


def checks_stand_side_by_side(hosts):
    """Files of verify, of which one host has wrong checks."""
    source = small()
    schema = json.loads((ROOT / "results/verify.schema.json").read_text())
    states = ("right", "wrong", "build-failed", "unsupported", "over-budget", "failed", "crashed", "timed-out", "known-bug", "pending")
    bad, runs = random.randrange(hosts), []
    asked = {"group_size": 64, "groups": None, "width": None, "loads": None}
    check = {"strategy": "tree", "op": "sum", "type": "f32", "shape": "array", "n": 7, "segments": 1, "prefixes": 0, "asked": asked, "geometry": None,
             "standard": None, "data": "uniform", "data_seed": 1, "state": "wrong", "fault": "answer", "expected": {"value": "12", "place": None},
             "got": {"value": "13", "place": None}, "low": None, "high": None, "segment": None, "run": None, "reason": "expected 12, got 13",
             "again": None, "kernel": None}
    for number in range(hosts):
        strategies = [{"strategy": name, "planned": 7, **{s: 0 for s in states}, "right": 7, "not_promised": None, "unsupported_because": []}
                      for name in ("tree", "chunk")]
        if number == bad:
            strategies[0].update({"right": 6, "wrong": 1})
        runs.append({"schema": "clreduce-verify", "schema_version": 1, "suite_version": "1", "command": "clreduce verify",
                     "started": source["started"], "seed": 1, "wall_s": 1, "host": {**source["host"], "name": f"node{number:04}"},
                     "devices": [{**source["devices"][1], "strategies": strategies, "checks": [check] * (number == bad)}]})
    jsonschema.validate(runs[bad], schema)
    pathlib.Path("checks.json").write_text(json.dumps({"fleet": runs, "schema": 1}))
    status, shown, _ = run("compare", "--drivers", "checks.json")
    wrong = {side for rows in tables(shown, "How the checks of each strategy ended") for row in rows for side, words in row.items() if words == "6 right, 1 wrong"}
    suite.judge("of files of verify the host with wrong checks is told", status == 0 and wrong == {letters(bad)}, shown)
    status, text, _ = run("compare", "--drivers", "checks.json", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    suite.judge("and in CSV", status == 0 and [row["machine"].split(",")[0] for row in rows if row["state"] == "wrong"] == [f"node{bad:04}"] and
                len({row["side"] for row in rows}) == len(rows), text[:800])


def main():
    hosts = random.randrange(17, 33)
    wrong = random.sample(range(hosts), 2)
    print(f"again: tests/cli/fleet.py CLREDUCE {SEED}", flush=True)
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        one = made(hosts, "fleet", wrong)
        every_device_stands_side_by_side(hosts, wrong, "fleet")
        each_host_has_its_own_advice(hosts, wrong, "fleet")
        a_fleet_file_is_its_runs("fleet", one)
        what_is_not_ours_is_left_out()
        faults_name_file_and_index(one, "fleet")
        checks_stand_side_by_side(hosts)
        os.chdir("/")
    return suite.end()


if __name__ == "__main__":
    sys.exit(main())
