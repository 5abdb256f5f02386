#!/usr/bin/python3 -B
"""Folders and fleet files as sides of compare --drivers, report, recommend and emit: whoever was made to differ from its group is named,
and nobody else; what is told is the same from a folder and from one file, and no longer for twice as many hosts. tests/tools/fleet.py makes
the files.
    tests/cli/fleet.py CLREDUCE [SEED]"""
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
import fleet  # noqa: E402
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
    """The stored run with cells of few n, so that a fleet of it is read at once."""
    source = load(fleet.SOURCE)
    return {**source, "cells": [c for c in source["cells"] if c["n"] in (2**10, 2**16, 2**20)]}


def made(hosts, folder):
    """The folder with a file for each host, a fleet file of the same, and what each host has of its own."""
    runs = list(fleet.fleet(hosts, small(), random.randrange(2**32)))
    pathlib.Path(folder).mkdir()
    for number, (text, _) in enumerate(runs):
        (pathlib.Path(folder) / f"node{number:04}.json").write_text(text)
    one = pathlib.Path(f"{folder}.json")
    one.write_text('{"schema": 1, "fleet": [' + ",\n".join(text for text, _ in runs) + "]}")
    return one, [told.split() for _, told in runs if told]


def outliers(text):
    """(host, difference) of each row of the table of outliers in Markdown."""
    return [(host, row[2]) for row in (re.split(r"(?<!\\)\|", line)[1:] for line in text.splitlines() if line.startswith("|node"))
            for host in row[0].split(", ")]


def whoever_differs_is_named(folder, planted):
    words = {"wrong": "wrong", "driver": "other driver", "lacks": "capability", "slow": "slower"}
    wanted = {(host, words[what]) for what, host, *_ in planted}
    status, page, _ = run("report", folder, "--format", "md")
    table = page[page.index("**Who differs"):page.index("### How far")]
    found = set(outliers(table))
    suite.judge("report of a folder names whoever differs and nobody else", status == 0 and found == wanted, f"{found ^ wanted}\n{table}")
    shown = run("compare", "--drivers", folder)[1]
    rows = shown[shown.index("Who differs"):shown.index("The groups side by side")]
    suite.judge("so does compare --drivers", all(host in rows for host, _ in wanted) and
                set(re.findall(r"node\d+", rows)) == {host for host, _ in wanted}, rows)
    for _, host, strategy in (p for p in planted if p[0] == "wrong"):
        suite.judge("with what is wrong", re.search(rf"{host}.* {strategy}, sum f32 .*wrong +pass", rows), rows)


