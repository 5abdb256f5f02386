#!/usr/bin/env -S python3 -B
"""Makes the result files of a fleet from a real one: of each host another name, seed and start, and times that scatter by 2 %, hosts by 1 %.

    fleet.py FOLDER HOSTS [--from RESULT.json] [--seed SEED] [--one] [--measure CLREDUCE]

Of every 50 hosts, as the seed draws, one takes 1.5 times as long, on one a strategy is wrong, one has another driver, one lacks a
capability. What was changed is printed, a line each: "slow node0017", "wrong node0042 tree", "driver node0043", "lacks node0049 NAME".
--one writes a fleet file instead of the folder. The folder must not be there. --measure then prints how long each verb reads them, and its
peak memory."""
import argparse
import copy
import json
import os
import pathlib
import random
import time

from stored import load

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent / "results" / "cpu-2-cores.json"
TIMES = ("median_s", "low_s", "high_s", "min_s", "max_s", "mean_s")


def scaled(time, factor):
    return {**time, "samples_s": [s * factor for s in time["samples_s"]], **{key: time[key] * factor for key in TIMES if time.get(key)}}


def host_of(source, number, draw, slow):
    """The run as host `number` would have had it."""
    own = draw.lognormvariate(0, 0.01) * (1.5 if slow else 1)
    made = {**source, "host": {**source["host"], "name": f"node{number:04}"}, "seed": draw.randrange(2**32),
            "started": f"2026-11-{1 + number % 28:02}T{number // 28 % 24:02}:{number % 60:02}:00Z",
            "devices": copy.deepcopy(source["devices"]), "cells": []}
    for device in made["devices"]:
        device["roof_bytes_per_s"] *= draw.lognormvariate(0, 0.01)
    for cell in source["cells"]:
        if cell.get("time_to_answer"):
            cell = {**cell, "time_to_answer": scaled(cell["time_to_answer"], own * draw.lognormvariate(0, 0.02))}
        made["cells"].append(cell)
    return made


def spoil(made, what, draw):
    """Makes the run one that differs from its fleet; says how."""
    name = made["host"]["name"]
    devices = [d for d in made["devices"] if d["kind"] != "host"]
    if what == "wrong":
        strategy = draw.choice(sorted({c["strategy"] for c in made["cells"] if c["device"] == devices[0]["id"] and c["state"] == "pass"}))
        for i, cell in enumerate(made["cells"]):
            if (cell["strategy"], cell["device"], cell["state"]) == (strategy, devices[0]["id"], "pass"):
                made["cells"][i] = {**cell, "state": "wrong", "reason": "expected 1, got 2", "time_to_answer": None}
        return f"wrong {name} {strategy}"
    if what == "driver":
        devices[0]["driver"] = "0.1-old"
        return f"driver {name}"
    if what == "lacks":
        capability = next(k for k, v in devices[0]["capabilities"].items() if v["behaves"] == "yes")
        devices[0]["capabilities"][capability].update(behaves="no", reason="the probe's answer was wrong")
        devices[0]["capabilities"][capability].pop("group_sizes", None)
        return f"lacks {name} {capability}"
    return f"slow {name}"


def fleet(hosts, source, seed):
    """Gives each run as text, and what it has of its own, or None."""
    draw = random.Random(seed)
    for number in range(hosts):
        if number % 50 == 0:
            special = dict(zip(draw.sample(range(number, number + 50), 4), ("slow", "wrong", "driver", "lacks")))
        made = host_of(source, number, draw, special.get(number) == "slow")
        told = spoil(made, special[number], draw) if number in special else None
        yield json.dumps(made, indent=1), told


def measure(clreduce, folder):
    for verb in (("compare", "--drivers"), ("report",), ("recommend",)):
        began = time.monotonic()
        pid = os.posix_spawn(clreduce, [clreduce, *verb, folder, "--output", f"{folder}.out"], os.environ)
        _, status, used = os.wait4(pid, 0)
        print(f"{' '.join(verb)}: {time.monotonic() - began:.2f} s, {used.ru_utime:.2f} s of the processor, {used.ru_maxrss / 1024:.0f} MiB"
              + (f", status {status}" if status else ""), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("hosts", type=int)
    parser.add_argument("--from", dest="source", default=SOURCE)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--one", action="store_true")
    parser.add_argument("--measure", metavar="CLREDUCE")
    asked = parser.parse_args()
    folder = pathlib.Path(asked.folder)
    if not asked.one:
        folder.mkdir()
    texts = []
    for number, (text, told) in enumerate(fleet(asked.hosts, load(asked.source), asked.seed)):
        if told:
            print(told)
        if asked.one:
            texts.append(text)
        else:
            (folder / f"node{number:04}.json").write_text(text + "\n")
    if asked.one:
        folder.write_text('{"schema": 1, "fleet": [\n' + ",\n".join(texts) + "\n]}\n")
    if asked.measure:
        measure(asked.measure, asked.folder)


if __name__ == "__main__":
    main()
