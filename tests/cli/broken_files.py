#!/usr/bin/env -S python3 -B
"""Files of a folder that were cut, or have wrong bytes, are never left out without a word: each is an error with its name, or named as left
out, or read. Beside a whole result file stands one of each stored format, cut at 40 lengths, and with 40 bytes changed.
    tests/cli/broken_files.py CLREDUCE [SEED]"""
import concurrent.futures
import copy
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/tools"))
from stored import load  # noqa: E402
from suite import Suite  # noqa: E402

CLREDUCE = str(pathlib.Path(sys.argv[1]).resolve())
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**6)
TIMES = 40
STORED = load(ROOT / "results/cpu-2-cores.json")
VERBS = {"recommend": [], "report": ["--format", "md"], "compare": ["--drivers"], "emit": ["--output", "emitted", "--overwrite", "--device", "pocl"]}
suite = Suite()


def result(host=None):
    """A run of few cells; of another host, where another strategy is the fastest."""
    made = copy.deepcopy(STORED)
    made["cells"] = [c for c in made["cells"] if c["n"] in (2**10, 2**16) and c["strategy"] in ("tree", "chunk", "serial", "openmp", "sequential")]
    made["accuracy"] = []
    if host:
        made["host"]["name"] = host
        made["started"] = "2026-01-02T03:04:05Z"
        for cell in made["cells"]:
            time = cell["time_to_answer"] or {}
            factor = 100 if cell["strategy"] == "chunk" else 1.01
            time.update({key: [factor * s for s in value] if key == "samples_s" else value if key == "calls_per_sample" else factor * value
                         for key, value in time.items()})
    return made


def verified():
    """A file of verify of the same devices: a strategy gave wrong results."""
    value = {"value": "12", "place": None}
    check = {"strategy": "chunk", "op": "sum", "type": "f32", "shape": "array", "n": 77, "segments": 1, "prefixes": 0,
             "asked": {"group_size": 64, "groups": None, "width": None, "loads": None}, "geometry": None, "standard": None, "data": "uniform",
             "data_seed": 1, "state": "wrong", "fault": "answer", "expected": value, "got": value, "low": None, "high": None, "segment": None,
             "run": None, "reason": "expected 12, got 13", "again": "clreduce verify", "kernel": None}
    return {"schema": "clreduce-verify", "schema_version": 1, "suite_version": "1", "command": "clreduce verify", "started": STORED["started"],
            "seed": 1, "wall_s": 1, "host": STORED["host"],
            "devices": [{**d, "strategies": [], "checks": [check]} for d in STORED["devices"][1:]]}


def stored(path):
    return json.loads((ROOT / "tests/fuzz/corpus" / path).read_text())


def ranks(folder):
    """A run over ranks."""
    subprocess.run([ROOT / "tests/cli/make_ranks.py", str(SEED), "one", folder / "ranks"], check=True)
    return json.loads((folder / "ranks").read_text())


def formats(folder):
    """What can be stored as JSON, whole, as text."""
    (folder / "one").mkdir()
    (folder / "one/r.json").write_text(json.dumps(result()))
    advice = run("recommend", "one", "--format", "json", folder=folder).stdout
    made = {"result": result("another"), "verify": verified(), "fleet": {"schema": 1, "fleet": [result("another"), verified()]},
            "ranks": ranks(folder), "peer": stored("result/peer.json"), "duel": stored("duel/slower"), "advice": json.loads(advice)}
    return {name: json.dumps(value, indent=1 if random.random() < 0.5 else None) for name, value in made.items()}