def every_device_is_in_csv(folder, planted, hosts):
    status, text, _ = run("compare", "--drivers", folder, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    slow = {host for what, host, *_ in planted if what == "slow"}
    by_host = {}
    for row in rows:
        if row["ratio"]:
            by_host.setdefault(row["machine"].split(",")[0], []).append(float(row["ratio"]))
    middle = {host: sorted(ratios)[len(ratios) // 2] for host, ratios in by_host.items()}
    suite.judge("CSV has every host", status == 0 and len(by_host) == hosts, f"{len(by_host)}")
    suite.judge("and how many times as long as its group it takes",
                all((ratio > 1.3) == (host in slow) for host, ratio in middle.items()), middle)


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


def advice_is_by_group(folder, planted, hosts):
    wrong = [host for what, host, *_ in planted if what == "wrong"]
    other = [host for what, host, *_ in planted if what == "driver"]
    status, text, told = run("recommend", folder, "--format", "json")
    advice = json.loads(text)["advice"]
    suite.judge("recommend has one advice for each group", status == 0 and len(advice) == 2 + bool(other), text[:300])
    suite.judge("of all runs but those that are wrong",
                sorted(a["runs"] for a in advice) == sorted(n for n in (len(other), hosts - len(other) - len(wrong), hosts - len(wrong)) if n),
                [a["runs"] for a in advice])
    suite.judge("which it names", told.startswith("left out, since pocl went wrong there") == bool(wrong) and
                all(host in told for host in wrong), told)
    suite.judge("emit takes the folder, too", run("emit", folder, "--device", "intel", "--output", "emitted")[0] == 0)


def many_wrong_hosts_ban_the_strategy():
    """Two of nine hosts: that is no fault of a host."""
    draw, told = random.Random(SEED), []
    os.mkdir("nine")
    for number in range(9):
        made_run = fleet.host_of(small(), number, draw, False)
        if number < 2:
            told.append(fleet.spoil(made_run, "wrong", random.Random(SEED)))
        pathlib.Path(f"nine/{number}.json").write_text(json.dumps(made_run))
    strategy = told[0].split()[2]
    status, text, left_out = run("recommend", "nine", "--device", "pocl")
    suite.judge("what is wrong on many hosts is not recommended", status == 0 and left_out == "" and
                re.search(rf"^DO NOT USE on pocl: {strategy} gave WRONG", " ".join(text.split())) and
                not re.search(rf"^\S.* {strategy} ", text[text.index("from n"):], re.M), left_out + text)


def what_is_not_ours_is_left_out():
    folder = pathlib.Path("mixed")
    one, _ = made(2, "mixed")
    shutil.move(one, folder / "zz.json")
    for name, text in (("a.json", "[1, 2]"), ("b.json", "{}"), ("c.json", (ROOT / "results/gate.json").read_text()), ("d.txt", "x")):
        (folder / name).write_text(text)
    (folder / "e.json").mkdir()
    os.mkfifo(folder / "f.json")
    (folder / "node0001.json").unlink()
    (folder / "node0000.json").unlink()
    status, shown, told = run("compare", "--drivers", folder)
    suite.judge("other files are counted and named in one line", status == 0 and told ==
                "mixed: left out 3 of 4 files *.json, which have neither times nor checks: a.json, b.json, c.json\n", told)
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


def checks_are_grouped(hosts):
    """Files of verify, of which one host has wrong checks."""
    source = load(fleet.SOURCE)
    schema = json.loads((ROOT / "results/verify.schema.json").read_text())
    states = ("right", "wrong", "build-failed", "unsupported", "over-budget", "failed", "crashed", "timed-out", "known-bug", "pending")
    bad, runs = random.randrange(hosts), []
    for number in range(hosts):
        strategies = [{"strategy": name, "planned": 7, **{s: 0 for s in states}, "right": 7, "not_promised": None, "unsupported_because": []}
                      for name in ("tree", "chunk")]
        if number == bad:
            strategies[0].update({"right": 5, "wrong": 2})
        runs.append({"schema": "clreduce-verify", "schema_version": 1, "suite_version": "1", "command": "clreduce verify",
                     "started": source["started"], "seed": number, "wall_s": 1, "host": {**source["host"], "name": f"node{number:04}"},
                     "devices": [{**source["devices"][1], "strategies": strategies, "checks": []}]})
    jsonschema.validate(runs[bad], schema)
    pathlib.Path("checks.json").write_text(json.dumps({"fleet": runs, "schema": 1}))
    status, shown, _ = run("compare", "--drivers", "checks.json")
    rows = shown[shown.index("Who differs"):shown.index("\nThe group by one device")]
    suite.judge("of files of verify the host with wrong checks is named", status == 0 and
                re.search(rf"^node{bad:04} +A +wrong +checks of tree +wrong +pass$", rows, re.M) and
                len(re.findall(r"node\d+", rows)) == 1, rows)


def growth(folder, twice):
    """Sizes, since times of a busy machine tell nothing: what is told does not grow with the hosts, and memory no faster than these."""
    lengths, memory = [], []
    for path in (folder, twice):
        page = run("report", path, "--format", "md")[1]
        lengths.append(len(re.sub(r"\|node.*\n", "", page)))
        pid = os.posix_spawn(CLREDUCE, [CLREDUCE, "recommend", path, "--format", "json", "--output", "advice.json"], os.environ,
                             file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)])
        memory.append(os.wait4(pid, 0)[2].ru_maxrss)
    # Which runs stand for the groups differs: at most one for each.
    suite.judge("a page of twice as many hosts has no more than a run for each group", lengths[1] < 1.6 * lengths[0], lengths)
    suite.judge("and takes twice the memory at most", memory[1] < 2.2 * memory[0], memory)


def main():
    hosts = random.randrange(50, 70)
    print(f"again: tests/cli/fleet.py CLREDUCE {SEED}", flush=True)
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        one, planted = made(hosts, "fleet")
        whoever_differs_is_named("fleet", planted)
        every_device_is_in_csv("fleet", planted, hosts)
        a_fleet_file_is_its_runs("fleet", one)
        advice_is_by_group("fleet", planted, hosts)
        many_wrong_hosts_ban_the_strategy()
        what_is_not_ours_is_left_out()
        faults_name_file_and_index(one, "fleet")
        checks_are_grouped(hosts)
        made(2 * hosts, "fleet2")
        growth("fleet", "fleet2")
        os.chdir("/")
    return suite.end()


if __name__ == "__main__":
    sys.exit(main())