def run(verb, *arguments, folder):
    return subprocess.run([CLREDUCE, verb, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          timeout=300, check=False)


def told(place, verb):
    """Status, and all that the verb says of the folder `night` there."""
    ended = run(verb, "night", *VERBS[verb], folder=place)
    code = "".join(file.read_text() for file in sorted(place.glob("emitted/*"))) if verb == "emit" else ""
    return ended.returncode, ended.stdout + code, ended.stderr


def changed(text, draw):
    """The text with one byte changed, to any or to one that means something in JSON."""
    at = draw.randrange(len(text))
    bytes_n = bytearray(text)
    while bytes_n[at] == text[at]:
        bytes_n[at] = draw.choice([draw.randrange(256), draw.choice(b'"{}[],:0 -\\')])
    return bytes(bytes_n), f"byte {at} changed from {chr(text[at])!r} to {chr(bytes_n[at])!r}"


def broken(text, draw):
    """The text as it is not to be, and what was done to it."""
    text = text.encode()
    cuts = [draw.randrange(len(text)) for _ in range(TIMES - 4)] + [0, 1, len(text) - 1, len(text) - 2]
    return [(text[:n], f"cut to {n} of {len(text)} bytes") for n in cuts] + [changed(text, draw) for _ in range(TIMES)]


def is_json(text):
    try:
        json.loads(text.decode())
    except ValueError:
        return False
    return True


def flaw(found, without, text):
    """What is not as it must be of status, output and errors of a verb that read this text, too; empty if all is. Without the file it
    tells what stands in `without`."""
    status, out, err = found
    if status < 0 or status not in (0, 4):
        return f"exit status {status}"
    if not is_json(text) and (status != 4 or "x.json" not in err):
        return "no error that names what is no JSON"
    if "x.json" in err:
        return ""
    if status == 4:
        return "an error that does not name it"
    return "" if (out, err) != without[1:] else "left out without a word"


def tried(work, number, name, text, verb, without):
    place = work / str(number)
    (place / "night").mkdir(parents=True)
    (place / "night/good.json").write_text(json.dumps(result()))
    (place / "night/x.json").write_bytes(text)
    found = told(place, verb)
    return flaw(found, without[verb], text), found


def other_files(work):
    """What else can be in a folder."""
    place = work / "others"
    (place / "night").mkdir(parents=True)
    (place / "night/good.json").write_text(json.dumps(result()))
    for number in range(200):
        (place / f"night/of_others_{number}.json").write_text(random.choice(['{"name": 1}', "[1, 2]", '{"schema": "clreduce-verifz"}']))
    status, _, err = told(place, "recommend")
    suite.judge("files of others are all named", status == 0 and "left out 200 of 201 files" in err and
                all(f"of_others_{number}.json" in err for number in range(200)), err)
    (place / "night/later.json.journal").write_text('{"journal": "clreduce verify"}\n')
    status, _, err = told(place, "recommend")
    suite.judge("so is the journal of a run that has not ended", status == 0 and "night/later.json.journal: left out" in err, err)
    for what, text in (("of no byte", ""), ("of blanks", " \n"), ("with a comment", '{"name": 1 /* one */}'), ("of two values", "{} {}"),
                       ("with a wrong array", '{"cells": [1, 2 3]}'), ("with half an array", '{"devices": [{"checks": [}]}')):
        (place / "night/x.json").write_text(text)
        for verb in VERBS:
            status, _, err = told(place, verb)
            suite.judge(f"{verb}: a file {what} is an error with its name", status == 4 and "night/x.json is no result file" in err, err)
    (place / "night/x.json").unlink()
    (place / "night/x.json").symlink_to("nowhere")
    status, _, err = told(place, "report")
    suite.judge("so is a link to nothing", status == 4 and "cannot read night/x.json" in err, err)


def main():
    print(f"seed {SEED}: the same again by {' '.join(sys.argv[:2])} {SEED}")
    random.seed(SEED)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        texts, jobs, without, verbs = formats(work), [], {}, list(VERBS)
        (work / "alone/night").mkdir(parents=True)
        (work / "alone/night/good.json").write_text(json.dumps(result()))
        for verb in verbs:
            without[verb] = told(work / "alone", verb)
            suite.judge(f"{verb} of a whole file ends well, and says the same again", without[verb][0] == 0 and
                        told(work / "alone", verb) == without[verb], without[verb])
        for name, text in texts.items():
            jobs += [(name, text.encode(), "whole", verb) for verb in verbs if (name, verb) != ("result", "emit")]
            # emit tells nothing of a second machine's times
            jobs += [(name, bad, how, verbs[number % 8 % 3] if number % 8 < 7 or name == "result" else "emit") for number, (bad, how) in enumerate(broken(text, random))]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            waiting = [pool.submit(tried, work, number, name, text, verb, without) for number, (name, text, _, verb) in enumerate(jobs)]
            for (name, _, how, verb), job in zip(jobs, waiting):
                bad, found = job.result()
                suite.judge(f"{verb}: {name}, {how}: {bad}", bad == "", found)
                if how == "whole" and verb != "compare":  # which takes files of one kind
                    suite.judge(f"{verb}: a whole {name} is read, or named", found[0] == 0, found)
        other_files(work)
    sys.exit(suite.end())


main()
